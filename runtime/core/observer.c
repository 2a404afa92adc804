/* observer.c - calls the observers of a pump.
 *
 * While observers are called, a cursor holds the next one, so an observer may remove itself or any other. An observer
 * that is added meanwhile, even one that was just removed, is not called for this event: so every event ends. Cursors
 * nest, because an observer that destroys a signal makes the pump handle what has fired. */
#include "stopping.h"
#include "work.h"

typedef struct ufi_cursor {
    uf_observer *next;
    uf_observer *end; /* the first observer that was added since, or NULL */
    struct ufi_cursor *outer;
} ufi_cursor;

static void begin_event(uf_pump *pump, ufi_cursor *cursor)
{
    *cursor = (ufi_cursor){.next = pump->observers, .outer = pump->cursor};
    pump->cursor = cursor;
}

/* Advances the cursor and returns the observer to call. At the end returns NULL and restores the outer cursor. */
static uf_observer *next_observer(uf_pump *pump, ufi_cursor *cursor)
{
    uf_observer *const observer = cursor->next;
    if (observer == cursor->end) {
        pump->cursor = cursor->outer;
        return NULL;
    }
    cursor->next = observer->next;
    return observer;
}

/* Calls one callback of each observer that has it. */
#define NOTIFY(pump, callback, ...)                                                                                    \
    do {                                                                                                               \
        ufi_cursor cursor;                                                                                             \
        begin_event(pump, &cursor);                                                                                    \
        for (uf_observer * o; (o = next_observer(pump, &cursor)) != NULL;) {                                           \
            if (o->callback) o->callback(o->context, __VA_ARGS__);                                                     \
        }                                                                                                              \
    } while (0)

static void tell_started(uf_flow *flow)
{
    ufi_run_begins(flow);
    NOTIFY(flow->pump, flow_started, flow);
}

static void tell_step_changed(uf_flow *flow, uf_step_change *change)
{
    uf_run_times times;

    if (flow->pump->measured_runs) change->times = ufi_measure_step(flow, change, &times);
    NOTIFY(flow->pump, step_changed, flow, change);
}

static void tell_step_failed(uf_flow *flow)
{
    char const *const buffer = ufi_reason_buffer(flow);
    NOTIFY(flow->pump, step_failed, flow, uf_flow_step(flow), buffer ? buffer : "");
}

static void tell_body_ran(uf_flow *flow, uint32_t state, uf_time took)
{
    if (flow->pump->measured_runs) ufi_body_timed(flow, took);
    NOTIFY(flow->pump, body_ran, flow, ufi_step_of(flow, state)->name, took);
}

static void tell_ended(uf_flow *flow, uf_outcome outcome)
{
    char const *const buffer = ufi_reason_buffer(flow);
    uf_run_times times;
    uf_flow_end const end = {
        .task = uf_flow_task(flow),
        .outcome = outcome,
        .reason = outcome == UF_CANCELLED          ? "cancelled"
                  : outcome == UF_FAILED && buffer ? buffer
                                                   : "",
        .ordinal = flow->ordinal,
        .times = flow->pump->measured_runs ? ufi_measure_run(flow, &times) : NULL,
    };

    NOTIFY(flow->pump, flow_ended, flow, &end);
    if (end.times) ufi_run_ended(flow);
}

void ufi_tell_posted(uf_pump *pump, const uf_post_event *post)
{
    NOTIFY(pump, posted, post);
}

void ufi_tell_linked(uf_pump *pump, const char *driver)
{
    NOTIFY(pump, linked, driver);
}

static void tell_signal_fired(uf_pump *pump, const char *name, uint32_t released)
{
    NOTIFY(pump, signal_fired, name, released);
}

static void tell_stopping(uf_pump *pump, const uf_stop_report *so_far)
{
    NOTIFY(pump, stopping, so_far);
}

static void tell_checkpoint_parked(uf_flow *flow, const char *name)
{
    NOTIFY(flow->pump, checkpoint_parked, flow, name);
}

static void tell_slow_step(uf_flow *flow, const uf_slow_step *slow)
{
    NOTIFY(flow->pump, slow_step, flow, slow);
}

static void tell_round_ran(uf_pump *pump)
{
    NOTIFY(pump, round_ran, pump->slow.took);
}

static void tell_slow_round(uf_pump *pump)
{
    NOTIFY(pump, slow_round, &pump->slow);
}

static void tell_job(uf_flow *flow, ufi_job_news news, const uf_job_event *event)
{
    if (news == UFI_COMPLETED && flow->pump->measured_runs) ufi_job_took(flow, event->waited);
    switch (news) {
    case UFI_SUBMITTED: NOTIFY(flow->pump, job_submitted, flow, event); return;
    case UFI_COMPLETED: NOTIFY(flow->pump, job_completed, flow, event); return;
    case UFI_ABANDONED: NOTIFY(flow->pump, job_abandoned, flow, event); return;
    case UFI_REJECTED: NOTIFY(flow->pump, job_rejected, flow, event); return;
    case UFI_SLOW: NOTIFY(flow->pump, slow_job, flow, event); return;
    }
}

static const struct ufi_telling telling = {
    .started = tell_started,
    .step_changed = tell_step_changed,
    .step_failed = tell_step_failed,
    .body_ran = tell_body_ran,
    .ended = tell_ended,
    .signal_fired = tell_signal_fired,
    .checkpoint_parked = tell_checkpoint_parked,
    .stopping = tell_stopping,
    .job = tell_job,
    .slow_step = tell_slow_step,
    .slow_round = tell_slow_round,
    .round_ran = tell_round_ran,
    .timed_turn = ufi_timed_turn,
    .measure_round = ufi_measure_round,
    .round_measured = ufi_round_measured,
};

uf_status uf_pump_add_observer(uf_pump *pump, uf_observer *observer)
{
    if (!ufi_is_pump(pump) || !observer) return UF_INVALID;

    uf_observer **place = &pump->observers;
    for (; *place; place = &(*place)->next) {
        if (*place == observer) return UF_BUSY;
    }
    for (ufi_cursor *cursor = pump->cursor; cursor; cursor = cursor->outer) {
        if (cursor->next && !cursor->end) cursor->end = observer;
    }
    observer->next = NULL;
    *place = observer;
    pump->tell = &telling;
    uf_flow *const flow = pump->current; /* its turn must leave the fast path; a flow that polls never takes it */
    if (flow && !(flow->flags & UFI_POLLING)) ufi_flag_set(flow, UFI_SEEN);
    return UF_OK;
}

uf_status uf_pump_remove_observer(uf_pump *pump, uf_observer *observer)
{
    if (!ufi_is_pump(pump) || !observer) return UF_INVALID;
    for (uf_observer **place = &pump->observers; *place; place = &(*place)->next) {
        if (*place != observer) continue;
        *place = observer->next;
        for (ufi_cursor *cursor = pump->cursor; cursor; cursor = cursor->outer) {
            if (cursor->next == observer) cursor->next = observer->next;
            if (cursor->end == observer) cursor->end = observer->next;
        }
        return UF_OK;
    }
    return UF_INVALID;
}
