/* SPDX-License-Identifier: MIT */
/* wait.c - sets, evaluates and disarms the arms of awaits and stays. Other files set arms of their kinds: descriptor.c,
 * stop_arm.c, and files of higher layers.
 *
 * An event wakes the owner of the arm, and the owner evaluates its arms at its turn. An arm stays on its list until the
 * owner disarms it, even if its event has come. A timer is an exception: it leaves the wheel when it fires. */
#include "basics/wheel.h"
#include "waits/signals.h"

/* The mark of a failure that no arm or handler has noticed, and that no thread waits for, in one run. */
static uint16_t unnoticed(const uf_flow *child)
{
    return (uint16_t)(child->run << 1 | 1);
}

/* The owner no longer waits for the end of its target: cancels a run that has not ended. If something else has decided,
 * a failure is reported here. */
UF_NOINLINE static void leave_target(const uf_pump *pump, uf_arm *arm)
{
    if (ufi_has_run(arm)) pump->subtasks->end(arm);

    uf_flow *const target = arm->on.target;
    bool const has_failed = arm->state == UF_ARM_FAILED && arm->cause == UF_CAUSE_REASON;

    if (has_failed && ufi_host(pump) && arm->detail.why == unnoticed(target) && !uf_flow_running(target))
        ufi_host(pump)->failed(target);
    ufi_arms_remove(&target->waiters, arm);
}

/* Each kind that can be on a list has its branch here, except UF_ARM_PREEMPT. */
UF_NOINLINE void ufi_arm_take_off(uf_flow *flow, uf_arm *arm)
{
    uf_pump *const pump = flow->pump;

    if (UF_USES_RUNS && (ufi_is_run(arm) || arm->kind == UF_ARM_IDLE)) leave_target(pump, arm);
    else if (UF_USES_SIGNALS && arm->kind >= UF_ARM_SIGNAL && arm->kind <= UF_ARM_MAILBOX) ufi_dequeue(flow, arm);
    else if (UF_USES_DESCRIPTORS && (arm->kind == UF_ARM_READABLE || arm->kind == UF_ARM_WRITABLE))
        pump->unwatch(pump, arm);
    else if (UF_USES_ROOMS && arm->kind >= UF_ARM_ROOM && arm->kind <= UF_ARM_EMPTY) pump->rooms->leave(pump, arm);
    else if (UF_USES_STOP && arm->kind == UF_ARM_STOPPING) ufi_arms_remove(&pump->stop_waiters, arm);
    else if (UF_USES_REAL_TIME && arm->kind >= UF_ARM_TIMEOUT_REAL) pump->real->remove(pump, arm);
    else ufi_wheel_cancel(&pump->wheel, arm);
}

static void begin_disarming(uf_flow *flow)
{
    ufi_flag_clear(flow, UFI_WAIT_FLAGS);
}

/* The arms of a flow that is being cancelled: those of its await, then those of its task. Returns: the first one from
 * there on; NULL: there is none. */
static uf_arm *arm_from(const uf_flow *flow, uf_arm *arm)
{
    uf_flow_type const *const type = flow->type;
    size_t const at = (size_t)(arm - ufi_arms(flow));

    if (at < type->arm_count) return arm;
    if (!ufi_preempt_count(flow)) return NULL;
    size_t const which = at == type->arm_count ? 0 : (size_t)(arm - ufi_preempts(flow));
    if (which == ufi_preempt_count(flow)) return NULL;
    bool const is_of_task = type->preempts[ufi_row_of_preempt(type, (unsigned)which)].task < type->task_count;
    return is_of_task ? ufi_preempts(flow) + which : NULL;
}

/* Timeouts have a fast path: on a Cortex-M, 8 of 400 instructions from an interrupt to its step. */
static inline void disarm(uf_flow *flow, uf_arm *arm)
{
    if (UFI_FAST_PATHS && arm->on_list && arm->kind == UF_ARM_TIMEOUT) ufi_wheel_cancel(&flow->pump->wheel, arm);
    else ufi_arm_drop(flow, arm);
    arm->kind = UF_ARM_UNUSED;
    arm->state = UF_ARM_PENDING;
    arm->cause = UF_CAUSE_NONE;
}

