/* W5 on uflow: broadcast_uflow [flows [fires [lone | armed]]]. */
#include <string.h>

#include "bench.h"
#include "waiter.h"

static uint64_t fires;

static bool lone(uf_pump *pump, size_t flows)
{
    Lone *const all = bench_memory(flows, sizeof *all);

    for (size_t i = 0; i < flows; i++) {
        if (Lone_init(&all[i], pump, "lone") != UF_OK || Lone_start_Wait(&all[i]) != UF_OK) return false;
    }
    (void)uf_pump_round(pump, 0);
    int64_t const began = bench_begin();
    for (uint64_t n = 0; n < fires; n++) {
        (void)uf_signal_fire(&go);
        (void)uf_pump_round(pump, 0);
    }
    bench_report(began, bench_end(), fires * flows);
    for (size_t i = 0; i < flows; i++) {
        if (all[i].released != fires + 1) return false;
    }
    return true;
}

static bool armed(uf_pump *pump, size_t flows)
{
    Armed *const all = bench_memory(flows, sizeof *all);

    for (size_t i = 0; i < flows; i++) {
        if (Armed_init(&all[i], pump, "armed") != UF_OK || Armed_start_Wait(&all[i]) != UF_OK) return false;
    }
    (void)uf_pump_round(pump, 0);
    int64_t const began = bench_begin();
    for (uint64_t n = 0; n < fires; n++) {
        (void)uf_signal_fire(&go);
        (void)uf_pump_round(pump, 0);
    }
    bench_report(began, bench_end(), fires * flows);
    for (size_t i = 0; i < flows; i++) {
        if (all[i].released != fires + 1) return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    size_t const flows = bench_number(argc, argv, 1, 1000);
    uf_pump pump;

    fires = bench_number(argc, argv, 2, 1000);
    if (uf_pump_init(&pump, NULL) != UF_OK) return 1;
    if (argc > 3 && strcmp(argv[3], "armed") == 0) return armed(&pump, flows) ? 0 : 1;
    return lone(&pump, flows) ? 0 : 1;
}
