/* SPDX-License-Identifier: MIT */
/* flow.h - the life of a flow: cancel it, wait for its outcome, read its state.
 *
 *   (void)Picker_start_Pick(&picker, slot);             generated; `picker.uf` is the flow's header
 *   uf_flow_cancel(&picker.uf);
 *   uf_flow_outcome(&picker.uf);                        UF_RUNNING, then UF_CANCELLED
 *   printf("%s.%s\n", uf_flow_task(&picker.uf), uf_flow_step(&picker.uf));
 */
#ifndef UFLOW_FLOW_H
#define UFLOW_FLOW_H

#include "uflow/clock.h"
#include "uflow/priv/flow.h" /* struct uf_flow */

UF_C_BEGIN

/* The header of every flow: the first member, `uf`, of each generated struct. The members are private. */
typedef struct uf_flow uf_flow;

/* The size of the text of a `fail`, the terminating NUL included. Longer ones are truncated, with "...". You may define
 * another one, of at least 8, in all files of a program and of core. */
#if !defined(UF_REASON_SIZE)
#define UF_REASON_SIZE 96
#endif

/* The same for the text of a `describe`. */
#if !defined(UF_DESCRIPTION_SIZE)
#define UF_DESCRIPTION_SIZE 64
#endif

/* A handle on a specific run of a flow. Waiting for it or cancelling it never affects a later run. */
typedef struct uf_run {
    uf_flow *flow;
    uint32_t number;
} uf_run;

/* -- state --------------------------------------------------------------------------------------------------------- */

/* A consistent snapshot of a flow. */
typedef struct uf_flow_view {
    bool running;
    uf_outcome outcome;
    uint32_t run;     /* number of the current or last run */
    const char *task; /* "" when idle */
    const char *step; /* "" when idle */
    uint32_t line;    /* 0 when idle */
    int64_t ordinal;  /* -1 when idle */
    uf_time elapsed;  /* logical time in the step; 0 when idle */
    char description[UF_DESCRIPTION_SIZE];
    char reason[UF_REASON_SIZE];
} uf_flow_view;

/* Fills `view` with a snapshot. It does not wait for a step in progress: it shows the step as it was entered. A
 * flow that another thread is just starting is running and has no step yet.
 * Thread: any.
 * Lifetime: `task` and `step` are constants; the other texts are copies. */
void uf_flow_view_of(const uf_flow *flow, uf_flow_view *view);

/* Tells whether a run has started and not ended.
 * Thread: any.
 * Returns: true from the start until the flow is idle. */
bool uf_flow_running(const uf_flow *flow);

/* Reads the outcome of the last run.
 * Thread: any.
 * Returns: the outcome, until the next start; UF_RUNNING while a run is in progress; UF_NEVER_RAN before the first. */
uf_outcome uf_flow_outcome(const uf_flow *flow);

/* How the run of a member of a pool ended: see Flow_pool_reap(). */
typedef struct uf_member_end {
    uint32_t index;
    uf_outcome outcome;
    char reason[UF_REASON_SIZE]; /* as uf_flow_reason() */
} uf_member_end;

/* Returns why the last run failed or was cancelled.
 * Thread: the pump's; also a thread that has waited for the end of the run. Others use uf_flow_view_of().
 * Returns: the text of `fail`, truncated to UF_REASON_SIZE; "cancelled", or "owner lost" of a durable flow whose owner
 * does not go on after a restart; "" after any other outcome, and if no `fail` of the flow gives a reason.
 * Lifetime: valid until the next start of the flow. */
const char *uf_flow_reason(const uf_flow *flow);

/* Reads the name given to Flow_init(), the last component of the path.
 * Thread: any.
 * Returns: the name; "" if the flow was never initialised.
 * Lifetime: owned by the caller of Flow_init(). */
const char *uf_flow_name(const uf_flow *flow);

