/* SPDX-License-Identifier: MIT */
/* rulings_later.c - runs, intervals, fires and pending endings; semantics 28 to 34. */
#include "harness.h"

#include <stdio.h>

#include "rulings_later.h"

static int start_over(void **state)
{
    rings = 0;
    if (begin(state) != 0) return 1;
    uf_signal_init(&bell, "bell");
    return 0;
}

static int end(void **state)
{
    (void)state;
    uf_signal_destroy(&bell);
    return 0;
}

/* Runs one round at that real time, which is also logical time. */
static uf_time at(int ms)
{
    return uf_pump_round(&pump, UF_MS(ms));
}

#define RULING(name) CASE_WITH(name, start_over, end)

RULING(test_28_a_run_is_done_by_any_end_with_the_result_it_needs)
{
    Parent p;
    int value = 0;
    Parent_init(&p, &pump, "p");
    Parent_start_Plain(&p); /* no result is needed */
    run_until_idle();
    assert_int_equal(uf_flow_outcome(&p.uf), UF_DONE);
    Parent_start_Twice(&p); /* another task of the same type */
    run_until_idle();
    assert_true(Parent_result_Twice(&p, &value));
    assert_int_equal(value, 4);
    Parent_start_Other(&p);
    run_until_idle();
    assert_int_equal(uf_flow_outcome(&p.uf), UF_FAILED);
    assert_string_equal(uf_flow_reason(&p.uf), "child.Other: ended in Real");
}

RULING(test_29_an_interval_that_changes_counts_from_the_last_due_time)
{
    Changing c;
    Changing_init(&c, &pump, "c");
    Changing_start_Slower(&c);
    run_until_idle();
    assert_log("0 10 30 60");
    log_clear();
    Changing_start_Slower(&c); /* at 60 */
    at(60);
    at(73); /* it was due at 70 */
    assert_int_equal(at(73), UF_MS(17));
    at(90);
    assert_log("60 73 90");
    uf_flow_cancel(&c.uf);
    run_until_idle();
}

RULING(an_interval_of_nothing_is_one_nanosecond)
{
    for (int interval = -1; interval <= 1; interval++) {
        Changing c;
        assert_int_equal(begin(state), 0);
        Changing_init(&c, &pump, "c");
        Changing_start_Quick(&c, interval);
        run_until_idle();
        assert_log("0 1 2 3");
    }
}

RULING(test_30_a_fire_makes_a_round_for_those_who_wait)
{
    Hearer h;
    Ringer r;
    Ringer_init(&r, &pump, "R");
    Hearer_init(&h, &pump, "H");
    Hearer_start_Wait(&h);
    Ringer_start_Ring(&r, NULL);
    at(0);
    rings = 1;
    assert_int_equal(at(5), 0);
    assert_int_equal(at(5), 0);
    at(5);
    assert_log("R0 R5 H5 R5 R5");
    uf_flow_cancel(&r.uf);
    run_until_idle();
}

RULING(test_30_a_fire_makes_a_round_although_its_waiter_leaves_meanwhile)
{
    for (int is_first = 0; is_first < 2; is_first++) {
        Hearer h;
        Ringer r;
        Ringer_init(&r, &pump, "R");
        Hearer_init(&h, &pump, "H");
        if (is_first) Hearer_start_Wait(&h);
        Ringer_start_Ring(&r, &h.uf);
        if (!is_first) Hearer_start_Wait(&h);
        at(0);
        log_clear();
        rings = 1;
        assert_int_equal(at(5), 0); /* the fire, and the cancel */
        assert_int_equal(at(5), 0); /* the waiter ends, and has not heard it */
        assert_int_equal(uf_flow_outcome(&h.uf), UF_CANCELLED);
        assert_int_not_equal(at(5), 0);
        assert_log("R5 R5 R5");
        uf_flow_cancel(&r.uf);
        run_until_idle();
        assert_int_equal(Hearer_destroy(&h), UF_OK);
        assert_int_equal(Ringer_destroy(&r), UF_OK);
    }
}

