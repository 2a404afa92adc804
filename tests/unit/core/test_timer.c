/* uf_timer: E5 to E8. The step timers run in a flow: tests/runtime. */
#include "unit.h"

#include "uflow/timer.h"

static void test_E6_is_armed_at_init_and_restart_clears_both_parts(void **state)
{
    uf_clock clock;
    uf_timer timer;
    (void)state;
    uf_clock_init(&clock, 50);
    uf_timer_init(&timer, &clock);
    assert_int_equal(uf_timer_elapsed(&timer), 0);
    uf_clock_advance(&clock, 150);
    assert_int_equal(uf_timer_elapsed(&timer), 100);
    assert_false(uf_timer_held_for(&timer, true, 10));
    uf_clock_advance(&clock, 160);
    uf_timer_restart(&timer);
    assert_int_equal(uf_timer_elapsed(&timer), 0);
    assert_false(uf_timer_held_for(&timer, true, 10));
}

static void test_E6_passed_is_at_or_after(void **state)
{
    uf_clock clock;
    uf_timer timer;
    (void)state;
    uf_clock_init(&clock, 0);
    uf_timer_init(&timer, &clock);
    assert_true(uf_timer_passed(&timer, 0));
    assert_true(uf_timer_passed(&timer, -1));
    uf_clock_advance(&clock, 99);
    assert_false(uf_timer_passed(&timer, 100));
    uf_clock_advance(&clock, 100);
    assert_true(uf_timer_passed(&timer, 100));
    assert_false(uf_timer_passed(&timer, UF_FOREVER));
}

static void test_E6_held_for_takes_no_glitch(void **state)
{
    static const bool train[] = {true, true, false, true, false, false, true, true, true, true, true};
    uf_clock clock;
    uf_timer timer;
    (void)state;
    uf_clock_init(&clock, 0);
    uf_timer_init(&timer, &clock);
    for (int i = 0; i < (int)(sizeof train / sizeof *train); i++) {
        uf_clock_advance(&clock, 10 * i);
        /* true from 60 on without a break: held for 30 at 90, and it stays true */
        assert_int_equal(uf_timer_held_for(&timer, train[i], 30), i >= 9);
        assert_int_equal(uf_timer_passed(&timer, 70), i >= 7); /* unaffected */
    }
    assert_false(uf_timer_held_for(&timer, false, 30));
    assert_false(uf_timer_held_for(&timer, true, 30));
    assert_true(uf_timer_held_for(&timer, true, 0));
    assert_false(uf_timer_held_for(&timer, false, 0));
}

static void test_E5_a_timer_on_another_clock_is_unaffected_by_a_freeze(void **state)
{
    uf_clock logical, real;
    uf_timer on_logical, on_real;
    (void)state;
    uf_clock_init(&logical, 0);
    uf_clock_init(&real, 0);
    uf_timer_init(&on_logical, &logical);
    uf_timer_init(&on_real, &real);
    uf_clock_freeze(&logical);
    uf_clock_advance(&logical, 100);
    uf_clock_advance(&real, 100);
    assert_int_equal(uf_timer_elapsed(&on_logical), 0);
    assert_int_equal(uf_timer_elapsed(&on_real), 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_E6_is_armed_at_init_and_restart_clears_both_parts),
        cmocka_unit_test(test_E6_passed_is_at_or_after),
        cmocka_unit_test(test_E6_held_for_takes_no_glitch),
        cmocka_unit_test(test_E5_a_timer_on_another_clock_is_unaffected_by_a_freeze),
    };
    return cmocka_run_group_tests_name("core.timer", tests, NULL, NULL);
}
