/* SPDX-License-Identifier: MIT */
/* document.c - a snapshot as one JSON document. docs/uflow-top.md describes its members. */
#include "inspecting.h"

#include <inttypes.h>

#include "waits.h"

#define STEPS 100 /* the most steps in a document */

static void put_name(ufi_buffer *text, const char *name)
{
    ufi_buffer_print(text, ",\"%s\":", name);
}

static void put_string(ufi_buffer *text, const char *name, const char *string)
{
    put_name(text, name);
    ufi_buffer_string(text, string);
}

static void put_number(ufi_buffer *text, const char *name, int64_t number)
{
    ufi_buffer_print(text, ",\"%s\":%" PRId64, name, number);
}

static void put_seconds(ufi_buffer *text, const char *name, uf_time time)
{
    put_name(text, name);
    ufi_buffer_seconds(text, time);
}

static void put_bool(ufi_buffer *text, const char *name, bool value)
{
    ufi_buffer_print(text, ",\"%s\":%s", name, value ? "true" : "false");
}

static void put_path(ufi_buffer *text, const char *name, const ufi_seen *seen, size_t length)
{
    char path[UFI_PATH_SIZE];

    memcpy(path, seen->path, length);
    path[length] = '\0';
    put_string(text, name, path);
}

/* -- the runtime --------------------------------------------------------------------------------------------------- */

static void put_turn(ufi_buffer *text, const uf_runtime *runtime)
{
    uf_turn turn;

    if (!uf_runtime_turn(runtime, &turn)) return;
    ufi_buffer_print(text, ",\"turn\":{\"flow\":");
    ufi_buffer_string(text, turn.flow);
    put_string(text, "task", turn.task);
    put_string(text, "step", turn.step);
    put_number(text, "line", turn.line);
    if (turn.lasts) put_seconds(text, "lasts", turn.lasts);
    if (turn.in_step) put_seconds(text, "in_step", turn.in_step);
    ufi_buffer_print(text, "}");
}

/* The time of day of the snapshot, in seconds since 1970. */
static void put_day(ufi_buffer *text, const ufi_snapshot *snapshot)
{
    uf_time const now = ufp_time_of_day();

    if (now == 0) return;
    put_seconds(text, "day", now - (uf_real_now() - snapshot->taken));
}

static void put_pump(ufi_buffer *text, const ufi_snapshot *snapshot)
{
    ufi_seen_pump const *const pump = &snapshot->pump;

    put_bool(text, "stopping", pump->stopping);
    put_bool(text, "frozen", pump->frozen);
    ufi_buffer_print(text, ",\"scale\":%" PRIu64 ".%09" PRIu64, pump->scale >> 32,
                     ((pump->scale & UINT32_MAX) * 1000000000) >> 32);
    put_seconds(text, "time", pump->now);
    put_day(text, snapshot);
    ufi_buffer_print(text, ",\"round\":%" PRIu64, pump->round);
    put_number(text, "running", pump->running);
    put_number(text, "refused", pump->refused);
}

static void put_given_up(ufi_buffer *text, const ufi_seen_pump *pump)
{
    ufi_buffer_print(text, ",\"given_up\":[");
    for (uint32_t i = 0; i < pump->given_up_count; i++) {
        ufi_buffer_print(text, "%s{\"worker\":", i ? "," : "");
        ufi_buffer_string(text, pump->given_up[i].worker);
        put_string(text, "flow", pump->given_up[i].path);
        put_seconds(text, "submitted", pump->given_up[i].passed);
        ufi_buffer_print(text, "}");
    }
    ufi_buffer_print(text, "]");
}

