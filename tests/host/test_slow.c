/* SPDX-License-Identifier: MIT */
/* test_slow.c - events for slow steps, and the step that a thread is running. The test's clock determines the duration
 * of a step, or the step waits until it was reported. So the load of the machine does not matter. */
#include "host_test.h"

#include <sched.h>
#include <stdlib.h>

#include "jobber.h"

static struct {
    int steps, rounds, jobs, posts;
    char flow[UF_STOP_NAME_SIZE], task[16], step[16];
    uf_time took;
} told;

static bool go_on; /* for a step that hangs until it was reported */

static void spin(void)
{
    for (int64_t const until = real_now() + UF_MS(2); real_now() <= until;) {}
}

static void spin_in_body(Worker *flow)
{
    (void)flow;
    spin();
}

static void note_slow_step(void *context, const uf_flow *flow, const uf_slow_step *slow)
{
    (void)context;
    COUNT(told.steps);
    uf_flow_path(flow, told.flow, sizeof told.flow);
    snprintf(told.task, sizeof told.task, "%s", slow->task);
    snprintf(told.step, sizeof told.step, "%s", slow->step);
    told.took = slow->took;
}

static void note_slow_round(void *context, const uf_slow_round *slow)
{
    (void)context;
    COUNT(told.rounds);
    if (slow->task[0] || strcmp(slow->caller, "G8_a_post_may_be_who_took_the_time") != 0) return;
    COUNT(told.posts);
    told.took = slow->longest;
}

static void note_slow_job(void *context, const uf_flow *flow, const uf_job_event *event)
{
    (void)context;
    (void)flow;
    (void)event;
    COUNT(told.jobs);
    SET(go_on, true);
}

static uf_observer observer = {.slow_step = note_slow_step, .slow_round = note_slow_round, .slow_job = note_slow_job};

static void begin_limited(uf_time step, uf_time round, uf_time job)
{
    memset(&told, 0, sizeof told);
    go_on = false;
    observer.next = NULL;
    begin_with(&(uf_runtime_config){
        .name = "alarmed", .slow_step = step, .slow_round = round, .slow_job = job, .observers = &observer});
}

static void end_limited(void)
{
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
}

CASE(F10_limits_that_make_no_sense)
{
    uf_runtime *none;
    assert_int_equal(uf_runtime_new(&none, &(uf_runtime_config){.slow_step = -1}), UF_INVALID);
    assert_int_equal(uf_runtime_new(&none, &(uf_runtime_config){.slow_round = -1}), UF_INVALID);
    assert_int_equal(uf_runtime_new(&none, &(uf_runtime_config){.slow_job = -1}), UF_INVALID);
    assert_null(none);
}

CASE(J7_work_that_belongs_elsewhere_is_told_of)
{
    begin_limited(UF_MS(1), 0, 0);
    workers[0].body = spin_in_body;
    assert_int_equal(Worker_call_Count(&workers[0], 3, LONG, NULL, NULL), UF_OK);
    end_limited();
    assert_int_equal(told.steps, 3);
    assert_string_equal(told.flow, "worker");
    assert_string_equal(told.task, "Count");
    assert_string_equal(told.step, "Go");
    assert_true(told.took >= UF_MS(2));
    assert_int_equal(told.rounds, 0);
}

CASE(J7_below_the_limit_nothing_is_told)
{
    begin_limited(UF_S(3600), UF_S(3600), UF_S(3600));
    workers[0].body = spin_in_body;
    assert_int_equal(Worker_call_Count(&workers[0], 3, LONG, NULL, NULL), UF_OK);
    end_limited();
    assert_int_equal(told.steps + told.rounds + told.jobs, 0);
}

static void do_spin(void *argument)
{
    (void)argument;
    spin();
}

CASE(G8_a_post_may_be_who_took_the_time)
{
    begin_limited(0, UF_MS(1), 0);
    assert_int_equal(uf_post_wait(runtime, do_spin, NULL), UF_OK);
    end_limited();
    assert_int_equal(told.posts, 1);
    assert_true(told.took >= UF_MS(2));
}

static void note_long_post(void *context, const uf_post_event *post)
{
    bool const is_here = strcmp(post->caller, "G8_an_observer_profiles_posts") == 0;
    if (is_here && post->took >= UF_MS(2)) COUNT(*(int *)context);
}

