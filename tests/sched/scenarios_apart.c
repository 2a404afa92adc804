/* SPDX-License-Identifier: MIT */
/* Operations of two halves of a program that share nothing: whatever kind they are, no lock and no word is in common.
 * Each half has two runtimes, a plain thread, and a pool of threads. */
#include "counted.h"
#include "scene.h"

#include "crowd.h"
#include "jobber.h"
#include "listener.h"
#include "waits/signals.h"

typedef struct half {
    uf_runtime *runtime, *other, *loop;
    Listener one, guest; /* of `runtime` and of `other` */
    Worker worker;
    Jobber jobber;
    Inn inn;
    uf_signal bell;
    uf_checkpoint gate;
    uf_signal_callback callback;
    int side, called, posts;
    bool is_ready, is_over;
} half;

/* One kind of operations. `prepare` and `clean` are not counted; they may be NULL. */
typedef struct kind {
    void (*prepare)(half *h);
    void (*act)(half *h);
    void (*clean)(half *h);
} kind;

static half halves[2];
static kind const *acting;
static bool may_begin, may_leave;

static void await_flag(const bool *flag)
{
    while (!__atomic_load_n(flag, __ATOMIC_SEQ_CST)) schedule_pause();
}

static void raise_flag(bool *flag)
{
    __atomic_store_n(flag, true, __ATOMIC_SEQ_CST);
}

static void await_end(uf_flow *flow)
{
    MUST(uf_flow_wait(flow, UF_FOREVER, NULL) == UF_OK);
}

/* -- describe, fail, and copies of reasons ------------------------------------------------------------------------- */

static void describe_step(Worker *worker)
{
    uf_describe(&worker->uf, "step %d", worker->bodies);
}

static void describe(half *h)
{
    uf_call_info end;
    uf_flow_view view;

    h->worker.body = describe_step;
    MUST(Worker_call_Fail(&h->worker, 1, UF_FOREVER, &end) == UF_NOT_DONE && strcmp(end.reason, "code 1") == 0);
    uf_flow_view_of(&h->worker.uf, &view);
}

/* -- signals: callbacks, threads, flows of other pumps ------------------------------------------------------------- */

static void fire_step(Worker *worker)
{
    half *const h = worker->context;
    uf_signal_fire(&h->bell);
}

static void fire_if_awaited(Worker *worker)
{
    half *const h = worker->context;
    while (!ufi_waiting_of(ufp_load_wide_seq_cst(&h->bell.word))) schedule_pause();
    uf_signal_fire(&h->bell);
}

static void count_call(void *argument, uf_status status)
{
    half *const h = argument;
    MUST(status == UF_OK);
    h->called++;
}

static void subscribe(half *h)
{
    h->worker.body = fire_step;
    uf_signal_subscribe(&h->bell, &h->callback, count_call, h);
    MUST(Worker_call_Count(&h->worker, 1, UF_FOREVER, NULL, NULL) == UF_OK);
    uf_signal_subscribe(&h->bell, &h->callback, count_call, h);
    uf_signal_fire(&h->bell);
    uf_signal_subscribe(&h->bell, &h->callback, count_call, h);
    MUST(uf_signal_unsubscribe(&h->bell, &h->callback) && h->called == 2);
}

static void wait_for_signal(half *h)
{
    h->worker.body = fire_if_awaited;
    MUST(Worker_start_Count(&h->worker, 1) == UF_OK);
    MUST(uf_signal_wait(&h->bell, UF_FOREVER) == UF_OK);
    MUST(Listener_start_Pass(&h->one, 1, UF_FOREVER) == UF_OK);
    while (uf_checkpoint_arm(&h->gate, UF_US(1)) == UF_CLOSED) {}
    uf_checkpoint_resume(&h->gate);
    await_end(&h->one.uf);
}

static void hear_from_elsewhere(half *h)
{
    h->worker.body = fire_step;
    MUST(Listener_start_Listen(&h->one, 1, UF_FOREVER) == UF_OK);
    MUST(Listener_start_Listen(&h->guest, 1, UF_FOREVER) == UF_OK);
    while (ufi_waiting_of(ufp_load_wide_seq_cst(&h->bell.word)) < 2) schedule_pause();
    MUST(Worker_call_Count(&h->worker, 1, UF_FOREVER, NULL, NULL) == UF_OK);
    await_end(&h->one.uf);
    await_end(&h->guest.uf);
}

