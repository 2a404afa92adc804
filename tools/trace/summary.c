/* SPDX-License-Identifier: MIT */
/* summary.c - flows that still wait, the time in each step, the longest waits, and failures by place. */
#include "sink.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"

#define WAITS 10
#define STEPS 40
#define LINE  512
#define WIDTH 12 /* of a duration */

typedef struct long_wait {
    uint64_t took, from;
    uint32_t flow, step;
    char text[LINE];
} long_wait;

/* Visits of a step of a type. */
typedef struct place {
    const trace_type *type;
    uint32_t step;
    uint64_t visits, total, longest, failures;
    char *reason; /* of the last failure */
} place;

typedef struct summary_sink {
    trace_sink sink;
    FILE *out;
    uint64_t events, from, last;
    uint64_t runs, done, failed, cancelled;
    uint64_t unnamed, unnamed_runs; /* events of flows without a name */
    long_wait waits[WAITS];         /* that have ended, the longest first */
    unsigned wait_count;
    place *places;
    size_t place_count, place_room;
    tool_table numbers; /* of the places, from 1 on */
} summary_sink;

/* -- counting ------------------------------------------------------------------------------------------------------ */

static uint64_t number_of(const trace_type *type, uint32_t step)
{
    return (uint64_t)type->number << 32 | step;
}

static place *place_of(summary_sink *sink, const trace_type *type, uint32_t step)
{
    size_t *const number = tool_table_at(&sink->numbers, number_of(type, step));

    if (*number) return &sink->places[*number - 1];
    if (sink->place_count == sink->place_room) {
        sink->place_room = sink->place_room * 2 + 16;
        sink->places = tool_resize(sink->places, sink->place_room, sizeof *sink->places);
    }
    sink->places[sink->place_count++] = (place){.type = type, .step = step};
    *number = sink->place_count;
    return &sink->places[sink->place_count - 1];
}

static void count_visit(summary_sink *sink, const trace_object *flow, uint64_t time)
{
    if (!flow->type || flow->step == TRACE_UNKNOWN) return;
    place *const visited = place_of(sink, flow->type, flow->step);
    uint64_t const took = time - flow->entered;

    visited->visits++;
    visited->total += took;
    if (took > visited->longest) visited->longest = took;
}

static void count_wait(summary_sink *sink, trace_reader *reader, uint32_t number, uint64_t time)
{
    trace_object const *const flow = trace_object_of(reader, number);
    if (!flow->waiting) return;
    uint64_t const took = time - flow->waiting_since;
    unsigned at = sink->wait_count;

    while (at > 0 && sink->waits[at - 1].took < took) at--;
    if (at == WAITS) return;
    if (sink->wait_count < WAITS) sink->wait_count++;
    memmove(&sink->waits[at + 1], &sink->waits[at], (sink->wait_count - 1 - at) * sizeof *sink->waits);
    long_wait *const wait = &sink->waits[at];
    *wait = (long_wait){.took = took, .from = flow->waiting_since, .flow = number, .step = flow->step};
    trace_arms_text(reader, flow, flow->arms, flow->arm_count, true, wait->text, sizeof wait->text);
}

/* Adds the handler that has decided, if there is one. */
static char *reason_text(trace_reader *reader, const trace_object *flow, const char *reason)
{
    char *text = NULL;
    size_t size = 0;
    FILE *const to = open_memstream(&text, &size);

    if (!to) tool_die("out of memory");
    fputs(reason, to);
    trace_decided_text(to, reader, flow);
    if (fclose(to) != 0) tool_die("out of memory");
    return text;
}

static void count_end(summary_sink *sink, trace_reader *reader, const trace_object *flow, const trace_event *event)
{
    uint32_t const outcome = event->a >> 16;

    sink->done += outcome == UF_DONE;
    sink->failed += outcome == UF_FAILED;
    sink->cancelled += outcome == UF_CANCELLED;
    if (outcome != UF_FAILED || !flow->type) return;
    place *const of = place_of(sink, flow->type, event->a & 0xffff);
    of->failures++;
    free(of->reason);
    of->reason = reason_text(reader, flow, event->reason);
}

static bool is_of_flow(uf_cell_kind kind)
{
    return kind != UF_CELL_ROUND && kind != UF_CELL_SIGNAL && kind != UF_CELL_POST && kind != UF_CELL_POST_BEGAN &&
           kind != UF_CELL_STOPPING && kind != UF_CELL_SLOW_ROUND && kind != UF_CELL_NOTE;
}

static void count(trace_sink *base, trace_reader *reader, const trace_event *event)
{
    summary_sink *const sink = (summary_sink *)base;
    trace_object const *const flow = trace_object_of(reader, event->object);

    if (event->still) return;
    if (sink->events++ == 0) sink->from = event->time;
    if (event->object == 0 && is_of_flow(event->kind)) {
        sink->unnamed++;
        sink->unnamed_runs += event->kind == UF_CELL_STARTED;
    }
    sink->last = event->time;
    sink->runs += event->kind == UF_CELL_STARTED;
    if (event->kind == UF_CELL_STEP || event->kind == UF_CELL_ENDED) count_visit(sink, flow, event->time);
    if (event->kind == UF_CELL_STEP || event->kind == UF_CELL_ENDED || event->kind == UF_CELL_WOKEN)
        count_wait(sink, reader, event->object, event->time);
    if (event->kind == UF_CELL_ENDED) count_end(sink, reader, flow, event);
}

