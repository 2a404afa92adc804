/* SPDX-License-Identifier: MIT */
/* guards.c - arms with conditions: the operands that are evaluated, and that false ones leave out the arm. */
#include "harness.h"

#include "guards.h"

static Guarded guarded;

static int start_over(void **state)
{
    (void)state;
    log_clear();
    if (uf_pump_init(&pump, &(uf_pump_config){.pool = uf_pool_inline()}) != UF_OK) return 1;
    return Guarded_init(&guarded, &pump, "guarded") == UF_OK ? 0 : 1;
}

static void assert_failed(const char *reason)
{
    assert_int_equal(uf_flow_outcome(&guarded.uf), UF_FAILED);
    assert_string_equal(uf_flow_reason(&guarded.uf), reason);
}

static void test_conditions_and_operands_are_evaluated_in_the_order_of_the_text(void **state)
{
    (void)state;
    Guarded_start_Order(&guarded, true);
    run_until_idle();
    assert_log("c1 o1 o2 c3 o3 c4 o4 o5 won");
}

static void test_operands_of_an_arm_that_is_not_there_are_not_evaluated(void **state)
{
    (void)state;
    Guarded_start_Order(&guarded, false);
    run_until_idle();
    assert_log("c1 o1 o2 c3 c4 o4 o5 ran7");
}

static void test_a_condition_is_evaluated_once_for_each_await(void **state)
{
    (void)state;
    Guarded_start_Once(&guarded);
    rounds(2);
    guarded.which = 1;
    uf_signal_fire(&guarded.go); /* nobody waits for it */
    rounds(2);
    assert_log("");
    uf_signal_fire(&guarded.bell); /* the await is reached again, with the arm */
    rounds(3);
    guarded.which = 0;
    uf_signal_fire(&guarded.go);
    run_until_idle();
    assert_log("rang went");
    assert_int_equal(now_ms(), 0);
}

static void test_without_an_arm_the_task_fails(void **state)
{
    (void)state;
    Guarded_start_Nothing(&guarded, false, false);
    run_until_idle();
    assert_failed("nothing to wait for");
}

static void test_one_arm_is_enough(void **state)
{
    (void)state;
    Guarded_start_Nothing(&guarded, true, false);
    rounds(2);
    assert_true(uf_flow_running(&guarded.uf));
    uf_signal_fire(&guarded.go);
    run_until_idle();
    assert_int_equal(uf_flow_outcome(&guarded.uf), UF_DONE);
    Guarded_start_Nothing(&guarded, false, true);
    rounds(2);
    uf_signal_fire(&guarded.go);
    rounds(2);
    assert_true(uf_flow_running(&guarded.uf));
}

static void test_a_run_that_is_not_there_does_not_start(void **state)
{
    (void)state;
    Guarded_start_Runs(&guarded, true, true);
    run_until_idle();
    Guarded_start_Runs(&guarded, true, false);
    run_until_idle();
    assert_int_equal(now_ms(), 30);
    assert_int_equal(guarded.other.uf.run, 1);
    Guarded_start_Runs(&guarded, false, true);
    run_until_idle();
    assert_int_equal(guarded.child.uf.run, 2);
    Guarded_start_Runs(&guarded, false, false);
    run_until_idle();
    assert_int_equal(guarded.child.uf.run, 2);
    assert_int_equal(guarded.other.uf.run, 2);
    assert_log("second first second none");
}

static void test_else_is_the_failure_of_the_arm(void **state)
{
    (void)state;
    Guarded_start_Failing(&guarded, true);
    run_until_idle();
    assert_log("failed:broken");
    Guarded_start_Failing(&guarded, false);
    run_until_idle();
    assert_log("failed:broken");
    assert_int_equal(now_ms(), 1000);
    Guarded_start_HandedOn(&guarded, true);
    run_until_idle();
    assert_failed("child.Fail: broken");
    Guarded_start_HandedOn(&guarded, false);
    run_until_idle();
    assert_int_equal(uf_flow_outcome(&guarded.uf), UF_DONE);
}

static void test_before_all(void **state)
{
    (void)state;
    Guarded_start_Both(&guarded, true);
    rounds(2);
    uf_signal_fire(&guarded.go);
    run_until_idle();
    assert_log("both");
    Guarded_start_Both(&guarded, false);
    rounds(2);
    uf_signal_fire(&guarded.go);
    run_until_idle();
    assert_log("both");
    assert_int_equal(guarded.child.uf.run, 1);
}

