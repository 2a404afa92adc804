/* SPDX-License-Identifier: MIT */
/* prometheus.c - a snapshot as metrics, in the text format of Prometheus. */
#include "inspecting.h"

#include <inttypes.h>
#include <stdlib.h>

static void head(ufi_buffer *text, const char *name, const char *type, const char *help)
{
    ufi_buffer_print(text, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void one(ufi_buffer *text, const char *name, const char *type, const char *help, uint64_t value)
{
    head(text, name, type, help);
    ufi_buffer_print(text, "%s %" PRIu64 "\n", name, value);
}

static void put_flow(ufi_buffer *text, const char *name, const ufi_seen *seen)
{
    ufi_buffer_print(text, "%s{", name);
    ufi_buffer_label(text, "flow", seen->path);
}

static void put_seconds(ufi_buffer *text, uf_time time)
{
    ufi_buffer_print(text, " ");
    ufi_buffer_seconds(text, time);
    ufi_buffer_print(text, "\n");
}

/* Whether it responds; if not, since when, and the step that has not returned. */
static void put_response(ufi_buffer *text, const ufi_view *view)
{
    char const *const since = "uflow_silent_seconds", *const step = "uflow_turn_seconds";
    uf_turn turn;

    one(text, "uflow_responds", "gauge", "Whether the runtime answered in time", view->responds);
    head(text, since, "gauge", "Real time for which the runtime has not answered, at least");
    ufi_buffer_print(text, "%s", since);
    put_seconds(text, view->responds ? 0 : view->silent);
    if (view->responds || !uf_runtime_turn(view->runtime, &turn)) return;
    head(text, step, "gauge", "How long the step that has not returned runs, at least");
    ufi_buffer_print(text, "%s{", step);
    ufi_buffer_label(text, "flow", turn.flow);
    ufi_buffer_label(text, ",task", turn.task);
    ufi_buffer_label(text, ",step", turn.step);
    ufi_buffer_print(text, "}");
    put_seconds(text, turn.lasts ? turn.lasts : turn.in_step > view->silent ? turn.in_step : view->silent);
}

static uint32_t failed_flows(const ufi_snapshot *snapshot)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < snapshot->count; i++) count += snapshot->flows[i].view.outcome == UF_FAILED;
    return count;
}

static void put_pump(ufi_buffer *text, const ufi_view *view)
{
    ufi_seen_pump const *const pump = &view->snapshot->pump;

    one(text, "uflow_stopping", "gauge", "Whether a stop has begun", pump->stopping);
    one(text, "uflow_rounds_total", "counter", "Rounds", pump->round);
    one(text, "uflow_flows", "gauge", "Attached flows that are shown", view->snapshot->count);
    one(text, "uflow_flows_running", "gauge", "Flows that run", pump->running);
    one(text, "uflow_flows_failed", "gauge", "Flows whose last run failed", failed_flows(view->snapshot));
    if (view->events)
        one(text, "uflow_failures_recorded", "gauge", "Runs that failed, by the events that the recorder still had",
            ufi_events_failures(view->events));
    one(text, "uflow_cycles", "gauge", "Cycles of flows that wait for each other",
        ufi_cycles(view->snapshot, NULL, NULL));
    one(text, "uflow_jobs_in_flight", "gauge", "Jobs that have not ended", pump->jobs_in_flight);
    one(text, "uflow_jobs_ended_total", "counter", "Jobs that have ended", pump->jobs_ended);
    one(text, "uflow_refused_total", "counter", "Requests refused during a stop", pump->refused);
}

/* Flows by path. A metric may have only one of flows with the same path. */
typedef struct by_path {
    const ufi_seen **flows;
    uint32_t count;
} by_path;

static int compare_paths(const void *one, const void *other)
{
    return strcmp((*(const ufi_seen *const *)one)->path, (*(const ufi_seen *const *)other)->path);
}

static by_path sort(const ufi_snapshot *all)
{
    by_path sorted = {.flows = ufp_allocate((all->count + 1) * sizeof *sorted.flows)};

    if (!sorted.flows) return sorted;
    for (uint32_t i = 0; i < all->count; i++) sorted.flows[i] = &all->flows[i];
    if (all->count > 1) qsort((void *)sorted.flows, all->count, sizeof *sorted.flows, compare_paths);
    for (uint32_t i = 0; i < all->count; i++) {
        bool const is_same = i > 0 && strcmp(sorted.flows[i]->path, sorted.flows[sorted.count - 1]->path) == 0;
        if (!is_same) sorted.flows[sorted.count++] = sorted.flows[i];
    }
    return sorted;
}

static void put_flows(ufi_buffer *text, const by_path *all)
{
    head(text, "uflow_flow_runs_total", "counter", "Runs of a flow");
    for (uint32_t i = 0; i < all->count; i++) {
        put_flow(text, "uflow_flow_runs_total", all->flows[i]);
        ufi_buffer_print(text, "} %" PRIu32 "\n", all->flows[i]->view.run);
    }
    head(text, "uflow_flow_in_step_seconds", "gauge", "Logical time that a running flow has been in its step");
    for (uint32_t i = 0; i < all->count; i++) {
        ufi_seen const *const seen = all->flows[i];
        if (!seen->view.running) continue;
        put_flow(text, "uflow_flow_in_step_seconds", seen);
        ufi_buffer_label(text, ",task", seen->view.task);
        ufi_buffer_label(text, ",step", seen->view.step);
        ufi_buffer_print(text, "}");
        put_seconds(text, seen->view.elapsed);
    }
}

/* `count`: the offset of the count. */
static void put_counter(ufi_buffer *text, const ufi_view *view, const by_path *all, const char *name, const char *help,
                        size_t count)
{
    uf_flow_counts counts;

    head(text, name, "counter", help);
    for (uint32_t i = 0; i < all->count; i++) {
        ufi_seen const *const seen = all->flows[i];
        if (seen->row != seen->flow || !uf_counters_flow(view->counters, seen->row, &counts)) continue;
        put_flow(text, name, seen);
        ufi_buffer_print(text, "} %" PRId64 "\n", *(const int64_t *)((uintptr_t)&counts + count));
    }
}

/* With counters: those of the members of a pool are together, at its first member. */
static void put_counters(ufi_buffer *text, const ufi_view *view, const by_path *all)
{
    uf_round_counts rounds;
    uf_flow_counts total;

    uf_counters_rounds(view->counters, &rounds);
    (void)uf_counters_flow(view->counters, NULL, &total);
    one(text, "uflow_failed_total", "counter", "Runs of all flows that failed", (uint64_t)total.failed);
    put_counter(text, view, all, "uflow_flow_failed_total", "Runs that failed", offsetof(uf_flow_counts, failed));
    put_counter(text, view, all, "uflow_flow_transitions_total", "Steps left", offsetof(uf_flow_counts, transitions));
    head(text, "uflow_round_max_seconds", "gauge", "The longest round since the last reset");
    ufi_buffer_print(text, "uflow_round_max_seconds");
    put_seconds(text, rounds.max);
}

/* Without a snapshot, omits the metrics that only it has. */
void ufi_metrics(const ufi_view *view, ufi_buffer *text)
{
    put_response(text, view);
    if (!ufi_is_taken(view->snapshot) || view->snapshot->is_recorded) return;

    by_path const all = sort(view->snapshot);
    put_pump(text, view);
    put_flows(text, &all);
    if (view->counters) put_counters(text, view, &all);
    ufp_free((void *)all.flows);
}
