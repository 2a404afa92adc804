/* SPDX-License-Identifier: MIT */
/* room.h - waiting for a free place: flows by an arm, threads on their stacks, all in one queue.
 *
 * A waiter that finds no place is queued. A freed place wakes the first queued waiter, as long as fewer waiters are
 * woken than places are free. The place may be taken when the turn of that waiter comes. Then it returns to the front
 * of the queue, behind those that returned before it. A flow hands its wake-up on at the end of the round of its turn.
 * By then it has used the place, has done something else, or has ended. So no waiter stays queued while there is a free
 * place that no other waiter was woken for.
 *
 * A waiter that has seen a free place, or waits for another event of an `all` first, is on the list `others` and not
 * queued. It evaluates the arm when that other event wakes it.
 *
 * The queue belongs to the critical section of the room. There a waiter that is woken is pushed on the stack of its
 * pump, as a foreign arm is (signals.h); the message is sent afterwards. Its pump moves it to its list `woken_arms`. A
 * thread is woken by a signal of its own.
 *
 * A pump that hands on wake-ups of a room refers to the room until the end of its round, so ufi_room_close() waits for
 * the pump. While a thread waits there, it hands on for its own pumps: two threads never wait for each other. */
#ifndef UFLOW_ROOM_H
#define UFLOW_ROOM_H

#include "waits/signals.h"

/* -- for the owner of the places ----------------------------------------------------------------------------------- */

struct ufi_room_hooks {
    /* Wakes queued waiters while there is room for them. */
    void (*wake)(uf_room *room);
    /* In the critical section of the room, after check() has begun to fail: the pump's hand_on() wakes all waiters. */
    void (*wake_all)(uf_pump *pump, uf_room *room);
    /* All waiters fail with "closed". Afterwards neither they nor their pumps refer to the room. */
    void (*close)(uf_room *room);
};

/* A place became free: the store that frees it is sequentially consistent, and comes first. */
static inline void ufi_room_freed(uf_room *room)
{
    if (ufp_load_seq_cst(&room->queued)) room->hooks->wake(room);
}

/* Ends the waits. The caller has made check() fail. */
static inline void ufi_room_close(uf_room *room)
{
    ufp_critical_enter(room);
    const struct ufi_room_hooks *const hooks = room->hooks;
    ufp_critical_leave(room);
    if (hooks) hooks->close(room);
}

/* The pump wakes all waiters when it hands on. The caller has made check() fail. */
static inline void ufi_room_wake_all(uf_pump *pump, uf_room *room)
{
    ufp_critical_enter(room);
    if (room->hooks) room->hooks->wake_all(pump, room);
    ufp_critical_leave(room);
}

/* -- for flows ----------------------------------------------------------------------------------------------------- */

/* Sets an arm and the next one, which lists it among the woken arms. `name` is for dumps. Without a room the arm
 * fails. */
void ufi_room_set_arm(uf_flow *flow, uf_arm *arm, uf_arm_kind kind, uf_room *room, const char *name);

/* Is there a free place for the flow? Not if its mailbox or pool may be gone. */
static inline bool ufi_room_has_place(const uf_arm *arm)
{
    uint32_t free = 0;

    if (!arm->on_list) return false;
    ufp_critical_enter(arm->on.room);
    bool const found = arm->next && arm->on.room->check(arm->on.room, &free) == UF_OK && free > 0;
    ufp_critical_leave(arm->on.room);
    return found;
}

/* -- for threads --------------------------------------------------------------------------------------------------- */

/* A thread that waits. It outlives the wait, and ends with uf_signal_destroy(&waiter.wake). */
typedef struct ufi_room_thread {
    uf_arm arm; /* its `owner` is NULL */
    uf_signal wake;
} ufi_room_thread;

/* Queues the thread, or keeps it in its place.
 * Returns: UF_OK: there is a free place; UF_BUSY: wait for a fire of `wake`; otherwise the status of check(). */
uf_status ufi_room_enter(uf_room *room, ufi_room_thread *thread);

/* The thread gives up, or has used the place. */
void ufi_room_leave(uf_room *room, ufi_room_thread *thread);

#endif
