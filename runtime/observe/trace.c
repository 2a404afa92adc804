/* trace.c - the trajectory of runs, as a ring in the caller's storage. */
#include "uflow/trace.h"

static void flow_started(void *context, const uf_flow *flow)
{
    uf_trace *const trace = context;
    if (flow == trace->flow) trace->total = 0;
}

static void step_changed(void *context, const uf_flow *flow, const uf_step_change *change)
{
    uf_trace *const trace = context;

    if (trace->flow && flow != trace->flow) return;
    trace->entries[trace->total++ % trace->capacity] = (uf_trace_entry){
        .flow = flow,
        .task = change->task,
        .step = change->from,
        .ordinal = change->ordinal,
        .ticks = change->ticks,
        .elapsed = change->elapsed,
        .left = uf_pump_now(flow->pump),
    };
}

static void job_completed(void *context, const uf_flow *flow, const uf_job_event *event)
{
    uf_trace *const trace = context;

    if (trace->flow && flow != trace->flow) return;
    trace->entries[trace->total++ % trace->capacity] = (uf_trace_entry){
        .flow = flow,
        .task = uf_flow_task(flow),
        .step = event->step,
        .ordinal = (uint32_t)uf_flow_ordinal(flow),
        .elapsed = event->waited,
        .left = uf_pump_now(flow->pump),
        .job = event->job,
        .status = event->status,
    };
}

uf_status uf_trace_attach(uf_trace *trace, uf_pump *pump, const uf_flow *flow, uf_trace_entry *entries, size_t capacity)
{
    if (!trace || !pump || !entries || capacity == 0) return UF_INVALID;
    uf_status const added = uf_pump_add_observer(pump, &trace->observer);
    if (added != UF_OK) return added;
    *trace = (uf_trace){
        .observer =
            {
                .context = trace,
                .flow_started = flow_started,
                .step_changed = step_changed,
                .job_completed = job_completed,
            },
        .flow = flow,
        .entries = entries,
        .capacity = capacity,
    };
    return UF_OK;
}

uf_status uf_trace_detach(uf_trace *trace, uf_pump *pump)
{
    return uf_pump_remove_observer(pump, &trace->observer);
}

size_t uf_trace_count(const uf_trace *trace)
{
    return trace->total < trace->capacity ? trace->total : trace->capacity;
}

size_t uf_trace_lost(const uf_trace *trace)
{
    return trace->total - uf_trace_count(trace);
}

const uf_trace_entry *uf_trace_at(const uf_trace *trace, size_t index)
{
    if (index >= uf_trace_count(trace)) return NULL;
    return &trace->entries[(uf_trace_lost(trace) + index) % trace->capacity];
}
