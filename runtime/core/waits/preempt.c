/* SPDX-License-Identifier: MIT */
/* preempt.c - handlers `on SIGNAL -> TARGET;` and `on timeout D -> TARGET;`, and companions `with run`. Their arms
 * belong to no await, and survive steps.
 *
 * A flow's handlers are armed from the start of a run to its end, except in a shutdown task. Handlers for signals of a
 * task or group are armed while the flow is in that task, or in a task of that group. Its timeout and its companions
 * begin when the flow enters it: the generated code arms them. */
#include "basics/wheel.h"
#include "waits/signals.h"

static uf_arm *arm_of(const uf_flow *flow, unsigned which)
{
    return ufi_preempts(flow) + which;
}

/* The flow itself is no signal. */
static bool has_signal(const uf_preempt_info *preempt)
{
    return preempt->signal || preempt->offset;
}

static uf_signal *signal_of(const uf_flow *flow, const uf_preempt_info *preempt)
{
    return preempt->signal ? preempt->signal : (uf_signal *)((uintptr_t)flow + preempt->offset);
}

/* A guarded flow looks in each turn whether a handler must be taken. */
static void guard(uf_flow *flow)
{
    ufi_rare_flag_put(flow, UFI_GUARDED, true);
}

/* Called after the handlers for signals have changed. */
static void guard_if_armed(uf_flow *flow)
{
    bool armed = false;

    for (unsigned i = 0; i < flow->type->preempt_count; i++) armed |= arm_of(flow, i)->kind != UF_ARM_UNUSED;
    ufi_rare_flag_put(flow, UFI_GUARDED, armed);
}

static void note_epochs(uf_flow *flow)
{
    for (unsigned i = 0; i < flow->type->preempt_count; i++) {
        if (!has_signal(&flow->type->preempts[i])) continue;
        arm_of(flow, i)->since = uf_signal_epoch(signal_of(flow, &flow->type->preempts[i]));
    }
}

static void take_off(uf_flow *flow, uf_arm *arm)
{
    if (UF_USES_SIGNALS && arm->on_list) ufi_dequeue(flow, arm);
}

static void arm_handler(uf_flow *flow, unsigned which, uint32_t since)
{
    uf_arm *const arm = arm_of(flow, which);

    *arm = (uf_arm){.owner = flow, .kind = UF_ARM_PREEMPT};
    flow->type->preempting->enqueue(flow, arm, signal_of(flow, &flow->type->preempts[which]), since);
    if (arm->state == UF_ARM_READY) ufi_flag_set(flow, UFI_PREEMPTED);
}

static void disarm_handler(uf_flow *flow, unsigned which)
{
    uf_arm *const arm = arm_of(flow, which);

    if (!has_signal(&flow->type->preempts[which])) return;
    take_off(flow, arm);
    arm->kind = UF_ARM_UNUSED;
    arm->state = UF_ARM_PENDING;
}

/* Is it a handler of the task, of a group around it, or of the flow? */
static bool is_around(const uf_flow_type *type, unsigned which, uint16_t task)
{
    uint16_t const of = type->preempts[which].task;

    if (of == task || of == UF_NO_TASK) return true;
    return of >= type->task_count && (uint16_t)(task - type->tasks[of].entry) < type->tasks[of].result_class;
}

/* Does a handler for a signal apply to a task? A flow's handlers do not preempt a shutdown task. */
static bool applies_to(const uf_flow *flow, unsigned which, uint16_t task)
{
    uf_flow_type const *const type = flow->type;

    if (!has_signal(&type->preempts[which]) || !is_around(type, which, task)) return false;
    return type->preempts[which].task != UF_NO_TASK || type->tasks[task].kind != UF_TASK_SHUTDOWN;
}

static void arm_all(uf_flow *flow, uint16_t task)
{
    for (unsigned i = 0; i < flow->type->preempt_count; i++) {
        if (applies_to(flow, i, task)) arm_handler(flow, i, arm_of(flow, i)->since);
    }
    guard_if_armed(flow);
}