/* -- printing ------------------------------------------------------------------------------------------------------ */

static void print_duration(FILE *out, int width, uint64_t ns)
{
    char text[UF_DURATION_SIZE];
    fprintf(out, "%*s", width, uf_duration_text(ns, text));
}

static const char *place_text(const place *of, char *buffer, size_t size)
{
    trace_object const flow = {.type = (trace_type *)(uintptr_t)of->type};
    uint32_t line;
    char const *const step = trace_step_name(&flow, of->step, &line), *const task = trace_task_name(&flow, of->step);

    if (line) return tool_format(buffer, size, "%s.%s.%s:%" PRIu32, of->type->name, task, step, line);
    return tool_format(buffer, size, "%s.%s.step %" PRIu32, of->type->name, task, of->step);
}

static int by_number(const place *a, const place *b)
{
    uint64_t const left = number_of(a->type, a->step), right = number_of(b->type, b->step);
    return (left > right) - (left < right);
}

static int by_total(const void *left, const void *right)
{
    place const *const a = left, *const b = right;
    return a->total != b->total ? (a->total < b->total) - (a->total > b->total) : by_number(a, b);
}

static int by_failures(const void *left, const void *right)
{
    place const *const a = left, *const b = right;
    return a->failures != b->failures ? (a->failures < b->failures) - (a->failures > b->failures) : by_number(a, b);
}

static void print_steps(FILE *out, place *places, size_t count)
{
    char text[LINE];
    size_t printed = 0;

    fprintf(out, "\n%-44s %9s %*s %*s %*s\n", "time in each step", "visits", WIDTH, "total", WIDTH, "mean", WIDTH,
            "longest");
    if (count) qsort(places, count, sizeof *places, by_total);
    for (size_t i = 0; i < count && printed < STEPS; i++) {
        place const *const step = &places[i];
        if (step->visits == 0) continue;
        fprintf(out, "  %-42s %9" PRIu64, place_text(step, text, sizeof text), step->visits);
        print_duration(out, WIDTH + 1, step->total);
        print_duration(out, WIDTH + 1, step->total / step->visits);
        print_duration(out, WIDTH + 1, step->longest);
        fputc('\n', out);
        printed++;
    }
}

static void print_place(const summary_sink *sink, trace_reader *reader, uint32_t number, uint32_t step, uint64_t took,
                        const char *word, uint64_t from, const char *text)
{
    trace_object const *const flow = trace_object_of(reader, number);
    char clock[LINE];

    fputs("  ", sink->out);
    print_duration(sink->out, WIDTH, took);
    fprintf(sink->out, "  %s %" PRIu64 ".%03u%s  %s  %s.%s%s%s\n", word, from / 1000000000,
            (unsigned)(from / 1000000 % 1000), trace_clock(reader, " (", from, ")", clock, sizeof clock), flow->name,
            trace_task_name(flow, step), trace_step_name(flow, step, NULL), *text ? "  " : "", text);
}

static void print_waits(const summary_sink *sink, trace_reader *reader)
{
    fprintf(sink->out, "\nlongest waits that have ended\n");
    for (unsigned i = 0; i < sink->wait_count; i++) {
        long_wait const *const wait = &sink->waits[i];
        print_place(sink, reader, wait->flow, wait->step, wait->took, "from", wait->from, wait->text);
    }
}

/* Flows that do the same since a time, for sorting. */
typedef struct standing {
    uint32_t flow, step;
    uint64_t since;
} standing;

static int by_since(const void *left, const void *right)
{
    standing const *const a = left, *const b = right;
    if (a->since != b->since) return a->since < b->since ? -1 : 1;
    return (a->flow > b->flow) - (a->flow < b->flow);
}

/* A list of flows. `is_in` sets the step and since when, if the flow is in the list; `text` the rest of the line. */
typedef struct list {
    const char *title, *word;
    bool even_if_empty;
    bool (*is_in)(const trace_object *flow, standing *at);
    void (*text)(trace_reader *reader, const trace_object *flow, uint64_t time, char *buffer, size_t size);
} list;

/* The step has not begun, or its run is about to end. */
static bool is_parked(const trace_object *flow)
{
    return flow->keeping == UF_KEEPING_WAITS || flow->keeping == UF_KEEPING_HELD;
}

static bool still_runs(const trace_object *flow, standing *at)
{
    at->step = flow->step;
    at->since = flow->entered;
    return flow->running && !flow->paused && !flow->waiting && flow->step != TRACE_UNKNOWN && !is_parked(flow);
}

static bool still_waits(const trace_object *flow, standing *at)
{
    at->step = flow->step;
    at->since = flow->waiting_since;
    return flow->waiting && !flow->paused && !is_parked(flow);
}

