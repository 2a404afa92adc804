/* SPDX-License-Identifier: MIT */
/* test_time.c - logical time and sleeps with a real clock. */
#include "host_test.h"

#include "uflow/timer.h"

TEST(E3_a_frozen_second_adds_nothing)
{
    uf_pump_freeze(uf_runtime_pump(runtime));
    assert_int_equal(Worker_start_Rest(&workers[0], UF_MS(300)), UF_OK);
    assert_true(uf_pump_frozen(uf_runtime_pump(runtime)));
    uf_time const before = uf_pump_now(uf_runtime_pump(runtime));
    sleep_ms(1000);
    assert_true(uf_pump_now(uf_runtime_pump(runtime)) == before);
    assert_true(uf_flow_running(&workers[0].uf));
    uf_pump_resume(uf_runtime_pump(runtime));
    uf_pump_resume(uf_runtime_pump(runtime)); /* a flag, not a count */
    assert_int_equal(uf_flow_wait(&workers[0].uf, LONG, NULL), UF_OK);
    assert_true(uf_pump_now(uf_runtime_pump(runtime)) >= before + UF_MS(300));
}

static void *look_at_real_time(void *last)
{
    for (int i = 0; i < 1000; i++) {
        uf_time const now = uf_real_now();
        if (now < *(uf_time *)last) return last;
        *(uf_time *)last = now;
    }
    return NULL;
}

TEST(E5_real_time_is_one_for_all_and_goes_on)
{
    uf_time seen = uf_real_now();
    pthread_t thread;
    void *wrong;
    uf_pump_freeze(uf_runtime_pump(runtime));
    assert_int_equal(uf_pump_set_scale(uf_runtime_pump(runtime), 100), UF_OK);
    uf_time const began = seen, logical = uf_pump_now(uf_runtime_pump(runtime));
    assert_null(look_at_real_time(&seen));
    assert_int_equal(pthread_create(&thread, NULL, look_at_real_time, &seen), 0); /* continues from there */
    assert_int_equal(pthread_join(thread, &wrong), 0);
    assert_null(wrong);
    sleep_ms(20);
    uf_time const real = uf_pump_real_now(uf_runtime_pump(runtime));
    assert_true(seen <= real && real <= uf_real_now());
    assert_true(real - began >= UF_MS(20) && real - began < UF_S(100));
    assert_true(uf_pump_now(uf_runtime_pump(runtime)) == logical);
}

static uf_time risen;

static void note_time(Worker *flow)
{
    risen = uf_pump_now(flow->uf.pump);
}

/* The end of a sleep of 20 ms, which is two virtual seconds here, does not delay a deadline. */
TEST(D13_scale_100_and_a_nap_of_20_ms)
{
    assert_int_equal(Worker_start_Poll(&workers[1]), UF_OK); /* so that it sleeps at all */
    assert_int_equal(uf_pump_set_scale(uf_runtime_pump(runtime), 100), UF_OK);
    assert_true(uf_pump_scale(uf_runtime_pump(runtime)) == 100);
    uf_time late = UF_FOREVER;
    workers[0].body = note_time;
    for (int i = 0; i < 20 && late >= UF_MS(500); i++) { /* the minimum of several: another process may use the CPU */
        assert_int_equal(Worker_call_Rest(&workers[0], UF_S(1), LONG, NULL), UF_OK);
        late = risen - workers[0].uf_arms[0].on.deadline;
        assert_true(late >= 0);
    }
    assert_true(late < UF_MS(500));
    assert_int_equal(uf_flow_cancel(&workers[1].uf), UF_OK);
}

/* A change takes effect at once on a pump that sleeps for a distant deadline. */
TEST(D13_a_change_is_seen_by_a_pump_that_sleeps)
{
    assert_int_equal(Worker_start_Rest(&workers[0], UF_S(1000)), UF_OK);
    UNTIL(READ(workers[0].bodies) == 1);
    sleep_ms(20);
    assert_int_equal(uf_pump_set_scale(uf_runtime_pump(runtime), 1000000), UF_OK);
    assert_int_equal(uf_flow_wait(&workers[0].uf, LONG, NULL), UF_OK);
}

