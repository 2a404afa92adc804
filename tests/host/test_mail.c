/* SPDX-License-Identifier: MIT */
/* test_mail.c - room in mailboxes and `drop`, with threads and flows of several runtimes. */
#include "host_test.h"

#include <limits.h>

#include "listener.h"

enum { RUNTIMES = 2, SENDERS = 4, CAPACITY = 4 };

static uf_runtime *loops[RUNTIMES];
static Listener receiver;         /* on loops[0] */
static Listener senders[SENDERS]; /* i is on loops[i % 2] */
static uf_signal notifier;
static uf_checkpoint point;
static int accepted, refused, dropped, received;
static int log_of_orders[64];

static void count_dropped(void *item)
{
    (void)item;
    COUNT(dropped);
}

static int begin_mail(void **state)
{
    (void)state;
    accepted = refused = dropped = received = 0;
    uf_signal_init(&notifier, "notifier");
    uf_checkpoint_init(&point, "point");
    for (int i = 0; i < RUNTIMES; i++) assert_int_equal(uf_runtime_new(&loops[i], NULL), UF_OK);
    assert_int_equal(Listener_init(&receiver, uf_runtime_pump(loops[0]), "receiver", &notifier, &point), UF_OK);
    uf_mailbox_set_drop(&receiver.orders, count_dropped);
    for (int i = 0; i < SENDERS; i++) {
        uf_pump *const pump = uf_runtime_pump(loops[i % RUNTIMES]);
        assert_int_equal(Listener_init(&senders[i], pump, "sender", &notifier, &point), UF_OK);
        senders[i].target = &receiver.orders;
        senders[i].order = i + 1;
    }
    return 0;
}

static int end_mail(void **state)
{
    (void)state;
    for (int i = RUNTIMES; i-- > 0;) assert_int_equal(uf_runtime_free(loops[i]), UF_OK);
    for (int i = 0; i < SENDERS; i++) assert_int_equal(senders[i].enters, senders[i].exits);
    uf_signal_destroy(&notifier);
    uf_checkpoint_destroy(&point);
    return 0;
}

#undef TEST

static void all_idle(void)
{
    for (int i = 0; i < RUNTIMES; i++) assert_int_equal(uf_runtime_wait(loops[i], LONG), UF_OK);
}

static void fill(void)
{
    for (int i = 0; i < CAPACITY; i++) assert_int_equal(Listener_orders_send(&receiver, 0), UF_OK);
}

static uf_status send_within(int item, uf_time timeout)
{
    uf_status const status = uf_mailbox_send_wait(&receiver.orders, &item, timeout);
    if (status == UF_OK) COUNT(accepted);
    else COUNT(refused);
    return status;
}

static uint32_t queued(void)
{
    return READ(receiver.orders.room.queued);
}

static void log_order(Listener *flow)
{
    int const at = COUNT(received) - 1;
    if (at < (int)(sizeof log_of_orders / sizeof *log_of_orders)) log_of_orders[at] = flow->order;
}

static void receive(int count)
{
    receiver.body = log_order;
    assert_int_equal(Listener_start_Serve(&receiver, count), UF_OK);
    assert_int_equal(uf_flow_wait(&receiver.uf, LONG, NULL), UF_OK);
}

/* -- statuses ------------------------------------------------------------------------------------------------------ */

static void send_within_a_step(Listener *flow)
{
    flow->passed = (int)send_within(1, UF_FOREVER);
}

#define TEST(name) CASE_WITH(name, begin_mail, end_mail)

TEST(a_send_that_waits_says_why_it_did_not_send)
{
    uf_pump by_hand;
    Listener idle;
    int const item = 1;
    assert_int_equal(send_within(9, 0), UF_OK);
    receive(1);
    assert_int_equal(log_of_orders[0], 9);
    fill();
    int64_t const began = real_now();
    assert_int_equal(send_within(1, UF_MS(20)), UF_TIMED_OUT);
    assert_true(real_now() - began >= UF_MS(20));
    assert_int_equal(send_within(1, 0), UF_TIMED_OUT);
    assert_int_equal(send_within(1, INT64_MIN), UF_TIMED_OUT);
    assert_int_equal(uf_mailbox_count(&receiver.orders), CAPACITY);

    assert_int_equal(uf_mailbox_send_wait(NULL, &item, 0), UF_INVALID);
    assert_int_equal(uf_mailbox_send_wait(&receiver.orders, NULL, 0), UF_INVALID);
    senders[1].body = send_within_a_step;
    assert_int_equal(Listener_start_Listen(&senders[1], 1, UF_MS(1)), UF_OK);
    assert_int_equal(uf_flow_wait(&senders[1].uf, LONG, NULL), UF_OK);
    assert_int_equal(senders[1].passed, UF_DEADLOCK);

    assert_int_equal(uf_pump_init(&by_hand, NULL), UF_OK);
    assert_int_equal(Listener_init(&idle, &by_hand, "idle", &notifier, &point), UF_OK);
    assert_int_equal(uf_mailbox_send_wait(&idle.orders, &item, 0), UF_UNSUPPORTED);
    assert_int_equal(Listener_destroy(&idle), UF_OK);
    assert_int_equal(uf_mailbox_send_wait(&idle.orders, &item, 0), UF_CLOSED);
}

/* -- order --------------------------------------------------------------------------------------------------------- */

static void *send_hundred_and(void *number)
{
    assert_int_equal(send_within(100 + (int)(intptr_t)number, UF_FOREVER), UF_OK);
    return NULL;
}

