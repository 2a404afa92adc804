/* SPDX-License-Identifier: MIT */
/* acting.c - a body, or an observer, does something at each event of a run in turn. They see the same on every path:
 * single rounds, the loops of virtual time, a clock that times bodies, observers. */
#include "harness.h"

#include <stdio.h>
#include <string.h>

#include "uflow/pool.h"
#include "uflow/recorder.h"
#include "uflow/simulate.h"
#include "uflow/stop.h"

#include "acting.h"

enum { TEXT = 1 << 16, MOST_EVENTS = 200, CLEANING = 20 };

bool condition;

static Guarded guarded;
static Plain plain;
static Child child;
static uf_observer first, second;
static uf_recorder recorder;
static uf_stop stop;

/* -- what happens -------------------------------------------------------------------------------------------------- */

static void do_nothing(uf_flow *flow)
{
    (void)flow;
}

static void cancel(uf_flow *flow)
{
    if (flow) (void)uf_flow_cancel(flow);
}

static void cancel_all(uf_flow *flow)
{
    (void)flow;
    uf_pump_cancel_all(&pump);
}

static void start_other(uf_flow *flow)
{
    (void)flow;
    (void)Child_start_Work(&child, 3);
}

static void start_child(uf_flow *flow)
{
    (void)flow;
    (void)Child_start_Hold(&plain.child);
}

static void fail_run(uf_flow *flow)
{
    if (flow) (void)uf_flow_fail(flow, "no more");
}

static void fire_handlers(uf_flow *flow)
{
    (void)flow;
    (void)uf_signal_fire(&guarded.alarm);
}

static void fire_tasks_handler(uf_flow *flow)
{
    (void)flow;
    (void)uf_signal_fire(&guarded.drill);
}

static void fire(uf_flow *flow)
{
    (void)flow;
    (void)uf_signal_fire(&guarded.go);
    (void)uf_signal_fire(&plain.go);
}

static void send_one(uf_flow *flow)
{
    (void)flow;
    (void)Guarded_box_send(&guarded, 1);
    (void)Plain_box_send(&plain, 1);
}

static void stop_pump(uf_flow *flow)
{
    (void)flow;
    (void)uf_pump_stop(&pump, &stop, UF_MS(5));
}

static void set_condition(uf_flow *flow)
{
    (void)flow;
    condition = true;
}

static void describe(uf_flow *flow)
{
    if (flow) uf_describe_text(flow, "mine");
}

static void slow_down(uf_flow *flow)
{
    (void)flow;
    (void)uf_pump_set_scale(&pump, 0.5);
}

static void add_second(uf_flow *flow)
{
    (void)flow;
    (void)uf_pump_add_observer(&pump, &second);
}

static void add_recorder(uf_flow *flow)
{
    static uint64_t memory[1024];
    (void)flow;
    (void)uf_recorder_attach(&recorder, &pump, memory, sizeof memory, 8);
}

static void remove_first(uf_flow *flow)
{
    (void)flow;
    (void)uf_pump_remove_observer(&pump, &first);
}

static void remove_second(uf_flow *flow)
{
    (void)flow;
    (void)uf_pump_remove_observer(&pump, &second);
}

static void remove_both(uf_flow *flow)
{
    remove_first(flow);
    remove_second(flow);
}

static void (*const actions[])(uf_flow *flow) = {
    do_nothing,         cancel,       cancel_all,   start_other,   start_child,   fail_run, fire_handlers,
    fire_tasks_handler, fire,         send_one,     stop_pump,     set_condition, describe, slow_down,
    add_second,         add_recorder, remove_first, remove_second, remove_both,
};
enum { ACTIONS = sizeof actions / sizeof *actions };

/* -- what is seen -------------------------------------------------------------------------------------------------- */

typedef struct text {
    char bytes[TEXT];
    size_t length;
} text;

static struct {
    text bodies, events;
    int body_count, event_count;
} seen;

/* The `at`-th body, or event, does `action`. */
static struct {
    int action, at;
    bool in_body;
} plan;

