/* W1 with somebody who looks on: observed_uflow [transitions [none | counters | trace]]. */
#include <string.h>

#include "bench.h"
#include "chain.h"
#include "uflow/trace.h"

typedef struct counters {
    uint64_t changes, ends;
} counters;

static void count_change(void *context, const uf_flow *flow, const uf_step_change *change)
{
    (void)flow;
    (void)change;
    ((counters *)context)->changes++;
}

static void count_end(void *context, const uf_flow *flow, const uf_flow_end *end)
{
    (void)flow;
    (void)end;
    ((counters *)context)->ends++;
}

int main(int argc, char **argv)
{
    uint64_t const transitions = bench_number(argc, argv, 1, 5000000);
    char const *const how = argc > 2 ? argv[2] : "none";
    static uf_trace_entry entries[256];
    counters seen = {0};
    uf_observer counting = {.context = &seen, .step_changed = count_change, .flow_ended = count_end};
    uf_trace trace;
    uf_pump pump;
    Chain flow;

    if (uf_pump_init(&pump, NULL) != UF_OK || Chain_init(&flow, &pump, "chain") != UF_OK) return 1;
    if (strcmp(how, "counters") == 0 && uf_pump_add_observer(&pump, &counting) != UF_OK) return 1;
    if (strcmp(how, "trace") == 0 && uf_trace_attach(&trace, &pump, &flow.uf, entries, 256) != UF_OK) return 1;
    if (Chain_start_Run(&flow, transitions) != UF_OK) return 1;
    int64_t const began = bench_begin();
    (void)uf_simulate_until(&pump, UF_S(1));
    bench_report(began, bench_end(), transitions);
    return strcmp(how, "counters") != 0 || (seen.changes == transitions + 1 && seen.ends == 1) ? 0 : 1;
}
