/* SPDX-License-Identifier: MIT */
/* test_timer.c - uf_timer, and the state of its storage. tests/runtime tests the timers that follow steps. */
#include "unit.h"

#include "uflow/timer.h"

/* A flow that never runs, on a pump whose rounds only advance its time. */
static uf_pump pump;
static uf_flow flow;

static int setup(void **state)
{
    static const uf_flow_type type = {.abi = UF_ABI, .size = sizeof flow, .name = "Still"};
    (void)state;
    assert_int_equal(uf_pump_init(&pump, NULL), UF_OK);
    assert_int_equal(uf_flow_init(&flow, &type, &pump, "still"), UF_OK);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    if (flow.pump) assert_int_equal(uf_flow_detach(&flow), UF_OK);
    assert_int_equal(uf_pump_destroy(&pump), UF_OK);
    return 0;
}

#define TEST(name) CASE_WITH(name, setup, teardown)

TEST(test_E6_a_start_begins_both_parts_anew)
{
    uf_timer timer;
    uf_pump_round(&pump, 50);
    uf_timer_start(&timer, &flow);
    assert_int_equal(uf_timer_elapsed(&timer), 0);
    uf_pump_round(&pump, 150);
    assert_int_equal(uf_timer_elapsed(&timer), 100);
    assert_false(uf_timer_held_for(&timer, true, 10));
    uf_pump_round(&pump, 160);
    uf_timer_start(&timer, &flow);
    assert_int_equal(uf_timer_elapsed(&timer), 0);
    assert_false(uf_timer_held_for(&timer, true, 10));
}

TEST(test_E6_passed_is_at_or_after)
{
    uf_timer timer;
    uf_timer_start(&timer, &flow);
    assert_true(uf_timer_passed(&timer, 0));
    assert_true(uf_timer_passed(&timer, -1));
    uf_pump_round(&pump, 99);
    assert_false(uf_timer_passed(&timer, 100));
    uf_pump_round(&pump, 100);
    assert_true(uf_timer_passed(&timer, 100));
    assert_false(uf_timer_passed(&timer, UF_FOREVER));
}

TEST(test_E6_held_for_takes_no_glitch)
{
    static const bool train[] = {true, true, false, true, false, false, true, true, true, true, true};
    uf_timer timer;
    uf_timer_start(&timer, &flow);
    for (int i = 0; i < (int)(sizeof train / sizeof *train); i++) {
        uf_pump_round(&pump, 10 * i);
        /* true from 60 on without a break: held for 30 at 90, and it stays true */
        assert_int_equal(uf_timer_held_for(&timer, train[i], 30), i >= 9);
        assert_int_equal(uf_timer_passed(&timer, 70), i >= 7); /* unaffected */
    }
    assert_false(uf_timer_held_for(&timer, false, 30));
    assert_false(uf_timer_held_for(&timer, true, 30));
    assert_true(uf_timer_held_for(&timer, true, 0));
    assert_false(uf_timer_held_for(&timer, false, 0));
}

static void assert_not_started(uf_timer *timer)
{
    static const uf_time durations[] = {INT64_MIN, -1, 0, 1, UF_FOREVER};
    assert_int_equal(uf_timer_elapsed(timer), 0);
    for (size_t i = 0; i < sizeof durations / sizeof *durations; i++) {
        assert_false(uf_timer_passed(timer, durations[i]));
        assert_false(uf_timer_held_for(timer, true, durations[i]));
        assert_false(uf_timer_held_for(timer, false, durations[i]));
    }
}

TEST(test_zeroed_it_has_not_started)
{
    static const uf_flow nowhere;
    uf_timer timer = {0};
    uf_pump_round(&pump, UF_S(1));
    assert_not_started(&timer);
    uf_timer_start(&timer, NULL);
    assert_not_started(&timer);
    uf_timer_start(&timer, &nowhere);
    uf_timer_start_step(&timer, &nowhere);
    assert_not_started(&timer);
    uf_timer_start(&timer, &flow);
    uf_pump_round(&pump, UF_S(2));
    assert_int_equal(uf_timer_elapsed(&timer), UF_S(1));
    assert_true(uf_timer_passed(&timer, UF_S(1)));
}

/* A detached flow has no time. */
TEST(test_after_its_flow_was_detached_it_has_not_started)
{
    uf_timer plain, step;
    uf_timer_start(&plain, &flow);
    uf_timer_start_step(&step, &flow);
    uf_pump_round(&pump, UF_S(1));
    assert_int_equal(uf_flow_detach(&flow), UF_OK);
    assert_not_started(&plain);
    assert_not_started(&step);
}

TEST(test_it_follows_the_clock_of_its_pump)
{
    uf_timer timer;
    uf_timer_start(&timer, &flow);
    uf_pump_freeze(&pump);
    uf_pump_round(&pump, 100);
    assert_int_equal(uf_timer_elapsed(&timer), 0);
    uf_pump_resume(&pump);
    assert_int_equal(uf_pump_set_scale(&pump, 3), UF_OK);
    uf_pump_round(&pump, 200);
    assert_int_equal(uf_timer_elapsed(&timer), 300);
    assert_int_equal(uf_flow_now(&flow), 300);
}
