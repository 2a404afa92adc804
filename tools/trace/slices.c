/* SPDX-License-Identifier: MIT */
/* slices.c - events to slices; see slices.h.
 *
 * A flow's track has four levels: the task, in it the step, in it the wait, in it pauses. All end with the trace.
 * Arrows lead from a wait for a run to its start, and from its end to the wake-up; from the submit of a job to its end;
 * from a step to the flow that it starts, and to the signal, checkpoint or mailbox that it uses; from a signal or
 * checkpoint to each flow that it wakes; and from the stop at a checkpoint to a flow that waits for that stop. */
#include "slices.h"

#include <stdlib.h>
#include <string.h>

#include "table.h"

#define LINE        1024
#define ARROWS_MOST 64 /* from one signal */

/* trace_object.sink of a flow, and of the name of a signal or checkpoint. */
typedef struct flow_slices {
    bool has_track, task_open, step_open, wait_open, pause_open, keeping_open;
    uint64_t start, end;  /* arrows to the start, and from the last end; 0: none */
    uint64_t arrow, left; /* of a signal: the fires that no flow has taken */
    uint64_t sent;        /* of a signal, or of a flow with a mailbox: the arrow from the step that has sent; 0: none */
    uint64_t stop;        /* of a checkpoint: the arrow from the last flow that stopped there; 0: none, or taken */
    tool_table jobs;      /* arrows by jobs and elements */
    uint32_t below;       /* while tracks are made: the flow whose track comes next */
} flow_slices;

typedef struct slices_sink {
    trace_sink sink;
    FILE *out;
    const slice_writer *writer;
    bool began, has_signals, has_runtime;
    uint64_t last_arrow;
} slices_sink;

static flow_slices *slices_of(trace_object *object)
{
    if (object->sink) return object->sink;
    object->sink = tool_resize(NULL, 1, sizeof(flow_slices));
    *(flow_slices *)object->sink = (flow_slices){.start = 0};
    return object->sink;
}

/* -- tracks -------------------------------------------------------------------------------------------------------- */

static const char *last_part(const char *path)
{
    char const *const dot = strrchr(path, '.');
    return dot ? dot + 1 : path;
}

/* From the outermost flow on that has none. A parent has a lower number, so this ends. */
static void need_track(slices_sink *sink, trace_reader *reader, uint32_t number)
{
    uint32_t below = 0;

    for (uint32_t at = number; at && !slices_of(trace_object_of(reader, at))->has_track;) {
        trace_object *const flow = trace_object_of(reader, at);
        slices_of(flow)->below = below;
        below = at;
        at = flow->parent;
    }
    while (below) {
        trace_object *const flow = trace_object_of(reader, below);
        sink->writer->track(sink->out, below, flow->parent, flow->parent ? last_part(flow->name) : flow->name);
        slices_of(flow)->has_track = true;
        below = slices_of(flow)->below;
    }
}

static void need_shared_track(slices_sink *sink, bool *there, uint32_t track, const char *name)
{
    if (!*there) sink->writer->track(sink->out, track, 0, name);
    *there = true;
}

/* -- marks --------------------------------------------------------------------------------------------------------- */

static void put(const slices_sink *sink, const slice_mark *mark)
{
    sink->writer->mark(sink->out, mark);
}

static void close_slice(slices_sink *sink, const trace_event *event, bool *open, const char *key, const char *detail)
{
    if (!*open) return;
    *open = false;
    put(sink, &(slice_mark){.kind = SLICE_END,
                            .time = event->time,
                            .track = event->object,
                            .key = detail && *detail ? key : NULL,
                            .detail = detail});
}

static void close_wait(slices_sink *sink, flow_slices *slices, const trace_event *event)
{
    close_slice(sink, event, &slices->keeping_open, NULL, NULL);
    close_slice(sink, event, &slices->pause_open, NULL, NULL);
    close_slice(sink, event, &slices->wait_open, NULL, NULL);
}

static void close_all(slices_sink *sink, flow_slices *slices, const trace_event *event)
{
    close_wait(sink, slices, event);
    close_slice(sink, event, &slices->step_open, NULL, NULL);
    close_slice(sink, event, &slices->task_open, NULL, NULL);
}

