/* SPDX-License-Identifier: MIT */
/* room.c - queues for free places; see room.h.
 *
 * No wake-up is lost: while a waiter is queued, and fewer waiters are woken than places are free, a call of take_next()
 * is still to come. Each event that begins such a state is followed by one:
 *   A place becomes free. Its owner frees it and then reads `queued`. A waiter counts itself in `queued` and then looks
 *   for a place. All four accesses are sequentially consistent, so at least one side sees the other's.
 *   A woken flow is counted out of `woken` at the end of its round, by hand_on().
 *   A woken thread is counted out when it looks again. It calls wake() when it leaves, with or without a place.
 *   A woken waiter leaves its await. leave() puts the room on the list for hand_on(); a thread calls wake().
 * Otherwise `woken` decreases only while nobody is queued. take_next() runs in the critical section, so the last call
 * sees what the others did. check() may report too few places while one is being freed: that place's wake() follows.
 *
 * Queued waiters have a list of their own, so no operation searches past other waiters. */
#include "waits/room.h"

/* uf_arm.detail.room, in the critical section of the room. It stays when the arm has failed. */
enum {
    ABSENT,    /* on no list */
    WATCHING,  /* not queued: it has not looked for a place yet, or has seen one */
    RETURNING, /* the same, and it was woken before */
    QUEUED,
    WOKEN, /* its link is on its pump's stack, or among its woken arms */
    CLOSED /* the same, and the arm is on no list any more: the room is gone, except for its address */
};

static const struct ufi_room_hooks hooks;

static uf_arm *link_of(uf_arm *arm)
{
    return arm + 1;
}

/* -- states of a waiter: all of this in the critical section ------------------------------------------------------- */

static bool is_watching(const uf_arm *arm)
{
    return arm->detail.room == WATCHING || arm->detail.room == RETURNING;
}

/* Waiters that have returned are at the front. */
static void append_returned(uf_room *room, uf_arm *arm)
{
    bool const is_last = room->returned == room->queue;
    uf_arm *before = room->returned ? room->returned : room->queue;

    ufi_ring_append(&before, arm);
    if (is_last) room->queue = arm;
    room->returned = arm;
}

static void join_queue(uf_room *room, uf_arm *arm)
{
    ufi_ring_remove(&room->others, arm);
    if (arm->detail.room == RETURNING) append_returned(room, arm);
    else ufi_ring_append(&room->queue, arm);
    arm->detail.room = QUEUED;
    (void)ufp_add_fetch_seq_cst(&room->queued, 1);
}

static void leave_queue(uf_room *room, uf_arm *arm, uint16_t state)
{
    bool const is_first = arm->prev == room->queue;

    if (room->returned == arm) room->returned = is_first ? NULL : arm->prev;
    ufi_ring_remove(&room->queue, arm);
    ufi_ring_append(&room->others, arm);
    arm->detail.room = state;
    (void)ufp_add_fetch_seq_cst(&room->queued, UINT32_MAX);
}

static void enlist(uf_room *room, uf_arm *arm)
{
    if (!room->hooks) room->hooks = &hooks;
    ufi_ring_append(&room->others, arm);
    arm->on.room = room;
    arm->detail.room = WATCHING;
}

static void delist(uf_room *room, uf_arm *arm)
{
    if (arm->detail.room == QUEUED) leave_queue(room, arm, WATCHING);
    if (arm->detail.room == WOKEN) room->woken--;
    ufi_ring_remove(&room->others, arm);
    arm->detail.room = ABSENT;
}

/* Is there a free place? A waiter that finds none is queued. But if it was woken, its wake-up is still under way. */
static bool find_place(uf_room *room, uf_arm *arm, uf_status *status)
{
    uint16_t const before = arm->detail.room;
    uint32_t free;

    *status = room->check(room, &free);
    if (*status == UF_OK && free == 0 && is_watching(arm)) {
        join_queue(room, arm);
        *status = room->check(room, &free);
    }
    if (*status != UF_OK || free == 0) return false;
    if (arm->detail.room == QUEUED) leave_queue(room, arm, before == RETURNING ? RETURNING : WATCHING);
    return true;
}

/* -- waking -------------------------------------------------------------------------------------------------------- */

/* A waiter that is being woken: the signal of a thread, or its pump, unless the pump was notified before. The pump is
 * pinned, so that the wake-up can be sent outside the critical section. */
typedef struct woken {
    uf_pump *pump;
    uf_signal *signal;
} woken;

