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
    MUST(!room->waiters && room->queued == 0 && room->woken == 0 && !room->hander);
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

/* The first thread may time out after it was woken. */
static void room_timed_out(void)
{
    begin_mail();
    fill();
    spawn(send_soon, NULL);
    spawn(send_one, NULL);
    MUST(Listener_start_Send(&here[0], 1) == UF_OK);
    MUST(Listener_start_Serve(&there, 3) == UF_OK);
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

/* The memory of the mailbox is used again at once: nothing may refer to it. */
static void room_destroyed_under_receiver(void)
{
    uf_status status;

    begin_mail();
    fill();
    MUST(Listener_start_Serve(&there, 2) == UF_OK);
    MUST(Listener_start_Send(&here[0], 3) == UF_OK);
    MUST(Listener_start_Send(&here[1], 3) == UF_OK);
    while ((status = Listener_destroy(&there)) == UF_BUSY) schedule_pause();
    MUST(status == UF_OK);
    memset(&there.orders, 0x5a, sizeof there.orders);
    MUST(uf_runtime_wait(runtime, UF_FOREVER) == UF_OK);
    MUST(uf_flow_outcome(&here[0].uf) == UF_FAILED && uf_flow_outcome(&here[1].uf) == UF_FAILED);
    end_listening();
}

/* Two steps destroy mailboxes whose room the other one's pump hands on. */
static void make_room_then_destroy(Listener *flow)
{
    int item;

    if (flow->bodies++ == 0) MUST(Listener_orders_receive(flow, &item));
    else uf_mailbox_destroy(&flow->orders);
}

static void room_destroyed_mutual(void)
{
    static Listener sender;

    begin_mail();
    MUST(Listener_init(&sender, uf_runtime_pump(second), "sender", notifier, point) == UF_OK);
    fill();
    for (int i = 0; i < CAPACITY; i++) MUST(Listener_orders_send(&here[0], i) == UF_OK);
    here[1].target = &there.orders;
    sender.target = &here[0].orders;
    MUST(Listener_start_Send(&here[1], 2) == UF_OK);
    MUST(Listener_start_Send(&sender, 2) == UF_OK);
    spawn(send_closed, &there.orders);
    spawn(send_closed, &here[0].orders);
    while (ufp_load_seq_cst(&there.orders.room.queued) < 2 || ufp_load_seq_cst(&here[0].orders.room.queued) < 2)
        schedule_pause();
    here[0].body = there.body = make_room_then_destroy;
    here[0].bodies = there.bodies = 0;
    MUST(Listener_start_Pass(&here[0], 2, UF_FOREVER) == UF_OK);
    MUST(Listener_start_Pass(&there, 2, UF_FOREVER) == UF_OK);
    both_are_idle();
    join();
    MUST(Listener_destroy(&sender) == UF_OK);
    end_listening();
}

static void room_stopped(void)
{
    begin_mail();
    fill();
    spawn(send_refused, (void *)UF_STOPPING);
    spawn(send_refused, (void *)UF_STOPPING);
    MUST(Listener_start_Send(&here[0], 1) == UF_OK);
    MUST(uf_runtime_stop(second, UF_S(1), NULL) == UF_OK);
    join();
    MUST(uf_runtime_wait(runtime, UF_FOREVER) == UF_OK);
    MUST(uf_flow_outcome(&here[0].uf) == UF_FAILED);
    nobody_waits();
    end_listening();
}

const scenario mail_scenarios[] = {
    {"room_for_all", room_for_all},
    {"room_cancelled", room_cancelled},
    {"room_timed_out", room_timed_out},
    {"room_destroyed", room_destroyed},
    {"room_destroyed_under_receiver", room_destroyed_under_receiver},
    {"room_destroyed_mutual", room_destroyed_mutual},
    {"room_stopped", room_stopped},
    {0},
};