/* -- mailboxes and pools of flows ---------------------------------------------------------------------------------- */

/* The thread finds the mailbox full, and so may the flow of the other pump. */
static void wait_for_room(half *h)
{
    int const item = 1;

    for (int i = 0; i < 4; i++) MUST(Listener_orders_send(&h->one, i) == UF_OK);
    MUST(Listener_start_Send(&h->guest, 1) == UF_OK);
    MUST(Listener_start_Serve(&h->one, 6) == UF_OK);
    MUST(uf_mailbox_send_wait(&h->one.orders, &item, UF_FOREVER) == UF_OK);
    await_end(&h->guest.uf);
    await_end(&h->one.uf);
}

static void spawn_members(half *h)
{
    MUST(Inn_start_Spawn(&h->inn, 1, 3) == UF_OK); /* one at a time, so it waits for vacancies */
    await_end(&h->inn.uf);
    MUST(Inn_start_Join(&h->inn) == UF_OK);
    await_end(&h->inn.uf);
}

/* -- posts, starts, cancels, calls, jobs --------------------------------------------------------------------------- */

static void count_one(void *argument)
{
    half *const h = argument;
    h->posts++;
}

static void post(half *h)
{
    MUST(uf_post(h->runtime, count_one, h) == UF_OK);
    MUST(uf_post_wait(h->runtime, count_one, h) == UF_OK && h->posts == 2);
}

static void start(half *h)
{
    uf_run run;

    MUST(Worker_start_run_Rest(&h->worker, &run, UF_FOREVER) == UF_OK);
    MUST(uf_run_cancel(run) == UF_OK);
    await_end(&h->worker.uf);
    MUST(Worker_call_Rest(&h->worker, UF_US(1), UF_FOREVER, NULL) == UF_OK);
    MUST(uf_runtime_wait(h->runtime, UF_FOREVER) == UF_OK);
}

/* Runs on the pool's only thread. */
static int work(uf_work *unused, void *argument)
{
    half const *const h = argument;
    (void)unused;
    counted_watch(h->side, ufp_thread_self());
    return 1;
}

static void submit(half *h)
{
    MUST(Jobber_start_Ask(&h->jobber, (order){work, h}, UF_FOREVER) == UF_OK);
    await_end(&h->jobber.uf);
}

static void submit_two(half *h)
{
    for (int i = 0; i < 2; i++) submit(h);
}

/* -- objects and loops --------------------------------------------------------------------------------------------- */

static void init_objects(half *h)
{
    uf_pump *const pump = uf_runtime_pump(h->runtime);

    uf_signal_init(&h->bell, "bell");
    uf_checkpoint_init(&h->gate, "gate");
    MUST(Worker_init(&h->worker, pump, "worker") == UF_OK);
    MUST(Listener_init(&h->one, pump, "one", &h->bell, &h->gate) == UF_OK);
    MUST(Listener_init(&h->guest, uf_runtime_pump(h->other), "guest", &h->bell, &h->gate) == UF_OK);
    MUST(Inn_init(&h->inn, pump, "inn") == UF_OK);
    MUST(Inn_guests_limit(&h->inn, 1) == UF_OK);
    MUST(Jobber_init(&h->jobber, pump, "jobber") == UF_OK);
    h->worker.context = h;
    h->guest.target = &h->one.orders;
}

static void destroy_objects(half *h)
{
    MUST(Jobber_destroy(&h->jobber) == UF_OK);
    MUST(Inn_destroy(&h->inn) == UF_OK);
    MUST(Listener_destroy(&h->guest) == UF_OK);
    MUST(Listener_destroy(&h->one) == UF_OK);
    MUST(Worker_destroy(&h->worker) == UF_OK);
    uf_checkpoint_destroy(&h->gate);
    uf_signal_destroy(&h->bell);
}

/* A flow waits when its signal is destroyed. */
static void renew(half *h)
{
    MUST(Listener_start_Listen(&h->guest, 1, UF_FOREVER) == UF_OK);
    while (!ufi_waiting_of(ufp_load_wide_seq_cst(&h->bell.word))) schedule_pause();
    uf_signal_destroy(&h->bell);
    uf_signal_init(&h->bell, "bell");
    destroy_objects(h);
    init_objects(h);
}

/* A thread with an external loop of its own must find that loop before it waits. */
static void make_loop(half *h)
{
    MUST(uf_runtime_new(&h->loop, &(uf_runtime_config){.embedded = true}) == UF_OK);
}

