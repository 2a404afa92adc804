/* SPDX-License-Identifier: MIT */
/* times.c - durations of runs, tasks, steps and bodies, in real time that the test controls. */
#include "harness.h"

#include "uflow/console.h"
#include "uflow/pool.h"

#include "times.h"

#include <stdio.h>
#include <string.h>

static uf_time time_now;
static int reads; /* of the clock */

static uf_time monotonic(void *context)
{
    (void)context;
    reads++;
    return time_now;
}

/* The milliseconds that each body takes, in turn. */
static const int pattern[] = {4, 1, 7, 2, 5, 3};
static size_t spun;

int times_spin(void)
{
    int const ms = pattern[spun++ % 6];
    time_now += UF_MS(ms);
    return ms;
}

static const uf_pump_config timed = {.monotonic = monotonic};

static Racer racer;

static void scene(const uf_pump_config *config, uf_observer *observer)
{
    time_now = UF_S(1000); /* any start value */
    spun = 0;
    reads = 0;
    assert_int_equal(uf_pump_init(&pump, config), UF_OK);
    assert_int_equal(Racer_init(&racer, &pump, "racer"), UF_OK);
    if (observer) assert_int_equal(uf_pump_add_observer(&pump, observer), UF_OK);
}

/* -- durations reported to observers ------------------------------------------------------------------------------- */

static uf_run_times ended; /* the durations of the last run */
static uf_time in_steps, in_bodies;
static uint32_t ticks;
static int changes, ends, unmeasured;

static void forget(void)
{
    ended = (uf_run_times){0};
    in_steps = in_bodies = 0;
    ticks = 0;
    changes = ends = unmeasured = 0;
}

static void expect_bodies(const uf_body_times *bodies, int count, int min, int max, int total)
{
    assert_int_equal(bodies->count, count);
    assert_int_equal(bodies->min, UF_MS(min));
    assert_int_equal(bodies->max, UF_MS(max));
    assert_int_equal(bodies->total, UF_MS(total));
    assert_int_equal(bodies->mean, count ? UF_MS(total) / count : 0);
}

static void expect_same(const uf_run_times *a, const uf_run_times *b)
{
    assert_true(a->wall == b->wall && a->elapsed == b->elapsed && a->in_task == b->in_task && a->in_step == b->in_step);
    assert_true(a->in_jobs == b->in_jobs && a->step.total == b->step.total && a->all.total == b->all.total);
    assert_true(a->worst.total == b->worst.total && a->worst_step == b->worst_step);
}

static void changed(void *context, const uf_flow *flow, const uf_step_change *change)
{
    uf_run_times now;
    (void)context;
    changes++;
    if (!change->times) {
        unmeasured++;
        return;
    }
    in_steps += change->times->in_step;
    in_bodies += change->times->step.total;
    ticks += change->ticks;
    assert_int_equal(in_steps, change->times->wall); /* the sum is right at any time */
    assert_int_equal(in_bodies, change->times->all.total);
    if (pump.config.monotonic) assert_int_equal(change->times->step.count, change->ticks);
    assert_true(change->times->in_step <= change->times->in_task && change->times->in_task <= change->times->wall);
    assert_true(uf_flow_times(flow, &now)); /* the step that uf_flow_step() returns */
    assert_int_equal(now.wall, change->times->wall);
    assert_int_equal(now.in_step, change->to[0] ? 0 : change->times->in_step);
    log_note("%s:%d/%d", change->from, (int)(change->times->in_step / UF_MS(1)),
             (int)(change->times->in_task / UF_MS(1)));
}

static void has_ended(void *context, const uf_flow *flow, const uf_flow_end *end)
{
    (void)context;
    (void)flow;
    ends++;
    if (!end->times) {
        unmeasured++;
        return;
    }
    ended = *end->times;
    assert_int_equal(ended.wall, in_steps);
    assert_int_equal(ended.all.total, in_bodies);
    if (pump.config.monotonic) assert_int_equal(ended.all.count, ticks);
    in_steps = in_bodies = 0;
    ticks = 0;
}

