/* SPDX-License-Identifier: MIT */
/* Room in a mailbox: threads and flows of another pump that wait for it, a receiver, timeouts, destroy and stop. */
#include "listening.h"

enum { CAPACITY = 4 };

static int sent, refused;

static void begin_mail(void)
{
    begin_listening();
    sent = refused = 0;
    here[0].target = here[1].target = &there.orders;
}

static void fill(void)
{
    for (int i = 0; i < CAPACITY; i++) MUST(Listener_orders_send(&there, i) == UF_OK);
}

static uf_status send_within(uf_time timeout)
{
    int const item = 1;
    uf_status const status = uf_mailbox_send_wait(&there.orders, &item, timeout);

    if (status == UF_OK) __atomic_add_fetch(&sent, 1, __ATOMIC_SEQ_CST);
    else __atomic_add_fetch(&refused, 1, __ATOMIC_SEQ_CST);
    return status;
}

static void send_three(void *argument)
{
    (void)argument;
    for (int i = 0; i < 3; i++) MUST(send_within(UF_FOREVER) == UF_OK);
}

static void send_one(void *argument)
{
    (void)argument;
    MUST(send_within(UF_FOREVER) == UF_OK);
}

static void send_soon(void *argument)
{
    uf_status const status = send_within(UF_MS(1));
    (void)argument;
    MUST(status == UF_OK || status == UF_TIMED_OUT);
}

static void send_refused(void *argument)
{
    uf_status const status = send_within(UF_FOREVER);
    MUST(status == (uf_status)(intptr_t)argument);
}

static void send_closed(void *mailbox)
{
    int const item = 1;
    uf_status const status = uf_mailbox_send_wait(mailbox, &item, UF_FOREVER);
    MUST(status == UF_OK || status == UF_CLOSED);
}

/* The queue for room, as it must be when nobody waits. */
static void nobody_waits(void)
{
    const uf_room *const room = &there.orders.room;
    MUST(!room->queue && !room->returned && !room->others && room->queued == 0 && room->woken == 0 && !room->hander);
}

static void wait_until_queued(uint32_t count)
{
    while (ufp_load_seq_cst(&there.orders.room.queued) < count) schedule_pause();
}

static void room_for_all(void)
{
    begin_mail();
    spawn(send_three, NULL);
    spawn(send_three, NULL);
    MUST(Listener_start_Send(&here[0], 3) == UF_OK);
    MUST(Listener_start_Send(&here[1], 2) == UF_OK);
    MUST(Listener_start_Serve(&there, 11) == UF_OK);
    join();
    both_are_idle();
    MUST(sent == 6 && uf_mailbox_count(&there.orders) == 0);
    nobody_waits();
    end_listening();
}

/* One place becomes free while a thread begins to wait for it. */
static void room_for_one(void)
{
    begin_mail();
    fill();
    spawn(send_one, NULL);
    MUST(Listener_start_Serve(&there, 1) == UF_OK);
    join();
    both_are_idle();
    MUST(sent == 1);
    nobody_waits();
    end_listening();
}

/* Two places become free. A flow that was woken for one of them may be cancelled before its turn. */
static void room_cancelled(void)
{
    begin_mail();
    fill();
    MUST(Listener_start_Send(&here[0], 1) == UF_OK);
    wait_until_queued(1);
    spawn(send_one, NULL);
    wait_until_queued(2);
    MUST(Listener_start_Serve(&there, 1) == UF_OK);
    MUST(uf_flow_cancel(&here[0].uf) == UF_OK);
    MUST(uf_runtime_wait(runtime, UF_FOREVER) == UF_OK);
    if (uf_flow_outcome(&here[0].uf) == UF_DONE) {
        MUST(uf_runtime_wait(second, UF_FOREVER) == UF_OK);
        MUST(Listener_start_Serve(&there, 1) == UF_OK);
    }
    join();
    both_are_idle();
    MUST(sent == 1);
    nobody_waits();
    end_listening();
}

/* The first thread may time out after it was woken. Then the second one gets the place. */
static void room_timed_out(void)
{
    begin_mail();
    fill();
    spawn(send_soon, NULL);
    spawn(send_one, NULL);
    MUST(Listener_start_Serve(&there, 1) == UF_OK);
    while (__atomic_load_n(&sent, __ATOMIC_SEQ_CST) + __atomic_load_n(&refused, __ATOMIC_SEQ_CST) == 0)
        schedule_pause();
    MUST(uf_runtime_wait(second, UF_FOREVER) == UF_OK);
    if (__atomic_load_n(&sent, __ATOMIC_SEQ_CST)) MUST(Listener_start_Serve(&there, 1) == UF_OK);
    join();
    both_are_idle();
    MUST(sent >= 1 && sent + refused == 2);
    nobody_waits();
    end_listening();
}