RULING(test_31_a_fire_before_the_turn_preempts_in_the_same_round)
{
    for (int is_first = 0; is_first < 2; is_first++) {
        Hearer h;
        Ringer r;
        log_clear();
        Ringer_init(&r, &pump, "R");
        Hearer_init(&h, &pump, "H");
        rings = 1;
        if (is_first) Hearer_start_Count(&h);
        Ringer_start_Ring(&r, NULL);
        if (!is_first) Hearer_start_Count(&h);
        at(0);
        at(0);
        at(0);
        if (is_first) assert_log("H1 R0 H! R0 R0"); /* fired after its turn */
        else assert_log("R0 H! R0 R0");
        uf_flow_cancel(&r.uf);
        uf_flow_cancel(&h.uf);
        run_until_idle();
        assert_int_equal(Hearer_destroy(&h), UF_OK);
        assert_int_equal(Ringer_destroy(&r), UF_OK);
    }
}

RULING(test_32_the_arms_of_an_await_are_set_anew_whatever_the_step_did_before)
{
    static const int begins[] = {20, 10, 10, 10}; /* when the body runs again */
    for (int kind = 0; kind < 4; kind++) {
        Again a;
        char expected[32];
        Again_init(&a, &pump, "a");
        a.kind = kind;
        log_clear();
        int const start = (int)now_ms();
        Again_start_Wait(&a);
        run_until_idle();
        (void)snprintf(expected, sizeof expected, "over %d", start + begins[kind] + 7);
        assert_log(expected);

        log_clear();
        Again_start_Wait(&a);
        int const again = (int)now_ms();
        assert_int_equal(uf_simulate_until(&pump, UF_MS(again + begins[kind] + 2)), UF_OK);
        uf_signal_fire(&bell);
        run_until_idle();
        (void)snprintf(expected, sizeof expected, "heard %d", again + begins[kind] + 2);
        assert_log(expected);
        assert_int_equal(Again_destroy(&a), UF_OK);
    }
}

RULING(test_33_a_flow_with_a_pending_end_is_runnable_whatever_its_body_ended_with)
{
    for (int kind = 0; kind < 5; kind++) {
        Pending p;
        Pending_init(&p, &pump, "p");
        p.kind = kind;
        log_clear();
        Pending_start_Work(&p);
        at(0);
        at(0);
        assert_int_equal(uf_flow_outcome(&p.uf), UF_CANCELLED);
        p.fires = true;
        Pending_start_Work(&p);
        at(0);
        at(0);
        at(0);
        assert_log("safe 0");
        assert_int_equal(uf_flow_outcome(&p.uf), UF_DONE);
        assert_int_equal(Pending_destroy(&p), UF_OK);
    }
}

RULING(test_34_a_poller_whose_child_ends_in_a_round_in_which_it_polls_keeps_its_place)
{
    Poll q;
    Looker p;
    Poll_init(&q, &pump, "Q");
    Looker_init(&p, &pump, "P");
    Poll_start_Look(&q, 9);
    Looker_start_Watch(&p);
    at(0);
    at(0); /* the child begins */
    at(5);
    log_clear();
    at(10); /* a timer wakes the child, which ends in its turn; then Q polls, and P sees the end at its own place */
    at(10);
    assert_log("Q10 P? P10 Q10");
    uf_flow_cancel(&q.uf);
    run_until_idle();
}

RULING(test_34_a_send_wakes_its_waiter_and_a_later_await_looks_for_itself)
{
    Box waits, later;
    Sender a, b;
    Box_init(&waits, &pump, "W");
    Box_init(&later, &pump, "L");
    Sender_init(&a, &pump, "a", &waits);
    Sender_init(&b, &pump, "b", &later);
    Box_start_Read(&waits);
    at(0);
    Box_start_Late(&later);
    at(1);
    Sender_start_Send(&a, 1);
    Sender_start_Send(&b, 2);
    while (at(2) == 0) continue;
    assert_log("W1:2 L2:2");

    log_clear(); /* one message, and one that comes while it polls */
    Box_start_Watch(&waits);
    at(3);
    assert_int_equal(Box_box_send(&waits, 3), UF_OK);
    while (at(4) == 0) continue;
    assert_log("W3:4");
    run_until_idle();
}
