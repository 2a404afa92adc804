#include <stdio.h>

#include "machine.h"
#include "uflow/runtime.h"

/* The runtime calls this when a run has failed that nobody waits for. */
static void tell(void *context, const uf_flow *flow, const uf_failure *failure)
{
    (void)context, (void)flow;
    printf("%s failed in %s: %s\n", failure->task, failure->step, failure->reason);
}

int main(void)
{
    uf_runtime_config const config = {.on_failure = tell};
    uf_runtime *runtime;
    static Machine machine;
    uf_call_info end;
    int degrees;

    if (uf_runtime_new(&runtime, &config) != UF_OK) return 1; /* a pump with a thread of its own */
    uf_pump *const pump = uf_runtime_pump(runtime);
    if (uf_pump_set_scale(pump, 10) != UF_OK) return 1; /* 10 logical seconds per real second */
    if (Machine_init(&machine, pump, "machine", 2000) != UF_OK) return 1;

    if (Machine_call_Brew(&machine, 1, UF_S(10), &degrees, &end) == UF_OK) printf("a cup of %d degrees\n", degrees);

    if (Machine_call_Brew(&machine, 2, UF_S(10), &degrees, &end) == UF_NOT_DONE) printf("%s\n", end.reason);

    uf_pump_freeze(pump); /* logical time stops: no wait ends */
    uint32_t const epoch = uf_signal_epoch(&heating);
    if (Machine_start_Brew(&machine, 1) != UF_OK) return 1; /* start, and do not wait */
    if (uf_signal_wait_since(&heating, epoch, UF_S(10)) != UF_OK) return 1;
    uf_signal_fire(&stop_button);
    if (uf_runtime_wait(runtime, UF_S(10)) != UF_OK) return 1; /* until no task runs */

    if (uf_runtime_stop(runtime, UF_S(2), NULL) != UF_OK) return 1;
    return uf_runtime_free(runtime) == UF_OK ? 0 : 1;
}
