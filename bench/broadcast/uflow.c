/* SPDX-License-Identifier: MIT */
/* W5 on uflow. */
#define BENCH_USAGE "[flows [fires [lone | armed]]]"

#include "bench.h"
#include "waiter.h"

static uint64_t fires;

static void lone(uf_pump *pump, size_t flows)
{
    Lone *const all = bench_memory(flows, sizeof *all);

    for (size_t i = 0; i < flows; i++) {
        BENCH_CHECK(Lone_init(&all[i], pump, "lone") == UF_OK && Lone_start_Wait(&all[i]) == UF_OK);
    }
    (void)uf_pump_round(pump, 0);
    int64_t const began = bench_begin();
    for (uint64_t n = 0; n < fires; n++) {
        (void)uf_signal_fire(&go);
        (void)uf_pump_round(pump, 0);
    }
    int64_t const ended = bench_end();
    for (size_t i = 0; i < flows; i++) BENCH_CHECK(all[i].released == fires + 1);
    bench_report(began, ended, fires * flows);
}

static void armed(uf_pump *pump, size_t flows)
{
    Armed *const all = bench_memory(flows, sizeof *all);

    for (size_t i = 0; i < flows; i++) {
        BENCH_CHECK(Armed_init(&all[i], pump, "armed") == UF_OK && Armed_start_Wait(&all[i]) == UF_OK);
    }
    (void)uf_pump_round(pump, 0);
    int64_t const began = bench_begin();
    for (uint64_t n = 0; n < fires; n++) {
        (void)uf_signal_fire(&go);
        (void)uf_pump_round(pump, 0);
    }
    int64_t const ended = bench_end();
    for (size_t i = 0; i < flows; i++) BENCH_CHECK(all[i].released == fires + 1);
    bench_report(began, ended, fires * flows);
}

int main(int argc, char **argv)
{
    size_t const flows = bench_number(argc, argv, 1, 1000);
    int const is_armed = bench_word(argc, argv, 3, (char const *const[]){"lone", "armed", NULL});
    uf_pump pump;

    fires = bench_number(argc, argv, 2, 1000);
    BENCH_CHECK(uf_pump_init(&pump, NULL) == UF_OK);
    if (is_armed) armed(&pump, flows);
    else lone(&pump, flows);
    return 0;
}
