/* W7 on uflow: timers_uflow [timers]. Sets one for each of so many flows at random deadlines within a second, fires all. */
#include "bench.h"
#include "timers.h"

int main(int argc, char **argv)
{
    size_t const timers = bench_number(argc, argv, 1, 100000);
    Sleeper *const all = bench_memory(timers, sizeof *all);
    uint32_t random = 1;
    uf_pump pump;

    if (uf_pump_init(&pump, NULL) != UF_OK) return 1;
    for (size_t i = 0; i < timers; i++) {
        random = random * 1664525u + 1013904223u;
        if (Sleeper_init(&all[i], &pump, "sleeper") != UF_OK) return 1;
        if (Sleeper_start_Sleep(&all[i], (random >> 8) % 1000000 + 1) != UF_OK) return 1;
    }
    int64_t const began = bench_now();
    if (uf_simulate_until_idle(&pump, UF_FOREVER) != UF_OK) return 1;
    bench_report(began, timers);
    return 0;
}
