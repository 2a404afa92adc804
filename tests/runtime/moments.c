/* SPDX-License-Identifier: MIT */
/* Each function that a program may call on the pump's thread, at each moment in which C code of the program runs there:
 * a table of functions, a table of moments, and a scene with flows of all kinds. A scene has two processes. The first
 * one ends with a shutdown or a crash, the second one goes on. Once, at a moment, one of the functions is called.
 *
 * Whatever it is, the runtime says what the header says, each run that begins ends once, each cancel ends its run,
 * nothing is left busy, and all flows can be destroyed in the end. A call that only reads, keeps or is refused also
 * changes nothing that flows do, with and without a crash.
 *
 * `test_runtime_moments all SEED COUNT` and `pairs SEED COUNT` make more scenes, `FUNCTION TARGET MOMENT` those of one
 * row. The words before the colon of a fault, as arguments, repeat its scene. */
#define OWN_MAIN
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "crashes.h"
#include "moments.h"
#include "uflow/runtime.h"

/* -- a scene ------------------------------------------------------------------------------------------------------- */

#define TARGETS(X)                                                                                                     \
    X(SELF)                                                                                                            \
    X(CURRENT)                                                                                                         \
    X(PLAIN)                                                                                                           \
    X(PLAIN_PART)                                                                                                      \
    X(PLAIN_COMPANION)                                                                                                 \
    X(PLAIN_MEMBER)                                                                                                    \
    X(KEPT)                                                                                                            \
    X(KEPT_OWN)                                                                                                        \
    X(KEPT_COMPANION) X(KEPT_OTHER) X(KEPT_MEMBER) X(SHARED) X(HALL) X(CELL) X(CELL_INSIDE) X(GUEST) X(CLOSING)        \
        X(SPARE) X(SPARE_ITEM)

#define ENUMERATE(name) OF_##name,
typedef enum target { TARGETS(ENUMERATE) TARGET_COUNT } target;
#undef ENUMERATE

#define NAME(name) #name,
static const char *const moment_names[] = {MOMENTS(NAME)};
static const char *const target_names[] = {TARGETS(NAME)};

enum { NO_CRASH = -1 };

#define EACH UINT_MAX /* `which`: at each occurrence, also during the call */

typedef struct row row;

typedef struct event {
    const row *call; /* NULL: none */
    target target;
    moment at;
    unsigned which; /* of the occurrences of this moment */
} event;

typedef struct scene {
    event first, second;
    unsigned variant;
    int crash; /* half of it: after so many commits; odd: at once, even: a while later */
} scene;

/* Variants. */
enum {
    BUMPED = 1,     /* the handlers of `bump` run */
    LATER = 2,      /* jobs run later than in their submit */
    UNOBSERVED = 4, /* in turns without observers: moments of these do not come */
    RATED = 8,      /* what was restored is held for a while, and then goes on one by one */
    VARIANTS = 16
};

/* What is known of a flow. */
typedef struct life {
    const uf_flow *flow;
    uint32_t heard; /* the latest run of which observers were told that it began */
    bool runs, stands, was_restored;
    int entered;                    /* tasks and groups */
    uint32_t cancelled, begun;      /* a run that is to end, or to begin, */
    uf_time cancelled_at, begun_at; /* from here on */
} life;

enum { LIVES = 64, PATHS = 48, SHUT_AT = 60 };

typedef struct world {
    uf_pump pump;
    uf_store *store;
    uf_seeded_pool seeded;
    uf_work works[8];
    Item shared;
    Kept kept;
    Plain plain;
    Hall hall;
    Guest guest;
    Closing closing;
    Part spare;
    Item spare_item;
    Kept extra;
    Plain extra_plain;
    uf_observer observer, other;
    uf_signal signal;
    uf_signal_callback callback;
    bool is_subscribed;
    uf_pause holds[2], hold;
    uf_stop stop;
    life lives[LIVES];
    unsigned rounds;
    bool is_first, is_crashing, is_closing, is_over;
} world;

struct row {
    const char *name;
    uf_status (*call)(world *w, uf_flow *flow);
    uint32_t allowed;        /* what it may return */
    bool has_target;         /* it is called with each flow */
    bool is_neutral;         /* it changes nothing that flows do */
    bool (*fits)(moment at); /* NULL: each moment */
};

static world *here;
static scene what;
static event now; /* that which is called, or was called last */
static unsigned seen[MOMENT_COUNT];
static bool is_calling, was_called, has_forgotten;
static unsigned depth;       /* of calls inside calls */
static bool has_extra;       /* so the next process must have it, too */
static bool has_kept_fields; /* of a flow whose body may have changed them, and runs again */
static unsigned faults, scenes, calls;
static bool is_verbose;
static char story[1 << 16];
static size_t told;

static const char *scene_text(void)
{
    static char text[256];
    const event *const e = &what.first, *const f = &what.second;
    int const length = snprintf(text, sizeof text, "%s %s %s %u %u %d", e->call ? e->call->name : "nothing",
                                target_names[e->target], moment_names[e->at], e->which, what.variant, what.crash);
    if (f->call)
        (void)snprintf(text + length, sizeof text - (size_t)length, " %s %s %s %u", f->call->name,
                       target_names[f->target], moment_names[f->at], f->which);
    return text;
}

