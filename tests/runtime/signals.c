/* SPDX-License-Identifier: MIT */
/* signals.c - signals, callbacks and preemption, in virtual time. The flows are those of tests/host/listener.h. */
#include "signals_fixture.h"

/* -- signals ------------------------------------------------------------------------------------------------------- */

TEST(H1_waits_on_two_pumps)
{
    listen_all(1);
    for (int i = 0; i < FLOWS; i++) {
        assert_int_equal(flows[i].heard, 0);
        assert_string_equal(uf_flow_step(&flows[i].uf), "Hear");
    }
    assert_int_equal(uf_signal_fire(&bell), FLOWS);
    settle();
    for (int i = 0; i < FLOWS; i++) assert_int_equal(uf_flow_outcome(&flows[i].uf), UF_DONE);
}

static int order[16], order_count;

static void note_order(Listener *flow)
{
    order[order_count++] = (int)(flow - flows);
}

TEST(H2_one_fire_releases_all_in_the_order_of_waiting)
{
    static const int wanted[] = {2, 0, 3, 1};
    for (int i = 0; i < 4; i++) assert_int_equal(Listener_start_Listen(&flows[wanted[i]], 1, UF_FOREVER), UF_OK);
    settle();
    order_count = 0;
    for (int i = 0; i < 4; i++) flows[i].body = note_order;
    assert_int_equal(uf_signal_fire(&bell), 4);
    settle();
    assert_int_equal(order_count, 4);
    for (int i = 0; i < 4; i++) assert_int_equal(order[i], wanted[i]);
}

static int fires_told;

static void count_told(void *context, const char *name, uint32_t released)
{
    (void)context;
    (void)name;
    (void)released;
    fires_told++;
}

/* The first flow comes as a foreign waiter. The flow of the signal's home has left when the second one comes. */
TEST(H2_also_those_who_came_as_guests)
{
    uf_observer observer;
    assert_int_equal(Listener_start_Listen(&flows[4], 1, UF_FOREVER), UF_OK);
    settle();
    assert_ptr_equal(bell.home, &second);
    assert_int_equal(Listener_start_Listen(&flows[2], 1, UF_FOREVER), UF_OK);
    settle();
    assert_int_equal(bell.others, 1);
    assert_int_equal(uf_flow_cancel(&flows[4].uf), UF_OK);
    settle();
    assert_null(bell.home);
    assert_int_equal(Listener_start_Listen(&flows[0], 1, UF_FOREVER), UF_OK);
    settle();
    fires_told = 0;
    observer = (uf_observer){.signal_fired = count_told};
    uf_pump_add_observer(&pump, &observer);
    order_count = 0;
    flows[0].body = flows[2].body = note_order;
    assert_int_equal(uf_signal_fire(&bell), 2);
    settle();
    assert_int_equal(order_count, 2);
    assert_int_equal(order[0], 2);
    assert_int_equal(order[1], 0);
    assert_int_equal(fires_told, 1); /* from both at once */
    uf_pump_remove_observer(&pump, &observer);
}

TEST(H3_who_waits_later_belongs_to_the_next_cycle)
{
    listen_all(10000);
    for (int cycle = 1; cycle <= 9999; cycle++) {
        assert_int_equal(uf_signal_fire(&bell), FLOWS);
        assert_int_equal(uf_signal_fire(&bell), 0); /* no flow waits again before the next round */
        for (int i = 0; i < 3; i++) uf_pump_round(&pump, 0);
        for (int i = 0; i < 3; i++) uf_pump_round(&second, 0);
        for (int i = 0; i < FLOWS; i++) assert_int_equal(flows[i].heard, cycle);
    }
}

TEST(H4_a_fire_without_waiters_is_not_remembered)
{
    uint32_t const before = uf_signal_epoch(&bell);
    assert_int_equal(uf_signal_fire(&bell), 0);
    assert_int_equal(uf_signal_epoch(&bell), before + 1);
    listen_all(1);
    for (int i = 0; i < FLOWS; i++) assert_int_equal(flows[i].heard, 0);
}

