/* SPDX-License-Identifier: MIT */
/* run.c - the rounds of one run of a test.
 *
 * The runner drives the pump. A round is followed by what the test asks for after each round, and time moves to the
 * next event: of the pump, of an `at`, or of an `every`. All times are logical; real time moves with them. */
#include "run.h"

#include "from_thread.h"
#include "history.h"
#include "jobs.h"
#include "order.h"
#include "stops.h"
#include "texts.h"

#include "uflow/pool.h"
#include "uflow/priv/pump.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define NO_HOOK UINT32_MAX

/* The run in progress, or the last one. The functions that a test calls know no other. */
static struct {
    uft_runs *runs;
    const uf_test *test;
    uf_pump *pump;
    uft_watch *watch;
    bool is_over;   /* hooks are called no more */
    bool has_ended; /* nothing runs */
    bool may_dump;  /* the pump can be asked what flows wait for */
    bool has_noted; /* it was asked for the failure that follows */
    uint32_t hook;
    uint32_t first_check, end_check; /* the hooks from the first `always` or `sometimes` to the last one */
    bool has_each_round;
    uint32_t fails_at;          /* line of the last `fail`; 0: none */
    uf_time next;               /* earliest `at` or `every` */
    uf_time now;                /* real time of the last round */
    uf_time end;                /* logical time at which the test has to be over */
    const uft_network *network; /* NULL: the test has no sockets */
    uft_stopping stopping;
} run;

/* -- failures ------------------------------------------------------------------------------------------------------ */

uft_place uft_head(const uft_case *of)
{
    return (uft_place){of->shown, of->test->line};
}

uft_place uft_line(uint32_t line)
{
    return (uft_place){run.runs ? run.runs->of->shown : NULL, line};
}

void uft_note_waits(void)
{
    bool const is_asked = run.runs->is_repeat && run.may_dump && !run.runs->slot->failed;
    if (is_asked) uft_read_waits(run.runs->slot, run.pump, run.test->flow);
}

static void fail_with(uft_place at, uf_time time, const char *format, va_list arguments)
{
    uft_slot *const slot = run.runs->slot;

    if (slot->failed) return;
    if (!run.has_noted) uft_note_waits();
    slot->failed = true;
    slot->at = at;
    slot->time = time;
    (void)vsnprintf(slot->message, sizeof slot->message, format, arguments);
}

/* What runs beside the test is cancelled before its task has failed. */
bool uf_test_ends(uint32_t line)
{
    if (run.stopping.has_begun) return false;
    if (line) {
        run.fails_at = line;
        uft_note_waits();
    }
    return true;
}

void uft_fail(uft_place at, const char *format, ...)
{
    va_list arguments;

    if (!run.runs) return; /* a check in C outside of a test */
    va_start(arguments, format);
    fail_with(at, uf_pump_now(run.pump), format, arguments);
    va_end(arguments);
}

/* Fails the test at its head. */
static void fail_at(uf_time time, const char *format, ...) UF_FORMAT(2, 3);
static void fail_at(uf_time time, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    fail_with(uft_head(run.runs->of), time, format, arguments);
    va_end(arguments);
}

/* The flow whose step runs; NULL: none does. */
static const uf_flow *current(void)
{
    uf_flow const *const flow = run.pump->current;
    return run.hook == NO_HOOK && run.pump->in_round && flow && uf_flow_running(flow) ? flow : NULL;
}

static uft_place here(void)
{
    uf_flow const *const flow = current();

    if (flow) return (uft_place){uft_shown(flow->type->source), uf_flow_line(flow)};
    return run.hook != NO_HOOK ? uft_line(run.test->hooks[run.hook].line) : uft_head(run.runs->of);
}

bool uft_is_of_test(void)
{
    uf_flow const *const flow = current();
    return !flow || flow == run.test->flow;
}

void uft_fail_here(const char *format, ...)
{
    va_list arguments;

    if (!run.runs) return;
    va_start(arguments, format);
    fail_with(here(), uf_pump_now(run.pump), format, arguments);
    va_end(arguments);
}

