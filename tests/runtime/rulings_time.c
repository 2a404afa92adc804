/* SPDX-License-Identifier: MIT */
/* rulings_time.c - rounds, stay and await; semantics 1 to 14, as far as rulings.uflow has no test of them. */
#include "harness.h"

#include "rulings.h"

#include <limits.h>
#include <string.h>

static int start_over(void **state)
{
    condition = second_condition = false;
    polls = 0;
    return begin(state);
}

/* Runs one round at that real time, which is also logical time. */
static uf_time at(int ms)
{
    return uf_pump_round(&pump, UF_MS(ms));
}

#define RULING(name) CASE_WITH(name, start_over, NULL)

RULING(test_1_advanced_is_a_step_change_a_become_or_an_end)
{
    Log log;
    Job job;
    Ending e;
    Log_init(&log, &pump, "L");
    Job_init(&job, &pump, "job");
    Ending_init(&e, &pump, "e");
    Log_start_Poll(&log, 2);
    assert_int_equal(at(0), UF_MS(20)); /* a stay does not count */
    assert_int_equal(at(0), 0);         /* an end */
    assert_int_equal(at(0), UF_FOREVER);
    Log_start_Chain(&log, 2);
    assert_int_equal(at(0), 0); /* a step change */
    assert_int_equal(at(0), 0);
    Job_start_Sleep(&job, 30);
    assert_int_equal(at(0), UF_MS(30)); /* parking does not count */
    assert_int_equal(at(30), 0);
    Ending_start_Outcome(&e, 4);
    assert_int_equal(at(30), 0); /* a become */
    assert_int_equal(at(30), 0);
    assert_int_equal(at(30), UF_FOREVER);
}

RULING(test_2_a_poller_that_a_timer_wakes_runs_in_the_first_group_once)
{
    Log log;
    Poller p;
    Log_init(&log, &pump, "L");
    Poller_init(&p, &pump, "P", NULL);
    Log_start_Poll(&log, 9);
    Poller_start_Timed(&p, 30);
    at(0);
    at(10);
    assert_log("L0 L10");
    assert_int_equal(polls, 2);
    at(30);
    assert_log("L0 L10 P30 L30"); /* before the other poller */
    assert_int_equal(polls, 3);   /* its condition was polled then, once */
}

RULING(test_2_a_poller_that_an_event_woke_runs_in_the_first_group)
{
    Job job;
    Log log;
    Poller p;
    Job_init(&job, &pump, "job");
    Log_init(&log, &pump, "L");
    Poller_init(&p, &pump, "P", &job);
    Job_start_Sleep(&job, 10);
    at(0);
    Log_start_Poll(&log, 9);
    Poller_start_Both(&p);
    at(5);
    uf_flow_cancel(&job.uf);
    at(6); /* the job ends in its turn. The poller's turn comes later in this round, and sees the result */
    assert_log("L5 L6 P");
    assert_int_equal(polls, 2);
}

RULING(test_3_time_advances_by_the_stay_interval_or_to_the_next_deadline)
{
    Log log;
    Job job;
    Log_init(&log, &pump, "L");
    Job_init(&job, &pump, "job");
    Log_start_Poll(&log, 5);
    Job_start_Sleep(&job, 50);
    run_until_idle();
    assert_log("L0 L20 L40 L50 L70");
    Job_start_Sleep(&job, 12345); /* without a poller, directly to the next deadline */
    uint64_t const before = uf_pump_rounds(&pump);
    run_until_idle();
    assert_int_equal(now_ms(), 70 + 12345);
    assert_int_equal(uf_pump_rounds(&pump) - before, 2);
}

RULING(test_3_a_clock_that_stands_blocks)
{
    Job job;
    Log log;
    Job_init(&job, &pump, "job");
    Log_init(&log, &pump, "L");
    Job_start_Sleep(&job, 50);
    Log_start_Chain(&log, 3);
    uf_pump_freeze(&pump);
    assert_int_equal(uf_simulate_until(&pump, UF_S(1)), UF_BLOCKED);
    assert_log("L3 L2 L1"); /* work that needs no time is done */
    assert_int_equal(now_ms(), 0);
    assert_int_equal(uf_simulate_until_idle(&pump, UF_S(1)), UF_BLOCKED);
    uf_pump_resume(&pump);
    assert_int_equal(uf_pump_set_scale(&pump, 0), UF_OK);
    assert_int_equal(uf_simulate_until(&pump, UF_S(1)), UF_BLOCKED);
    assert_int_equal(uf_pump_set_scale(&pump, 4), UF_OK);
    assert_int_equal(uf_simulate_until_idle(&pump, UF_S(1)), UF_OK);
    assert_int_equal(uf_pump_now(&pump), UF_MS(50)); /* exactly, at any scale */
    assert_int_equal(pump.clock.real, UF_MS(50) / 4);
}

