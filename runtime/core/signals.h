/* signals.h - signals, for the files of core and host that use them.
 *
 * A signal's word holds an epoch, which counts fires, and the number of waiters for the next fire. To join, to
 * withdraw and to fire are one compare-and-exchange of the word each. So one atomic operation decides and counts the
 * released waiters. Notification follows.
 *
 * A pump releases its own flows. The arms of waiting flows are on lists that only the pump's thread touches. The
 * pump whose flow came first is the signal's home: its arms are on the signal's own list. Arms of other pumps,
 * foreign waiters, are on one of a few lists of their own pump, chosen by a hash of the signal's address. A fire
 * marks in each of these pumps which signal or list to process, and sends it a message.
 *
 * The critical section (ufp_critical_enter) protects:
 *   a pump's `fired` and `fired_foreign`
 *   a signal's `fired` and `callbacks`
 *   the list of registered pumps
 *   that a pump ceases to be a home, or is unregistered
 *   any change to the foreign lists of a caller-driven pump
 * A pump that is a home or is registered has waiting flows, so it exists. A firing thread pins it before it leaves
 * the critical section. */
#ifndef UFLOW_SIGNALS_H
#define UFLOW_SIGNALS_H

#include "arms.h"
#include "inbox.h"

/* -- the word: signal.c -------------------------------------------------------------------------------------------- */

static inline uint32_t ufi_epoch_of(uint64_t word)
{
    return (uint32_t)(word >> 32);
}
static inline uint32_t ufi_waiting_of(uint64_t word)
{
    return (uint32_t)word;
}

/* Counts one more waiter for the next fire. Returns: false, and nothing changes, if the signal has fired after
 * `since`. */
static inline bool ufi_signal_join(uf_signal *signal, uint32_t since)
{
    uint64_t word;
    ufp_note_shared(&signal->firing, offsetof(uf_signal, waiters) - offsetof(uf_signal, firing));
    ufp_note_shared(&signal->closed, sizeof signal->closed);
    do {
        word = ufp_load_wide_seq_cst(&signal->word);
        if (ufi_epoch_of(word) != since) return false;
    } while (!ufp_compare_exchange_wide_seq_cst(&signal->word, word, word + 1));
    return true;
}

/* Counts one waiter less. Returns: false, and nothing changes, if the signal has fired after `since`: that fire has
 * counted it. */
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

/* -- pumps and threads: signal.c ----------------------------------------------------------------------------------- */

/* Fires find foreign waiters only on registered pumps. Runtimes are always registered, other pumps while they have
 * such waiters. */
void ufi_pump_register(uf_pump *pump);
void ufi_pump_unregister(uf_pump *pump);

/* Does this thread drive a runtime, or an external loop with one? */
bool ufi_thread_drives_runtime(void);

/* Processes fired signals for this thread's own runtimes while it waits for another one. The other one may be
 * destroying a signal, which waits until this is done. */
void ufi_process_own_fired(void);

/* -- checkpoints: checkpoint.c ------------------------------------------------------------------------------------- */

/* Changes UNARMED to ARMED; `epoch` identifies this arming. Returns: false if it was not UNARMED. */
bool ufi_checkpoint_arm(uf_checkpoint *checkpoint, uint32_t *epoch);

/* UFI_OVER: the checkpoint was disarmed before a flow was seen there. */
typedef enum ufi_arming { UFI_NOBODY_YET, UFI_REACHED, UFI_OVER } ufi_arming;
ufi_arming ufi_checkpoint_query(const uf_checkpoint *checkpoint, uint32_t epoch);

/* Changes to UNARMED if it is still that arming and no flow is held. */
bool ufi_checkpoint_disarm_unreached(uf_checkpoint *checkpoint, uint32_t epoch);

/* -- arms of flows, on the pump's thread: fired.c ------------------------------------------------------------------ */

/* Index of the list of foreign waiters for a signal. */
static inline unsigned ufi_foreign_list(const uf_signal *signal)
{
    return (unsigned)(((uintptr_t)signal >> 4) * 0x9e3779b1u >> 16) % UF_FOREIGN_LISTS;
}

/* Does a flow of this pump wait for the signal as a foreign waiter? On a caller-driven pump, inside the critical
 * section. */
bool ufi_has_foreign_waiter(const uf_pump *pump, const uf_signal *signal);

/* Makes an arm that is on no list wait for a fire after `since`. Afterwards the arm is pending and on a list; or
 * ready, on a list or not; or it has failed, if the signal was destroyed. */
void ufi_signal_enqueue(uf_flow *flow, uf_arm *arm, uf_signal *signal, uint32_t since);

/* Takes the arm off its list, which ends its wait. */
void ufi_signal_dequeue(uf_flow *flow, uf_arm *arm);

/* Has the signal of an arm fired since the arm waits? For every kind of arm that waits for a signal. */
bool ufi_signal_has_fired(const uf_arm *arm);

/* Processes all fired signals of a pump: releases and wakes their waiters. */
void ufi_process_fired(uf_pump *pump);

/* Fails the flow if the signal of the arm was destroyed or was NULL. Returns: true if so. */
bool ufi_fail_if_closed(uf_flow *flow, const uf_arm *arm);

/* Makes the pump evaluate arms of this kind. Programs without such arms do not link the function. */
static inline void ufi_set_evaluation(uf_pump *pump, uf_arm_kind kind, bool (*evaluate)(uf_flow *flow, uf_arm *arm))
{
    pump->evaluate[kind - UF_ARM_SIGNAL] = evaluate;
}

/* Does the condition of an arm hold? A fire of the arm's signal says that the condition may have changed. */
bool ufi_level_holds(uf_flow *flow, uf_arm *arm, bool (*holds)(const uf_arm *arm));

#endif