static woken wake_waiter(uf_arm *arm)
{
    if (arm->owner) return (woken){.pump = ufi_push_elsewhere(arm->owner->pump, link_of(arm), link_of(arm))};

    uf_signal *const signal = &((ufi_room_thread *)(void *)arm)->wake;
    (void)ufp_add_fetch_seq_cst(&signal->firing, 1);
    return (woken){.signal = signal};
}

static void notify(const woken *one)
{
    if (one->pump) ufi_send_check_elsewhere(one->pump);
    if (!one->signal) return;
    uf_signal_fire(one->signal);
    (void)ufp_add_fetch_seq_cst(&one->signal->firing, UINT32_MAX);
}

/* In the critical section: takes the next waiter to wake. If check() fails, it takes every waiter. */
static bool take_next(uf_room *room, woken *one)
{
    uint32_t free;

    if (!ufp_load(&room->queued) || (room->check(room, &free) == UF_OK && room->woken >= free)) return false;
    uf_arm *const arm = room->queue->next;
    leave_queue(room, arm, WOKEN);
    room->woken++;
    *one = wake_waiter(arm);
    return true;
}

static void wake_all_that(bool (*take)(uf_room *room, woken *one), uf_room *room)
{
    woken one;
    bool more;

    do {
        ufp_critical_enter(room);
        more = take(room, &one);
        ufp_critical_leave(room);
        if (more) notify(&one);
    } while (more);
}

static void wake(uf_room *room)
{
    wake_all_that(take_next, room);
}

/* -- handing on ---------------------------------------------------------------------------------------------------- */

static void hand_on(uf_pump *pump);

/* In the critical section. If another pump is to hand on a wake-up for the room, it does so for this pump, too. */
static void hand_on_later(uf_pump *pump, uf_room *room)
{
    if (!room->hander) {
        if (!pump->handing_on.next) ufi_list_init(&pump->handing_on);
        room->hander = pump;
        ufi_list_insert(&pump->handing_on, &room->handing_on);
        ufi_foreign_begin(pump);
        ufi_use_signals(pump);
    }
    if (room->hander == pump) pump->hand_on = hand_on;
    ufi_end_lone(pump);
}

/* Takes the next waiter of any room of the list. A room that has none for now is let go. */
static bool take_next_of_all(uf_pump *pump, woken *one)
{
    bool more = false;

    while (!more && !ufi_list_empty(&pump->handing_on)) {
        uf_room *const room = (uf_room *)((uintptr_t)pump->handing_on.next - offsetof(uf_room, handing_on));
        ufp_critical_enter(room);
        room->woken -= room->served;
        room->served = 0;
        more = take_next(room, one);
        if (!more) {
            ufi_list_remove(&room->handing_on);
            room->hander = NULL;
        }
        ufp_critical_leave(room); /* afterwards the room may be gone */
        if (!more) ufi_foreign_end(pump);
    }
    return more;
}

static void hand_on(uf_pump *pump)
{
    woken one;

    pump->hand_on = NULL;
    while (take_next_of_all(pump, &one)) notify(&one);
}

/* Outside of a round no end of one follows. */
static void hand_on_unless_in_round(uf_pump *pump)
{
    if (pump->hand_on && !pump->in_round) hand_on(pump);
}

/* -- on the thread of the pump whose flow waits -------------------------------------------------------------------- */

/* In the critical section: receives one wake-up. Returns: UF_OK, or why the arm fails. */
static uf_status receive(uf_pump *pump, uf_arm *arm)
{
    uf_room *const room = arm->on.room;
    uint32_t free;

    if (arm->detail.room == CLOSED) {
        arm->on_list = 0;
        return UF_CLOSED;
    }
    uf_status const status = room->check(room, &free);
    arm->detail.room = RETURNING;
    if (status != UF_OK) {
        room->woken--;
        return status;
    }
    if (ufp_load(&room->queued)) {
        room->served++;
        hand_on_later(pump, room);
    } else {
        room->woken--; /* nobody to hand it on to */
    }
    return UF_OK;
}

static void receive_woken(uf_pump *pump)
{
    while (pump->woken_arms) {
        uf_arm *const link = pump->woken_arms->next, *const arm = link - 1;
        ufi_ring_remove(&pump->woken_arms, link);
        ufp_critical_enter(arm->on.room);
        uf_status const status = receive(pump, arm);
        ufp_critical_leave(arm->on.room);
        if (status != UF_OK) ufi_arm_refuse(arm, status);
        ufi_wake(arm->owner);
    }
    hand_on_unless_in_round(pump);
}

