/* SPDX-License-Identifier: MIT */
/* W1 to W3 on uflow. */
#define BENCH_USAGE "[flows [transitions of all [parked flows]]]"

#include "bench.h"
#include "chain.h"

int main(int argc, char **argv)
{
    size_t const flows = bench_number(argc, argv, 1, 1);
    uint64_t const each = bench_share(argc, argv, 2, 20000000, flows);
    size_t const parked = bench_number(argc, argv, 3, 0);
    Chain *const all = bench_memory(flows + parked, sizeof *all);
    uf_pump pump;

    BENCH_CHECK(uf_pump_init(&pump, NULL) == UF_OK);
    for (size_t i = 0; i < flows + parked; i++) {
        BENCH_CHECK(Chain_init(&all[i], &pump, "chain") == UF_OK);
        BENCH_CHECK((i < flows ? Chain_start_Run(&all[i], each) : Chain_start_Park(&all[i])) == UF_OK);
    }
    (void)uf_pump_round(&pump, 0); /* enters all tasks, and parks the waiting flows */
    int64_t const began = bench_begin();
    (void)uf_simulate_until(&pump, UF_S(1)); /* time does not advance while flows are runnable */
    int64_t const ended = bench_end();
    BENCH_CHECK(uf_pump_running(&pump) == parked);
    bench_report(began, ended, each * flows);
    return 0;
}
