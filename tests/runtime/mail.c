/* SPDX-License-Identifier: MIT */
/* mail.c - `item`, `room` and `drop`, rule by rule, and a matrix of ways to leave the queue for room. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "uflow/pool.h"
#include "uflow/runtime.h"
#include "uflow/simulate.h"

#include "mail.h"

void page_new(page *it)
{
    ++*it->left;
}

static uf_mailbox *cleared_by_drop;

void page_free(page *it)
{
    assert_true(*it->left > 0);
    --*it->left;
    it->number = -1;
    uf_mailbox_clear(cleared_by_drop);
}

int mail_fire(uf_signal *signal, int value)
{
    uf_signal_fire(signal);
    return value;
}

/* -- item ---------------------------------------------------------------------------------------------------------- */

static Clerk clerk;

static void begin_clerk(void)
{
    assert_int_equal(Clerk_init(&clerk, &pump, "clerk"), UF_OK);
}

TEST(an_item_is_received_once_when_its_arm_has_won)
{
    int sum;
    begin_clerk();
    assert_int_equal(Clerk_start_Sum(&clerk), UF_OK);
    for (int i = 1; i <= 3; i++) assert_int_equal(Clerk_orders_send(&clerk, i), UF_OK);
    run_until_idle();
    assert_true(Clerk_result_Sum(&clerk, &sum));
    assert_int_equal(sum, 6);
    assert_int_equal(uf_mailbox_count(&clerk.orders), 0);
}

TEST(an_arm_that_does_not_win_receives_nothing)
{
    int sum;
    begin_clerk();
    assert_int_equal(Clerk_orders_send(&clerk, 5), UF_OK);
    assert_int_equal(Clerk_others_send(&clerk, 1), UF_OK);
    assert_int_equal(Clerk_start_Sum(&clerk), UF_OK);
    rounds(1);
    assert_int_equal(uf_mailbox_count(&clerk.orders), 1);
    run_until_idle();
    assert_true(Clerk_result_Sum(&clerk, &sum));
    assert_int_equal(sum, 1005);
}

TEST(an_item_is_a_result_a_reason_and_an_argument)
{
    int value;
    begin_clerk();
    assert_int_equal(Clerk_orders_send(&clerk, 7), UF_OK);
    assert_int_equal(Clerk_start_First(&clerk), UF_OK);
    run_until_idle();
    assert_true(Clerk_result_First(&clerk, &value) && value == 7);
    assert_int_equal(Clerk_orders_send(&clerk, 8), UF_OK);
    assert_int_equal(Clerk_start_Change(&clerk), UF_OK);
    run_until_idle();
    assert_true(Clerk_result_Changed(&clerk, &value) && value == 8);
    assert_int_equal(Clerk_orders_send(&clerk, 9), UF_OK);
    assert_int_equal(Clerk_start_Refuse(&clerk), UF_OK);
    run_until_idle();
    assert_string_equal(uf_flow_reason(&clerk.uf), "no 9");
}

/* Otherwise a message that owns something would be lost. */
TEST(the_step_that_gets_an_item_runs_before_a_preemption)
{
    begin_clerk();
    assert_int_equal(Clerk_start_Interrupted(&clerk), UF_OK);
    rounds(2);
    assert_int_equal(Clerk_orders_send(&clerk, 4), UF_OK);
    run_until_idle();
    assert_string_equal(uf_flow_reason(&clerk.uf), "stopped after 4");
}

TEST(a_preemption_before_the_turn_leaves_the_item)
{
    begin_clerk();
    assert_int_equal(Clerk_start_First(&clerk), UF_OK);
    rounds(2);
    assert_int_equal(Clerk_orders_send(&clerk, 4), UF_OK);
    uf_signal_fire(&clerk.stop);
    run_until_idle();
    assert_string_equal(uf_flow_reason(&clerk.uf), "stopped after 0");
    assert_int_equal(uf_mailbox_count(&clerk.orders), 1);
}

/* -- room ---------------------------------------------------------------------------------------------------------- */

enum { MOST_WAITERS = 4, MOST_PLACES = 3 };

static Clerk owner;
static uf_mailbox box;
static int items[MOST_PLACES];
static uint8_t turns[MOST_PLACES];
static Sender senders[MOST_WAITERS];
static uf_pump beside; /* the waiters' pump, if it is not the mailbox's */