#define ROOM 4
static uf_run_record room[ROOM];
static uf_observer observer;

static uf_observer *watching(size_t capacity)
{
    forget();
    memset(room, 0, sizeof room);
    observer = (uf_observer){
        .step_changed = changed, .flow_ended = has_ended, .runs = capacity ? room : NULL, .run_capacity = capacity};
    return &observer;
}

TEST(G3_the_numbers_add_up)
{
    scene(&timed, watching(ROOM));
    for (int run = 0; run < 2; run++) { /* the second one starts from zero */
        spun = 0;
        log_clear();
        assert_int_equal(Racer_start_Lap(&racer, 2), UF_OK);
        run_until_idle();
        assert_log("Warm:4/4 Run:10/14 Cool:5/19 Lie:3/3"); /* bodies: 4; 1, 7, 2; 5; 3 */
        expect_bodies(&ended.all, 6, 1, 7, 22);
        expect_bodies(&ended.worst, 3, 1, 7, 10);
        assert_string_equal(ended.worst_step, "Run");
        assert_string_equal(ended.worst_task, "Lap");
        assert_int_equal(ended.wall, UF_MS(22));
        assert_int_equal(ended.elapsed, UF_MS(40)); /* two stays, on the clock of the simulation */
    }
    assert_int_equal(ends, 2);
    assert_int_equal(unmeasured, 0);
}

TEST(A11_a_task_that_becomes_itself_is_entered_again)
{
    scene(&timed, watching(ROOM));
    assert_int_equal(Racer_start_Again(&racer, 3), UF_OK);
    run_until_idle();
    assert_log("Turn:4/4 Turn:1/1 Turn:7/7");
    assert_int_equal(ended.wall, UF_MS(12));
    assert_int_equal(ended.in_task, UF_MS(7));
}

TEST(G3_without_a_clock_it_is_the_time_of_rounds)
{
    scene(NULL, watching(ROOM));
    assert_int_equal(uf_pump_set_scale_fixed(&pump, UINT64_C(1) << 31), UF_OK); /* half as fast */
    assert_int_equal(Racer_start_Sleep(&racer, 30), UF_OK);
    run_until_idle();
    assert_int_equal(ended.wall, UF_MS(60));
    assert_int_equal(ended.elapsed, UF_MS(30));
    assert_int_equal(ended.in_step, UF_MS(60));
    expect_bodies(&ended.all, 0, 0, 0, 0);
    expect_bodies(&ended.worst, 0, 0, 0, 0);
    assert_string_equal(ended.worst_step, "");
}

TEST(A11_elapsed_since_the_task_was_entered)
{
    uf_run_times times;
    scene(&timed, watching(ROOM));
    assert_false(uf_flow_times(&racer.uf, &times)); /* it never ran */
    assert_int_equal(Racer_start_Lap(&racer, 100), UF_OK);
    rounds(3); /* Warm, Run, and a stay */
    time_now += UF_MS(100);
    assert_true(uf_flow_times(&racer.uf, &times));
    assert_int_equal(times.in_task, UF_MS(4 + 1 + 7 + 100));
    assert_int_equal(times.in_step, UF_MS(1 + 7 + 100));
    expect_bodies(&times.step, 2, 1, 7, 8);
    assert_int_equal(uf_flow_cancel(&racer.uf), UF_OK);
    rounds(1);
    time_now += UF_MS(1000); /* the run is over: */
    assert_true(uf_flow_times(&racer.uf, &times));
    assert_int_equal(times.wall, UF_MS(112));
    expect_same(&times, &ended);
    assert_int_equal(Racer_start_Sleep(&racer, 5), UF_OK);
    assert_false(uf_flow_times(&racer.uf, &times)); /* has not had its first turn */
    rounds(1);
    assert_true(uf_flow_times(&racer.uf, &times));
    assert_int_equal(times.wall, 0);
    assert_false(uf_flow_times(NULL, &times));
    assert_false(uf_flow_times(&racer.uf, NULL));
}

