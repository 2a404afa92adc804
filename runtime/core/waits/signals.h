/* SPDX-License-Identifier: MIT */
/* signals.h - signals, for the files of core and host that use them.
 *
 * A signal's word holds an epoch, which counts fires, and the number of waiters for the next fire. To join, to
 * withdraw and to fire are one compare-and-exchange of the word each. So one atomic operation decides and counts the
 * released waiters. Notification follows.
 *
 * A pump releases its own flows. The pump whose flow came first is the signal's home: its arms are on the signal's
 * list `waiters`, which only the home's thread touches. The arms of other pumps (foreign arms) and callbacks are on two
 * lists of the signal, in the critical section, and are counted in `others`.
 *
 * A fire in a round of the home's runtime enqueues the signal on the home's list `fired`. If `others` is 0, that is
 * all: no lock, and one atomic read-modify-write. Any other fire counts itself in `firing`, and pushes the signal on
 * its home's stack (`fired_elsewhere`) if it is not there. If `others` is not 0, it enters the critical section. There
 * it pushes the foreign arms that are due on the stacks of their pumps, and takes out the callbacks that it calls
 * afterwards. The first on an empty stack sends the pump a message. Waits for room use the same stack (room.h).
 *
 * Every critical section here is that of one signal. It protects:
 *   a signal's `foreign` and `callbacks`, and the links of foreign arms until they are pushed
 *   the list of callbacks that a thread is about to call
 * A pump has waiting flows, and so exists, while one of its arms is on a signal's `foreign`. So it does while it is a
 * home without the mark that it ceases to be one. A firing thread pins it before it pushes anything on its stack. */
#ifndef UFLOW_SIGNALS_H
#define UFLOW_SIGNALS_H

#include "flows/inbox.h"
#include "waits/arms.h"

/* -- the word: signal.c -------------------------------------------------------------------------------------------- */

static inline uint32_t ufi_epoch_of(uint64_t word)
{
    return (uint32_t)(word >> 32);
}
static inline uint32_t ufi_waiting_of(uint64_t word)
{
    return (uint32_t)word;
}

/* Beside interrupt handlers, two accesses will do: only one of them reads the epoch. */
static inline uint32_t ufi_epoch_now(const uf_signal *signal)
{
    return UF_HAS(PUMPS, ufi_epoch_of(UFI_MANY_THREADS ? ufp_load_wide_seq_cst(&signal->word)
                                                       : *(const volatile uint64_t *)&signal->word))
        UF_LACKS(PUMPS, ufp_load(&signal->fires));
}

/* The top bit of uf_signal.firing: uf_signal_destroy() has begun. */
#define UFI_CLOSED 0x80000000u

static inline bool ufi_signal_closed(const uf_signal *signal)
{
    return (ufp_load_seq_cst(&signal->firing) & UFI_CLOSED) != 0;
}

/* Counts one more waiter for the next fire. Returns: false, and nothing changes, if the signal has fired after
 * `since`. */
static inline bool ufi_signal_join(uf_signal *signal, uint32_t since)
{
    uint64_t word;
    ufp_note_shared(&signal->queued, sizeof signal->queued);
    ufp_note_shared(&signal->firing, offsetof(uf_signal, waiters) - offsetof(uf_signal, firing));
    do {
        word = ufp_load_wide_seq_cst(&signal->word);
        if (ufi_epoch_of(word) != since) return false;
    } while (!ufp_compare_exchange_wide_seq_cst(&signal->word, word, word + 1));
    return true;
}

/* Counts one waiter less. Returns: false, and nothing changes, if the signal has fired after `since`: that fire has
 * counted the waiter. */
bool ufi_signal_withdraw(uf_signal *signal, uint32_t since);

/* Fires if the word is still `word`. */
bool ufi_signal_fire_from(uf_signal *signal, uint64_t word);

/* See uf_signal_unsubscribe(). */
typedef enum ufi_removal {
    UFI_CALLBACK_CALLED,  /* it was called */
    UFI_CALLBACK_REMOVED, /* removed before any fire */
    UFI_CALLBACK_RELEASED /* removed after a fire had counted it, before the call */
} ufi_removal;
ufi_removal ufi_signal_remove_callback(uf_signal *signal, uf_signal_callback *callback);

/* Is this thread in a round of the runtime that is the signal's home? Only that thread changes this, so it holds until
 * the signal's last waiter there leaves. */
static inline bool ufi_at_home(const uf_signal *signal)
{
    uf_pump const *const pump = UFI_MANY_THREADS ? ufp_thread_slot()[UFP_SLOT_ROUND] : NULL;
    return pump && ufp_load_pointer(&signal->home) == pump;
}

/* A home that is about to leave the signal is marked in the bottom bit. */
static inline bool ufi_is_present(const void *home)
{
    return home && !((uintptr_t)home & 1);
}

/* -- checkpoints: checkpoint.c ------------------------------------------------------------------------------------- */

/* Changes UNARMED to ARMED; `epoch` identifies this arming. Returns: false if it was not UNARMED. */
bool ufi_checkpoint_arm(uf_checkpoint *checkpoint, uint32_t *epoch);

/* UFI_OVER: the checkpoint was disarmed before a flow was seen there. */
typedef enum ufi_arming { UFI_NOBODY_YET, UFI_REACHED, UFI_OVER } ufi_arming;
ufi_arming ufi_checkpoint_query(const uf_checkpoint *checkpoint, uint32_t epoch);

