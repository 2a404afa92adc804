/* SPDX-License-Identifier: MIT */
/* driver.c - runs random programs in virtual time and prints everything observable.
 *
 *   batch            every program of the table, under each of its DRIVES
 *   batch P17        only that program
 *
 * A drive is a series of random acts with virtual time between them, then a graceful shutdown. Drives differ in their
 * setup: with or without observers, and with jobs that end at seeded moments or within their submit. */
#include "driver.h"

#include <stdio.h>
#include <string.h>

enum { DRIVES = 4, ACTS = 12, FUEL = 40, WORKS = 12 };

static uf_pump pump;
static unsigned fuel;

/* -- random numbers: splitmix64 ------------------------------------------------------------------------------------ */

static uint64_t random_state;

static unsigned below(unsigned limit)
{
    uint64_t mixed = random_state += UINT64_C(0x9E3779B97F4A7C15);
    mixed = (mixed ^ mixed >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94D049BB133111EB);
    return (unsigned)((mixed ^ mixed >> 31) % limit);
}

/* -- functions that programs call ---------------------------------------------------------------------------------- */

static long long now(void)
{
    return (long long)uf_pump_now(&pump);
}

void random_say(const uf_flow *flow, const char *what, int value)
{
    char path[64];
    uf_flow_path(flow, path, sizeof path);
    printf("%lld %s: %s %d, step %lld\n", now(), path, what, value, (long long)uf_flow_ordinal(flow));
}

int random_note(const uf_flow *flow, int value)
{
    random_say(flow, "evaluates", value);
    return value;
}

void random_drop(int *item)
{
    printf("dropped %d\n", *item);
    *item = -1;
}

void random_fire(uf_signal *signal)
{
    /* Prints before it fires, because observers print during the fire. */
    printf("fire\n");
    random_count("fired", uf_signal_fire(signal));
}

void random_result(const char *what, uf_status status)
{
    printf("%s: %s\n", what, uf_status_text(status));
}

void random_count(const char *what, uint32_t count)
{
    printf("%s: %lu\n", what, (unsigned long)count);
}

void random_worked(int worker, int value)
{
    printf("worker %d: %d%s\n", worker, value, uf_job_cancelled() ? ", cancelled" : "");
}

bool random_go_on(void)
{
    if (fuel == 0) return false;
    fuel--;
    return true;
}

/* -- observers ----------------------------------------------------------------------------------------------------- */

static const char *path_of(const uf_flow *flow)
{
    static char path[64];
    uf_flow_path(flow, path, sizeof path);
    return path;
}

static void flow_started(void *context, const uf_flow *flow)
{
    printf("  %s %s starts %s\n", (const char *)context, path_of(flow), uf_flow_task(flow));
}

static void step_changed(void *context, const uf_flow *flow, const uf_step_change *change)
{
    printf("  %s %s %s.%s -> %s.%s \"%s\" %lu %lld %lu\n", (const char *)context, path_of(flow), change->task,
           change->from, change->to_task, change->to, change->description, (unsigned long)change->ordinal,
           (long long)change->elapsed, (unsigned long)change->ticks);
}

static void step_failed(void *context, const uf_flow *flow, const char *step, const char *reason)
{
    printf("  %s %s %s failed: %s\n", (const char *)context, path_of(flow), step, reason);
}

static void flow_paused(void *context, const uf_flow *flow)
{
    printf("  %s %s is paused\n", (const char *)context, path_of(flow));
}

static void flow_resumed(void *context, const uf_flow *flow)
{
    printf("  %s %s is resumed\n", (const char *)context, path_of(flow));
}

static void flow_ended(void *context, const uf_flow *flow, const uf_flow_end *end)
{
    printf("  %s %s ends in %s: %s, %s, %lu\n", (const char *)context, path_of(flow), end->task,
           uf_outcome_text(end->outcome), end->reason, (unsigned long)end->ordinal);
    if (end->times) printf("    after %lld, jobs %lld\n", (long long)end->times->wall, (long long)end->times->in_jobs);
}

static void signal_fired(void *context, const char *name, uint32_t released)
{
    printf("  %s %s fired, %lu\n", (const char *)context, name, (unsigned long)released);
}

static void checkpoint_parked(void *context, const uf_flow *flow, const char *name)
{
    printf("  %s %s stops at %s\n", (const char *)context, path_of(flow), name);
}

static void tell_job(const char *what, void *context, const uf_flow *flow, const uf_job_event *event)
{
    printf("  %s %s job %s %s %s in %s: %s, %s, %lld, %lu\n", (const char *)context, path_of(flow), event->job, what,
           event->worker, event->step, uf_job_status_text(event->status), event->reason, (long long)event->waited,
           (unsigned long)event->in_flight);
}

static void job_submitted(void *context, const uf_flow *flow, const uf_job_event *event)
{
    tell_job("submitted", context, flow, event);
}

static void job_completed(void *context, const uf_flow *flow, const uf_job_event *event)
{
    tell_job("completed", context, flow, event);
}

static void job_abandoned(void *context, const uf_flow *flow, const uf_job_event *event)
{
    tell_job("abandoned", context, flow, event);
}

static void job_rejected(void *context, const uf_flow *flow, const uf_job_event *event)
{
    tell_job("rejected", context, flow, event);
}

static void slow_job(void *context, const uf_flow *flow, const uf_job_event *event)
{
    tell_job("slow", context, flow, event);
}

