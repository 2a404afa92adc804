/* SPDX-License-Identifier: MIT */
/* deadlines.c - `deadline(T)`: an arm that is ready at an absolute logical time. */
#include "harness.h"

#include "deadlines.h"

static Sleeper sleeper;

static int start_over(void **state)
{
    int const failed = begin(state);
    if (!failed) Sleeper_init(&sleeper, &pump, "sleeper");
    return failed;
}

static void test_is_ready_at_that_time_however_late_the_await(void **state)
{
    (void)state;
    uf_simulate_until(&pump, UF_MS(100));
    Sleeper_start_Until(&sleeper, UF_MS(250));
    run_until_idle();
    assert_log("woke:250");
}

static void test_is_ready_at_once_if_the_time_is_now_or_has_passed(void **state)
{
    (void)state;
    uf_simulate_until(&pump, UF_MS(100));
    Sleeper_start_Until(&sleeper, UF_MS(100));
    run_until_idle();
    Sleeper_start_Until(&sleeper, UF_MS(5));
    run_until_idle();
    Sleeper_start_Until(&sleeper, -1);
    run_until_idle();
    assert_log("woke:100 woke:100 woke:100");
}

static void test_forever_is_never(void **state)
{
    (void)state;
    Sleeper_start_Until(&sleeper, UF_FOREVER);
    assert_int_equal(uf_simulate_until_idle(&pump, UF_S(1000000)), UF_BLOCKED);
    assert_true(uf_flow_running(&sleeper.uf));
    uf_flow_cancel(&sleeper.uf);
    run_until_idle();
    assert_log("");
}

static void test_the_largest_finite_time_is_later_than_everything(void **state)
{
    (void)state;
    Sleeper_start_Several(&sleeper, UF_FOREVER - 1, UF_MS(3), 7);
    run_until_idle();
    assert_log("second:3");
}

static void test_the_earliest_of_several_wins(void **state)
{
    (void)state;
    Sleeper_start_Several(&sleeper, UF_MS(30), UF_MS(20), 40);
    run_until_idle();
    Sleeper_start_Several(&sleeper, UF_MS(30), UF_MS(40), 5);
    run_until_idle();
    Sleeper_start_Several(&sleeper, UF_FOREVER, UF_MS(60), 100);
    run_until_idle();
    assert_log("second:20 timeout:25 second:60");
}

static void test_of_equal_times_the_first_in_the_text_wins(void **state)
{
    (void)state;
    Sleeper_start_Several(&sleeper, UF_MS(30), UF_MS(30), 30);
    run_until_idle();
    assert_log("first:30");
}

static void test_an_event_before_it_wins(void **state)
{
    (void)state;
    Sleeper_start_Several(&sleeper, UF_MS(30), UF_MS(40), 50);
    uf_simulate_until(&pump, UF_MS(10));
    uf_signal_fire(&sleeper.go);
    run_until_idle();
    assert_log("go:10");
    assert_int_equal(uf_simulate_until_idle(&pump, UF_S(1)), UF_OK); /* the timers were taken away */
    assert_log("go:10");
}

static void test_within_all(void **state)
{
    (void)state;
    Sleeper_start_Both(&sleeper, UF_MS(30));
    uf_simulate_until(&pump, UF_MS(10));
    uf_signal_fire(&sleeper.go);
    run_until_idle();
    Sleeper_start_Both(&sleeper, UF_MS(40));
    uf_simulate_until(&pump, UF_MS(50));
    uf_signal_fire(&sleeper.go);
    run_until_idle();
    assert_log("both:30 both:50");
}

static void test_one_over_several_steps(void **state)
{
    (void)state;
    Sleeper_start_Budget(&sleeper, 3);
    uf_simulate_until(&pump, UF_MS(20));
    uf_signal_fire(&sleeper.go);
    uf_simulate_until(&pump, UF_MS(49));
    uf_signal_fire(&sleeper.go);
    run_until_idle();
    assert_int_equal(uf_pump_now(&pump), UF_MS(50));
    assert_string_equal(uf_flow_reason(&sleeper.uf), "2 of 3");
}

static void test_follows_the_scale_and_the_freezing_of_the_clock(void **state)
{
    (void)state;
    Sleeper_start_Until(&sleeper, UF_MS(100));
    uf_pump_round(&pump, 0);
    assert_int_equal(uf_pump_set_scale(&pump, 2.0), UF_OK);
    uf_pump_round(&pump, UF_MS(49));
    assert_log("");
    uf_pump_freeze(&pump);
    uf_pump_round(&pump, UF_MS(1000));
    assert_log("");
    uf_pump_resume(&pump);
    uf_pump_round(&pump, UF_MS(1000)); /* logical 98 ms */
    assert_log("");
    uf_pump_round(&pump, UF_MS(1001));
    uf_pump_round(&pump, UF_MS(1001));
    assert_log("woke:100");
}

static void test_the_word_is_a_name_elsewhere(void **state)
{
    Named named = {0};
    (void)state;
    Named_init(&named, &pump, "named");
    Named_start_Wait(&named, UF_MS(10));
    rounds(2);
    uf_signal_fire(&named.deadline);
    run_until_idle();
    Named_start_Wait(&named, UF_MS(10));
    run_until_idle();
    assert_log("fired late");
    assert_int_equal(now_ms(), 10);
}

int main(void)
{
#define DEADLINE_TEST(name) cmocka_unit_test_setup(name, start_over)
    static const struct CMUnitTest tests[] = {
        DEADLINE_TEST(test_is_ready_at_that_time_however_late_the_await),
        DEADLINE_TEST(test_is_ready_at_once_if_the_time_is_now_or_has_passed),
        DEADLINE_TEST(test_forever_is_never),
        DEADLINE_TEST(test_the_largest_finite_time_is_later_than_everything),
        DEADLINE_TEST(test_the_earliest_of_several_wins),
        DEADLINE_TEST(test_of_equal_times_the_first_in_the_text_wins),
        DEADLINE_TEST(test_an_event_before_it_wins),
        DEADLINE_TEST(test_within_all),
        DEADLINE_TEST(test_one_over_several_steps),
        DEADLINE_TEST(test_follows_the_scale_and_the_freezing_of_the_clock),
        DEADLINE_TEST(test_the_word_is_a_name_elsewhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
