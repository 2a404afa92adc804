/* SPDX-License-Identifier: MIT */
/* counters.c - durations of rounds and outcomes of runs, on a clock that the test controls. */
#include "harness.h"

#include "uflow/counters.h"
#include "uflow/pool.h"

#include "slow.h"
#include "slow_hooks.h"

#define FLOWS 8

static Maker maker, second;
static uf_counters counters;
static uf_flow_counts flows[FLOWS];
static uf_time time_now; /* real time, for pumps that measure */

int slow_spin(int ms)
{
    time_now += UF_MS(ms);
    return ms;
}

static uf_time monotonic(void *context)
{
    (void)context;
    return time_now;
}

static void scene(const uf_pump_config *config)
{
    time_now = 0;
    assert_int_equal(uf_pump_init(&pump, config), UF_OK);
    assert_int_equal(Maker_init(&maker, &pump, "maker"), UF_OK);
    assert_int_equal(Maker_init(&second, &pump, "second"), UF_OK);
    assert_int_equal(uf_counters_attach(&counters, &pump, flows, FLOWS), UF_OK);
}

static const uf_pump_config timed = {.monotonic = monotonic};

/* -- rounds -------------------------------------------------------------------------------------------------------- */

static void expect_rounds(int count, int min, int max, int mean, int last)
{
    uf_round_counts rounds;
    uf_counters_rounds(&counters, &rounds);
    assert_int_equal(rounds.count, count);
    assert_int_equal(rounds.min, UF_MS(min));
    assert_int_equal(rounds.max, UF_MS(max));
    assert_int_equal(rounds.mean, UF_MS(mean));
    assert_int_equal(rounds.last, UF_MS(last));
}

TEST(G9_what_rounds_took_until_they_are_reset)
{
    scene(&timed);
    expect_rounds(0, 0, 0, 0, 0);
    assert_int_equal(Maker_start_Spin(&maker, 15, 1), UF_OK);
    run_until_idle();
    expect_rounds(1, 15, 15, 15, 15);
    assert_int_equal(Maker_start_Spin(&maker, 3, 2), UF_OK);
    run_until_idle();
    expect_rounds(3, 3, 15, 7, 3);
    uf_counters_reset_rounds(&counters);
    expect_rounds(0, 0, 0, 0, 0);
    assert_int_equal(Maker_start_Spin(&maker, 4, 1), UF_OK);
    run_until_idle();
    expect_rounds(1, 4, 4, 4, 4);
}

TEST(G9_only_rounds_that_did_something)
{
    scene(&timed);
    rounds(5);
    expect_rounds(0, 0, 0, 0, 0);
    assert_int_equal(Maker_start_Spin(&maker, 0, 1), UF_OK); /* although no time passes */
    rounds(5);
    expect_rounds(1, 0, 0, 0, 0);
    assert_int_equal(Maker_start_Hear(&maker), UF_OK);
    rounds(1);
    expect_rounds(2, 0, 0, 0, 0);
    rounds(5); /* the flow is parked */
    expect_rounds(2, 0, 0, 0, 0);
    assert_int_equal(uf_flow_cancel(&maker.uf), UF_OK);
    rounds(5);
    expect_rounds(3, 0, 0, 0, 0);
    assert_int_equal(Maker_start_Look(&maker, 12), UF_OK); /* a condition is user code too */
    rounds(1);
    expect_rounds(4, 0, 12, 3, 12);
}

static void slow_observer(void *context, const uf_flow *flow, const uf_flow_end *end)
{
    (void)context;
    (void)flow;
    (void)end;
    slow_spin(5);
}

TEST(G9_with_everything_in_it_beside_a_limit)
{
    uf_observer observer = {.flow_ended = slow_observer};
    scene(&(uf_pump_config){.monotonic = monotonic, .slow_round = UF_MS(30)});
    assert_int_equal(uf_pump_add_observer(&pump, &observer), UF_OK);
    assert_int_equal(Maker_start_Spin(&maker, 2, 1), UF_OK);
    assert_int_equal(Maker_start_Spin(&second, 3, 1), UF_OK);
    rounds(1);
    expect_rounds(1, 15, 15, 15, 15);
}

TEST(G9_no_clock_no_rounds)
{
    uf_flow_counts all;
    scene(NULL);
    assert_int_equal(Maker_start_Spin(&maker, 15, 1), UF_OK);
    run_until_idle();
    expect_rounds(0, 0, 0, 0, 0);
    assert_true(uf_counters_flow(&counters, NULL, &all));
    assert_int_equal(all.done, 1);
    assert_int_equal(all.busy, 0);
}

/* -- the end of a run ---------------------------------------------------------------------------------------------- */