static void make_box(uint32_t places)
{
    int const old = 0;
    assert_int_equal(Clerk_init(&owner, &pump, "owner"), UF_OK);
    uf_mailbox_init(&box, &owner.uf, "box", items, turns, places, sizeof(int));
    for (uint32_t i = 0; i < places; i++) assert_int_equal(uf_mailbox_send(&box, &old), UF_OK);
}

static void both_round(int count)
{
    while (count-- > 0) {
        uf_pump_round(&pump, pump.clock.real);
        uf_pump_round(&beside, beside.clock.real);
    }
}

static void start_senders(int count, uf_pump *on, int patience)
{
    for (int i = 0; i < count; i++) {
        assert_int_equal(Sender_init(&senders[i], on, "sender", &box, i + 1), UF_OK);
        assert_int_equal(Sender_start_Send(&senders[i], patience), UF_OK);
    }
    both_round(2);
}

static int begin_room(void **state)
{
    return begin(state) || uf_pump_init(&beside, NULL) != UF_OK;
}

static void free_place(void)
{
    int item;
    assert_true(uf_mailbox_receive(&box, &item));
}

static bool waits(const Sender *sender)
{
    return uf_flow_running(&sender->uf) && strcmp(uf_flow_step(&sender->uf), "Wait") == 0;
}

static void nobody_sleeps_while_there_is_room(int count)
{
    if (uf_mailbox_count(&box) == box.capacity) return;
    for (int i = 0; i < count; i++) assert_false(waits(&senders[i]));
}

#define ROOM(name) CASE_WITH(name, begin_room, NULL)

ROOM(a_freed_place_wakes_the_first_waiter_alone)
{
    make_box(2);
    start_senders(3, &pump, 1000);
    uint64_t const turns_before = senders[1].uf.ticks;
    free_place();
    rounds(4);
    assert_log("1");
    assert_int_equal(senders[1].uf.ticks, turns_before);
    assert_true(waits(&senders[1]) && waits(&senders[2]));
    assert_int_equal(box.room.queued, 2);
    assert_int_equal(box.room.woken, 0);
    uf_mailbox_destroy(&box);
}

ROOM(who_was_woken_hands_on_whatever_arm_it_took)
{
    make_box(1);
    start_senders(2, &pump, 1000);
    free_place();
    uf_signal_fire(&senders[0].other);
    rounds(4);
    assert_log("2");
    assert_int_equal(uf_flow_outcome(&senders[0].uf), UF_DONE);
    uf_mailbox_destroy(&box);
}

ROOM(a_waiter_that_finds_it_full_again_keeps_its_place)
{
    int const hasty = 99;
    make_box(1);
    start_senders(3, &pump, 1000);
    free_place();
    assert_int_equal(uf_mailbox_send(&box, &hasty), UF_OK); /* before the turn of the first */
    rounds(3);
    assert_log("");
    free_place();
    rounds(4);
    assert_log("1");
    uf_mailbox_destroy(&box);
}

ROOM(room_is_a_level_without_reservation)
{
    make_box(1);
    free_place();
    for (int i = 0; i < 2; i++) {
        assert_int_equal(Sender_init(&senders[i], &pump, "sender", &box, i + 1), UF_OK);
        assert_int_equal(Sender_start_HandOn(&senders[i]), UF_OK);
    }
    rounds(2);
    assert_false(uf_flow_running(&senders[0].uf) || uf_flow_running(&senders[1].uf));
    uf_mailbox_destroy(&box);
}

ROOM(within_all_room_counts_when_the_other_event_is_there)
{
    make_box(1);
    for (int i = 0; i < 2; i++) assert_int_equal(Sender_init(&senders[i], &pump, "sender", &box, i + 1), UF_OK);
    assert_int_equal(Sender_start_Both(&senders[0]), UF_OK);
    assert_int_equal(Sender_start_Send(&senders[1], 1000), UF_OK);
    rounds(2);
    free_place();
    rounds(4);
    assert_log("2"); /* the first one waits for its signal, and holds nobody up */
    uf_signal_fire(&senders[0].other);
    rounds(2);
    assert_log("2");
    free_place();
    rounds(4);
    assert_log("2 1");
    uf_mailbox_destroy(&box);
}

ROOM(room_fails_when_the_mailbox_is_destroyed)
{
    make_box(1);
    start_senders(2, &beside, 1000);
    assert_int_equal(Sender_init(&senders[2], &beside, "sender", &box, 3), UF_OK);
    assert_int_equal(Sender_start_Both(&senders[2]), UF_OK);
    both_round(2);
    uf_mailbox_destroy(&box);
    both_round(4);
    assert_log("1:closed 2:closed");
    assert_string_equal(uf_flow_reason(&senders[2].uf), "box: closed");
    assert_true(!box.room.queue && !box.room.others);
    assert_int_equal(Sender_start_Send(&senders[0], 10), UF_OK);
    both_round(2);
    assert_string_equal(uf_flow_reason(&senders[0].uf), "closed");
}