static void open_task(slices_sink *sink, const trace_object *flow, const trace_event *event, uint32_t step, uint64_t in)
{
    flow_slices *const slices = flow->sink;
    trace_type *const type = flow->type;
    trace_step const *const info = type && step < type->step_count ? &type->steps[step] : NULL;
    bool const known = info && info->task < type->task_count;

    slices->task_open = true;
    put(sink, &(slice_mark){.kind = SLICE_BEGIN,
                            .time = event->time,
                            .track = event->object,
                            .name = trace_task_name(flow, step),
                            .name_number = known ? &type->tasks[info->task].number : NULL,
                            .in = in});
}

static void open_step(slices_sink *sink, const trace_object *flow, const trace_event *event, uint32_t step)
{
    flow_slices *const slices = flow->sink;

    slices->step_open = true;
    put(sink, &(slice_mark){.kind = SLICE_BEGIN,
                            .time = event->time,
                            .track = event->object,
                            .name = trace_step_name(flow, step, NULL),
                            .name_number =
                                flow->type && step < flow->type->step_count ? &flow->type->steps[step].number : NULL});
}

static void put_instant(const slices_sink *sink, const trace_event *event, uint32_t track, const char *name,
                        const char *key, const char *detail, uint64_t out, uint64_t in)
{
    put(sink, &(slice_mark){.kind = SLICE_INSTANT,
                            .time = event->time,
                            .track = track,
                            .name = name,
                            .key = detail && *detail ? key : NULL,
                            .detail = detail,
                            .out = out,
                            .out_count = out > 0,
                            .in = in});
}

/* -- events -------------------------------------------------------------------------------------------------------- */

/* An open slice belongs to a run whose end is lost. */
static void start(slices_sink *sink, trace_object *flow, const trace_event *event)
{
    flow_slices *const slices = flow->sink;

    close_all(sink, slices, event);
    open_task(sink, flow, event, event->a & 0xffff, slices->start);
    open_step(sink, flow, event, event->a & 0xffff);
    slices->start = 0;
}

static bool is_other_task(const trace_object *flow, uint32_t from, uint32_t to)
{
    return from != TRACE_UNKNOWN && strcmp(trace_task_name(flow, from), trace_task_name(flow, to)) != 0;
}

static void change_step(slices_sink *sink, trace_object *flow, const trace_event *event)
{
    flow_slices *const slices = flow->sink;
    uint32_t const to = event->a & 0xffff;

    close_wait(sink, slices, event);
    close_slice(sink, event, &slices->step_open, "description", event->description);
    if (is_other_task(flow, flow->step, to)) close_slice(sink, event, &slices->task_open, NULL, NULL);
    if (!slices->task_open) open_task(sink, flow, event, to, 0);
    open_step(sink, flow, event, to);
}

static void end_run(slices_sink *sink, trace_object *flow, const trace_event *event)
{
    static const char *const outcomes[] = {"?", "?", "done", "failed", "cancelled", "became"};
    flow_slices *const slices = flow->sink;
    uint32_t const outcome = event->a >> 16;

    close_wait(sink, slices, event);
    slices->end = ++sink->last_arrow;
    put_instant(sink, event, event->object, outcome < 6 ? outcomes[outcome] : "?", "reason", event->reason, slices->end,
                0);
    close_slice(sink, event, &slices->step_open, "description", event->description);
    close_slice(sink, event, &slices->task_open, NULL, NULL);
}

static void begin_wait(slices_sink *sink, trace_reader *reader, trace_object *flow, const trace_event *event)
{
    flow_slices *const slices = flow->sink;
    char name[LINE], detail[LINE];
    uint64_t first = 0, count = 0;

    close_wait(sink, slices, event);
    for (unsigned i = 0; i < event->arm_count; i++) {
        trace_object *const child = trace_object_of(reader, (uint32_t)event->arms[i].operand);
        if (event->still || event->arms[i].kind != UF_ARM_RUN || child->kind != UF_DEFINE_FLOW || child->running)
            continue;
        slices_of(child)->start = ++sink->last_arrow;
        if (count++ == 0) first = sink->last_arrow;
    }
    trace_arms_text(reader, flow, event->arms, event->arm_count, false, name, sizeof name);
    trace_arms_text(reader, flow, event->arms, event->arm_count, true, detail, sizeof detail);
    slices->wait_open = true;
    put(sink, &(slice_mark){.kind = SLICE_BEGIN,
                            .time = event->time,
                            .track = event->object,
                            .name = name,
                            .key = "for",
                            .detail = detail,
                            .out = first,
                            .out_count = count});
}

