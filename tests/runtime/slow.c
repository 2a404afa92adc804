/* SPDX-License-Identifier: MIT */
/* slow.c - events for slow steps, jobs and rounds, on a clock that the test controls. */
#include "harness.h"

#include "uflow/console.h"
#include "uflow/pool.h"

#include <stdio.h>
#include <string.h>

#include "slow.h"
#include "slow_hooks.h"

static Maker maker, second;
static uf_time time_now; /* real time, for pumps that measure */
static int clock_reads;

int slow_spin(int ms)
{
    time_now += UF_MS(ms);
    return ms;
}

static uf_time monotonic(void *context)
{
    (void)context;
    clock_reads++;
    return time_now;
}

static int ms_of(uf_time time)
{
    return (int)(time / UF_MS(1));
}

static void note_slow_step(void *context, const uf_flow *flow, const uf_slow_step *slow)
{
    (void)context;
    assert_true(uf_flow_running(flow));
    assert_string_equal(uf_flow_step(flow), slow->step); /* no event yet */
    assert_int_equal(uf_flow_line(flow), slow->line);
    log_note("%s:%s.%s %d", uf_flow_name(flow), slow->task, slow->step, ms_of(slow->took));
}

static void note_slow_round(void *context, const uf_slow_round *slow)
{
    (void)context;
    assert_int_equal(slow->number, uf_pump_rounds(&pump));
    log_note("round %d=%dx%d longest %s:%s.%s %d", ms_of(slow->took), (int)slow->turns, ms_of(slow->steps),
             slow->flow ? uf_flow_name(slow->flow) : "-", slow->task, slow->step, ms_of(slow->longest));
}

/* -- steps --------------------------------------------------------------------------------------------------------- */

static void scene(const uf_pump_config *config)
{
    time_now = 0;
    clock_reads = 0;
    assert_int_equal(uf_pump_init(&pump, config), UF_OK);
    assert_int_equal(Maker_init(&maker, &pump, "maker"), UF_OK);
    assert_int_equal(Maker_init(&second, &pump, "second"), UF_OK);
}

static const uf_pump_config slow_steps = {.monotonic = monotonic, .slow_step = UF_MS(10)};

TEST(G6_a_slow_step_is_told_each_time)
{
    uf_observer observer = {.slow_step = note_slow_step};
    scene(&slow_steps);
    assert_int_equal(uf_pump_add_observer(&pump, &observer), UF_OK);
    assert_int_equal(Maker_start_Spin(&maker, 10, 3), UF_OK); /* a duration equal to the limit is not slow */
    assert_int_equal(Maker_start_Spin(&second, 15, 2), UF_OK);
    run_until_idle();
    assert_log("second:Spin.Turn 15 second:Spin.Turn 15");
}

TEST(G6_one_that_fails_is_no_slow_one)
{
    uf_observer observer = {.step_failed = note_failed, .slow_step = note_slow_step};
    scene(&slow_steps);
    assert_int_equal(uf_pump_add_observer(&pump, &observer), UF_OK);
    assert_int_equal(Maker_start_Throw(&maker, 15), UF_OK);
    run_until_idle();
    assert_log("");
    assert_int_equal(uf_flow_outcome(&maker.uf), UF_FAILED);
}

TEST(G6_a_condition_is_code_as_well)
{
    uf_observer observer = {.slow_step = note_slow_step};
    scene(&slow_steps);
    assert_int_equal(uf_pump_add_observer(&pump, &observer), UF_OK);
    assert_int_equal(Maker_start_Look(&maker, 15), UF_OK);
    run_until_idle();
    assert_log("maker:Look.Wait 15");
}

TEST(G6_nobody_who_looks_on_no_clock_that_is_read)
{
    scene(&(uf_pump_config){.monotonic = monotonic, .slow_step = 1, .slow_round = 1, .slow_job = 1});
    assert_int_equal(Maker_start_Spin(&maker, 15, 3), UF_OK);
    run_until_idle();
    assert_int_equal(Maker_start_Spin(&maker, 15, 3), UF_OK);
    rounds(5);
    assert_int_equal(uf_pump_running(&pump), 0);
    assert_int_equal(clock_reads, 0);
}

TEST(G6_no_limit_no_alarm)
{
    uf_observer observer = {.slow_step = note_slow_step, .slow_round = note_slow_round};
    scene(&(uf_pump_config){.monotonic = monotonic});
    assert_int_equal(uf_pump_add_observer(&pump, &observer), UF_OK);
    assert_int_equal(Maker_start_Spin(&maker, 3600000, 3), UF_OK);
    run_until_idle();
    assert_log("");
}

