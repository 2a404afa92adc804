/* SPDX-License-Identifier: MIT */
/* trace.c - the step history of runs, in a ring buffer owned by the caller. */
#include "uflow/trace.h"
#include "uflow/stop.h"

static void flow_started(void *context, const uf_flow *flow)
{
    uf_trace *const trace = context;
    if (flow == trace->flow) trace->total = 0;
}

/* The entry for a new event. Returns NULL if another flow is traced; an event without a flow belongs to traces of all
 * flows. */
static uf_trace_entry *add_entry(uf_trace *trace, const uf_flow *flow)
{
    if (trace->flow && flow != trace->flow) return NULL;
    return &trace->entries[trace->total++ % trace->capacity];
}

static void step_changed(void *context, const uf_flow *flow, const uf_step_change *change)
{
    uf_trace_entry *const entry = add_entry(context, flow);

    if (!entry) return;
    *entry = (uf_trace_entry){
        .flow = flow,
        .task = change->task,
        .step = change->from,
        .ordinal = change->ordinal,
        .ticks = change->ticks,
        .elapsed = change->elapsed,
        .left = uf_pump_now(flow->pump),
        .name = "",
        .outcome = UF_RUNNING,
    };
    if (!change->times) return;
    entry->wall = change->times->in_step;
    entry->bodies = change->times->step;
}

/* step_changed() has been called for the last step, so its entry is the newest of that flow. */
static void flow_ended(void *context, const uf_flow *flow, const uf_flow_end *end)
{
    uf_trace *const trace = context;

    for (size_t back = 1; back <= uf_trace_count(trace); back++) {
        uf_trace_entry *const entry = &trace->entries[(trace->total - back) % trace->capacity];
        if (entry->flow != flow || entry->kind != UF_TRACE_STEP) continue;
        entry->outcome = end->outcome;
        return;
    }
}

/* An entry for an event that happens while a flow is in a step; NULL: another flow is traced. */
static uf_trace_entry *add_in_step(uf_trace *trace, uf_trace_kind kind, const uf_flow *flow)
{
    uf_trace_entry *const entry = add_entry(trace, flow);
    int64_t const ordinal = uf_flow_ordinal(flow);

    if (!entry) return NULL;
    *entry = (uf_trace_entry){
        .flow = flow,
        .task = uf_flow_task(flow),
        .step = uf_flow_step(flow),
        .ordinal = ordinal > 0 ? (uint32_t)ordinal : 0,
        .left = uf_pump_now(flow->pump),
        .name = "",
        .kind = kind,
    };
    return entry;
}

static void add_job(void *context, uf_trace_kind kind, const uf_flow *flow, const uf_job_event *event)
{
    uf_trace_entry *const entry = add_in_step(context, kind, flow);

    if (!entry) return;
    entry->elapsed = event->waited;
    entry->job = event->job;
    entry->index = event->index;
    entry->status = event->status;
    if (kind == UF_TRACE_SLOW_JOB) entry->name = event->worker;
}

static void job_completed(void *context, const uf_flow *flow, const uf_job_event *event)
{
    add_job(context, UF_TRACE_JOB, flow, event);
}

static void slow_job(void *context, const uf_flow *flow, const uf_job_event *event)
{
    add_job(context, UF_TRACE_SLOW_JOB, flow, event);
}

static void checkpoint_parked(void *context, const uf_flow *flow, const char *name)
{
    uf_trace_entry *const entry = add_in_step(context, UF_TRACE_CHECKPOINT, flow);
    if (entry) entry->name = name;
}

static void slow_step(void *context, const uf_flow *flow, const uf_slow_step *slow)
{
    uf_trace_entry *const entry = add_in_step(context, UF_TRACE_SLOW_STEP, flow);
    if (entry) entry->elapsed = slow->took;
}

static void add_without_flow(uf_trace *trace, uf_trace_kind kind, const char *name, uint32_t ticks, uf_time elapsed)
{
    uf_trace_entry *const entry = add_entry(trace, NULL);

    if (!entry) return;
    *entry = (uf_trace_entry){
        .task = "",
        .step = "",
        .ticks = ticks,
        .elapsed = elapsed,
        .left = uf_pump_now(trace->pump),
        .name = name,
        .kind = kind,
    };
}

static void signal_fired(void *context, const char *name, uint32_t released)
{
    add_without_flow(context, UF_TRACE_SIGNAL, name, released, 0);
}

static void stopping(void *context, const struct uf_stop_report *so_far)
{
    add_without_flow(context, UF_TRACE_STOPPING, uf_stop_phase_text(so_far->phase), 0, so_far->took);
}

static void slow_round(void *context, const uf_slow_round *slow)
{
    uf_trace *const trace = context;
    size_t const before = trace->total;

    add_without_flow(trace, UF_TRACE_SLOW_ROUND, "", slow->turns, slow->took);
    if (trace->total == before) return;
    uf_trace_entry *const entry = &trace->entries[before % trace->capacity];
    entry->flow = slow->flow;
    entry->task = slow->task;
    entry->step = slow->step;
}

uf_status uf_trace_init(uf_trace *trace, uf_pump *pump, const uf_flow *flow, uf_trace_entry *entries, size_t capacity)
{
    if (!trace || !pump || !entries || capacity == 0) return UF_INVALID;
    *trace = (uf_trace){
        .observer =
            {
                .context = trace,
                .flow_started = flow_started,
                .step_changed = step_changed,
                .flow_ended = flow_ended,
                .job_completed = job_completed,
                .checkpoint_parked = checkpoint_parked,
                .slow_step = slow_step,
                .slow_job = slow_job,
                .signal_fired = signal_fired,
                .stopping = stopping,
                .slow_round = slow_round,
                .runs = flow ? &trace->run : NULL,
                .run_capacity = flow ? 1 : 0,
                .runs_of = flow,
            },
        .pump = pump,
        .flow = flow,
        .entries = entries,
        .capacity = capacity,
    };
    return UF_OK;
}

/* Initialises after adding, so that a trace that is attached already is not overwritten; see uf_console_attach(). */
uf_status uf_trace_attach(uf_trace *trace, uf_pump *pump, const uf_flow *flow, uf_trace_entry *entries, size_t capacity)
{
    if (!trace || !pump || !entries || capacity == 0) return UF_INVALID;
    uf_status const added = uf_pump_add_observer(pump, &trace->observer);
    return added == UF_OK ? uf_trace_init(trace, pump, flow, entries, capacity) : added;
}

uf_status uf_trace_detach(uf_trace *trace, uf_pump *pump)
{
    return trace ? uf_pump_remove_observer(pump, &trace->observer) : UF_INVALID;
}

size_t uf_trace_count(const uf_trace *trace)
{
    if (!trace) return 0;
    return trace->total < trace->capacity ? trace->total : trace->capacity;
}

size_t uf_trace_lost(const uf_trace *trace)
{
    return trace ? trace->total - uf_trace_count(trace) : 0;
}

const uf_trace_entry *uf_trace_at(const uf_trace *trace, size_t index)
{
    if (index >= uf_trace_count(trace)) return NULL;
    return &trace->entries[(uf_trace_lost(trace) + index) % trace->capacity];
}
