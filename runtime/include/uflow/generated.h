/* SPDX-License-Identifier: MIT */
/* generated.h - the functions that generated code calls. Do not call them yourself: they change with UF_ABI.
 *
 * Every intent of a .uflow step is one `return f(...)` of these functions or of a generated function around them. A
 * step function runs in its flow's turn, on the pump's thread. */
#ifndef UFLOW_GENERATED_H
#define UFLOW_GENERATED_H

#include "uflow/generated/awaits.h"
#include "uflow/pump.h"
#include "uflow/stop.h"

UF_C_BEGIN

/* -- life ---------------------------------------------------------------------------------------------------------- */

/* Attaches a zeroed flow to its pump, idle. `name` NULL: that of the type.
 * Returns: UF_ABI_MISMATCH; UF_INVALID for another NULL. */
uf_status uf_flow_init(uf_flow *flow, const uf_flow_type *type, uf_pump *pump, const char *name);

/* The same in two halves, for a flow with a `shutdown` task. A stop does not start that task before the second half,
 * when the fields are set. */
uf_status uf_flow_init_begin(uf_flow *flow, const uf_flow_type *type, uf_pump *pump, const char *name);
void uf_flow_init_end(uf_flow *flow);

/* Records that `part` lies inside `whole`, unless its init has failed.
 * Returns: the status of that init; UF_INVALID if `part` lies so far behind `whole` that no offset records it: 32 GiB
 * on 64-bit targets. `part` is detached then. */
uf_status uf_part(uf_flow *whole, uf_flow *part, uf_status status);

/* Detaches a flow and the sub-flows inside it.
 * Returns: UF_BUSY, and nothing happens, while one of them runs, or while its parent has not read how its run ended;
 * UF_INVALID if it is not attached. */
uf_status uf_flow_detach(uf_flow *flow);

/* The same for a flow whose type has this `release`. Without UF_USES_PARTS, the type does not refer to it, and programs
 * that destroy no flow do not link it. */
uf_status uf_flow_detach_and(uf_flow *flow, void (*release)(uf_flow *flow));

/* Was the last run done, in that task, so that its result can be read? */
bool uf_done_in(const uf_flow *flow, uint16_t task);

/* A start in two halves, with the arguments stored between them. The commit makes the flow runnable in the state
 * `entry`. If `run` is not NULL, it stores the handle there.
 * Thread: any.
 * Returns: UF_BUSY; UF_STOPPING; UF_INVALID. */
uf_status uf_start_claim(uf_flow *flow);
void uf_start_commit(uf_flow *flow, uint32_t entry, uf_run *run);

/* A start that waits first until the flow is free, and then for the end of that run. Flow_call_Task() fills it: init,
 * then the arguments and the result if there are any, then make. */
typedef struct uf_call {
    uf_flow *flow;
    uint32_t entry;
    uint16_t result_class;
    uf_time timeout; /* real time for the whole call; UF_FOREVER: no limit */
    uf_call_info *info;
    void *arguments_to; /* in the flow; copied from the caller's when its turn has come */
    const void *arguments;
    size_t arguments_size;
    void *result; /* owned by the caller; copied from the flow's on the pump's thread, when the run is done */
    const void *result_from;
    size_t result_size;
} uf_call;

void uf_call_init(uf_call *call, uf_flow *flow, uint32_t entry, uint16_t result_class, uf_time timeout,
                  uf_call_info *info);
void uf_call_arguments(uf_call *call, void *to, const void *from, size_t size);
void uf_call_result(uf_call *call, void *to, const void *from, size_t size);

/* Thread: any but the pump's own.
 * Returns:
 *   UF_OK           done, and the result is stored
 *   UF_NOT_DONE     another outcome: see `info`
 *   UF_TIMED_OUT    the start is withdrawn; a run that had begun is being cancelled
 *   UF_DEADLOCK     called on the pump's own thread
 *   UF_UNSUPPORTED  the pump is caller-driven
 *   UF_STOPPING, UF_CLOSED, UF_NO_MEMORY, UF_INVALID */