/* If the trace has lost the pause, it is longer than what is printed. */
static bool still_stands(const trace_object *flow, standing *at)
{
    bool const is_known = flow->paused_since != TRACE_LOST;
    at->step = flow->step;
    at->since = is_known ? flow->paused_since : flow->waiting ? flow->waiting_since : flow->entered;
    return flow->paused;
}

/* In its step since then, if the trace has lost since when it is so. */
static bool is_so(const trace_object *flow, standing *at, uf_keeping keeping)
{
    at->step = flow->step;
    at->since = flow->keeping_since != TRACE_LOST ? flow->keeping_since : flow->entered;
    return flow->running && flow->keeping == keeping && flow->step != TRACE_UNKNOWN;
}

static bool is_held(const trace_object *flow, standing *at)
{
    return is_so(flow, at, UF_KEEPING_HELD);
}

static bool waits_for_commit(const trace_object *flow, standing *at)
{
    return is_so(flow, at, UF_KEEPING_WAITS);
}

static bool failed_before(const trace_object *flow, standing *at)
{
    at->step = flow->ended_in;
    at->since = flow->ended;
    return !flow->running && flow->outcome == UF_FAILED && flow->end_is_lost;
}

static const list lists[] = {
    {"in a step: it has not returned, or its turn comes next", "from", false, still_runs, NULL},
    {"still waits", "from", true, still_waits, trace_waits_text},
    {"paused", "from", false, still_stands, trace_waits_text},
    {"restored, and held: it waits for uf_store_release()", "from", false, is_held, NULL},
    {"waits for a commit of the store", "from", false, waits_for_commit, NULL},
    {"failed before the first event, for a reason that is not known", "ago, at", false, failed_before, NULL},
};

/* Prints all of them: flows that the filter hides count as hidden. */
static void print_list(const summary_sink *sink, trace_reader *reader, uint64_t time, const list *of)
{
    standing *found = NULL;
    size_t count = 0;

    for (uint32_t i = 1; i <= trace_object_count(reader); i++) {
        trace_object const *const flow = trace_object_of(reader, i);
        standing at = {.flow = i};
        if (flow->kind != UF_DEFINE_FLOW || flow->matched < 0 || !of->is_in(flow, &at) || at.since > time) continue;
        found = tool_grow(found, count, sizeof *found);
        found[count++] = at;
    }
    if (count > 0 || of->even_if_empty) fprintf(sink->out, "\n%s (%zu)\n", of->title, count);
    if (count > 1) qsort(found, count, sizeof *found, by_since);
    for (size_t i = 0; i < count; i++) {
        char text[LINE] = "";
        if (of->text) of->text(reader, trace_object_of(reader, found[i].flow), time, text, sizeof text);
        print_place(sink, reader, found[i].flow, found[i].step, time - found[i].since, of->word, found[i].since, text);
    }
    free(found);
}

static void print_failures(FILE *out, place *places, size_t count)
{
    char text[LINE];

    fprintf(out, "\nfailures by place, since the first event\n");
    if (count) qsort(places, count, sizeof *places, by_failures);
    if (count == 0 || places[0].failures == 0) fputs("  none\n", out);
    for (size_t i = 0; i < count && places[i].failures > 0; i++)
        fprintf(out, "  %9" PRIu64 "  %-42s  last: %s\n", places[i].failures, place_text(&places[i], text, sizeof text),
                places[i].reason);
}

static void print_summary(trace_sink *base, trace_reader *reader, uint64_t time)
{
    summary_sink *const sink = (summary_sink *)base;
    uint32_t flows = 0;
    char span[UF_DURATION_SIZE];

    for (uint32_t i = 1; i <= trace_object_count(reader); i++)
        flows += trace_object_of(reader, i)->kind == UF_DEFINE_FLOW;
    fprintf(sink->out,
            "%" PRIu64 " events of %" PRIu32 " flows in %s; %" PRIu64 " runs began; %" PRIu64 " done, %" PRIu64
            " failed, %" PRIu64 " cancelled\n",
            sink->events, flows, uf_duration_text(sink->events ? sink->last - sink->from : 0, span), sink->runs,
            sink->done, sink->failed, sink->cancelled);
    if (trace_end_time(reader) == 0)
        fputs("durations end at the last event: the trace does not tell how long after it it was written\n", sink->out);
    if (sink->unnamed)
        fprintf(sink->out,
                "%" PRIu64 " of these events, with %" PRIu64 " runs, are of flows without a name, which are not "
                "counted: give the recorder more `objects`\n",
                sink->unnamed, sink->unnamed_runs);
    trace_print_cycles(sink->out, reader, time);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) print_list(sink, reader, time, &lists[i]);
    print_steps(sink->out, sink->places, sink->place_count);
    print_waits(sink, reader);
    print_failures(sink->out, sink->places, sink->place_count);
    for (size_t i = 0; i < sink->place_count; i++) free(sink->places[i].reason);
    free(sink->places);
    tool_table_free(&sink->numbers);
    sink->places = NULL;
    sink->place_count = sink->place_room = 0;
}

trace_sink *trace_summary(FILE *out)
{
    static summary_sink summary = {.sink = {.event = count, .end = print_summary}};
    summary.out = out;
    return &summary.sink;
}