TEST(E2_what_is_refused)
{
    double const zero = 0;
    assert_int_equal(uf_pump_set_scale(uf_runtime_pump(runtime), -1), UF_INVALID);
    assert_int_equal(uf_pump_set_scale(uf_runtime_pump(runtime), zero / zero), UF_INVALID);
    assert_true(uf_pump_scale(uf_runtime_pump(runtime)) == 1);
    assert_int_equal(uf_pump_set_scale(uf_runtime_pump(runtime), 0), UF_OK); /* stopped, but not frozen */
    uf_time const before = uf_pump_now(uf_runtime_pump(runtime));
    sleep_ms(20);
    assert_true(uf_pump_now(uf_runtime_pump(runtime)) == before && !uf_pump_frozen(uf_runtime_pump(runtime)));
}

/* Changes of time lose nothing. A change reads the clock once, so that logical time at scale 1 is real time plus a
 * constant: it lies between two readings around it. */
TEST(D14_changes_lose_no_time)
{
    int64_t const before = real_now();
    uf_time const first = uf_pump_now(uf_runtime_pump(runtime));
    int64_t const after = real_now();
    for (int i = 0; i < 20000; i++) assert_int_equal(uf_pump_set_scale(uf_runtime_pump(runtime), 1), UF_OK);
    int64_t const then = real_now();
    uf_time const last = uf_pump_now(uf_runtime_pump(runtime));
    int64_t const now = real_now();
    assert_true(last - first >= then - after && last - first <= now - before);
}

TEST(E1_never_backwards)
{
    uf_time last = uf_pump_now(uf_runtime_pump(runtime));
    for (int i = 0; i < 3000; i++) {
        if (i % 10 == 0) (void)uf_pump_set_scale(uf_runtime_pump(runtime), (double)(i % 7));
        if (i % 16 == 0) uf_pump_freeze(uf_runtime_pump(runtime));
        if (i % 16 == 8) uf_pump_resume(uf_runtime_pump(runtime));
        uf_time const now = uf_pump_now(uf_runtime_pump(runtime));
        assert_true(now >= last);
        last = now;
    }
}

static void freeze_in_a_step(Worker *flow)
{
    uf_pump_freeze(flow->uf.pump);
}

TEST(a_step_may_change_the_clock_of_its_pump)
{
    workers[0].body = freeze_in_a_step;
    assert_int_equal(Worker_call_Count(&workers[0], 1, LONG, NULL, NULL), UF_OK);
    UNTIL(uf_pump_frozen(uf_runtime_pump(runtime)));
    uf_time const before = uf_pump_now(uf_runtime_pump(runtime));
    sleep_ms(10);
    assert_true(uf_pump_now(uf_runtime_pump(runtime)) == before);
}

static uf_run_times asked;

static void work_and_ask(Worker *flow)
{
    int64_t const end = real_now() + UF_MS(20);
    while (real_now() < end) {}
    (void)uf_flow_times(&flow->uf, &asked);
}

/* Queries read both clocks. */
TEST(the_times_of_a_run_are_of_one_moment)
{
    uf_run_record records[2] = {{.running = false}};
    uf_observer observer = {.runs = records, .run_capacity = 2};
    assert_int_equal(uf_runtime_add_observer(runtime, &observer), UF_OK);
    assert_int_equal(uf_pump_set_scale(uf_runtime_pump(runtime), 4), UF_OK);
    workers[0].body = work_and_ask;
    assert_int_equal(Worker_call_Count(&workers[0], 1, LONG, NULL, NULL), UF_OK);
    assert_true(asked.wall >= UF_MS(20));
    assert_true(asked.elapsed >= UF_MS(80));
    assert_int_equal(uf_runtime_remove_observer(runtime, &observer), UF_OK);
}

static void sleep_in_a_step(Worker *flow)
{
    (void)flow;
    sleep_ms(5);
}

static void note_elapsed(void *to, const uf_flow *flow, const uf_step_change *change)
{
    (void)flow;
    *(uf_time *)to = change->elapsed;
}