static void disarm_all(uf_flow *flow)
{
    for (unsigned i = 0; i < flow->type->preempt_count; i++) disarm_handler(flow, i);
    ufi_flag_clear(flow, UFI_PREEMPTED);
}

static bool must_be_taken(const uf_arm *arm)
{
    if (arm->kind == UF_ARM_PREEMPT) return ufi_signal_has_fired(arm);
    if (arm->kind == UF_ARM_ON_TIMEOUT) return ufi_reached(arm->owner, arm->on.deadline);
    return arm->kind != UF_ARM_UNUSED && arm->state == UF_ARM_FAILED; /* a companion, or a real timeout that is due */
}

/* The first handler that must be taken; preempt_count: none. Those of an inner place come first. While the flow is
 * paused, the handlers of its task wait, and no logical time passes for those of its groups. It reads no arm of another
 * task: that would be a cache miss in each turn. */
static unsigned handler_to_take(const uf_flow *flow)
{
    uf_flow_type const *const type = flow->type;
    uint32_t const state = ufp_load(&flow->state);
    uint16_t const task = ufi_step_of(flow, state)->task;
    bool const is_paused = ufi_is_paused(state);
    unsigned row = 0, which = 0;

    for (; which < type->preempt_count; which++) {
        if (type->preempts[which].line) row = which; /* see ufi_row_of_preempt() */
        if (is_paused && (type->preempts[row].task == task || arm_of(flow, which)->kind == UF_ARM_ON_TIMEOUT)) continue;
        if (is_around(type, row, task) && must_be_taken(arm_of(flow, which))) break;
    }
    return which;
}

static void check(uf_flow *flow)
{
    if (handler_to_take(flow) < flow->type->preempt_count) ufi_flag_set(flow, UFI_PREEMPTED);
}

/* Re-arms all handlers of one signal: a fire takes only one of them. */
static void rearm(uf_flow *flow, const uf_signal *signal)
{
    for (unsigned i = 0; i < flow->type->preempt_count; i++) {
        if (!has_signal(&flow->type->preempts[i])) continue;
        uf_signal *const of = signal_of(flow, &flow->type->preempts[i]);
        if (of != signal || arm_of(flow, i)->kind != UF_ARM_PREEMPT) continue;
        take_off(flow, arm_of(flow, i));
        arm_handler(flow, i, uf_signal_epoch(of));
    }
}

static void clear_flag_if_none(uf_flow *flow)
{
    if (handler_to_take(flow) == flow->type->preempt_count) ufi_flag_clear(flow, UFI_PREEMPTED);
}

/* A signal that is also handled where the flow comes from counts on: a fire that no handler has taken stays pending.
 * Any other counts from now. */
static uint32_t counts_from(const uf_flow *flow, const uf_signal *signal, uint16_t from)
{
    for (unsigned i = 0; i < flow->type->preempt_count; i++) {
        if (applies_to(flow, i, from) && signal_of(flow, &flow->type->preempts[i]) == signal)
            return arm_of(flow, i)->since;
    }
    return uf_signal_epoch(signal);
}

/* The handlers of the flow, and of groups around both tasks, stay armed. */
static void change_task(uf_flow *flow, uint16_t from, uint16_t to)
{
    for (unsigned i = 0; i < flow->type->preempt_count; i++) {
        bool const was = applies_to(flow, i, from), is = applies_to(flow, i, to);
        if (was && is && flow->type->preempts[i].task >= flow->type->task_count) continue;
        if (was) disarm_handler(flow, i);
        if (is) arm_handler(flow, i, counts_from(flow, signal_of(flow, &flow->type->preempts[i]), from));
    }
    guard_if_armed(flow);
    clear_flag_if_none(flow);
}

/* A timeout comes once in a task or group, and a companion is not started again. Its cause of failure remains
 * readable. */
static void spend(uf_flow *flow, uf_arm *arm)
{
    (void)uf_failed(arm); /* notices the failure */
    ufi_arm_drop(flow, arm);
    arm->kind = UF_ARM_UNUSED;
}

