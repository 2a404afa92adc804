#include <poll.h>

#include "uflow/runtime.h"

/* `others` has room for one more at its end; what is ready there is for the caller to look at. */
static int poll_with_flows(uf_runtime *runtime, struct pollfd *others, nfds_t count)
{
    others[count] = (struct pollfd){.fd = uf_runtime_fd(runtime), .events = POLLIN};
    int const ready = poll(others, count + 1, uf_runtime_poll_timeout(runtime));
    if (uf_runtime_poll(runtime) != UF_OK) return -1;
    return ready;
}