static uf_time waited;

static void note_completion(void *context, const uf_flow *flow, const uf_job_event *event)
{
    (void)context;
    (void)flow;
    waited += event->waited;
}

TEST(G10_totals_of_jobs)
{
    uf_seeded_pool pool;
    uf_work works[2];
    waited = 0;
    assert_int_equal(uf_pool_seeded(&pool, works, 2, 7, UF_MS(100)), UF_OK);
    watching(ROOM)->job_completed = note_completion;
    scene(&(uf_pump_config){.pool = &pool.pool}, &observer);
    assert_int_equal(Racer_start_Ask(&racer, 5), UF_OK);
    run_until_idle();
    assert_true(waited > 0);
    assert_int_equal(ended.in_jobs, waited);
    assert_int_equal(ended.wall, waited); /* it did no other work */
    assert_int_equal(Racer_destroy(&racer), UF_OK);
    assert_int_equal(uf_pump_destroy(&pump), UF_OK);
}

/* -- which runs are measured, and the cost ------------------------------------------------------------------------- */

TEST(without_room_no_clock_is_read)
{
    uf_run_times times;
    scene(&timed, NULL); /* no observer wants times: the clock is not read */
    assert_int_equal(Racer_start_Lap(&racer, 2), UF_OK);
    run_until_idle();
    assert_int_equal(reads, 0);
    assert_false(uf_flow_times(&racer.uf, &times));

    scene(&timed, watching(0)); /* without room: only for bodies */
    assert_int_equal(Racer_start_Lap(&racer, 2), UF_OK);
    run_until_idle();
    assert_int_equal(reads, 2 * 6);
    assert_int_equal(unmeasured, changes + ends);
    assert_int_equal(changes, 4);
}

TEST(as_many_as_there_is_room_for)
{
    static Racer many[10];
    scene(&timed, watching(ROOM));
    for (int i = 0; i < 10; i++) {
        assert_int_equal(Racer_init(&many[i], &pump, "one"), UF_OK);
        assert_int_equal(Racer_start_Sleep(&many[i], 10), UF_OK);
    }
    observer.step_changed = NULL; /* adds up the counts of one flow */
    observer.flow_ended = NULL;
    rounds(1);
    int measured = 0;
    uf_run_times times;
    for (int i = 0; i < 10; i++) measured += uf_flow_times(&many[i].uf, &times);
    assert_int_equal(measured, ROOM);
    run_until_idle();
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 10; i++) { /* a new run replaces one that has ended */
            assert_int_equal(Racer_start_Sleep(&many[i], 10), UF_OK);
            rounds(1);
            assert_true(uf_flow_times(&many[i].uf, &times));
            run_until_idle();
            assert_true(uf_flow_times(&many[i].uf, &times));
            assert_int_equal(times.elapsed, UF_MS(10));
        }
    }
}