TEST(threads_and_flows_wait_in_one_queue)
{
    pthread_t first, second;
    fill();
    assert_int_equal(pthread_create(&first, NULL, send_hundred_and, (void *)1), 0);
    UNTIL(queued() == 1);
    assert_int_equal(Listener_start_Send(&senders[0], 1), UF_OK);
    UNTIL(queued() == 2);
    assert_int_equal(pthread_create(&second, NULL, send_hundred_and, (void *)2), 0);
    UNTIL(queued() == 3);
    assert_int_equal(Listener_start_Send(&senders[1], 1), UF_OK);
    UNTIL(queued() == 4);
    for (int i = 0; i < 4; i++) {
        receive(1);
        UNTIL(uf_mailbox_count(&receiver.orders) == CAPACITY);
        assert_int_equal(queued(), 3 - i);
    }
    receive(CAPACITY);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    all_idle();
    static int const expected[] = {0, 0, 0, 0, 101, 1, 102, 2};
    for (int i = 0; i < 8; i++) assert_int_equal(log_of_orders[i], expected[i]);
}

TEST(a_thread_that_gives_up_leaves_the_queue)
{
    pthread_t second;
    fill();
    assert_int_equal(Listener_start_Send(&senders[0], 1), UF_OK);
    UNTIL(queued() == 1);
    assert_int_equal(send_within(1, UF_MS(5)), UF_TIMED_OUT);
    assert_int_equal(queued(), 1);
    assert_int_equal(pthread_create(&second, NULL, send_hundred_and, (void *)2), 0);
    UNTIL(queued() == 2);
    for (int i = 0; i < 2; i++) {
        receive(1);
        UNTIL(uf_mailbox_count(&receiver.orders) == CAPACITY);
    }
    pthread_join(second, NULL);
    all_idle();
    receive(CAPACITY);
    assert_int_equal(log_of_orders[4], 1);
    assert_int_equal(log_of_orders[5], 102);
}

/* -- crowds -------------------------------------------------------------------------------------------------------- */

#define MANY_ITEMS MANY(1000)

static void *send_many(void *number)
{
    for (int i = 0; i < MANY_ITEMS; i++) {
        if ((intptr_t)number % 2) {
            assert_int_equal(send_within(1, UF_FOREVER), UF_OK);
        } else {
            while (send_within(1, UF_US(i % 50)) != UF_OK) continue;
        }
    }
    return NULL;
}

TEST(nobody_sleeps_while_there_is_room)
{
    threads crowd;
    receiver.body = log_order;
    crowd_start(&crowd, SENDERS, send_many);
    for (int i = 0; i < SENDERS; i++) assert_int_equal(Listener_start_Send(&senders[i], MANY_ITEMS), UF_OK);
    assert_int_equal(Listener_start_Serve(&receiver, 2 * SENDERS * MANY_ITEMS), UF_OK);
    crowd_join(&crowd);
    all_idle();
    assert_int_equal(received, 2 * SENDERS * MANY_ITEMS);
    assert_int_equal(uf_mailbox_count(&receiver.orders), 0);
    assert_true(!receiver.orders.room.queue && !receiver.orders.room.others);
    assert_int_equal(receiver.orders.room.woken, 0);
}

/* The same if one thread drives both runtimes. */
TEST(linked_runtimes_wait_for_room_in_each_other)
{
    assert_int_equal(uf_runtime_link(loops[0], loops[1]), UF_OK);
    nobody_sleeps_while_there_is_room(state);
}

/* -- endings ------------------------------------------------------------------------------------------------------- */

static void *send_until_refused(void *number)
{
    uf_status status;
    (void)number;
    do status = send_within(1, UF_US(100));
    while (status == UF_OK || status == UF_TIMED_OUT);
    return (void *)(intptr_t)status;
}

static void everyone_is_refused_with(uf_status status, threads *crowd, const char *reason)
{
    for (int i = 0; i < crowd->count; i++) {
        void *ended;
        pthread_join(crowd->ids[i], &ended);
        assert_int_equal((intptr_t)ended, status);
    }
    for (int i = 1; i < SENDERS; i += 2) {
        UNTIL(!uf_flow_running(&senders[i].uf));
        assert_int_equal(uf_flow_outcome(&senders[i].uf), UF_FAILED);
        assert_non_null(strstr(uf_flow_reason(&senders[i].uf), reason));
        accepted += senders[i].passed;
    }
}

/* After the end of the mailbox: what was accepted was received or dropped, once. */
static void nothing_is_lost(void)
{
    assert_int_equal(uf_mailbox_count(&receiver.orders), 0);
    assert_int_equal(received + dropped, accepted);
}

TEST(a_destroy_drops_what_nobody_receives)
{
    threads crowd;
    crowd_start(&crowd, SENDERS, send_until_refused);
    receive(MANY(2000));
    for (int i = 1; i < SENDERS; i += 2) assert_int_equal(Listener_start_Send(&senders[i], INT_MAX), UF_OK);
    assert_int_equal(Listener_destroy(&receiver), UF_OK);
    everyone_is_refused_with(UF_CLOSED, &crowd, "closed");
    nothing_is_lost();
}

TEST(a_stop_drops_what_nobody_receives)
{
    threads crowd;
    crowd_start(&crowd, SENDERS, send_until_refused);
    receive(MANY(2000));
    for (int i = 1; i < SENDERS; i += 2) assert_int_equal(Listener_start_Send(&senders[i], INT_MAX), UF_OK);
    UNTIL(uf_mailbox_count(&receiver.orders) == CAPACITY);
    assert_int_equal(uf_runtime_stop(loops[0], LONG, NULL), UF_OK);
    everyone_is_refused_with(UF_STOPPING, &crowd, "stopping");
    assert_true(dropped >= CAPACITY);
    assert_int_equal(Listener_destroy(&receiver), UF_OK);
    nothing_is_lost();
}