/* The task may not have been entered yet: a fire before its first turn prevents its entry step. The generated code
 * initialises what the target needs of the task's state. */
static bool take_handler(uf_flow *flow, uf_intent *intent)
{
    unsigned const which = handler_to_take(flow);

    if (which == flow->type->preempt_count) {
        ufi_flag_clear(flow, UFI_PREEMPTED);
        return false;
    }
    ufi_enter_member(flow);                           /* after the choice: a fire there is due at the next turn */
    bool const is_new = (flow->flags & UFI_NEW) != 0; /* then it is a handler for a signal, which stays armed */
    if (!is_new && ufi_is_observed(flow->pump)) flow->pump->notify->handler_decided(flow, which);
    if (has_signal(&flow->type->preempts[which])) rearm(flow, signal_of(flow, &flow->type->preempts[which]));
    else spend(flow, arm_of(flow, which));
    clear_flag_if_none(flow);
    *intent = flow->type->preempt(flow, (uint16_t)which);
    if (is_new && ufi_is_observed(flow->pump)) flow->pump->notify->handler_decided(flow, which); /* it began just now */
    return true;
}

/* -- what begins and ends with a task or group --------------------------------------------------------------------- */

static void leave_task(uf_flow *flow)
{
    ufi_disarm_companions(flow, 0, flow->type->task_count);
}

static uf_arm *running_companion(const uf_flow *flow)
{
    for (unsigned i = 0; i < flow->type->preempt_count; i++) {
        if (ufi_has_run(ufi_preempts(flow) + i)) return ufi_preempts(flow) + i;
    }
    return NULL;
}

static uf_arm *leave_to_companion(uf_flow *flow)
{
    if (!running_companion(flow)) return NULL;
    ufi_flag_set(flow, UFI_LEFT_BY_PARTS);
    flow->type->on_exit(flow, UF_CANCELLED);
    ufi_flag_clear(flow, UFI_LEFT_BY_PARTS);
    return running_companion(flow);
}

void uf_on_timeout(uf_flow *flow, uf_arm *arm, uf_time after)
{
    *arm = (uf_arm){.owner = flow, .kind = UF_ARM_ON_TIMEOUT};
    guard(flow);
    if (after <= 0) {
        arm->on.deadline = ufi_now(flow);
        ufi_flag_set(flow, UFI_PREEMPTED);
        return;
    }
    arm->on.deadline = uf_time_add(ufi_read_time(flow->pump), after);
    if (arm->on.deadline != UF_FOREVER) ufi_wheel_set(&flow->pump->wheel, arm);
}

static void refuse(uf_flow *flow, uf_arm *arm, uf_status status)
{
    ufi_arm_refuse(arm, status);
    ufi_flag_set(flow, UFI_PREEMPTED);
}

bool uf_with_run(uf_flow *flow, uf_arm *arm, uf_flow *child)
{
    uf_status const status = ufi_may_run(flow, child);

    if (flow->flags & (UFI_FAILING | UFI_CANCEL)) return false;
    if (UF_USES_DURABLE && arm->on_list) ufi_arm_drop(flow, arm); /* a damaged record has made a timer of it */
    *arm = (uf_arm){.owner = flow, .kind = UF_ARM_COMPANION, .on.target = child};
    guard(flow);
    if (status != UF_OK) refuse(flow, arm, status);
    else flow->pump->child_to_start = child;
    return status == UF_OK;
}

void uf_with_started(uf_flow *flow, uf_arm *arm, uf_status status)
{
    if (status == UF_OK) ufi_wait_for_flow(arm);
    else refuse(flow, arm, status);
}

#define HANDLING                                                                                                       \
    .note_epochs = note_epochs, .arm = arm_all, .change_task = change_task, .leave_task = leave_task,                  \
    .leave_to_companion = leave_to_companion, .disarm = disarm_all, .check = check, .take = take_handler

const struct uf_preempting uf_preempting = {HANDLING, .enqueue = ufi_signal_enqueue};
const struct uf_preempting uf_preempting_without_signals = {HANDLING};