void uft_note_where(uft_slot *slot)
{
    if (!run.runs) return;
    uf_flow const *const flow = current();
    char name[TEST_LINE_SIZE / 2];

    slot->time = uf_pump_now(run.pump);
    slot->at = here();
    if (flow) {
        (void)uft_flow_name(run.watch->root, flow, name, sizeof name);
        (void)snprintf(slot->where, sizeof slot->where, "%s%s%s %s", name, flow == run.watch->root ? "" : " ",
                       flow == run.watch->root ? "" : uf_flow_task(flow), uf_flow_step(flow));
    }
}

/* -- hooks --------------------------------------------------------------------------------------------------------- */

static bool call_hook(uint32_t hook)
{
    run.hook = hook;
    bool const holds = run.test->run(hook);
    run.hook = NO_HOOK;
    return holds;
}

/* A stop has its own end. */
void uft_call_row(uint32_t hook)
{
    uf_test_hook const *const row = &run.test->hooks[hook];

    if (row->kind == UF_TEST_HOOK_STOPS) {
        uft_stop_begin(&run.stopping, run.pump, run.test->flow, run.test->time(hook), row->line);
        if (run.stopping.has_begun) run.end = UF_FOREVER;
    } else if (row->kind == UF_TEST_HOOK_FROM_THREAD) uft_from_thread(run.pump, call_hook, hook);
    else (void)call_hook(hook);
}

void uft_note(uf_time time, const char *text, bool is_disturbance)
{
    if (!run.watch->note) return;
    if (is_disturbance) uft_keep_note(run.runs->slot, time, text);
    else run.watch->note(run.watch->context, time, text);
}

bool uft_is_stopping(void)
{
    return run.stopping.has_begun;
}

uft_disturber *uft_disturber_now(void)
{
    return run.runs && !run.is_over ? run.runs->disturber : NULL;
}

static bool is_timed(const uf_test_hook *hook)
{
    return hook->kind == UF_TEST_HOOK_AT || hook->kind == UF_TEST_HOOK_EVERY;
}

static void find_next(void)
{
    run.next = UF_FOREVER;
    for (uint32_t i = 0; i < run.test->hook_count; i++)
        if (is_timed(&run.test->hooks[i]) && run.runs->next[i] < run.next) run.next = run.runs->next[i];
}

static bool is_check(const uf_test_hook *hook)
{
    return hook->kind == UF_TEST_HOOK_ALWAYS || hook->kind == UF_TEST_HOOK_SOMETIMES;
}

/* Finds what each round looks for, so that it need not look at all hooks. Returns: does any hook run before rounds? */
static bool find_hooks(void)
{
    uf_test_hook const *const hooks = run.test->hooks;
    uint32_t const count = run.test->hook_count;
    bool any = run.runs->disturber != NULL;

    run.has_each_round = false;
    run.first_check = run.end_check = 0;
    for (uint32_t i = 0; i < count; i++) {
        run.has_each_round |= hooks[i].kind == UF_TEST_HOOK_EACH_ROUND;
        any |= is_timed(&hooks[i]);
        if (!is_check(&hooks[i])) continue;
        if (run.end_check == 0) run.first_check = i;
        run.end_check = i + 1;
    }
    return any || run.has_each_round;
}

/* Reads the times of the hooks. */
static void prepare_hooks(void)
{
    for (uint32_t i = 0; i < run.test->hook_count; i++) {
        uf_test_hook const *const hook = &run.test->hooks[i];
        if (!is_timed(hook)) continue;
        run.runs->next[i] = run.test->time(i);
        if (hook->kind == UF_TEST_HOOK_EVERY && run.runs->next[i] <= 0)
            uft_fail((uft_place){run.runs->of->shown, hook->line}, "every: the duration is not above 0");
    }
    find_next();
}

static void note_at(uint32_t line)
{
    char text[TEST_TIME_SIZE];

    (void)snprintf(text, sizeof text, "at, line %u", (unsigned)line);
    uft_note(uf_pump_now(run.pump), text, false);
}

/* Calls a timed hook that is due: an `every` once for each time that has come. */
static void call_due(uint32_t hook, uf_time now)
{
    uf_time *const next = &run.runs->next[hook];

    while (*next <= now && !run.runs->slot->failed) {
        bool const is_at = run.test->hooks[hook].kind == UF_TEST_HOOK_AT;
        *next = is_at ? UF_FOREVER : uf_time_add(*next, run.test->time(hook));
        if (is_at) note_at(run.test->hooks[hook].line);
        run.runs->seen[hook] = true;
        (void)call_hook(hook);
    }
}