/* Without a snapshot, omits the members that only it has. */
static void put_runtime(ufi_buffer *text, const ufi_view *view)
{
    uf_runtime_config const *const config = uf_runtime_configuration(view->runtime);
    bool const has_snapshot = ufi_is_taken(view->snapshot) && !view->snapshot->is_recorded;

    ufi_buffer_print(text, "{\"uflow\":\"%s\",\"process\":%" PRIu32 ",\"runtime\":{\"name\":", uf_version(),
                     ufp_process());
    ufi_buffer_string(text, config->name);
    put_number(text, "number", uf_runtime_index(view->runtime));
    put_bool(text, "responds", view->responds);
    if (!view->responds) put_turn(text, view->runtime);
    if (!view->responds) put_seconds(text, "silent", view->silent);
    if (!view->responds && has_snapshot) put_seconds(text, "age", uf_real_now() - view->snapshot->taken);
    if (has_snapshot) put_pump(text, view->snapshot);
    if (view->snapshot->is_recorded) put_seconds(text, "time", view->snapshot->pump.now);
    if (view->snapshot->is_recorded) put_number(text, "running", view->snapshot->pump.running);
    ufi_buffer_print(text, "},\"pool\":{\"workers\":%" PRIu32, config->workers);
    if (has_snapshot) put_number(text, "in_flight", view->snapshot->pump.jobs_in_flight);
    if (has_snapshot) put_number(text, "ended", view->snapshot->pump.jobs_ended);
    if (has_snapshot && view->snapshot->pump.given_up_count) put_given_up(text, &view->snapshot->pump);
    ufi_buffer_print(text, "}");
}

static void put_counters(ufi_buffer *text, const uf_counters *counters)
{
    uf_round_counts rounds;
    uf_post_counts posts;

    uf_counters_rounds(counters, &rounds);
    uf_counters_posts(counters, &posts);
    ufi_buffer_print(text, ",\"rounds\":{\"count\":%" PRId64, rounds.count);
    put_seconds(text, "min", rounds.min);
    put_seconds(text, "mean", rounds.mean);
    put_seconds(text, "max", rounds.max);
    ufi_buffer_print(text, "},\"posts\":{\"count\":%" PRId64, posts.count);
    put_seconds(text, "waited", posts.waited);
    put_seconds(text, "longest", posts.longest);
    ufi_buffer_print(text, "}");
}

/* -- flows --------------------------------------------------------------------------------------------------------- */

/* The text of its wait is "checkpoint NAME (...)". */
static const char *armer_of(const ufi_events *events, const ufi_wait *wait)
{
    if (!events || wait->kind != UF_ARM_CHECKPOINT) return NULL;
    char const *const name = wait->text + strlen("checkpoint "), *const end = strrchr(name, '(');
    return end > name ? ufi_events_armer(events, name, (size_t)(end - name) - 1) : NULL;
}

static void put_wait(ufi_buffer *text, const ufi_view *view, const ufi_seen *seen, const ufi_wait *wait)
{
    ufi_seen const *const awaited = ufi_snapshot_find(view->snapshot, wait->flow);
    char const *const armer = armer_of(view->events, wait);

    ufi_buffer_print(text, "{\"for\":\"%s\"", ufi_arm_infos[wait->kind].key);
    put_string(text, "text", wait->text);
    if (awaited) put_path(text, "flow", awaited, strlen(awaited->path));
    if (armer) put_string(text, "armed_by", armer);
    if (wait->deadline != UF_FOREVER)
        put_seconds(text, "in", wait->deadline > seen->now ? wait->deadline - seen->now : 0);
    ufi_buffer_print(text, "}");
}

static void put_waits(ufi_buffer *text, const ufi_view *view, const ufi_seen *seen)
{
    ufi_buffer_print(text, ",\"waits\":[");
    for (unsigned i = 0; i < seen->wait_count; i++) {
        if (i > 0) ufi_buffer_print(text, ",");
        put_wait(text, view, seen, ufi_waits_of(view->snapshot, seen) + i);
    }
    if (seen->polls)
        ufi_buffer_print(text, "%s{\"for\":\"condition\",\"text\":\"" UF_CONDITION_WORDS "\"}",
                         seen->wait_count ? "," : "");
    ufi_buffer_print(text, "]");
    if (seen->waits_left_out) put_number(text, "waits_cut", seen->waits_left_out);
}

