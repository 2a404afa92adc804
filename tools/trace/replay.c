/* SPDX-License-Identifier: MIT */
/* replay.c - events for the page of `ufc --emit=html`, as JSON; alone, or in the page.
 *
 *   { "uflow_replay": 2, "start": "NS", "end": "NS", "kinds": { "STEP": 4, ... },
 *     "events": [[kind, ns since the event before, flow, a, b, text, more], ...],
 *     "types": [[number, name, source, [[task, line], ...], [[step, line, task], ...]], ...],
 *     "flows": [[number, type, path], ...] }
 *
 * Text and more are missing at the end if they are empty. A wait has its arms as text, and what they wait for as more:
 * numbers of flows that must end or receive. More of a WOKEN are the arms that were ready, if they are several. More
 * of an end is its reason. Steps and waits from before the start that
 * still go on come first: the time of the first one is negative. `end` is missing if it is not known. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "replay.h"

#define LINE 1024

typedef struct replay_sink {
    trace_sink sink;
    FILE *out;
    bool began;
    uint64_t last;
} replay_sink;

static void put_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (const char *at = text; *at; at++) {
        if (*at == '<') fputs("\\u003c", out); /* the JSON may be in a page */
        else if (*at == '"' || *at == '\\') fprintf(out, "\\%c", *at);
        else fputc(*at, out);
    }
    fputc('"', out);
}

static void begin(replay_sink *sink, uint64_t time)
{
    static const char kinds[] =
#define KIND_MEMBER(name, number, text) ",\"" #name "\":" #number
        UF_TRACE_EVENTS(KIND_MEMBER);
#undef KIND_MEMBER

    sink->began = true;
    sink->last = time;
    fprintf(sink->out, "{\"uflow_replay\":2,\"start\":\"%" PRIu64 "\",\"kinds\":{%s},\n\"events\":[", time, kinds + 1);
}

/* -- events -------------------------------------------------------------------------------------------------------- */

static void put_targets(FILE *out, const trace_event *event)
{
    char const *between = ",[";

    for (unsigned i = 0; i < event->arm_count; i++) {
        trace_arm const *const arm = &event->arms[i];
        bool const is_flow = arm->kind == UF_ARM_RUN || arm->kind == UF_ARM_IDLE;
        if (!is_flow && arm->kind != UF_ARM_ROOM) continue;
        fprintf(out, "%s%" PRIu32, between, (uint32_t)(is_flow ? arm->operand : arm->operand >> 24));
        between = ",";
    }
    if (between[1] == '\0') fputc(']', out);
}

/* Several arms were ready: the slot of each, and 1 if it has failed, as two numbers in one. */
static void put_ready(FILE *out, const trace_event *event)
{
    for (unsigned i = 0; event->arm_count > 1 && i < event->arm_count; i++)
        fprintf(out, "%s%" PRIu32, i ? "," : ",[", event->arms[i].index << 1 | event->arms[i].failed);
    if (event->arm_count > 1) fputc(']', out);
}

/* The words of the text output for the event. */
static void put_words(FILE *out, trace_reader *reader, const trace_object *flow, const trace_event *event)
{
    char *words = NULL;
    size_t size = 0;
    FILE *const to = open_memstream(&words, &size);

    if (!to) tool_die("out of memory");
    trace_event_text(to, reader, flow, event);
    if (fclose(to) != 0) tool_die("out of memory");
    put_string(out, words);
    free(words);
}

static void put_event(trace_sink *base, trace_reader *reader, const trace_event *event)
{
    replay_sink *const sink = (replay_sink *)base;
    trace_object const *const flow = trace_object_of(reader, event->object);
    FILE *const out = sink->out;
    bool const is_first = !sink->began;
    char arms[LINE];

    if (is_first) begin(sink, event->still ? trace_states_of(reader)->begin : event->time);
    fprintf(out, "%s[%d,%" PRId64 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32, is_first ? "\n" : ",\n", (int)event->kind,
            (int64_t)(event->time - sink->last), event->object, event->a, event->b);
    sink->last = event->time;
    switch ((unsigned)event->kind) {
    case UF_CELL_STARTED: break;
    case UF_CELL_STEP:
        if (*event->description) fputc(',', out), put_string(out, event->description);
        break;
    case UF_CELL_ENDED:
        if (*event->description || *event->reason) fputc(',', out), put_string(out, event->description);
        if (*event->reason) fputc(',', out), put_string(out, event->reason);
        break;
    case UF_CELL_WAIT:
        trace_arms_text(reader, flow, event->arms, event->arm_count, true, arms, sizeof arms);
        fputc(',', out);
        put_string(out, arms);
        put_targets(out, event);
        break;
    case UF_CELL_WOKEN:
        fputc(',', out), put_words(out, reader, flow, event);
        put_ready(out, event);
        break;
    default: fputc(',', out), put_words(out, reader, flow, event); break;
    }
    fputc(']', out);
}

/* -- names --------------------------------------------------------------------------------------------------------- */