static uf_trace trace;
static uf_trace_entry entries[16];
static uf_time started;
static int ends;

static void note_start(void *context, const uf_flow *flow)
{
    (void)context;
    started = uf_pump_now(flow->pump);
}

/* The data that an observer can read at the end of a run if a trace and counters were added before it. */
static void look_at_end(void *context, const uf_flow *flow, const uf_flow_end *end)
{
    uf_flow_counts *const before = context;
    uf_flow_counts now;
    uf_time in_steps = 0;

    ends++;
    assert_true(uf_counters_flow(&counters, flow, &now));
    int64_t const transitions = now.transitions - before->transitions;
    int64_t const completions = now.jobs_done + now.jobs_failed - before->jobs_done - before->jobs_failed;
    assert_int_equal(uf_trace_count(&trace), transitions + completions);
    assert_int_equal(transitions, end->ordinal + 1);
    for (size_t i = 0; i < uf_trace_count(&trace); i++) {
        uf_trace_entry const *const entry = uf_trace_at(&trace, i);
        bool const last = i + 1 == uf_trace_count(&trace);
        if (entry->kind != UF_TRACE_STEP) continue;
        in_steps += entry->elapsed;
        assert_int_equal(entry->outcome, last ? end->outcome : UF_RUNNING);
        if (last) assert_int_equal(entry->ordinal, end->ordinal);
    }
    assert_int_equal(in_steps, uf_pump_now(flow->pump) - started);
    *before = now;
}

TEST(G10_the_trace_is_as_long_as_transitions_and_completions)
{
    uf_flow_counts before = {0};
    uf_observer observer = {.context = &before, .flow_started = note_start, .flow_ended = look_at_end};
    uf_seeded_pool pool;
    uf_work works[2];
    assert_int_equal(uf_pool_seeded(&pool, works, 2, 1, UF_MS(100)), UF_OK);
    scene(&(uf_pump_config){.pool = &pool.pool});
    assert_int_equal(uf_trace_attach(&trace, &pump, &maker.uf, entries, 16), UF_OK);
    assert_int_equal(uf_pump_add_observer(&pump, &observer), UF_OK);
    ends = 0;
    assert_int_equal(Maker_start_Spin(&maker, 0, 5), UF_OK);
    run_until_idle();
    assert_int_equal(Maker_start_Ask(&maker), UF_OK);
    run_until_idle();
    assert_true(before.jobs_done == 1 && before.jobs_failed == 0);
    assert_int_equal(Maker_start_Stumble(&maker, 3), UF_OK);
    run_until_idle();
    assert_int_equal(Maker_start_Hear(&maker), UF_OK);
    rounds(1);
    assert_int_equal(uf_flow_cancel(&maker.uf), UF_OK);
    rounds(1);
    assert_int_equal(Maker_start_Impatient(&maker), UF_OK); /* abandons its job, and becomes another task */
    run_until_idle();
    assert_int_equal(ends, 5);
    assert_int_equal(Maker_destroy(&maker), UF_OK);
    assert_int_equal(Maker_destroy(&second), UF_OK);
    assert_int_equal(uf_pump_destroy(&pump), UF_OK);
}

/* -- flows --------------------------------------------------------------------------------------------------------- */

TEST(G12_two_that_are_done_and_one_that_fails)
{
    uf_flow_counts counts;
    scene(&timed);
    assert_false(uf_counters_flow(&counters, &maker.uf, &counts));
    assert_int_equal(Maker_start_Spin(&maker, 2, 4), UF_OK);
    run_until_idle();
    assert_int_equal(Maker_start_Spin(&maker, 3, 2), UF_OK);
    run_until_idle();
    assert_int_equal(Maker_start_Stumble(&maker, 9), UF_OK);
    run_until_idle();
    assert_true(uf_counters_flow(&counters, &maker.uf, &counts));
    assert_ptr_equal(counts.flow, &maker.uf);
    assert_int_equal(counts.started, 3);
    assert_int_equal(counts.done, 2);
    assert_int_equal(counts.failed, 1);
    assert_int_equal(counts.cancelled, 0);
    assert_int_equal(counts.last_length, 2);
    assert_int_equal(counts.max_length, 4);
    assert_int_equal(counts.transitions, 4 + 2 + 9);
    assert_int_equal(counts.busy, UF_MS(4 * 2 + 2 * 3));
    assert_int_equal(counts.longest, UF_MS(3));
    assert_false(uf_counters_flow(&counters, &second.uf, &counts));
    assert_int_equal(counts.started, 0);
}

