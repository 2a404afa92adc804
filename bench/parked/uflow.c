/* What a flow that waits costs: parked_uflow [flows [signal | timer]]. Bytes each, and what its runtime does meanwhile. */
#include "resident.h"
#include "parked.h"
#include "uflow/runtime.h"

int main(int argc, char **argv)
{
    size_t const flows = bench_number(argc, argv, 1, 1000000);
    int const timed = argc > 2 && strcmp(argv[2], "timer") == 0;
    uf_runtime *runtime;

    if (uf_runtime_new(&runtime, NULL) != UF_OK) return 1;
    uint64_t const before = resident_bytes();
    Parked *const all = bench_memory(flows, sizeof *all);
    for (size_t i = 0; i < flows; i++) {
        if (Parked_init(&all[i], uf_runtime_pump(runtime), "parked") != UF_OK) return 1;
        if ((timed ? Parked_start_Sleep(&all[i]) : Parked_start_Wait(&all[i])) != UF_OK) return 1;
    }
    for (size_t i = 0; i < flows; i++) { /* until it has had its turn */
        while (__atomic_load_n(&all[i].uf.state, __ATOMIC_RELAXED) & UF_STATE_CLAIMED)
            (void)nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    (void)nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    int const failed = resident_report(before, flows);
    if (uf_pump_running(uf_runtime_pump(runtime)) != flows) return 1;
    (void)fflush(stdout);
    _Exit(failed); /* to cancel them all is another matter */
}