static void fault(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void fault(const char *format, ...)
{
    va_list arguments;

    if (faults++ < 400) {
        fprintf(stderr, "%s: ", scene_text());
        va_start(arguments, format);
        vfprintf(stderr, format, arguments);
        va_end(arguments);
        fputc('\n', stderr);
    }
}

#define EXPECT(condition, ...)                                                                                         \
    do {                                                                                                               \
        if (!(condition)) fault(__VA_ARGS__);                                                                          \
    } while (0)

static void tell(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void tell(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    int const length = vsnprintf(story + told, sizeof story - told, format, arguments);
    va_end(arguments);
    if (length > 0 && told + (size_t)length < sizeof story) told += (size_t)length;
}

static long ms(const world *w)
{
    return (long)(w->pump.clock.real / UF_MS(1));
}

static const char *path_of(const uf_flow *flow)
{
    static char text[4][UF_STORE_PATH_SIZE];
    static unsigned next;
    char *const to = text[next++ % 4];
    (void)uf_flow_path(flow, to, UF_STORE_PATH_SIZE);
    return to;
}

static life *life_of(const uf_flow *flow)
{
    for (life *at = here->lives; at < here->lives + LIVES; at++) {
        if (!at->flow) at->flow = flow;
        if (at->flow == flow) return at;
    }
    abort();
}

/* -- targets ------------------------------------------------------------------------------------------------------- */

static uf_flow *target_of(world *w, target of, const uf_flow *self)
{
    Cell *const cell = w->hall.uf.pump ? Hall_cells_at(&w->hall, 0) : NULL;
    Part *const part = w->plain.uf.pump ? Plain_crew_at(&w->plain, 0) : NULL;
    Item *const item = w->kept.uf.pump ? Kept_crew_at(&w->kept, 0) : NULL;
    uf_flow *flow = NULL;

    switch (of) {
    case OF_SELF: flow = (uf_flow *)(uintptr_t)self; break;
    case OF_CURRENT: flow = w->pump.current; break;
    case OF_PLAIN: flow = &w->plain.uf; break;
    case OF_PLAIN_PART: flow = &w->plain.part.uf; break;
    case OF_PLAIN_COMPANION: flow = &w->plain.companion.uf; break;
    case OF_PLAIN_MEMBER: flow = part ? &part->uf : NULL; break;
    case OF_KEPT: flow = &w->kept.uf; break;
    case OF_KEPT_OWN: flow = &w->kept.own.uf; break;
    case OF_KEPT_COMPANION: flow = &w->kept.companion.uf; break;
    case OF_KEPT_OTHER: flow = &w->kept.other.uf; break;
    case OF_KEPT_MEMBER: flow = item ? &item->uf : NULL; break;
    case OF_SHARED: flow = &w->shared.uf; break;
    case OF_HALL: flow = &w->hall.uf; break;
    case OF_CELL: flow = cell ? &cell->uf : NULL; break;
    case OF_CELL_INSIDE: flow = cell ? &cell->inside.uf : NULL; break;
    case OF_GUEST: flow = &w->guest.uf; break;
    case OF_CLOSING: flow = &w->closing.uf; break;
    case OF_SPARE: flow = &w->spare.uf; break;
    case OF_SPARE_ITEM: flow = &w->spare_item.uf; break;
    case TARGET_COUNT: break;
    }
    return flow && flow->pump ? flow : NULL;
}

static uf_status start(uf_flow *flow)
{
    void *const at = flow;

    if (flow->type == &Part_type) return Part_start_Work(at, 1);
    if (flow->type == &Item_type) return Item_start_Make(at, 1);
    if (flow->type == &Plain_type) return Plain_start_Run(at);
    if (flow->type == &Kept_type) return Kept_start_Run(at);
    if (flow->type == &Hall_type) return Hall_start_Stand(at);
    if (flow->type == &Guest_type) return Guest_start_Ask(at);
    if (flow->type == &Cell_type) return Cell_start_Work(at, 1);
    return Closing_start_Close(at);
}

static uf_status destroy(uf_flow *flow)
{
    void *const at = flow;

    if (flow->type == &Part_type) return Part_destroy(at);
    if (flow->type == &Item_type) return Item_destroy(at);
    if (flow->type == &Plain_type) return Plain_destroy(at);
    if (flow->type == &Kept_type) return Kept_destroy(at);
    if (flow->type == &Hall_type) return Hall_destroy(at);
    if (flow->type == &Guest_type) return Guest_destroy(at);
    if (flow->type == &Cell_type) return Cell_destroy(at);
    return Closing_destroy(at);
}

/* -- the table of functions ---------------------------------------------------------------------------------------- */

static bool is_kept_flow(const uf_flow *flow)
{
    return flow->type == &Item_type || flow->type == &Kept_type || flow->type == &Cell_type;
}

static const uf_flow *self_now; /* the flow of the moment, during a call */

static bool is_end(moment at)
{
    return at == AT_OVER || at == AT_ENDED;
}

static bool is_of_observer(moment at)
{
    return at >= AT_STARTED && at <= AT_ROUND_RAN;
}

static bool is_in_round(moment at)
{
    return here->pump.in_round && at != AT_OUTSIDE;
}

static void note_cancel(world *w, uf_flow *flow, uf_run run)
{
    life *const of = life_of(flow);
    if (uf_run_outcome(run) != UF_RUNNING || (is_end(now.at) && !of->runs)) return;
    of->cancelled = run.number;
    of->cancelled_at = w->pump.clock.real;
}

static uf_status call_cancel(world *w, uf_flow *flow)
{
    uf_status const status = uf_flow_cancel(flow);
    note_cancel(w, flow, uf_flow_this_run(flow));
    return status;
}

static uf_status call_run_cancel(world *w, uf_flow *flow)
{
    uf_run const run = uf_flow_this_run(flow);
    bool const runs = uf_flow_running(flow);
    uf_status const status = uf_run_cancel(run);
    EXPECT(status == (runs ? UF_OK : UF_STALE), "%d", status);
    note_cancel(w, flow, run);
    return status;
}

static uf_status call_pause(world *w, uf_flow *flow)
{
    bool const runs = uf_flow_running(flow);
    uf_status const status = uf_flow_pause(flow, &w->hold);
    EXPECT(runs ? status != UF_STALE : status == UF_STALE, "%s", uf_status_text(status));
    return status;
}

static uf_status call_pause_and_resume(world *w, uf_flow *flow)
{
    uf_status const status = uf_flow_pause(flow, &w->hold);
    if (status == UF_OK) EXPECT(uf_flow_resume(&w->hold) == UF_OK, "it is not paused");
    return status;
}

static uf_status call_resume(world *w, uf_flow *flow)
{
    (void)flow;
    (void)uf_flow_resume(&w->holds[0]);
    return uf_flow_resume(&w->holds[1]);
}

static uf_status note_start(world *w, uf_flow *flow, uint32_t before, uf_status status)
{
    life *const of = life_of(flow);
    if (status != UF_OK || flow->run == before) return status; /* a repeated body has begun it */
    of->begun = flow->run;
    of->begun_at = w->pump.clock.real;
    return status;
}

static uf_status call_start(world *w, uf_flow *flow)
{
    bool const runs = uf_flow_running(flow);
    uint32_t const before = flow->run;
    uf_status const status = start(flow);
    if (runs) EXPECT(status != UF_OK || flow->run == before, "it runs twice");
    if (now.at == AT_ON_SUSPEND) EXPECT(status != UF_OK, "it begins while others are suspended");
    return note_start(w, flow, before, status);
}

static uf_status call_cancel_and_start(world *w, uf_flow *flow)
{
    (void)call_cancel(w, flow);
    return call_start(w, flow);
}

static uf_status call_start_and_cancel(world *w, uf_flow *flow)
{
    uf_status const status = call_start(w, flow);
    life_of(flow)->begun = 0;
    (void)call_cancel(w, flow);
    return status;
}

static uf_status call_fail(world *w, uf_flow *flow)
{
    (void)w;
    return uf_flow_fail(flow, "moment %d", 1);
}

/* The flow of the call, and what contains it, must stay. So must what others wait for. */
static uf_status call_destroy(world *w, uf_flow *flow)
{
    uintptr_t const size = flow->type->size;
    if (self_now && (uintptr_t)self_now - (uintptr_t)flow < size) return UF_BUSY;
    if (flow == &w->shared.uf || now.at == AT_DROP) return UF_BUSY;
    return destroy(flow);
}

static uf_status call_keep(world *w, uf_flow *flow)
{
    (void)w;
    has_kept_fields |= flow->type == &Kept_type;
    uf_status const status = uf_flow_keep(flow);
    if (!is_kept_flow(flow)) EXPECT(status == UF_INVALID, "%d", status);
    if (is_kept_flow(flow) && is_end(now.at) && flow == self_now) EXPECT(status == UF_BUSY, "%d", status);
    return status;
}

static uf_status call_token(world *w, uf_flow *flow)
{
    char token[UF_TOKEN_SIZE];
    (void)w;
    uf_status const status = uf_flow_token(flow, token);
    bool const runs = uf_flow_running(flow) && !(now.at == AT_ON_INIT && flow == self_now);
    EXPECT((status == UF_OK) == (is_kept_flow(flow) && runs), "%d", status);
    return status;
}

static uf_status call_reads(world *w, uf_flow *flow)
{
    uf_flow_view view;
    uf_run_times times;
    uf_time lasts;
    char path[UF_STORE_PATH_SIZE];

    uf_flow_view_of(flow, &view);
    EXPECT(view.running == uf_flow_running(flow), "the view says that it runs: %d", view.running);
    EXPECT(view.running == (view.outcome == UF_RUNNING), "outcome %d", view.outcome);
    bool const is_claimed = now.at == AT_ON_INIT; /* a member has no task before its init has ended */
    EXPECT(view.running == (view.ordinal >= 0) || is_claimed, "ordinal %d", (int)view.ordinal);
    EXPECT(view.running == (*view.task != '\0') || is_claimed, "task %s", view.task);
    EXPECT(strcmp(view.step, uf_flow_step(flow)) == 0, "step %s", view.step);
    EXPECT(view.run == uf_flow_this_run(flow).number, "run %u", (unsigned)view.run);
    (void)uf_flow_path(flow, path, sizeof path);
    (void)uf_flow_reason(flow);
    (void)uf_flow_description(flow);
    (void)uf_flow_row(flow);
    (void)uf_flow_times(flow, &times);
    (void)uf_flow_keeping(flow, &lasts);
    (void)uf_flow_paused_for(flow);
    (void)uf_flow_step_elapsed(flow);
    (void)uf_flow_jobs_pending(flow);
    (void)uf_flow_now(flow);
    (void)uf_pump_next_flow(&w->pump, flow);
    (void)uf_run_outcome(uf_flow_this_run(flow));
    return UF_OK;
}

static uf_status call_wait(world *w, uf_flow *flow)
{
    (void)w;
    EXPECT(uf_run_wait_kept(uf_flow_this_run(flow), 0) != UF_TIMED_OUT, "it waits");
    return uf_flow_wait(flow, 0, NULL);
}

static uf_status call_describe(world *w, uf_flow *flow)
{
    (void)w;
    return uf_flow_describe(flow, "moment %d", 2);
}

static uf_status call_hurry(world *w, uf_flow *flow)
{
    (void)w;
    if (flow->type == &Item_type) (void)uf_signal_fire(&((Item *)(void *)flow)->hurry);
    if (flow->type == &Part_type) (void)uf_signal_fire(&((Part *)(void *)flow)->hurry);
    return UF_OK;
}

/* Waits for nothing on the thread of the pump. */
static uf_status call_call(world *w, uf_flow *flow)
{
    uf_call_info info;
    int out;
    void *const at = flow;
    (void)w;
    if (flow->type == &Part_type) return Part_call_Work(at, 1, UF_S(1), &out, &info);
    if (flow->type == &Item_type) return Item_call_Make(at, 1, UF_S(1), &out, &info);
    if (flow->type == &Plain_type) return Plain_call_Run(at, UF_S(1), &info);
    return Kept_call_Run(&w->kept, UF_S(1), &out, &info);
}

static uf_status call_store_fail(world *w, uf_flow *flow)
{
    (void)flow;
    uf_store_fail(w->store, "disk full");
    return UF_OK;
}

/* Flows that are initialised at the moment, and begin at once. */
static uf_status call_init(world *w, uf_flow *flow)
{
    (void)flow;
    if (w->extra.uf.pump) return UF_BUSY;
    has_extra = true;
    uf_status status = Kept_init(&w->extra, &w->pump, "extra", &w->shared);
    if (status == UF_OK) status = note_start(w, &w->extra.uf, w->extra.uf.run, Kept_start_Run(&w->extra));
    return status;
}

static uf_status call_init_plain(world *w, uf_flow *flow)
{
    (void)flow;
    if (w->extra_plain.uf.pump) return UF_BUSY;
    uf_status status = Plain_init(&w->extra_plain, &w->pump, "extra_plain");
    if (status == UF_OK) status = Plain_start_Run(&w->extra_plain);
    return status;
}

static uf_status call_destroy_signal(world *w, uf_flow *flow)
{
    (void)flow;
    uf_signal_destroy(&w->signal);
    uf_signal_init(&w->signal, "signal");
    return UF_OK;
}

static uf_status call_pump_reads(world *w, uf_flow *flow)
{
    uf_pump *const p = &w->pump;

    (void)flow;
    (void)uf_pump_timeout(p);
    (void)uf_pump_next_deadline(p);
    (void)uf_pump_now(p);
    (void)uf_pump_real_now(p);
    (void)uf_pump_frozen(p);
    (void)uf_pump_stopping(p);
    (void)uf_pump_stopped(p);
    (void)uf_store_failure(w->store);
    (void)uf_checkpoint_state(&w->plain.gate);
    (void)uf_checkpoint_parked(&w->plain.gate);
    (void)uf_mailbox_count(&w->plain.box);
    (void)uf_signal_epoch(&w->plain.go);
    for (uf_flow *at = NULL; (at = uf_pump_next_flow(p, at)) != NULL;) (void)call_reads(w, at);
    return UF_OK;
}

static uf_status call_spawn(world *w, uf_flow *flow)
{
    (void)flow;
    return Plain_crew_spawn_Work(&w->plain, 20);
}

static uf_status call_spawn_kept(world *w, uf_flow *flow)
{
    (void)flow;
    return Kept_crew_spawn_Make(&w->kept, 21);
}

static uf_status call_spawn_cell(world *w, uf_flow *flow)
{
    (void)flow;
    return Hall_cells_spawn_Work(&w->hall, 22);
}

static uf_status call_cancel_members(world *w, uf_flow *flow)
{
    (void)flow;
    uf_status status = UF_OK;
    if (w->plain.uf.pump) status = Plain_crew_cancel_all(&w->plain);
    if (status == UF_OK && w->kept.uf.pump) status = Kept_crew_cancel_all(&w->kept);
    if (status == UF_OK && w->hall.uf.pump) status = Hall_cells_cancel_all(&w->hall);
    return status;
}

static uf_status call_limit(world *w, uf_flow *flow)
{
    (void)flow;
    uf_status const status = Plain_crew_limit(&w->plain, 1);
    return status == UF_OK ? Kept_crew_limit(&w->kept, 1) : status;
}

static uf_status call_reap(world *w, uf_flow *flow)
{
    uf_member_end end;
    (void)flow;
    (void)Plain_crew_reap(&w->plain, &end);
    (void)Kept_crew_reap(&w->kept, &end);
    return UF_OK;
}

static uf_status call_fire(world *w, uf_flow *flow)
{
    (void)flow;
    if (w->plain.uf.pump) (void)uf_signal_fire(&w->plain.go);
    if (w->plain.uf.pump) (void)uf_signal_fire(&w->plain.bump);
    if (w->kept.uf.pump) (void)uf_signal_fire(&w->kept.bump);
    (void)uf_signal_fire(&w->signal);
    return UF_OK;
}

static void called_back(void *argument, uf_status status)
{
    world *const w = argument;
    (void)status;
    w->is_subscribed = false;
    world_moment(NULL, AT_CALLBACK);
}

static void subscribe(world *w)
{
    if (w->is_subscribed || !w->plain.uf.pump) return;
    w->is_subscribed = true;
    uf_signal_subscribe(&w->plain.go, &w->callback, called_back, w);
}

static uf_status call_unsubscribe(world *w, uf_flow *flow)
{
    (void)flow;
    if (!w->is_subscribed) return UF_OK;
    EXPECT(uf_signal_unsubscribe(&w->plain.go, &w->callback), "it was called");
    w->is_subscribed = false;
    return UF_OK;
}

static uf_status call_arm(world *w, uf_flow *flow)
{
    (void)flow;
    return uf_checkpoint_try_arm(&w->plain.gate);
}

static uf_status call_open(world *w, uf_flow *flow)
{
    (void)flow;
    (void)uf_checkpoint_resume(&w->plain.gate);
    return UF_OK;
}

static uf_status call_disarm(world *w, uf_flow *flow)
{
    (void)flow;
    return uf_checkpoint_disarm(&w->plain.gate);
}

static uf_status call_send(world *w, uf_flow *flow)
{
    (void)flow;
    return Plain_box_send(&w->plain, 1000);
}

static uf_status call_receive(world *w, uf_flow *flow)
{
    int item;
    (void)flow;
    (void)Plain_box_receive(&w->plain, &item);
    return UF_OK;
}

static uf_status call_clear(world *w, uf_flow *flow)
{
    (void)flow;
    uf_mailbox_clear(&w->plain.box);
    return UF_OK;
}

static uf_status call_stop(world *w, uf_flow *flow)
{
    (void)flow;
    return uf_pump_stop(&w->pump, &w->stop, UF_MS(40));
}

static uf_status call_restart(world *w, uf_flow *flow)
{
    (void)flow;
    return uf_pump_restart(&w->pump);
}

static uf_status call_stop_again(world *w, uf_flow *flow)
{
    uf_status const status = uf_pump_restart(&w->pump);
    return status == UF_OK ? call_stop(w, flow) : status;
}

static uf_status call_cancel_all(world *w, uf_flow *flow)
{
    (void)flow;
    uf_pump_cancel_all(&w->pump);
    for (uf_flow *at = NULL; (at = uf_pump_next_flow(&w->pump, at)) != NULL;) note_cancel(w, at, uf_flow_this_run(at));
    return UF_OK;
}

static uf_status call_freeze(world *w, uf_flow *flow)
{
    (void)flow;
    uf_pump_freeze(&w->pump);
    return UF_OK;
}

static uf_status call_scale(world *w, uf_flow *flow)
{
    (void)flow;
    return uf_pump_set_scale(&w->pump, 3);
}

static uf_status call_ready(world *w, uf_flow *flow)
{
    (void)flow;
    return uf_pump_ready(&w->pump, 5, UF_READABLE);
}

static uf_status call_add_observer(world *w, uf_flow *flow)
{
    (void)flow;
    return uf_pump_add_observer(&w->pump, &w->other);
}

static uf_status call_remove_observer(world *w, uf_flow *flow)
{
    (void)flow;
    return uf_pump_remove_observer(&w->pump, &w->other);
}

static uf_status call_swap_observers(world *w, uf_flow *flow)
{
    (void)flow;
    if (uf_pump_remove_observer(&w->pump, &w->observer) == UF_OK) (void)uf_pump_add_observer(&w->pump, &w->observer);
    return UF_OK;
}

static uf_status call_release(world *w, uf_flow *flow)
{
    (void)flow;
    return uf_store_release(w->store, NULL);
}

static uf_status call_release_one(world *w, uf_flow *flow)
{
    return uf_store_release(w->store, path_of(flow));
}

static uf_status call_forget(world *w, uf_flow *flow)
{
    bool const runs = uf_flow_running(flow);
    uf_status const status = uf_store_forget(w->store, path_of(flow));
    has_forgotten |= status == UF_OK;
    if (runs && is_kept_flow(flow) && !is_end(now.at)) EXPECT(status == UF_BUSY || w->store->is_failed, "%d", status);
    return status;
}

static uf_status call_forget_nothing(world *w, uf_flow *flow)
{
    (void)flow;
    return uf_store_forget(w->store, "nobody");
}

static uf_status call_restore(world *w, uf_flow *flow)
{
    (void)flow;
    return uf_store_restore(w->store, NULL);
}

static uf_status call_copy(world *w, uf_flow *flow)
{
    uf_store *copy;
    (void)flow;
    uf_status const status = uf_store_memory_copy(&copy, w->store, NULL);
    return status == UF_OK ? uf_store_close(copy) : status;
}

static uf_status call_close(world *w, uf_flow *flow)
{
    (void)flow;
    return uf_store_close(w->store);
}

static uf_status call_destroy_pump(world *w, uf_flow *flow)
{
    (void)flow;
    return uf_pump_destroy(&w->pump);
}

static uf_status call_simulate(world *w, uf_flow *flow)
{
    (void)flow;
    if (uf_simulate_until_idle(&w->pump, UF_FOREVER) != UF_INVALID) return UF_OK;
    if (uf_simulate_stop(&w->pump, UF_S(1), NULL) != UF_INVALID) return UF_OK;
    return uf_simulate_until(&w->pump, UF_S(1000));
}

static uf_status call_jobs_clear(world *w, uf_flow *flow)
{
    (void)w;
    return uf_flow_jobs_clear(flow);
}

static bool is_of_flows(moment at)
{
    return !is_of_observer(at) && at != AT_WORKER;
}

#define BIT(status) (UINT32_C(1) << UF_##status)
static const uint32_t of_start = BIT(OK) | BIT(BUSY) | BIT(STOPPING) | BIT(FULL);

static const row rows[] = {
    {"cancel", call_cancel, BIT(OK), true, false, NULL},
    {"run_cancel", call_run_cancel, BIT(OK) | BIT(STALE), true, false, NULL},
    {"pause", call_pause, BIT(OK) | BIT(STALE) | BIT(BUSY), true, false, NULL},
    {"pause_and_resume", call_pause_and_resume, BIT(OK) | BIT(STALE) | BIT(BUSY), true, false, NULL},
    {"resume", call_resume, BIT(OK) | BIT(STALE), false, false, NULL},
    {"start", call_start, of_start, true, false, NULL},
    {"cancel_and_start", call_cancel_and_start, of_start, true, false, NULL},
    {"start_and_cancel", call_start_and_cancel, of_start, true, false, NULL},
    {"fail", call_fail, BIT(OK) | BIT(INVALID), true, false, NULL},
    {"destroy", call_destroy, BIT(OK) | BIT(BUSY) | BIT(INVALID), true, false, NULL},
    {"keep", call_keep, BIT(OK) | BIT(BUSY) | BIT(INVALID), true, true, NULL},
    {"token", call_token, BIT(OK) | BIT(INVALID), true, true, NULL},
    {"reads", call_reads, BIT(OK), true, true, NULL},
    {"wait", call_wait, BIT(OK) | BIT(DEADLOCK) | BIT(UNSUPPORTED), true, true, NULL},
    {"describe", call_describe, BIT(OK) | BIT(STALE) | BIT(INVALID), true, false, NULL},
    {"hurry", call_hurry, BIT(OK), true, false, NULL},
    {"call", call_call, BIT(DEADLOCK) | BIT(UNSUPPORTED) | BIT(BUSY), true, true, NULL},
    {"store_fail", call_store_fail, BIT(OK), false, false, NULL},
    {"init", call_init, of_start, false, false, NULL},
    {"init_plain", call_init_plain, of_start, false, false, NULL},
    {"destroy_signal", call_destroy_signal, BIT(OK), false, false, NULL},
    {"pump_reads", call_pump_reads, BIT(OK), false, true, NULL},
    {"spawn", call_spawn, of_start, false, false, NULL},
    {"spawn_kept", call_spawn_kept, of_start, false, false, NULL},
    {"spawn_cell", call_spawn_cell, of_start, false, false, NULL},
    {"cancel_members", call_cancel_members, BIT(OK), false, false, NULL},
    {"limit", call_limit, BIT(OK), false, false, NULL},
    {"reap", call_reap, BIT(OK), false, false, NULL},
    {"fire", call_fire, BIT(OK), false, false, NULL},
    {"unsubscribe", call_unsubscribe, BIT(OK), false, true, NULL},
    {"arm", call_arm, BIT(OK) | BIT(BUSY), false, false, NULL},
    {"open", call_open, BIT(OK), false, false, NULL},
    {"disarm", call_disarm, BIT(OK) | BIT(BUSY), false, false, NULL},
    {"send", call_send, BIT(OK) | BIT(FULL) | BIT(STOPPING), false, false, NULL},
    {"receive", call_receive, BIT(OK), false, false, NULL},
    {"clear", call_clear, BIT(OK), false, false, NULL},
    {"stop", call_stop, BIT(OK) | BIT(BUSY), false, false, NULL},
    {"restart", call_restart, BIT(OK) | BIT(BUSY) | BIT(INVALID), false, false, NULL},
    {"stop_again", call_stop_again, BIT(OK) | BIT(BUSY) | BIT(INVALID), false, false, NULL},
    {"cancel_all", call_cancel_all, BIT(OK), false, false, NULL},
    {"freeze", call_freeze, BIT(OK), false, false, NULL},
    {"scale", call_scale, BIT(OK), false, false, NULL},
    {"ready", call_ready, BIT(OK), false, true, NULL},
    {"add_observer", call_add_observer, BIT(OK) | BIT(BUSY), false, true, NULL},
    {"remove_observer", call_remove_observer, BIT(OK) | BIT(INVALID), false, true, NULL},
    {"swap_observers", call_swap_observers, BIT(OK), false, true, NULL},
    {"release", call_release, BIT(OK) | BIT(BUSY), false, false, NULL},
    {"release_one", call_release_one, BIT(OK) | BIT(BUSY) | BIT(STALE), true, false, NULL},
    {"forget", call_forget, BIT(OK) | BIT(BUSY) | BIT(TIMED_OUT), true, false, NULL},
    {"forget_nothing", call_forget_nothing, BIT(OK) | BIT(BUSY) | BIT(TIMED_OUT), false, true, NULL},
    {"restore", call_restore, BIT(BUSY), false, true, NULL},
    {"copy", call_copy, BIT(OK), false, true, NULL},
    {"close", call_close, BIT(BUSY), false, true, NULL},
    {"destroy_pump", call_destroy_pump, BIT(BUSY), false, true, NULL},
    {"simulate", call_simulate, BIT(INVALID), false, true, is_in_round},
    {"jobs_clear", call_jobs_clear, BIT(OK) | BIT(INVALID) | BIT(BUSY), true, false, is_of_flows},
};

/* -- moments ------------------------------------------------------------------------------------------------------- */

/* The process is about to end. What it does after an odd number does not reach the world. */
static bool has_crashed(const world *w)
{
    bool const is_odd = what.crash % 2 == 1 || w->pump.clock.real >= UF_MS(SHUT_AT);
    return w->is_first && what.crash != NO_CRASH && is_odd &&
           uf_store_memory_commits(w->store) >= (uint64_t)what.crash / 2;
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

    if (!is_kept_flow(flow) || has_forgotten || strstr(path, ".inside")) return NULL;
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
    world *const w = here;

    if (w->is_crashing || w->is_over) return;
    if (flow && at == AT_ON_ENTER) life_of(flow)->entered++;
    if (flow && at == AT_ON_EXIT && --life_of(flow)->entered < 0 && !life_of(flow)->was_restored &&
        !(what.variant & UNOBSERVED))
        fault("%s: on exit of what was not entered", path_of(flow));
    if (has_crashed(w)) return;
    if (flow && (at == AT_ON_ENTER || at == AT_HANDLER) && deeds_of(flow)) deeds_of(flow)->entered = flow->run;
    if (w->is_closing) return;
    bool const is_each = what.first.which == EACH;
    if (is_calling && !is_each) return;
    unsigned const which = is_each ? EACH : seen[at]++;
    bool const is_first = what.first.call && what.first.at == at && what.first.which == which;
    bool const is_second = what.second.call && what.second.at == at && what.second.which == which;
    if (!is_first && !is_second) return;
    now = is_first ? what.first : what.second;
    uf_flow *const of = target_of(w, now.target, flow);
    if (now.call->has_target && !of) return;
    if (!w->store->pump || !w->spare_item.uf.pump || !w->plain.uf.pump || !w->kept.uf.pump || !w->hall.uf.pump) return;
    if (!w->store->is_restored && !(w->store->is_restoring && now.call->call == call_restore)) return;
    if (now.call->fits && !now.call->fits(at)) return;
    is_calling = was_called = true;
    calls++;
    self_now = flow;
    if (++depth > 50) {
        fault("it does not return");
        abort();
    }
    uf_status const status = now.call->call(w, of);
    depth--;
    self_now = flow;
    bool const is_failed = status == UF_STORE && w->store->is_failed;
    EXPECT(is_failed || now.call->allowed & (UINT32_C(1) << status), "says: %s", uf_status_text(status));
    if (is_verbose)
        printf("at %ld ms, %s, %s: %s\n", ms(w), flow ? path_of(flow) : "-", of ? path_of(of) : "-",
               uf_status_text(status));
    is_calling = false;
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
    if (here->is_crashing || here->is_over || has_crashed(here)) return;
    check_order(flow);
    tell("%ld %s.%s\n", ms(here), path_of(flow), uf_flow_step(flow));
    world_moment(flow, AT_BODY);
}

/* -- the observer, which checks that what begins ends -------------------------------------------------------------- */

static bool is_counted(const world *w)
{
    return !w->is_crashing;
}

static void began(const uf_flow *flow, bool restored)
{
    life *const of = life_of(flow);

    EXPECT(!of->runs, "%s: began twice", path_of(flow));
    EXPECT(uf_flow_running(flow), "%s: began, and does not run", path_of(flow));
    EXPECT(flow->run != of->heard || has_forgotten, "%s: run %u began before", path_of(flow), (unsigned)flow->run);
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
    tell("%ld %s %s %s\n", ms(here), path_of(flow), uf_outcome_text(end->outcome), end->reason);
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

/* -- processes ----------------------------------------------------------------------------------------------------- */

static uf_time read_time(void *context)
{
    return ((world *)context)->pump.clock.real;
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

static void claimed(uf_flow *flow, uf_status status)
{
    EXPECT(of_start & (UINT32_C(1) << status), "%s: the start says: %s", path_of(flow), uf_status_text(status));
    world_moment(flow, AT_CLAIMED);
}

static bool run_until(world *w, uf_time until);

static world *open_world(uf_store *store)
{
    world *const w = calloc(1, sizeof *w);
    bool const is_observed = !(what.variant & UNOBSERVED);

    assert_non_null(w);
    here = w;
    w->store = store;
    w->observer = checker;
    w->other = (uf_observer){.flow_started = ignore_started};
    uf_signal_init(&w->signal, "signal");
    uf_pump_config config = {.monotonic = is_observed ? read_time : NULL, .pre_round = before_round, .context = w};
    if (what.variant & RATED) config.start = -UF_MS(30);
    config.pool = what.variant & LATER ? &w->seeded.pool : uf_pool_inline();
    assert_int_equal(uf_pool_seeded(&w->seeded, w->works, 8, 7, UF_MS(20)), UF_OK);
    assert_int_equal(uf_pump_init(&w->pump, &config), UF_OK);
    assert_int_equal(uf_store_attach(store, &w->pump), UF_OK);
    if (is_observed) assert_int_equal(uf_pump_add_observer(&w->pump, &w->observer), UF_OK);
    assert_int_equal(Item_init(&w->shared, &w->pump, "shared"), UF_OK);
    assert_int_equal(Kept_init(&w->kept, &w->pump, "kept", &w->shared), UF_OK);
    assert_int_equal(Plain_init(&w->plain, &w->pump, "plain"), UF_OK);
    assert_int_equal(Hall_init(&w->hall, &w->pump, "hall"), UF_OK);
    assert_int_equal(Guest_init(&w->guest, &w->pump, "guest", &w->shared), UF_OK);
    assert_int_equal(Closing_init(&w->closing, &w->pump, "closing"), UF_OK);
    assert_int_equal(Part_init(&w->spare, &w->pump, "spare"), UF_OK);
    assert_int_equal(Item_init(&w->spare_item, &w->pump, "spare_item"), UF_OK);
    if (has_extra) assert_int_equal(Kept_init(&w->extra, &w->pump, "extra", &w->shared), UF_OK);
    uf_restore_report report;
    if (uf_store_restore(store, &report) != UF_OK) fault("the restore says: %s", report.text);
    world_moment(NULL, AT_HELD);
    if (what.variant & RATED) assert_true(run_until(w, 0));
    world_moment(NULL, AT_HELD);
    (void)uf_store_release(store, NULL);
    return w;
}

/* -- invariants ---------------------------------------------------------------------------------------------------- */

static void check_running(const world *w)
{
    size_t count = 0;

    for (uf_flow *flow = NULL; (flow = uf_pump_next_flow(&w->pump, flow)) != NULL;) count += uf_flow_running(flow);
    EXPECT(count == uf_pump_running(&w->pump), "%d run, and it says %d", (int)count, (int)uf_pump_running(&w->pump));
}

/* 60 ms are enough for a cancel and for a start. */
static void check_promises(const world *w)
{
    uf_time const late = w->pump.clock.real - UF_MS(60);

    if (what.variant & UNOBSERVED) return;
    for (const life *of = w->lives; of < w->lives + LIVES && of->flow; of++) {
        bool const is_held =
            of->flow->pump && is_kept_flow(of->flow) && uf_flow_keeping(of->flow, NULL) == UF_KEEPING_HELD;
        if (of->cancelled && of->cancelled_at < late) fault("%s: cancelled, and does not end", path_of(of->flow));
        if (of->begun && of->begun_at < late && !of->stands && !is_held)
            fault("%s: started, and does not begin", path_of(of->flow));
        if ((of->cancelled && of->cancelled_at < late) || (of->begun && of->begun_at < late))
            ((life *)(uintptr_t)of)->cancelled = ((life *)(uintptr_t)of)->begun = 0;
    }
}

/* Lets time pass. Returns: false if the pump does not rest. */
static bool run_until(world *w, uf_time until)
{
    uf_time at = w->pump.clock.real;

    for (;;) {
        (void)uf_pump_round(&w->pump, at);
        world_moment(NULL, AT_OUTSIDE);
        if (is_counted(w)) check_running(w);
        if (has_crashed(w)) return true;
        if (++w->rounds > 3000) {
            fault("it does not rest");
            return false;
        }
        uf_time const sleep = uf_pump_stopped(&w->pump) ? UF_MS(100) : uf_pump_timeout(&w->pump);
        if (sleep > until - at) break;
        at += sleep;
    }
    if (at < until) (void)uf_pump_round(&w->pump, until);
    if (is_counted(w)) check_promises(w);
    return true;
}

/* What happens from outside, by the clock of this process. */
static void act(world *w, int at)
{
    bool const is_plain = w->plain.uf.pump != NULL;

    switch (at) {
    case 0:
        if (is_plain) claimed(&w->plain.uf, Plain_start_Run(&w->plain));
        if (w->kept.uf.pump && uf_flow_outcome(&w->kept.uf) == UF_NEVER_RAN)
            claimed(&w->kept.uf, Kept_start_Run(&w->kept));
        if (w->hall.uf.pump) claimed(&w->hall.uf, Hall_start_Stand(&w->hall));
        if (w->guest.uf.pump) claimed(&w->guest.uf, Guest_start_Ask(&w->guest));
        break;
    case 5:
        if (w->hall.uf.pump) claimed(&w->hall.uf, Hall_cells_spawn_Work(&w->hall, 30));
        subscribe(w);
        break;
    case 10:
        if (is_plain) (void)uf_flow_pause(&w->plain.uf, &w->holds[0]);
        break;
    case 15:
        if (w->kept.uf.pump) (void)uf_flow_pause(&w->kept.uf, &w->holds[1]);
        break;
    case 20: (void)uf_flow_resume(&w->holds[1]); break;
    case 25: (void)uf_flow_resume(&w->holds[0]); break;
    case 40:
        if (is_plain) (void)uf_checkpoint_try_arm(&w->plain.gate);
        break;
    case 45:
        if (is_plain && what.variant & BUMPED) (void)uf_signal_fire(&w->plain.bump);
        if (w->kept.uf.pump && what.variant & BUMPED) (void)uf_signal_fire(&w->kept.bump);
        if (is_plain) (void)Plain_box_send(&w->plain, 1);
        if (is_plain) (void)Plain_box_send(&w->plain, 2);
        break;
    case 90:
        if (is_plain) (void)uf_checkpoint_resume(&w->plain.gate);
        break;
    case 100:
    case 120:
    case 140:
        if (is_plain) (void)uf_signal_fire(&w->plain.go);
        subscribe(w);
        break;
    default: break;
    }
}

static bool play(world *w, int from, int to)
{
    for (int at = from; at < to; at += 5) {
        act(w, at);
        world_moment(NULL, AT_OUTSIDE);
        if (!run_until(w, UF_MS(at + 5))) return false;
        if (has_crashed(w)) break;
    }
    return true;
}

/* What does not depend on crashes: each run that a step has begun is there once. */
static void tell_results(const world *w)
{
    unsigned members = 0;

    for (uint32_t i = 0; i < 3; i++) {
        const uf_flow *const member = uf_members_last(&w->kept.crew, i);
        if (member) members += member->run;
    }
    tell("results: kept %s, sum %d, taken %d, %u members, other %u runs, own %u runs\n",
         uf_outcome_text(uf_flow_outcome(&w->kept.uf)), w->kept.sum, w->kept.taken, members,
         (unsigned)w->kept.other.uf.run, (unsigned)w->kept.own.uf.run);
}

static void check_idle(world *w, const uf_flow *flow)
{
    const life *const of = life_of(flow);

    (void)w;
    EXPECT(!uf_flow_running(flow), "%s: still runs in %s.%s", path_of(flow), uf_flow_task(flow), uf_flow_step(flow));
    if (what.variant & UNOBSERVED) return;
    EXPECT(!of->runs, "%s: its end was not told", path_of(flow));
    EXPECT(of->heard == flow->run || !of->heard, "%s: run %u, and %u was told", path_of(flow), (unsigned)flow->run,
           (unsigned)of->heard);
}

#define DESTROY(type, member)                                                                                          \
    do {                                                                                                               \
        if (w->member.uf.pump) {                                                                                       \
            uf_status const destroyed = type##_destroy(&w->member);                                                    \
            EXPECT(destroyed == UF_OK, #member ": the destroy says: %s", uf_status_text(destroyed));                   \
        }                                                                                                              \
    } while (0)

/* All ends. Returns: what the store has then. */
static uf_store *close_world(world *w)
{
    uf_store *left;

    for (uf_flow *flow = NULL; (flow = uf_pump_next_flow(&w->pump, flow)) != NULL;) check_idle(w, flow);
    if (w->pump.stop) EXPECT(w->stop.finite == 0, "%u finite runs are left", (unsigned)w->stop.finite);
    EXPECT(uf_pump_running(&w->pump) == 0, "%d run", (int)uf_pump_running(&w->pump));
    for (int i = 0; i < 3; i++) {
        uf_pause *const hold = i < 2 ? &w->holds[i] : &w->hold;
        EXPECT(!hold->pump || uf_flow_resume(hold) == UF_STALE, "a pause is left");
    }
    EXPECT(!w->pump.holds, "records of pauses are left");
    if (w->is_subscribed && w->plain.uf.pump) (void)uf_signal_unsubscribe(&w->plain.go, &w->callback);
    w->is_over = true;
    assert_int_equal(uf_store_memory_copy(&left, w->store, &w->store->config), UF_OK);
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
    EXPECT(uf_pump_destroy(&w->pump) == UF_OK, "the pump cannot be destroyed");
    EXPECT(uf_store_close(w->store) == UF_OK, "the store cannot be closed");
    free(w);
    return left;
}

static uf_store *first_process(uf_store *store)
{
    world *const w = open_world(store);

    w->is_first = true;

    if (what.crash != NO_CRASH) {
        assert_int_equal(uf_store_memory_stop(store, (uint64_t)what.crash / 2, NULL), UF_OK);
        (void)play(w, 0, 200);
        w->is_crashing = true;
        uf_store *const left = pump_crash(&w->pump, store, &store->config);
        free(w);
        return left;
    }
    assert_true(play(w, 0, SHUT_AT));
    uf_status const status = uf_pump_stop(&w->pump, &w->stop, UF_MS(40));
    EXPECT(status == UF_OK || status == UF_BUSY, "the stop says %d", status);
    assert_true(run_until(w, UF_S(1)));
    if (uf_pump_stopping(&w->pump)) EXPECT(uf_pump_stopped(&w->pump), "the stop does not end");
    if (!uf_pump_stopping(&w->pump)) (void)uf_pump_stop(&w->pump, &w->stop, UF_MS(40)); /* it was restarted */
    assert_true(run_until(w, UF_S(2)));
    return close_world(w);
}

static void last_process(uf_store *store)
{
    world *const w = open_world(store);

    assert_true(play(w, 0, 600));
    tell_results(w);
    uf_pump_cancel_all(&w->pump);
    (void)run_until(w, UF_S(2));
    w->is_closing = true; /* nothing is called any more */
    (void)uf_store_release(w->store, NULL);
    uf_pump_cancel_all(&w->pump); /* also what began meanwhile */
    (void)run_until(w, UF_S(3));
    assert_int_equal(uf_store_close(close_world(w)), UF_OK);
}

/* -- scenes -------------------------------------------------------------------------------------------------------- */

static bool make(const scene *of)
{
    uf_store *store;

    what = *of;
    now = (event){.call = NULL};
    memset(seen, 0, sizeof seen);
    memset(all_deeds, 0, sizeof all_deeds);
    is_calling = was_called = has_forgotten = has_kept_fields = has_extra = false;
    told = 0;
    *story = '\0';
    scenes++;
    uf_store_config const config = {.restore_rate = what.variant & RATED ? 100 : 0, .tick = UF_S(60)};
    assert_int_equal(uf_store_memory_open(&store, &config), UF_OK);
    last_process(first_process(store));
    return was_called;
}

static uint32_t drawn = 1;

static unsigned draw(unsigned below)
{
    drawn = drawn * 1664525u + 1013904223u;
    return (drawn >> 8) % below;
}

typedef struct plain_run {
    unsigned seen[MOMENT_COUNT];
    char story[sizeof story];
    const char *results;
    unsigned commits;
} plain_run;

static plain_run plain[VARIANTS];

static void play_plain(void)
{
    for (unsigned variant = 0; variant < VARIANTS; variant++) {
        (void)make(&(scene){.variant = variant, .crash = NO_CRASH});
        memcpy(plain[variant].seen, seen, sizeof seen);
        memcpy(plain[variant].story, story, sizeof story);
        plain[variant].results = strstr(plain[variant].story, "results:");
        assert_non_null(plain[variant].results);
    }
}

/* A call may change the order of what happens at one time, so that of lines does not count. */
static uint64_t sum_of_lines(const char *text)
{
    uint64_t sum = 0, hash = 0;

    for (; *text; text++) {
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001B3);
        if (*text != '\n') continue;
        sum += hash;
        hash = 0;
    }
    return sum;
}

static void compare(void)
{
    const plain_run *const p = &plain[what.variant];
    const char *const results = strstr(story, "results:");

    bool const commits = what.first.call->call == call_forget_nothing; /* what follows comes earlier */
    if (what.crash == NO_CRASH && !commits) {
        if (sum_of_lines(story) == sum_of_lines(p->story)) return;
        fault("it changes what happens");
        if (is_verbose) printf("---- without:\n%s---- with:\n", p->story);
    } else if (!results || strncmp(results, p->results, strcspn(p->results, "\n")) != 0) {
        fault("its %s", results ? results : "nothing");
    }
}

static void make_and_compare(const scene *of)
{
    bool const is_neutral = of->first.call->is_neutral && (!of->second.call || of->second.call->is_neutral);
    if (make(of) && is_neutral && !has_kept_fields) compare();
}

/* `many` scenes of a function at a moment. */
static void at_moment(const row *call, target of, moment at, unsigned many)
{
    for (unsigned i = 0; i < many; i++) {
        unsigned const variant = draw(VARIANTS), steady = variant & ~(unsigned)BUMPED;
        if (!plain[variant].seen[at]) continue;
        make_and_compare(&(scene){{call, of, at, draw(plain[variant].seen[at])}, {.call = NULL}, variant, NO_CRASH});
        if (!plain[steady].seen[at] || (!call->is_neutral && draw(4))) continue;
        unsigned const which = draw(plain[steady].seen[at] / 2 + 1);
        make_and_compare(&(scene){{call, of, at, which}, {.call = NULL}, steady, (int)draw(90)});
    }
}

enum { ROWS = sizeof rows / sizeof *rows };

/* A function at each occurrence of a moment. */
static void at_all(const row *call, target of, moment at)
{
    unsigned const variant = draw(VARIANTS) & ~(unsigned)BUMPED;

    depth = 0;
    make_and_compare(&(scene){{call, of, at, EACH}, {.call = NULL}, variant, draw(2) ? NO_CRASH : (int)draw(90)});
}

/* Then each round would bring the next one. */
static bool is_of_rounds(moment at)
{
    return at == AT_CONDITION || at == AT_PRE_ROUND || at == AT_ROUND_RAN || at == AT_OUTSIDE;
}

static void each(unsigned many, unsigned share)
{
    for (const row *call = rows; call < rows + ROWS; call++) {
        for (int at = 0; at < MOMENT_COUNT; at++) {
            for (int of = 0; of < (call->has_target ? TARGET_COUNT : 1); of++) {
                if (call->has_target && draw(share)) continue;
                at_moment(call, (target)of, (moment)at, many);
                if (call->is_neutral && !is_of_rounds((moment)at)) at_all(call, (target)of, (moment)at);
            }
        }
    }
}

static event draw_event(unsigned variant)
{
    event drawn_one = {&rows[draw(ROWS)], (target)draw(TARGET_COUNT), (moment)draw(MOMENT_COUNT), 0};
    drawn_one.which = draw(plain[variant].seen[drawn_one.at] + 1);
    return drawn_one;
}

static void pairs(unsigned many)
{
    while (many-- > 0) {
        unsigned const variant = draw(VARIANTS);
        event const first = draw_event(variant), second = draw_event(variant);
        bool const crashes = !(variant & BUMPED) && draw(4) == 0;
        make_and_compare(&(scene){first, second, variant, crashes ? (int)draw(90) : NO_CRASH});
    }
}

CASE(each_function_at_each_moment)
{
    play_plain();
    assert_int_equal(faults, 0);
    each(1, 12);
    assert_true(calls > 1000);
    assert_int_equal(faults, 0);
}

/* Each of these was a fault: at each occurrence of the moment. */
static const struct {
    const char *call;
    target target;
    moment at;
    bool crashes;
} found[] = {
    {"release", OF_SELF, AT_RESTORED, false},      {"restart", OF_SELF, AT_STOPPING, false},
    {"stop", OF_SELF, AT_CHANGED, false},          {"pause", OF_KEPT, AT_WAIT_BEGAN, false},
    {"pause", OF_SELF, AT_ON_END, false},          {"pause", OF_SELF, AT_ENDED, false},
    {"pause", OF_SELF, AT_REQUESTED, false},       {"pause", OF_KEPT, AT_HELD, true},
    {"cancel_all", OF_SELF, AT_REQUESTED, false},  {"cancel", OF_SELF, AT_KEEPING, false},
    {"cancel", OF_KEPT, AT_KEEPING, true},         {"start", OF_SPARE_ITEM, AT_OVER, false},
    {"start", OF_SPARE_ITEM, AT_ENDED, false},     {"keep", OF_SELF, AT_ON_INIT, false},
    {"token", OF_SELF, AT_ON_INIT, false},         {"keep", OF_SELF, AT_KEEPING, true},
    {"forget_nothing", OF_SELF, AT_KEEPING, true}, {"start", OF_SPARE_ITEM, AT_ON_SUSPEND, false},
    {"restore", OF_SELF, AT_ON_INIT, false},
};

/* `crashing`: so many occurrences also with crashes. */
static void at_each(const row *call, target of, moment at, unsigned crashing)
{
    static const unsigned variants[] = {0, RATED};

    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        for (unsigned which = 0; which < plain[variants[i]].seen[at]; which++)
            make_and_compare(&(scene){{call, of, at, which}, {.call = NULL}, variants[i], NO_CRASH});
    }
    for (int crash = 1; crashing && crash < 90; crash += 2) {
        for (unsigned which = 0; which < crashing && which < plain[RATED].seen[at]; which++)
            make_and_compare(&(scene){{call, of, at, which}, {.call = NULL}, RATED, crash});
    }
    /* The first process goes on for long. */
    for (unsigned which = 0; crashing && which < plain[0].seen[at]; which++)
        make_and_compare(&(scene){{call, of, at, which}, {.call = NULL}, 0, 1000});
}

static const row *row_of(const char *name)
{
    for (const row *call = rows; call < rows + ROWS; call++) {
        if (strcmp(call->name, name) == 0) return call;
    }
    exit(2);
}

CASE(what_was_found_before)
{
    play_plain();
    for (size_t i = 0; i < sizeof found / sizeof *found; i++)
        at_each(row_of(found[i].call), found[i].target, found[i].at, found[i].crashes ? 2 : 0);
    at_all(row_of("keep"), OF_SELF, AT_KEEPING);
    assert_int_equal(faults, 0);
}

CASE(pairs_of_calls)
{
    play_plain();
    drawn = 5;
    pairs(400);
    assert_int_equal(faults, 0);
}

/* -- by hand ------------------------------------------------------------------------------------------------------- */

static int index_of(const char *name, const char *const names[], int count)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0) return i;
    }
    exit(2);
}