/* An await is left. */
static void leave(uf_pump *pump, uf_arm *arm)
{
    uf_room *const room = arm->on.room;

    ufp_critical_enter(room);
    uint16_t const was = arm->detail.room;
    if (was != CLOSED) delist(room, arm);
    if (was == WOKEN && ufp_load(&room->queued)) hand_on_later(pump, room);
    ufp_critical_leave(room);
    if (was == WOKEN || was == CLOSED) {
        ufi_take_elsewhere_early(pump);
        ufi_ring_remove(&pump->woken_arms, link_of(arm));
    }
    arm->on_list = 0;
    hand_on_unless_in_round(pump);
}

/* An arm that has failed stays on its list, so that the text of the failure can name the flow that has the room. An
 * `all` asks about failures before it evaluates its events, so the flow evaluates its arms once more. */
static bool evaluate(uf_flow *flow, uf_arm *arm)
{
    uf_status status = UF_OK;
    bool found = false;

    if (arm->state == UF_ARM_FAILED) return false;
    ufp_critical_enter(arm->on.room);
    if (arm->detail.room != CLOSED) found = find_place(arm->on.room, arm, &status);
    ufp_critical_leave(arm->on.room);
    if (status == UF_OK) return found;
    ufi_arm_refuse(arm, status);
    ufi_wake(flow);
    return false;
}

static void wake_all(uf_pump *pump, uf_room *room)
{
    uf_arm *const last = room->others;

    if (last || room->queue) hand_on_later(pump, room);
    for (uf_arm *arm = last ? last->next : NULL, *next; arm; arm = next) {
        next = arm == last ? NULL : arm->next;
        if (is_watching(arm)) join_queue(room, arm);
    }
}

/* In the critical section: detaches the first waiter. A thread calls check() when it is woken. */
static bool take_closed(uf_room *room, woken *one)
{
    uf_arm *const last = room->queue ? room->queue : room->others;

    if (!last) return false;
    uf_arm *const arm = last->next;
    bool const was_told = arm->owner && arm->detail.room == WOKEN;
    delist(room, arm);
    if (arm->owner) {
        arm->detail.room = CLOSED;
        arm->next = NULL; /* for functions that describe the wait: the mailbox or pool may be gone */
    }
    *one = was_told ? (woken){.pump = NULL} : wake_waiter(arm);
    return true;
}

static bool has_hander(const uf_room *room)
{
    ufp_critical_enter(room);
    bool const handed_on = room->hander != NULL;
    ufp_critical_leave(room);
    return handed_on;
}

static void close_room(uf_room *room)
{
    wake_all_that(take_closed, room);
    while (has_hander(room)) {
        if (!ufi_process_own_fired()) ufp_spin_pause();
    }
}

static const struct ufi_room_hooks hooks = {.wake = wake, .wake_all = wake_all, .close = close_room};
static const struct ufi_waiting_hooks waiting = {.leave = leave, .receive_woken = receive_woken};

void ufi_room_set_arm(uf_flow *flow, uf_arm *arm, uf_arm_kind kind, uf_room *room, const char *name)
{
    uf_pump *const pump = flow->pump;
    uf_status status = UF_INVALID;
    uint32_t free;

    ufi_set_arm(flow, arm, kind);
    ufi_set_arm(flow, link_of(arm), UF_ARM_OPERAND);
    link_of(arm)->on.name = name;
    ufi_set_evaluation(pump, kind, evaluate);
    pump->rooms = &waiting;
    ufi_use_signals(pump);
    if (room) {
        ufp_critical_enter(room);
        status = room->check(room, &free);
        if (status != UF_CLOSED) enlist(room, arm);
        ufp_critical_leave(room);
        if (status != UF_CLOSED) arm->on_list = UFI_ON_LIST;
    }
    if (status != UF_OK) ufi_arm_refuse(arm, status);
}

/* -- threads ------------------------------------------------------------------------------------------------------- */

uf_status ufi_room_enter(uf_room *room, ufi_room_thread *thread)
{
    uf_arm *const arm = &thread->arm;
    uf_status status;

    ufp_critical_enter(room);
    if (arm->detail.room == ABSENT) enlist(room, arm);
    if (arm->detail.room == WOKEN) { /* received; ufi_room_leave() hands it on */
        room->woken--;
        arm->detail.room = RETURNING;
    }
    bool const found = find_place(room, arm, &status);
    ufp_critical_leave(room);
    return status == UF_OK && !found ? UF_BUSY : status;
}

void ufi_room_leave(uf_room *room, ufi_room_thread *thread)
{
    ufp_critical_enter(room);
    if (thread->arm.detail.room != ABSENT) delist(room, &thread->arm);
    ufp_critical_leave(room);
    wake(room);
}
