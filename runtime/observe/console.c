/* SPDX-License-Identifier: MIT */
/* console.c - one line per event; console.h shows them. Each line is one call of stdio, so that the lines of several
 * threads do not mix. */
#include "uflow/console.h"
#include "uflow/stop.h"

#include <inttypes.h>
#include <string.h>

/* A format and its arguments: milliseconds with two digits, as in 20.05ms. */
#define TIME_FORMAT       "%lld.%02lldms"
#define TIME_ARGS(time)   (long long)((time) / 1000000), (long long)((time) / 10000 % 100)

#define NAME_WIDTH        16
#define STEPS_WIDTH       28
#define DESCRIPTION_WIDTH 30
#define TEXT_SIZE         128

/* "[path]", truncated to fit; NULL: "". */
static const char *label(const uf_flow *flow, char text[TEXT_SIZE])
{
    char path[TEXT_SIZE - 2];

    if (!flow) return "";
    uf_flow_path(flow, path, sizeof path);
    snprintf(text, TEXT_SIZE, "[%s]", path);
    return text;
}

/* A file of its own has each line at once. Line buffering would do, but Windows has none. */
static void flush_own(const uf_console *console)
{
    if (console->is_own) (void)fflush(console->out);
}

/* Prints a line for an event of a flow, or of none (NULL). `format` is a literal. */
#define PRINT(context, flow, format, ...)                                                                              \
    ((void)fprintf(((uf_console *)(context))->out, "%-*s " format "\n", NAME_WIDTH, label(flow, (char[TEXT_SIZE]){0}), \
                   __VA_ARGS__),                                                                                       \
     flush_own(context))

static void flow_started(void *context, const uf_flow *flow)
{
    uf_time const now = uf_pump_now(flow->pump);
    PRINT(context, flow, "FLOW START  %s  at=" TIME_FORMAT, uf_flow_task(flow), TIME_ARGS(now));
}

static void flow_restored(void *context, const uf_flow *flow, uint32_t times)
{
    uf_time const now = uf_pump_now(flow->pump);
    PRINT(context, flow, "FLOW RESTORED  %s.%s  x%" PRIu32 "  at=" TIME_FORMAT, uf_flow_task(flow), uf_flow_step(flow),
          times, TIME_ARGS(now));
}

static void step_changed(void *context, const uf_flow *flow, const uf_step_change *change)
{
    bool const other_task = change->to[0] && strcmp(change->to_task, change->task) != 0;
    char steps[2 * TEXT_SIZE];

    snprintf(steps, sizeof steps, "%s -> %s%s%s", change->from, other_task ? change->to_task : "",
             other_task ? "." : "", change->to[0] ? change->to : "(end)");
    PRINT(context, flow, "%-*s %-*s #%02" PRIu32 " elapsed=" TIME_FORMAT " tick x%" PRIu32, STEPS_WIDTH, steps,
          DESCRIPTION_WIDTH, change->description, change->ordinal, TIME_ARGS(change->elapsed), change->ticks);
}

static void step_failed(void *context, const uf_flow *flow, const char *step, const char *reason)
{
    PRINT(context, flow, "[THREW] %s  %s", step, reason);
}

/* Appends "  async=…" and "  bodies=…" to the end of a run, as far as either was measured. */
static const char *totals(const uf_run_times *times, char text[4 * TEXT_SIZE])
{
    uf_body_times const *const all = &times->all;
    int length = 0;

    text[0] = '\0';
    if (times->in_jobs) length = snprintf(text, TEXT_SIZE, "  async=" TIME_FORMAT, TIME_ARGS(times->in_jobs));
    if (all->count && length >= 0 && length < TEXT_SIZE) {
        snprintf(text + length, 4 * TEXT_SIZE - (size_t)length,
                 "  bodies=%" PRIu32 " min=" TIME_FORMAT " mean=" TIME_FORMAT " max=" TIME_FORMAT " total=" TIME_FORMAT
                 " worst=%.60s.%.60s",
                 all->count, TIME_ARGS(all->min), TIME_ARGS(all->mean), TIME_ARGS(all->max), TIME_ARGS(all->total),
                 times->worst_task, times->worst_step);
    }
    return text;
}

