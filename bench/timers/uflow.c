/* W7 on uflow: timers_uflow [timers [rounds [cancel]]]. Sets one for each of so many flows at random deadlines within a second,
 * fires all; with `cancel`, every other flow is cancelled before its timer fires. */
#include <stdbool.h>

#include "bench.h"
#include "timers.h"

int main(int argc, char **argv)
{
    size_t const timers = bench_number(argc, argv, 1, 100000);
    uint64_t const rounds = bench_number(argc, argv, 2, 1);
    bool const cancels = argc > 3;
    Sleeper *const all = bench_memory(timers, sizeof *all);
    uint32_t random = 1;
    int64_t spent = 0;
    uf_pump pump;

    if (uf_pump_init(&pump, NULL) != UF_OK) return 1;
    for (size_t i = 0; i < timers; i++) {
        if (Sleeper_init(&all[i], &pump, "sleeper") != UF_OK) return 1;
    }
    for (uint64_t n = 0; n < rounds; n++) {
        for (size_t i = 0; i < timers; i++) {
            if (Sleeper_start_Sleep(&all[i], bench_random(&random) % 1000000 + 1) != UF_OK) return 1;
        }
        int64_t const began = bench_begin();
        if (cancels) {
            (void)uf_pump_round(&pump, uf_pump_now(&pump));
            for (size_t i = 0; i < timers; i += 2) (void)uf_flow_cancel(&all[i].uf);
        }
        if (uf_simulate_until_idle(&pump, UF_FOREVER) != UF_OK) return 1;
        spent += bench_end() - began;
    }
    bench_report(0, spent, timers * rounds);
    for (size_t i = 0; i < timers; i++) {
        if (uf_flow_outcome(&all[i].uf) != (cancels && i % 2 == 0 ? UF_CANCELLED : UF_DONE)) return 1;
    }
    return 0;
}