static void put_keeping(ufi_buffer *text, const ufi_seen *seen)
{
    if (seen->keeping == UF_KEEPING_NOTHING) return;
    put_string(text, "keeping", uf_keeping_text(seen->keeping));
    if (seen->keeping_lasts >= 0) put_seconds(text, "keeping_for", seen->keeping_lasts);
}

static void put_run(ufi_buffer *text, const ufi_view *view, const ufi_seen *seen)
{
    bool const is_whole = !view->snapshot->is_recorded;

    put_string(text, "task", seen->view.task);
    put_string(text, "step", seen->view.step);
    put_number(text, "line", seen->view.line);
    if (is_whole) put_number(text, "ordinal", seen->view.ordinal);
    if (is_whole) put_number(text, "ticks", seen->ticks);
    put_seconds(text, "in_step", seen->view.elapsed);
    if (is_whole && seen->paused_for >= 0) put_seconds(text, "paused", seen->paused_for);
    if (is_whole) put_string(text, "description", seen->view.description);
    put_waits(text, view, seen);
}

static void put_history(ufi_buffer *text, const ufi_history *history)
{
    put_number(text, "done", (int64_t)history->done);
    put_number(text, "failed", (int64_t)history->failed);
    put_number(text, "cancelled", (int64_t)history->cancelled);
    if (!history->step) return;
    ufi_buffer_print(text, ",\"last_failure\":{\"reason\":");
    ufi_buffer_string(text, history->reason);
    put_string(text, "task", history->task);
    put_string(text, "step", history->step);
    put_number(text, "line", history->line);
    put_seconds(text, "time", history->failed_at);
    ufi_buffer_print(text, "}");
}

static void put_counts(ufi_buffer *text, const uf_flow_counts *counts)
{
    ufi_buffer_print(text, ",\"counts\":{\"started\":%" PRId64, counts->started);
    put_number(text, "done", counts->done);
    put_number(text, "failed", counts->failed);
    put_number(text, "cancelled", counts->cancelled);
    put_number(text, "transitions", counts->transitions);
    put_number(text, "jobs", counts->jobs);
    put_seconds(text, "busy", counts->busy);
    put_seconds(text, "longest", counts->longest);
    ufi_buffer_print(text, "}");
}

static void put_pools(ufi_buffer *text, const ufi_seen *seen)
{
    ufi_buffer_print(text, ",\"pools\":[");
    for (unsigned i = 0; i < seen->pool_count; i++) {
        ufi_buffer_print(text, "%s{\"name\":", i ? "," : "");
        ufi_buffer_string(text, seen->pools[i].name);
        put_number(text, "busy", seen->pools[i].busy);
        put_number(text, "limit", seen->pools[i].most);
        put_number(text, "size", seen->pools[i].count);
        ufi_buffer_print(text, "}");
    }
    ufi_buffer_print(text, "]");
    if (seen->pools_left_out) put_number(text, "pools_cut", seen->pools_left_out);
}

static void put_flow(ufi_buffer *text, const ufi_view *view, const ufi_seen *seen)
{
    ufi_history const *const history = view->events ? ufi_events_of(view->events, seen->path) : NULL;
    uf_time const ended = history && !seen->view.running ? ufi_end_of(history) : -1;
    bool const fails = view->snapshot->is_recorded && seen->view.outcome == UF_FAILED && history;
    char const *const reason = fails ? history->reason : seen->view.reason;
    uf_flow_counts counts;

    ufi_buffer_print(text, "{\"path\":");
    ufi_buffer_string(text, seen->path);
    if (seen->parent_length) put_path(text, "parent", seen, seen->parent_length);
    put_string(text, "flow", seen->type->name);
    put_string(text, "source", seen->type->source);
    put_string(text, "outcome", uf_outcome_text(seen->view.outcome));
    if (*reason) put_string(text, "reason", reason);
    if (!view->snapshot->is_recorded) put_number(text, "runs", seen->view.run);
    if (seen->view.running) put_run(text, view, seen);
    else if (ended >= 0 && ended <= seen->now) put_seconds(text, "ended_at", ended);
    put_keeping(text, seen);
    if (history) put_history(text, history);
    if (view->counters && seen->row && uf_counters_flow(view->counters, seen->row, &counts)) put_counts(text, &counts);
    if (seen->pool_count) put_pools(text, seen);
    ufi_buffer_print(text, "}");
}

