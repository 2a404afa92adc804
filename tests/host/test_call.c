/* SPDX-License-Identifier: MIT */
/* test_call.c - a start that waits: results, reasons, order, timeouts, refusals. */
#include "host_test.h"

#include "uflow/simulate.h"

static int wrong, order[16], served;

TEST(a_typed_result)
{
    int result = 0;
    uf_call_info info;
    for (int i = 1; i <= 500; i++) {
        assert_int_equal(Worker_call_Count(&workers[0], i % 7 + 1, LONG, &result, &info), UF_OK);
        assert_int_equal(result, i % 7 + 1);
        assert_int_equal(info.outcome, UF_DONE);
        assert_string_equal(info.reason, "");
    }
    assert_int_equal(Worker_call_Count(&workers[0], 3, LONG, NULL, NULL), UF_OK); /* neither is requested */
}

TEST(the_reason_of_a_failure)
{
    uf_call_info info;
    assert_int_equal(Worker_call_Fail(&workers[0], 42, LONG, &info), UF_NOT_DONE);
    assert_int_equal(info.outcome, UF_FAILED);
    assert_string_equal(info.reason, "code 42");
}

static void *call_8_times(void *argument)
{
    int const own = (int)(intptr_t)argument;
    for (int i = 0; i < 50; i++) {
        int result = 0;
        if (Worker_call_Count(&workers[0], own * 10 + i % 3 + 1, LONG, &result, NULL) != UF_OK) COUNT(wrong);
        if (result != own * 10 + i % 3 + 1) COUNT(wrong);
    }
    return NULL;
}

TEST(eight_callers)
{
    threads crowd;
    wrong = 0;
    crowd_start(&crowd, 8, call_8_times);
    crowd_join(&crowd);
    assert_int_equal(wrong, 0);
    assert_int_equal(workers[0].enters, 400);
}

static void note_order(Worker *flow)
{
    order[served++] = flow->uf_task.steps;
}

static int released;

static void wait_until_released(Worker *flow)
{
    (void)flow;
    while (!READ(released)) sleep_ms(1);
    flow->body = note_order;
}

static void *call_in_turn(void *argument)
{
    int result;
    int const own = (int)(intptr_t)argument;
    if (Worker_call_Count(&workers[0], own, LONG, &result, NULL) != UF_OK) COUNT(wrong);
    return NULL;
}

/* Each call begins when the previous one waits: the count of watching calls shows that. */
TEST(first_come_first_served)
{
    pthread_t callers[5];
    wrong = served = released = 0;
    workers[0].body = wait_until_released;
    assert_int_equal(Worker_start_Count(&workers[0], 1), UF_OK);
    for (intptr_t i = 0; i < 5; i++) {
        assert_int_equal(pthread_create(&callers[i], NULL, call_in_turn, (void *)(i + 1)), 0);
        UNTIL(READ(uf_runtime_pump(runtime)->watched) == (uint32_t)i + 1);
    }
    SET(released, 1);
    for (int i = 0; i < 5; i++) pthread_join(callers[i], NULL);
    assert_int_equal(wrong, 0);
    int at = 0;
    for (int call = 1; call <= 5; call++) {
        for (int step = 0; step < call; step++) assert_int_equal(order[at++], call);
    }
}

TEST(a_timeout_while_it_waits_for_its_turn)
{
    uf_call_info info;
    int result = 7;
    assert_int_equal(Worker_start_Rest(&workers[0], UF_FOREVER), UF_OK);
    assert_int_equal(Worker_call_Count(&workers[0], 1, UF_MS(20), &result, &info), UF_TIMED_OUT);
    assert_int_equal(info.outcome, UF_NEVER_RAN);
    assert_string_equal(info.reason, "timed out");
    assert_int_equal(result, 7);
    assert_true(uf_flow_running(&workers[0].uf)); /* the run of the other caller continues */
    assert_int_equal(uf_flow_cancel(&workers[0].uf), UF_OK);
    assert_int_equal(Worker_call_Count(&workers[0], 1, LONG, &result, &info), UF_OK);
}