TEST(a_room_is_given_and_taken_away)
{
    uf_run_times times;
    uf_trace traces[2];
    uf_trace_entry entries[2][8];
    Racer other;
    scene(&timed, watching(1));
    assert_int_equal(uf_pump_remove_observer(&pump, &observer), UF_OK);
    assert_int_equal(Racer_start_Lap(&racer, 100), UF_OK);
    rounds(2);
    assert_int_equal(uf_pump_add_observer(&pump, &observer),
                     UF_OK); /* in the middle of a run: does not measure that run */
    rounds(2);
    assert_false(uf_flow_times(&racer.uf, &times));
    assert_int_equal(uf_flow_cancel(&racer.uf), UF_OK);
    rounds(1);
    assert_int_equal(unmeasured, changes + ends);
    assert_int_equal(Racer_start_Lap(&racer, 100), UF_OK);
    rounds(2);
    assert_true(uf_flow_times(&racer.uf, &times));
    assert_int_equal(uf_pump_remove_observer(&pump, &observer), UF_OK);
    assert_false(uf_flow_times(&racer.uf, &times));
    assert_int_equal(uf_flow_cancel(&racer.uf), UF_OK); /* is not notified */
    rounds(1);
    assert_int_equal(uf_pump_add_observer(&pump, &observer), UF_OK);
    assert_false(uf_flow_times(&racer.uf, &times)); /* the outcome is unknown */
    forget();

    /* Each trace of a flow has its own table. */
    assert_int_equal(uf_pump_remove_observer(&pump, &observer), UF_OK);
    assert_int_equal(Racer_init(&other, &pump, "other"), UF_OK);
    assert_int_equal(uf_trace_attach(&traces[0], &pump, &racer.uf, entries[0], 8), UF_OK);
    assert_int_equal(uf_trace_attach(&traces[1], &pump, &other.uf, entries[1], 8), UF_OK);
    for (int run = 0; run < 2; run++) {
        spun = 0;
        assert_int_equal(Racer_start_Lap(&racer, 2), UF_OK);
        run_until_idle();
        spun = 1;
        assert_int_equal(Racer_start_Again(&other, 2), UF_OK);
        run_until_idle();
        assert_int_equal(uf_trace_count(&traces[0]), 4);
        assert_int_equal(uf_trace_at(&traces[0], 1)->wall, UF_MS(10));
        expect_bodies(&uf_trace_at(&traces[0], 1)->bodies, 3, 1, 7, 10);
        assert_int_equal(uf_trace_count(&traces[1]), 2);
        assert_int_equal(uf_trace_at(&traces[1], 1)->wall, UF_MS(7));
        expect_bodies(&uf_trace_at(&traces[1], 1)->bodies, 1, 7, 7, 7);
    }
}

TEST(G14_the_console_says_what_a_run_took)
{
    static uf_console console;
    char line[512] = "", last[512] = "";
    FILE *const out = tmpfile();
    assert_non_null(out);
    scene(&timed, NULL);
    assert_int_equal(uf_console_attach(&console, &pump, out), UF_OK);
    assert_int_equal(Racer_start_Lap(&racer, 2), UF_OK);
    run_until_idle();
    assert_int_equal(uf_console_detach(&console, &pump), UF_OK);
    rewind(out);
    while (fgets(line, sizeof line, out)) memcpy(last, line, sizeof line);
    assert_string_equal(last,
                        "[racer]          FLOW END  Done  steps=#03 wall=22.00ms  bodies=6 min=1.00ms mean=3.66ms "
                        "max=7.00ms total=22.00ms worst=Lap.Run\n");
    fclose(out);
}

/* -- real time ---------------------------------------------------------------------------------------------------- */

TEST(E5_real_time_of_a_pump_is_never_scaled_nor_frozen)
{
    scene(&timed, NULL);
    uf_pump_freeze(&pump);
    uf_time const before = uf_pump_real_now(&pump), logical = uf_pump_now(&pump);
    time_now += UF_MS(5); /* also in the middle of a round */
    assert_int_equal(uf_pump_real_now(&pump) - before, UF_MS(5));

    scene(NULL, NULL); /* on bare metal: the times passed to rounds */
    uf_pump_freeze(&pump);
    uf_pump_round(&pump, UF_MS(7));
    assert_int_equal(uf_pump_real_now(&pump), UF_MS(7));
    assert_int_equal(uf_pump_now(&pump), logical);
    assert_int_equal(uf_pump_set_scale_fixed(&pump, UINT64_C(10) << 32), UF_OK);
    uf_pump_resume(&pump);
    uf_pump_round(&pump, UF_MS(9));
    assert_int_equal(uf_pump_real_now(&pump), UF_MS(9));
    assert_int_equal(uf_pump_now(&pump), logical + UF_MS(20));
}
