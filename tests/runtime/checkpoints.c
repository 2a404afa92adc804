/* SPDX-License-Identifier: MIT */
/* checkpoints.c - checkpoints and mailboxes in virtual time, with a flow as the controller. The flows are those of
 * tests/host/listener.h. */
#include <string.h>

#include "../cases.h"

#include "uflow/generated.h"
#include "uflow/simulate.h"

#include "listener.h"

enum { FLOWS = 4 };

static uf_pump pump;
static uf_checkpoint point = UF_CHECKPOINT("point");
static Listener flows[FLOWS];

static int setup(void **state)
{
    (void)state;
    uf_pump_init(&pump, NULL);
    uf_checkpoint_init(&point, "point");
    for (int i = 0; i < FLOWS; i++) assert_int_equal(Listener_init(&flows[i], &pump, "listener", NULL, &point), UF_OK);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    uf_pump_cancel_all(&pump);
    assert_int_equal(uf_simulate_until_idle(&pump, UF_S(1000)), UF_OK);
    for (int i = 0; i < FLOWS; i++) {
        assert_int_equal(flows[i].enters, flows[i].exits);
        assert_int_equal(Listener_destroy(&flows[i]), UF_OK);
    }
    assert_int_equal(uf_checkpoint_parked(&point), 0);
    uf_checkpoint_destroy(&point);
    return 0;
}

static void settle(void)
{
    for (int i = 0; i < 20; i++) uf_pump_round(&pump, uf_pump_now(&pump));
}

static void pass_all(int times)
{
    for (int i = 0; i < FLOWS; i++) assert_int_equal(Listener_start_Pass(&flows[i], times, UF_FOREVER), UF_OK);
    settle();
}

/* -- checkpoints --------------------------------------------------------------------------------------------------- */

#define TEST(name) CASE_WITH(name, setup, teardown)

TEST(I2_arming_twice_is_busy)
{
    assert_int_equal(uf_checkpoint_try_arm(&point), UF_OK);
    assert_int_equal(uf_checkpoint_state(&point), UF_CHECKPOINT_ARMED);
    assert_int_equal(uf_checkpoint_try_arm(&point), UF_BUSY);
    pass_all(1);
    assert_int_equal(uf_checkpoint_state(&point), UF_CHECKPOINT_HELD);
    assert_int_equal(uf_checkpoint_try_arm(&point), UF_BUSY);
    assert_int_equal(uf_checkpoint_resume(&point), FLOWS);
    assert_int_equal(uf_checkpoint_try_arm(&point), UF_OK);
}

TEST(I3_unarmed_nobody_stops)
{
    Listener_start_Pass(&flows[0], 1000000, UF_FOREVER);
    assert_int_equal(uf_simulate_until_idle(&pump, UF_S(1)), UF_OK);
    assert_int_equal(flows[0].passed, 1000000);
    assert_int_equal(uf_pump_now(&pump), 0);
}

TEST(I4_armed_all_stop_and_the_first_confirms)
{
    assert_int_equal(uf_checkpoint_try_arm(&point), UF_OK);
    for (int i = 0; i < 3; i++) {
        Listener_start_Pass(&flows[i], 1, UF_FOREVER);
        settle();
        assert_int_equal(uf_checkpoint_parked(&point), i + 1);
        assert_int_equal(uf_checkpoint_state(&point), UF_CHECKPOINT_HELD);
    }
    for (int i = 0; i < 3; i++) assert_int_equal(flows[i].passed, 0);
}

TEST(I5_resume_lets_all_go_once)
{
    assert_int_equal(uf_checkpoint_resume(&point), 0); /* no flow is held: no effect */
    uf_checkpoint_try_arm(&point);
    pass_all(1);
    assert_int_equal(uf_checkpoint_resume(&point), FLOWS);
    assert_int_equal(uf_checkpoint_resume(&point), 0);
    settle();
    for (int i = 0; i < FLOWS; i++) assert_int_equal(flows[i].passed, 1);
}

TEST(I6_a_thousand_cycles_leave_nothing_stale)
{
    pass_all(0); /* never ends */
    for (int cycle = 0; cycle < 1000; cycle++) {
        assert_int_equal(uf_checkpoint_try_arm(&point), UF_OK);
        settle();
        assert_int_equal(uf_checkpoint_parked(&point), FLOWS);
        int const passed = flows[0].passed;
        settle();
        assert_int_equal(flows[0].passed, passed);
        assert_int_equal(uf_checkpoint_resume(&point), FLOWS);
        assert_int_equal(uf_checkpoint_state(&point), UF_CHECKPOINT_UNARMED);
        settle();
        assert_true(flows[0].passed > passed + 1); /* the next time it passed without stopping */
    }
}

TEST(D3_after_resume_it_is_not_armed)
{
    uf_checkpoint_try_arm(&point);
    Listener_start_Pass(&flows[0], 2, UF_FOREVER);
    settle();
    uf_checkpoint_resume(&point);
    settle();
    assert_int_equal(flows[0].passed, 2); /* a one-shot checkpoint does not stop it again */
}

