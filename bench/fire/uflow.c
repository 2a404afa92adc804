/* SPDX-License-Identifier: MIT */
/* W4, firing. Times only the firing of many signals in turn, each with one waiter. */
#define BENCH_USAGE "[flows [times]]"

#include "bench.h"
#include "listener.h"

int main(int argc, char **argv)
{
    size_t const flows = bench_number(argc, argv, 1, 1000);
    uint64_t const times = bench_number(argc, argv, 2, 1000);
    Listener *const all = bench_memory(flows, sizeof *all);
    int64_t spent = 0;
    uf_pump pump;

    BENCH_CHECK(uf_pump_init(&pump, NULL) == UF_OK);
    for (size_t i = 0; i < flows; i++) {
        BENCH_CHECK(Listener_init(&all[i], &pump, "listener") == UF_OK && Listener_start_Listen(&all[i]) == UF_OK);
    }
    (void)uf_pump_round(&pump, 0);
    for (uint64_t n = 0; n < times; n++) {
        int64_t const began = bench_begin();
        for (size_t i = 0; i < flows; i++) (void)uf_signal_fire(&all[i].call);
        spent += bench_end() - began;
        (void)uf_pump_round(&pump, 0);
    }
    for (size_t i = 0; i < flows; i++) {
        BENCH_CHECK(all[i].heard == times + 1);
    }
    bench_report(0, spent, times * flows);
    return 0;
}