TEST(F10_limits_that_make_no_sense)
{
    assert_int_equal(uf_pump_init(&pump, &(uf_pump_config){.slow_step = 1}), UF_INVALID); /* which clock is used? */
    assert_int_equal(uf_pump_init(&pump, &(uf_pump_config){.slow_round = 1}), UF_INVALID);
    assert_int_equal(uf_pump_init(&pump, &(uf_pump_config){.slow_job = -1}), UF_INVALID);
    assert_int_equal(uf_pump_init(&pump, &(uf_pump_config){.monotonic = monotonic, .slow_step = -1}), UF_INVALID);
    assert_int_equal(uf_pump_init(&pump, &(uf_pump_config){.monotonic = monotonic, .slow_round = -1}), UF_INVALID);
    assert_int_equal(uf_pump_init(&pump, &(uf_pump_config){.slow_job = 1}), UF_OK);
}

/* -- jobs ---------------------------------------------------------------------------------------------------------- */

static struct {
    int slow, completed, orphaned;
    uf_time at, took;
} jobs;

static void note_slow_job(void *context, const uf_flow *flow, const uf_job_event *event)
{
    (void)context;
    jobs.slow++;
    jobs.at = event->waited;
    assert_ptr_equal(flow, &maker.uf);
    assert_string_equal(event->worker, "work");
    if (event->status == UF_JOB_NONE) {
        jobs.orphaned++;
        assert_string_equal(event->job, "");
        return;
    }
    assert_int_equal(event->status, UF_JOB_PENDING);
    assert_string_equal(event->job, "answer");
    assert_string_equal(event->step, "Go");
    assert_int_equal(event->in_flight, 1);
}

static void note_completed(void *context, const uf_flow *flow, const uf_job_event *event)
{
    (void)context;
    (void)flow;
    jobs.completed++;
    jobs.took = event->waited;
}

#define SEEDS 200

static void jobs_scene(uint64_t seed, uf_seeded_pool *pool, uf_work *works, uf_observer *observer)
{
    assert_int_equal(uf_pool_seeded(pool, works, 2, seed, UF_MS(100)), UF_OK);
    scene(&(uf_pump_config){.pool = &pool->pool, .slow_job = UF_MS(30)});
    *observer = (uf_observer){.slow_job = note_slow_job, .job_completed = note_completed};
    assert_int_equal(uf_pump_add_observer(&pump, observer), UF_OK);
    memset(&jobs, 0, sizeof jobs);
}

static void end_scene(void)
{
    assert_int_equal(Maker_destroy(&maker), UF_OK);
    assert_int_equal(Maker_destroy(&second), UF_OK);
    assert_int_equal(uf_pump_destroy(&pump), UF_OK);
}

TEST(G7_a_slow_job_is_told_once_and_in_time)
{
    uf_seeded_pool pool;
    uf_work works[2];
    uf_observer observer;
    int slow = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        jobs_scene(seed, &pool, works, &observer);
        assert_int_equal(Maker_start_Ask(&maker), UF_OK);
        run_until_idle();
        assert_int_equal(jobs.completed, 1);
        assert_int_equal(jobs.slow, jobs.took > UF_MS(30));
        if (jobs.slow) assert_int_equal(jobs.at, UF_MS(30)); /* the pump has woken up for it */
        slow += jobs.slow;
        end_scene();
    }
    assert_true(slow > 0 && slow < SEEDS);
}

TEST(G7_a_worker_that_nobody_waits_for_is_slow_as_well)
{
    uf_seeded_pool pool;
    uf_work works[2];
    uf_observer observer;
    int orphaned = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        jobs_scene(seed, &pool, works, &observer);
        assert_int_equal(Maker_start_Impatient(&maker), UF_OK);
        run_until_idle();
        assert_int_equal(jobs.slow, jobs.orphaned);
        assert_true(jobs.orphaned <= 1);
        orphaned += jobs.orphaned;
        end_scene();
    }
    assert_true(orphaned > 0);
}

TEST(G7_nobody_who_looks_on_no_wake_up)
{
    uf_seeded_pool pool;
    uf_work works[2];
    uf_observer observer;
    jobs_scene(3, &pool, works, &observer);
    assert_int_equal(uf_pump_remove_observer(&pump, &observer), UF_OK);
    assert_int_equal(Maker_start_Ask(&maker), UF_OK);
    run_until_idle();
    assert_int_equal(uf_pump_rounds(&pump), 2); /* the submit, and the end */
    assert_int_equal(jobs.slow, 0);
    end_scene();
}

/* -- rounds -------------------------------------------------------------------------------------------------------- */

