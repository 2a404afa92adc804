/* SPDX-License-Identifier: MIT */
/* text.c - one line per event. */
#include "sink.h"

#include <inttypes.h>
#include <string.h>

#include "uflow/generated/descriptors.h"
#include "uflow/job.h"
#include "uflow/stop.h"

#define LINE 1024

typedef struct text_sink {
    trace_sink sink;
    FILE *out;
    bool any;
    uint64_t last; /* the time of the last event */
} text_sink;

static const char *const edge_words[] = {"next", "stay", "await", "timeout", "else", "become", "done", "fail"};
static const char *const outcome_words[] = {"never ran", "running", "done", "failed", "cancelled", "became"};
static const char *const status_words[] = {"none", "pending", "done", "failed", "timed out", "rejected"};
static const char *const keeping_words[] = {"", "kept", "waits for a commit", "held", "suspended", "not kept"};
static const char *const phase_words[] = {"none", "ending", "shutting down", "jobs", "over"};

static const char *word_of(const char *const *words, size_t count, uint32_t index)
{
    return index < count ? words[index] : "?";
}
#define WORD(words, index) word_of(words, sizeof(words) / sizeof *(words), index)

static void print_step(FILE *out, const trace_object *flow, uint32_t step)
{
    char place[2 * TRACE_NAME + 16];
    uint32_t line;
    char const *const name = trace_step_name(flow, step, &line), *const task = trace_task_name(flow, step);

    if (line) snprintf(place, sizeof place, "%s.%s:%" PRIu32, task, name, line);
    else snprintf(place, sizeof place, "%s.%s", task, name);
    fprintf(out, "  %-24s", place);
}

/* The groups follow the tasks, and the last step is of the last task. */
static bool is_of_group(const trace_type *type, const trace_handler *handler)
{
    bool const has_name = type && handler->of < type->task_count && type->tasks[handler->of].name;
    return has_name && type->step_count > 0 && handler->of > type->steps[type->step_count - 1].task;
}

void trace_decided_text(FILE *out, trace_reader *reader, const trace_object *flow)
{
    char text[LINE];
    uint32_t const index = flow->decided.index;
    bool const known = flow->type && index < flow->type->handler_count;
    trace_handler const handler = known ? flow->type->handlers[index] : (trace_handler){0};

    if (!trace_is_handler(&flow->decided)) return;
    trace_arms_text(reader, flow, &flow->decided, 1, false, text, sizeof text);
    fprintf(out, "  (%s", text);
    if (is_of_group(flow->type, &handler)) fprintf(out, ", group %s", flow->type->tasks[handler.of].name);
    if (handler.line > 0) fprintf(out, ", line %" PRIu32, handler.line);
    fputc(')', out);
}

static void print_edge(FILE *out, trace_reader *reader, const trace_object *flow, uint32_t to)
{
    if (trace_is_handler(&flow->decided)) {
        trace_decided_text(out, reader, flow);
        return;
    }
    size_t const number = flow->type ? *trace_edge_at(flow->type, flow->step, to) : 0;
    if (number == 0 || number == SIZE_MAX) return;
    trace_edge const *const edge = &flow->type->edges[number - 1];
    fprintf(out, "  (%s, line %" PRIu32 ")", WORD(edge_words, edge->kind), edge->line);
}

static void print_duration(FILE *out, const char *before, uint64_t ns)
{
    char text[UF_DURATION_SIZE];
    fprintf(out, "%s%s", before, uf_duration_text(ns, text));
}

/* A moment, as at the beginning of each line. */
static void print_time(FILE *out, const char *before, uint64_t ns)
{
    fprintf(out, "%s%" PRIu64 ".%09us", before, ns / 1000000000, (unsigned)(ns % 1000000000));
}

static void print_description(FILE *out, const char *text)
{
    if (*text) fprintf(out, "  \"%s\"", text);
}

static void print_in_step(FILE *out, const trace_object *flow, uint64_t time)
{
    if (flow->step != TRACE_UNKNOWN) print_duration(out, "  after ", time - flow->entered);
}

static void print_changed(FILE *out, trace_reader *reader, const trace_object *flow, const trace_event *event)
{
    uint32_t const to = event->a & 0xffff, ticks = event->a >> 16;

    fprintf(out, "-> %s  #%02" PRIu32, trace_step_name(flow, to, NULL), event->b);
    if (ticks > 1) fprintf(out, "  x%" PRIu32, ticks);
    print_edge(out, reader, flow, to);
    print_in_step(out, flow, event->time);
    print_description(out, event->description);
}

