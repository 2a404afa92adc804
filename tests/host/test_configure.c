/* SPDX-License-Identifier: MIT */
/* test_configure.c - the configuration of a runtime that runs: intervals, alarms, and the most jobs. */
#include "host_test.h"

#include "jobber.h"

static int slow_steps, slow_rounds, slow_jobs, bodies;
static bool go_on;

static void note_step(void *context, const uf_flow *flow, const uf_slow_step *slow)
{
    (void)context, (void)flow, (void)slow;
    COUNT(slow_steps);
}

static void note_round(void *context, const uf_slow_round *slow)
{
    (void)context, (void)slow;
    COUNT(slow_rounds);
}

static void note_job(void *context, const uf_flow *flow, const uf_job_event *event)
{
    (void)context, (void)flow, (void)event;
    COUNT(slow_jobs);
}

static void note_body(void *context, const uf_flow *flow, const char *step, uf_time took)
{
    (void)context, (void)flow, (void)step, (void)took;
    COUNT(bodies);
}

static uf_observer observer = {
    .slow_step = note_step, .slow_round = note_round, .slow_job = note_job, .body_ran = note_body};

static void configure(uf_runtime_config config)
{
    assert_int_equal(uf_runtime_configure(runtime, &config), UF_OK);
}

static void spin(Worker *flow)
{
    (void)flow;
    for (int64_t const until = real_now() + UF_MS(2); real_now() <= until;) {}
}

static void run_once(void)
{
    slow_steps = slow_rounds = bodies = 0;
    assert_int_equal(Worker_call_Count(&workers[0], 1, LONG, NULL, NULL), UF_OK);
    assert_int_equal(uf_runtime_wait(runtime, LONG), UF_OK); /* the round is over */
}

TEST(alarms_go_on_and_off)
{
    assert_int_equal(uf_runtime_add_observer(runtime, &observer), UF_OK);
    workers[0].body = spin;
    run_once();
    assert_int_equal(slow_steps + slow_rounds + bodies, 0);
    configure((uf_runtime_config){.slow_step = UF_MS(1)});
    run_once();
    assert_int_equal(slow_steps, 1);
    assert_int_equal(slow_rounds, 0);
    configure((uf_runtime_config){.slow_round = UF_MS(1)});
    run_once();
    assert_int_equal(slow_steps, 0);
    configure((uf_runtime_config){.time_bodies = true});
    assert_true(READ(slow_rounds) >= 1); /* the configuration came in a later round */
    run_once();
    assert_int_equal(slow_steps + slow_rounds, 0);
    assert_int_equal(bodies, 1);
    assert_int_equal(uf_runtime_configure(runtime, NULL), UF_OK);
    run_once();
    assert_int_equal(bodies, 0);
}

static int wait_for_go(uf_work *work, void *argument)
{
    (void)work;
    while (!READ(*(bool *)argument)) sleep_ms(1);
    return 1;
}

/* The limit also holds for jobs that were in flight before. */
TEST(a_job_in_flight_becomes_slow)
{
    static Jobber jobber;
    go_on = false;
    slow_jobs = 0;
    assert_int_equal(uf_runtime_add_observer(runtime, &observer), UF_OK);
    assert_int_equal(Jobber_init(&jobber, uf_runtime_pump(runtime), "jobber"), UF_OK);
    assert_int_equal(Jobber_start_Ask(&jobber, (order){wait_for_go, &go_on}, UF_FOREVER), UF_OK);
    sleep_ms(2);
    configure((uf_runtime_config){.slow_job = UF_MS(1)});
    UNTIL(READ(slow_jobs) == 1);
    SET(go_on, true);
    assert_int_equal(uf_flow_wait(&jobber.uf, LONG, NULL), UF_OK);
    assert_int_equal(uf_flow_outcome(&jobber.uf), UF_DONE);
    assert_int_equal(Jobber_destroy(&jobber), UF_OK);
}