TEST(H5_a_second_fire_in_one_cycle_does_nothing)
{
    listen_all(5);
    assert_int_equal(uf_signal_fire(&bell), FLOWS);
    assert_int_equal(uf_signal_fire(&bell), 0);
    assert_int_equal(uf_signal_fire(&bell), 0);
    settle();
    for (int i = 0; i < FLOWS; i++) assert_int_equal(flows[i].heard, 1);
}

TEST(H6_no_queue_one_fire_is_for_everyone)
{
    listen_all(3);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(uf_signal_fire(&bell), FLOWS);
        settle();
    }
    for (int i = 0; i < FLOWS; i++) assert_int_equal(flows[i].heard, 2);
}

static void fire_once(Listener *flow)
{
    if (flow->bodies == 1) uf_signal_fire(flow->signal);
}

TEST(a_fire_in_the_body_counts)
{
    flows[0].body = fire_once;
    Listener_start_Listen(&flows[0], 2, UF_FOREVER);
    settle();
    assert_int_equal(flows[0].heard, 1); /* seeing it again in the next body would count twice */
    assert_true(uf_flow_running(&flows[0].uf));
}

TEST(a_fire_from_a_step_releases_others_and_not_oneself)
{
    listen_all(2);
    flows[1].body = fire_once;
    flows[1].bodies = 0; /* fires in Heard */
    assert_int_equal(uf_signal_fire(&bell), FLOWS);
    settle();
    for (int i = 0; i < FLOWS; i++) assert_int_equal(flows[i].heard, 1);
}

TEST(a_timeout_leaves_and_is_not_counted)
{
    Listener_start_Listen(&flows[0], 1, UF_MS(5));
    Listener_start_Listen(&flows[1], 1, UF_MS(50));
    assert_int_equal(uf_simulate_until(&pump, UF_MS(10)), UF_OK);
    assert_string_equal(uf_flow_reason(&flows[0].uf), "late");
    assert_int_equal(uf_signal_fire(&bell), 1);
    assert_int_equal(uf_simulate_until(&pump, UF_MS(20)), UF_OK);
    assert_int_equal(flows[1].heard, 1);
}

/* A deadline and a fire come before one turn: the first arm in source order decides. */
TEST(fired_and_late_at_once_is_heard)
{
    Listener_start_Listen(&flows[0], 1, UF_MS(5));
    settle();
    uf_signal_fire(&bell);
    uf_pump_round(&pump, UF_MS(100));
    settle();
    assert_int_equal(flows[0].heard, 1);
    assert_int_equal(uf_flow_outcome(&flows[0].uf), UF_DONE);
}

TEST(D2_a_cancelled_waiter_takes_only_itself)
{
    listen_all(1);
    uf_flow_cancel(&flows[0].uf); /* the first one, too */
    uf_flow_cancel(&flows[2].uf);
    settle();
    assert_int_equal(uf_flow_outcome(&flows[0].uf), UF_CANCELLED);
    for (int i = 1; i < FLOWS; i += 2) assert_true(uf_flow_running(&flows[i].uf));
    assert_int_equal(uf_signal_fire(&bell), FLOWS - 2);
    settle();
    for (int i = 0; i < FLOWS; i++) assert_int_equal(flows[i].heard, i != 0 && i != 2);
}

TEST(a_cancel_after_the_fire_is_no_wait_any_more)
{
    listen_all(1);
    assert_int_equal(uf_signal_fire(&bell), FLOWS);
    uf_flow_cancel(&flows[0].uf);
    uf_flow_cancel(&flows[4].uf);
    settle();
    assert_int_equal(flows[0].heard + flows[4].heard, 0);
    assert_int_equal(flows[1].heard, 1);
}