/* Writes the path of a flow through its parents, such as "line.picker.x", truncated to `size` bytes with the NUL.
 * With NULL for `buffer` it only measures.
 * Thread: any.
 * Returns: the length of the whole path, as snprintf() does. */
size_t uf_flow_path(const uf_flow *flow, char *buffer, size_t size);

/* Finds the flow under which tables such as uf_counters list a flow. The members of a pool share one row: that of the
 * first member. A flow inside a member shares that of the same flow inside the first member.
 * Thread: any.
 * Returns: the flow itself if it is in no pool; NULL if it was never initialised.
 * Lifetime: that of the flow, or of the pool. */
const uf_flow *uf_flow_row(const uf_flow *flow);

/* Declares that the storage of `child` lies inside that of `parent`. Generated code calls it for sub-flows.
 * Nothing happens if `child` lies 32 GiB or more behind the start of `parent`.
 * Thread: any, before `child` is started. */
void uf_flow_set_parent(uf_flow *child, uf_flow *parent);

/* Reads the name of the current task.
 * Thread: any.
 * Returns: a constant, from the start on; "" when idle. */
const char *uf_flow_task(const uf_flow *flow);

/* Reads the name of the current step.
 * Thread: any.
 * Returns: a constant, from the start on, which names the entry step first; "" when idle. */
const char *uf_flow_step(const uf_flow *flow);

/* Reads the line of the current step in the .uflow file.
 * Thread: any.
 * Returns: the line; 0 when idle. */
uint32_t uf_flow_line(const uf_flow *flow);

/* Reads how many steps this run has left.
 * Thread: any.
 * Returns: the number of the current step in this run, from 0; -1 when idle. */
int64_t uf_flow_ordinal(const uf_flow *flow);

/* Reads the last text of `describe`.
 * Thread: the pump's; others use uf_flow_view_of().
 * Returns: the text; "" if this step has not described itself, or when idle.
 * Lifetime: valid until the next `describe` or transition. */
const char *uf_flow_description(const uf_flow *flow);

/* Does what `describe` does, for this flow or another one of the pump: stores a text for its next step change, and for
 * uf_flow_description(). The type of the flow must have a `describe` somewhere: only then does it have room for a text.
 * `format` is as in uf_flow_fail().
 * Thread: the pump's.
 * Returns: UF_OK; UF_STALE, and nothing happens: the flow is idle; UF_INVALID, and nothing happens: it is not attached,
 * or has no room, or the thread is the wrong one. */
uf_status uf_flow_describe(uf_flow *flow, const char *format, ...) UF_FORMAT(2, 3);

/* Measures how long the flow has been in its step.
 * Thread: any.
 * Returns: logical time since the step was entered; 0 when idle. */
uf_time uf_flow_step_elapsed(const uf_flow *flow);

/* Reads the logical time of the flow's pump.
 * Thread: any.
 * Returns: uf_pump_now(); 0 if the flow is not attached. */
uf_time uf_flow_now(const uf_flow *flow);

/* Finds the pump of a flow.
 * Thread: any, but not while the flow is being attached or detached.
 * Returns: the pump; NULL if the flow is not attached. */
uf_pump *uf_flow_pump(const uf_flow *flow);

/* Makes a handle on the current run, or on the last one.
 * Thread: any.
 * Returns: the handle. */
uf_run uf_flow_this_run(uf_flow *flow);

/* The end of a run that was called or waited for. It is always filled in. If the end is not known, `reason` is the
 * text of the status that the call returned. */
typedef struct uf_call_info {
    uf_outcome
        outcome; /* UF_RUNNING: the time limit came first; UF_NEVER_RAN: it did not start, or is no longer known */
    char reason[UF_REASON_SIZE];
} uf_call_info;

/* -- actions ------------------------------------------------------------------------------------------------------- */

