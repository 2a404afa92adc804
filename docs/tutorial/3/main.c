#include <stdio.h>

#include "machine.h"
#include "uflow/runtime.h"

int main(void)
{
    uf_runtime *runtime;
    static Machine machine;
    uf_call_info end;
    uf_run run;
    int degrees;

    if (uf_runtime_new(&runtime, NULL) != UF_OK) return 1; /* a pump with a thread of its own */
    uf_pump *const pump = uf_runtime_pump(runtime);
    if (uf_pump_set_scale(pump, 10) != UF_OK) return 1; /* 10 logical seconds per real second */
    if (Machine_init(&machine, pump, "machine", 2000) != UF_OK) return 1;

    if (Machine_call_Brew(&machine, 1, UF_S(10), &degrees, &end) == UF_OK) printf("a cup of %d degrees\n", degrees);

    if (Machine_call_Brew(&machine, 2, UF_S(10), &degrees, &end) == UF_NOT_DONE) printf("%s\n", end.reason);

    uf_pump_freeze(pump); /* logical time stops: no wait ends */
    uint32_t const epoch = uf_signal_epoch(&heating);
    if (Machine_start_run_Brew(&machine, &run, 1) != UF_OK) return 1; /* start, and do not wait */
    if (uf_signal_wait_since(&heating, epoch, UF_S(10)) != UF_OK) return 1;
    uf_signal_fire(&stop_button);
    if (uf_run_wait(run, UF_S(10), &end) == UF_OK) printf("%s: %s\n", uf_outcome_text(end.outcome), end.reason);

    if (uf_runtime_stop(runtime, UF_S(2), NULL) != UF_OK) return 1;
    return uf_runtime_free(runtime) == UF_OK ? 0 : 1;
}
