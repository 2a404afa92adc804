/* SPDX-License-Identifier: MIT */
/* W7 on uflow. Each round sets one timer per flow, at random deadlines within a second, and fires them all. With
 * `cancel`, every other flow is cancelled before its timer fires. */
#define BENCH_USAGE "[timers [rounds [fire | cancel]]]"

#include <stdbool.h>

#include "bench.h"
#include "timers.h"

int main(int argc, char **argv)
{
    size_t const timers = bench_number(argc, argv, 1, 100000);
    uint64_t const rounds = bench_number(argc, argv, 2, 1);
    bool const cancels = bench_word(argc, argv, 3, (char const *const[]){"fire", "cancel", NULL}) == 1;
    Sleeper *const all = bench_memory(timers, sizeof *all);
    uint32_t random = 1;
    int64_t spent = 0;
    uf_pump pump;

    BENCH_CHECK(uf_pump_init(&pump, NULL) == UF_OK);
    for (size_t i = 0; i < timers; i++) {
        BENCH_CHECK(Sleeper_init(&all[i], &pump, "sleeper") == UF_OK);
    }
    for (uint64_t n = 0; n < rounds; n++) {
        for (size_t i = 0; i < timers; i++) {
            BENCH_CHECK(Sleeper_start_Sleep(&all[i], bench_random(&random) % 1000000 + 1) == UF_OK);
        }
        int64_t const began = bench_begin();
        if (cancels) {
            (void)uf_pump_round(&pump, uf_pump_now(&pump));
            for (size_t i = 0; i < timers; i += 2) (void)uf_flow_cancel(&all[i].uf);
        }
        BENCH_CHECK(uf_simulate_until_idle(&pump, UF_FOREVER) == UF_OK);
        spent += bench_end() - began;
    }
    for (size_t i = 0; i < timers; i++) {
        BENCH_CHECK(uf_flow_outcome(&all[i].uf) == (cancels && i % 2 == 0 ? UF_CANCELLED : UF_DONE));
    }
    bench_report(0, spent, timers * rounds);
    return 0;
}