/* Handlers for signals stay armed: they are no part of an await, and belong to a run or task. */
static void disarm_unless_handler(uf_flow *flow, uf_arm *arm)
{
    if (arm->kind != UF_ARM_PREEMPT) disarm(flow, arm);
}

/* Ends the subtask of an arm, after that subtask's own subtasks. A chain of subtasks may be longer than the stack is
 * deep, so this is a loop. It goes down along the arms, and up again by ufi_arm_run_for(). */
static void end_subtask(const uf_arm *of)
{
    uf_flow *at = of->on.target;
    uf_arm *arm = arm_from(at, ufi_arms(at));

    begin_disarming(at);
    while (at != of->owner) {
        if (!arm && ufi_preempt_count(at)) arm = at->type->preempting->leave_to_companion(at);
        if (!arm) {
            arm = ufi_arm_run_for(at);
            arm->state = UF_ARM_READY; /* so wake_waiters() skips it, and the next pass drops it */
            ufi_cancel_now(at);
            at = arm->owner;
        } else if (ufi_has_run(arm)) {
            at = arm->on.target;
            begin_disarming(at);
            arm = arm_from(at, ufi_arms(at));
        } else {
            disarm_unless_handler(at, arm);
            arm = arm_from(at, arm + 1);
        }
    }
}

void ufi_disarm_all(uf_flow *flow)
{
    uf_arm const *const end = ufi_arms(flow) + flow->type->arm_count;

    begin_disarming(flow);
    for (uf_arm *arm = ufi_arms(flow); arm != end; arm++) disarm(flow, arm);
}

void ufi_disarm_companions(uf_flow *flow, uint16_t first, uint16_t end)
{
    for (unsigned i = 0; i < ufi_preempt_count(flow); i++) {
        uint16_t const of = flow->type->preempts[ufi_row_of_preempt(flow->type, i)].task;
        if (of >= first && of < end) disarm_unless_handler(flow, ufi_preempts(flow) + i);
    }
}

/* For a `stay` or a `for`. If the deadline has passed, no timer is set: the caller compares the time itself. */
static void set_timer(uf_flow *flow, uf_arm *arm, uf_time deadline)
{
    arm->owner = flow;
    arm->on.deadline = deadline;
    if (!ufi_reached(flow, deadline) && deadline != UF_FOREVER) ufi_wheel_set(&flow->pump->wheel, arm);
}

/* -- stay ---------------------------------------------------------------------------------------------------------- */

void ufi_end_pause(uf_flow *flow)
{
    uf_arm *const arms = ufi_arms(flow);
    bool is_due = false;

    for (unsigned i = 0; i < flow->type->arm_count; i++) {
        ufi_arm_drop(flow, &arms[i]);
        arms[i].state = UF_ARM_PENDING;
        if (arms[i].kind != UF_ARM_TIMEOUT) continue;
        if (ufi_reached(flow, arms[i].on.deadline)) is_due = true; /* observers see it until the step is left */
        else arms[i].kind = UF_ARM_UNUSED;
    }
    ufi_flag_clear(flow, UFI_STAYING); /* the body may stay again, or wait for something else */
    if (!is_due) ufp_store(&flow->state, ufp_load(&flow->state) & UF_STATE_STEP);
}

static void set_stay(uf_flow *flow, uf_arm *arm, uf_arm_kind kind, uf_time deadline)
{
    ufi_arm_drop(flow, arm);
    arm->kind = (uint8_t)kind;
    set_timer(flow, arm, deadline);
    ufi_flag_set(flow, UF_FLAG_ARMED | UFI_STAYING);
}

/* The body runs at multiples of `every`, counted from its first run. Counting from the last multiple gives the same
 * times. Other stays of the step may run the body in between, so the time of the last run does not count. An interval
 * of 1 ns is due in the next round, and lets virtual time pass. */
uf_intent uf_stay_every(uf_flow *flow, uf_arm *interval, uf_time every, uint32_t state)
{
    uf_time const now = ufi_read_time(flow->pump);

    if (every < 1) every = 1;
    uf_time const base = interval->kind == UF_ARM_INTERVAL ? interval->on.deadline
                         : flow->ticks == 0                ? now
                                                           : flow->entered;
    uf_time next = uf_time_add(base, every);
    if (next <= now) next = uf_time_add(now, every - (uf_time)(((uint64_t)now - (uint64_t)base) % (uint64_t)every));
    set_stay(flow, interval, UF_ARM_INTERVAL, next);
    return uf_park(flow, state);
}

