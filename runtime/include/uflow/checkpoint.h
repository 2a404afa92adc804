/* checkpoint.h - a place in a step where flows can be held.
 *
 *   checkpoint before_grip;                             in a .uflow file; a step has `await before_grip -> Grip;`
 *   uf_checkpoint_arm(&before_grip, UF_S(5));           waits until a flow has really stopped there
 *   ...                                                 no step of that flow runs meanwhile
 *   uf_checkpoint_resume(&before_grip);                 lets all go on that stand there, and everyone pass
 *
 * UNARMED: flows pass without stopping. ARMED: the next one that comes will stop. HELD: somebody stands there, and
 * whoever else comes stops too. If all that stand there leave it by another arm of their await, by a cancel or by a
 * pre-emption, it is ARMED again: to hold a flow for certain, its await has this one arm, and nobody ends it meanwhile.
 *
 * Everything here is for any thread. */
#ifndef UFLOW_CHECKPOINT_H
#define UFLOW_CHECKPOINT_H

#include "uflow/base.h"
#include "uflow/signal.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum uf_checkpoint_status {
    UF_CHECKPOINT_UNARMED,
    UF_CHECKPOINT_ARMED,
    UF_CHECKPOINT_HELD
} uf_checkpoint_status;

/* All zero but the name (held.name) is ready for use. A checkpoint is a signal that flows wait for while it is armed: its
 * epoch is odd then, and to resume is to fire it. So one word says all, and changes as a whole. */
typedef struct uf_checkpoint {
    uf_signal held;
    uf_signal arrived; /* fires when somebody has stopped, and when it is disarmed with nobody there */
    uint32_t reached;  /* the epoch in which somebody was last seen there */
} uf_checkpoint;

/* uf_checkpoint before_grip = UF_CHECKPOINT("before_grip"); */
#define UF_CHECKPOINT(name_)                                                                                           \
    {                                                                                                                  \
        UF_SIGNAL(name_), UF_SIGNAL(0), 0                                                                              \
    }

/* UNARMED. `name` is for observers, and must stay. */
void uf_checkpoint_init(uf_checkpoint *checkpoint, const char *name);

/* As uf_signal_destroy(): the tasks of flows that stand there fail with "closed"; those who wait for them to come get
 * UF_CLOSED, or UF_OK if somebody has just come, and are waited for. */
void uf_checkpoint_destroy(uf_checkpoint *checkpoint);

/* UNARMED to ARMED, and does not wait. UF_BUSY: it was not UNARMED. For a flow, whose next step can be reached by
 * `await arrived(before_grip) -> ...`. */
uf_status uf_checkpoint_try_arm(uf_checkpoint *checkpoint);

/* Arms it and waits until a flow has stopped there: its body has run, and no other does until it goes on from there;
 * only conditions among the arms of its await are still polled. UF_BUSY: it was not UNARMED. UF_TIMED_OUT: nobody has
 * come, and it is UNARMED again. UF_DISARMED: somebody has resumed or disarmed it before anyone came; or it was held and
 * resumed, and then armed and held once more, before this thread looked. UF_DEADLOCK on a thread that drives a runtime;
 * UF_CLOSED; UF_NO_THREAD, and it is UNARMED. In the library with threads only. */
uf_status uf_checkpoint_arm(uf_checkpoint *checkpoint, uf_time timeout);

/* To UNARMED, from wherever: lets go all that stand there, and returns how many they were. From ARMED a waiting
 * uf_checkpoint_arm() returns. Never waits; on bare metal also from an interrupt. */
uint32_t uf_checkpoint_resume(uf_checkpoint *checkpoint);

/* ARMED to UNARMED; nothing if it is UNARMED. UF_BUSY: it is HELD. */
uf_status uf_checkpoint_disarm(uf_checkpoint *checkpoint);

/* How many stand there, and how it stands. */
uint32_t uf_checkpoint_parked(const uf_checkpoint *checkpoint);
uf_checkpoint_status uf_checkpoint_state(const uf_checkpoint *checkpoint);

#ifdef __cplusplus
}
#endif
#endif
