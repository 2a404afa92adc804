/* SPDX-License-Identifier: MIT */
/* checkpoint.c - places where flows can be held.
 *
 * A checkpoint is armed while the epoch of its signal `held` is odd. A held flow waits for `held` since that epoch. So
 * arriving and resuming are compare-and-exchanges of one word. So a resume releases exactly the flows that are held at
 * that moment, and the number of waiters is the number of held flows. */
#include "waits/signals.h"

static bool is_armed(uint64_t word)
{
    return ufi_epoch_of(word) & 1;
}

void uf_checkpoint_init(uf_checkpoint *checkpoint, const char *name)
{
    if (checkpoint) *checkpoint = (uf_checkpoint){.held = UF_SIGNAL(name)};
}

void uf_checkpoint_ready(uf_checkpoint *checkpoint, const uf_flow *owner, const char *name)
{
    if (checkpoint->held.name) return;
    uf_checkpoint_init(checkpoint, name);
    checkpoint->flow_offset = (uint32_t)(((uintptr_t)checkpoint - (uintptr_t)owner) / sizeof(void *));
}

void uf_checkpoint_destroy(uf_checkpoint *checkpoint)
{
    if (!checkpoint) return;
    uf_signal_destroy(&checkpoint->held);
    uf_signal_destroy(&checkpoint->arrived);
}

uint32_t uf_checkpoint_parked(const uf_checkpoint *checkpoint)
{
    return checkpoint ? ufi_waiting_of(ufp_load_wide_seq_cst(&checkpoint->held.word)) : 0;
}

uf_checkpoint_status uf_checkpoint_state(const uf_checkpoint *checkpoint)
{
    uint64_t const word = checkpoint ? ufp_load_wide_seq_cst(&checkpoint->held.word) : 0;
    if (!is_armed(word)) return UF_CHECKPOINT_UNARMED;
    return ufi_waiting_of(word) ? UF_CHECKPOINT_HELD : UF_CHECKPOINT_ARMED;
}

/* -- the controller ------------------------------------------------------------------------------------------------ */

bool ufi_checkpoint_arm(uf_checkpoint *checkpoint, uint32_t *epoch)
{
    uint64_t const word = ufp_load_wide_seq_cst(&checkpoint->held.word);
    *epoch = ufi_epoch_of(word) + 1;
    return !is_armed(word) && ufi_signal_fire_from(&checkpoint->held, word);
}

/* If this thread runs a step of a runtime, notifies the observers of that runtime. */
static void notify_armed(const char *name)
{
    uf_pump *const pump = UFI_MANY_THREADS ? ufp_thread_slot()[UFP_SLOT_ROUND] : NULL;
    if (pump && ufi_is_observed(pump) && pump->current && name) pump->notify->checkpoint_armed(pump, name);
}

uf_status uf_checkpoint_try_arm(uf_checkpoint *checkpoint)
{
    uint32_t epoch;
    if (!checkpoint) return UF_INVALID;
    char const *const name = checkpoint->held.name; /* once it is armed, another thread may resume and destroy it */
    if (!ufi_checkpoint_arm(checkpoint, &epoch)) return UF_BUSY;
    notify_armed(name);
    return UF_OK;
}

/* Records that a flow was held in this epoch. A late call with an older epoch changes nothing. */
static void note_reached(uf_checkpoint *checkpoint, uint32_t epoch)
{
    uint32_t known;
    do {
        known = ufp_load(&checkpoint->reached);
        if ((int32_t)(epoch - known) <= 0) return;
    } while (!ufp_compare_exchange_seq_cst(&checkpoint->reached, known, epoch));
}

/* Changes to UNARMED if the word is still `word`. Only a thread in uf_checkpoint_arm() asks for the result, by
 * `reached` or by a fire of `arrived`: it is counted in `firing` before it arms. A controller that learns that no flow
 * came may destroy the checkpoint. `firing` makes the destroy wait. */
static bool disarm_from(uf_checkpoint *checkpoint, uint64_t word)
{
    bool const asked = ufp_load_seq_cst(&checkpoint->arrived.firing) > 0;

    if (!asked) return ufi_signal_fire_from(&checkpoint->held, word);
    if (ufi_waiting_of(word)) {
        note_reached(checkpoint, ufi_epoch_of(word)); /* before the exchange, so that its readers see it */
        return ufi_signal_fire_from(&checkpoint->held, word);
    }
    (void)ufp_add_fetch_seq_cst(&checkpoint->held.firing, 1);
    bool const done = ufi_signal_fire_from(&checkpoint->held, word);
    if (done) uf_signal_fire(&checkpoint->arrived);
    (void)ufp_add_fetch_seq_cst(&checkpoint->held.firing, UINT32_MAX);
    return done;
}