static void begin_named(slices_sink *sink, const trace_event *event, bool *open, const char *name)
{
    close_slice(sink, event, open, NULL, NULL);
    *open = true;
    put(sink, &(slice_mark){.kind = SLICE_BEGIN, .time = event->time, .track = event->object, .name = name});
}

static void begin_pause(slices_sink *sink, trace_object *flow, const trace_event *event)
{
    begin_named(sink, event, &((flow_slices *)flow->sink)->pause_open, trace_event_word(event->kind));
}

/* A wait for a commit or for the release lasts until the next event of this kind. */
static void change_keeping(slices_sink *sink, trace_object *flow, const trace_event *event)
{
    bool *const open = &((flow_slices *)flow->sink)->keeping_open;

    close_slice(sink, event, open, NULL, NULL);
    if (event->a == UF_KEEPING_WAITS || event->a == UF_KEEPING_HELD)
        begin_named(sink, event, open, trace_keeping_word(event->a));
    else if (event->a != UF_KEEPING_KEPT)
        put_instant(sink, event, event->object, trace_keeping_word(event->a), NULL, NULL, 0, 0);
}

static uint64_t take(uint64_t *arrow)
{
    uint64_t const taken = *arrow;
    *arrow = 0;
    return taken;
}

/* The arrow that explains the wake-up; 0: there is none. `sent` is the one to a mailbox of the flow. */
static uint64_t arrow_to_wake_up(trace_reader *reader, const trace_arm *arm, uint64_t sent)
{
    if (arm->kind == UF_ARM_MAILBOX) return sent;
    trace_object *const object = trace_object_of(reader, (uint32_t)arm->operand);
    if (object->kind != UF_DEFINE_FLOW && object->kind != UF_DEFINE_NAME) return 0;
    flow_slices *const from = slices_of(object);

    if (arm->kind == UF_ARM_RUN || arm->kind == UF_ARM_COMPANION) return take(&from->end);
    if (arm->kind == UF_ARM_ARRIVED) return take(&from->stop);
    if (arm->kind != UF_ARM_SIGNAL && arm->kind != UF_ARM_CHECKPOINT && arm->kind != UF_ARM_PREEMPT) return 0;
    if (from->left == 0) return 0;
    from->left--;
    return from->arrow++;
}

static void end_wait(slices_sink *sink, trace_reader *reader, trace_object *flow, const trace_event *event)
{
    flow_slices *const slices = flow->sink;
    bool const known = event->arm_count > 0 && event->arms[0].kind != UF_ARM_CELL_UNKNOWN;
    char name[LINE];
    char const *const word = known && trace_is_handler(&event->arms[0]) ? "decided: " : known ? "woken: " : "woken";
    size_t const length = (size_t)snprintf(name, sizeof name, "%s", word);
    uint64_t const sent = take(&slices->sent); /* it does not last beyond this wait */

    close_wait(sink, slices, event);
    trace_arms_text(reader, flow, event->arms, event->arm_count, false, name + length, sizeof name - length);
    put_instant(sink, event, event->object, name, NULL, NULL, 0,
                event->arm_count ? arrow_to_wake_up(reader, &event->arms[0], sent) : 0);
}

static void put_job(slices_sink *sink, trace_object *flow, const trace_event *event)
{
    flow_slices *const slices = flow->sink;
    size_t *const arrow = tool_table_at(&slices->jobs, (uint64_t)(event->a & 0xffff) << 32 | event->b);
    bool const begins = event->kind == UF_CELL_JOB_SUBMITTED;
    char name[LINE];

    tool_format(name, sizeof name, "%s %s", trace_event_word(event->kind), trace_job_name(flow, event->a & 0xffff));
    if (begins) *arrow = (size_t)++sink->last_arrow;
    put_instant(sink, event, event->object, name, "reason", event->reason, begins ? *arrow : 0, begins ? 0 : *arrow);
    if (!begins && event->kind != UF_CELL_JOB_SLOW) *arrow = 0;
}