static void note(text *to, const uf_flow *flow, const char *what)
{
    size_t const room = sizeof to->bytes - to->length;
    int const more = snprintf(to->bytes + to->length, room, "%s:%s@%llu/%lld ", flow ? uf_flow_name(flow) : "", what,
                              (unsigned long long)uf_pump_rounds(&pump), (long long)(uf_pump_now(&pump) / 1000));

    assert_true(more > 0 && (size_t)more < room);
    to->length += (size_t)more;
}

void body_ran(uf_flow *flow)
{
    note(&seen.bodies, flow, uf_flow_step(flow));
    if (++seen.body_count == plan.at && plan.in_body) actions[plan.action](flow);
}

/* Only the first observer acts. */
static void saw(void *context, const uf_flow *flow, const char *what)
{
    note(&seen.events, flow, what);
    if (context == &first && ++seen.event_count == plan.at && !plan.in_body)
        actions[plan.action]((uf_flow *)(uintptr_t)flow);
}

static void saw_started(void *context, const uf_flow *flow)
{
    saw(context, flow, "started");
}

static void saw_requested(void *context, const uf_flow *by, const uf_flow *flow)
{
    (void)by;
    saw(context, flow, "requested");
}

static void saw_change(void *context, const uf_flow *flow, const uf_step_change *change)
{
    char what[200];
    snprintf(what, sizeof what, "%s>%s{%s}#%u x%u %lld us", change->from, change->to, change->description,
             (unsigned)change->ordinal, (unsigned)change->ticks, (long long)(change->elapsed / 1000));
    saw(context, flow, what);
}

static void saw_failure(void *context, const uf_flow *flow, const char *step, const char *reason)
{
    (void)reason;
    saw(context, flow, step);
}

static void saw_wait(void *context, const uf_flow *flow, bool polls)
{
    saw(context, flow, polls ? "polls" : "waits");
}

static void saw_wait_end(void *context, const uf_flow *flow)
{
    saw(context, flow, "goes on");
}

static void saw_handler(void *context, const uf_flow *flow, uint32_t handler)
{
    (void)handler;
    saw(context, flow, "handler");
}

static void saw_end(void *context, const uf_flow *flow, const uf_flow_end *end)
{
    saw(context, flow, uf_outcome_text(end->outcome));
}

static void saw_fire(void *context, const char *name, uint32_t released)
{
    (void)released;
    saw(context, NULL, name);
}

static void saw_body(void *context, const uf_flow *flow, const char *step, uf_time took)
{
    (void)took;
    saw(context, flow, step);
}

static void saw_stop(void *context, const struct uf_stop_report *so_far)
{
    (void)so_far;
    saw(context, NULL, "stopping");
}

static void saw_job(void *context, const uf_flow *flow, const uf_job_event *event)
{
    saw(context, flow, event->job);
}

static void saw_round(void *context, uf_time took)
{
    (void)took;
    saw(context, NULL, "round");
}

static uf_observer observer_as(uf_observer *self)
{
    return (uf_observer){
        .context = self,
        .flow_started = saw_started,
        .run_requested = saw_requested,
        .step_changed = saw_change,
        .step_failed = saw_failure,
        .wait_began = saw_wait,
        .wait_ended = saw_wait_end,
        .handler_decided = saw_handler,
        .flow_ended = saw_end,
        .signal_fired = saw_fire,
        .body_ran = saw_body,
        .stopping = saw_stop,
        .job_submitted = saw_job,
        .job_completed = saw_job,
        .round_ran = saw_round,
    };
}

/* -- runs ---------------------------------------------------------------------------------------------------------- */

typedef struct circumstances {
    int flows; /* which ones run */
    int observers;
    bool timed;  /* bodies are timed, so observers see body_ran and round_ran */
    bool singly; /* one round at a time */
} circumstances;

enum { GUARDED, PLAIN, COUNTING, BOTH, FLOWS };

static uf_time clock_of_pump(void *unused)
{
    (void)unused;
    return pump.clock.real;
}

/* A pump with a function before each round runs no loop of rounds. */
static void before_round(void *unused)
{
    (void)unused;
}

