/* room.c - queues for free places; see room.h.
 *
 * No wake-up is lost: while a waiter is queued, and fewer waiters are woken than places are free, a call of take_next()
 * is still to come. Each event that begins such a state is followed by one:
 *   A place becomes free. Its owner frees it and then reads `queued`. A waiter counts itself in `queued` and then looks
 *   for a place. All four accesses are sequentially consistent, so at least one side sees the other's.
 *   A woken flow is counted out of `woken`: at the end of its round, by hand_on().
 *   A woken thread is counted out when it looks again. It calls wake() when it leaves, with or without a place.
 *   A woken waiter leaves its await. leave() puts the room on the list for hand_on(); a thread calls wake().
 * Otherwise `woken` decreases only while nobody is queued. take_next() runs in the critical section, so the last call
 * sees what the others did. check() may report too few places while one is being freed: that place's wake() follows. */
#include "room.h"

/* uf_arm.since of an arm of this kind; in the critical section. */
enum {
    ABSENT,   /* on no list */
    WATCHING, /* on the list, not queued */
    QUEUED,
    WOKEN, /* its link is among the pump's woken arms */
    CLOSED /* the same, and the arm is not on the list any more: the room is gone */
};

static const struct ufi_room_hooks hooks;

static uf_arm *link_of(uf_arm *arm)
{
    return arm + 1;
}

static ufi_room_thread *thread_of(uf_arm *arm)
{
    return (ufi_room_thread *)(void *)arm;
}

static uf_room *room_of(uf_link *link)
{
    return (uf_room *)((uintptr_t)link - offsetof(uf_room, handing_on));
}

/* -- states of a waiter: all of this in the critical section ------------------------------------------------------- */

static void join_queue(uf_room *room, uf_arm *arm)
{
    arm->since = QUEUED;
    ufp_add_fetch_seq_cst(&room->queued, 1);
}

static void leave_queue(uf_room *room, uf_arm *arm)
{
    arm->since = WATCHING;
    ufp_add_fetch_seq_cst(&room->queued, UINT32_MAX);
}

static void enlist(uf_room *room, uf_arm *arm)
{
    if (!room->hooks) room->hooks = &hooks;
    ufi_ring_append(&room->waiters, arm);
    arm->on.room = room;
    arm->since = WATCHING;
}

static void delist(uf_room *room, uf_arm *arm)
{
    if (arm->since == QUEUED) leave_queue(room, arm);
    if (arm->since == WOKEN) room->woken--;
    ufi_ring_remove(&room->waiters, arm);
    arm->since = ABSENT;
}

/* A thread has no pump. */
static void list_as_woken(uf_arm *arm)
{
    if (arm->owner) ufi_ring_append(&arm->owner->pump->woken_arms, link_of(arm));
}

/* Is there a free place? A waiter that finds none is queued; but if it was woken, its wake-up is still under way. */
static bool find_place(uf_room *room, uf_arm *arm, uf_status *status)
{
    uint32_t free;

    *status = room->check(room, &free);
    if (*status == UF_OK && free == 0 && arm->since == WATCHING) {
        join_queue(room, arm);
        *status = room->check(room, &free);
    }
    if (*status != UF_OK || free == 0) return false;
    if (arm->since == QUEUED) leave_queue(room, arm);
    return true;
}

/* -- waking -------------------------------------------------------------------------------------------------------- */

/* A waiter that is being woken: its pump, or the signal of a thread. It is pinned, so that the wake-up can be sent
 * outside of the critical section. */
typedef struct woken {
    uf_pump *pump;
    uf_signal *signal;
} woken;

static woken pin(uf_arm *arm)
{
    if (arm->owner) {
        ufi_pump_pin(arm->owner->pump);
        return (woken){.pump = arm->owner->pump};
    }
    uf_signal *const signal = &thread_of(arm)->wake;
    ufp_add_fetch_seq_cst(&signal->firing, 1);
    return (woken){.signal = signal};
}