TEST(G12_each_flow_and_all_of_them)
{
    uf_flow_counts counts;
    scene(NULL);
    assert_int_equal(Maker_start_Spin(&maker, 0, 6), UF_OK);
    run_until_idle();
    assert_int_equal(Maker_start_Hear(&second), UF_OK);
    rounds(1);
    assert_true(uf_counters_flow(&counters, &second.uf, &counts));
    assert_true(counts.started == 1 && counts.done + counts.failed + counts.cancelled == 0);
    assert_int_equal(uf_flow_cancel(&second.uf), UF_OK);
    rounds(1);
    assert_true(uf_counters_flow(&counters, &second.uf, &counts));
    assert_true(counts.cancelled == 1 && counts.transitions == 1 && counts.max_length == 0);
    assert_true(uf_counters_flow(&counters, &maker.uf, &counts));
    assert_true(counts.done == 1 && counts.cancelled == 0 && counts.max_length == 6);
    assert_true(uf_counters_flow(&counters, NULL, &counts));
    assert_null(counts.flow);
    assert_true(counts.started == 2 && counts.done == 1 && counts.cancelled == 1 && counts.transitions == 7);
}

TEST(G12_jobs)
{
    uf_flow_counts counts;
    uf_seeded_pool pool;
    uf_work works[2];
    scene(NULL);
    assert_int_equal(Maker_start_Ask(&maker), UF_OK); /* there is no pool */
    run_until_idle();
    assert_true(uf_counters_flow(&counters, &maker.uf, &counts));
    assert_true(counts.jobs == 1 && counts.jobs_done == 0 && counts.jobs_failed == 1 && counts.failed == 1);

    assert_int_equal(uf_pool_seeded(&pool, works, 2, 1, UF_MS(100)), UF_OK);
    scene(&(uf_pump_config){.pool = &pool.pool});
    assert_int_equal(Maker_start_Ask(&maker), UF_OK);
    rounds(1);
    assert_true(uf_counters_flow(&counters, &maker.uf, &counts));
    assert_true(counts.jobs == 1 && counts.jobs_done + counts.jobs_failed == 0);
    run_until_idle();
    assert_true(uf_counters_flow(&counters, &maker.uf, &counts));
    assert_true(counts.jobs == 1 && counts.jobs_done == 1 && counts.jobs_failed == 0 && counts.failed == 0);
    assert_int_equal(Maker_destroy(&maker), UF_OK);
    assert_int_equal(Maker_destroy(&second), UF_OK);
    assert_int_equal(uf_pump_destroy(&pump), UF_OK);
}

TEST(a_table_that_is_full_and_none)
{
    static Maker many[FLOWS + 3];
    uf_flow_counts counts;
    for (size_t capacity = 0; capacity <= FLOWS; capacity++) {
        size_t found = 0;
        assert_int_equal(uf_pump_init(&pump, NULL), UF_OK);
        assert_int_equal(uf_counters_attach(&counters, &pump, capacity ? flows : NULL, capacity), UF_OK);
        for (int i = 0; i < FLOWS + 3; i++) {
            assert_int_equal(Maker_init(&many[i], &pump, "one"), UF_OK);
            assert_int_equal(Maker_start_Spin(&many[i], 0, i + 1), UF_OK);
        }
        run_until_idle();
        for (int i = 0; i < FLOWS + 3; i++) {
            if (!uf_counters_flow(&counters, &many[i].uf, &counts)) continue;
            found++;
            assert_true(counts.done == 1 && counts.max_length == i + 1);
        }
        assert_int_equal(found, capacity);
        assert_true(uf_counters_flow(&counters, NULL, &counts));
        assert_int_equal(counts.done, FLOWS + 3);
        assert_int_equal(counts.max_length, FLOWS + 3);
    }
}

TEST(attached_and_detached)
{
    uf_flow_counts counts;
    uf_counters none;
    scene(NULL);
    assert_int_equal(uf_counters_attach(&counters, &pump, flows, FLOWS), UF_BUSY);
    assert_int_equal(uf_counters_init(&none, NULL, 1), UF_INVALID);
    assert_int_equal(uf_counters_init(NULL, NULL, 0), UF_INVALID);
    assert_int_equal(uf_counters_attach(&none, NULL, NULL, 0), UF_INVALID);
    assert_int_equal(uf_counters_detach(&none, &pump), UF_INVALID);
    assert_int_equal(Maker_start_Spin(&maker, 0, 2), UF_OK);
    rounds(1);
    assert_int_equal(uf_counters_detach(&counters, &pump), UF_OK);
    rounds(5);
    assert_true(uf_counters_flow(&counters, &maker.uf, &counts));
    assert_true(counts.started == 1 && counts.transitions == 1 && counts.done == 0);
}