TEST(D3_destroying_fails_the_tasks_that_wait)
{
    listen_all(2);
    uf_signal_destroy(&bell);
    assert_null(bell.home);
    assert_int_equal(bell.others, 0);
    memset(&bell, 0xa5, sizeof bell); /* this pump is the home */
    settle();
    for (int i = 0; i < FLOWS; i++) {
        assert_int_equal(uf_flow_outcome(&flows[i].uf), UF_FAILED);
        assert_string_equal(uf_flow_reason(&flows[i].uf), "closed");
    }
    bell.firing = UINT32_C(1) << 31;
}

TEST(who_was_released_before_it_was_destroyed_goes_on)
{
    listen_all(1);
    uf_signal_fire(&bell);
    uf_signal_destroy(&bell);
    memset(&bell, 0xa5, sizeof bell);
    settle();
    for (int i = 0; i < FLOWS; i++) assert_int_equal(uf_flow_outcome(&flows[i].uf), UF_DONE);
    bell.firing = UINT32_C(1) << 31;
}

TEST(no_signal_fails)
{
    flows[0].signal = NULL;
    Listener_start_Listen(&flows[0], 1, UF_FOREVER);
    settle();
    assert_string_equal(uf_flow_reason(&flows[0].uf), "no signal");
}

TEST(what_was_fired_is_looked_at_before_anybody_sleeps)
{
    Listener_start_Listen(&flows[0], 1, UF_FOREVER);
    settle();
    assert_int_equal(uf_pump_timeout(&pump), UF_FOREVER);
    uf_signal_fire(&bell); /* for example from an interrupt */
    assert_int_equal(uf_pump_timeout(&pump), 0);
    assert_int_equal(uf_simulate_until_idle(&pump, UF_S(1)), UF_OK);
    assert_int_equal(uf_pump_now(&pump), 0);
}

/* Many signals with another home share few lists. */
TEST(guests_of_many_signals_share_lists)
{
    enum { MANY = 40 };
    static Listener home[MANY], guest[MANY];
    static uf_signal signals[MANY];
    for (int i = 0; i < MANY; i++) {
        uf_signal_init(&signals[i], "one of many");
        Listener_init(&home[i], &pump, "home", &signals[i], NULL);
        Listener_init(&guest[i], &second, "guest", &signals[i], NULL);
        Listener_start_Listen(&home[i], 1, UF_FOREVER);
    }
    settle();
    for (int i = 0; i < MANY; i++) Listener_start_Listen(&guest[i], 1, UF_FOREVER);
    settle();
    for (int i = 0; i < MANY; i += 2) assert_int_equal(uf_signal_fire(&signals[i]), 2);
    settle();
    for (int i = 0; i < MANY; i++) assert_int_equal(home[i].heard + guest[i].heard, i % 2 ? 0 : 2);
    for (int i = 1; i < MANY; i += 2) uf_signal_destroy(&signals[i]);
    settle();
    for (int i = 0; i < MANY; i++) {
        assert_string_equal(uf_flow_reason(&guest[i].uf), i % 2 ? "closed" : "");
        assert_int_equal(Listener_destroy(&home[i]), UF_OK);
        assert_int_equal(Listener_destroy(&guest[i]), UF_OK);
    }
}

/* -- callbacks ----------------------------------------------------------------------------------------------------- */

static int calls, closings;

static void count_call(void *argument, uf_status status)
{
    (void)argument;
    if (status == UF_OK) calls++;
    else closings++;
}

static void destroy_it(void *argument, uf_status status)
{
    (void)status;
    uf_signal_destroy(argument);
    memset(argument, 0xa5, sizeof(uf_signal));
}