/* As G8_an_observer_profiles_slow_rounds in runtime/slow.c does with steps; from any thread, at any time. */
CASE(G8_an_observer_profiles_posts)
{
    int seen = 0;
    uf_observer profile = {.context = &seen, .posted = note_long_post};
    begin_limited(0, UF_MS(1), 0);
    assert_int_equal(uf_runtime_add_observer(runtime, &profile), UF_OK);
    assert_int_equal(uf_post_wait(runtime, do_spin, NULL), UF_OK);
    assert_int_equal(uf_runtime_remove_observer(runtime, &profile), UF_OK);
    assert_int_equal(uf_post_wait(runtime, do_spin, NULL), UF_OK);
    end_limited();
    assert_int_equal(seen, 1);
    assert_true(told.rounds >= 2);
}

static int hang(uf_work *work, void *argument)
{
    (void)work;
    (void)argument;
    while (!READ(go_on)) sleep_ms(1);
    return 1;
}

/* The step ends only because it is reported while it hangs. The pump, which is otherwise idle, wakes up to do so. */
CASE(G7_a_worker_that_hangs_is_told_of_meanwhile)
{
    static Jobber jobber;
    begin_limited(0, 0, UF_MS(5));
    assert_int_equal(Jobber_init(&jobber, uf_runtime_pump(runtime), "jobber"), UF_OK);
    assert_int_equal(Jobber_start_Ask(&jobber, (order){hang, NULL}, UF_FOREVER), UF_OK);
    assert_int_equal(uf_runtime_wait(runtime, LONG), UF_OK);
    end_limited();
    assert_int_equal(told.jobs, 1);
}

/* -- the running step ---------------------------------------------------------------------------------------------- */

static bool hangs;

static void hang_in_body(Worker *flow)
{
    (void)flow;
    SET(hangs, true);
    while (!READ(go_on)) sleep_ms(1);
    SET(hangs, false);
}

CASE(J7_a_step_that_hangs_can_be_asked_for)
{
    uf_turn turn = {.task = "untouched"};
    begin_limited(UF_S(3600), 0, 0);
    assert_false(uf_runtime_turn(runtime, &turn));
    assert_string_equal(turn.task, "untouched");
    workers[1].body = hang_in_body;
    assert_int_equal(Worker_start_Rest(&workers[1], 1), UF_OK);
    UNTIL(READ(hangs));
    assert_true(uf_runtime_turn(runtime, &turn));
    assert_string_equal(turn.flow, "worker");
    assert_string_equal(turn.task, "Rest");
    assert_string_equal(turn.step, "Lie");
    UNTIL(uf_runtime_turn(runtime, &turn) && turn.lasts >= UF_MS(20));
    SET(go_on, true);
    assert_int_equal(uf_runtime_wait(runtime, LONG), UF_OK);
    UNTIL(!uf_runtime_turn(runtime, &turn));
    end_limited();
}

CASE(J7_without_an_alarm_all_but_how_long)
{
    uf_turn turn;
    go_on = false;
    begin_with(NULL);
    workers[1].body = hang_in_body;
    assert_int_equal(Worker_start_Count(&workers[1], 1), UF_OK);
    UNTIL(READ(hangs));
    sleep_ms(5);
    assert_true(uf_runtime_turn(runtime, &turn));
    assert_string_equal(turn.step, "Go");
    assert_int_equal(turn.lasts, 0);
    assert_true(turn.in_step >= UF_MS(5));
    SET(go_on, true);
    assert_int_equal(uf_runtime_wait(runtime, LONG), UF_OK);
    end_limited();
}

/* In a post: no step. The report of a stop says so too. */
static void hang_in_post(void *argument)
{
    (void)argument;
    hang_in_body(NULL);
}

CASE(a_post_that_hangs_is_no_step)
{
    uf_turn turn;
    uf_stop_report report;
    go_on = false;
    begin_with(NULL);
    assert_int_equal(Worker_call_Count(&workers[0], 2, LONG, NULL, NULL), UF_OK);
    assert_int_equal(uf_post(runtime, hang_in_post, NULL), UF_OK);
    UNTIL(READ(hangs));
    assert_false(uf_runtime_turn(runtime, &turn));
    assert_int_equal(uf_runtime_stop(runtime, UF_MS(20), &report), UF_TIMED_OUT);
    assert_int_equal(report.stuck, 1);
    assert_string_equal(report.names[0], "uflow: its thread has not ended");
    SET(go_on, true);
    assert_int_equal(uf_runtime_stop(runtime, LONG, &report), UF_OK);
    end_limited();
}