RULING(test_3_nothing_can_wake_what_waits_for_itself)
{
    Job job;
    Job_init(&job, &pump, "job");
    assert_int_equal(uf_simulate_until_idle(&pump, UF_FOREVER), UF_OK);
    Job_start_Sleep(&job, INT_MAX);
    assert_int_equal(uf_simulate_until_idle(&pump, UF_S(5)), UF_TIMED_OUT);
    assert_int_equal(uf_pump_now(&pump), UF_S(5));
    assert_int_equal(uf_simulate_until_idle(&pump, UF_FOREVER), UF_OK);
    assert_int_equal(uf_simulate_until(&pump, UF_FOREVER), UF_BLOCKED);
}

RULING(test_4_run_until_ends_at_that_time_before_its_deadlines)
{
    Job job;
    Job_init(&job, &pump, "job");
    Job_start_Sleep(&job, 10);
    assert_int_equal(uf_simulate_until(&pump, UF_MS(10)), UF_OK);
    assert_int_equal(uf_pump_now(&pump), UF_MS(10));
    assert_true(uf_flow_running(&job.uf));
    assert_int_equal(uf_simulate_until(&pump, UF_MS(10)), UF_OK); /* it is already that time: no effect */
    assert_true(uf_flow_running(&job.uf));
    assert_int_equal(uf_simulate_until(&pump, UF_MS(10) + 1), UF_OK);
    assert_false(uf_flow_running(&job.uf));
}

RULING(test_4_where_a_run_is_cut_in_two_makes_no_difference)
{
    Log log;
    Log_init(&log, &pump, "L");
    Log_start_Poll(&log, 5);
    for (int ms = 7; ms < 100; ms += 7) assert_int_equal(uf_simulate_until(&pump, UF_MS(ms)), UF_OK);
    assert_log("L0 L20 L40 L60 L80");
}

RULING(test_5_woken_again_before_its_turn_it_keeps_its_place)
{
    Job a, b;
    Log k;
    Woken w;
    Job_init(&a, &pump, "a");
    Job_init(&b, &pump, "b");
    Log_init(&k, &pump, "K");
    Woken_init(&w, &pump, "W", &a, &b);
    Job_start_Sleep(&a, 10);
    Log_start_Late(&k);
    Job_start_Sleep(&b, 10);
    Woken_start_Wait(&w);
    at(0);
    at(10); /* a ends and wakes W, K continues after it, b ends and wakes W again */
    at(10);
    assert_log("W K");
}

RULING(test_5_started_again_it_goes_to_the_end)
{
    Log a, b;
    Log_init(&a, &pump, "A");
    Log_init(&b, &pump, "B");
    Log_start_Say(&a);
    Log_start_Chain(&b, 3);
    at(0);
    Log_start_Say(&a);
    at(0);
    assert_log("A B3 B2 A");
}

RULING(test_6_a_missed_multiple_is_skipped)
{
    Interval i;
    Interval_init(&i, &pump, "i");
    Interval_start_Forever(&i);
    assert_int_equal(at(0), UF_MS(10));
    assert_int_equal(at(37), UF_MS(3));
    at(39);
    assert_log("0 37");
    assert_int_equal(at(40), UF_MS(10));
    assert_int_equal(at(50), UF_MS(10)); /* on the multiple: once */
    assert_log("0 37 40 50");
}

RULING(test_6_intervals_are_of_one_step)
{
    Interval i;
    Interval_init(&i, &pump, "i");
    Interval_start_Two(&i);
    at(0);
    at(25); /* late: the multiple was 10 */
    assert_int_equal(at(25), UF_MS(7));
    at(32);
    assert_log("25 32");
    uf_flow_cancel(&i.uf);
    run_until_idle();
    log_clear();
    Interval_start_Mixed(&i);
    run_until_idle();
    assert_log("32 52 82 132");
}

RULING(test_8_idle_is_a_level)
{
    Job job;
    Deciding d;
    Job_init(&job, &pump, "job");
    Deciding_init(&d, &pump, "d", &job);
    Job_start_Sleep(&job, 10);
    Deciding_start_Level(&d);
    at(0);
    at(10);
    assert_false(uf_flow_running(&job.uf));
    Job_start_Sleep(&job, 10); /* before the waiter's turn */
    at(10);
    at(15);
    assert_log("");
    at(20);
    at(21);
    assert_log("idle 21");
    assert_int_equal(Job_destroy(&job), UF_OK);
}

RULING(test_8_who_waits_for_a_flow_that_is_destroyed_sees_it_idle)
{
    Job job;
    Deciding d;
    Job_init(&job, &pump, "job");
    Deciding_init(&d, &pump, "d", &job);
    Job_start_Sleep(&job, 10);
    Deciding_start_Level(&d);
    at(0);
    at(10);
    assert_int_equal(Job_destroy(&job), UF_OK); /* before the waiter's turn */
    memset(&job, 0xA5, sizeof job);
    at(11);
    assert_log("idle 11");
}

