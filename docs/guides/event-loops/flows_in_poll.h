#ifndef FLOWS_IN_POLL_H
#define FLOWS_IN_POLL_H

#include <poll.h>

#include "uflow/runtime.h"

/* Waits for `others` and for the flows, then runs the rounds that are due. `others` needs room for one more entry after
 * its `count` entries. Returns the result of poll(), or -1; the caller checks `others`. */
static inline int poll_with_flows(uf_runtime *runtime, struct pollfd *others, nfds_t count)
{
    others[count] = (struct pollfd){.fd = uf_runtime_fd(runtime), .events = POLLIN};
    int const ready = poll(others, count + 1, uf_runtime_poll_timeout(runtime));
    if (uf_runtime_poll(runtime) != UF_OK) return -1;
    return ready;
}

#endif