/* A runtime reads the clock for the time in a step only if an observer needs it. */
TEST(untimed_observers_cost_no_clock)
{
    uf_time coarse = -1, exact = -1;
    uf_observer untimed = {.context = &coarse, .step_changed = note_elapsed, .untimed = true};
    uf_observer timed = {.context = &exact, .step_changed = note_elapsed};
    workers[0].body = sleep_in_a_step;
    assert_int_equal(uf_runtime_add_observer(runtime, &untimed), UF_OK);
    assert_int_equal(Worker_call_Count(&workers[0], 1, LONG, NULL, NULL), UF_OK);
    assert_true(coarse == 0);
    assert_int_equal(uf_runtime_add_observer(runtime, &timed), UF_OK);
    assert_int_equal(Worker_call_Count(&workers[0], 1, LONG, NULL, NULL), UF_OK);
    assert_true(exact >= UF_MS(5) && coarse == exact);
    assert_int_equal(uf_runtime_remove_observer(runtime, &timed), UF_OK);
    assert_int_equal(Worker_call_Count(&workers[0], 1, LONG, NULL, NULL), UF_OK);
    assert_true(coarse == 0);
    assert_int_equal(uf_runtime_remove_observer(runtime, &untimed), UF_OK);
}

/* Runnable flows are not slowed down; polling flows run about every 20 ms. */
TEST(F2_a_chain_does_not_nap)
{
    int64_t const began = real_now();
    assert_int_equal(Worker_call_Count(&workers[0], 20000, LONG, NULL, NULL), UF_OK);
    assert_true(real_now() - began < UF_S(20)); /* 400 s with sleeps */
}

TEST(F2_polling_naps)
{
    assert_int_equal(Worker_start_Poll(&workers[0]), UF_OK);
    sleep_ms(500);
    int const looks = READ(workers[0].bodies);
    assert_true(looks >= 1 && looks <= 60); /* 25 */
}

CASE(F2_step_interval)
{
    uf_runtime_config const config = {.step_interval = UF_MS(10)};
    begin_with(&config);
    int64_t const began = real_now();
    assert_int_equal(Worker_call_Count(&workers[0], 20, LONG, NULL, NULL), UF_OK);
    assert_true(real_now() - began >= UF_MS(150));
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
}

/* A deadline in real time is met while the pump waits for it. */
TEST(a_timer_fires_in_time)
{
    int64_t best = UF_FOREVER;
    for (int i = 0; i < 10 && best > UF_MS(5); i++) {
        int64_t const began = real_now();
        assert_int_equal(Worker_call_Rest(&workers[0], UF_MS(30), LONG, NULL), UF_OK);
        int64_t const took = real_now() - began;
        assert_true(took >= UF_MS(30));
        if (took - UF_MS(30) < best) best = took - UF_MS(30);
    }
    assert_true(best < UF_MS(15));
}

/* A real timer knows neither freeze nor scale, needs no flow, and its parts are independent. */
TEST(E5_a_timer_on_the_real_clock)
{
    uf_timer timer = {.flow = NULL};
    uf_timer_start_real(NULL);
    assert_int_equal(uf_timer_elapsed(&timer), 0);
    assert_false(uf_timer_passed(&timer, 0));
    uf_pump_freeze(uf_runtime_pump(runtime));
    uf_timer_start_real(&timer);
    assert_true(uf_timer_passed(&timer, 0));
    assert_false(uf_timer_passed(&timer, UF_S(3600)));
    assert_false(uf_timer_held_for(&timer, true, UF_S(3600)));
    sleep_ms(5);
    assert_true(uf_timer_elapsed(&timer) >= UF_MS(5));
    assert_true(uf_timer_held_for(&timer, true, UF_MS(5)));
    assert_false(uf_timer_held_for(&timer, false, 0));
    assert_false(uf_timer_held_for(&timer, true, UF_S(3600)));
    assert_true(uf_timer_passed(&timer, UF_MS(5)));
    uf_time const before = uf_timer_elapsed(&timer);
    uf_timer_start_real(&timer); /* again */
    assert_true(uf_timer_elapsed(&timer) < before + UF_S(60));
    uf_pump_resume(uf_runtime_pump(runtime));
}