/* -- cycles and steps ---------------------------------------------------------------------------------------------- */

typedef struct cycle_writer {
    ufi_buffer *text;
    bool any;
} cycle_writer;

static void put_in_cycle(void *context, bool first, const ufi_seen *seen, const ufi_wait *wait)
{
    cycle_writer *const writer = context;

    if (first) ufi_buffer_print(writer->text, "%s[", writer->any ? "]," : "");
    else ufi_buffer_print(writer->text, ",");
    writer->any = true;
    ufi_buffer_print(writer->text, "{\"flow\":");
    ufi_buffer_string(writer->text, seen->path);
    put_string(writer->text, "task", seen->view.task);
    put_string(writer->text, "step", seen->view.step);
    put_number(writer->text, "line", seen->view.line);
    put_string(writer->text, "waits", wait->text);
    ufi_buffer_print(writer->text, "}");
}

static void put_cycles(ufi_buffer *text, const ufi_snapshot *snapshot)
{
    cycle_writer writer = {.text = text};

    ufi_buffer_print(text, ",\n\"cycles\":[");
    ufi_cycles(snapshot, put_in_cycle, &writer);
    ufi_buffer_print(text, writer.any ? "]]" : "]");
}

static void put_steps(ufi_buffer *text, const ufi_view *view)
{
    ufi_step_counts steps[STEPS];
    uint32_t const count = ufi_steps(view->snapshot, view->events, steps, STEPS);

    ufi_buffer_print(text, ",\n\"steps\":[");
    for (uint32_t i = 0; i < count; i++) {
        uf_step_info const *const info = &steps[i].type->steps[steps[i].step];
        ufi_buffer_print(text, "%s\n{\"flow\":", i ? "," : "");
        ufi_buffer_string(text, steps[i].type->name);
        put_string(text, "task", steps[i].type->tasks[info->task].name);
        put_string(text, "step", info->name);
        put_number(text, "line", info->line);
        put_number(text, "visits", (int64_t)steps[i].visits);
        put_number(text, "running", (int64_t)steps[i].running);
        put_number(text, "ticks", (int64_t)steps[i].ticks);
        put_seconds(text, "total", steps[i].total);
        put_seconds(text, "longest", steps[i].longest);
        ufi_buffer_print(text, "}");
    }
    ufi_buffer_print(text, "]");
}

static void put_flows(ufi_buffer *text, const ufi_view *view)
{
    if (view->snapshot->is_cut) put_bool(text, "is_cut", true);
    if (view->snapshot->is_recorded) put_bool(text, "is_recorded", true);
    ufi_buffer_print(text, ",\n\"flows\":[");
    for (uint32_t i = 0; i < view->snapshot->count; i++) {
        ufi_buffer_print(text, i ? ",\n" : "\n");
        put_flow(text, view, &view->snapshot->flows[i]);
    }
    ufi_buffer_print(text, "]");
    put_cycles(text, view->snapshot);
}

void ufi_document(const ufi_view *view, ufi_buffer *text)
{
    put_runtime(text, view);
    if (view->counters) put_counters(text, view->counters);
    if (ufi_is_taken(view->snapshot)) put_flows(text, view);
    if (view->events && ufi_events_since(view->events) >= 0)
        put_seconds(text, "events_since", ufi_events_since(view->events));
    if (view->events) put_number(text, "events_lost", (int64_t)ufi_events_lost(view->events));
    put_steps(text, view);
    ufi_buffer_print(text, "}\n");
}
