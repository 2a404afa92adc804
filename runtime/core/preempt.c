/* preempt.c - `on SIGNAL -> OUTCOME;`: arms that no step waits for, and that survive steps.
 *
 * Those of the flow are set from a run's start to its end, but not in a shutdown task; those of a task from when it is
 * started or become. */
#include "broadcast.h"

static uf_arm *arm_of(const uf_flow *flow, unsigned which)
{
    return (uf_arm *)((uintptr_t)flow + flow->type->preempts_offset) + which;
}

static uf_signal *signal_of(const uf_flow *flow, const uf_preempt_info *preempt)
{
    return preempt->signal ? preempt->signal : (uf_signal *)((uintptr_t)flow + preempt->offset);
}

static void note_all(uf_flow *flow)
{
    for (unsigned i = 0; i < flow->type->preempt_count; i++) {
        ufi_set_since(arm_of(flow, i), uf_signal_epoch(signal_of(flow, &flow->type->preempts[i])));
    }
}

static void set(uf_flow *flow, unsigned which, uint32_t since)
{
    uf_arm *const arm = arm_of(flow, which);

    *arm = (uf_arm){.owner = flow, .kind = UF_ARM_PREEMPT};
    ufi_signal_wait(flow, arm, signal_of(flow, &flow->type->preempts[which]), since);
    if (arm->state == UF_ARM_READY) ufi_flag_set(flow, UFI_PREEMPTED);
}

static void drop(uf_flow *flow, unsigned which)
{
    uf_arm *const arm = arm_of(flow, which);
    ufi_signal_leave(flow, arm);
    arm->kind = UF_ARM_UNUSED;
    arm->state = UF_ARM_PENDING;
}

/* May it pre-empt that task? A shutdown task is left alone by its flow's handlers. */
static bool is_for(const uf_flow *flow, unsigned which, uint16_t task)
{
    uint16_t const of = flow->type->preempts[which].task;
    return of == UF_NO_TASK ? flow->type->tasks[task].kind != UF_TASK_SHUTDOWN : of == task;
}

static void set_all(uf_flow *flow, uint16_t task)
{
    for (unsigned i = 0; i < flow->type->preempt_count; i++) {
        if (is_for(flow, i, task)) set(flow, i, ufi_since(arm_of(flow, i)));
    }
}

static void drop_all(uf_flow *flow)
{
    for (unsigned i = 0; i < flow->type->preempt_count; i++) drop(flow, i);
    ufi_flag_clear(flow, UFI_PREEMPTED);
}

static bool has_come(const uf_arm *arm)
{
    return arm->kind == UF_ARM_PREEMPT && ufi_signal_came(arm);
}

/* The first one, of those of the task or of the flow, that has come; preempt_count: none. */
static unsigned first_come(const uf_flow *flow, bool of_task)
{
    uf_flow_type const *const type = flow->type;
    unsigned i = 0;

    while (i < type->preempt_count) {
        if ((type->preempts[i].task != UF_NO_TASK) == of_task && has_come(arm_of(flow, i))) break;
        i++;
    }
    return i;
}

/* The one to be taken; preempt_count: none. */
static unsigned first_that_counts(const uf_flow *flow)
{
    unsigned const which = first_come(flow, true);
    return which < flow->type->preempt_count ? which : first_come(flow, false);
}

static void check(uf_flow *flow)
{
    if (first_that_counts(flow) < flow->type->preempt_count) ufi_flag_set(flow, UFI_PREEMPTED);
}

/* Of the flow's and the task's handler of one signal, only that which is taken has a turn of its fire. */
static void set_anew(uf_flow *flow, const uf_signal *signal)
{
    for (unsigned i = 0; i < flow->type->preempt_count; i++) {
        uf_signal *const of = signal_of(flow, &flow->type->preempts[i]);
        if (of != signal || arm_of(flow, i)->kind != UF_ARM_PREEMPT) continue;
        ufi_signal_leave(flow, arm_of(flow, i));
        set(flow, i, uf_signal_epoch(of));
    }
}

static void forget_if_none(uf_flow *flow)
{
    if (first_that_counts(flow) == flow->type->preempt_count) ufi_flag_clear(flow, UFI_PREEMPTED);
}

/* Those of a task are set anew if it becomes itself; those of the flow stay set from one task to the next. */
static void change_task(uf_flow *flow, uint16_t from, uint16_t to)
{
    for (unsigned i = 0; i < flow->type->preempt_count; i++) {
        bool const stays = flow->type->preempts[i].task == UF_NO_TASK && is_for(flow, i, from) && is_for(flow, i, to);
        if (stays) continue;
        if (is_for(flow, i, from)) drop(flow, i);
        if (is_for(flow, i, to)) set(flow, i, uf_signal_epoch(signal_of(flow, &flow->type->preempts[i])));
    }
    forget_if_none(flow);
}

/* Also of a task that was not entered yet, so that a fire before its first turn keeps its entry step from running: what
 * the outcome needs of the task's state, the generated code sets. */
static bool take(uf_flow *flow, uf_intent *intent)
{
    unsigned const which = first_that_counts(flow);

    if (which == flow->type->preempt_count) {
        ufi_flag_clear(flow, UFI_PREEMPTED);
        return false;
    }
    set_anew(flow, signal_of(flow, &flow->type->preempts[which]));
    forget_if_none(flow);
    *intent = flow->type->preempt(flow, (uint16_t)which);
    return true;
}

const struct uf_preempting uf_preempting = {
    .note = note_all, .set = set_all, .change = change_task, .drop = drop_all, .check = check, .take = take};