uf_status uf_call_make(const uf_call *call);

/* -- intents ------------------------------------------------------------------------------------------------------- */

static inline uint32_t uf_state(const uf_flow *flow)
{
    return UF_LOAD_STATE(flow);
}

/* The index of the flow's task; `steps` are those of its type. */
static inline uint32_t uf_task_in(const uf_step_info *steps, const uf_flow *flow)
{
    return steps[uf_state(flow) & UF_STATE_STEP].task;
}

/* Ends an entry: the fields are set, and `on enter` has run. If the entry step stays or polls, its time is counted from
 * this moment. */
static inline uf_intent uf_entered(uf_flow *flow)
{
    (void)flow;
    return uf_intent_of(UF_INTENT_ENTERED);
}
uf_intent uf_entered_timed(uf_flow *flow);

/* Call it when a preemption leads to a step of a task that was not entered yet: before its `on enter`. */
void uf_enter_task(uf_flow *flow);

/* Leaves the await of this turn, if there is one: cancels runs that have not ended, and disarms the rest. */
static inline uf_intent uf_next(uf_flow *flow, uint32_t step)
{
    (void)flow;
    return uf_intent_of(UF_INTENT_NEXT | step);
}

/* The same, to a step that stays or polls: its time is counted from this moment. */
uf_intent uf_next_timed(uf_flow *flow, uint32_t step);

static inline uf_intent uf_stay(void)
{
    return uf_intent_of(UF_INTENT_STAY);
}

/* Leaves the current task: cancels its children, then runs its `on exit`.
 * Returns: false if uf_flow_fail() has been called. The intent must then have no further effect; the turn handles the
 * failure. */
bool uf_leave(uf_flow *flow, uf_outcome outcome);

/* -- groups -------------------------------------------------------------------------------------------------------- */

/* Where a flow is in its groups: a member of the struct of a flow with groups that are entered or left. Places are rows
 * of the table of tasks, counted from 1. */
typedef struct uf_inside {
    uint16_t place; /* the innermost group, or task with `on exit`, that was entered; 0: none */
    uint16_t kept;  /* a `become` does not leave this group, nor those around it; 0: it leaves all */
} uf_inside;

/* Enters a group, a row of the table of tasks, before its `on enter`.
 * Returns: false if the flow is in it already. */
bool uf_enter_group(uf_flow *flow, uf_inside *inside, uint16_t group);

/* Enters a task with `on exit`, after its groups. */
static inline void uf_enter_place(uf_inside *inside, uint16_t task)
{
    inside->place = UF_AS(uint16_t, task + 1);
}

/* Before uf_leave(flow, UF_BECAME): the flow stays in the groups around the task that follows, in the state `entry`. */
void uf_keep_groups(uf_flow *flow, uf_inside *inside, uint32_t entry);

/* For the flow's `on exit`: leaves the innermost place, whose `on exit` follows. Before that of a group, its companions
 * end. If one of those before it has failed the flow, `*outcome` changes to UF_FAILED.
 * Returns: the row of the place; UF_NO_TASK: no other one is left now. */
uint16_t uf_leave_place(uf_flow *flow, uf_inside *inside, uf_outcome *outcome);

/* -- endings ------------------------------------------------------------------------------------------------------- */

/* `reason` in `on exit` and `on end`: the text of the failure, "" unless the outcome is UF_FAILED. */
const char *uf_end_reason(const uf_flow *flow, uf_outcome outcome);

uf_intent uf_done(uf_flow *flow); /* `done;` without a result */

/* After uf_leave(flow, UF_BECAME) and storing the arguments. */
static inline uf_intent uf_become(uf_flow *flow, uint32_t entry)
{
    (void)flow;
    return uf_intent_of(UF_INTENT_BECOME | (entry & UF_INTENT_STATE));
}