static void notify(const woken *one)
{
    if (one->signal) {
        uf_signal_fire(one->signal);
        ufp_add_fetch_seq_cst(&one->signal->firing, UINT32_MAX);
        return;
    }
    if (!ufp_exchange_seq_cst(&one->pump->check_woken_queued, 1)) {
        ufi_inbox_send(one->pump, &one->pump->check_woken);
        ufi_wake_driver(one->pump);
    }
    ufi_pump_unpin(one->pump);
}

static uf_arm *first_queued(const uf_room *room)
{
    uf_arm *arm = room->waiters->next;
    while (arm->since != QUEUED) arm = arm->next;
    return arm;
}

/* In the critical section: takes the next waiter to wake. If check() fails, that is each of them. */
static bool take_next(uf_room *room, woken *one)
{
    uint32_t free;

    if (!ufp_load(&room->queued) || (room->check(room, &free) == UF_OK && room->woken >= free)) return false;
    uf_arm *const arm = first_queued(room);
    leave_queue(room, arm);
    arm->since = WOKEN;
    room->woken++;
    list_as_woken(arm);
    *one = pin(arm);
    return true;
}

static void wake(uf_room *room)
{
    woken one;
    bool more;

    do {
        ufp_critical_enter();
        more = take_next(room, &one);
        ufp_critical_leave();
        if (more) notify(&one);
    } while (more);
}

/* -- handing on ---------------------------------------------------------------------------------------------------- */

static void hand_on(uf_pump *pump);

/* In the critical section. If another pump is to hand on for the room, it does so for this one, too. */
static void hand_on_later(uf_pump *pump, uf_room *room)
{
    if (!pump->handing_on.next) ufi_list_init(&pump->handing_on);
    if (!room->handing_on.next) ufi_list_insert(&pump->handing_on, &room->handing_on);
    pump->hand_on = hand_on;
    pump->lone_rounds = 1;
}

static void forget_to_hand_on(uf_room *room)
{
    if (!room->handing_on.next) return;
    ufi_list_remove(&room->handing_on);
    room->handing_on.next = NULL;
}

/* In the critical section: the next waiter of any room of the list. */
static bool take_next_of_all(uf_pump *pump, woken *one)
{
    while (!ufi_list_empty(&pump->handing_on)) {
        uf_room *const room = room_of(pump->handing_on.next);
        room->woken -= room->served;
        room->served = 0;
        if (take_next(room, one)) return true;
        forget_to_hand_on(room);
    }
    return false;
}

static void hand_on(uf_pump *pump)
{
    woken one;
    bool more;

    pump->hand_on = NULL;
    do {
        ufp_critical_enter();
        more = take_next_of_all(pump, &one);
        ufp_critical_leave();
        if (more) notify(&one);
    } while (more);
}

/* Outside of a round no end of one follows. */
static void hand_on_unless_in_round(uf_pump *pump)
{
    if (pump->hand_on && !pump->in_round) hand_on(pump);
}

/* -- on the thread of the pump whose flow waits -------------------------------------------------------------------- */

static void fail(uf_arm *arm, uf_status status)
{
    arm->on_list = 0;
    ufi_arm_refuse(arm, status);
}

/* In the critical section: receives one wake-up. Returns: UF_OK, or why the arm fails. */
static uf_status receive(uf_pump *pump, uf_arm *arm)
{
    uf_room *const room = arm->on.room;
    uint32_t free;

    ufi_ring_remove(&pump->woken_arms, link_of(arm));
    if (arm->since == CLOSED) return UF_CLOSED;
    uf_status const status = room->check(room, &free);
    if (status != UF_OK) {
        delist(room, arm);
        return status;
    }
    arm->since = WATCHING;
    if (ufp_load(&room->queued)) {
        room->served++;
        hand_on_later(pump, room);
    } else {
        room->woken--; /* nobody to hand it on to */
    }
    return UF_OK;
}

static void deliver_woken(uf_pump *pump, uf_message *message)
{
    uf_arm *arm;

    (void)message;
    ufp_exchange_seq_cst(&pump->check_woken_queued, 0); /* first: a wake-up that this call misses sends it again */
    do {
        uf_status status = UF_OK;
        ufp_critical_enter();
        arm = pump->woken_arms ? pump->woken_arms->next - 1 : NULL;
        if (arm) status = receive(pump, arm);
        ufp_critical_leave();
        if (status != UF_OK) fail(arm, status);
        if (arm) ufi_wake(arm->owner);
    } while (arm);
    hand_on_unless_in_round(pump);
}