static void call_before(uf_time now)
{
    for (uint32_t i = 0; i < run.test->hook_count; i++) {
        if (run.test->hooks[i].kind == UF_TEST_HOOK_EACH_ROUND) (void)call_hook(i);
        else if (is_timed(&run.test->hooks[i])) call_due(i, now);
    }
    if (run.next <= now) find_next();
}

/* The hook `pre_round` of the pump. */
static void before_round(void *context)
{
    uf_time const now = run.pump->clock.logical;

    (void)context;
    uft_jobs_round(run.pump);
    if (run.is_over) return;
    if (run.runs->disturber) uft_disturb_round(run.runs->disturber);
    if (run.has_each_round || run.next <= now) call_before(now);
    if (run.network) (void)run.network->wake(run.pump); /* also for what these blocks have sent */
    if (run.runs->disturber) uft_order(run.runs->disturber, run.pump);
}

static void after_round(void)
{
    uf_test_hook const *const hooks = run.test->hooks;
    uft_slot const *const slot = run.runs->slot;

    for (uint32_t i = run.first_check; i < run.end_check && !slot->failed; i++) {
        uint8_t const kind = hooks[i].kind;
        if (kind == UF_TEST_HOOK_ALWAYS) (void)call_hook(i);
        else if (kind == UF_TEST_HOOK_SOMETIMES && !run.runs->seen[i]) run.runs->seen[i] = call_hook(i);
    }
}

/* -- rounds -------------------------------------------------------------------------------------------------------- */

static uf_time sooner(uf_time a, uf_time b)
{
    return a < b ? a : b;
}

/* The flow and the step that a transition has left: the words before its arrow. Returns: NULL: it is no transition. */
static const char *step_of(const uft_entry *line, int *length)
{
    char const *const to = strstr(line->text, " -> ");

    *length = to ? (int)(to - line->text) : 0;
    return to ? line->text : NULL;
}

/* Names the steps of the last transitions, each once. */
static void name_steps(char *text, size_t size)
{
    size_t used = 0;
    const uft_entry *line;

    for (uint32_t i = 0; used < size && (line = uft_history_line(run.runs->slot, i)) != NULL; i++) {
        int length, other;
        char const *const step = step_of(line, &length);
        uint32_t before = 0;
        for (; before < i; before++) {
            char const *const earlier = step_of(uft_history_line(run.runs->slot, before), &other);
            if (step && other == length && memcmp(earlier, step, (size_t)length) == 0) break;
        }
        if (step && before == i)
            used += (size_t)snprintf(text + used, size - used, "%s%.*s", used ? ", " : "", length, step);
    }
}

static void fail_still(void)
{
    char time[TEST_TIME_SIZE], steps[512] = "";

    name_steps(steps, sizeof steps);
    fail_at(uf_pump_now(run.pump), "time stands still: %u rounds at %s%s%s", (unsigned)run.runs->rounds_at_once,
            uft_time_text(uf_pump_now(run.pump), time), *steps ? ", in the steps " : "", steps);
}

/* The time until the next event of the pump, which may be later than the pump has said: so that no round depends on how
 * the wheel stores its timers. */
static uf_time exact(uf_time wait)
{
    bool const polls = run.pump->polling.next != &run.pump->polling && wait == run.pump->config.stay_interval;
    if (polls) return wait;
    uf_time const deadline = uf_pump_next_deadline(run.pump);
    if (deadline != UF_FOREVER && deadline == run.pump->clock.logical + wait) return wait;
    return uf_pump_timeout(run.pump);
}

/* Nothing happens before the limit. Returns: a `sometime` does; else the test has failed. */
UF_NOINLINE static bool is_stuck(uf_time wait, uf_time within)
{
    char text[TEST_TIME_SIZE];

    if (run.runs->disturber && uft_disturb_at_last(run.runs->disturber)) return false;
    if (wait == UF_FOREVER) fail_at(uf_pump_now(run.pump), "nothing can happen any more");
    else {
        uf_clock_advance(&run.pump->clock, uf_time_add(run.now, uf_clock_real_until(&run.pump->clock, run.end)));
        fail_at(run.end, "not over after %s", uft_duration_text(within, text));
    }
    return true;
}