TEST(D3_resume_before_the_arrival_disarms)
{
    uf_checkpoint_try_arm(&point);
    assert_int_equal(uf_checkpoint_resume(&point), 0);
    Listener_start_Pass(&flows[0], 1, UF_FOREVER);
    settle();
    assert_int_equal(flows[0].passed, 1);
}

TEST(D3_disarm_leaves_no_trap)
{
    assert_int_equal(uf_checkpoint_disarm(&point), UF_OK); /* nothing */
    uf_checkpoint_try_arm(&point);
    assert_int_equal(uf_checkpoint_disarm(&point), UF_OK);
    Listener_start_Pass(&flows[0], 1, UF_FOREVER);
    settle();
    assert_int_equal(flows[0].passed, 1);
    uf_checkpoint_try_arm(&point);
    Listener_start_Pass(&flows[0], 1, UF_FOREVER);
    settle();
    assert_int_equal(uf_checkpoint_disarm(&point), UF_BUSY);
}

TEST(D2_cancelling_the_first_that_stands_there_lets_nobody_go)
{
    uf_checkpoint_try_arm(&point);
    pass_all(1);
    uf_flow_cancel(&flows[0].uf);
    settle();
    assert_int_equal(uf_checkpoint_parked(&point), FLOWS - 1);
    for (int i = 0; i < FLOWS; i++) assert_int_equal(flows[i].passed, 0);
    assert_int_equal(uf_checkpoint_resume(&point), FLOWS - 1);
    settle();
    for (int i = 1; i < FLOWS; i++) assert_int_equal(flows[i].passed, 1);
}

TEST(who_leaves_by_another_arm_stands_there_no_more)
{
    uf_checkpoint_try_arm(&point);
    Listener_start_Pass(&flows[0], 1, UF_MS(5));
    settle();
    assert_int_equal(uf_checkpoint_state(&point), UF_CHECKPOINT_HELD);
    assert_int_equal(uf_simulate_until(&pump, UF_MS(10)), UF_OK);
    assert_string_equal(uf_flow_reason(&flows[0].uf), "late");
    assert_int_equal(uf_checkpoint_state(&point), UF_CHECKPOINT_ARMED);
    Listener_start_Pass(&flows[1], 1, UF_FOREVER); /* holds the next flow */
    settle();
    assert_int_equal(uf_checkpoint_parked(&point), 1);
}

/* Another arm is ready at once, so the flow is never held. */
TEST(who_does_not_park_does_not_arrive)
{
    uf_checkpoint_try_arm(&point);
    uint32_t const arrivals = uf_signal_epoch(&point.arrived);
    Listener_start_Pass(&flows[0], 1, 0);
    settle();
    assert_string_equal(uf_flow_reason(&flows[0].uf), "late");
    assert_int_equal(uf_signal_epoch(&point.arrived), arrivals);
}

TEST(I1_a_flow_arms_and_goes_on_when_another_stands_there)
{
    Listener_start_Hold(&flows[0], 1);
    settle();
    assert_string_equal(uf_flow_step(&flows[0].uf), "Arm");
    Listener_start_Pass(&flows[1], 1, UF_FOREVER);
    settle();
    assert_int_equal(flows[0].let_go, 1);
    assert_int_equal(flows[1].passed, 1);
    assert_int_equal(uf_flow_outcome(&flows[0].uf), UF_DONE);
}

TEST(a_controller_waits_again_if_nobody_is_left_there)
{
    Listener_start_Hold(&flows[0], 1);
    settle();
    Listener_start_Pass(&flows[1], 1, UF_FOREVER);
    uf_pump_round(&pump, 0); /* held, but the controller has not been notified */
    assert_int_equal(uf_checkpoint_parked(&point), 1);
    uf_pump_round(&pump, 0);
    uf_flow_cancel(&flows[0].uf);
    settle();
    uf_flow_cancel(&flows[1].uf);
    settle();
    assert_int_equal(uf_checkpoint_disarm(&point), UF_OK);
}

TEST(destroying_fails_those_who_stand_there)
{
    uf_checkpoint_try_arm(&point);
    pass_all(1);
    uf_checkpoint_destroy(&point);
    memset(&point, 0xa5, sizeof point);
    settle();
    for (int i = 0; i < FLOWS; i++) assert_string_equal(uf_flow_reason(&flows[i].uf), "closed");
    uf_checkpoint_init(&point, "point");
}

static char seen[100];

static void see_parked(void *context, const uf_flow *flow, const char *name)
{
    (void)context;
    strcat(seen, uf_flow_name(flow));
    strcat(seen, " at ");
    strcat(seen, name);
}

TEST(observers_see_who_stops)
{
    uf_observer observer = {.checkpoint_parked = see_parked};
    seen[0] = '\0';
    uf_pump_add_observer(&pump, &observer);
    Listener_start_Pass(&flows[0], 1, UF_FOREVER);
    settle();
    assert_string_equal(seen, "");
    uf_checkpoint_try_arm(&point);
    Listener_start_Pass(&flows[0], 1, UF_FOREVER);
    settle();
    assert_string_equal(seen, "listener at point");
    uf_pump_remove_observer(&pump, &observer);
}

