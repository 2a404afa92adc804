/* SPDX-License-Identifier: MIT */
/* W1 with an observer attached. */
#define BENCH_USAGE "[transitions [none | observer | counters | trace | recorder]]"

#include "bench.h"
#include "chain.h"
#include "uflow/counters.h"
#include "uflow/recorder.h"
#include "uflow/trace.h"

typedef struct counts {
    uint64_t changes, ends;
} counts;

static void count_change(void *context, const uf_flow *flow, const uf_step_change *change)
{
    (void)flow;
    (void)change;
    ((counts *)context)->changes++;
}

static void count_end(void *context, const uf_flow *flow, const uf_flow_end *end)
{
    (void)flow;
    (void)end;
    ((counts *)context)->ends++;
}

int main(int argc, char **argv)
{
    uint64_t const transitions = bench_number(argc, argv, 1, 5000000);
    enum { NONE, OBSERVER, COUNTERS, TRACE, RECORDER };
    int const how =
        bench_word(argc, argv, 2, (char const *const[]){"none", "observer", "counters", "trace", "recorder", NULL});
    static uf_flow_counts flows[16];
    static uf_counters counters;
    static uf_trace_entry entries[256];
    static unsigned char memory[65536];
    counts seen = {0};
    uf_observer counting = {.context = &seen, .step_changed = count_change, .flow_ended = count_end};
    uf_trace trace;
    uf_recorder recorder;
    uf_pump pump;
    Chain flow;

    BENCH_CHECK(uf_pump_init(&pump, NULL) == UF_OK && Chain_init(&flow, &pump, "chain") == UF_OK);
    if (how == OBSERVER) BENCH_CHECK(uf_pump_add_observer(&pump, &counting) == UF_OK);
    if (how == COUNTERS) BENCH_CHECK(uf_counters_attach(&counters, &pump, flows, 16) == UF_OK);
    if (how == TRACE) BENCH_CHECK(uf_trace_attach(&trace, &pump, &flow.uf, entries, 256) == UF_OK);
    if (how == RECORDER) BENCH_CHECK(uf_recorder_attach(&recorder, &pump, memory, sizeof memory, 16) == UF_OK);
    BENCH_CHECK(Chain_start_Run(&flow, transitions) == UF_OK);
    int64_t const began = bench_begin();
    (void)uf_simulate_until(&pump, UF_S(1));
    int64_t const ended = bench_end();
    if (how == OBSERVER) BENCH_CHECK(seen.changes == transitions + 1 && seen.ends == 1);
    if (how == COUNTERS) {
        uf_flow_counts all;
        BENCH_CHECK(uf_counters_flow(&counters, NULL, &all) && all.transitions == (int64_t)transitions + 1);
    }
    bench_report(began, ended, transitions);
    return 0;
}