ROOM(room_fails_when_the_owner_is_stopped)
{
    uf_stop stop;
    make_box(1);
    start_senders(2, &beside, 1000);
    assert_int_equal(Sender_init(&senders[2], &beside, "sender", &box, 3), UF_OK);
    assert_int_equal(Sender_start_Both(&senders[2]), UF_OK);
    both_round(2);
    assert_int_equal(uf_pump_stop(&pump, &stop, UF_S(1)), UF_OK);
    both_round(3);
    assert_log("1:stopping 2:stopping");
    assert_string_equal(uf_flow_reason(&senders[2].uf), "owner.box: stopping");
    assert_int_equal(Sender_start_Send(&senders[0], 10), UF_OK);
    both_round(2);
    assert_string_equal(uf_flow_reason(&senders[0].uf), "stopping");
    both_round(4);
    assert_int_equal(uf_pump_restart(&pump), UF_OK);
    log_clear();
    assert_int_equal(Sender_start_Send(&senders[0], 10), UF_OK);
    both_round(2);
    free_place();
    both_round(3);
    assert_log("1");
    uf_mailbox_destroy(&box);
}

ROOM(without_a_mailbox_room_fails)
{
    assert_int_equal(Sender_init(&senders[0], &pump, "sender", NULL, 1), UF_OK);
    assert_int_equal(Sender_start_Send(&senders[0], 10), UF_OK);
    rounds(2);
    assert_string_equal(uf_flow_reason(&senders[0].uf), "invalid");
}

typedef enum leaving { WON, TIMED_OUT, CANCELLED, PREEMPTED, OTHER_ARM, DESTROYED, LEAVINGS } leaving;

static void make_leave(Sender *victim, leaving why)
{
    switch (why) {
    case WON: break;
    case TIMED_OUT: uf_pump_round(victim->uf.pump, victim->uf.pump->clock.real + UF_MS(100)); break;
    case CANCELLED: assert_int_equal(uf_flow_cancel(&victim->uf), UF_OK); break;
    case PREEMPTED: uf_signal_fire(&victim->stop); break;
    case OTHER_ARM: uf_signal_fire(&victim->other); break;
    case DESTROYED: uf_mailbox_destroy(&box); break;
    case LEAVINGS: fail(); break;
    }
}

/* A waiter leaves the queue after `freed` places became free, and before the turns of those that are woken. */
static void leave_in_one_way(uint32_t places, int count, uf_pump *on, leaving why, int which, uint32_t freed, bool late)
{
    log_clear();
    make_box(places);
    start_senders(count, on, why == TIMED_OUT ? 50 : 100000);
    assert_int_equal(box.room.queued, count);
    if (late) make_leave(&senders[which], why);
    for (uint32_t i = 0; i < freed && !(late && why == DESTROYED); i++) free_place();
    if (!late) make_leave(&senders[which], why);
    if (why == DESTROYED) {
        both_round(8);
        for (int i = 0; i < count; i++) assert_false(uf_flow_running(&senders[i].uf));
        assert_true(!box.room.queue && !box.room.others);
        assert_int_equal(box.room.queued, 0);
        return;
    }
    both_round(8);
    nobody_sleeps_while_there_is_room(count);
    for (int i = 0; i < count; i++) { /* the rest, place by place */
        if (uf_mailbox_count(&box)) free_place();
        both_round(8);
        nobody_sleeps_while_there_is_room(count);
    }
    char expected[64] = "";
    for (int i = 0; i < count; i++) {
        assert_false(uf_flow_running(&senders[i].uf));
        bool const sent = why == WON || (why != TIMED_OUT && i != which);
        if (sent) sprintf(expected + strlen(expected), "%s%d", *expected ? " " : "", i + 1);
    }
    if (why != TIMED_OUT && on == &pump) assert_log(expected);
    assert_true(!box.room.queue && !box.room.others);
    assert_int_equal(box.room.queued + box.room.woken, 0);
    assert_null(box.room.hander);
    uf_mailbox_destroy(&box);
}