static void put_signal(slices_sink *sink, trace_reader *reader, const trace_event *event)
{
    trace_object *const name = trace_object_of(reader, event->a);
    uint64_t const count = event->b < ARROWS_MOST ? event->b : ARROWS_MOST, first = sink->last_arrow + 1;

    need_shared_track(sink, &sink->has_signals, SLICE_SIGNALS, "signals");
    put(sink, &(slice_mark){.kind = SLICE_INSTANT,
                            .time = event->time,
                            .track = SLICE_SIGNALS,
                            .name = name->name,
                            .out = first,
                            .out_count = count,
                            .in = name->kind == UF_DEFINE_NAME ? take(&slices_of(name)->sent) : 0});
    sink->last_arrow += count;
    if (name->kind != UF_DEFINE_NAME) return;
    slices_of(name)->arrow = first;
    slices_of(name)->left = count;
}

/* A pending arrow remains until an event takes it; then this event gets none. */
static uint64_t new_arrow(slices_sink *sink, uint64_t *place)
{
    if (*place) return 0;
    *place = ++sink->last_arrow;
    return *place;
}

static void put_starts(slices_sink *sink, trace_reader *reader, const trace_event *event)
{
    trace_object *const child = trace_object_of(reader, event->a);
    char name[LINE];
    uint64_t const arrow = child->kind == UF_DEFINE_FLOW ? new_arrow(sink, &slices_of(child)->start) : 0;

    tool_format(name, sizeof name, "starts %s", child->name);
    put_instant(sink, event, event->object, name, NULL, NULL, arrow, 0);
}

static void put_sends(slices_sink *sink, trace_reader *reader, const trace_event *event)
{
    trace_object *const to = trace_object_of(reader, event->b ? event->b : event->a);
    bool const known = to->kind == (event->b ? UF_DEFINE_FLOW : UF_DEFINE_NAME);
    char name[LINE];

    tool_format(name, sizeof name, "%s %s", event->b ? "sends to" : "fires", trace_object_of(reader, event->a)->name);
    put_instant(sink, event, event->object, name, "of", event->b ? to->name : NULL,
                known ? new_arrow(sink, &slices_of(to)->sent) : 0, 0);
}

/* Its wake-ups are those of a signal. */
static void put_resumes(slices_sink *sink, trace_reader *reader, const trace_event *event)
{
    trace_object *const checkpoint = trace_object_of(reader, event->a);
    bool const known = checkpoint->kind == UF_DEFINE_NAME;
    char name[LINE];

    tool_format(name, sizeof name, "resumes %s", checkpoint->name);
    put_instant(sink, event, event->object, name, NULL, NULL, known ? new_arrow(sink, &slices_of(checkpoint)->sent) : 0,
                0);
}

static void put_arms(slices_sink *sink, trace_reader *reader, const trace_event *event)
{
    char name[LINE];

    tool_format(name, sizeof name, "arms %s", trace_object_of(reader, event->a)->name);
    put_instant(sink, event, event->object, name, NULL, NULL, 0, 0);
}

static void put_of_runtime(slices_sink *sink, trace_reader *reader, const trace_event *event)
{
    bool const is_post = event->kind == UF_CELL_POST || event->kind == UF_CELL_POST_BEGAN;
    char const *const caller = is_post ? trace_object_of(reader, event->a)->name : NULL;

    need_shared_track(sink, &sink->has_runtime, SLICE_RUNTIME, "runtime");
    put_instant(sink, event, SLICE_RUNTIME, trace_event_word(event->kind), "by", caller, 0, 0);
}

static void put_note(slices_sink *sink, const trace_event *event)
{
    need_shared_track(sink, &sink->has_runtime, SLICE_RUNTIME, "runtime");
    put_instant(sink, event, SLICE_RUNTIME, *event->description ? event->description : "note", NULL, NULL, 0, 0);
}

