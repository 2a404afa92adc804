/* SPDX-License-Identifier: MIT */
/* times.c - durations of runs, in tables that observers provide.
 *
 * Nothing here is called without observers. A table is a hash table with linear probing, keyed by the flow's
 * address. Entries are never removed. When a table is full, a new run replaces the entry of a run that has ended. */
#include "observers/observers.h"

/* The record of a flow in one table; with `begins`, a record for its new run. NULL: none. */
static uf_run_record *find_in(const uf_observer *table, const uf_flow *flow, bool begins)
{
    uint32_t const hash = (uint32_t)((uintptr_t)flow >> 4) * UINT32_C(2654435769);
    size_t at = (size_t)((uint64_t)hash * table->run_capacity >> 32);
    uf_run_record *ended = NULL;

    for (size_t left = table->run_capacity; left > 0; left--) {
        uf_run_record *const record = &table->runs[at];
        if (record->flow == (const void *)flow) return record;
        if (!record->flow) return begins ? record : NULL;
        if (!ended && !record->running) ended = record;
        if (++at == table->run_capacity) at = 0;
    }
    return begins ? ended : NULL;
}

static uf_run_record *find_record(const uf_flow *flow, bool begins)
{
    for (const uf_observer *table = flow->pump->observers; table; table = table->next) {
        if (!table->runs || (table->runs_of && table->runs_of != flow)) continue;
        uf_run_record *const record = find_in(table, flow, begins);
        if (record) return record;
    }
    return NULL;
}

/* The record of the current or last run. */
static uf_run_record *record_of(const uf_flow *flow)
{
    uf_run_record *const record = find_record(flow, false);
    return record && record->run == flow->run ? record : NULL;
}

static uf_run_record *running_record(const uf_flow *flow)
{
    uf_run_record *const record = record_of(flow);
    return record && record->running ? record : NULL;
}

/* Updates the durations. A real time before the last one counts as the last one. */
static void update(const uf_flow *flow, uf_run_record *record)
{
    uf_time const passed = ufi_time_sub(uf_pump_real_now(flow->pump), record->began);
    uf_time const wall = passed > record->step_at ? passed : record->step_at;

    record->times.wall = wall;
    record->times.in_task = wall - record->task_at;
    record->times.in_step = wall - record->step_at;
    record->times.elapsed = ufi_time_sub(ufi_read_time(flow->pump), record->logical_began);
}

bool uf_flow_times(const uf_flow *flow, uf_run_times *times)
{
    uf_run_record *const record = flow && flow->pump && times ? record_of(flow) : NULL;

    if (!record || record->running != uf_flow_running(flow))
        return false; /* the table was removed before the run ended */
    if (record->running) update(flow, record);
    *times = record->times;
    return true;
}

void ufi_run_begins(const uf_flow *flow)
{
    uf_run_record *const record = find_record(flow, true);

    if (!record) return;
    if (!record->running) flow->pump->measured_runs++;
    *record = (uf_run_record){
        .flow = (void *)(uintptr_t)flow,
        .run = flow->run,
        .running = true,
        .began = uf_pump_real_now(flow->pump),
        .logical_began = ufi_read_time(flow->pump),
        .times = {.worst_task = "", .worst_step = ""},
    };
}

const uf_run_times *ufi_measure_step(const uf_flow *flow, const uf_step_change *change, uf_run_times *copy)
{
    uf_run_record *const record = running_record(flow);

    if (!record) return NULL;
    uf_run_times *const times = &record->times;
    update(flow, record);
    *copy = *times;
    if (times->step.count && (!times->worst.count || times->step.max > times->worst.max)) {
        times->worst = times->step;
        times->worst_task = change->task;
        times->worst_step = change->from;
    }
    /* The next step begins now, so the steps add up to the run. */
    if (!*change->to) return copy;
    times->step = (uf_body_times){0};
    record->step_at = times->wall;
    if (ufp_load(&flow->state) & UF_ENTRY) record->task_at = times->wall;
    return copy;
}

const uf_run_times *ufi_measure_run(const uf_flow *flow, uf_run_times *copy)
{
    uf_run_record *const record = running_record(flow);

    if (!record) return NULL;
    update(flow, record);
    *copy = record->times;
    return copy;
}

void ufi_run_ended(const uf_flow *flow)
{
    uf_run_record *const record = running_record(flow);

    if (!record) return;
    record->running = false;
    flow->pump->measured_runs--;
}

static void add_body(uf_body_times *bodies, uf_time took)
{
    if (bodies->count == UINT32_MAX) return;
    bodies->min = bodies->count && bodies->min < took ? bodies->min : took;
    bodies->max = bodies->count && bodies->max > took ? bodies->max : took;
    bodies->total = uf_time_add(bodies->total, took);
    bodies->mean = bodies->total / ++bodies->count;
}

void ufi_body_timed(const uf_flow *flow, uf_time took)
{
    uf_run_record *const record = running_record(flow);

    if (!record) return;
    add_body(&record->times.step, took);
    add_body(&record->times.all, took);
}

void ufi_job_took(const uf_flow *flow, uf_time waited)
{
    uf_run_record *const record = running_record(flow);
    if (record) record->times.in_jobs = uf_time_add(record->times.in_jobs, waited);
}