/* -- mailboxes ----------------------------------------------------------------------------------------------------- */

static int received[64], received_count;

static void note_order(Listener *flow)
{
    received[received_count++] = flow->order;
}

static void destroy_it(void *context, const uf_flow *flow, const char *name)
{
    (void)context, (void)flow, (void)name;
    uf_checkpoint_destroy(&point);
}

/* The resume comes in the turn in which the flow parks: the flow is not left held. */
TEST(an_observer_may_destroy_what_one_stops_at)
{
    uf_observer observer = {.checkpoint_parked = destroy_it};
    assert_int_equal(uf_pump_add_observer(&pump, &observer), UF_OK);
    assert_int_equal(uf_checkpoint_try_arm(&point), UF_OK);
    Listener_start_Pass(&flows[0], 1, UF_FOREVER);
    settle();
    assert_string_equal(uf_flow_reason(&flows[0].uf), "closed");
    assert_int_equal(uf_pump_remove_observer(&pump, &observer), UF_OK);
}

TEST(a_mailbox_keeps_the_order_and_says_when_it_is_full)
{
    received_count = 0;
    flows[0].body = note_order;
    for (int i = 0; i < 4; i++) assert_int_equal(Listener_orders_send(&flows[0], i), UF_OK);
    assert_int_equal(Listener_orders_send(&flows[0], 4), UF_FULL);
    assert_string_equal(uf_status_text(UF_FULL), "full");
    assert_int_equal(uf_mailbox_count(&flows[0].orders), 4);
    Listener_start_Serve(&flows[0], 6);
    settle();
    assert_int_equal(uf_mailbox_count(&flows[0].orders), 0);
    assert_int_equal(Listener_orders_send(&flows[0], 10), UF_OK);
    settle();
    assert_int_equal(Listener_orders_send(&flows[0], 11), UF_OK);
    settle();
    assert_int_equal(uf_flow_outcome(&flows[0].uf), UF_DONE);
    static const int wanted[] = {0, 1, 2, 3, 10, 11};
    assert_int_equal(received_count, 6);
    for (int i = 0; i < 6; i++) assert_int_equal(received[i], wanted[i]);
}

/* A flow is woken, but another one has taken the message. */
TEST(a_mailbox_that_is_empty_again_is_waited_for_again)
{
    int item;
    Listener_start_Serve(&flows[0], 1);
    settle();
    assert_int_equal(Listener_orders_send(&flows[0], 1), UF_OK);
    assert_true(Listener_orders_receive(&flows[0], &item));
    assert_false(Listener_orders_receive(&flows[0], &item));
    settle();
    assert_true(uf_flow_running(&flows[0].uf));
    assert_int_equal(uf_pump_timeout(&pump), UF_FOREVER);
    assert_int_equal(Listener_orders_send(&flows[0], 2), UF_OK);
    settle();
    assert_int_equal(flows[0].order, 2);
}

/* Positions wrap at a multiple of the capacity. */
TEST(positions_of_a_mailbox_wrap)
{
    uf_mailbox box;
    unsigned char items[3];
    uint8_t turns[3];
    uf_mailbox_init(&box, &flows[0].uf, "box", items, turns, 3, 1);
    assert_int_equal(box.limit % 3, 0);
    box.head = box.tail = box.limit - 3;
    for (int i = 0; i < 3; i++) turns[i] = (uint8_t)((box.limit / 3 - 1) * 2);
    for (unsigned char i = 0; i < 30; i++) {
        unsigned char const next = (unsigned char)(i + 100);
        unsigned char got[2];
        assert_int_equal(uf_mailbox_send(&box, &i), UF_OK);
        assert_int_equal(uf_mailbox_send(&box, &next), UF_OK);
        assert_int_equal(uf_mailbox_count(&box), 2);
        assert_true(uf_mailbox_receive(&box, &got[0]));
        assert_true(uf_mailbox_receive(&box, &got[1]));
        assert_false(uf_mailbox_receive(&box, &got[1]));
        assert_int_equal(got[0], i);
        assert_int_equal(got[1], next);
    }
    uf_mailbox_destroy(&box);
}

TEST(a_mailbox_of_one)
{
    uf_mailbox box;
    int item, got;
    uint8_t turn;
    uf_mailbox_init(&box, &flows[0].uf, "box", &item, &turn, 1, sizeof item);
    for (int i = 0; i < 10; i++) {
        assert_int_equal(uf_mailbox_send(&box, &i), UF_OK);
        assert_int_equal(uf_mailbox_send(&box, &i), UF_FULL);
        assert_true(uf_mailbox_receive(&box, &got));
        assert_int_equal(got, i);
    }
    uf_mailbox_destroy(&box);
}

TEST(a_destroyed_mailbox_is_closed)
{
    uf_mailbox_destroy(&flows[0].orders);
    assert_int_equal(Listener_orders_send(&flows[0], 1), UF_CLOSED);
}