uint32_t uf_checkpoint_resume(uf_checkpoint *checkpoint)
{
    uint64_t word;
    if (!checkpoint) return 0;
    do {
        word = ufp_load_wide_seq_cst(&checkpoint->held.word);
        if (!is_armed(word)) return 0;
    } while (!disarm_from(checkpoint, word));
    return ufi_waiting_of(word);
}

uf_status uf_checkpoint_disarm(uf_checkpoint *checkpoint)
{
    uint64_t word;
    if (!checkpoint) return UF_INVALID;
    do {
        word = ufp_load_wide_seq_cst(&checkpoint->held.word);
        if (!is_armed(word)) return UF_OK;
        if (ufi_waiting_of(word)) return UF_BUSY;
    } while (!disarm_from(checkpoint, word));
    return UF_OK;
}

bool ufi_checkpoint_disarm_unreached(uf_checkpoint *checkpoint, uint32_t epoch)
{
    return disarm_from(checkpoint, (uint64_t)epoch << 32);
}

ufi_arming ufi_checkpoint_query(const uf_checkpoint *checkpoint, uint32_t epoch)
{
    uint64_t const word = ufp_load_wide_seq_cst(&checkpoint->held.word);
    bool const same = ufi_epoch_of(word) == epoch;

    if (same && !ufi_waiting_of(word)) return UFI_NOBODY_YET;
    return same || ufp_load_acquire(&checkpoint->reached) == epoch ? UFI_REACHED : UFI_OVER;
}

/* -- flows --------------------------------------------------------------------------------------------------------- */

static uf_checkpoint *checkpoint_of(const uf_arm *arm, size_t offset)
{
    return (uf_checkpoint *)((uintptr_t)arm->on.signal - offset);
}

/* From here on, none of the flow's code runs, so the flow counts as held. */
static bool stand(uf_flow *flow, uf_arm *arm)
{
    uf_signal *const held = arm->on.signal;
    char const *const name = held->name ? held->name : "";
    uint32_t const epoch = uf_signal_epoch(held);

    if (!(epoch & 1)) return false;
    ufi_signal_enqueue(flow, arm, held, epoch);
    if (arm->state != UF_ARM_PENDING) return false;
    (void)uf_signal_fire(&checkpoint_of(arm, offsetof(uf_checkpoint, held))->arrived);
    if (ufi_is_observed(flow->pump)) flow->pump->notify->checkpoint_parked(flow, name);
    return true;
}

/* The flow has parked in an await with checkpoints, so it is held at those that are armed. Returns: false if the flow
 * is no longer held. */
static bool stand_at_all(uf_flow *flow)
{
    uf_arm *const arms = ufi_arms(flow);
    bool stands = true;

    for (unsigned i = 0; i < flow->type->arm_count; i++) {
        if (arms[i].kind != UF_ARM_CHECKPOINT || arms[i].on_list || arms[i].state != UF_ARM_PENDING) continue;
        stands = stand(flow, &arms[i]) && stands;
    }
    return stands;
}

/* The checkpoint is not armed, or was resumed since the flow was held there. */
static bool passes(uf_flow *flow, uf_arm *arm)
{
    if (ufi_fail_if_closed(flow, arm)) return false;
    if (ufi_signal_has_fired(arm)) return true;
    return !arm->on_list && !is_armed(ufp_load_wide_seq_cst(&arm->on.signal->word));
}

void uf_arm_checkpoint(uf_flow *flow, uf_arm *arm, uf_checkpoint *checkpoint)
{
    ufi_set_arm(flow, arm, UF_ARM_CHECKPOINT);
    ufi_set_evaluation(flow->pump, UF_ARM_CHECKPOINT, passes);
    arm->on.signal = &checkpoint->held;
    flow->pump->hold_at_checkpoints = stand_at_all;
    ufi_flag_set(flow, UFI_HAS_CHECKPOINT);
}

static bool somebody_stands(const uf_arm *arm)
{
    return uf_checkpoint_state(checkpoint_of(arm, offsetof(uf_checkpoint, arrived))) == UF_CHECKPOINT_HELD;
}

static bool has_arrived(uf_flow *flow, uf_arm *arm)
{
    return ufi_level_holds(flow, arm, somebody_stands);
}

void uf_arm_arrived(uf_flow *flow, uf_arm *arm, uf_checkpoint *checkpoint)
{
    ufi_set_arm(flow, arm, UF_ARM_ARRIVED);
    ufi_set_evaluation(flow->pump, UF_ARM_ARRIVED, has_arrived);
    if (checkpoint) arm->on.signal = &checkpoint->arrived;
    else arm->cause = UF_CAUSE_NULL;
}