bool uf_stay_timed_out(uf_flow *flow, uf_arm *arm, uf_time timeout)
{
    uf_time const deadline = uf_time_add(flow->entered, timeout);

    if (ufi_reached(flow, deadline)) return true;
    set_stay(flow, arm, UF_ARM_TIMEOUT, deadline);
    return false;
}

/* -- await --------------------------------------------------------------------------------------------------------- */

bool uf_arm_timeout(uf_flow *flow, uf_arm *arm, uf_time after)
{
    ufi_set_arm(flow, arm, UF_ARM_TIMEOUT);
    if (after <= 0) {
        arm->on.deadline = ufi_now(flow);
        arm->state = UF_ARM_READY;
        return false;
    }
    arm->on.deadline = uf_time_add(ufi_read_time(flow->pump), after);
    if (arm->on.deadline != UF_FOREVER) ufi_wheel_set(&flow->pump->wheel, arm);
    return true;
}

void uf_arm_none(uf_flow *flow, uf_arm *arm)
{
    ufi_set_arm(flow, arm, UF_ARM_UNUSED);
}

void uf_arm_deadline(uf_flow *flow, uf_arm *arm, uf_time at)
{
    ufi_set_arm(flow, arm, UF_ARM_DEADLINE);
    arm->on.deadline = at;
    if (ufi_reached(flow, at)) arm->state = UF_ARM_READY;
    else if (at != UF_FOREVER) ufi_wheel_set(&flow->pump->wheel, arm);
}

void uf_arm_operand(uf_flow *flow, uf_arm *arm, uf_time value)
{
    ufi_set_arm(flow, arm, UF_ARM_OPERAND);
    arm->on.deadline = value;
}

void uf_arm_held(uf_flow *flow, uf_arm *arm)
{
    ufi_set_arm(flow, arm, UF_ARM_HELD);
}

bool uf_held(uf_flow *flow, uf_arm *arm, bool condition, uf_time hold)
{
    if (!condition) {
        ufi_arm_drop(flow, arm);
        arm->state = UF_ARM_PENDING;
        return false;
    }
    /* Time is compared here too, since the wheel fires at the top of a round only. */
    bool const has_held = hold <= 0 || (arm->state != UF_ARM_PENDING && ufi_reached(flow, arm->on.deadline));
    if (has_held) {
        arm->state = UF_ARM_READY;
    } else if (arm->state == UF_ARM_PENDING) {
        arm->state = UF_ARM_HOLDING;
        set_timer(flow, arm, uf_time_add(ufi_read_time(flow->pump), hold));
    }
    return arm->state == UF_ARM_READY;
}

void uf_arm_idle(uf_flow *flow, uf_arm *arm, uf_flow *target)
{
    ufi_set_arm(flow, arm, UF_ARM_IDLE);
    arm->on.target = target;
    if (!target || !target->pump) arm->state = UF_ARM_READY;
    else if (target->pump == flow->pump) ufi_wait_for_flow(arm);
    else
        ufi_flow_fail_joined(flow,
                             UFI_PARTS("idle: ", uf_status_text(UF_OTHER_PUMP))); /* otherwise it would never wake up */
}

/* -- runs ---------------------------------------------------------------------------------------------------------- */

uf_status ufi_may_run(const uf_flow *flow, const uf_flow *child)
{
    if (!child || !child->pump) return UF_INVALID;
    if (child->pump != flow->pump) return UF_OTHER_PUMP;
    return child == flow || flow->flags & UFI_FAILING ? UF_BUSY : UF_OK;
}

static void refuse(uf_flow *flow, uf_arm *arm, uf_status status)
{
    ufi_flag_set(flow, UFI_REFUSED);
    ufi_arm_refuse(arm, status);
}

bool uf_arm_run(uf_flow *flow, uf_arm *arm, uf_flow *child, uint16_t result_class)
{
    uf_status const status = ufi_may_run(flow, child);

    ufi_set_arm(flow, arm, UF_ARM_RUN);
    ufi_flag_set(flow, UF_FLAG_POLLED);
    arm->on.target = child;
    arm->detail.result_class = result_class;
    if (flow->flags & UFI_REFUSED) {
        arm->kind = UF_ARM_UNUSED; /* the arm that failed earlier decides */
        return false;
    }
    if (status != UF_OK) refuse(flow, arm, status);
    else flow->pump->child_to_start = child;
    return status == UF_OK;
}

