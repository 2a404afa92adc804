/* SPDX-License-Identifier: MIT */
/* observer.c - notification of a pump's observers.
 *
 * A cursor holds the observer to call next, so an observer may remove itself or any other. An observer that is added
 * during an event is notified of later events only, so each event ends. Events nest if an observer destroys a
 * signal, since that processes fires. */
#include "observers/observers.h"
#include "runs/runs.h"

typedef struct ufi_cursor {
    uf_observer *next;
    uf_observer *end; /* the first observer that was added since the event; NULL: none */
    struct ufi_cursor *outer;
} ufi_cursor;

/* The next observer to call. Returns: NULL at the end of the event. */
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
        ufi_cursor cursor = {.next = (pump)->observers, .outer = (pump)->cursor};                                      \
        (pump)->cursor = &cursor;                                                                                      \
        for (uf_observer * o; (o = next_observer(pump, &cursor)) != NULL;) {                                           \
            if (o->callback) o->callback(o->context, __VA_ARGS__);                                                     \
        }                                                                                                              \
    } while (0)

static void notify_started(uf_flow *flow)
{
    ufi_run_begins(flow);
    NOTIFY(flow->pump, flow_started, flow);
}

static void notify_restored(uf_flow *flow, uint32_t times)
{
    ufi_run_begins(flow);
    NOTIFY(flow->pump, flow_restored, flow, times);
}

static void notify_run_requested(const uf_flow *flow)
{
    uf_flow const *const by = flow->pump->current;
    NOTIFY(flow->pump, run_requested, by, flow);
}

/* A signal without a name is part of what its waiters wait for: a mailbox or a checkpoint. */
static void notify_sent(uf_pump *pump, const uf_signal *signal)
{
    uf_flow const *const by = pump->current;
    bool const resumes = signal->waiters->kind == UF_ARM_CHECKPOINT;
    uf_mailbox const *const mailbox = signal->waiters->kind == UF_ARM_MAILBOX ? (const void *)signal : NULL;
    char const *const name = mailbox ? mailbox->name : signal->name;
    uf_flow const *const to = mailbox ? mailbox->owner : NULL;

    if (name && resumes) NOTIFY(pump, checkpoint_resumed, by, name);
    else if (name) NOTIFY(pump, sent, by, name, to);
}

static void notify_checkpoint_armed(uf_pump *pump, const char *name)
{
    uf_flow const *const by = pump->current;
    NOTIFY(pump, checkpoint_armed, by, name);
}

UF_NOINLINE static void notify_step_measured(uf_flow *flow, uf_step_change *change)
{
    uf_run_times times;

    change->times = ufi_measure_step(flow, change, &times);
    NOTIFY(flow->pump, step_changed, flow, change);
}

static inline void notify_step_changed(uf_flow *flow, uf_step_change *change)
{
    if (flow->pump->measured_runs) notify_step_measured(flow, change);
    else NOTIFY(flow->pump, step_changed, flow, change);
}

static inline bool needs_time(const uf_pump *pump)
{
    for (const uf_observer *o = pump->observers; o; o = o->next) {
        if (!o->untimed) return true;
    }
    return false;
}

/* Collects the data of the step, before it is overwritten. */
static inline void begin_change(const uf_flow *flow, uint32_t from, uf_step_change *change)
{
    uf_step_info const *const step = ufi_step_of(flow, from);
    uf_time const now = needs_time(flow->pump) ? ufi_read_time(flow->pump) : ufi_now(flow);

    *change = (uf_step_change){
        .task = ufi_task_of_step(flow, step),
        .from = ufi_name_of_step(step),
        .to = "",
        .to_task = "",
        .description = "",
        .ordinal = flow->ordinal,
        .elapsed = ufi_time_sub(now, flow->entered),
        .ticks = flow->ticks,
    };
}

static void change_step(uf_flow *flow, uint32_t from, uint32_t to)
{
    char description[UF_DESCRIPTION_SIZE];
    uf_step_info const *const next = ufi_step_of(flow, to);
    uf_step_change change;

    begin_change(flow, from, &change);
    change.to = ufi_name_of_step(next);
    change.to_task = ufi_task_of_step(flow, next);
    if (flow->flags & UFI_DESCRIBED) { /* cleared first: it must not appear in the next step */
        change.description = ufi_copy_description(flow, description);
        ufi_clear_description(flow);
    }
    ufi_enter_step(flow, to);
    notify_step_changed(flow, &change);
}

static void notify_step_failed(uf_flow *flow)
{
    char const *const buffer = ufi_reason_buffer(flow);
    NOTIFY(flow->pump, step_failed, flow, uf_flow_step(flow), buffer ? buffer : "");
}

/* May be the first event of a run: a fire before its first turn prevents its entry step. */
static void notify_handler_decided(uf_flow *flow, uint32_t handler)
{
    if (flow->flags & UFI_NEW) {
        ufi_flag_clear(flow, UFI_NEW);
        notify_started(flow);
    }
    NOTIFY(flow->pump, handler_decided, flow, handler);
}

