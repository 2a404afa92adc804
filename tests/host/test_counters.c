/* SPDX-License-Identifier: MIT */
/* test_counters.c - other threads read and reset counters while their runtime counts. */
#include "host_test.h"

#include <sched.h>

#include "uflow/counters.h"

#define STEPS 10
#define RUNS  MANY(1000)

static uf_counters counters;
static uf_flow_counts flows[8];
static int done; /* no further starts */

static void look_at_flow(const uf_flow *flow)
{
    uf_flow_counts counts;

    if (!uf_counters_flow(&counters, flow, &counts)) return;
    assert_ptr_equal(counts.flow, flow);
    assert_true(counts.done <= counts.started && counts.started <= counts.done + 1);
    assert_true(counts.done * STEPS <= counts.transitions && counts.transitions <= counts.started * STEPS);
    assert_int_equal(counts.max_length, counts.done ? STEPS : 0);
    assert_true(counts.longest <= counts.busy);
}

static void look_at_rounds(void)
{
    uf_round_counts rounds;

    uf_counters_rounds(&counters, &rounds);
    assert_true(rounds.min <= rounds.mean && rounds.mean <= rounds.max);
    assert_true(rounds.min <= rounds.last && rounds.last <= rounds.max);
    assert_true(rounds.count > 0 || rounds.max == 0);
}

static void *ask(void *argument)
{
    intptr_t const which = (intptr_t)argument;

    while (!READ(done)) {
        look_at_flow(&workers[which].uf);
        look_at_rounds();
        if (which == 0) uf_counters_reset_rounds(&counters);
        sched_yield();
    }
    return NULL;
}

CASE(G9_G12_asked_by_any_thread)
{
    uf_round_counts rounds;
    uf_flow_counts all;
    threads crowd;
    SET(done, 0);
    assert_int_equal(uf_counters_init(&counters, flows, 8), UF_OK);
    begin_with(&(uf_runtime_config){.time_bodies = true, .observers = &counters.observer});
    crowd_start(&crowd, 3, ask);
    for (int run = 0; run < RUNS; run++) {
        for (int i = 0; i < 4; i++) assert_int_equal(Worker_start_Count(&workers[i], STEPS), UF_OK);
        for (int i = 0; i < 4; i++) assert_int_equal(uf_flow_wait(&workers[i].uf, LONG, NULL), UF_OK);
    }
    SET(done, 1);
    crowd_join(&crowd);
    assert_true(uf_counters_flow(&counters, NULL, &all));
    assert_int_equal(all.done, 4 * RUNS);
    assert_int_equal(all.transitions, 4 * RUNS * STEPS);
    assert_true(all.busy > 0);
    uf_counters_reset_rounds(&counters);
    assert_int_equal(Worker_call_Count(&workers[0], STEPS, LONG, NULL, NULL), UF_OK);
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
    uf_counters_rounds(&counters, &rounds);
    assert_true(rounds.count >= STEPS && rounds.max > 0);
}

static void nothing(void *argument)
{
    (void)argument;
}

CASE(G9_a_round_with_a_post_did_something)
{
    uf_round_counts rounds;
    assert_int_equal(uf_counters_init(&counters, NULL, 0), UF_OK);
    begin_with(&(uf_runtime_config){.time_bodies = true, .observers = &counters.observer});
    assert_int_equal(uf_post_wait(runtime, nothing, NULL), UF_OK);
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
    uf_counters_rounds(&counters, &rounds);
    assert_int_equal(rounds.count, 1);
    assert_true(rounds.last > 0);
}