static const uf_pump_config slow_rounds = {.monotonic = monotonic, .slow_round = UF_MS(20)};

TEST(G8_a_slow_round_says_who_took_the_time)
{
    uf_observer observer = {.slow_round = note_slow_round};
    scene(&slow_rounds);
    assert_int_equal(uf_pump_add_observer(&pump, &observer), UF_OK);
    assert_int_equal(Maker_start_Spin(&maker, 7, 2), UF_OK);
    rounds(2);
    assert_log("");
    assert_int_equal(Maker_start_Spin(&maker, 7, 1), UF_OK);
    assert_int_equal(Maker_start_Spin(&second, 14, 1), UF_OK);
    rounds(3);
    assert_log("round 21=2x21 longest second:Spin.Turn 14");
}

TEST(G8_each_round_by_itself_also_in_virtual_time)
{
    uf_observer observer = {.slow_round = note_slow_round};
    scene(&slow_rounds);
    assert_int_equal(uf_pump_add_observer(&pump, &observer), UF_OK);
    assert_int_equal(Maker_start_Spin(&maker, 15, 5), UF_OK); /* 75 ms in one instant */
    run_until_idle();
    assert_log("");
    assert_int_equal(Maker_start_Spin(&maker, 25, 2), UF_OK);
    run_until_idle();
    assert_log("round 25=1x25 longest maker:Spin.Turn 25 round 25=1x25 longest maker:Spin.Turn 25");
}

static void spin_as_well(void *context, const uf_flow *flow, const uf_step_change *change)
{
    (void)context;
    (void)flow;
    (void)change;
    slow_spin(25);
}

TEST(G8_an_observer_that_is_slow_is_told_of_as_well)
{
    uf_observer observer = {.step_changed = spin_as_well, .slow_round = note_slow_round};
    scene(&slow_rounds);
    assert_int_equal(uf_pump_add_observer(&pump, &observer), UF_OK);
    assert_int_equal(Maker_start_Spin(&maker, 1, 1), UF_OK);
    rounds(1);
    assert_log("round 26=1x1 longest maker:Spin.Turn 1");
}

static void destroy_the_slow_one(void *context, const uf_flow *flow, const uf_flow_end *end)
{
    (void)context;
    (void)end;
    if (flow == &second.uf) assert_int_equal(Maker_destroy(&maker), UF_OK);
}

TEST(G8_the_slowest_may_be_gone)
{
    uf_observer observer = {.flow_ended = destroy_the_slow_one, .slow_round = note_slow_round};
    scene(&slow_rounds);
    assert_int_equal(uf_pump_add_observer(&pump, &observer), UF_OK);
    assert_int_equal(Maker_start_Spin(&maker, 25, 1), UF_OK);
    assert_int_equal(Maker_start_Spin(&second, 1, 1), UF_OK);
    rounds(1);
    assert_log("round 26=2x26 longest -:Spin.Turn 25");
}

static void note_body(void *context, const uf_flow *flow, const char *step, uf_time took)
{
    (void)context;
    log_note("%s.%s %d", uf_flow_name(flow), step, ms_of(took));
}

/* The profile of a round is an observer of bodies and posts, which may be added and removed at any time. */
TEST(G8_an_observer_profiles_slow_rounds)
{
    uf_observer rounds_only = {.slow_round = note_slow_round};
    uf_observer profile = {.body_ran = note_body};
    scene(&slow_rounds);
    assert_int_equal(uf_pump_add_observer(&pump, &profile), UF_OK);
    assert_int_equal(uf_pump_add_observer(&pump, &rounds_only), UF_OK);
    assert_int_equal(Maker_start_Spin(&maker, 7, 1), UF_OK);
    assert_int_equal(Maker_start_Spin(&second, 14, 1), UF_OK);
    rounds(1);
    assert_log("maker.Turn 7 second.Turn 14 round 21=2x21 longest second:Spin.Turn 14");
    log_clear();
    assert_int_equal(uf_pump_remove_observer(&pump, &profile), UF_OK);
    assert_int_equal(Maker_start_Spin(&second, 25, 1), UF_OK);
    rounds(2);
    assert_log("round 25=1x25 longest second:Spin.Turn 25");
}

/* -- output -------------------------------------------------------------------------------------------------------- */