static void wait_with_loop(half *h)
{
    MUST(uf_runtime_poll(h->loop) == UF_OK);
    MUST(uf_signal_wait(&h->bell, UF_FOREVER) == UF_DEADLOCK);
    start(h);
    post(h);
}

static void free_loop(half *h)
{
    MUST(uf_runtime_free(h->loop) == UF_OK);
    MUST(uf_signal_wait(&h->bell, 0) == UF_TIMED_OUT);
}

/* ------------------------------------------------------------------------------------------------------------------ */

static void act(void *argument)
{
    half *const h = argument;

    if (acting->prepare) acting->prepare(h);
    raise_flag(&h->is_ready);
    await_flag(&may_begin);
    acting->act(h);
    raise_flag(&h->is_over);
    await_flag(&may_leave);
    if (acting->clean) acting->clean(h);
}

static void begin_half(half *h, int side)
{
    uf_runtime_config const config = {.spin = SHORT_SPIN, .workers = 1};

    *h = (half){.side = side};
    MUST(uf_runtime_new(&h->runtime, &config) == UF_OK);
    MUST(uf_runtime_new(&h->other, &config) == UF_OK);
    init_objects(h);
}

static void watch(half *h)
{
    uf_runtime *const both[] = {h->runtime, h->other};

    for (int i = 0; i < 2; i++) {
        void *thread;
        while (!(thread = ufp_load_pointer_seq_cst(&both[i]->pump.thread))) schedule_pause();
        counted_watch(h->side, thread);
    }
}

static void is_apart(const kind *k)
{
    ufp_thread threads[2];

    acting = k;
    may_begin = may_leave = false;
    for (int i = 0; i < 2; i++) begin_half(&halves[i], i);
    for (int i = 0; i < 2; i++) {
        MUST(ufp_thread_start(&threads[i], (ufp_thread_options){0}, act, &halves[i]) == 0);
    }
    for (int i = 0; i < 2; i++) await_flag(&halves[i].is_ready);
    counted_begin(NULL, NULL);
    for (int i = 0; i < 2; i++) {
        fiber *thread;
        memcpy(&thread, &threads[i], sizeof thread); /* see ufp_thread_start() */
        counted_watch(i, thread);
        watch(&halves[i]);
    }
    raise_flag(&may_begin);
    for (int i = 0; i < 2; i++) await_flag(&halves[i].is_over);
    for (int i = 0; i < 2; i++) {
        MUST(uf_runtime_wait(halves[i].runtime, UF_FOREVER) == UF_OK);
        MUST(uf_runtime_wait(halves[i].other, UF_FOREVER) == UF_OK);
    }
    void const *const common = counted_end();
    if (common) schedule_fail("both halves have written or locked %p", common);
    raise_flag(&may_leave);
    for (int i = 0; i < 2; i++) ufp_thread_join(&threads[i]);
    for (int i = 0; i < 2; i++) {
        destroy_objects(&halves[i]);
        MUST(uf_runtime_free(halves[i].other) == UF_OK);
        MUST(uf_runtime_free(halves[i].runtime) == UF_OK);
    }
}

#define KINDS(KIND)                                                                                                    \
    KIND(counted_texts, NULL, describe, NULL)                                                                          \
    KIND(counted_callbacks, NULL, subscribe, NULL)                                                                     \
    KIND(counted_threads, NULL, wait_for_signal, NULL)                                                                 \
    KIND(counted_guests, NULL, hear_from_elsewhere, NULL)                                                              \
    KIND(counted_rooms, NULL, wait_for_room, NULL)                                                                     \
    KIND(counted_spawns, NULL, spawn_members, NULL)                                                                    \
    KIND(counted_posts, NULL, post, NULL)                                                                              \
    KIND(counted_starts, NULL, start, NULL)                                                                            \
    KIND(counted_jobs, submit, submit_two, NULL)                                                                       \
    KIND(counted_ends, NULL, renew, NULL)                                                                              \
    KIND(counted_loops, make_loop, wait_with_loop, free_loop)

#define RUN(name, prepare, act, clean)                                                                                 \
    static void name(void)                                                                                             \
    {                                                                                                                  \
        is_apart(&(kind){prepare, act, clean});                                                                        \
    }
KINDS(RUN)

#define ROW(name, prepare, act, clean) {#name, name},
const scenario apart_scenarios[] = {KINDS(ROW){0}};