static event event_of(char **words)
{
    return (event){row_of(words[0]), (target)index_of(words[1], target_names, TARGET_COUNT),
                   (moment)index_of(words[2], moment_names, MOMENT_COUNT), 0};
}

int main(int count, char **arguments)
{
    if (count < 2) return cases_run();
    play_plain();
    unsigned const many = count > 3 ? (unsigned)atoi(arguments[3]) : 1;
    if (count <= 4 && count > 2) drawn = (uint32_t)atoi(arguments[2]);
    if (strcmp(arguments[1], "plain") == 0) {
        for (unsigned v = 0; v < VARIANTS; v++) {
            printf("variant %u\n", v);
            for (int i = 0; i < MOMENT_COUNT; i++) printf("%s %u, ", moment_names[i], plain[v].seen[i]);
            printf("\n%s\n", plain[v].story);
        }
    } else if (strcmp(arguments[1], "all") == 0) {
        each(many, 1);
    } else if (strcmp(arguments[1], "pairs") == 0) {
        pairs(many);
    } else if (count == 4) {
        event const of = event_of(arguments + 1);
        at_each(of.call, of.target, of.at, UINT_MAX);
    } else if (count > 6) {
        scene of = {event_of(arguments + 1), {.call = NULL}, (unsigned)atoi(arguments[5]), atoi(arguments[6])};
        of.first.which = (unsigned)strtol(arguments[4], NULL, 10);
        if (count > 10) of.second = event_of(arguments + 7);
        if (count > 10) of.second.which = (unsigned)atoi(arguments[10]);
        is_verbose = true;
        make_and_compare(&of);
        printf("%s", story);
    }
    printf("%u scenes, %u calls, %u faults\n", scenes, calls, faults);
    return faults != 0;
}