TEST(a_timeout_while_it_runs_leaves_nothing)
{
    uf_call_info info;
    int result;
    assert_int_equal(Worker_call_Rest(&workers[0], UF_S(1000), UF_MS(500), &info), UF_TIMED_OUT);
    assert_true(info.outcome == UF_CANCELLED || info.outcome == UF_RUNNING); /* on a slow machine, before the answer */
    assert_string_equal(info.reason, "timed out");
    assert_int_equal(uf_runtime_wait(runtime, LONG), UF_OK);
    assert_int_equal(uf_flow_outcome(&workers[0].uf), UF_CANCELLED);
    assert_int_equal(workers[0].exits, 1);
    assert_int_equal(Worker_call_Count(&workers[0], 2, LONG, &result, &info), UF_OK);
}

TEST(a_wait_without_an_end_says_how_far_it_was)
{
    uf_call_info info = {.outcome = UF_DONE, .reason = "old"};
    assert_int_equal(Worker_start_Rest(&workers[0], UF_FOREVER), UF_OK);
    uf_run const run = uf_flow_this_run(&workers[0].uf);
    assert_int_equal(uf_run_wait(run, 0, &info), UF_TIMED_OUT);
    assert_int_equal(info.outcome, UF_RUNNING);
    assert_string_equal(info.reason, "timed out");
    assert_int_equal(uf_flow_cancel(&workers[0].uf), UF_OK);
    assert_int_equal(uf_run_wait(run, LONG, &info), UF_OK);
    assert_int_equal(info.outcome, UF_CANCELLED);
    assert_int_equal(Worker_call_Count(&workers[0], 1, LONG, NULL, NULL), UF_OK);
    assert_int_equal(uf_run_wait(run, LONG, &info), UF_STALE);
    assert_int_equal(info.outcome, UF_NEVER_RAN);
    assert_string_equal(info.reason, uf_status_text(UF_STALE));
    info = (uf_call_info){.outcome = UF_DONE};
    assert_int_equal(uf_flow_wait(NULL, LONG, &info), UF_INVALID);
    assert_int_equal(info.outcome, UF_NEVER_RAN);
}

static uf_status from_a_step[2];

static void call_in_a_step(Worker *flow)
{
    from_a_step[0] = Worker_call_Fail(flow, 1, UF_FOREVER, NULL);
    from_a_step[1] = Worker_call_Fail(&workers[1], 1, UF_FOREVER, NULL);
}

TEST(refused_on_the_pumps_own_thread)
{
    workers[0].body = call_in_a_step;
    assert_int_equal(Worker_call_Count(&workers[0], 1, LONG, NULL, NULL), UF_OK);
    assert_int_equal(from_a_step[0], UF_DEADLOCK);
    assert_int_equal(from_a_step[1], UF_DEADLOCK);
}

CASE(unsupported_where_the_pump_is_driven_by_hand)
{
    uf_pump pump;
    Worker worker;
    uf_call_info info;
    assert_int_equal(uf_pump_init(&pump, NULL), UF_OK);
    assert_int_equal(Worker_init(&worker, &pump, "worker"), UF_OK);
    assert_int_equal(Worker_call_Fail(&worker, 1, UF_FOREVER, &info), UF_UNSUPPORTED);
    assert_int_equal(info.outcome, UF_NEVER_RAN);
    assert_string_equal(info.reason, "unsupported");
    info = (uf_call_info){.outcome = UF_DONE};
    assert_int_equal(uf_flow_wait(&worker.uf, UF_FOREVER, &info), UF_UNSUPPORTED);
    assert_int_equal(info.outcome, UF_NEVER_RAN);
    assert_string_equal(info.reason, "unsupported");
    assert_int_equal(Worker_start_Count(&worker, 1), UF_OK);
    assert_int_equal(uf_simulate_until_idle(&pump, UF_S(1)), UF_OK);
}

static int closing;

static void *call_until_the_end(void *argument)
{
    uf_call_info info;
    (void)argument;
    uf_status const status = Worker_call_Rest(&workers[0], UF_FOREVER, UF_FOREVER, &info);
    if (status == UF_STOPPING) COUNT(closing);
    else if (status != UF_NOT_DONE || info.outcome != UF_CANCELLED) COUNT(wrong);
    return NULL;
}

CASE(callers_are_released_by_the_end)
{
    threads crowd;
    wrong = closing = 0;
    begin_with(NULL);
    crowd_start(&crowd, 4, call_until_the_end);
    UNTIL(READ(uf_runtime_pump(runtime)->watched) == 4);
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
    crowd_join(&crowd);
    assert_int_equal(wrong, 0);
    assert_int_equal(closing, 3);
}
