/* SPDX-License-Identifier: MIT */
/* outside.c - generated signals, preemption, checkpoints and mailboxes in virtual time. */
#include "harness.h"

#include "outside.h"

static void advance(int seconds)
{
    assert_int_equal(uf_simulate_until(&pump, uf_pump_now(&pump) + UF_S(seconds)), UF_OK);
}

/* -- signals ------------------------------------------------------------------------------------------------------ */

TEST(test_H2_all_who_wait_are_released_once)
{
    Listener a, b, late;
    Listener_init(&a, &pump, "a", "a");
    Listener_init(&b, &pump, "b", "b");
    Listener_init(&late, &pump, "late", "late");
    Listener_start_Once(&a);
    Listener_start_Once(&b);
    rounds(2);
    assert_int_equal(uf_signal_fire(&tick), 2);
    Listener_start_Once(&late); /* began to wait after the fire */
    rounds(3);
    assert_log("a b");
    assert_true(uf_flow_running(&late.uf));
    assert_int_equal(uf_signal_fire(&tick), 1);
    run_until_idle();
    assert_log("a b late");
    assert_int_equal(Listener_destroy(&a), UF_OK);
    assert_int_equal(Listener_destroy(&b), UF_OK);
    assert_int_equal(Listener_destroy(&late), UF_OK);
}

TEST(test_a_fire_during_the_body_counts_and_the_next_step_does_not_see_it)
{
    Listener a;
    Listener_init(&a, &pump, "a", "a");
    Listener_start_CheckThenWait(&a);
    run_until_idle();
    assert_log("seen 1 not again");
    Listener_destroy(&a);
}

TEST(test_signals_in_all_and_by_pointer)
{
    Listener a, b;
    Listener_init(&a, &pump, "a", "a");
    Listener_init(&b, &pump, "b", "b");
    Listener_start_Both(&a);
    Listener_start_Pointed(&b, &a.own);
    rounds(2);
    uf_signal_fire(&a.own);
    rounds(2);
    assert_log("fired");
    uf_signal_fire(&tick);
    run_until_idle();
    assert_log("fired both");
    Listener_start_Pointed(&b, NULL);
    run_until_idle();
    assert_int_equal(uf_flow_outcome(&b.uf), UF_FAILED);
    Listener_start_Pointed(&b, &a.own);
    rounds(2);
    Listener_destroy(&a);
    run_until_idle();
    assert_int_equal(uf_flow_outcome(&b.uf), UF_FAILED);
    assert_string_equal(uf_flow_reason(&b.uf), "closed");
    Listener_destroy(&b);
}

TEST(test_of_two_that_fired_the_first_arm_wins)
{
    Listener a;
    Listener_init(&a, &pump, "a", "a");
    Listener_start_First(&a);
    rounds(2);
    uf_signal_fire(&tick);
    uf_signal_fire(&estop);
    run_until_idle();
    assert_log("estop");
    Listener_destroy(&a);
}

/* -- preemption ---------------------------------------------------------------------------------------------------- */

TEST(test_a_parked_task_is_left_and_on_exit_runs)
{
    Machine m;
    Machine_init(&m, &pump, "m");
    Machine_start_Turn(&m, 1);
    rounds(2);
    uf_signal_fire(&estop);
    rounds(1);
    assert_log("enter spin exit became brake"); /* in the same turn */
    run_until_idle();
    assert_int_equal(uf_flow_outcome(&m.uf), UF_DONE);
    Machine_destroy(&m);
}

TEST(test_a_tasks_own_goes_on_within_it)
{
    Machine m;
    int result = 0;
    Machine_init(&m, &pump, "m");
    Machine_start_Turn(&m, 1);
    rounds(2);
    uf_signal_fire(&tick);
    rounds(2);
    assert_log("enter spin slow 2");
    uf_signal_fire(&tick);
    rounds(2);
    uf_signal_fire(&tick); /* armed again each time */
    run_until_idle();
    assert_log("enter spin slow 2 slow 4 slow 8 exit done");
    assert_true(Machine_result_Turn(&m, &result));
    assert_int_equal(result, 15);
    Machine_destroy(&m);
}

TEST(test_a_tasks_own_is_taken_instead_of_the_flows)
{
    Machine m;
    Machine_init(&m, &pump, "m");
    Machine_start_Coast(&m);
    rounds(2);
    uf_signal_fire(&estop);
    rounds(3);
    assert_log("go roll");
    uf_signal_fire(&estop);
    uf_signal_fire(&estop); /* two fires before its turn preempt once */
    rounds(3);
    assert_log("go roll roll exit done");
    assert_int_equal(uf_flow_outcome(&m.uf), UF_DONE);
    Machine_destroy(&m);
}

TEST(test_before_the_first_turn)
{
    Machine m;
    int result = 0;
    Machine_init(&m, &pump, "m");
    Machine_start_Turn(&m, 1);
    uf_signal_fire(&estop); /* never entered: neither on enter nor on exit runs */
    rounds(1);
    assert_log("brake");
    uf_signal_fire(&tick);
    run_until_idle();
    assert_string_equal(uf_flow_reason(&m.uf), "ticked in Park");
    log_clear();

    Machine_start_Turn(&m, 3); /* a task's own handler, to a step: entered, the entry step does not run */
    uf_signal_fire(&tick);
    rounds(2);
    assert_log("enter slow 4");
    assert_int_equal(m.laps, 0);
    uf_flow_cancel(&m.uf);
    run_until_idle();
    assert_log("enter slow 4 exit cancelled");
    log_clear();

    Machine_start_Quick(&m); /* to an end: not entered, but its state is the initial one */
    uf_signal_fire(&tick);
    run_until_idle();
    assert_log("");
    assert_true(Machine_result_Quick(&m, &result));
    assert_int_equal(result, 7);
    Machine_destroy(&m);
}

