/* SPDX-License-Identifier: MIT */
/* test_pauses.c - several threads pause and resume flows of a runtime. */
#include "host_test.h"

#include "uflow/pause.h"

static uf_pause hold;
static int paused, resumed, wrong;

static void *pause_and_resume(void *argument)
{
    (void)argument;
    for (int i = 0; i < MANY(2000); i++) {
        uf_status status = uf_flow_pause(&workers[0].uf, &hold);
        if (status == UF_OK) COUNT(paused);
        else if (status != UF_BUSY) COUNT(wrong);
        status = uf_flow_resume(&hold);
        if (status == UF_OK) COUNT(resumed);
        else if (status != UF_STALE) COUNT(wrong);
    }
    return NULL;
}

/* Each pause is ended by one resume, whoever calls it, and the flow goes on after the last one. */
TEST(threads_share_a_record)
{
    threads crowd;
    paused = resumed = wrong = 0;
    SET(workers[0].release, false);
    assert_int_equal(Worker_start_Poll(&workers[0]), UF_OK);
    crowd_start(&crowd, 4, pause_and_resume);
    crowd_join(&crowd);
    assert_int_equal(uf_flow_resume(&hold), UF_STALE); /* the last act of each thread was a resume */
    assert_int_equal(wrong, 0);
    assert_true(paused > 0);
    assert_int_equal(paused, resumed);
    SET(workers[0].release, true);
    uf_call_info info;
    assert_int_equal(uf_flow_wait(&workers[0].uf, LONG, &info), UF_OK);
    assert_int_equal(info.outcome, UF_DONE);
}

static void note_pause(void *lasted)
{
    *(uf_time *)lasted = uf_flow_paused_for(&workers[0].uf);
}

static bool stands(void)
{
    uf_time lasted = -1;
    assert_int_equal(uf_post_wait(runtime, note_pause, &lasted), UF_OK);
    return lasted >= 0;
}

static void *resume(void *argument)
{
    (void)argument;
    if (uf_flow_resume(&hold) != UF_OK) COUNT(wrong);
    return NULL;
}

static void pause_with(void *second)
{
    if (uf_flow_pause(&workers[0].uf, second) != UF_OK) COUNT(wrong);
}

/* On the pump's thread: another one resumes the flow, and the message is on its way when a second record pauses it. */
static void pause_before_the_resume(void *second)
{
    threads crowd;

    crowd_start(&crowd, 1, resume);
    crowd_join(&crowd);
    pause_with(second);
}

static void cancel_both(void *second)
{
    pause_before_the_resume(second);
    (void)uf_flow_cancel(&workers[0].uf);
}

static void rest_paused(void)
{
    wrong = 0;
    assert_int_equal(Worker_start_Rest(&workers[0], UF_FOREVER), UF_OK);
    assert_int_equal(uf_post_wait(runtime, pause_with, &hold), UF_OK);
    assert_true(stands());
}

TEST(a_second_record_outlasts_the_first)
{
    uf_pause second = {0};

    rest_paused();
    assert_int_equal(uf_post_wait(runtime, pause_before_the_resume, &second), UF_OK);
    for (int i = 0; i < 3; i++) assert_true(stands());
    assert_int_equal(uf_flow_resume(&second), UF_OK);
    while (stands()) {}
    assert_int_equal(uf_flow_cancel(&workers[0].uf), UF_OK);
    assert_int_equal(uf_flow_wait(&workers[0].uf, LONG, NULL), UF_OK);
    assert_int_equal(wrong, 0);
}

TEST(a_cancel_ends_both_pauses)
{
    uf_pause second = {0};

    rest_paused();
    assert_int_equal(uf_post_wait(runtime, cancel_both, &second), UF_OK);
    assert_int_equal(uf_flow_wait(&workers[0].uf, LONG, NULL), UF_OK);
    assert_int_equal(uf_flow_resume(&second), UF_STALE);
    assert_int_equal(Worker_start_Rest(&workers[0], UF_FOREVER), UF_OK);
    for (int i = 0; i < 3; i++) assert_false(stands());
    assert_int_equal(uf_flow_cancel(&workers[0].uf), UF_OK);
    assert_int_equal(uf_flow_wait(&workers[0].uf, LONG, NULL), UF_OK);
    assert_int_equal(wrong, 0);
}

static int begun;

static void *start_runs(void *argument)
{
    (void)argument;
    for (int i = 1; i <= MANY(300); i++) {
        UNTIL(READ(begun) == i);
        if (Worker_start_Rest(&workers[0], UF_FOREVER) != UF_OK) COUNT(wrong);
    }
    return NULL;
}

/* As soon as a thread sees the run, it can pause it. */
TEST(a_run_is_paused_while_it_is_started)
{
    threads crowd;
    wrong = begun = 0;
    crowd_start(&crowd, 1, start_runs);
    for (int i = 1; i <= MANY(300); i++) {
        uf_status status;
        SET(begun, i);
        while ((status = uf_flow_pause(&workers[0].uf, &hold)) == UF_STALE) {}
        assert_int_equal(status, UF_OK);
        while (!stands()) {}
        int const bodies = READ(workers[0].bodies);
        assert_true(stands());
        assert_int_equal(READ(workers[0].bodies), bodies);
        assert_int_equal(uf_flow_resume(&hold), UF_OK);
        if (bodies == 0) UNTIL(READ(workers[0].bodies) == 1);
        assert_int_equal(uf_flow_cancel(&workers[0].uf), UF_OK);
        assert_int_equal(uf_flow_wait(&workers[0].uf, LONG, NULL), UF_OK);
        assert_false(stands());
        workers[0].bodies = 0; /* no run */
    }
    crowd_join(&crowd);
    assert_int_equal(wrong, 0);
}

static int over;

static void *pause_all(void *argument)
{
    static uf_pause holds[4];
    intptr_t const mine = (intptr_t)argument;
    while (!READ(over)) {
        (void)uf_flow_pause(&workers[mine].uf, &holds[mine]);
        (void)uf_flow_resume(&holds[(mine + 1) % 4]);
    }
    return NULL;
}

/* It cancels the runs that stand, and waits for the others. */
TEST(a_stop_ends_while_threads_pause)
{
    threads crowd;
    over = 0;
    crowd_start(&crowd, 4, pause_all);
    for (int i = 0; i < MANY(50); i++) {
        uf_stop_report report;
        for (int w = 0; w < 4; w++) assert_int_equal(Worker_start_Rest(&workers[w], UF_US(200)), UF_OK);
        assert_int_equal(uf_runtime_stop(runtime, LONG, &report), UF_OK);
        for (int w = 0; w < 4; w++) assert_false(uf_flow_running(&workers[w].uf));
        assert_int_equal(uf_runtime_start(runtime), UF_OK);
    }
    SET(over, 1);
    crowd_join(&crowd);
}