TEST(G14_the_console_shows_what_is_slow)
{
    static uf_console console;
    static char shown[4096];
    FILE *const out = tmpfile();
    uf_seeded_pool pool;
    uf_work works[2];
    assert_non_null(out);
    assert_int_equal(uf_pool_seeded(&pool, works, 2, 3, UF_MS(100)), UF_OK);
    scene(&(uf_pump_config){.monotonic = monotonic, .slow_step = UF_MS(10), .slow_round = UF_MS(20)});
    assert_int_equal(uf_console_attach(&console, &pump, out), UF_OK);
    assert_int_equal(Maker_start_Spin(&maker, 25, 1), UF_OK);
    run_until_idle();
    rewind(out);
    shown[fread(shown, 1, sizeof shown - 1, out)] = '\0';
    assert_string_equal(
        shown,
        "[maker]          FLOW START  Spin  at=0.00ms\n"
        "[maker]          [SLOW CPU]  Spin.Turn  took=25.00ms\n"
        "[maker]          Turn -> (end)                                               #00 elapsed=0.00ms tick x1\n"
        "[maker]          FLOW END  Done  steps=#00 wall=25.00ms  bodies=1 min=25.00ms mean=25.00ms max=25.00ms "
        "total=25.00ms worst=Spin.Turn\n"
        "                 [SLOW ROUND]  took=25.00ms turns=1 steps=25.00ms  longest=25.00ms maker Spin.Turn\n");
    fclose(out);
    assert_int_equal(uf_console_detach(&console, &pump), UF_OK);

    FILE *const again = tmpfile();
    assert_non_null(again);
    scene(&(uf_pump_config){.pool = &pool.pool, .slow_job = UF_MS(1)});
    assert_int_equal(uf_console_attach(&console, &pump, again), UF_OK);
    assert_int_equal(Maker_start_Ask(&maker), UF_OK);
    run_until_idle();
    rewind(again);
    shown[fread(shown, 1, sizeof shown - 1, again)] = '\0';
    assert_non_null(strstr(shown, "[maker]          [SLOW ASYNC]  answer  worker=work wait=1.00ms\n"));
    fclose(again);
    end_scene();
}

typedef struct seen {
    uf_trace_kind kind;
    const char *name, *step;
    int ticks;
    uf_time elapsed;
} seen;

static void expect_trace(const uf_trace *trace, const seen *expected, size_t count)
{
    for (size_t i = 0; i < count && i < uf_trace_count(trace); i++) {
        uf_trace_entry const *const entry = uf_trace_at(trace, i);
        assert_int_equal(entry->kind, expected[i].kind);
        assert_string_equal(entry->name, expected[i].name);
        assert_string_equal(entry->step, expected[i].step);
        assert_int_equal(entry->ticks, expected[i].ticks);
        assert_int_equal(entry->elapsed, expected[i].elapsed);
    }
    assert_int_equal(uf_trace_count(trace), count);
}

TEST(the_trace_keeps_what_is_no_step)
{
    static uf_trace all, one;
    static uf_trace_entry entries[32], of_one[8];
    scene(&(uf_pump_config){.monotonic = monotonic, .slow_step = UF_MS(10), .slow_round = UF_MS(20)});
    assert_int_equal(uf_trace_attach(&all, &pump, NULL, entries, 32), UF_OK);
    assert_int_equal(uf_trace_attach(&one, &pump, &maker.uf, of_one, 8), UF_OK);
    assert_int_equal(Maker_start_Hear(&maker), UF_OK);
    rounds(1);
    uf_signal_fire(&bell);
    rounds(2);
    assert_int_equal(Maker_start_Spin(&second, 25, 1), UF_OK);
    rounds(1);
    assert_int_equal(uf_simulate_stop(&pump, UF_S(1), NULL), UF_OK);
    static const seen expected[] = {
        {UF_TRACE_SIGNAL, "bell", "", 1, 0},     {UF_TRACE_STEP, "", "Wait", 1, 0},
        {UF_TRACE_STEP, "", "Heard", 1, 0},      {UF_TRACE_SLOW_STEP, "", "Turn", 0, UF_MS(25)},
        {UF_TRACE_STEP, "", "Turn", 1, 0},       {UF_TRACE_SLOW_ROUND, "", "Turn", 1, UF_MS(25)},
        {UF_TRACE_STOPPING, "ending", "", 0, 0}, {UF_TRACE_STOPPING, "shutting down", "", 0, 0},
        {UF_TRACE_STOPPING, "jobs", "", 0, 0},   {UF_TRACE_STOPPING, "over", "", 0, 0},
    };
    expect_trace(&all, expected, sizeof expected / sizeof *expected);
    assert_ptr_equal(uf_trace_at(&all, 5)->flow, &second.uf);
    assert_null(uf_trace_at(&all, 0)->flow);
    static const seen own[] = {{UF_TRACE_STEP, "", "Wait", 1, 0}, {UF_TRACE_STEP, "", "Heard", 1, 0}};
    expect_trace(&one, own, 2);
}