/* -- checkpoints -------------------------------------------------------------------------------------------------- */

TEST(test_I3_straight_through_unless_armed)
{
    Press p;
    Press_init(&p, &pump, "p", "p");
    Press_start_Pass(&p);
    run_until_idle();
    assert_log("p");
    assert_int_equal(uf_checkpoint_try_arm(&gate), UF_OK);
    assert_int_equal(uf_checkpoint_try_arm(&gate), UF_BUSY);
    Press_start_Pass(&p);
    rounds(5);
    assert_log("p");
    assert_int_equal(uf_checkpoint_state(&gate), UF_CHECKPOINT_HELD);
    assert_int_equal(uf_checkpoint_resume(&gate), 1);
    run_until_idle();
    assert_log("p p");
    assert_int_equal(uf_checkpoint_state(&gate), UF_CHECKPOINT_UNARMED);
    Press_destroy(&p);
}

TEST(test_a_flow_is_the_controller)
{
    Press p, q;
    Guard g;
    Press_init(&p, &pump, "p", "p");
    Press_init(&q, &pump, "q", "q");
    Guard_init(&g, &pump, "g", &p);
    Guard_start_Gate(&g);
    rounds(1);
    Press_start_Pass(&p);
    Press_start_Pass(&q);
    run_until_idle();
    assert_log("2 p q");
    log_clear();

    Press_start_Work(&p);
    rounds(1);
    Guard_start_Hold(&g);
    advance(3);
    assert_log("held at 1");
    assert_true(p.count > 1);
    uf_flow_cancel(&p.uf);
    run_until_idle();
    Press_destroy(&p);
    Press_destroy(&q);
    Guard_destroy(&g);
}

TEST(test_who_looks_at_no_checkpoint_fails)
{
    Press p;
    Guard g;
    Press_init(&p, &pump, "p", "p");
    Guard_init(&g, &pump, "g", NULL);
    Guard_start_Look(&g);
    run_until_idle();
    assert_int_equal(uf_flow_outcome(&g.uf), UF_FAILED);
    assert_string_equal(uf_flow_reason(&g.uf), "no checkpoint");
    g.press = &p;
    Guard_start_Look(&g);
    rounds(2);
    Press_destroy(&p);
    run_until_idle();
    assert_string_equal(uf_flow_reason(&g.uf), "closed");
    Guard_destroy(&g);
}

TEST(test_nobody_arrives_who_leaves_by_another_arm)
{
    Press p;
    Press_init(&p, &pump, "p", "p");
    uf_checkpoint_try_arm(&p.stroke);
    Press_start_Work(&p);
    rounds(2);
    assert_int_equal(uf_checkpoint_parked(&p.stroke), 1);
    assert_int_equal(uf_checkpoint_disarm(&p.stroke), UF_BUSY);
    advance(11);
    assert_log("late"); /* left, and came again */
    assert_int_equal(uf_checkpoint_parked(&p.stroke), 1);
    uf_flow_cancel(&p.uf);
    rounds(2);
    assert_int_equal(uf_checkpoint_parked(&p.stroke), 0);
    assert_int_equal(uf_checkpoint_disarm(&p.stroke), UF_OK);
    log_clear();

    uf_checkpoint_try_arm(&gate);
    Press_start_Ask(&p);
    run_until_idle();
    assert_log("zero");
    assert_int_equal(uf_checkpoint_state(&gate), UF_CHECKPOINT_ARMED); /* it was never held there */
    log_clear();
    Press_start_Poll(&p);
    run_until_idle();
    assert_log("3");
    uf_checkpoint_resume(&gate);
    Press_destroy(&p);
}

/* -- mailboxes ---------------------------------------------------------------------------------------------------- */

TEST(test_mail_is_received_in_order_and_a_full_box_says_so)
{
    Line line;
    int slot;
    Line_init(&line, &pump, "line");
    assert_false(Line_orders_receive(&line, &slot));
    for (int i = 1; i <= 3; i++) assert_int_equal(Line_orders_send(&line, i), UF_OK);
    assert_int_equal(Line_orders_send(&line, 4), UF_FULL);
    Line_start_Serve(&line, 6);
    rounds(4);
    assert_log("1 2 3");
    assert_int_equal(Line_names_send(&line, "five"), UF_OK); /* while it is parked */
    rounds(3);
    assert_int_equal(Line_names_send(&line, "six"), UF_OK);
    assert_int_equal(Line_orders_send(&line, 7), UF_OK);
    run_until_idle();
    assert_log("1 2 3 five 7 six");
    log_clear();

    Line_start_All(&line);
    Line_orders_send(&line, 1);
    rounds(3);
    assert_log("");
    Line_names_send(&line, "");
    run_until_idle();
    assert_log("all");
    assert_int_equal(Line_destroy(&line), UF_OK);
    assert_int_equal(Line_orders_send(&line, 1), UF_CLOSED);
}

TEST(test_parts_are_released_with_the_whole)
{
    Cell cell;
    assert_int_equal(Cell_init(&cell, &pump, "cell"), UF_OK);
    Cell_start_Go(&cell);
    rounds(1);
    assert_int_equal(Cell_destroy(&cell), UF_BUSY);
    Cell_notes_send(&cell, 1);
    run_until_idle();
    assert_int_equal(Cell_destroy(&cell), UF_OK);
    assert_int_equal(Cell_notes_send(&cell, 1), UF_CLOSED);
}