void uf_arm_started(uf_flow *flow, uf_arm *arm, uf_status status)
{
    if (status == UF_OK) ufi_wait_for_flow(arm);
    else refuse(flow, arm, status);
}

/* -- the end of a run, as its waiters see it ----------------------------------------------------------------------- */

bool ufi_ended_with_result(const uf_flow *flow, uint32_t last_state, uint16_t result_class)
{
    uint16_t const task = ufi_step_of(flow, last_state)->task;
    return flow->outcome == UF_DONE && (result_class == 0 || result_class == flow->type->tasks[task].result_class);
}

static void decide(uf_arm *arm, const uf_flow *child, uint32_t last_state)
{
    if (ufi_ended_with_result(child, last_state, arm->detail.result_class)) {
        arm->state = UF_ARM_READY;
        return;
    }
    arm->state = UF_ARM_FAILED;
    if (child->outcome == UF_CANCELLED) {
        arm->cause = UF_CAUSE_CANCELLED;
    } else if (child->outcome == UF_FAILED) {
        arm->cause = UF_CAUSE_REASON;
        bool const is_seen = !ufi_host(child->pump) || ufi_host(child->pump)->awaited(child);
        arm->detail.why = is_seen ? 0 : unnoticed(child);
    } else {
        arm->cause = UF_CAUSE_ENDED_IN;
        arm->detail.why = ufi_step_of(child, last_state)->task;
    }
}

uf_arm *ufi_arm_run_for(const uf_flow *flow)
{
    uf_arm *const last = ufi_waiters(flow), *arm = last;

    if (!arm) return NULL;
    do arm = arm->next;
    while (!ufi_has_run(arm) && arm != last);
    return ufi_has_run(arm) ? arm : NULL;
}

/* A run has ended in this state: decides and wakes the arms that wait for it. There is at least one. */
static void wake_waiters(uf_flow *flow, uint32_t last_state)
{
    uf_arm *const last = flow->waiters;
    uf_arm *arm = last;
    do {
        arm = arm->next;
        if (ufi_is_run(arm) && arm->state != UF_ARM_PENDING) continue; /* decided by an earlier run */
        if (ufi_is_run(arm)) decide(arm, flow, last_state);
        if (arm->kind == UF_ARM_COMPANION && arm->state == UF_ARM_READY) continue; /* done: nothing happens */
        ufi_wake(arm->owner);
    } while (arm != last);
}

static const struct ufi_subtask_hooks hooks = {.wake_waiters = wake_waiters, .end = end_subtask};

void ufi_wait_for_flow(uf_arm *arm)
{
    uf_flow *const target = arm->on.target;
    target->pump->subtasks = &hooks;
    ufi_arms_append(&target->waiters, arm);
}

/* -- deciding ------------------------------------------------------------------------------------------------------ */

bool uf_evaluate_arm(uf_flow *flow, uf_arm *arm)
{
    uf_pump *const pump = flow->pump;

    /* If the target is NULL or was destroyed, the state is READY and the target is not read. */
    if (UF_USES_RUNS && arm->kind == UF_ARM_IDLE)
        return arm->state == UF_ARM_READY ||
               (arm->on_list && !uf_flow_running(arm->on.target) && !ufi_is_owed(arm->on.target));
    if (UF_USES_STOP && arm->kind == UF_ARM_STOPPING) return uf_pump_stopping(pump);
    if (UF_USES_SIGNALS && !UF_USES_PUMPS) return ufi_evaluate_signal(flow, arm);
    return UF_USES_PUMPS && pump->evaluate[arm->kind - UF_ARM_SIGNAL](flow, arm);
}

static void mark_mailboxes(const uf_flow *flow, uf_arm_cause cause)
{
    uf_arm *const arms = ufi_arms(flow);

    for (unsigned i = 0; i < flow->type->arm_count; i++) {
        if (arms[i].kind == UF_ARM_MAILBOX) arms[i].cause = (uint8_t)cause;
    }
}

