/* room.h - waiting for a free place: flows by an arm, threads on their stacks, all in one queue.
 *
 * A waiter that finds no place is queued. A freed place wakes the first queued waiter, as long as fewer waiters are
 * woken than places are free. A woken waiter keeps its place in the queue, since the place that it was woken for may
 * be taken when its turn comes. A flow hands its wake-up on at the end of the round of its turn: by then it has used
 * the place, or has done something else, or has ended. So no waiter stays queued while there is a free place that no
 * other waiter was woken for.
 *
 * A waiter that has seen a free place, or waits for another event of an `all` first, is on the list and not queued.
 * It evaluates the arm when that other event wakes it.
 *
 * The queues belong to the critical section. Wake-ups are sent after it, one by one: a woken arm is on its pump's
 * `woken_arms` until the pump has received the message. A thread is woken by a signal of its own. */
#ifndef UFLOW_ROOM_H
#define UFLOW_ROOM_H

#include "signals.h"

/* -- for the owner of the places ----------------------------------------------------------------------------------- */

struct ufi_room_hooks {
    /* Wakes queued waiters while there is room for them. */
    void (*wake)(uf_room *room);
    /* In the critical section, after check() has begun to fail: wakes all waiters by the pump's hand_on(). */
    void (*wake_all)(uf_pump *pump, uf_room *room);
    /* All waiters fail with "closed", and none refers to the room afterwards. */
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
    ufp_critical_enter();
    const struct ufi_room_hooks *const hooks = room->hooks;
    ufp_critical_leave();
    if (hooks) hooks->close(room);
}

/* -- for flows ----------------------------------------------------------------------------------------------------- */

/* Sets an arm and the next one, which lists it among the woken arms. `name` is for dumps. Without a room the arm
 * fails. */
void ufi_room_set_arm(uf_flow *flow, uf_arm *arm, uf_arm_kind kind, uf_room *room, const char *name);

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
