/* flow.h - the life of a flow: one concern that does one thing at a time.
 *
 * ufc generates a struct per flow whose first member is `uf_flow uf`, so that `&picker.uf` is what the functions
 * here take. A flow belongs to one pump. What says "any thread" may be called from any if that pump is a runtime's
 * (runtime.h); everything else, and everything of a pump that is driven by hand, is for the thread that drives it. */
#ifndef UFLOW_FLOW_H
#define UFLOW_FLOW_H

#include "uflow/base.h"
#include "uflow/clock.h"
#include "uflow/priv/flow.h" /* struct uf_flow */

#ifdef __cplusplus
extern "C" {
#endif

/* Room for the reason of a failure, and for what `describe` says; both are cut with an ellipsis. */
#define UF_REASON_SIZE      96
#define UF_DESCRIPTION_SIZE 64

/* One very run of a flow: what waiting and cancelling can name without hitting the next one. */
typedef struct uf_run {
    uf_flow *flow;
    uint32_t number;
} uf_run;

/* -- how it stands ------------------------------------------------------------------------------------------------- */

/* A flow at one moment: what all of the functions below say, and nothing of it is of another moment than the rest. */
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

/* Any thread, at any time; a step that runs meanwhile is not waited for: it is shown as it was entered. While another
 * thread is in the middle of starting the flow, it runs and has no step yet. */
void uf_flow_view_of(const uf_flow *flow, uf_flow_view *view);

/* The functions of one value each, from here to uf_flow_step_elapsed(), are for any thread as well, except those that
 * hand out a text of the flow's own (reason, description): elsewhere uf_flow_view_of() copies them. Zeroed storage that was
 * never attached is an idle flow without a name that never ran, and so is NULL. */

bool uf_flow_running(const uf_flow *flow);

/* Of the last run; UF_RUNNING while one runs, UF_NEVER_RAN before the first. Stands until the next start. */
uf_outcome uf_flow_outcome(const uf_flow *flow);

/* Why the last run failed or was cancelled ("cancelled"); "" in every other case, and of a flow that has no room for a reason,
 * since nothing in its text gives one (it may have waited for a signal of the file's that was destroyed). Owned by the
 * flow, valid until its next start; cut with an ellipsis where it was too long. */
const char *uf_flow_reason(const uf_flow *flow);

/* The name given at init; the last component of the path. Owned by whoever gave it. */
const char *uf_flow_name(const uf_flow *flow);

/* Writes the path through the parents, "line.picker.x", NUL-terminated and cut to `size`; returns the length that
 * the whole has (as snprintf does). `buffer` may be NULL: only the length is wanted. */
size_t uf_flow_path(const uf_flow *flow, char *buffer, size_t size);

/* Says that `child` lies inside `parent`; for the path. */
void uf_flow_set_parent(uf_flow *child, uf_flow *parent);

/* Names of the current task and step: "" when idle. From a start on they name the task and its entry step. */
const char *uf_flow_task(const uf_flow *flow);
const char *uf_flow_step(const uf_flow *flow);

/* Line of the current step in the .uflow file; 0 when idle. */
uint32_t uf_flow_line(const uf_flow *flow);

/* The current step's number in this run, from 0; -1 when idle. */
int64_t uf_flow_ordinal(const uf_flow *flow);

/* What `describe` said last, until the next transition; "" if nothing, or idle. Owned by the flow. */
const char *uf_flow_description(const uf_flow *flow);

/* Logical time since the current step was entered; 0 when idle. */
uf_time uf_flow_step_elapsed(const uf_flow *flow);

/* Logical time of the pump that the flow is attached to; 0 if it is attached to none. Any thread. */
uf_time uf_flow_now(const uf_flow *flow);

/* That pump; NULL: none. Any thread, but not while the flow is being attached or detached. */
uf_pump *uf_flow_pump(const uf_flow *flow);

/* The handle of the current run, or of the last one. */
uf_run uf_flow_this_run(uf_flow *flow);

/* How a run ended that was called, or waited for: filled in whatever comes of that. Without its end `reason` is the text of
 * the status, and `outcome` how far the run was: UF_NEVER_RAN, it did not start, or cannot be told any more; UF_RUNNING, it
 * had begun when the time was over. A call has it cancelled then; who only waits leaves it as it is. */
typedef struct uf_call_info {
    uf_outcome outcome;
    char reason[UF_REASON_SIZE];
} uf_call_info;

/* -- what can be done to it ---------------------------------------------------------------------------------------- */

/* Asks the running task to end: at the flow's next turn its children are cancelled, its `on exit` runs and it
 * ends as UF_CANCELLED, with the reason "cancelled". Idle: nothing happens. A run that ends by itself before that turn keeps its own ending. Any
 * thread; UF_INVALID: it is not attached; UF_NO_MEMORY, and nothing happens, only from another one than the pump's. */
uf_status uf_flow_cancel(uf_flow *flow);

/* The same for one very run: UF_STALE, and nothing happens, if it has ended already; UF_INVALID: it is none. Any thread. */
uf_status uf_run_cancel(uf_run run);

/* UF_RUNNING while that run runs, its outcome when it was the flow's last; UF_NEVER_RAN if another one began since.
 * Any thread. */
uf_outcome uf_run_outcome(uf_run run);

/* From C code that a step of `flow` calls: when the step returns, the run fails with this reason, whatever intent
 * the step reaches. The first one stands. Formats are those of `fail`: %d %i %u %x %X %o with hh h l ll j z t, %c %s %p %% and,
 * where there is floating point, %f %g with 9 digits at most; flags, width and precision as in printf.
 * Called in `on exit`, it makes a run that was ending well a failed one. With no step of the flow under way:
 * UF_INVALID. */
uf_status uf_flow_fail(uf_flow *flow, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

typedef enum uf_failure_policy {
    UF_FAIL_FLOW = 0, /* the flow fails, the pump and its other flows go on */
    UF_FAIL_ABORT     /* the process is aborted, with the reason: for what must never happen */
} uf_failure_policy;

/* What uf_flow_fail() and UF_CHECK() do to this flow. The default is UF_FAIL_FLOW. */
void uf_flow_set_failure_policy(uf_flow *flow, uf_failure_policy policy);

/* In a step or a helper with a uf_flow at hand: a run-time check whose failure fails the flow. An expression, true if
 * it held, so that `if (!UF_CHECK(&flow->uf, p != NULL)) fail;` can leave the step at once. */
#define UF_CHECK(flow, condition)                                                                                      \
    ((condition) ? true : (uf_flow_fail((flow), "%s:%d: check failed: %s", __FILE__, __LINE__, #condition), false))

#ifdef __cplusplus
}
#endif
#endif