/* Logical time of the next event that the pump does not know. */
static inline uf_time next_outside(void)
{
    return run.network ? sooner(run.next, run.network->next()) : run.next;
}

/* Moves time to the next event. Returns: false: there is none, or not within the limit, and the test has failed. */
static inline bool move_on(uf_time wait, uf_time within)
{
    uf_time const next = next_outside();

    if (wait != UF_FOREVER) wait = exact(wait);
    if (next != UF_FOREVER) wait = sooner(wait, uf_clock_real_until(&run.pump->clock, next));
    bool const may_be_beyond = wait >= run.end - run.pump->clock.logical; /* `wait` is of real time */
    if (may_be_beyond && (wait == UF_FOREVER || wait > uf_clock_real_until(&run.pump->clock, run.end)))
        return !is_stuck(wait, within);
    run.now += wait;
    return true;
}

/* Before a round: the test's limit moves along with a delay. */
static void be_late(uft_disturber *disturber)
{
    uf_time const delay = uft_disturb_time(disturber, run.pump, run.now);

    run.now += delay;
    run.end = uf_time_add(run.end, delay);
}

/* Logical time of the next round, as far as it is known. */
static uf_time next_round(uf_time wait)
{
    if (wait == 0 || run.runs->disturber->loud_until == UF_FOREVER) return run.pump->clock.logical;
    return sooner(uf_pump_next_deadline(run.pump), next_outside());
}

static bool is_at_end(const uft_disturber *disturber)
{
    bool const stops = disturber && run.stopping.has_begun;
    return stops ? uf_pump_stopped(run.pump) : (UF_LOAD_STATE(run.test->flow) & UF_STATE_IDLE) != 0;
}

/* After a round. Returns: the time until the next one. */
static uf_time disturbed(uft_disturber *disturber, uf_time wait)
{
    if (run.stopping.has_begun && uft_stop_settle(&run.stopping, run.test->flow)) wait = uf_pump_timeout(run.pump);
    uft_jobs_place(disturber);
    return uft_disturb_after(disturber, run.pump, next_round(wait)) ? 0 : wait;
}

/* Runs rounds until the test is over. */
static void run_rounds(uf_time within)
{
    uft_disturber *const disturber = run.runs->disturber;
    uft_slot *const slot = run.runs->slot;
    uf_pump *const pump = run.pump;
    uint32_t at_once = 0;
    uf_time before = -1;

    run.end = within;
    for (;;) {
        if (disturber) be_late(disturber);
        uf_time wait = uf_pump_round(pump, run.now);
        slot->progress++;
        uft_watch_states(run.watch, pump);
        after_round();
        if (slot->failed || is_at_end(disturber)) return;
        if (disturber) wait = disturbed(disturber, wait);
        if (run.network && run.network->wake(pump)) wait = 0;
        uf_time const now = pump->clock.logical;
        at_once = now == before ? at_once + 1 : 1;
        before = now;
        if (at_once >= run.runs->rounds_at_once) {
            fail_still();
            return;
        }
        if (wait != 0 && !move_on(wait, within)) return;
    }
}

/* -- the end ------------------------------------------------------------------------------------------------------- */

/* A run that starts another one in its `on exit` does so again after the next cancel. */
#define CANCELS 100

static void end_flows(void)
{
    for (int i = 0; i < CANCELS && (uf_pump_running(run.pump) > 0 || uft_has_request(run.pump)); i++) {
        uf_pump_cancel_all(run.pump);
        (void)uf_pump_round(run.pump, run.now);
        run.runs->slot->progress++;
    }
}

static void fail_running(const uf_flow *flow)
{
    char name[TEST_LINE_SIZE];

    fail_at(uf_pump_now(run.pump), "%s still runs at the end, in %s.%s, and cannot be cancelled",
            uft_flow_name(run.watch->root, flow, name, sizeof name), uf_flow_task(flow), uf_flow_step(flow));
}

/* What is left when the task of the test has ended: flows that cannot be cancelled, and checkpoints that are armed. The
 * list of flows is read without its lock, since the pump has one thread. */