static void flow_ended(void *context, const uf_flow *flow, const uf_flow_end *end)
{
    char wall[TEXT_SIZE] = "?", more[4 * TEXT_SIZE] = "";
    char const *const ending = end->outcome == UF_DONE ? "Done" : end->outcome == UF_CANCELLED ? "Cancelled" : "Fail";
    bool const has_reason = end->outcome == UF_FAILED && end->reason[0];

    if (end->times) {
        snprintf(wall, sizeof wall, TIME_FORMAT, TIME_ARGS(end->times->wall));
        totals(end->times, more);
    }
    PRINT(context, flow, "FLOW END  %s  steps=#%02" PRIu32 " wall=%s%s%s%s", ending, end->ordinal, wall, more,
          has_reason ? "  reason=" : "", has_reason ? end->reason : "");
}

static void signal_fired(void *context, const char *name, uint32_t released)
{
    PRINT(context, NULL, "SIGNAL FIRED  %s released=%" PRIu32, name, released);
}

static void checkpoint_parked(void *context, const uf_flow *flow, const char *name)
{
    PRINT(context, flow, "CHECKPOINT    %s parked", name);
}

static void post_began(void *context, const uf_post_event *post)
{
    PRINT(context, NULL, "%-13s %s:%d %s()  waited=" TIME_FORMAT, post->blocking ? "POSTWAIT RUN" : "POST RUN",
          post->file, post->line, post->caller, TIME_ARGS(post->waited));
}

static void posted(void *context, const uf_post_event *post)
{
    PRINT(context, NULL, "%-13s %s:%d %s()  took=" TIME_FORMAT, post->blocking ? "POSTWAIT END" : "POST END",
          post->file, post->line, post->caller, TIME_ARGS(post->took));
}

static void linked(void *context, const char *driver)
{
    PRINT(context, NULL, "%-13s driven by %s", *driver ? "LINK" : "UNLINK", *driver ? driver : "its own thread");
}

static void stopping(void *context, const struct uf_stop_report *so_far)
{
    PRINT(context, NULL,
          "STOP          %s  after=" TIME_FORMAT " refused=%" PRIu32 " ended=%" PRIu32 " cancelled=%" PRIu32
          " shut_down=%" PRIu32 " cut_off=%" PRIu32,
          uf_stop_phase_text(so_far->phase), TIME_ARGS(so_far->took), so_far->refused, so_far->ended, so_far->cancelled,
          so_far->shut_down, so_far->cut_off);
}

/* "[3]" for an element of an array of jobs. */
#define INDEX_SIZE 16
static const char *index_text(const uf_job_event *event, char text[INDEX_SIZE])
{
    text[0] = '\0';
    if (event->index >= 0) (void)snprintf(text, INDEX_SIZE, "[%" PRId32 "]", event->index);
    return text;
}

static void job_submitted(void *context, const uf_flow *flow, const uf_job_event *event)
{
    PRINT(context, flow, "ASYNC SUBMIT  %s%s", event->job, index_text(event, (char[INDEX_SIZE]){0}));
}

static void job_completed(void *context, const uf_flow *flow, const uf_job_event *event)
{
    bool const late = event->status == UF_JOB_TIMED_OUT, well = event->status == UF_JOB_DONE;
    PRINT(context, flow, "ASYNC DONE    %s%s  wait=" TIME_FORMAT "%s%s%s", event->job,
          index_text(event, (char[INDEX_SIZE]){0}), TIME_ARGS(event->waited),
          well   ? ""
          : late ? " [TIMEOUT]"
                 : " [ERROR]",
          !late && event->reason[0] ? "  reason=" : "", late ? "" : event->reason);
}

static void job_abandoned(void *context, const uf_flow *flow, const uf_job_event *event)
{
    PRINT(context, flow, "[ASYNC ABANDONED]  %s%s", event->job, index_text(event, (char[INDEX_SIZE]){0}));
}

