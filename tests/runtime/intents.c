/* SPDX-License-Identifier: MIT */
/* intents.c - the intents, as far as intents.uflow has no test of them. */
#include "harness.h"

#include "intents.h"

TEST(test_B1_stay_counts_ticks_and_is_no_change)
{
    uf_trace_entry entries[4];
    uf_trace trace;
    Stayer s;
    Stayer_init(&s, &pump, "s");
    uf_trace_attach(&trace, &pump, &s.uf, entries, 4);
    Stayer_start_Stay(&s, 7);
    run_until_idle();
    assert_int_equal(uf_trace_count(&trace), 2);
    assert_int_equal(uf_trace_at(&trace, 0)->ticks, 8);
    assert_int_equal(uf_trace_at(&trace, 0)->ordinal, 0);
    assert_int_equal(uf_trace_at(&trace, 1)->ticks, 1);
}

TEST(test_B2_next_runs_in_the_next_round)
{
    Pair a, b;
    Pair_init(&a, &pump, "A");
    Pair_init(&b, &pump, "B");
    Pair_start_Go(&a);
    Pair_start_Go(&b);
    rounds(1);
    assert_log("A1 B1");
    rounds(1);
    assert_log("A1 B1 A2 B2");
}

TEST(test_B3_done_tells_the_change_then_the_end)
{
    Ender e;
    note_events();
    Ender_init(&e, &pump, "e");
    Ender_start_End(&e, true);
    run_until_idle();
    assert_log("started:e e:Only> ended:e(done)");
    assert_false(uf_flow_running(&e.uf));
}

TEST(test_B4_fail_carries_its_reason)
{
    Ender e;
    note_events();
    Ender_init(&e, &pump, "e");
    Ender_start_End(&e, false);
    run_until_idle();
    assert_log("started:e e:Only> ended:e(failed)no way");
    log_clear();
    Ender_start_Silent(&e);
    run_until_idle();
    assert_log("started:e e:Only> ended:e(failed)");
    assert_string_equal(uf_flow_reason(&e.uf), "");
}

TEST(test_B5_stay_timeout_on_a_frozen_and_a_scaled_clock)
{
    Timed t;
    Timed_init(&t, &pump, "t");
    Timed_start_Poll(&t, 100);
    uf_pump_round(&pump, 0);
    uf_pump_freeze(&pump);
    for (uf_time real = 0; real < UF_S(10); real += UF_MS(20)) uf_pump_round(&pump, real);
    assert_log("");
    uf_pump_resume(&pump);
    assert_int_equal(uf_pump_set_scale(&pump, 10.0), UF_OK);
    uf_time const resumed = pump.clock.real;
    uf_pump_round(&pump, resumed + UF_MS(9));
    uf_pump_round(&pump, resumed + UF_MS(10) - 1);
    assert_log("");
    assert_int_equal(uf_pump_timeout(&pump), 1); /* exact to the nanosecond */
    uf_pump_round(&pump, resumed + UF_MS(10));   /* 100 ms / 10 */
    assert_log("late 100");
}

TEST(test_B6_no_settling_time_is_at_once_also_when_frozen)
{
    Settle s;
    Settle_init(&s, &pump, "s");
    s.input = true;
    uf_pump_freeze(&pump);
    Settle_start_Wait(&s, 0, 0); /* success also comes before a timeout of 0 */
    rounds(2);
    assert_log("ok 0");
}

TEST(test_B7_become_enters_another_task_or_the_same_anew)
{
    uf_trace_entry entries[8];
    uf_trace trace;
    Switch s;
    Switch_init(&s, &pump, "s");
    uf_trace_attach(&trace, &pump, &s.uf, entries, 8);
    Switch_start_Pick(&s);
    run_until_idle();
    assert_log("pick pick place after 2");
    assert_int_equal(s.enters, 2);
    assert_int_equal(uf_trace_count(&trace), 3);
    assert_string_equal(uf_trace_at(&trace, 0)->task, "Pick");
    assert_string_equal(uf_trace_at(&trace, 1)->task, "Pick");
    assert_string_equal(uf_trace_at(&trace, 2)->task, "Place");
    assert_int_equal(uf_trace_at(&trace, 2)->ordinal, 2);
    assert_int_equal(uf_pump_now(&pump), 0); /* an advance, although it did not wait */
}

TEST(test_E4_the_clock_governs_timeouts_and_not_the_intervals_of_rounds)
{
    Timed t;
    Timed_init(&t, &pump, "t");
    Timed_start_Poll(&t, 100);
    uf_pump_freeze(&pump);
    assert_int_equal(uf_pump_round(&pump, 0), UF_MS(20)); /* polls continue in real time */
    assert_int_equal(uf_pump_round(&pump, UF_S(1)), UF_MS(20));
    assert_int_equal(t.looks, 2);
    assert_log("");
    assert_int_equal(uf_simulate_until_idle(&pump, UF_S(9)), UF_BLOCKED);
    uf_pump_resume(&pump);
    run_until_idle();
    assert_log("late 100");
}

TEST(test_E7_E8_step_timers_restart_with_each_step_plain_ones_do_not)
{
    Timers t;
    Timers_init(&t, &pump, "t");
    Timers_start_Run(&t);
    run_until_idle();
    assert_log("own 0 plain 30; own 10 plain 40; own 20 plain 50; own 0 plain 50; own 0 plain 55");
    assert_int_equal(uf_simulate_until(&pump, UF_S(1)), UF_OK);
    Timers_start_Run(&t); /* and with each run */
    assert_int_equal(uf_simulate_until(&pump, UF_S(1) + UF_MS(7)), UF_OK);
    assert_int_equal(uf_timer_elapsed(&t.own), UF_MS(7));
    uf_flow_cancel(&t.uf);
    run_until_idle();
    Timers_start_Run(&t); /* in the same step as at the last poll */
    assert_int_equal(uf_simulate_until(&pump, UF_S(1) + UF_MS(10)), UF_OK);
    assert_int_equal(uf_timer_elapsed(&t.own), UF_MS(3));
}