TEST(a_callback_is_called_once)
{
    uf_signal_callback first, other;
    calls = 0;
    uf_signal_subscribe(&bell, &first, count_call, NULL);
    uf_signal_subscribe(&bell, &other, count_call, NULL);
    assert_int_equal(uf_signal_fire(&bell), 2);
    assert_int_equal(calls, 2);
    assert_int_equal(uf_signal_fire(&bell), 0);
    assert_false(uf_signal_unsubscribe(&bell, &first));
    uf_signal_subscribe(&bell, &first, count_call, NULL);
    assert_true(uf_signal_unsubscribe(&bell, &first));
    assert_int_equal(uf_signal_fire(&bell), 0);
    assert_int_equal(calls, 2);
}

TEST(D3_epoch_and_wait_since_lose_nothing)
{
    uf_signal_callback callback;
    uint32_t const since = uf_signal_epoch(&bell);
    calls = 0;
    assert_int_equal(uf_signal_fire(&bell), 0); /* between the check and the wait */
    assert_int_equal(uf_signal_subscribe_since(&bell, since, &callback, count_call, NULL), UF_OK);
    assert_int_equal(uf_signal_subscribe_since(&bell, since + 1, &callback, count_call, NULL), UF_BUSY);
    assert_int_equal(uf_signal_fire(&bell), 1);
    assert_int_equal(calls, 1);
}

TEST(destroying_calls_back_with_closed)
{
    uf_signal_callback callback;
    closings = 0;
    uf_signal_subscribe(&bell, &callback, count_call, NULL);
    uf_signal_destroy(&bell);
    assert_int_equal(closings, 1);
}

TEST(a_callback_may_destroy_the_signal)
{
    uf_signal_callback callback;
    Listener_start_Listen(&flows[0], 1, UF_FOREVER);
    settle();
    uf_signal_subscribe(&bell, &callback, destroy_it, &bell);
    assert_int_equal(uf_signal_fire(&bell), 2);
    settle();
    assert_int_equal(flows[0].heard, 1);
    bell.firing = UINT32_C(1) << 31;
}

static uf_signal_callback first_called, never_called;

static void forget_the_next(void *argument, uf_status status)
{
    (void)argument, (void)status;
    calls++;
    assert_true(uf_signal_unsubscribe(&bell, &never_called));
    assert_false(uf_signal_unsubscribe(&bell, &first_called)); /* oneself */
    memset(&never_called, 0xa5, sizeof never_called);          /* this pump is the home */
}

/* This fire is to call both callbacks, but the first one unsubscribes the second. */
TEST(a_callback_may_forget_the_next)
{
    uf_signal_callback last;
    calls = closings = 0;
    uf_signal_subscribe(&bell, &first_called, forget_the_next, NULL);
    uf_signal_subscribe(&bell, &never_called, count_call, NULL);
    uf_signal_subscribe(&bell, &last, count_call, NULL);
    assert_int_equal(uf_signal_fire(&bell), 3);
    assert_int_equal(calls, 2);
    uf_signal_subscribe(&bell, &first_called, forget_the_next, NULL);
    uf_signal_subscribe(&bell, &never_called, count_call, NULL);
    uf_signal_destroy(&bell);
    assert_int_equal(calls, 3);
    assert_int_equal(closings, 0);
}

/* Waits in a loop until another thread ends it by destroying the signal. The memory of the signal must remain. */
TEST(who_waits_for_a_destroyed_signal_is_told)
{
    uf_signal_callback callback;
    calls = closings = 0;
    uf_signal_destroy(&bell);
    Listener_start_Listen(&flows[0], 1, UF_FOREVER);
    settle();
    assert_string_equal(uf_flow_reason(&flows[0].uf), "closed");
    assert_int_equal(uf_signal_subscribe_since(&bell, uf_signal_epoch(&bell), &callback, count_call, NULL), UF_CLOSED);
    uf_signal_subscribe(&bell, &callback, count_call, NULL);
    assert_int_equal(closings, 1);
    assert_int_equal(calls, 0);
    assert_null(bell.waiters);
    assert_null(bell.callbacks);
}