static void check_rest(void)
{
    char name[TEST_LINE_SIZE];
    const char *armed = run.stopping.has_begun ? NULL : uft_armed_checkpoint(NULL); /* the test would disarm it */
    uft_watch const *const watch = run.watch;

    for (uf_link const *link = run.pump->flows.next; link != &run.pump->flows; link = link->next) {
        uf_flow const *const flow = (const uf_flow *)((uintptr_t)link - offsetof(uf_flow, attached));
        if (uf_flow_running(flow)) fail_running(flow);
        if (!armed && !run.stopping.has_begun) armed = uft_armed_checkpoint(flow);
    }
    if (armed) fail_at(uf_pump_now(run.pump), "checkpoint %s is armed at the end", armed);
    if (watch->failed_exit)
        fail_at(uf_pump_now(run.pump), "`on exit` of %s has failed%s%s",
                uft_flow_name(watch->root, watch->failed_exit, name, sizeof name), *watch->failure ? ": " : "",
                watch->failure);
}

/* The outcome of the test's own run. */
static void judge(void)
{
    uf_outcome const outcome = uf_flow_outcome(run.test->flow);
    const char *const reason = uf_flow_reason(run.test->flow);
    uft_place const at = {run.runs->of->shown, run.fails_at ? run.fails_at : run.watch->left_line};

    run.has_noted = run.watch->is_caused || run.fails_at;
    if (run.watch->is_caused) (void)snprintf(run.runs->slot->cause, TEST_LINE_SIZE, "%s", run.watch->cause);
    if (outcome == UF_FAILED) {
        run.runs->slot->has_reason = !run.runs->slot->failed;
        uft_fail(at, "%s", *reason ? reason : "failed");
    } else if (outcome != UF_DONE && outcome != UF_RUNNING) uft_fail(at, "the test was %s", uf_outcome_text(outcome));
}

uf_pump *uft_join(const uft_network *network)
{
    if (!run.runs || run.has_ended) return NULL;
    run.network = network;
    run.pump->config.poll = network->poll;
    run.pump->config.pre_round = before_round;
    return run.pump;
}

static bool start(void)
{
    uf_status status;

    memset(run.test->flow, 0, run.test->type->size);
    uft_reset_points();
    status = uf_pump_init(run.pump,
                          &(uf_pump_config){.pool = uft_jobs_begin(run.test, before_round), .pre_round = before_round});
    if (status == UF_OK) status = run.test->init(run.pump, "test");
    if (status != UF_OK) {
        fail_at(0, "the test cannot be initialised: %s", uf_status_text(status));
        return false;
    }
    prepare_hooks();
    if (!find_hooks() && !run.network) run.pump->config.pre_round = NULL;
    if (run.runs->disturber) uft_disturb_begin(run.runs->disturber);
    uft_watch_begin(run.watch, run.pump, run.test->flow);
    run.may_dump = true;
    if (run.runs->recorder) (void)uf_pump_add_observer(run.pump, run.runs->recorder);
    status = run.test->start();
    if (status != UF_OK) fail_at(0, "the test cannot be started: %s", uf_status_text(status));
    return status == UF_OK && !run.runs->slot->failed;
}

void uft_begin_runs(uft_runs *runs)
{
    run.runs = runs;
    run.test = runs->of->test;
    run.pump = runs->pump;
    run.hook = NO_HOOK;
    run.is_over = true;
}

void uft_run(uft_runs *runs, uft_watch *watch)
{
    run.runs = runs;
    run.test = runs->of->test;
    run.pump = runs->pump;
    run.watch = watch;
    run.is_over = run.has_ended = run.may_dump = run.has_noted = false;
    run.network = NULL;
    run.hook = NO_HOOK;
    run.fails_at = 0;
    run.stopping.has_begun = false;
    uft_threads_begin();
    run.now = 0;
    if (start()) {
        run_rounds(run.test->time(run.test->hook_count));
        if (runs->disturber) runs->disturber->end = uf_pump_now(run.pump);
        if (run.stopping.has_begun) uft_stop_judge(&run.stopping);
        else judge();
    }
    run.is_over = true;
    end_flows();
    check_rest();
    run.may_dump = false;
    if (runs->recorder) (void)uf_pump_remove_observer(run.pump, runs->recorder);
    if (watch->observes) (void)uf_pump_remove_observer(run.pump, &watch->observer);
    if (uf_flow_detach(run.test->flow) == UF_OK) (void)uf_pump_destroy(run.pump);
    run.has_ended = true;
    if (run.network) run.network->end();
}