static void room_destroyed(void)
{
    begin_mail();
    fill();
    spawn(send_refused, (void *)UF_CLOSED);
    spawn(send_refused, (void *)UF_CLOSED);
    MUST(Listener_start_Send(&here[0], 1) == UF_OK);
    MUST(Listener_start_Send(&here[1], 1) == UF_OK);
    wait_until_queued(4);
    MUST(Listener_destroy(&there) == UF_OK);
    nobody_waits();
    join();
    MUST(uf_runtime_wait(runtime, UF_FOREVER) == UF_OK);
    MUST(uf_flow_outcome(&here[0].uf) == UF_FAILED && uf_flow_outcome(&here[1].uf) == UF_FAILED);
    MUST(refused == 2);
    end_listening();
}

/* A receiver has just woken the first flow. The memory of the mailbox is used again at once. */
static void room_destroyed_under_receiver(void)
{
    uf_status status;

    begin_mail();
    fill();
    MUST(Listener_start_Send(&here[0], 0) == UF_OK);
    MUST(Listener_start_Send(&here[1], 0) == UF_OK);
    wait_until_queued(2);
    MUST(Listener_start_Serve(&there, 1) == UF_OK);
    while ((status = Listener_destroy(&there)) == UF_BUSY) schedule_pause();
    MUST(status == UF_OK);
    memset(&there.orders, 0x5a, sizeof there.orders);
    MUST(uf_runtime_wait(runtime, UF_FOREVER) == UF_OK);
    MUST(uf_flow_outcome(&here[0].uf) != UF_CANCELLED && uf_flow_outcome(&here[1].uf) != UF_CANCELLED);
    end_listening();
}

/* A step makes room and then destroys its mailbox. The pump of the flow that was woken for the room hands the wake-up
 * on at the end of its round. Before that, a step of this pump waits for the destroyer. */
static void make_room_then_destroy(Listener *flow)
{
    int item;

    if (flow->passed == 0) MUST(Listener_orders_receive(flow, &item));
    else uf_mailbox_destroy(&flow->orders);
}

static void wait_until_there_is_room(void *argument)
{
    (void)argument;
    while (there.passed == 0) schedule_pause();
}

static void wait_for_the_destroyer(Listener *flow)
{
    (void)flow;
    MUST(uf_flow_wait(&there.uf, UF_FOREVER, NULL) == UF_OK);
}

static void room_destroyed_into_wait(void)
{
    begin_mail();
    fill();
    MUST(Listener_start_Send(&here[0], 1) == UF_OK);
    wait_until_queued(1);
    spawn(send_closed, &there.orders);
    wait_until_queued(2);
    here[1].body = wait_for_the_destroyer;
    there.body = make_room_then_destroy;
    MUST(uf_post(runtime, wait_until_there_is_room, NULL) == UF_OK);
    schedule_pause();
    MUST(Listener_start_Pass(&there, 2, UF_FOREVER) == UF_OK);
    MUST(Listener_start_Pass(&here[1], 1, UF_FOREVER) == UF_OK);
    both_are_idle();
    join();
    nobody_waits();
    end_listening();
}

static void room_stopped(void)
{
    begin_mail();
    fill();
    spawn(send_refused, (void *)UF_STOPPING);
    spawn(send_refused, (void *)UF_STOPPING);
    MUST(Listener_start_Send(&here[0], 1) == UF_OK);
    MUST(uf_runtime_stop(second, UF_FOREVER, NULL) == UF_OK);
    join();
    MUST(uf_runtime_wait(runtime, UF_FOREVER) == UF_OK);
    MUST(uf_flow_outcome(&here[0].uf) == UF_FAILED);
    nobody_waits();
    end_listening();
}

const scenario mail_scenarios[] = {
    {"room_for_one", room_for_one},
    {"room_for_all", room_for_all},
    {"room_cancelled", room_cancelled},
    {"room_timed_out", room_timed_out},
    {"room_destroyed", room_destroyed},
    {"room_destroyed_under_receiver", room_destroyed_under_receiver},
    {"room_destroyed_into_wait", room_destroyed_into_wait},
    {"room_stopped", room_stopped},
    {0},
};
