/* SPDX-License-Identifier: MIT */
/* arms.h - arms: the events that a parked or staying flow waits for. */
#ifndef UFLOW_ARMS_H
#define UFLOW_ARMS_H

#include "basics/format.h"
#include "flows/ready.h"

/* Leaves an await or a timed stay: cancels its runs that have not ended, and disarms the rest. */
void ufi_disarm_all(uf_flow *flow);

/* Leaves a task or a group: the same for its companions and its timeout, which are among the handlers. They are those
 * of the tasks and groups from `first` to before `end`. */
void ufi_disarm_companions(uf_flow *flow, uint16_t first, uint16_t end);

/* Takes an arm off its list, if it is on one. */
void ufi_arm_take_off(uf_flow *flow, uf_arm *arm);
static inline void ufi_arm_drop(uf_flow *flow, uf_arm *arm)
{
    if (arm->on_list) ufi_arm_take_off(flow, arm);
}

/* May the flow start a run of the child? A step that has failed starts nothing. */
uf_status ufi_may_run(const uf_flow *flow, const uf_flow *child);

/* The arm fails with a status: its run did not start, or it waits for room that is gone. */
static inline void ufi_arm_refuse(uf_arm *arm, uf_status status)
{
    arm->state = UF_ARM_FAILED;
    arm->cause = UF_CAUSE_STATUS;
    arm->detail.why = (uint16_t)status;
}

/* The same, if the flow waits. If its awaits have only one arm, and that is on no list, it needs no loop over arms.
 * Most waits take this path, which saves 20 instructions. */
static inline void ufi_leave_await(uf_flow *flow)
{
    uf_arm *const arm = ufi_arms(flow);

    if (!(flow->flags & UF_FLAG_ARMED)) return;
    if (!UFI_FAST_PATHS || flow->type->arm_count != 1 || arm->on_list) {
        ufi_disarm_all(flow);
        return;
    }
    arm->kind = UF_ARM_UNUSED;
    arm->state = UF_ARM_PENDING;
    ufi_flag_clear(flow, UFI_WAIT_FLAGS);
}

/* Initialises an arm of an await that the flow is reaching. The arm is on no list. */
static inline void ufi_set_arm(uf_flow *flow, uf_arm *arm, uf_arm_kind kind)
{
    arm->on.deadline = 0;
    arm->owner = flow;
    arm->kind = (uint8_t)kind;
    arm->state = UF_ARM_PENDING;
    arm->cause = UF_CAUSE_NONE;
    arm->on_list = 0;
    arm->since = 0;
    ufi_flag_set(flow, UF_FLAG_ARMED);
}

/* Disarms the timers of a `stay`. The state remains that of the wait if the timeout is due. Otherwise it becomes that
 * of the body, which runs again. The kind and deadline of an interval remain: the next interval counts from there. */
void ufi_end_pause(uf_flow *flow);

static inline bool ufi_is_run(const uf_arm *arm)
{
    return arm->kind == UF_ARM_RUN || arm->kind == UF_ARM_COMPANION;
}

/* Sets a timer of real time that has no owner: the store's function `due` is called. It is on no list. */
void ufi_store_timer(uf_pump *pump, uf_arm *arm, uf_time after);

/* Is it a run that has not ended? */
static inline bool ufi_has_run(const uf_arm *arm)
{
    return ufi_is_run(arm) && arm->state == UF_ARM_PENDING;
}

/* All arms of a flow: first those of its awaits, then those of its tasks. NULL: no more. */
static inline uf_arm *ufi_first_arm(const uf_flow *flow)
{
    if (flow->type->arm_count) return ufi_arms(flow);
    return ufi_preempt_count(flow) ? ufi_preempts(flow) : NULL;
}
static inline uf_arm *ufi_arm_after(const uf_flow *flow, uf_arm *arm)
{
    uf_flow_type const *const type = flow->type;

    arm++;
    if (arm == ufi_arms(flow) + type->arm_count) return ufi_preempt_count(flow) ? ufi_preempts(flow) : NULL;
    return ufi_preempt_count(flow) && arm == ufi_preempts(flow) + type->preempt_count ? NULL : arm;
}

/* A durable flow is not idle before the step that has run it is left for good. Any thread. */
static inline bool ufi_is_owed(const uf_flow *flow)
{
    return ufi_store_hooks(flow->pump) && ufi_store_hooks(flow->pump)->is_owed(flow);
}

/* The arm of another flow that waits for the end of this run, in an await or a task. Arms `idle` wait for a flow, not
 * for a run. NULL: none. */
uf_arm *ufi_arm_run_for(const uf_flow *flow);
static inline bool ufi_is_run_by_another(const uf_flow *flow)
{
    return ufi_arm_run_for(flow) != NULL;
}

/* Makes an arm wait for its target, a flow of the same pump. */
void ufi_wait_for_flow(uf_arm *arm);

/* Did the last run end as a caller expects: done, in a task of this result class (0: any)? */
bool ufi_ended_with_result(const uf_flow *flow, uint32_t last_state, uint16_t result_class);

/* The only call into the layer above: leaving an await cancels its subtasks. Ends a run at once, outside of its turn:
 * first its subtasks, then its `on exit`; then the flow is idle. See turn.c. */
void ufi_cancel_now(uf_flow *flow);

#endif