static void job_rejected(void *context, const uf_flow *flow, const uf_job_event *event)
{
    PRINT(context, flow, "[ASYNC HIGHWATER]  %s%s rejected, inflight=%" PRIu32 "  reason=%s", event->job,
          index_text(event, (char[INDEX_SIZE]){0}), event->in_flight, event->reason);
}

static void slow_step(void *context, const uf_flow *flow, const uf_slow_step *slow)
{
    PRINT(context, flow, "[SLOW CPU]  %s.%s  took=" TIME_FORMAT, slow->task, slow->step, TIME_ARGS(slow->took));
}

static void slow_job(void *context, const uf_flow *flow, const uf_job_event *event)
{
    PRINT(context, flow, "[SLOW ASYNC]  %s%s  worker=%s wait=" TIME_FORMAT "%s", event->job,
          index_text(event, (char[INDEX_SIZE]){0}), event->worker, TIME_ARGS(event->waited),
          event->status == UF_JOB_NONE ? "  nobody waits for it" : "");
}

/* Names the step or the post that took longest in a round. */
static void name_longest(const uf_slow_round *slow, char text[TEXT_SIZE])
{
    char path[TEXT_SIZE / 2] = "";

    if (!slow->task[0]) {
        snprintf(text, TEXT_SIZE, "post %s:%d %s()", slow->file, slow->line, slow->caller);
        return;
    }
    if (slow->flow) uf_flow_path(slow->flow, path, sizeof path);
    snprintf(text, TEXT_SIZE, "%s %s.%s", path, slow->task, slow->step);
}

static void slow_round(void *context, const uf_slow_round *slow)
{
    char name[TEXT_SIZE] = "-";

    if (slow->longest) name_longest(slow, name);
    PRINT(context, NULL,
          "[SLOW ROUND]  took=" TIME_FORMAT " turns=%" PRIu32 " steps=" TIME_FORMAT "  longest=" TIME_FORMAT " %s",
          TIME_ARGS(slow->took), slow->turns, TIME_ARGS(slow->steps), TIME_ARGS(slow->longest), name);
}

uf_status uf_console_init(uf_console *console, FILE *out)
{
    if (!console || !out) return UF_INVALID;
    *console = (uf_console){
        .observer =
            {
                .context = console,
                .flow_started = flow_started,
                .flow_restored = flow_restored,
                .step_changed = step_changed,
                .step_failed = step_failed,
                .flow_ended = flow_ended,
                .signal_fired = signal_fired,
                .checkpoint_parked = checkpoint_parked,
                .post_began = post_began,
                .posted = posted,
                .linked = linked,
                .stopping = stopping,
                .slow_step = slow_step,
                .slow_job = slow_job,
                .slow_round = slow_round,
                .job_submitted = job_submitted,
                .job_completed = job_completed,
                .job_abandoned = job_abandoned,
                .job_rejected = job_rejected,
                .runs = console->runs,
                .run_capacity = UF_CONSOLE_FLOWS,
            },
        .out = out,
    };
    return UF_OK;
}

uf_status uf_console_open(uf_console *console, const char *path)
{
    if (!console || !path) return UF_INVALID;
    FILE *const out = fopen(path, "a");
    if (!out) return UF_NO_THREAD;
    uf_status const status = uf_console_init(console, out);
    console->is_own = true;
    return status;
}

bool uf_console_close(uf_console *console)
{
    FILE *const out = console ? console->out : NULL;

    if (!out) return false;
    console->out = NULL;
    bool const is_good = fflush(out) == 0 && !ferror(out);
    return (!console->is_own || fclose(out) == 0) && is_good;
}

/* Initialises after adding: a console that is attached already must not be overwritten. The new observer is the last
 * of its list, so the initialised `next` is right. */
uf_status uf_console_attach(uf_console *console, uf_pump *pump, FILE *out)
{
    if (!console || !pump || !out) return UF_INVALID;
    uf_status const added = uf_pump_add_observer(pump, &console->observer);
    return added == UF_OK ? uf_console_init(console, out) : added;
}

uf_status uf_console_detach(uf_console *console, uf_pump *pump)
{
    return console ? uf_pump_remove_observer(pump, &console->observer) : UF_INVALID;
}
