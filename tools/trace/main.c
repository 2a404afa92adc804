/* SPDX-License-Identifier: MIT */
/* main.c - uflow-trace: shows what a flight recorder has recorded. */
#include <errno.h>
#include <fnmatch.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "output.h"
#include "replay.h"

const char tool_name[] = "uflow-trace";
const int tool_trouble = 1;

static const char usage[] =
    "usage: uflow-trace [OPTION]... FILE\n"
    "Shows a trace of uf_recorder_save(). FILE may also be a dump of the recorder's memory, the core dump of a\n"
    "process, or - for the standard input.\n"
    "\n"
    "  -f, --format=FORMAT  text (the default), summary, perfetto (for ui.perfetto.dev), chrome (JSON) or\n"
    "                       replay (for a page of `ufc --emit=html`)\n"
    "  -o, --output=FILE    writes to FILE\n"
    "      --flow=PATTERN   only flows with this path; * and ? match any characters\n"
    "      --task=NAME      only events in this task\n"
    "      --from=TIME      only events from TIME on, such as 1.5s, 20ms or 3us; without a unit: seconds\n"
    "      --to=TIME        only events up to TIME\n"
    "      --rounds         rounds, too (text only)\n"
    "      --map=FILE       names and lines from `ufc --emit=json`; for memory and core dumps. May be repeated\n"
    "      --page=FILE      writes this page of `ufc --emit=html`, with the replay in it. May be repeated: then the\n"
    "                       first one has the diagrams of all\n"
    "      --image=N        the Nth recorder in a core dump\n"
    "      --version; -h, --help\n"
    "\n"
    "Exit status: 0; 1: FILE is no trace, or a file cannot be read or written; 2: the command is wrong.\n";

typedef struct options {
    const char *input, *output, *flow, *task;
    uint64_t from, to;
    trace_sink *(*sink)(FILE *out);
    bool rounds;
    unsigned image;
    const char **maps, **pages;
    size_t map_count, page_count;
} options;

static void misuse(const char *what, const char *value)
{
    fprintf(stderr, "uflow-trace: %s%s\nTry uflow-trace --help.\n", what, value);
    exit(2);
}