ROOM(nobody_sleeps_while_there_is_room_whoever_leaves)
{
    for (uint32_t places = 1; places <= MOST_PLACES; places++) {
        for (int count = 1; count <= MOST_WAITERS; count++) {
            for (int why = 0; why < LEAVINGS; why++) {
                for (int which = 0; which < count; which++) {
                    for (uint32_t freed = 0; freed <= places; freed++) {
                        for (int how = 0; how < 4; how++) {
                            assert_int_equal(begin_room(state), 0);
                            leave_in_one_way(places, count, how & 1 ? &beside : &pump, (leaving)why, which, freed,
                                             how & 2);
                        }
                    }
                }
            }
        }
    }
}

/* -- drop ---------------------------------------------------------------------------------------------------------- */

static int left;

static void send_page(Reader *reader, uf_status expected)
{
    page it = {1, &left};
    page_new(&it);
    assert_int_equal(Reader_pages_send(reader, it), expected);
    if (expected != UF_OK) page_free(&it);
}

TEST(unread_items_are_dropped_by_a_destroy)
{
    Reader reader;
    left = 0;
    assert_int_equal(Reader_init(&reader, &pump, "reader"), UF_OK);
    for (int i = 0; i < 8; i++) send_page(&reader, UF_OK);
    send_page(&reader, UF_FULL);
    assert_int_equal(left, 8);
    assert_int_equal(Reader_destroy(&reader), UF_OK);
    assert_int_equal(left, 0);
    send_page(&reader, UF_CLOSED);
}

TEST(a_receive_hands_the_item_over)
{
    Reader reader;
    left = 0;
    assert_int_equal(Reader_init(&reader, &pump, "reader"), UF_OK);
    assert_int_equal(Reader_start_Read(&reader), UF_OK);
    send_page(&reader, UF_OK);
    send_page(&reader, UF_OK);
    rounds(4);
    assert_int_equal(reader.received, 2);
    assert_int_equal(left, 0);
    send_page(&reader, UF_OK);
    uf_mailbox_clear(&reader.pages); /* between the uses of a member of a pool */
    assert_int_equal(left, 0);
    rounds(2);
    assert_int_equal(reader.received, 2);
    assert_int_equal(uf_flow_cancel(&reader.uf), UF_OK);
    rounds(2);
    assert_int_equal(Reader_destroy(&reader), UF_OK);
}

TEST(a_drop_function_may_clear_the_mailbox)
{
    Reader reader;
    left = 0;
    assert_int_equal(Reader_init(&reader, &pump, "reader"), UF_OK);
    for (int i = 0; i < 8; i++) send_page(&reader, UF_OK);
    cleared_by_drop = &reader.pages;
    uf_mailbox_clear(&reader.pages);
    cleared_by_drop = NULL;
    assert_int_equal(left, 0); /* each item was dropped once */
    for (int i = 0; i < 8; i++) send_page(&reader, UF_OK);
    send_page(&reader, UF_FULL);
    assert_int_equal(Reader_destroy(&reader), UF_OK);
}

TEST(clearing_makes_room)
{
    Reader reader;
    left = 0;
    assert_int_equal(Reader_init(&reader, &pump, "reader"), UF_OK);
    for (int i = 0; i < 8; i++) send_page(&reader, UF_OK);
    assert_int_equal(Reader_start_Own(&reader), UF_OK);
    rounds(2);
    assert_true(uf_flow_running(&reader.uf));
    uf_mailbox_clear(&reader.pages);
    rounds(2);
    assert_int_equal(uf_flow_outcome(&reader.uf), UF_DONE);
    assert_int_equal(Reader_destroy(&reader), UF_OK);
}

TEST(unread_items_are_dropped_at_the_end_of_a_stop)
{
    Reader reader;
    uf_stop stop;
    left = 0;
    assert_int_equal(Reader_init(&reader, &pump, "reader"), UF_OK);
    assert_int_equal(Clerk_init(&clerk, &pump, "clerk"), UF_OK);
    assert_int_equal(Reader_start_Idle(&reader), UF_OK);
    send_page(&reader, UF_OK);
    send_page(&reader, UF_OK);
    assert_int_equal(Clerk_orders_send(&clerk, 1), UF_OK);
    rounds(1);
    assert_int_equal(uf_pump_stop(&pump, &stop, UF_S(1)), UF_OK);
    assert_int_equal(left, 2);
    rounds(5);
    assert_true(uf_pump_stopped(&pump));
    assert_int_equal(left, 0);
    assert_int_equal(uf_mailbox_count(&clerk.orders), 1); /* owns nothing: still there after a restart */
    send_page(&reader, UF_STOPPING);
    assert_int_equal(uf_pump_restart(&pump), UF_OK);
    send_page(&reader, UF_OK);
    assert_int_equal(Reader_destroy(&reader), UF_OK);
    assert_int_equal(left, 0);
}