static inline bool is_pause(uf_intent intent)
{
    return uf_intent_kind(intent) == UF_INTENT_PARK || uf_intent_kind(intent) == UF_INTENT_POLL;
}

/* Its arms are still set. */
UF_NOINLINE static void notify_wait_ended(uf_flow *flow)
{
    flow->pump->deciding = false;
    NOTIFY(flow->pump, wait_ended, flow);
}

UF_NOINLINE static void notify_wait_began(uf_flow *flow, uf_intent intent)
{
    bool const polls = uf_intent_kind(intent) == UF_INTENT_POLL;
    if (!polls && !(flow->flags & UF_FLAG_ARMED)) return; /* a durable flow that waits for its store */
    if (!(flow->flags & UFI_FAILING)) NOTIFY(flow->pump, wait_began, flow, polls);
}

/* A `done` or `become` behind an arm leaves the await during the turn. */
static void notify_leaves(uf_flow *flow)
{
    if (flow->pump->deciding && flow == flow->pump->current) notify_wait_ended(flow);
}

static uf_intent observed_turn(uf_pump *pump, uf_flow *flow, uint32_t state)
{
    bool const waits = ufi_is_wait(state);
    pump->deciding = waits;
    uf_intent const intent = ufi_monotonic_of(pump) ? ufi_timed_turn(pump, flow, state) : ufi_run(flow, state);

    if (is_pause(intent)) {
        if (!waits) notify_wait_began(flow, intent);
    } else if (pump->deciding) notify_wait_ended(flow);
    pump->deciding = false;
    return intent;
}

/* Runs a turn without an entry, a cancel or a handler. Returns: false if it was no `next` of a body, or had other
 * effects. A recorder may stay attached, and this saves a sixth of the instructions of a `next` with a recorder. */
static inline bool ran_just_next(uf_pump *pump, uf_flow *flow)
{
    uint32_t const state = ufp_load(&flow->state);
    uf_intent const intent = observed_turn(pump, flow, state);
    bool const just_next =
        ufi_is_next(intent) && !(flow->flags & (UFI_NOT_JUST_NEXT & ~UFI_DESCRIBED)) && !ufi_is_wait(state);

    if (!just_next) {
        ufi_finish_turn(pump, flow, state, intent);
        return false;
    }
    ufi_count_tick(flow);
    pump->advanced = true;
    change_step(flow, state, intent.bits);
    return true;
}

static bool try_turn(uf_pump *pump, uf_flow *flow)
{
    if (flow->flags & UFI_NOT_JUST_BODY) return false;
    (void)ran_just_next(pump, flow);
    return true;
}

/* See ufi_run_lone(). An observer may have cancelled the flow. With a recorder, a `next` takes three quarters of the
 * instructions of a whole round. */
static void run_lone_rounds(uf_pump *pump, uf_flow *flow)
{
    do {
        pump->round++;
        pump->advanced = false;
        if (!ran_just_next(pump, flow)) return;
    } while (--pump->lone_rounds && !ufi_has_news(pump) && !(flow->flags & UFI_NOT_LONE));
}

static void notify_body_ran(uf_flow *flow, uint32_t state, uf_time took)
{
    if (flow->pump->measured_runs) ufi_body_timed(flow, took);
    NOTIFY(flow->pump, body_ran, flow, ufi_name_of_step(ufi_step_of(flow, state)), took);
}

static void notify_ended(uf_flow *flow, uint32_t last_state, uf_outcome outcome)
{
    uf_step_change change;
    uf_run_times times;

    begin_change(flow, last_state, &change);
    change.description = uf_flow_description(flow);
    if (flow->flags & UFI_NEW) notify_started(flow);
    notify_step_changed(flow, &change);
    uf_flow_end const end = {
        .task = uf_flow_task(flow),
        .outcome = outcome,
        .reason = ufi_reason_of(flow, outcome),
        .ordinal = flow->ordinal,
        .times = flow->pump->measured_runs ? ufi_measure_run(flow, &times) : NULL,
    };

    NOTIFY(flow->pump, flow_ended, flow, &end);
    if (end.times) ufi_run_ended(flow);
}

void ufi_notify_post_began(uf_pump *pump, const uf_post_event *post)
{
    NOTIFY(pump, post_began, post);
}

void ufi_notify_posted(uf_pump *pump, const uf_post_event *post)
{
    NOTIFY(pump, posted, post);
}

void ufi_notify_linked(uf_pump *pump, const char *driver)
{
    NOTIFY(pump, linked, driver);
}

/* A hook that calls a callback of the same name: its parameters, and the callback's arguments. */
#define HOOK(callback, parameters, pump, ...)                                                                          \
    static void notify_##callback parameters                                                                           \
    {                                                                                                                  \
        NOTIFY(pump, callback, __VA_ARGS__);                                                                           \
    }