static uint64_t read_time(const char *text)
{
    static const struct unit {
        const char *name;
        double ns;
    } units[] = {{"", 1e9}, {"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}};
    char *end;
    double const value = strtod(text, &end);

    for (size_t i = 0; i < sizeof units / sizeof *units && end != text && value >= 0; i++) {
        if (strcmp(end, units[i].name) == 0 && value * units[i].ns < 9e18) return (uint64_t)(value * units[i].ns + 0.5);
    }
    misuse("not a time: ", text);
    return 0;
}

static void read_format(options *chosen, const char *name)
{
    static const struct format {
        const char *name;
        trace_sink *(*sink)(FILE *out);
    } formats[] = {{"text", trace_text},
                   {"summary", trace_summary},
                   {"perfetto", trace_perfetto},
                   {"chrome", trace_chrome},
                   {"replay", trace_replay}};

    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (strcmp(name, formats[i].name) != 0) continue;
        chosen->sink = formats[i].sink;
        return;
    }
    misuse("not a format: ", name);
}

static unsigned read_number(const char *text)
{
    char *end;
    unsigned long const number = strtoul(text, &end, 10);
    if (end == text || *end || number == 0 || number > 1000) misuse("not a number from 1 on: ", text);
    return (unsigned)number;
}

static void add_name(const char ***names, size_t *count, const char *name)
{
    *names = tool_grow((void *)*names, *count, sizeof **names);
    (*names)[(*count)++] = name;
}

/* A trace is read while the output is written. */
static bool is_same_file(const char *input, const char *output)
{
    struct stat in, out;
    bool const are_there = stat(strcmp(input, "-") == 0 ? "/dev/stdin" : input, &in) == 0 && stat(output, &out) == 0;
    return are_there && S_ISREG(out.st_mode) && in.st_dev == out.st_dev && in.st_ino == out.st_ino;
}

static options read_options(int argc, char **argv)
{
    enum { FLOW = 256, TASK, FROM, TO, ROUNDS, MAP, PAGE, IMAGE, VERSION };
    static const struct option known[] = {{"format", required_argument, NULL, 'f'},
                                          {"output", required_argument, NULL, 'o'},
                                          {"flow", required_argument, NULL, FLOW},
                                          {"task", required_argument, NULL, TASK},
                                          {"from", required_argument, NULL, FROM},
                                          {"to", required_argument, NULL, TO},
                                          {"rounds", no_argument, NULL, ROUNDS},
                                          {"map", required_argument, NULL, MAP},
                                          {"page", required_argument, NULL, PAGE},
                                          {"image", required_argument, NULL, IMAGE},
                                          {"version", no_argument, NULL, VERSION},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    options chosen = {.to = UINT64_MAX, .sink = trace_text};

    for (int option; (option = getopt_long(argc, argv, "f:o:h", known, NULL)) != -1;) {
        switch (option) {
        case 'f': read_format(&chosen, optarg); break;
        case 'o': chosen.output = optarg; break;
        case FLOW: chosen.flow = optarg; break;
        case TASK: chosen.task = optarg; break;
        case FROM: chosen.from = read_time(optarg); break;
        case TO: chosen.to = read_time(optarg); break;
        case ROUNDS: chosen.rounds = true; break;
        case MAP: add_name(&chosen.maps, &chosen.map_count, optarg); break;
        case PAGE:
            add_name(&chosen.pages, &chosen.page_count, optarg);
            chosen.sink = trace_replay;
            break;
        case IMAGE: chosen.image = read_number(optarg); break;
        case VERSION: tool_answer("uflow-trace " UF_VERSION "\n");
        case 'h': tool_answer(usage);
        default: fputs("Try uflow-trace --help.\n", stderr); exit(2);
        }
    }
    if (optind + 1 != argc)
        misuse(optind == argc ? "no FILE" : "more than one FILE: ", optind == argc ? "" : argv[optind + 1]);
    chosen.input = argv[optind];
    if (chosen.output && is_same_file(chosen.input, chosen.output)) misuse("FILE would be lost: -o ", chosen.output);
    return chosen;
}

/* -- the filter ---------------------------------------------------------------------------------------------------- */

static bool is_chosen(const options *chosen, trace_object *flow)
{
    if (flow->kind != UF_DEFINE_FLOW) return false;
    if (!flow->matched) flow->matched = fnmatch(chosen->flow, flow->name, 0) == 0 ? 1 : -1;
    return flow->matched > 0;
}

/* Is the flow in the task, before or after the event? */
static bool is_in_task(const options *chosen, const trace_object *flow, const trace_event *event)
{
    bool const enters = event->kind == UF_CELL_STARTED || event->kind == UF_CELL_STEP || event->kind == UF_CELL_ENDED;

    if (flow->kind != UF_DEFINE_FLOW) return false;
    return (enters && strcmp(trace_task_name(flow, event->a & 0xffff), chosen->task) == 0) ||
           strcmp(trace_task_name(flow, flow->step), chosen->task) == 0;
}

static bool passes(const options *chosen, trace_reader *reader, const trace_event *event)
{
    trace_object *const flow = trace_object_of(reader, event->object);

    if (chosen->flow && !is_chosen(chosen, flow)) return false;
    if (event->time < chosen->from || event->time > chosen->to) return false;
    return !chosen->task || is_in_task(chosen, flow, event);
}

/* Returns: has the trace any event? */
static bool show(const options *chosen, trace_reader *reader, FILE *out)
{
    trace_sink *const sink = chosen->sink(out);
    static trace_event event;
    uint64_t last = 0;
    bool any = false;

    while (trace_next(reader, &event, chosen->rounds && chosen->sink == trace_text)) {
        if (passes(chosen, reader, &event)) {
            sink->event(sink, reader, &event);
            last = event.time;
        }
        any |= !event.still;
        trace_apply(reader, &event);
    }
    if (chosen->to == UINT64_MAX && trace_end_time(reader) > last) last = trace_end_time(reader);
    sink->end(sink, reader, last);
    return any;
}

/* Does a type that is shown lack the names of its steps? */
static bool needs_map(trace_reader *reader)
{
    for (uint32_t i = 1; trace_facts_of(reader)->is_image && i <= trace_object_count(reader); i++) {
        trace_object const *const object = trace_object_of(reader, i);
        if (object->kind == UF_DEFINE_TYPE && (object->type->step_count == 0 || !object->type->steps[0].name))
            return true;
    }
    return false;
}

/* Warnings about the trace. */
static void warn(const options *chosen, trace_reader *reader, bool any)
{
    if (trace_facts_of(reader)->cut) fputs("uflow-trace: the end of the trace is missing\n", stderr);
    if (trace_facts_of(reader)->untimed > 0)
        fputs("uflow-trace: with it, the time of the first events is missing: these are left out\n", stderr);
    if (!any && !trace_facts_of(reader)->cut)
        fputs("uflow-trace: the trace has no event: none has happened since the recorder was added\n", stderr);
    if (trace_facts_of(reader)->undefined > 0)
        fputs("uflow-trace: the recorder had no room for names: give it more `objects`\n", stderr);
    if (!chosen->pages && chosen->sink != trace_replay && needs_map(reader))
        fputs("uflow-trace: a memory dump has no names of steps: add --map=FILE of `ufc --emit=json`, or --page=FILE\n",
              stderr);
}

int main(int argc, char **argv)
{
    options const chosen = read_options(argc, argv);
    trace_reader *const reader = trace_open(chosen.input, chosen.image);

    for (size_t i = 0; i < chosen.map_count; i++) trace_read_map(reader, chosen.maps[i]);
    trace_pages pages; /* read first: the output may replace one of these files */
    if (chosen.pages) trace_read_pages(&pages, chosen.pages, chosen.page_count);
    FILE *const out = chosen.output ? fopen(chosen.output, "wb") : stdout;
    if (!out) tool_die("%s: %s", chosen.output, strerror(errno));
    if (chosen.pages) trace_begin_page(&pages, out);
    bool const any = show(&chosen, reader, out);
    bool const fits = !chosen.pages || !any || trace_pages_fit(&pages, reader);
    if (chosen.pages) trace_end_page(&pages, out);
    tool_finish(out, chosen.output);
    warn(&chosen, reader, any);
    if (!fits) fputs("uflow-trace: the trace has no flow of these pages: they are of another program\n", stderr);
    trace_close(reader);
    free((void *)chosen.maps);
    free((void *)chosen.pages);
    return 0;
}