/* The `on exit` of a subtask may fail the flow. So the subtasks that the await leaves end before it takes a value; none
 * of them may take it either. */
static void cancel_runs(uf_flow *flow)
{
    uf_arm *const arms = ufi_arms(flow);

    for (unsigned i = 0; i < flow->type->arm_count; i++) {
        if (!ufi_has_run(&arms[i])) continue;
        mark_mailboxes(flow, UF_CAUSE_DECIDED);
        disarm(flow, &arms[i]);
        mark_mailboxes(flow, UF_CAUSE_NONE);
    }
}

/* If the await was just reached, the state is that of a body, or its runs have just begun. The next turn decides then,
 * and the message must still be there. */
uf_bool uf_may_take(uf_flow *flow)
{
    if (!ufi_is_wait(ufp_load(&flow->state)) || flow->flags & UF_FLAG_POLLED) {
        mark_mailboxes(flow, UF_CAUSE_KEPT);
        return false;
    }
    ufi_rare_flag_put(flow, UFI_HAS_ITEM, true); /* first: no `on exit` may clear a job that has decided */
    cancel_runs(flow);
    if (!(flow->flags & UFI_FAILING)) return true;
    ufi_rare_flag_put(flow, UFI_HAS_ITEM, false);
    return false;
}

/* Another thread may be reading the buffer, for an earlier failure. */
static const char *keep_reason(const uf_flow *flow, char *buffer, const char *const parts[])
{
    char text[UF_REASON_SIZE];

    (void)ufi_join(text, sizeof text, parts);
    ufi_publish_text(flow->pump, buffer, text);
    return buffer;
}

/* The buffer of a child that has not failed is free. */
static const char *ended_in(const uf_flow *flow, const uf_arm *arm)
{
    uf_flow const *const child = arm->on.target;
    bool const is_free = ufi_reason_buffer(child) && child->outcome != UF_FAILED;
    char *const buffer = ufi_reason_buffer(is_free ? child : flow);

    return keep_reason(flow, buffer, UFI_PARTS("ended in ", ufi_name_of_task(&child->type->tasks[arm->detail.why])));
}

static const char *system_reason(const uf_flow *flow, const uf_arm *arm)
{
    char text[UF_REASON_SIZE];

    flow->pump->host->error_text(arm->detail.why, text, sizeof text);
    return keep_reason(flow, ufi_reason_buffer(flow), UFI_PARTS(text));
}

UFI_COLD const char *uf_reason(uf_flow *flow, const uf_arm *arm)
{
    char *const own = ufi_reason_buffer(flow);

    if (!own || flow->flags & UFI_FAILING) return "";
    switch ((uf_arm_cause)arm->cause) {
    case UF_CAUSE_NONE:
    case UF_CAUSE_KEPT:
    case UF_CAUSE_DECIDED:
    case UF_CAUSE_NULL: break;                                             /* fails the flow */
    case UF_CAUSE_REASON: return uf_end_reason(arm->on.target, UF_FAILED); /* even if it already runs again */
    case UF_CAUSE_CANCELLED: return "cancelled";
    case UF_CAUSE_STATUS: return uf_status_text((uf_status)arm->detail.why);
    case UF_CAUSE_ENDED_IN: return ended_in(flow, arm);
    case UF_CAUSE_JOB: return keep_reason(flow, own, UFI_PARTS(flow->pump->jobs->reason(flow, arm)));
    case UF_CAUSE_SYSTEM: return system_reason(flow, arm);
    case UF_CAUSE_CLOSED: return "closed";
    case UF_CAUSE_BAD_DESCRIPTOR: return "Bad file descriptor";
    }
    return "";
}

uf_intent uf_arm_failure(uf_flow *flow, const uf_arm *arm, const char *source)
{
    if (!UF_USES_REASONS) return uf_fail_silent(flow);
    return ufi_fail_joined(flow, UFI_PARTS(source, ": ", uf_reason(flow, arm)));
}

uf_intent uf_run_failure(uf_flow *flow, const uf_arm *arm, const char *type, const char *task)
{
    if (!UF_USES_REASONS) return uf_fail_silent(flow);
    char const *const name = uf_flow_name(arm->on.target);
    return ufi_fail_joined(flow, UFI_PARTS(name && *name ? name : type, ".", task, ": ", uf_reason(flow, arm)));
}