RULING(test_10_a_condition_is_polled_when_reached_and_once_in_each_later_round)
{
    Held h;
    Held_init(&h, &pump, "h");
    Held_start_Wait(&h);
    at(0);
    assert_int_equal(polls, 1);
    at(1);
    at(1);
    assert_int_equal(polls, 3);
    condition = true;
    at(2);
    assert_int_equal(uf_pump_next_deadline(&pump), UF_MS(52)); /* a timer */
    condition = false;
    at(3);
    assert_int_equal(uf_pump_next_deadline(&pump), UF_S(10)); /* cancelled by a false poll */
    condition = true;
    at(4);
    at(53);
    assert_log("");
    at(54);
    assert_log("over 54");
}

RULING(test_11_a_later_busy_run_decides_before_the_earlier_ones_enter)
{
    Starting s;
    Starting_init(&s, &pump, "s");
    Job_start_Sleep(&s.b, 50);
    Starting_start_LaterBusy(&s);
    rounds(3);
    assert_log("lost: busy");
    assert_int_equal(uf_flow_outcome(&s.a.uf), UF_CANCELLED);
    assert_int_equal(uf_flow_outcome(&s.c.uf), UF_NEVER_RAN);
    assert_true(uf_flow_running(&s.b.uf));
}

RULING(test_12_durations_that_are_too_large_saturate)
{
    Durations d;
    Durations_init(&d, &pump, "d");
    Durations_start_Wait(&d, LLONG_MAX);
    assert_int_equal(uf_simulate_until_idle(&pump, UF_FOREVER), UF_BLOCKED);
    assert_int_equal(uf_pump_next_deadline(&pump), UF_FOREVER);
    uf_flow_cancel(&d.uf);
    run_until_idle();
    Durations_start_Hours(&d, 1e300);
    assert_int_equal(uf_simulate_until_idle(&pump, UF_FOREVER), UF_BLOCKED);
    uf_flow_cancel(&d.uf);
    run_until_idle();
    condition = true;
    Durations_start_Hold(&d, LLONG_MAX);
    run_until_idle();
    assert_string_equal(uf_flow_reason(&d.uf), "held back");
    Durations_start_Stay(&d, LLONG_MAX);
    assert_int_equal(uf_simulate_until_idle(&pump, UF_FOREVER), UF_BLOCKED);
    uf_flow_cancel(&d.uf);
    run_until_idle();
}

RULING(test_13_the_reason_of_a_flow_of_another_pump)
{
    static uf_pump elsewhere;
    Job foreign;
    Reasons r;
    assert_int_equal(uf_pump_init(&elsewhere, NULL), UF_OK);
    Job_init(&foreign, &elsewhere, "foreign");
    Reasons_init(&r, &pump, "r", &foreign);
    Reasons_start_Foreign(&r);
    run_until_idle();
    assert_string_equal(uf_flow_reason(&r.uf), "foreign.Sleep: other pump");
    assert_int_equal(uf_flow_outcome(&foreign.uf), UF_NEVER_RAN);
}

RULING(test_14_result_and_reason_of_a_run_that_was_started_anew_meanwhile)
{
    Reasons r;
    Reasons_init(&r, &pump, "r", NULL);
    Reasons_start_Flunked(&r);
    at(0);
    at(0);
    at(5);                                          /* the child has ended ... */
    assert_int_equal(Job_destroy(&r.job), UF_BUSY); /* ... but its parent has not read the outcome */
    Job_start_Sleep(&r.job, 5);
    at(5);
    assert_string_equal(uf_flow_reason(&r.uf), "job.Flunk: flunked job");
    assert_true(uf_flow_running(&r.job.uf)); /* the new run has no parent */
}

RULING(test_14_an_outcome_stands_though_somebody_else_ran_and_cancelled_the_child_meanwhile)
{
    Job busy;
    Reasons r;
    Rival rival;
    Job_init(&busy, &pump, "busy");
    Reasons_init(&r, &pump, "r", NULL);
    Rival_init(&rival, &pump, "rival", &r.job, &busy);
    Job_start_Sleep(&busy, 1000);
    Reasons_start_SameType(&r);
    at(0);
    at(0);
    Rival_start_Grab(&rival); /* after the child, in the round in which it ends */
    at(0);
    assert_int_equal(uf_flow_outcome(&r.job.uf), UF_CANCELLED); /* a separate run, started and cancelled */
    at(0);
    assert_int_equal(uf_flow_outcome(&r.uf), UF_DONE);
}

RULING(test_14_what_failed_first_is_the_reason)
{
    Reasons r;
    Reasons_init(&r, &pump, "r", NULL);
    Reasons_start_FromBelow(&r);
    at(0);
    at(0);
    condition = true;
    at(5);
    at(5);
    assert_string_equal(uf_flow_reason(&r.uf), "from below");
    assert_int_equal(uf_pump_running(&pump), 0);
}