static void start_flows(int flows)
{
    if (flows == GUARDED || flows == BOTH) assert_int_equal(Guarded_start_Run(&guarded), UF_OK);
    if (flows == PLAIN || flows == BOTH) assert_int_equal(Plain_start_Run(&plain), UF_OK);
    if (flows == COUNTING) assert_int_equal(Plain_start_Count(&plain, 6), UF_OK);
}

static void clean_up(void)
{
    uf_pump_cancel_all(&pump);
    for (int i = 0; i < CLEANING; i++) (void)uf_pump_round(&pump, pump.clock.real + UF_MS(1));
    assert_int_equal(Guarded_destroy(&guarded), UF_OK);
    assert_int_equal(Plain_destroy(&plain), UF_OK);
    assert_int_equal(Child_destroy(&child), UF_OK);
    assert_int_equal(uf_pump_destroy(&pump), UF_OK);
}

static void run(const circumstances *c)
{
    uf_seeded_pool pool;
    uf_work works[4];

    memset(&seen, 0, sizeof seen);
    condition = false;
    first = observer_as(&first);
    second = observer_as(&second);
    assert_int_equal(uf_pool_seeded(&pool, works, 4, 7, UF_MS(3)), UF_OK);
    uf_pump_config const config = {
        .pool = &pool.pool, .monotonic = c->timed ? clock_of_pump : NULL, .pre_round = c->singly ? before_round : NULL};
    assert_int_equal(uf_pump_init(&pump, &config), UF_OK);
    assert_int_equal(Guarded_init(&guarded, &pump, "guarded"), UF_OK);
    assert_int_equal(Plain_init(&plain, &pump, "plain"), UF_OK);
    assert_int_equal(Child_init(&child, &pump, "child"), UF_OK);
    if (c->observers > 0) assert_int_equal(uf_pump_add_observer(&pump, &first), UF_OK);
    if (c->observers > 1) assert_int_equal(uf_pump_add_observer(&pump, &second), UF_OK);
    start_flows(c->flows);
    (void)uf_simulate_until_idle(&pump, UF_S(10));
    note(&seen.bodies, NULL, "end");
    int const bodies = seen.body_count, events = seen.event_count;
    plan.at = 0;
    clean_up();
    seen.body_count = bodies;
    seen.event_count = events;
}

static void agree(const text *one, const text *other, const circumstances *c, const char *what)
{
    size_t at = 0;

    if (strcmp(one->bytes, other->bytes) == 0) return;
    while (one->bytes[at] == other->bytes[at]) at++;
    at = at > 100 ? at - 100 : 0;
    print_error("%s: action %d in %s %d, flows %d, %d observers, timed %d, singly %d:\n%.300s\nand not\n%.300s\n", what,
                plan.action, plan.in_body ? "body" : "event", plan.at, c->flows, c->observers, c->timed, c->singly,
                other->bytes + at, one->bytes + at);
    fail_msg("differs");
}

/* Does the action at the `at`-th body or event, on each path. Returns: false if there are fewer. */
static bool act_on_each_path(int flows, int action, bool in_body, int at)
{
    static text bodies, events;
    bool first_run = true, reached = false;

    for (int observers = in_body ? 0 : 1; observers <= 2; observers++) {
        for (int timed = 0; timed < 2; timed++) {
            for (int singly = 1; singly >= 0; singly--) {
                circumstances const c = {flows, observers, timed, singly};
                plan.action = action;
                plan.in_body = in_body;
                plan.at = at;
                run(&c);
                plan.at = at;
                if (singly) events = seen.events;
                else agree(&events, &seen.events, &c, "events");
                if (first_run) bodies = seen.bodies;
                else if (in_body) agree(&bodies, &seen.bodies, &c, "bodies");
                first_run = false;
                reached = reached || (in_body ? seen.body_count : seen.event_count) >= at;
            }
        }
    }
    return reached;
}

CASE(each_path_shows_the_same)
{
    for (int flows = 0; flows < FLOWS; flows++) {
        for (int action = 0; action < ACTIONS; action++) {
            for (int in_body = 0; in_body < 2; in_body++) {
                int at = 1;
                while (at <= MOST_EVENTS && act_on_each_path(flows, action, in_body, at)) at++;
                assert_true(at > 5 && at <= MOST_EVENTS);
            }
        }
    }
}