static void print_ended(FILE *out, trace_reader *reader, const trace_object *flow, const trace_event *event)
{
    uint32_t const outcome = event->a >> 16;
    bool const failed = outcome == UF_FAILED && !flow->helper_failed;

    fprintf(out, "ended %s  #%02" PRIu32, WORD(outcome_words, outcome), event->b);
    uint32_t const kind = outcome == UF_DONE ? UF_EDGE_DONE : failed ? UF_EDGE_FAIL : UF_EDGE_NEXT;
    print_edge(out, reader, flow, trace_end_by(kind));
    print_in_step(out, flow, event->time);
    print_description(out, event->description);
    if (*event->reason) fprintf(out, "  reason: %s", event->reason);
}

/* A step, a wait or an end that was lost. */
static void print_still(FILE *out, trace_reader *reader, const trace_object *flow, const trace_event *event)
{
    char buffer[LINE];

    if (event->kind == UF_CELL_WAIT) {
        trace_arms_text(reader, flow, event->arms, event->arm_count, true, buffer, sizeof buffer);
        fprintf(out, "still waits  %s", buffer);
    } else if (event->kind == UF_CELL_ENDED) {
        fprintf(out, "has ended %s", WORD(outcome_words, event->a >> 16));
    } else {
        fputs("still in this step", out);
    }
    if (flow->paused) fputs("  paused", out);
    if (flow->keeping) fprintf(out, "  %s", trace_keeping_word(flow->keeping));
    if (event->since != event->time) print_time(out, "  since ", event->since);
    fputs(trace_clock(reader, "  (", event->since, ")", buffer, sizeof buffer), out);
}

/* A handler may decide without a wait. */
static void print_wait(FILE *out, trace_reader *reader, const trace_object *flow, const trace_event *event)
{
    bool const begins = event->kind == UF_CELL_WAIT;
    bool const decides = !begins && event->arm_count > 0 && trace_is_handler(&event->arms[0]);
    char text[LINE];

    trace_arms_text(reader, flow, event->arms, event->arm_count, begins, text, sizeof text);
    fprintf(out, "%s%s%s", decides ? "decided" : trace_event_word(event->kind), *text ? "  " : "", text);
    if (!begins && flow->waiting) print_duration(out, "  after ", event->time - flow->waiting_since);
}

static void print_pause(FILE *out, const trace_object *flow, const trace_event *event)
{
    bool const ends = event->kind == UF_CELL_RESUMED && flow->paused && flow->paused_since != TRACE_LOST;

    fputs(trace_event_word(event->kind), out);
    if (ends) print_duration(out, "  after ", event->time - flow->paused_since);
}

static void print_keeping(FILE *out, const trace_object *flow, const trace_event *event)
{
    bool const waited = flow->keeping == UF_KEEPING_WAITS && flow->keeping_since != TRACE_LOST;

    fputs(trace_keeping_word(event->a), out);
    if (event->a == UF_KEEPING_KEPT && waited) print_duration(out, "  after ", event->time - flow->keeping_since);
}

static void print_job(FILE *out, const trace_object *flow, const trace_event *event)
{
    uint32_t const job = event->a & 0xffff, status = event->a >> 16;

    fprintf(out, "%s %s", trace_event_word(event->kind), trace_job_name(flow, job));
    if (event->b != UINT32_MAX) fprintf(out, "[%" PRIu32 "]", event->b);
    if (event->kind == UF_CELL_JOB_ENDED) fprintf(out, "  %s", WORD(status_words, status));
    if (*event->reason) fprintf(out, "  reason: %s", event->reason);
}