static void put_held(slices_sink *sink, trace_reader *reader, const trace_event *event)
{
    trace_object *const checkpoint = trace_object_of(reader, event->a);
    uint64_t const arrow = checkpoint->kind == UF_DEFINE_NAME ? ++sink->last_arrow : 0;

    if (arrow) slices_of(checkpoint)->stop = arrow;
    put_instant(sink, event, event->object, trace_event_word(event->kind), "at", checkpoint->name, arrow, 0);
}

/* The flow was in its step before the first event that is shown. */
static void open_late(slices_sink *sink, trace_object *flow, const trace_event *event)
{
    flow_slices const *const slices = flow->sink;

    if (slices->task_open || !flow->running || flow->step == TRACE_UNKNOWN || event->kind == UF_CELL_STARTED) return;
    open_task(sink, flow, event, flow->step, 0);
    open_step(sink, flow, event, flow->step);
}

static void put_event(trace_sink *base, trace_reader *reader, const trace_event *event)
{
    slices_sink *const sink = (slices_sink *)base;
    trace_object *const flow = trace_object_of(reader, event->object);

    if (!sink->began) sink->writer->begin(sink->out);
    sink->began = true;
    if (event->kind == UF_CELL_SIGNAL) put_signal(sink, reader, event);
    if (event->kind == UF_CELL_POST || event->kind == UF_CELL_POST_BEGAN || event->kind == UF_CELL_STOPPING ||
        event->kind == UF_CELL_SLOW_ROUND)
        put_of_runtime(sink, reader, event);
    if (event->kind == UF_CELL_NOTE) put_note(sink, event);
    if (flow->kind != UF_DEFINE_FLOW) return;
    need_track(sink, reader, event->object);
    open_late(sink, flow, event);
    switch ((unsigned)event->kind) {
    case UF_CELL_STARTED: start(sink, flow, event); break;
    case UF_CELL_KEEPING: change_keeping(sink, flow, event); break;
    case UF_CELL_STEP: change_step(sink, flow, event); break;
    case UF_CELL_ENDED: end_run(sink, flow, event); break;
    case UF_CELL_WAIT: begin_wait(sink, reader, flow, event); break;
    case UF_CELL_WOKEN: end_wait(sink, reader, flow, event); break;
    case UF_CELL_PAUSED: begin_pause(sink, flow, event); break;
    case UF_CELL_RESUMED: close_slice(sink, event, &((flow_slices *)flow->sink)->pause_open, NULL, NULL); break;
    case UF_CELL_JOB_SUBMITTED:
    case UF_CELL_JOB_ENDED:
    case UF_CELL_JOB_ABANDONED:
    case UF_CELL_JOB_REJECTED:
    case UF_CELL_JOB_SLOW: put_job(sink, flow, event); break;
    case UF_CELL_STARTS: put_starts(sink, reader, event); break;
    case UF_CELL_SENDS: put_sends(sink, reader, event); break;
    case UF_CELL_ARMS: put_arms(sink, reader, event); break;
    case UF_CELL_RESUMES: put_resumes(sink, reader, event); break;
    case UF_CELL_HELD: put_held(sink, reader, event); break;
    case UF_CELL_FAILED:
    case UF_CELL_SLOW_STEP:
        put_instant(sink, event, event->object, trace_event_word(event->kind), NULL, NULL, 0, 0);
        break;
    default: break;
    }
}

/* At the end of the trace, all slices end. */
static void end(trace_sink *base, trace_reader *reader, uint64_t time)
{
    slices_sink *const sink = (slices_sink *)base;

    if (!sink->began) sink->writer->begin(sink->out);
    for (uint32_t i = 1; i <= trace_object_count(reader); i++) {
        flow_slices *const slices = trace_object_of(reader, i)->sink;
        if (!slices) continue;
        close_all(sink, slices, &(trace_event){.time = time, .object = i});
        tool_table_free(&slices->jobs);
    }
    sink->writer->end(sink->out);
}

trace_sink *trace_slices(const slice_writer *writer, FILE *out)
{
    static slices_sink slices = {.sink = {.event = put_event, .end = end}};
    slices.out = out;
    slices.writer = writer;
    return &slices.sink;
}
