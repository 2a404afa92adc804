/* SPDX-License-Identifier: MIT */
/* chrome.c - slices as JSON of the Trace Event Format, for chrome://tracing and other viewers. */
#include "slices.h"

#include <inttypes.h>

static bool any; /* a value was written: the next one needs a comma */

static void begin_value(FILE *out)
{
    fputs(any ? ",\n" : "\n", out);
    any = true;
}

static void put_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (const char *at = text; *at; at++) {
        if (*at == '"' || *at == '\\') fputc('\\', out);
        fputc(*at, out);
    }
    fputc('"', out);
}

static void put_place(FILE *out, const char *phase, uint64_t time, uint32_t track)
{
    begin_value(out);
    fprintf(out, "{\"ph\":\"%s\",\"pid\":1,\"tid\":%" PRIu32 ",\"ts\":%" PRIu64 ".%03u", phase, track, time / 1000,
            (unsigned)(time % 1000));
}

static void begin(FILE *out)
{
    any = false;
    fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[", out);
}

/* The format has no nested tracks. The names are paths of flows, sorted by their numbers. */
static void put_track(FILE *out, uint32_t track, uint32_t parent, const char *name)
{
    (void)parent;
    begin_value(out);
    fprintf(out, "{\"ph\":\"M\",\"pid\":1,\"tid\":%" PRIu32 ",\"name\":\"thread_name\",\"args\":{\"name\":", track);
    put_string(out, name);
    fputs("}}", out);
    begin_value(out);
    fprintf(out,
            "{\"ph\":\"M\",\"pid\":1,\"tid\":%" PRIu32
            ",\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":%" PRIu32 "}}",
            track, track);
}

static void put_arrow(FILE *out, const slice_mark *mark, const char *phase, uint64_t arrow)
{
    put_place(out, phase, mark->time, mark->track);
    fprintf(out, ",\"cat\":\"uflow\",\"name\":\"arrow\",\"id\":%" PRIu64 "%s}", arrow,
            *phase == 'f' ? ",\"bp\":\"e\"" : "");
}

static void put_mark(FILE *out, const slice_mark *mark)
{
    static const char *const phases[] = {[SLICE_BEGIN] = "B", [SLICE_END] = "E", [SLICE_INSTANT] = "i"};

    put_place(out, phases[mark->kind], mark->time, mark->track);
    if (mark->name) {
        fputs(",\"cat\":\"uflow\",\"name\":", out);
        put_string(out, mark->name);
    }
    if (mark->kind == SLICE_INSTANT) fputs(",\"s\":\"t\"", out);
    if (mark->key) {
        fprintf(out, ",\"args\":{\"%s\":", mark->key);
        put_string(out, mark->detail);
        fputc('}', out);
    }
    fputc('}', out);
    if (mark->in) put_arrow(out, mark, "f", mark->in);
    for (uint64_t i = 0; i < mark->out_count; i++) put_arrow(out, mark, "s", mark->out + i);
}

static void end(FILE *out)
{
    fputs("\n]}\n", out);
}

trace_sink *trace_chrome(FILE *out)
{
    static const slice_writer writer = {.begin = begin, .track = put_track, .mark = put_mark, .end = end};
    return trace_slices(&writer, out);
}