/* Changes to UNARMED if it is still that arming and no flow is held. */
bool ufi_checkpoint_disarm_unreached(uf_checkpoint *checkpoint, uint32_t epoch);

/* -- arms of flows, on the pump's thread: fired.c ------------------------------------------------------------------ */

/* A stack of fired signals and foreign arms that is empty, while its message is under way; and the end of a stack. An
 * empty one without a message is NULL. A signal on a stack is marked in the bottom bit, which these two do not have. */
#define UFI_EMPTY_STACK ((void *)(uintptr_t)2)

/* A node of the stack: the signal that it is, or NULL, for an arm; and the node below it. */
static inline uf_signal *ufi_fired_signal(void *node)
{
    return (uintptr_t)node & 1 ? (uf_signal *)(void *)((unsigned char *)node - 1) : NULL;
}
static inline void *ufi_below_fired(void *node)
{
    uf_signal *const signal = ufi_fired_signal(node);
    return signal ? ufp_load_pointer(&signal->queued) : ((uf_arm *)node)->next;
}

/* Makes an arm that is on no list wait for a fire after `since`. Afterwards the arm is pending and on a list; or
 * ready, on a list or not; or it has failed, if the signal was destroyed. */
void ufi_signal_enqueue(uf_flow *flow, uf_arm *arm, uf_signal *signal, uint32_t since);

/* Makes an arm that is on a list wait for the next fire, behind the other arms. The signal exists throughout. */
void ufi_signal_rejoin(uf_flow *flow, uf_arm *arm);

/* Takes the arm off its list, which ends its wait. */
void ufi_signal_dequeue(uf_flow *flow, uf_arm *arm);

/* Has the signal of an arm fired since the arm waits? For every kind of arm that waits for a signal. */
bool ufi_signal_has_fired(const uf_arm *arm);

/* Processes the fires of a pump of this thread, which waits for another thread. That thread may be destroying a signal
 * or closing a room, and wait for this pump. Returns: false if there was nothing to do. */
bool ufi_process_fired_early(uf_pump *pump);

/* The same for all pumps of this thread. */
bool ufi_process_own_fired(void);

/* From here on, the pump has a foreign arm, or hands on wake-ups of a room. So a thread that destroys a signal or
 * closes a room may wait for this pump. Each call needs a matching end. On the pump's thread. */
void ufi_foreign_begin(uf_pump *pump);
void ufi_foreign_end(uf_pump *pump);

/* Pushes a chain of arms on a pump's stack. The caller knows that the pump exists until it receives them.
 * Returns: the pump, pinned, if its stack was empty: the caller calls ufi_send_check_elsewhere(). Otherwise NULL. */
uf_pump *ufi_push_elsewhere(uf_pump *pump, uf_arm *top, uf_arm *bottom);

/* Sends the message that the pump's stack is not empty, and unpins the pump. */
void ufi_send_check_elsewhere(uf_pump *pump);

/* Sets the pump's hooks: before its first arm of a signal or room, and before it hands on. So only programs with such
 * arms link fired.c. */
void ufi_use_signals(uf_pump *pump);

/* Takes the pump's stack before its message has arrived: its arms are on `due` and `woken_arms` afterwards. */
void ufi_take_elsewhere_early(uf_pump *pump);

/* Fails the flow if the signal of the arm was destroyed or was NULL. Returns: true if it was. */
bool ufi_fail_if_closed(uf_flow *flow, const uf_arm *arm);

/* In a core whose signals have one pump, signal_one.c has these functions. The others are there under other names, so
 * that what is never called links. */
#define UFI_OF_PUMPS(function) UF_HAS(PUMPS, function) UF_LACKS(PUMPS, function##_of_pumps)

/* Takes the arm of a flow off its signal. Without UF_USES_PUMPS, all programs with signals link the same. */
static inline void ufi_dequeue(uf_flow *flow, uf_arm *arm)
{
    if (UF_USES_PUMPS) flow->pump->signals->dequeue(flow, arm);
    else ufi_signal_dequeue(flow, arm);
}
bool ufi_evaluate_signal(uf_flow *flow, uf_arm *arm);

/* Processes what has fired, without UF_USES_PUMPS. */
void ufi_signals_process(uf_pump *pump);

/* Wakes the flow of an arm whose signal has fired or was destroyed. */
static inline void ufi_wake_waiter(uf_arm *arm)
{
    if (arm->kind == UF_ARM_PREEMPT) {
        if (arm->state == UF_ARM_FAILED) return; /* a handler of a destroyed signal never runs */
        ufi_flag_set(arm->owner, UFI_PREEMPTED);
    }
    ufi_wake(arm->owner);
}

/* Makes the pump evaluate arms of this kind. Programs without such arms do not link the function. */
static inline void ufi_set_evaluation(uf_pump *pump, uf_arm_kind kind, bool (*evaluate)(uf_flow *flow, uf_arm *arm))
{
    if (UF_USES_PUMPS) pump->evaluate[kind - UF_ARM_SIGNAL] = evaluate;
}

/* Does the condition of an arm hold? A fire of the arm's signal says that the condition may have changed. */
bool ufi_level_holds(uf_flow *flow, uf_arm *arm, bool (*holds)(const uf_arm *arm));

#endif