static void put_type(FILE *out, const trace_type *type)
{
    fprintf(out, "[%" PRIu32 ",", type->number);
    put_string(out, type->name);
    fputc(',', out);
    put_string(out, type->source);
    fputs(",[", out);
    for (uint32_t i = 0; i < type->task_count; i++) {
        fputs(i ? ",[" : "[", out);
        put_string(out, type->tasks[i].name ? type->tasks[i].name : "?");
        fprintf(out, ",%" PRIu32 "]", type->tasks[i].line);
    }
    fputs("],[", out);
    for (uint32_t i = 0; i < type->step_count; i++) {
        fputs(i ? ",[" : "[", out);
        put_string(out, type->steps[i].name ? type->steps[i].name : "?");
        fprintf(out, ",%" PRIu32 ",%" PRIu32 "]", type->steps[i].line, type->steps[i].task);
    }
    fputs("]]", out);
}

static void put_flow(FILE *out, const trace_object *flow, uint32_t number)
{
    fprintf(out, "[%" PRIu32 ",%" PRIu32 ",", number, flow->type ? flow->type->number : 0);
    put_string(out, flow->name);
    fputc(']', out);
}

static void end(trace_sink *base, trace_reader *reader, uint64_t time)
{
    replay_sink *const sink = (replay_sink *)base;
    char const *between = "\n";

    uint64_t const now = trace_end_time(reader);

    if (!sink->began) begin(sink, time);
    fputc(']', sink->out);
    if (now > sink->last) fprintf(sink->out, ",\n\"end\":\"%" PRIu64 "\"", now);
    fputs(",\n\"types\":[", sink->out);
    for (uint32_t i = 1; i <= trace_object_count(reader); i++) {
        trace_object const *const object = trace_object_of(reader, i);
        if (object->kind != UF_DEFINE_TYPE) continue;
        fputs(between, sink->out);
        between = ",\n";
        put_type(sink->out, object->type);
    }
    fputs("],\n\"flows\":[", sink->out);
    between = "\n";
    for (uint32_t i = 1; i <= trace_object_count(reader); i++) {
        trace_object const *const object = trace_object_of(reader, i);
        if (object->kind != UF_DEFINE_FLOW) continue;
        fputs(between, sink->out);
        between = ",\n";
        put_flow(sink->out, object, i);
    }
    fputs("]}\n", sink->out);
}

trace_sink *trace_replay(FILE *out)
{
    static replay_sink replay = {.sink = {.event = put_event, .end = end}};
    replay.out = out;
    return &replay.sink;
}

/* -- pages --------------------------------------------------------------------------------------------------------- */

#define DATA     "<!-- uflow: data -->\n"
#define DATA_END "<!-- uflow: end of data -->\n"

static char *read_page(const char *path)
{
    FILE *const in = fopen(path, "rb");
    size_t length = 0, room = 1 << 16;
    char *text = tool_resize(NULL, room, 1);

    if (!in) tool_die("%s: %s", path, strerror(errno));
    for (size_t got; (got = fread(text + length, 1, room - length - 1, in)) > 0;) {
        length += got;
        if (room - length < 2) text = tool_resize(text, room *= 2, 1);
    }
    if (ferror(in)) tool_die("%s: %s", path, strerror(errno));
    (void)fclose(in);
    text[length] = '\0';
    return text;
}

/* The data of a page, up to its end mark. Its JSON has no `<`, so that no text of a source is taken for a mark. */
static char *data_of(char *page, char **last)
{
    char *const data = strstr(page, DATA);
    *last = data ? strstr(data, DATA_END) : NULL;
    return *last ? data + sizeof DATA - 1 : NULL;
}

void trace_read_pages(trace_pages *pages, const char *const *paths, size_t count)
{
    char *last;

    pages->count = count;
    pages->texts = tool_resize(NULL, count, sizeof *pages->texts);
    for (size_t i = 0; i < count; i++) {
        pages->texts[i] = read_page(paths[i]);
        if (!data_of(pages->texts[i], &last)) tool_die("%s: not a page of `ufc --emit=html`", paths[i]);
    }
}

/* Is there a flow that begins so? Tasks, steps and workers do, too, but a flow has a list of flows in the same line. */
static bool has_flow(const char *page, const char *begin)
{
    while ((page = strstr(page, begin))) {
        char const *const flows = strstr(page, "\"flows\": ["), *const end = strchr(page, '\n');
        if (flows && end && flows < end) return true;
        page++;
    }
    return false;
}

bool trace_pages_fit(const trace_pages *pages, trace_reader *reader)
{
    char wanted[LINE];

    for (uint32_t i = 1; i <= trace_object_count(reader); i++) {
        trace_object const *const object = trace_object_of(reader, i);
        if (object->kind != UF_DEFINE_TYPE) continue;
        snprintf(wanted, sizeof wanted, "{ \"name\": \"%s\", \"line\": ", object->name);
        for (size_t page = 0; page < pages->count; page++) {
            if (has_flow(pages->texts[page], wanted)) return true;
        }
    }
    return false;
}

void trace_begin_page(const trace_pages *pages, FILE *out)
{
    for (size_t i = 0; i < pages->count; i++) {
        char *last, *const data = data_of(pages->texts[i], &last), *const from = i > 0 ? data : pages->texts[i];
        (void)fwrite(from, 1, (size_t)(last - from), out);
    }
    fputs("<script type=\"application/json\" data-uflow=\"replay\">\n", out);
}

void trace_end_page(trace_pages *pages, FILE *out)
{
    char *last;

    (void)data_of(pages->texts[0], &last);
    fprintf(out, "</script>\n%s", last);
    for (size_t i = 0; i < pages->count; i++) free(pages->texts[i]);
    free((void *)pages->texts);
}