/* An await is left. */
static void leave(uf_pump *pump, uf_arm *arm)
{
    ufp_critical_enter();
    bool const was_woken = arm->since == WOKEN;
    if (was_woken || arm->since == CLOSED) ufi_ring_remove(&pump->woken_arms, link_of(arm));
    if (arm->since != CLOSED) delist(arm->on.room, arm);
    if (was_woken && ufp_load(&arm->on.room->queued)) hand_on_later(pump, arm->on.room);
    ufp_critical_leave();
    arm->on_list = 0;
    hand_on_unless_in_round(pump);
}

/* An `all` asks about failures before it evaluates its events, so the flow evaluates its arms once more. */
static bool evaluate(uf_flow *flow, uf_arm *arm)
{
    uf_status status = UF_OK;
    bool found = false;

    if (!arm->on_list) return false; /* it has failed */
    ufp_critical_enter();
    if (arm->since != CLOSED) found = find_place(arm->on.room, arm, &status);
    ufp_critical_leave();
    if (status == UF_OK) return found;
    leave(flow->pump, arm);
    fail(arm, status);
    ufi_wake(flow);
    return false;
}

static void wake_all(uf_pump *pump, uf_room *room)
{
    uf_arm *const last = room->waiters;

    for (uf_arm *arm = last ? last->next : NULL; arm; arm = arm == last ? NULL : arm->next) {
        if (arm->since == WATCHING) join_queue(room, arm);
    }
    if (last) hand_on_later(pump, room);
}

/* In the critical section: detaches the first waiter. A thread asks check() when it is woken. */
static bool take_closed(uf_room *room, woken *one)
{
    if (!room->waiters) return false;
    uf_arm *const arm = room->waiters->next;
    if (arm->since != WOKEN) list_as_woken(arm);
    delist(room, arm);
    if (arm->owner) arm->since = CLOSED;
    *one = pin(arm);
    return true;
}

static void close_room(uf_room *room)
{
    woken one;
    bool more;

    do {
        ufp_critical_enter();
        more = take_closed(room, &one);
        if (!more) forget_to_hand_on(room);
        ufp_critical_leave();
        if (more) notify(&one);
    } while (more);
}

static const struct ufi_room_hooks hooks = {.wake = wake, .wake_all = wake_all, .close = close_room};

void ufi_room_set_arm(uf_flow *flow, uf_arm *arm, uf_arm_kind kind, uf_room *room, const char *name)
{
    uf_pump *const pump = flow->pump;
    uf_status status = UF_INVALID;
    uint32_t free;

    ufi_set_arm(flow, arm, kind);
    ufi_set_arm(flow, link_of(arm), UF_ARM_OPERAND);
    link_of(arm)->on.name = name;
    ufi_set_evaluation(pump, kind, evaluate);
    pump->leave_room = leave;
    pump->check_woken.deliver = deliver_woken;
    ufp_critical_enter();
    if (room) status = room->check(room, &free);
    if (status == UF_OK) enlist(room, arm);
    ufp_critical_leave();
    if (status == UF_OK) arm->on_list = UFI_ON_LIST;
    else fail(arm, status);
}

/* -- threads ------------------------------------------------------------------------------------------------------- */

uf_status ufi_room_enter(uf_room *room, ufi_room_thread *thread)
{
    uf_arm *const arm = &thread->arm;
    uf_status status;

    ufp_critical_enter();
    if (arm->since == ABSENT) enlist(room, arm);
    if (arm->since == WOKEN) { /* received; ufi_room_leave() hands it on */
        room->woken--;
        arm->since = WATCHING;
    }
    bool const found = find_place(room, arm, &status);
    ufp_critical_leave();
    return status == UF_OK && !found ? UF_BUSY : status;
}

void ufi_room_leave(uf_room *room, ufi_room_thread *thread)
{
    ufp_critical_enter();
    if (thread->arm.since != ABSENT) delist(room, &thread->arm);
    ufp_critical_leave();
    wake(room);
}
