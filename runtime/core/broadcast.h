/* broadcast.h - signals, as the files of core and host that know them share them.
 *
 * A signal is one word: how often it fired, and how many wait for the next time. To begin to wait, to leave and to fire
 * are one compare-and-swap of it each. So who is released is decided in one moment, and counted exactly; how they are
 * told comes after that.
 *
 * Flows are told by their own pump. The arms of a signal's waiters are on lists that one thread touches, the pump's: those
 * of the pump whose flow came first, the signal's home, on the signal's own list; those of other pumps, its guests, on
 * one of a few lists of theirs, chosen by the signal's address. Who fires notes in each of the pumps which signal, or
 * which list, is to be looked at, and sends it a message.
 *
 * What lies between ufp_critical_enter() and ufp_critical_leave(): a pump's `fired` and `fired_guests`, a signal's `fired` and `callbacks`,
 * the list of pumps, that a pump ceases to be a home or to have guests, and any change of the guests' lists of one that is
 * driven by hand. A pump that is a home or on the list has
 * flows that wait; so it is there, and who fires makes sure, before he leaves, that it stays until he has woken it. */
#ifndef UFLOW_BROADCAST_H
#define UFLOW_BROADCAST_H

#include "core.h"

/* Words of a signal. */
static inline uint32_t ufi_epoch_of(uint64_t word)
{
    return (uint32_t)(word >> 32);
}
static inline uint32_t ufi_waiting_of(uint64_t word)
{
    return (uint32_t)word;
}

/* One more waits for the next fire; false, and nothing happens, if it has fired since. */
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

/* One less waits; false, and nothing happens, if it has fired since, for that fire has counted him. */
bool ufi_signal_quit(uf_signal *signal, uint32_t since);

/* See uf_signal_unsubscribe(). UFI_RELEASED: it had been counted by a fire that would have come to call it. */
typedef enum ufi_forgotten { UFI_CALLED, UFI_LEFT, UFI_RELEASED } ufi_forgotten;
ufi_forgotten ufi_signal_forget(uf_signal *signal, uf_signal_callback *callback);

/* Fires, if this is its word still. */
bool ufi_signal_fire_from(uf_signal *signal, uint64_t word);

/* Does this thread drive a runtime, or a loop that one is embedded in? */
bool ufi_drives(void);

/* For a thread that drives runtimes and waits for another one: looks at what has fired for its own. That one may be
 * destroying a signal, and wait until this was done. */
void ufi_look_while_waiting(void);

/* Is one of a pump's guests waiting for it? Of a pump that is driven by hand; inside. */
bool ufi_has_guest(const uf_pump *pump, const uf_signal *signal);

/* A pump that may have guests' lists is on the list of pumps from the one to the other; so is every runtime. */
void ufi_enlist_pump(uf_pump *pump);
void ufi_delist_pump(uf_pump *pump);

/* -- checkpoints --------------------------------------------------------------------------------------------------- */

/* To ARMED; `epoch` says which arming it is. False: it is not UNARMED. */
bool ufi_checkpoint_arm(uf_checkpoint *checkpoint, uint32_t *epoch);

/* How it stands with that arming. UFI_OVER: it was disarmed before anyone was seen there. */
typedef enum ufi_arming { UFI_NOBODY_YET, UFI_REACHED, UFI_OVER } ufi_arming;
ufi_arming ufi_checkpoint_look(const uf_checkpoint *checkpoint, uint32_t epoch);

/* To UNARMED, if it is that arming still and nobody stands there. */
bool ufi_checkpoint_give_up(uf_checkpoint *checkpoint, uint32_t epoch);

/* -- the pump's thread: fired.c ------------------------------------------------------------------------------------ */

static inline uint32_t ufi_since(const uf_arm *arm)
{
    return arm->place | (uint32_t)arm->why << 16;
}
static inline void ufi_set_since(uf_arm *arm, uint32_t since)
{
    arm->place = (uint16_t)since;
    arm->why = (uint16_t)(since >> 16);
}

/* Which of a pump's lists of guests. */
static inline unsigned ufi_guest_list(const uf_signal *signal)
{
    return (unsigned)(((uintptr_t)signal >> 4) * 0x9e3779b1u >> 16) % UF_GUEST_LISTS;
}

/* An arm that is on no list waits for a signal to fire after `since`. If it has, the arm is ready, and may be on a list all
 * the same; if the signal was destroyed, it has failed. */
void ufi_signal_wait(uf_flow *flow, uf_arm *arm, uf_signal *signal, uint32_t since);

/* Takes it off; it does not wait any more. */
void ufi_signal_leave(uf_flow *flow, uf_arm *arm);

/* Has what it waits for come? For any arm that waits for a signal. */
bool ufi_signal_came(const uf_arm *arm);

/* Looks at all that has fired: who waits for it is ready, and woken. */
void ufi_look_at_fired(uf_pump *pump);

/* The signal of an arm was destroyed, or never was one: its flow fails. */
bool ufi_arm_closed(uf_flow *flow, const uf_arm *arm);

/* An arm that waits for a level, which its signal says may have changed. */
bool ufi_level(uf_flow *flow, uf_arm *arm, bool (*holds)(const uf_arm *arm));

#endif