static void test_a_checkpoint_that_is_not_there_is_no_arrival(void **state)
{
    (void)state;
    assert_int_equal(uf_checkpoint_try_arm(&guarded.gate), UF_OK);
    Guarded_start_Gate(&guarded, false);
    rounds(3);
    assert_int_equal(uf_checkpoint_parked(&guarded.gate), 0);
    run_until_idle();
    Guarded_start_Gate(&guarded, true);
    rounds(3);
    assert_int_equal(uf_checkpoint_parked(&guarded.gate), 1);
    uf_checkpoint_resume(&guarded.gate);
    run_until_idle();
    assert_log("passed");
}

static void test_a_flow_polls_only_if_a_condition_is_there(void **state)
{
    (void)state;
    Guarded_start_Polls(&guarded, false);
    rounds(5);
    assert_int_equal(uf_pump_round(&pump, 0), UF_S(1));
    uf_signal_fire(&guarded.bell);
    run_until_idle();
    assert_int_equal(guarded.polls, 0);
    Guarded_start_Polls(&guarded, true);
    run_until_idle();
    assert_int_equal(guarded.polls, 4);
}

static void test_after_a_stay(void **state)
{
    (void)state;
    guarded.which = 1;
    Guarded_start_Stayed(&guarded, true);
    run_until_idle();
    assert_int_equal(now_ms(), 20);
    Guarded_start_Stayed(&guarded, false);
    run_until_idle();
    assert_int_equal(now_ms(), 1040);
    assert_log("late");
}

static void test_jobs(void **state)
{
    (void)state;
    Guarded_start_Job(&guarded, true, 1);
    run_until_idle();
    Guarded_start_Job(&guarded, true, -1);
    run_until_idle();
    Guarded_start_Job(&guarded, false, -1);
    run_until_idle();
    assert_log("worked negative late");
}

static void test_mailboxes(void **state)
{
    (void)state;
    assert_int_equal(Guarded_box_send(&guarded, 5), UF_OK);
    Guarded_start_Mail(&guarded, false);
    run_until_idle();
    Guarded_start_Mail(&guarded, true);
    run_until_idle();
    assert_log("late got5");
}

static void test_descriptors(void **state)
{
    (void)state;
    Guarded_start_Read(&guarded, false, -1);
    run_until_idle();
    assert_log("late");
    Guarded_start_Read(&guarded, true, -1);
    run_until_idle();
    assert_failed("closed");
}

static void test_in_branches_of_the_preprocessor(void **state)
{
    (void)state;
    Guarded_start_Compiled(&guarded, true);
    rounds(2);
    uf_signal_fire(&guarded.go);
    run_until_idle();
    Guarded_start_Compiled(&guarded, false);
    rounds(2);
    uf_signal_fire(&guarded.go);
    run_until_idle();
    assert_log("went late");
}

static void test_as_a_branch_of_an_if(void **state)
{
    (void)state;
    Guarded_start_Branch(&guarded, true);
    run_until_idle();
    assert_int_equal(now_ms(), 4);
    Guarded_start_Branch(&guarded, false);
    run_until_idle();
    assert_log("late");
}

int main(void)
{
#define GUARD_TEST(name) cmocka_unit_test_setup(name, start_over)
    static const struct CMUnitTest tests[] = {
        GUARD_TEST(test_conditions_and_operands_are_evaluated_in_the_order_of_the_text),
        GUARD_TEST(test_operands_of_an_arm_that_is_not_there_are_not_evaluated),
        GUARD_TEST(test_a_condition_is_evaluated_once_for_each_await),
        GUARD_TEST(test_without_an_arm_the_task_fails),
        GUARD_TEST(test_one_arm_is_enough),
        GUARD_TEST(test_a_run_that_is_not_there_does_not_start),
        GUARD_TEST(test_else_is_the_failure_of_the_arm),
        GUARD_TEST(test_before_all),
        GUARD_TEST(test_a_checkpoint_that_is_not_there_is_no_arrival),
        GUARD_TEST(test_a_flow_polls_only_if_a_condition_is_there),
        GUARD_TEST(test_after_a_stay),
        GUARD_TEST(test_jobs),
        GUARD_TEST(test_mailboxes),
        GUARD_TEST(test_descriptors),
        GUARD_TEST(test_in_branches_of_the_preprocessor),
        GUARD_TEST(test_as_a_branch_of_an_if),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