/* Cancels the current run. At the flow's next turn its subtasks are cancelled, its `on exit` runs, and it ends as
 * UF_CANCELLED with the reason "cancelled". A run that ends before that turn keeps its own outcome.
 * Thread: any.
 * Returns: UF_OK, also if the flow is idle; UF_INVALID: it is not attached; UF_NO_MEMORY, and nothing happens: an
 * allocation failed, which cannot happen on the pump's thread; UF_UNSUPPORTED, and nothing happens: called in an
 * interrupt handler on bare metal. */
uf_status uf_flow_cancel(uf_flow *flow);

/* Cancels a specific run and leaves a later one alone.
 * Thread: any.
 * Returns: UF_OK; UF_STALE, and nothing happens: the run has ended; UF_INVALID: the handle names no run;
 * UF_NO_MEMORY, UF_UNSUPPORTED: as uf_flow_cancel(). */
uf_status uf_run_cancel(uf_run run);

/* Reads the outcome of a specific run.
 * Thread: any.
 * Returns: UF_RUNNING; the outcome, if it was the flow's last run; UF_NEVER_RAN if another run has begun since. */
uf_outcome uf_run_outcome(uf_run run);

/* Fails the current step from C code that the step calls. When the step returns, the run fails with this reason, after
 * any intent of the step. Only the first call of a step counts. In `on exit` it turns a successful end into a failure.
 * While observers hear of the end of the run, it is too late: nothing happens.
 *   `format` accepts %d %i %u %x %X %o with hh h l ll j z t, and %c %s %p %%; unless UF_NO_FLOAT is defined also
 * %f %F %e %E %g %G %a %A. Flags, width and precision are those of printf().
 * Thread: the pump's.
 * Returns: UF_OK; UF_INVALID, and nothing happens: no step of this flow is running. */
uf_status uf_flow_fail(uf_flow *flow, const char *format, ...) UF_FORMAT(2, 3);

/* The effect of uf_flow_fail() and UF_CHECK(). */
typedef enum uf_failure_policy {
    UF_FAIL_FLOW = 0, /* the flow fails; the pump and its other flows continue */
    UF_FAIL_ABORT /* the process aborts, with the reason on stderr; on bare metal ufp_abort() of the port is called */
} uf_failure_policy;

/* Sets the failure policy of a flow. The default is UF_FAIL_FLOW.
 * Thread: the pump's. */
void uf_flow_set_failure_policy(uf_flow *flow, uf_failure_policy policy);

/* UF_CHECK() calls this function if its condition is false.
 * Thread: the pump's. */
void uf_check_failed(uf_flow *flow, const char *file, int line, const char *condition);

/* Checks a condition and fails the flow if it is false: `if (!UF_CHECK(&flow->uf, p != NULL)) fail;`.
 * Thread: the pump's.
 * Returns: whether the condition was true. */
#define UF_CHECK(flow, condition)                                                                                      \
    ((condition) ? true : (uf_check_failed((flow), __FILE__, __LINE__, #condition), false))

UF_GUARDED(NAMES, uf_flow_view_of)
UF_GUARDED(NAMES, uf_flow_name)
UF_GUARDED(NAMES, uf_flow_path)
UF_GUARDED(NAMES, uf_flow_task)
UF_GUARDED(NAMES, uf_flow_step)
UF_GUARDED(NAMES, uf_flow_line)
UF_GUARDED(TIMES, uf_flow_ordinal)
UF_GUARDED(TIMES, uf_flow_step_elapsed)
UF_GUARDED(TIMES, uf_flow_this_run)
UF_GUARDED(TIMES, uf_run_outcome)
UF_GUARDED(PARTS, uf_flow_set_parent)
UF_GUARDED(REASONS, uf_flow_reason)
UF_GUARDED(DESCRIPTIONS, uf_flow_describe)
UF_GUARDED(CANCEL, uf_flow_cancel)
UF_GUARDED(CANCEL, uf_run_cancel)

UF_C_END
#endif
