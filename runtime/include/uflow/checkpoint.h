/* SPDX-License-Identifier: MIT */
/* checkpoint.h - a place in a step where flows can be held.
 *
 *   checkpoint before_grip;                             in a .uflow file; a step has `await before_grip -> Grip;`
 *   uf_checkpoint_arm(&before_grip, UF_S(5));           waits until a flow is stopped there
 *   ...                                                 no step of that flow runs meanwhile
 *   uf_checkpoint_resume(&before_grip);                 releases every held flow and disarms the checkpoint
 */
#ifndef UFLOW_CHECKPOINT_H
#define UFLOW_CHECKPOINT_H

#include "uflow/signal.h"

UF_C_BEGIN

/* The state of a checkpoint. HELD becomes ARMED again if every held flow leaves by another arm, by a cancel or by
 * a handler. To be certain to hold a flow, give its await this one arm, and do not end the flow before you resume. */
typedef enum uf_checkpoint_status {
    UF_CHECKPOINT_UNARMED, /* flows pass without stopping */
    UF_CHECKPOINT_ARMED,   /* the next flow to arrive will stop */
    UF_CHECKPOINT_HELD     /* at least one flow is stopped, and every further flow stops too */
} uf_checkpoint_status;

/* A checkpoint. All zero except `held.name` is valid and UNARMED. The members are private.
 * Lifetime: you own it. Destroy it with uf_checkpoint_destroy() before its memory is freed. */
typedef struct uf_checkpoint {
    uf_signal held;       /* flows wait for it; the epoch is odd while the checkpoint is armed */
    uf_signal arrived;    /* fires when a flow has stopped, and on a disarm without a held flow */
    uint32_t reached;     /* the last epoch in which a flow was seen stopped */
    uint32_t flow_offset; /* distance back to the flow that declares it, in pointer sizes; 0: none does */
} uf_checkpoint;

/* Initialises a checkpoint statically: `uf_checkpoint before_grip = UF_CHECKPOINT("before_grip");`. */
#define UF_CHECKPOINT(name_)                                                                                           \
    {                                                                                                                  \
        UF_SIGNAL(name_), UF_SIGNAL(0), 0, 0                                                                           \
    }

/* Initialises a checkpoint as UNARMED. `name` is for observers.
 * Thread: one at a time, before any other use.
 * Lifetime: `name` is not copied and must outlive the checkpoint. */
void uf_checkpoint_init(uf_checkpoint *checkpoint, const char *name);

/* Ends a checkpoint, as uf_signal_destroy() does: the tasks of held flows fail with "closed". A thread in
 * uf_checkpoint_arm() gets UF_CLOSED, or UF_OK if a flow has just arrived; the call waits for it to leave.
 * Thread: any; not in an interrupt handler. */
void uf_checkpoint_destroy(uf_checkpoint *checkpoint);

/* Arms a checkpoint without waiting. A flow can then wait with `await arrived(before_grip) -> ...`.
 * Thread: any, with every pump.
 * Returns: UF_OK; UF_BUSY: it is not UNARMED; UF_INVALID: `checkpoint` is NULL. */
uf_status uf_checkpoint_try_arm(uf_checkpoint *checkpoint);

/* Arms a checkpoint and waits until a flow is stopped there. No body of that flow runs until it is released; only
 * conditions among the arms of its await are still polled. Needs the library with threads. `timeout` is real time.
 * Thread: any, with every pump, but no thread that drives a runtime.
 * Returns: UF_OK: a flow is stopped; UF_BUSY: it was not UNARMED; UF_TIMED_OUT: no flow came, and it is UNARMED
 * again; UF_DISARMED: it was resumed or disarmed first, or was held, resumed, and armed again before this thread
 * ran; UF_CLOSED: it was destroyed; UF_DEADLOCK: this thread drives a runtime; UF_NO_THREAD: no condition
 * variable, and it is UNARMED; UF_INVALID: `checkpoint` is NULL. */
uf_status uf_checkpoint_arm(uf_checkpoint *checkpoint, uf_time timeout);

/* Releases every held flow and disarms the checkpoint, from any state. A waiting uf_checkpoint_arm() returns. Call
 * it also when you give up: otherwise the next flow to arrive is held. It never waits.
 * Thread: any, with every pump; on bare metal also an interrupt handler.
 * Returns: the number of flows released. */
uint32_t uf_checkpoint_resume(uf_checkpoint *checkpoint);

/* Disarms a checkpoint at which no flow is held.
 * Thread: any, with every pump.
 * Returns: UF_OK: it is UNARMED now; UF_BUSY: it is HELD; UF_INVALID: `checkpoint` is NULL. */
uf_status uf_checkpoint_disarm(uf_checkpoint *checkpoint);

/* Counts the flows that are held.
 * Thread: any, with every pump.
 * Returns: their number at this moment. */
uint32_t uf_checkpoint_parked(const uf_checkpoint *checkpoint);

/* Reads the state of a checkpoint.
 * Thread: any, with every pump.
 * Returns: the state at this moment. */
uf_checkpoint_status uf_checkpoint_state(const uf_checkpoint *checkpoint);

UF_GUARDED(CHECKPOINTS, uf_checkpoint_arm)
UF_GUARDED(CHECKPOINTS, uf_checkpoint_try_arm)

UF_C_END
#endif