/* `fail "format", ...;` formats the reason; the turn then leaves the task. The format has no floating-point
 * conversion. */
uf_intent uf_fail(uf_flow *flow, const char *format, ...) UF_FORMAT(2, 3);

/* The same for a format of literals with no other conversions than %d %i %u %c %s %%, without flags, width,
 * precision or length. It links a tenth of the formatter. */
uf_intent uf_fail_simple(uf_flow *flow, const char *format, ...) UF_FORMAT(2, 3);

/* The same for a text without conversions. It links no formatter. */
uf_intent uf_fail_text(uf_flow *flow, const char *reason);

/* `fail;`: the reason is empty. */
uf_intent uf_fail_silent(uf_flow *flow);

/* Instead of the others, in a core whose flows keep no reason: only the arguments are evaluated. */
static inline uf_intent uf_fail_unread(uf_flow *flow, const char *format, ...) UF_FORMAT(2, 3);
static inline uf_intent uf_fail_unread(uf_flow *flow, const char *format, ...)
{
    (void)format;
    return uf_fail_silent(flow);
}
static inline uf_intent uf_fail_unread_text(uf_flow *flow, const char *reason)
{
    (void)reason;
    return uf_fail_silent(flow);
}

void uf_describe(uf_flow *flow, const char *format, ...) UF_FORMAT(2, 3);
void uf_describe_simple(uf_flow *flow, const char *format, ...) UF_FORMAT(2, 3);

/* The same for a text without conversions. */
void uf_describe_text(uf_flow *flow, const char *description);

/* True from uf_flow_fail() to the end of the turn: `on enter` failed, so the step does not run. */
bool uf_failing(const uf_flow *flow);

/* -- jobs ---------------------------------------------------------------------------------------------------------- */

/* `submit JOB(args) [timeout D];` in a step's body. Copies the arguments, of worker->arguments_size. `timeout` is in
 * real time; UF_FOREVER: no limit; with 0 or less the job times out at once. A pending job of this handle is abandoned
 * first. The handle then has the new job's status, which may be rejected or timed out. */
void uf_submit(uf_flow *flow, uf_job *job, const uf_worker *worker, const void *arguments, uf_time timeout);

/* An element of an array of jobs. An index out of range fails the flow and returns NULL, which uf_submit() ignores. */
uf_job *uf_element(uf_flow *flow, uint16_t which, int64_t index);

/* `fail "format", ...;` and `fail;` in a worker. The first reason counts, if the handle has room for one. */
void uf_work_fail(uf_work *work, const char *format, ...) UF_FORMAT(2, 3);
void uf_work_fail_simple(uf_work *work, const char *format, ...) UF_FORMAT(2, 3);
void uf_work_fail_silent(uf_work *work);

/* -- formats with a floating-point conversion ---------------------------------------------------------------------- */

#if !defined(UF_NO_FLOAT)
uf_intent uf_fail_real(uf_flow *flow, const char *format, ...) UF_FORMAT(2, 3);
void uf_describe_real(uf_flow *flow, const char *format, ...) UF_FORMAT(2, 3);
void uf_work_fail_real(uf_work *work, const char *format, ...) UF_FORMAT(2, 3);
#endif

/* Without UF_USES_REASONS, no text of a `fail` is in the program. */
#if !defined(UFI_CORE) && defined(UF_CONFIG_ABI)
#define UF_READ(function) UF_HAS(REASONS, function) UF_LACKS(REASONS, uf_fail_unread)
#define uf_fail           UF_READ(uf_fail)
#define uf_fail_simple    UF_READ(uf_fail_simple)
#define uf_fail_real      UF_READ(uf_fail_real)
#define uf_fail_text      UF_HAS(REASONS, uf_fail_text) UF_LACKS(REASONS, uf_fail_unread_text)
#endif

UF_C_END
#endif
