/* SPDX-License-Identifier: MIT */
/* moments_world.c - the processes of a scene, with what must be true of their flows. */
#include "moments_world.h"

enum { PATHS = 48, SHUT_AT = 60 };

world *here;
playing now;
unsigned scenes, calls;
char story[1 << 16];
static size_t told;

static void tell(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void tell(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    int const length = vsnprintf(story + told, sizeof story - told, format, arguments);
    va_end(arguments);
    if (length > 0 && told + (size_t)length < sizeof story) told += (size_t)length;
}

static long milliseconds(void)
{
    return (long)(here->pump.clock.real / UF_MS(1));
}

const char *path_of(const uf_flow *flow)
{
    static char text[4][UF_STORE_PATH_SIZE];
    static unsigned next;
    char *const to = text[next++ % 4];
    (void)uf_flow_path(flow, to, UF_STORE_PATH_SIZE);
    return to;
}

life *life_of(const uf_flow *flow)
{
    for (life *at = here->lives; at < here->lives + LIVES; at++) {
        if (!at->flow) at->flow = flow;
        if (at->flow == flow) return at;
    }
    abort();
}

/* -- moments ------------------------------------------------------------------------------------------------------- */

/* The process is about to end. What it does after an odd number does not reach the world. */
static bool has_crashed(void)
{
    bool const is_odd = now.scene.crash % 2 == 1 || here->pump.clock.real >= UF_MS(SHUT_AT);
    return here->is_first && now.scene.crash != NO_CRASH && is_odd &&
           uf_store_memory_commits(here->store) >= (uint64_t)now.scene.crash / 2;
}

/* What bodies have done to the world, which outlives processes. */
typedef struct deeds {
    char path[UF_STORE_PATH_SIZE];
    uint32_t run, entered; /* the latest run with a body, and with an `on enter` */
    int64_t ordinal;
} deeds;

static deeds all_deeds[PATHS];

/* NULL: of a flow that is not kept, or whose runs may be counted anew. */
static deeds *deeds_of(const uf_flow *flow)
{
    const char *const path = path_of(flow);
    deeds *at = all_deeds;

    if (!is_kept_flow(flow) || now.has_forgotten || strstr(path, ".inside")) return NULL;
    while (at < all_deeds + PATHS && *at->path && strcmp(at->path, path) != 0) at++;
    if (at == all_deeds + PATHS) abort();
    strcpy(at->path, path);
    return at;
}

/* No body runs after a later one of its run has begun, nor before the task was entered. */
static void check_order(const uf_flow *flow)
{
    deeds *const of = deeds_of(flow);

    if (!of) return;
    bool const is_earlier = flow->run < of->run || (flow->run == of->run && flow->ordinal < of->ordinal);
    EXPECT(!is_earlier, "%s: run %u step %d after run %u step %d", of->path, (unsigned)flow->run, (int)flow->ordinal,
           (unsigned)of->run, (int)of->ordinal);
    EXPECT(of->entered == flow->run, "%s: run %u has a body, and was not entered", of->path, (unsigned)flow->run);
    of->run = flow->run;
    of->ordinal = flow->ordinal;
}

void world_moment(const uf_flow *flow, moment at)
{
    if (here->is_over) return;
    if (flow && at == AT_ON_ENTER) life_of(flow)->entered++;
    if (flow && at == AT_ON_EXIT && --life_of(flow)->entered < 0 && !life_of(flow)->was_restored &&
        !(now.scene.variant & UNOBSERVED))
        fault("%s: on exit of what was not entered", path_of(flow));
    if (has_crashed()) return;
    if (flow && (at == AT_ON_ENTER || at == AT_HANDLER) && deeds_of(flow)) deeds_of(flow)->entered = flow->run;
    if (here->is_closing) return;
    bool const is_each = now.scene.first.which == EACH;
    if (now.is_calling && !is_each) return;
    unsigned const which = is_each ? EACH : now.seen[at]++;
    bool const is_first = now.scene.first.call && now.scene.first.at == at && now.scene.first.which == which;
    bool const is_second = now.scene.second.call && now.scene.second.at == at && now.scene.second.which == which;
    if (!is_first && !is_second) return;
    now.made = is_first ? now.scene.first : now.scene.second;
    uf_flow *const of = target_of(now.made.target, flow);
    if (now.made.call->has_target && !of) return;
    if (!here->store->pump || !here->spare_item.uf.pump || !here->plain.uf.pump || !here->kept.uf.pump ||
        !here->hall.uf.pump)
        return;
    if (!here->store->is_restored && !(here->store->is_restoring && now.made.call->call == call_restore)) return;
    if (now.made.call->fits && !now.made.call->fits(at)) return;
    now.is_calling = now.was_called = true;
    calls++;
    now.self = flow;
    if (++now.depth > 50) {
        fault("it does not return");
        abort();
    }
    uf_status const status = now.made.call->call(of);
    now.depth--;
    now.self = flow;
    bool const is_failed = status == UF_STORE && here->store->is_failed;
    EXPECT(is_failed || now.made.call->allowed & (UINT32_C(1) << status), "says: %s", uf_status_text(status));
    if (is_verbose)
        printf("at %ld ms, %s, %s: %s\n", milliseconds(), flow ? path_of(flow) : "-", of ? path_of(of) : "-",
               uf_status_text(status));
    now.is_calling = false;
}

bool world_asks(const uf_flow *flow)
{
    world_moment(flow, AT_CONDITION);
    return false;
}

int world_value(const uf_flow *flow, moment at, int value)
{
    world_moment(flow, at);
    return value;
}

void world_body(uf_flow *flow)
{
    if (here->is_over || has_crashed()) return;
    check_order(flow);
    tell("%ld %s.%s\n", milliseconds(), path_of(flow), uf_flow_step(flow));
    world_moment(flow, AT_BODY);
}

/* -- the observer, which checks that what begins ends -------------------------------------------------------------- */

static void began(const uf_flow *flow, bool restored)
{
    life *const of = life_of(flow);

    EXPECT(!of->runs, "%s: began twice", path_of(flow));
    EXPECT(uf_flow_running(flow), "%s: began, and does not run", path_of(flow));
    EXPECT(flow->run != of->heard || now.has_forgotten, "%s: run %u began before", path_of(flow), (unsigned)flow->run);
    of->runs = true;
    of->was_restored = restored;
    of->heard = flow->run;
    if (of->begun == flow->run) of->begun = 0;
}

static void on_started(void *context, const uf_flow *flow)
{
    (void)context;
    began(flow, false);
    world_moment(flow, AT_STARTED);
}

static void on_restored(void *context, const uf_flow *flow, uint32_t times)
{
    (void)context, (void)times;
    began(flow, true);
    world_moment(flow, AT_RESTORED);
}

static void on_requested(void *context, const uf_flow *by, const uf_flow *flow)
{
    (void)context, (void)by;
    world_moment(flow, AT_REQUESTED);
}

static void on_changed(void *context, const uf_flow *flow, const uf_step_change *change)
{
    (void)context;
    EXPECT(life_of(flow)->runs, "%s: changes, and does not run", path_of(flow));
    world_moment(flow, change->to[0] ? AT_CHANGED : AT_OVER);
}

static void on_step_failed(void *context, const uf_flow *flow, const char *step, const char *reason)
{
    (void)context, (void)step, (void)reason;
    world_moment(flow, AT_STEP_FAILED);
}

static void on_wait_began(void *context, const uf_flow *flow, bool polls)
{
    (void)context, (void)polls;
    EXPECT(life_of(flow)->runs, "%s: waits, and does not run", path_of(flow));
    world_moment(flow, AT_WAIT_BEGAN);
}

static void on_wait_ended(void *context, const uf_flow *flow)
{
    (void)context;
    world_moment(flow, AT_WAIT_ENDED);
}

static void on_decided(void *context, const uf_flow *flow, uint32_t handler)
{
    (void)context, (void)handler;
    world_moment(flow, AT_DECIDED);
}

static void on_paused(void *context, const uf_flow *flow)
{
    (void)context;
    EXPECT(!life_of(flow)->stands, "%s: stands twice", path_of(flow));
    EXPECT(uf_flow_running(flow), "%s: stands, and does not run", path_of(flow));
    life_of(flow)->stands = true;
    world_moment(flow, AT_PAUSED);
}

static void on_resumed(void *context, const uf_flow *flow)
{
    (void)context;
    EXPECT(life_of(flow)->stands, "%s: goes on, and did not stand", path_of(flow));
    life_of(flow)->stands = false;
    world_moment(flow, AT_RESUMED);
}

static void on_keeping(void *context, const uf_flow *flow, uf_keeping keeping)
{
    (void)context, (void)keeping;
    world_moment(flow, AT_KEEPING);
}

static void on_ended(void *context, const uf_flow *flow, const uf_flow_end *end)
{
    life *const of = life_of(flow);

    (void)context;
    EXPECT(of->runs, "%s: ended, and did not begin", path_of(flow));
    EXPECT(of->heard == flow->run, "%s: run %u ended, %u began", path_of(flow), (unsigned)flow->run,
           (unsigned)of->heard);
    EXPECT(!of->stands, "%s: stands, and ended", path_of(flow));
    EXPECT(of->was_restored || of->entered == 0 || uf_pump_stopping(&here->pump), "%s: ended, %d not left",
           path_of(flow), of->entered);
    of->runs = false;
    of->entered = 0;
    if (of->cancelled == flow->run) of->cancelled = 0;
    tell("%ld %s %s %s\n", milliseconds(), path_of(flow), uf_outcome_text(end->outcome), end->reason);
    world_moment(flow, AT_ENDED);
}

static void on_body_ran(void *context, const uf_flow *flow, const char *step, uf_time took)
{
    (void)context, (void)step, (void)took;
    world_moment(flow, AT_BODY_RAN);
}

static void on_fired(void *context, const char *name, uint32_t released)
{
    (void)context, (void)name, (void)released;
    world_moment(NULL, AT_FIRED);
}

static void on_parked(void *context, const uf_flow *flow, const char *name)
{
    (void)context, (void)name;
    world_moment(flow, AT_PARKED);
}

static void on_submitted(void *context, const uf_flow *flow, const uf_job_event *job)
{
    (void)context, (void)job;
    world_moment(flow, AT_SUBMITTED);
}

static void on_completed(void *context, const uf_flow *flow, const uf_job_event *job)
{
    (void)context, (void)job;
    world_moment(flow, AT_COMPLETED);
}

static void on_abandoned(void *context, const uf_flow *flow, const uf_job_event *job)
{
    (void)context, (void)job;
    world_moment(flow, AT_ABANDONED);
}

static void on_stopping(void *context, const uf_stop_report *so_far)
{
    (void)context, (void)so_far;
    world_moment(NULL, AT_STOPPING);
}

static void on_round_ran(void *context, uf_time took)
{
    (void)context, (void)took;
    world_moment(NULL, AT_ROUND_RAN);
}

static const uf_observer checker = {
    .flow_started = on_started,
    .flow_restored = on_restored,
    .run_requested = on_requested,
    .step_changed = on_changed,
    .step_failed = on_step_failed,
    .wait_began = on_wait_began,
    .wait_ended = on_wait_ended,
    .handler_decided = on_decided,
    .flow_paused = on_paused,
    .flow_resumed = on_resumed,
    .keeping_changed = on_keeping,
    .flow_ended = on_ended,
    .body_ran = on_body_ran,
    .signal_fired = on_fired,
    .checkpoint_parked = on_parked,
    .job_submitted = on_submitted,
    .job_completed = on_completed,
    .job_abandoned = on_abandoned,
    .stopping = on_stopping,
    .round_ran = on_round_ran,
};

/* -- invariants ---------------------------------------------------------------------------------------------------- */

static void check_running(void)
{
    size_t count = 0;

    for (uf_flow *flow = NULL; (flow = uf_pump_next_flow(&here->pump, flow)) != NULL;) count += uf_flow_running(flow);
    EXPECT(count == uf_pump_running(&here->pump), "%d run, and it says %d", (int)count,
           (int)uf_pump_running(&here->pump));
}

/* 60 ms are enough for a cancel and for a start. */
static void check_promises(void)
{
    uf_time const late = here->pump.clock.real - UF_MS(60);

    if (now.scene.variant & UNOBSERVED) return;
    for (life *of = here->lives; of < here->lives + LIVES && of->flow; of++) {
        bool const is_held =
            of->flow->pump && is_kept_flow(of->flow) && uf_flow_keeping(of->flow, NULL) == UF_KEEPING_HELD;
        if (of->cancelled && of->cancelled_at < late) fault("%s: cancelled, and does not end", path_of(of->flow));
        if (of->begun && of->begun_at < late && !of->stands && !is_held)
            fault("%s: started, and does not begin", path_of(of->flow));
        if ((of->cancelled && of->cancelled_at < late) || (of->begun && of->begun_at < late))
            of->cancelled = of->begun = 0;
    }
}

/* Lets time pass. Returns: false if the pump does not rest. */
static bool run_until(uf_time until)
{
    uf_time at = here->pump.clock.real;

    for (;;) {
        (void)uf_pump_round(&here->pump, at);
        world_moment(NULL, AT_OUTSIDE);
        check_running();
        if (has_crashed()) return true;
        if (++here->rounds > 3000) {
            fault("it does not rest");
            return false;
        }
        uf_time const sleep = uf_pump_stopped(&here->pump) ? UF_MS(100) : uf_pump_timeout(&here->pump);
        if (sleep > until - at) break;
        at += sleep;
    }
    if (at < until) (void)uf_pump_round(&here->pump, until);
    check_promises();
    return true;
}

static void claimed(uf_flow *flow, uf_status status)
{
    EXPECT(BITS_OF_START & (UINT32_C(1) << status), "%s: the start says: %s", path_of(flow), uf_status_text(status));
    world_moment(flow, AT_CLAIMED);
}

/* What happens from outside, by the clock of this process. */
static void act(int at)
{
    bool const is_plain = here->plain.uf.pump != NULL;

    switch (at) {
    case 0:
        if (is_plain) claimed(&here->plain.uf, Plain_start_Run(&here->plain));
        if (here->kept.uf.pump && uf_flow_outcome(&here->kept.uf) == UF_NEVER_RAN)
            claimed(&here->kept.uf, Kept_start_Run(&here->kept));
        if (here->hall.uf.pump) claimed(&here->hall.uf, Hall_start_Stand(&here->hall));
        if (here->guest.uf.pump) claimed(&here->guest.uf, Guest_start_Ask(&here->guest));
        break;
    case 5:
        if (here->hall.uf.pump) claimed(&here->hall.uf, Hall_cells_spawn_Work(&here->hall, 30));
        subscribe();
        break;
    case 10:
        if (is_plain) (void)uf_flow_pause(&here->plain.uf, &here->holds[0]);
        break;
    case 15:
        if (here->kept.uf.pump) (void)uf_flow_pause(&here->kept.uf, &here->holds[1]);
        break;
    case 20: (void)uf_flow_resume(&here->holds[1]); break;
    case 25: (void)uf_flow_resume(&here->holds[0]); break;
    case 40:
        if (is_plain) (void)uf_checkpoint_try_arm(&here->plain.gate);
        break;
    case 45:
        if (is_plain && now.scene.variant & BUMPED) (void)uf_signal_fire(&here->plain.bump);
        if (here->kept.uf.pump && now.scene.variant & BUMPED) (void)uf_signal_fire(&here->kept.bump);
        if (is_plain) (void)Plain_box_send(&here->plain, 1);
        if (is_plain) (void)Plain_box_send(&here->plain, 2);
        break;
    case 90:
        if (is_plain) (void)uf_checkpoint_resume(&here->plain.gate);
        break;
    case 100:
    case 120:
    case 140:
        if (is_plain) (void)uf_signal_fire(&here->plain.go);
        subscribe();
        break;
    default: break;
    }
}

static bool play(int from, int to)
{
    for (int at = from; at < to; at += 5) {
        act(at);
        world_moment(NULL, AT_OUTSIDE);
        if (!run_until(UF_MS(at + 5))) return false;
        if (has_crashed()) break;
    }
    return true;
}

/* -- processes ----------------------------------------------------------------------------------------------------- */

static uf_time read_time(void *context)
{
    (void)context;
    return here->pump.clock.real;
}

static void before_round(void *context)
{
    (void)context;
    world_moment(NULL, AT_PRE_ROUND);
}

static void ignore_started(void *context, const uf_flow *flow)
{
    (void)context, (void)flow;
}

static void open_world(uf_store *store)
{
    bool const is_observed = !(now.scene.variant & UNOBSERVED);

    here = calloc(1, sizeof *here);
    assert_non_null(here);
    here->store = store;
    here->observer = checker;
    here->other = (uf_observer){.flow_started = ignore_started};
    uf_signal_init(&here->signal, "signal");
    uf_pump_config config = {.monotonic = is_observed ? read_time : NULL, .pre_round = before_round};
    if (now.scene.variant & RATED) config.start = -UF_MS(30);
    config.pool = now.scene.variant & LATER ? &here->seeded.pool : uf_pool_inline();
    assert_int_equal(uf_pool_seeded(&here->seeded, here->works, 8, 7, UF_MS(20)), UF_OK);
    assert_int_equal(uf_pump_init(&here->pump, &config), UF_OK);
    assert_int_equal(uf_store_attach(store, &here->pump), UF_OK);
    if (is_observed) assert_int_equal(uf_pump_add_observer(&here->pump, &here->observer), UF_OK);
    assert_int_equal(Item_init(&here->shared, &here->pump, "shared"), UF_OK);
    assert_int_equal(Kept_init(&here->kept, &here->pump, "kept", &here->shared), UF_OK);
    assert_int_equal(Plain_init(&here->plain, &here->pump, "plain"), UF_OK);
    assert_int_equal(Hall_init(&here->hall, &here->pump, "hall"), UF_OK);
    assert_int_equal(Guest_init(&here->guest, &here->pump, "guest", &here->shared), UF_OK);
    assert_int_equal(Closing_init(&here->closing, &here->pump, "closing"), UF_OK);
    assert_int_equal(Part_init(&here->spare, &here->pump, "spare"), UF_OK);
    assert_int_equal(Item_init(&here->spare_item, &here->pump, "spare_item"), UF_OK);
    if (now.has_extra) assert_int_equal(Kept_init(&here->extra, &here->pump, "extra", &here->shared), UF_OK);
    uf_restore_report report;
    if (uf_store_restore(store, &report) != UF_OK) fault("the restore says: %s", report.text);
    world_moment(NULL, AT_HELD);
    if (now.scene.variant & RATED) assert_true(run_until(0));
    world_moment(NULL, AT_HELD);
    (void)uf_store_release(store, NULL);
}

/* What does not depend on crashes: each run that a step has begun is there once. */
static void tell_results(void)
{
    unsigned members = 0;

    for (uint32_t i = 0; i < 3; i++) {
        const uf_flow *const member = uf_members_last(&here->kept.crew, i);
        if (member) members += member->run;
    }
    tell("results: kept %s, sum %d, taken %d, %u members, other %u runs, own %u runs\n",
         uf_outcome_text(uf_flow_outcome(&here->kept.uf)), here->kept.sum, here->kept.taken, members,
         (unsigned)here->kept.other.uf.run, (unsigned)here->kept.own.uf.run);
}

static void check_idle(const uf_flow *flow)
{
    const life *const of = life_of(flow);

    EXPECT(!uf_flow_running(flow), "%s: still runs in %s.%s", path_of(flow), uf_flow_task(flow), uf_flow_step(flow));
    if (now.scene.variant & UNOBSERVED) return;
    EXPECT(!of->runs, "%s: its end was not told", path_of(flow));
    EXPECT(of->heard == flow->run || !of->heard, "%s: run %u, and %u was told", path_of(flow), (unsigned)flow->run,
           (unsigned)of->heard);
}

#define DESTROY(type, member)                                                                                          \
    do {                                                                                                               \
        if (here->member.uf.pump) {                                                                                    \
            uf_status const destroyed = type##_destroy(&here->member);                                                 \
            EXPECT(destroyed == UF_OK, #member ": the destroy says: %s", uf_status_text(destroyed));                   \
        }                                                                                                              \
    } while (0)

/* All ends. Returns: what the store has then. */
static uf_store *close_world(void)
{
    uf_store *left;

    for (uf_flow *flow = NULL; (flow = uf_pump_next_flow(&here->pump, flow)) != NULL;) check_idle(flow);
    if (here->pump.stop) EXPECT(here->stop.finite == 0, "%u finite runs are left", (unsigned)here->stop.finite);
    EXPECT(uf_pump_running(&here->pump) == 0, "%d run", (int)uf_pump_running(&here->pump));
    for (int i = 0; i < 3; i++) {
        uf_pause *const hold = i < 2 ? &here->holds[i] : &here->hold;
        EXPECT(!hold->pump || uf_flow_resume(hold) == UF_STALE, "a pause is left");
    }
    EXPECT(!here->pump.holds, "records of pauses are left");
    if (here->is_subscribed && here->plain.uf.pump) (void)uf_signal_unsubscribe(&here->plain.go, &here->callback);
    here->is_over = true;
    assert_int_equal(uf_store_memory_copy(&left, here->store, &here->store->config), UF_OK);
    DESTROY(Kept, extra);
    DESTROY(Plain, extra_plain);
    DESTROY(Guest, guest);
    DESTROY(Kept, kept);
    DESTROY(Plain, plain);
    DESTROY(Hall, hall);
    DESTROY(Closing, closing);
    DESTROY(Part, spare);
    DESTROY(Item, spare_item);
    DESTROY(Item, shared);
    EXPECT(uf_pump_destroy(&here->pump) == UF_OK, "the pump cannot be destroyed");
    EXPECT(uf_store_close(here->store) == UF_OK, "the store cannot be closed");
    free(here);
    return left;
}

static uf_store *first_process(uf_store *store)
{
    open_world(store);
    here->is_first = true;
    if (now.scene.crash != NO_CRASH) {
        assert_int_equal(uf_store_memory_stop(store, (uint64_t)now.scene.crash / 2, NULL), UF_OK);
        (void)play(0, 200);
        here->is_over = true;
        uf_store *const left = pump_crash(&here->pump, store, &store->config);
        free(here);
        return left;
    }
    assert_true(play(0, SHUT_AT));
    uf_status const status = uf_pump_stop(&here->pump, &here->stop, UF_MS(40));
    EXPECT(status == UF_OK || status == UF_BUSY, "the stop says %d", status);
    assert_true(run_until(UF_S(1)));
    if (uf_pump_stopping(&here->pump) && !uf_pump_stopped(&here->pump))
        assert_true(run_until(UF_S(2))); /* the last round has begun another one */
    if (uf_pump_stopping(&here->pump)) EXPECT(uf_pump_stopped(&here->pump), "the stop does not end");
    if (!uf_pump_stopping(&here->pump)) (void)uf_pump_stop(&here->pump, &here->stop, UF_MS(40)); /* it was restarted */
    assert_true(run_until(UF_S(2)));
    return close_world();
}

static void last_process(uf_store *store)
{
    open_world(store);
    assert_true(play(0, 600));
    tell_results();
    uf_pump_cancel_all(&here->pump);
    (void)run_until(UF_S(2));
    here->is_closing = true; /* nothing is called any more */
    (void)uf_store_release(here->store, NULL);
    uf_pump_cancel_all(&here->pump); /* also what began meanwhile */
    (void)run_until(UF_S(3));
    assert_int_equal(uf_store_close(close_world()), UF_OK);
}

bool play_scene(const scene *of)
{
    uf_store_config const config = {.restore_rate = of->variant & RATED ? 100 : 0, .tick = UF_S(60)};
    uf_store *store;

    scenes++;
    now = (playing){.scene = *of};
    memset(all_deeds, 0, sizeof all_deeds);
    told = 0;
    *story = '\0';
    assert_int_equal(uf_store_memory_open(&store, &config), UF_OK);
    last_process(first_process(store));
    return now.was_called;
}