static void print_report(const char *what, const uf_stop_report *report)
{
    printf(
        "%s %s: took %lld refused %lu ended %lu cancelled %lu shut_down %lu failed %lu cut_off %lu jobs %lu %lu %lu\n",
        what, uf_stop_phase_text(report->phase), (long long)report->took, (unsigned long)report->refused,
        (unsigned long)report->ended, (unsigned long)report->cancelled, (unsigned long)report->shut_down,
        (unsigned long)report->failed, (unsigned long)report->cut_off, (unsigned long)report->jobs_dropped,
        (unsigned long)report->jobs_ended, (unsigned long)report->jobs_left);
    for (uint32_t i = 0; i < report->named; i++) printf("    %s\n", report->names[i]);
}

static void stopping(void *context, const uf_stop_report *so_far)
{
    print_report((const char *)context, so_far);
}

static char first_name[] = "1", second_name[] = "2";
static const uf_observer everything = {
    .flow_started = flow_started,
    .step_changed = step_changed,
    .step_failed = step_failed,
    .flow_paused = flow_paused,
    .flow_resumed = flow_resumed,
    .flow_ended = flow_ended,
    .signal_fired = signal_fired,
    .checkpoint_parked = checkpoint_parked,
    .job_submitted = job_submitted,
    .job_completed = job_completed,
    .job_abandoned = job_abandoned,
    .job_rejected = job_rejected,
    .slow_job = slow_job,
    .stopping = stopping,
};

/* -- drives -------------------------------------------------------------------------------------------------------- */

static void print_state(const random_program *program)
{
    printf("at %lld, next %lld, %lu running, round %llu\n", now(), (long long)uf_pump_next_deadline(&pump),
           (unsigned long)uf_pump_running(&pump), (unsigned long long)uf_pump_rounds(&pump));
    for (unsigned i = 0; i < program->flow_count; i++) {
        const uf_flow *const flow = program->flows[i];
        if (uf_flow_outcome(flow) == UF_NEVER_RAN) continue;
        printf("    %s %s %s.%s:%lu %lld %lld \"%s\" \"%s\"\n", path_of(flow), uf_outcome_text(uf_flow_outcome(flow)),
               uf_flow_task(flow), uf_flow_step(flow), (unsigned long)uf_flow_line(flow),
               (long long)uf_flow_ordinal(flow), (long long)uf_flow_step_elapsed(flow), uf_flow_description(flow),
               uf_flow_reason(flow));
    }
}

static void act(const random_program *program, uf_observer *second, bool *attached)
{
    switch (below(14)) {
    case 0: random_result("scale", uf_pump_set_scale_fixed(&pump, (uint64_t)(1 + below(4)) << 31)); break;
    case 1: uf_pump_freeze(&pump); break;
    case 2: /* twice as likely as a freeze */
    case 3: uf_pump_resume(&pump); break;
    case 4:
        if (!second) break;
        if (*attached) random_result("remove", uf_pump_remove_observer(&pump, second));
        else random_result("add", uf_pump_add_observer(&pump, second));
        *attached = !*attached;
        break;
    case 5:
    case 6: program->start((int)below(9)); /* fall through */
    default:                               /* actions that the program offers */
        for (unsigned i = below(3) + 1; i > 0; i--) {
            unsigned const which = below(program->act_count);
            program->act(which, (int)below(9));
        }
        break;
    }
}

static void drive(const random_program *program, unsigned number)
{
    static const uf_time steps[] = {UF_MS(1), UF_MS(7), UF_MS(40), UF_US(300), 0};
    static uf_work works[WORKS];
    static uf_seeded_pool seeded;
    static uf_run_record records[3];
    bool const observed = number % 2 == 1;

    printf("== %s, drive %u\n", program->name, number);
    memset(&pump, 0, sizeof pump);
    memset(works, 0, sizeof works);
    memset(records, 0, sizeof records);
    random_state = number;
    for (const char *at = program->name; *at; at++) random_state = random_state * 31 + (unsigned char)*at;
    random_result("pool", uf_pool_seeded(&seeded, works, WORKS, below(1000), UF_MS(8)));
    uf_pump_config config = {.pool = number < 3 ? &seeded.pool : uf_pool_inline(), .jobs_per_flow = 4};
    if (number == 2) config.stay_interval = UF_MS(3);
    if (number == 3) config.slow_job = UF_MS(4), config.step_interval = UF_US(100);
    random_result("pump", uf_pump_init(&pump, &config));
    uf_observer first = everything, second = everything;
    first.context = first_name, second.context = second_name;
    first.runs = records, first.run_capacity = 3;
    bool attached = false;
    if (observed) random_result("add", uf_pump_add_observer(&pump, &first));
    program->init(&pump);
    fuel = FUEL;
    program->start((int)below(9));
    for (unsigned i = 0; i < ACTS; i++) {
        random_result("time", uf_simulate_until(&pump, uf_pump_now(&pump) + steps[below(5)]));
        print_state(program);
        fuel = FUEL;
        act(program, observed ? &second : NULL, &attached);
    }
    uf_pump_resume(&pump);
    fuel = FUEL;
    random_result("idle", uf_simulate_until_idle(&pump, uf_pump_now(&pump) + UF_MS(500)));
    print_state(program);
    program->start((int)below(9));
    uf_stop_report report;
    fuel = 2 * FUEL;
    random_result("stop", uf_simulate_stop(&pump, UF_MS(100), &report));
    print_report("report", &report);
    print_state(program);
    program->destroy();
    random_result("pump", uf_pump_destroy(&pump));
}

int main(int argc, char **argv)
{
    static char buffer[1 << 16];
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    for (unsigned i = 0; i < random_program_count; i++) {
        if (argc > 1 && strcmp(argv[1], random_programs[i].name) != 0) continue;
        for (unsigned number = 0; number < DRIVES; number++) drive(&random_programs[i], number);
    }
    return 0;
}