void trace_event_text(FILE *out, trace_reader *reader, const trace_object *flow, const trace_event *event)
{
    char const *const name = trace_object_of(reader, event->a)->name;

    if (event->still) {
        print_still(out, reader, flow, event);
        return;
    }
    switch (event->kind) {
    case UF_CELL_ROUND: fprintf(out, "round %" PRIu64, (uint64_t)event->b << 32 | event->a); break;
    case UF_CELL_STARTED: fprintf(out, "started  run %" PRIu32, event->b); break;
    case UF_CELL_STEP: print_changed(out, reader, flow, event); break;
    case UF_CELL_WAIT:
    case UF_CELL_WOKEN: print_wait(out, reader, flow, event); break;
    case UF_CELL_FAILED: fputs("failed by a helper", out); break;
    case UF_CELL_PAUSED:
    case UF_CELL_RESUMED: print_pause(out, flow, event); break;
    case UF_CELL_RESTORED:
        fprintf(out, "restored  run %" PRIu32 ", %" PRIu32 " times in this step", event->b, event->a);
        break;
    case UF_CELL_KEEPING: print_keeping(out, flow, event); break;
    case UF_CELL_ENDED: print_ended(out, reader, flow, event); break;
    case UF_CELL_JOB_SUBMITTED:
    case UF_CELL_JOB_ENDED:
    case UF_CELL_JOB_ABANDONED:
    case UF_CELL_JOB_REJECTED:
    case UF_CELL_JOB_SLOW: print_job(out, flow, event); break;
    case UF_CELL_SIGNAL: fprintf(out, "signal %s  released %" PRIu32, name, event->b); break;
    case UF_CELL_STARTS: fprintf(out, "starts %s  run %" PRIu32, name, event->b); break;
    case UF_CELL_SENDS:
        if (event->b == 0) fprintf(out, "fires %s", name);
        else fprintf(out, "sends to %s of %s", name, trace_object_of(reader, event->b)->name);
        break;
    case UF_CELL_ARMS: fprintf(out, "arms %s", name); break;
    case UF_CELL_RESUMES: fprintf(out, "resumes %s", name); break;
    case UF_CELL_HELD: fprintf(out, "held at %s", name); break;
    case UF_CELL_POST: fprintf(out, "post of %s, line %" PRIu32, name, event->b); break;
    case UF_CELL_POST_BEGAN: fprintf(out, "post of %s, line %" PRIu32 ", begins", name, event->b); break;
    case UF_CELL_STOPPING: fprintf(out, "stopping: %s", WORD(phase_words, event->a)); break;
    case UF_CELL_NOTE: fprintf(out, "note: %s", event->description); break;
    case UF_CELL_SLOW_STEP: print_duration(out, "slow step: ", event->b * UINT64_C(1000)); break;
    case UF_CELL_SLOW_ROUND:
        print_duration(out, "slow round: ", event->b * UINT64_C(1000));
        fprintf(out, ", %" PRIu32 " turns", event->a);
        break;
    case UF_CELL_TIME:
    case UF_CELL_DESCRIPTION:
    case UF_CELL_REASON:
    case UF_CELL_KIND_COUNT: break;
    }
}

static void print_event(trace_sink *base, trace_reader *reader, const trace_event *event)
{
    text_sink *const sink = (text_sink *)base;
    FILE *const out = sink->out;
    trace_object const *const flow = trace_object_of(reader, event->object);

    sink->any = true;
    sink->last = event->time;
    fprintf(out, "%6" PRIu64 ".%09u  ", event->time / 1000000000, (unsigned)(event->time % 1000000000));
    if (flow->kind == UF_DEFINE_FLOW || event->object) {
        fprintf(out, "%-20s", flow->name);
        bool const is_in = event->kind == UF_CELL_STARTED || event->kind == UF_CELL_ENDED ||
                           (event->still && event->kind == UF_CELL_STEP);
        print_step(out, flow, is_in ? event->a & 0xffff : flow->step);
    } else {
        fprintf(out, "%-20s  %-24s", "-", "");
    }
    fputs("  ", out);
    trace_event_text(out, reader, flow, event);
    fputc('\n', out);
}

/* Where the trace ends, which may be long after the last event. */
static void end(trace_sink *base, trace_reader *reader, uint64_t time)
{
    text_sink const *const sink = (const text_sink *)base;
    char clock[LINE];

    if (trace_end_time(reader) == 0 || trace_end_time(reader) != time) return;
    fprintf(sink->out, "%6" PRIu64 ".%09u  %-20s  %-24s  the trace ends", time / 1000000000,
            (unsigned)(time % 1000000000), "-", "");
    if (sink->any) print_duration(sink->out, "  after ", time - sink->last);
    fprintf(sink->out, "%s\n", trace_clock(reader, "  (", time, ")", clock, sizeof clock));
}

trace_sink *trace_text(FILE *out)
{
    static text_sink text = {.sink = {.event = print_event, .end = end}};
    text.out = out;
    return &text.sink;
}

/* -- shared with other outputs ------------------------------------------------------------------------------------- */

const char *trace_event_word(uf_cell_kind kind)
{
    static const char *const words[] = {
#define EVENT_WORD(name, number, text) [number] = text,
        UF_TRACE_EVENTS(EVENT_WORD)
#undef EVENT_WORD
    };
    return kind < sizeof words / sizeof *words && words[kind] ? words[kind] : "?";
}

const char *trace_keeping_word(uint32_t keeping)
{
    return WORD(keeping_words, keeping);
}
