/* console.c - one line an event; see console.h for how they look. Each line is one call of stdio, so that lines stay
 * whole. */
#include "uflow/console.h"
#include "uflow/stop.h"

#include <inttypes.h>
#include <string.h>

#define NAME_WIDTH        16
#define STEPS_WIDTH       28
#define DESCRIPTION_WIDTH 30
#define TEXT_SIZE         128

/* "[path]", cut to fit. */
static const char *label(const uf_flow *flow, char text[TEXT_SIZE])
{
    char path[TEXT_SIZE - 2];
    uf_flow_path(flow, path, sizeof path);
    snprintf(text, TEXT_SIZE, "[%s]", path);
    return text;
}

static const char *milliseconds(uf_time time, char text[TEXT_SIZE])
{
    uf_time const hundredths = time / 10000;
    snprintf(text, TEXT_SIZE, "%" PRId64 ".%02" PRId64 "ms", hundredths / 100, hundredths % 100);
    return text;
}

static void flow_started(void *context, const uf_flow *flow)
{
    uf_console *const console = context;
    char name[TEXT_SIZE], now[TEXT_SIZE];

    fprintf(console->out, "%-*s FLOW START  %s  at=%s\n", NAME_WIDTH, label(flow, name), uf_flow_task(flow),
            milliseconds(uf_pump_now(flow->pump), now));
}

static void step_changed(void *context, const uf_flow *flow, const uf_step_change *change)
{
    uf_console *const console = context;
    bool const other_task = change->to[0] && strcmp(change->to_task, change->task) != 0;
    char name[TEXT_SIZE], steps[2 * TEXT_SIZE], elapsed[TEXT_SIZE];

    snprintf(steps, sizeof steps, "%s -> %s%s%s", change->from, other_task ? change->to_task : "",
             other_task ? "." : "", change->to[0] ? change->to : "(end)");
    fprintf(console->out, "%-*s %-*s %-*s #%02" PRIu32 " elapsed=%s tick x%" PRIu32 "\n", NAME_WIDTH, label(flow, name),
            STEPS_WIDTH, steps, DESCRIPTION_WIDTH, change->description, change->ordinal,
            milliseconds(change->elapsed, elapsed), change->ticks);
}

static void step_failed(void *context, const uf_flow *flow, const char *step, const char *reason)
{
    uf_console *const console = context;
    char name[TEXT_SIZE];

    fprintf(console->out, "%-*s [THREW] %s  %s\n", NAME_WIDTH, label(flow, name), step, reason);
}

static const char *ending(uf_outcome outcome)
{
    return outcome == UF_DONE ? "Done" : outcome == UF_CANCELLED ? "Cancelled" : "Fail";
}

/* "  async=…  bodies=…", as far as there is anything to be said. */
static const char *totals(const uf_run_times *times, char text[4 * TEXT_SIZE])
{
    uf_body_times const *const all = &times->all;
    char jobs[TEXT_SIZE], min[TEXT_SIZE], mean[TEXT_SIZE], max[TEXT_SIZE], total[TEXT_SIZE];
    int length = 0;

    text[0] = '\0';
    if (times->in_jobs) length = snprintf(text, 4 * TEXT_SIZE, "  async=%.31s", milliseconds(times->in_jobs, jobs));
    if (all->count && length >= 0 && length < TEXT_SIZE) {
        snprintf(text + length, 4 * TEXT_SIZE - (size_t)length,
                 "  bodies=%" PRIu32 " min=%.31s mean=%.31s max=%.31s total=%.31s worst=%.60s.%.60s", all->count,
                 milliseconds(all->min, min), milliseconds(all->mean, mean), milliseconds(all->max, max),
                 milliseconds(all->total, total), times->worst_task, times->worst_step);
    }
    return text;
}

static void flow_ended(void *context, const uf_flow *flow, const uf_flow_end *end)
{
    uf_console *const console = context;
    char name[TEXT_SIZE], wall[TEXT_SIZE] = "?", more[4 * TEXT_SIZE] = "";

    if (end->times) {
        milliseconds(end->times->wall, wall);
        totals(end->times, more);
    }
    bool const why = end->outcome == UF_FAILED && end->reason[0];
    fprintf(console->out, "%-*s FLOW END  %s  steps=#%02" PRIu32 " wall=%s%s%s%s\n", NAME_WIDTH, label(flow, name),
            ending(end->outcome), end->ordinal, wall, more, why ? "  reason=" : "", why ? end->reason : "");
}

static void signal_fired(void *context, const char *name, uint32_t released)
{
    uf_console *const console = context;
    fprintf(console->out, "%-*s SIGNAL FIRED  %s released=%" PRIu32 "\n", NAME_WIDTH, "", name, released);
}

static void checkpoint_parked(void *context, const uf_flow *flow, const char *name)
{
    uf_console *const console = context;
    char text[TEXT_SIZE];
    fprintf(console->out, "%-*s CHECKPOINT    %s parked\n", NAME_WIDTH, label(flow, text), name);
}