HOOK(signal_fired, (uf_pump * pump, const char *name, uint32_t released), pump, name, released)
HOOK(flow_paused, (uf_flow * flow), flow->pump, flow)
HOOK(flow_resumed, (uf_flow * flow), flow->pump, flow)
HOOK(keeping_changed, (uf_flow * flow, uf_keeping keeping), flow->pump, flow, keeping)
HOOK(checkpoint_parked, (uf_flow * flow, const char *name), flow->pump, flow, name)
HOOK(slow_step, (uf_flow * flow, const uf_slow_step *slow), flow->pump, flow, slow)
HOOK(round_ran, (uf_pump * pump), pump, pump->slow.took)
HOOK(slow_round, (uf_pump * pump), pump, &pump->slow)

/* While a phase lasts, observers are notified of it again each second. */
#define TELLING_INTERVAL UF_S(1)

static void notify_stopping(uf_pump *pump, const uf_stop_report *so_far)
{
    pump->stop->told = ufi_real_time(pump);
    NOTIFY(pump, stopping, so_far);
}

static uf_time next_telling(const uf_pump *pump, uf_time end)
{
    uf_time const next = uf_time_add(pump->stop->told, TELLING_INTERVAL);
    return pump->stop->phase == UF_STOP_OVER || end < next ? end : next;
}

static void notify_job(uf_flow *flow, ufi_job_event_kind kind, const uf_job_event *event)
{
    if (kind == UFI_COMPLETED && flow->pump->measured_runs) ufi_job_took(flow, event->waited);
    switch (kind) {
    case UFI_SUBMITTED: NOTIFY(flow->pump, job_submitted, flow, event); return;
    case UFI_COMPLETED: NOTIFY(flow->pump, job_completed, flow, event); return;
    case UFI_ABANDONED: NOTIFY(flow->pump, job_abandoned, flow, event); return;
    case UFI_REJECTED: NOTIFY(flow->pump, job_rejected, flow, event); return;
    case UFI_SLOW: NOTIFY(flow->pump, slow_job, flow, event); return;
    }
}

static const struct ufi_observer_hooks hooks = {
    .started = notify_started,
    .restored = notify_restored,
    .run_requested = notify_run_requested,
    .sent = notify_sent,
    .checkpoint_armed = notify_checkpoint_armed,
    .change_step = change_step,
    .step_failed = notify_step_failed,
    .leaves = notify_leaves,
    .handler_decided = notify_handler_decided,
    .paused = notify_flow_paused,
    .resumed = notify_flow_resumed,
    .keeping_changed = notify_keeping_changed,
    .body_ran = notify_body_ran,
    .ended = notify_ended,
    .signal_fired = notify_signal_fired,
    .checkpoint_parked = notify_checkpoint_parked,
    .stopping = notify_stopping,
    .next_telling = next_telling,
    .job = notify_job,
    .slow_step = notify_slow_step,
    .slow_round = notify_slow_round,
    .round_ran = notify_round_ran,
    .turn = observed_turn,
    .try_turn = UFI_FAST_PATHS ? try_turn : NULL,
    .run_lone_rounds = UFI_FAST_PATHS ? run_lone_rounds : NULL,
    .measure_round = ufi_measure_round,
    .round_measured = ufi_round_measured,
};

/* `before` is NULL: the list begins with `observer`. */
static void link_after(uf_pump *pump, uf_observer *before, uf_observer *observer)
{
    if (before) before->next = observer;
    else ufp_store_pointer(&pump->observers, observer);
}

uf_status uf_pump_add_observer(uf_pump *pump, uf_observer *observer)
{
    if (!ufi_is_pump(pump) || !observer) return UF_INVALID;

    uf_observer *last = NULL;
    for (uf_observer *other = pump->observers; other; last = other, other = other->next) {
        if (other == observer) return UF_BUSY;
    }
    for (ufi_cursor *cursor = pump->cursor; cursor; cursor = cursor->outer) {
        if (cursor->next && !cursor->end) cursor->end = observer;
    }
    observer->next = NULL;
    link_after(pump, last, observer);
    pump->notify = &hooks;
    uf_flow *const flow = pump->current;
    if (flow) ufi_flag_set(flow, UFI_OBSERVED); /* this turn must not end on a fast path */
    pump->begins_anew = true;                   /* the time of the next round may have to be measured */
    return UF_OK;
}

uf_status uf_pump_remove_observer(uf_pump *pump, uf_observer *observer)
{
    if (!ufi_is_pump(pump) || !observer) return UF_INVALID;
    for (uf_observer *other = pump->observers, *before = NULL; other; before = other, other = other->next) {
        if (other != observer) continue;
        link_after(pump, before, observer->next);
        for (ufi_cursor *cursor = pump->cursor; cursor; cursor = cursor->outer) {
            if (cursor->next == observer) cursor->next = observer->next;
            if (cursor->end == observer) cursor->end = observer->next;
        }
        return UF_OK;
    }
    return UF_INVALID;
}
