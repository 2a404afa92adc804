/* SPDX-License-Identifier: MIT */
/* The cost of a parked flow: its bytes, and the wake-ups of its runtime. */
#define BENCH_USAGE "[flows [signal | timer]]"

#include "parked.h"
#include "resident.h"
#include "uflow/runtime.h"

int main(int argc, char **argv)
{
    size_t const flows = bench_number(argc, argv, 1, 1000000);
    int const timed = bench_word(argc, argv, 2, (char const *const[]){"signal", "timer", NULL});
    uf_runtime *runtime;

    BENCH_CHECK(uf_runtime_new(&runtime, NULL) == UF_OK);
    uint64_t const before = resident_bytes();
    Parked *const all = bench_memory(flows, sizeof *all);
    for (size_t i = 0; i < flows; i++) {
        BENCH_CHECK(Parked_init(&all[i], uf_runtime_pump(runtime), "parked") == UF_OK);
        BENCH_CHECK((timed ? Parked_start_Sleep(&all[i]) : Parked_start_Wait(&all[i])) == UF_OK);
    }
    for (size_t i = 0; i < flows; i++) { /* until the flow has parked */
        while (__atomic_load_n(&all[i].uf.state, __ATOMIC_RELAXED) & UF_STATE_CLAIMED)
            (void)nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    (void)nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    BENCH_CHECK(uf_pump_running(uf_runtime_pump(runtime)) == flows);
    resident_report(before, flows);
    (void)fflush(stdout);
    _Exit(0); /* without the time to cancel all flows */
}