TEST(the_most_jobs_change)
{
    static Jobber jobber;
    go_on = true;
    assert_int_equal(Jobber_init(&jobber, uf_runtime_pump(runtime), "jobber"), UF_OK);
    for (uint32_t most = 8; most <= 16; most += 4) {
        configure((uf_runtime_config){.jobs_per_flow = most});
        assert_int_equal(uf_runtime_configuration(runtime)->jobs_per_flow, most);
        for (uint32_t count = most - 1; count <= most + 1; count++) {
            assert_int_equal(Jobber_start_Flood(&jobber, (order){wait_for_go, &go_on}, (int)count), UF_OK);
            assert_int_equal(uf_flow_wait(&jobber.uf, LONG, NULL), UF_OK);
            assert_int_equal(uf_flow_outcome(&jobber.uf), count <= most ? UF_DONE : UF_FAILED);
        }
    }
    assert_int_equal(uf_runtime_configure(runtime, NULL), UF_OK);
    assert_int_equal(uf_runtime_configuration(runtime)->jobs_per_flow, 64);
    assert_int_equal(Jobber_destroy(&jobber), UF_OK);
}

static void count_body(Worker *flow)
{
    (void)flow;
    COUNT(bodies);
}

/* A flow that polls is asleep for an hour when the interval becomes short. */
TEST(a_shorter_interval_holds_at_once)
{
    bodies = 0;
    workers[0].body = count_body;
    configure((uf_runtime_config){.stay_interval = UF_S(3600)});
    assert_int_equal(Worker_start_Poll(&workers[0]), UF_OK);
    sleep_ms(5);
    configure((uf_runtime_config){.stay_interval = UF_MS(1)});
    UNTIL(READ(bodies) > 10);
    assert_int_equal(uf_flow_cancel(&workers[0].uf), UF_OK);
    assert_int_equal(uf_flow_wait(&workers[0].uf, LONG, NULL), UF_OK);
    assert_int_equal(uf_runtime_configuration(runtime)->stay_interval, UF_MS(1));
}

static void configure_here(void *argument)
{
    *(uf_status *)argument = uf_runtime_configure(runtime, &(uf_runtime_config){.step_interval = UF_US(1)});
}

TEST(on_every_thread_and_while_it_is_stopped)
{
    uf_status status = UF_INVALID;
    assert_int_equal(uf_post_wait(runtime, configure_here, &status), UF_OK);
    assert_int_equal(status, UF_OK);
    assert_int_equal(uf_runtime_configuration(runtime)->step_interval, UF_US(1));
    assert_int_equal(uf_runtime_stop(runtime, LONG, NULL), UF_OK);
    configure((uf_runtime_config){.stay_interval = UF_MS(7)});
    assert_int_equal(uf_runtime_configuration(runtime)->stay_interval, UF_MS(7));
    assert_int_equal(uf_runtime_start(runtime), UF_OK);
}

TEST(only_times_that_exist)
{
    size_t const times[] = {offsetof(uf_runtime_config, stay_interval), offsetof(uf_runtime_config, step_interval),
                            offsetof(uf_runtime_config, slow_step), offsetof(uf_runtime_config, slow_round),
                            offsetof(uf_runtime_config, slow_job)};
    assert_int_equal(uf_runtime_configure(NULL, NULL), UF_INVALID);
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        uf_runtime_config config = {.jobs_per_flow = 5};
        *(uf_time *)(void *)((char *)&config + times[i]) = -1;
        assert_int_equal(uf_runtime_configure(runtime, &config), UF_INVALID);
    }
    assert_int_equal(uf_runtime_configuration(runtime)->jobs_per_flow, 64);
}

static void *configure_often(void *argument)
{
    for (int i = 0; i < MANY(200); i++) {
        uf_runtime_config const config = {.slow_step = i % 2, .slow_job = i % 3, .jobs_per_flow = (uint32_t)i};
        assert_int_equal(uf_runtime_configure(runtime, &config), UF_OK);
        assert_true(uf_pump_now(uf_runtime_pump(runtime)) >= 0);
    }
    return argument;
}

TEST(while_flows_run)
{
    threads crowd;
    crowd_start(&crowd, 3, configure_often);
    for (int i = 0; i < MANY(300); i++) assert_int_equal(Worker_call_Count(&workers[0], 10, LONG, NULL, NULL), UF_OK);
    crowd_join(&crowd);
}