static void posted(void *context, const uf_post_event *post)
{
    uf_console *const console = context;
    char waited[TEXT_SIZE];
    fprintf(console->out, "%-*s %-13s %s:%d %s()  waited=%s\n", NAME_WIDTH, "",
            post->blocking ? "POSTWAIT RUN" : "POST RUN", post->file, post->line, post->caller,
            milliseconds(post->waited, waited));
}

static void linked(void *context, const char *driver)
{
    uf_console *const console = context;
    fprintf(console->out, "%-*s %-13s driven by %s\n", NAME_WIDTH, "", *driver ? "LINK" : "UNLINK",
            *driver ? driver : "its own thread");
}

static void stopping(void *context, const struct uf_stop_report *so_far)
{
    uf_console *const console = context;
    char took[TEXT_SIZE];
    fprintf(console->out,
            "%-*s STOP          %s  after=%s refused=%" PRIu32 " ended=%" PRIu32 " cancelled=%" PRIu32
            " shut_down=%" PRIu32 " cut_off=%" PRIu32 "\n",
            NAME_WIDTH, "", uf_stop_phase_text(so_far->phase), milliseconds(so_far->took, took), so_far->refused,
            so_far->ended, so_far->cancelled, so_far->shut_down, so_far->cut_off);
}

static void job_submitted(void *context, const uf_flow *flow, const uf_job_event *event)
{
    uf_console *const console = context;
    char text[TEXT_SIZE];
    fprintf(console->out, "%-*s ASYNC SUBMIT  %s\n", NAME_WIDTH, label(flow, text), event->job);
}

static void job_completed(void *context, const uf_flow *flow, const uf_job_event *event)
{
    uf_console *const console = context;
    bool const late = event->status == UF_JOB_TIMED_OUT, well = event->status == UF_JOB_DONE;
    char text[TEXT_SIZE], wait[TEXT_SIZE];
    fprintf(console->out, "%-*s ASYNC DONE    %s  wait=%s%s%s%s\n", NAME_WIDTH, label(flow, text), event->job,
            milliseconds(event->waited, wait),
            well   ? ""
            : late ? " [TIMEOUT]"
                   : " [ERROR]",
            !late && event->reason[0] ? "  reason=" : "", late ? "" : event->reason);
}

static void job_abandoned(void *context, const uf_flow *flow, const uf_job_event *event)
{
    uf_console *const console = context;
    char text[TEXT_SIZE];
    fprintf(console->out, "%-*s [ASYNC ABANDONED]  %s\n", NAME_WIDTH, label(flow, text), event->job);
}

static void job_rejected(void *context, const uf_flow *flow, const uf_job_event *event)
{
    uf_console *const console = context;
    char text[TEXT_SIZE];
    fprintf(console->out, "%-*s [ASYNC HIGHWATER]  %s rejected, inflight=%" PRIu32 "  reason=%s\n", NAME_WIDTH,
            label(flow, text), event->job, event->in_flight, event->reason);
}

static void slow_step(void *context, const uf_flow *flow, const uf_slow_step *slow)
{
    uf_console *const console = context;
    char text[TEXT_SIZE], took[TEXT_SIZE];
    fprintf(console->out, "%-*s [SLOW CPU]  %s.%s  took=%s\n", NAME_WIDTH, label(flow, text), slow->task, slow->step,
            milliseconds(slow->took, took));
}

static void slow_job(void *context, const uf_flow *flow, const uf_job_event *event)
{
    uf_console *const console = context;
    char text[TEXT_SIZE], wait[TEXT_SIZE];
    fprintf(console->out, "%-*s [SLOW ASYNC]  %s  worker=%s wait=%s%s\n", NAME_WIDTH, label(flow, text), event->job,
            event->worker, milliseconds(event->waited, wait),
            event->status == UF_JOB_NONE ? "  nobody waits for it" : "");
}

/* What took longest in a round. */
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
    uf_console *const console = context;
    char took[TEXT_SIZE], steps[TEXT_SIZE], longest[TEXT_SIZE], who[TEXT_SIZE] = "-";
    if (slow->longest) name_longest(slow, who);
    fprintf(console->out, "%-*s [SLOW ROUND]  took=%s turns=%" PRIu32 " steps=%s  longest=%s %s\n", NAME_WIDTH, "",
            milliseconds(slow->took, took), slow->turns, milliseconds(slow->steps, steps),
            milliseconds(slow->longest, longest), who);
}

uf_status uf_console_init(uf_console *console, FILE *out)
{
    if (!console || !out) return UF_INVALID;
    *console = (uf_console){
        .observer =
            {
                .context = console,
                .flow_started = flow_started,
                .step_changed = step_changed,
                .step_failed = step_failed,
                .flow_ended = flow_ended,
                .signal_fired = signal_fired,
                .checkpoint_parked = checkpoint_parked,
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

/* One that is attached already is not touched; the last on the list has no next one, as one that is new. */
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