/* If a runtime drives another one, the report of the driven runtime names the step that the thread is running. */
CASE(a_step_of_the_driver_holds_up_the_other)
{
    uf_runtime *other;
    uf_stop_report report;
    go_on = false;
    begin_with(NULL);
    assert_int_equal(uf_runtime_new(&other, &(uf_runtime_config){.name = "other"}), UF_OK);
    assert_int_equal(uf_runtime_link(runtime, other), UF_OK);
    workers[2].body = hang_in_body;
    assert_int_equal(Worker_start_Count(&workers[2], 1), UF_OK);
    UNTIL(READ(hangs));
    assert_int_equal(uf_runtime_stop(other, UF_MS(20), &report), UF_TIMED_OUT);
    assert_string_equal(report.names[0], "worker: Count: is in step Go");
    SET(go_on, true);
    assert_int_equal(uf_runtime_stop(other, LONG, &report), UF_OK);
    assert_int_equal(uf_runtime_free(other), UF_OK);
    end_limited();
}

static void *stop_again_and_again(void *argument)
{
    while (!READ(go_on)) (void)uf_runtime_stop(runtime, 0, NULL);
    return argument;
}

/* A thread counts as stuck only after a tenth of a second without progress. This also holds if the freeing thread
 * drives its own runtime, or if other stops wake it meanwhile. */
CASE(to_be_stuck_takes_its_time)
{
    uf_runtime *own = NULL;
    threads crowd;
    for (int i = 0; i < 3; i++) {
        go_on = false;
        SET(hangs, false);
        begin_with(NULL);
        assert_int_equal(uf_post(runtime, hang_in_post, NULL), UF_OK);
        UNTIL(READ(hangs));
        assert_int_equal(uf_runtime_stop(runtime, 0, NULL), UF_TIMED_OUT);
        if (i == 1) assert_int_equal(uf_runtime_new(&own, &(uf_runtime_config){.embedded = true}), UF_OK);
        if (i == 2) crowd_start(&crowd, 15, stop_again_and_again);
        int64_t const began = real_now();
        assert_int_equal(uf_runtime_free(runtime), UF_TIMED_OUT);
        assert_true(real_now() - began >= UF_MS(100));
        SET(go_on, true);
        if (i == 1) assert_int_equal(uf_runtime_free(own), UF_OK);
        if (i == 2) crowd_join(&crowd);
        end_limited();
    }
}

/* Other threads read while flows are attached and detached. They must not access a destroyed flow. */
static bool over;

static void *keep_asking(void *argument)
{
    (void)argument;
    while (!READ(over)) {
        uf_turn turn;
        sched_yield(); /* valgrind switches threads in an arbitrary order */
        if (!uf_runtime_turn(runtime, &turn)) continue;
        if (strcmp(turn.flow, "brief") != 0 || strcmp(turn.task, "Count") != 0) return "wrong";
    }
    return NULL;
}

CASE(flows_come_and_go_while_others_ask)
{
    pthread_t asking[2];
    begin_limited(1, 0, 0);
    over = false;
    for (int i = 0; i < 2; i++) assert_int_equal(pthread_create(&asking[i], NULL, keep_asking, NULL), 0);
    for (int i = 0; i < MANY(2000); i++) {
        Worker *const brief = malloc(sizeof *brief);
        assert_non_null(brief);
        assert_int_equal(Worker_init(brief, uf_runtime_pump(runtime), "brief"), UF_OK);
        assert_int_equal(Worker_call_Count(brief, 3, LONG, NULL, NULL), UF_OK);
        assert_int_equal(Worker_destroy(brief), UF_OK);
        memset(brief, 0xee, sizeof *brief);
        free(brief);
    }
    SET(over, true);
    for (int i = 0; i < 2; i++) {
        void *wrong;
        assert_int_equal(pthread_join(asking[i], &wrong), 0);
        assert_null(wrong);
    }
    end_limited();
}