/* -- an item is seen by the step that gets it, or stays in the mailbox --------------------------------------------- */

typedef enum work { READ, HAND, POLL, FETCH, KEPT_READ, KEPT_HAND, KEPT_FETCH, WORKS } work;

static void start_work(Keeper *keeper, work which, int most)
{
    switch (which) {
    case READ: assert_int_equal(Owner_start_Read(&keeper->owner), UF_OK); break;
    case HAND: assert_int_equal(Owner_start_Hand(&keeper->owner), UF_OK); break;
    case POLL: assert_int_equal(Owner_start_Poll(&keeper->owner), UF_OK); break;
    case FETCH: assert_int_equal(Owner_start_Fetch(&keeper->owner), UF_OK); break;
    case KEPT_FETCH: assert_int_equal(Keeper_start_Fetch(keeper, most), UF_OK); break;
    case KEPT_READ: assert_int_equal(Keeper_start_Read(keeper, most), UF_OK); break;
    case KEPT_HAND: assert_int_equal(Keeper_start_Hand(keeper, most), UF_OK); break;
    case WORKS: fail(); break;
    }
}

static void send_one_page(Keeper *keeper)
{
    page it = {1, &left};
    page_new(&it);
    if (Owner_pages_send(&keeper->owner, it) != UF_OK) page_free(&it);
}

/* `how`: bit 0: cancel the owner; bit 1: preempt it; bit 2: a page arrives in each round. */
static void end_in_one_way(work which, int how, int when, int pages)
{
    Keeper keeper;
    left = 0;
    assert_int_equal(Keeper_init(&keeper, &pump, "keeper", &left), UF_OK);
    for (int i = 0; i < pages; i++) send_one_page(&keeper);
    start_work(&keeper, which, when);
    for (int i = 0; i < when; i++) {
        if (how & 4) send_one_page(&keeper);
        rounds(1);
    }
    if (how & 2) uf_signal_fire(&keeper.owner.stop);
    if (how & 1) (void)uf_flow_cancel(&keeper.owner.uf);
    rounds(6);
    (void)uf_flow_cancel(&keeper.uf);
    (void)uf_flow_cancel(&keeper.owner.uf);
    rounds(2);
    assert_int_equal(Keeper_destroy(&keeper), UF_OK);
    assert_int_equal(left, 0);
}

TEST(no_ending_at_any_moment_loses_an_item)
{
    assert_int_equal(uf_pump_init(&pump, &(uf_pump_config){.pool = uf_pool_inline()}), UF_OK);
    for (int which = 0; which < WORKS; which++) {
        for (int how = 0; how < 8; how++) {
            for (int when = 0; when < 10; when++) {
                for (int pages = 0; pages <= 4; pages++) end_in_one_way((work)which, how, when, pages);
            }
        }
    }
}

enum { READERS = 1000, LINES = 50 };

/* One client does not read. Its unread messages are bounded by its mailbox, and nothing is left at the end. */
TEST(a_chat_with_one_who_does_not_read)
{
    static Reader readers[READERS];
    static Chat chat;
    int most = 0;
    left = 0;
    assert_int_equal(Chat_init(&chat, &pump, "chat", readers, READERS), UF_OK);
    for (int i = 0; i < READERS; i++) {
        assert_int_equal(Reader_init(&readers[i], &pump, "reader"), UF_OK);
        assert_int_equal(i == 7 ? Reader_start_Idle(&readers[i]) : Reader_start_Read(&readers[i]), UF_OK);
    }
    assert_int_equal(Chat_start_Speak(&chat), UF_OK);
    for (int i = 0; i < LINES; i++) {
        page line = {i, &left};
        page_new(&line);
        assert_int_equal(Chat_lines_send(&chat, line), UF_OK);
        rounds(3);
        if (left > most) most = left;
    }
    assert_int_equal(chat.refused, LINES - 8);
    assert_int_equal(chat.sent, READERS * LINES - chat.refused);
    assert_true(most <= READERS + 8);
    assert_int_equal(left, 8);
    uf_pump_cancel_all(&pump);
    rounds(2);
    for (int i = 0; i < READERS; i++) assert_int_equal(Reader_destroy(&readers[i]), UF_OK);
    assert_int_equal(Chat_destroy(&chat), UF_OK);
    assert_int_equal(left, 0);
}
