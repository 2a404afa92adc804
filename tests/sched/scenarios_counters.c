/* SPDX-License-Identifier: MIT */
/* scenarios_counters.c - counters that are read and reset while the pump's thread counts. */
#include "uflow/counters.h"

#include "scene.h"

#define STEPS 3

static uf_counters counters;
static uf_flow_counts flows[2]; /* for three flows */
static uint32_t all_done;

static void begin_counted(void)
{
    ufp_store_seq_cst(&all_done, 0);
    MUST(uf_counters_init(&counters, flows, 2) == UF_OK);
    begin_with(&(uf_runtime_config){.time_bodies = true, .observers = &counters.observer});
}

static void run_counted(void)
{
    for (int run = 0; run < 2; run++) {
        for (int i = 0; i < 3; i++) MUST(Worker_call_Count(&workers[i], STEPS, UF_FOREVER, NULL, NULL) == UF_OK);
    }
    ufp_store_seq_cst(&all_done, 1);
    join();
}

static void look_at_flow(const uf_flow *flow)
{
    uf_flow_counts counts;

    if (!uf_counters_flow(&counters, flow, &counts)) {
        MUST(counts.started == 0 && counts.transitions == 0);
        return;
    }
    MUST(counts.done <= counts.started && counts.started <= counts.done + 1);
    MUST(counts.done * STEPS <= counts.transitions && counts.transitions <= counts.started * STEPS);
    MUST(counts.last_length == (counts.done ? STEPS : 0) && counts.max_length == counts.last_length);
    MUST(counts.longest <= counts.busy);
}

static void look_at_flows(void *argument)
{
    (void)argument;
    while (!ufp_load_seq_cst(&all_done)) {
        look_at_flow(NULL);
        look_at_flow(&workers[0].uf);
        schedule_pause();
    }
}

static void counters_flows(void)
{
    uf_flow_counts all;
    begin_counted();
    spawn(look_at_flows, NULL);
    run_counted();
    MUST(uf_counters_flow(&counters, NULL, &all));
    MUST(all.done == 6 && all.transitions == 6 * STEPS);
    end();
}

static void look_at_rounds(void *argument)
{
    uf_round_counts rounds;

    (void)argument;
    while (!ufp_load_seq_cst(&all_done)) {
        uf_counters_rounds(&counters, &rounds);
        MUST(rounds.min <= rounds.mean && rounds.mean <= rounds.max);
        MUST(rounds.min <= rounds.last && rounds.last <= rounds.max);
        schedule_pause();
    }
}

static void reset_rounds(void *argument)
{
    (void)argument;
    while (!ufp_load_seq_cst(&all_done)) {
        uf_counters_reset_rounds(&counters);
        schedule_pause();
    }
}

static void counters_rounds(void)
{
    begin_counted();
    spawn(look_at_rounds, NULL);
    spawn(reset_rounds, NULL);
    run_counted();
    end();
}

const scenario counter_scenarios[] = {
    {"counters_flows", counters_flows},
    {"counters_rounds", counters_rounds},
    {0},
};
