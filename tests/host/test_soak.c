/* SPDX-License-Identifier: MIT */
/* test_soak.c - several runtimes, their flows and plain threads use each other's objects, chosen by a seed: signals,
 * mailboxes, rooms, checkpoints, jobs, posts, starts, cancels, calls and spawns. In episodes: at the end of each all of
 * them come to rest, what they have counted must add up, and everything is destroyed. A process beside them takes their
 * CPUs away at random.
 *
 * usage: test_host_soak [--seconds N] [--seed N] [--alone]
 *
 * Runs for N seconds, at least one episode; 3 by default. --alone: without the other process. An episode that does not
 * end within two minutes has lost a wake-up: the program dumps its flows and aborts. */
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "uflow/dump.h"
#include "uflow/pool.h"
#include "uflow/runtime.h"

#include "crowd.h"
#include "soak.h"
#include "traders.h"
#include "worker.h"

enum { MOST_RUNTIMES = 4, TRADERS = 4, KEEPERS = 2, WORKERS = 2, BELLS = 3, THREADS = 4, ACTIONS = 1500 };

typedef struct side {
    uf_runtime *runtime;
    Trader traders[TRADERS];
    Keeper keepers[KEEPERS];
    Worker workers[WORKERS];
    Inn inn;
    pthread_t loop; /* of a runtime in external-loop mode */
    bool is_embedded;
} side;

static side sides[MOST_RUNTIMES];
static uint32_t side_count;
static uf_signal bells[BELLS];
static uf_pool *shared_pool;
static uint64_t counts[COUNTS];
static uint32_t is_over, loops_end, episode, has_ended, seed = 1;

#define SOAK_NAME(name) #name,
static const char *const names[COUNTS] = {SOAK_COUNTS(SOAK_NAME)};

#define CHECK(condition) ((condition) ? (void)0 : give_up(#condition, __LINE__))

static void give_up(const char *what, int line)
{
    fprintf(stderr, "test_soak.c:%d: not so: %s; seed %u, episode %u\n", line, what, seed, episode);
    for (int i = 0; i < COUNTS; i++) fprintf(stderr, "  %-13s %llu\n", names[i], (unsigned long long)counts[i]);
    exit(1);
}

/* -- for flows and threads ----------------------------------------------------------------------------------------- */

void soak_add(soak_count what, uint64_t number)
{
    __atomic_add_fetch(&counts[what], number, __ATOMIC_RELAXED);
}

static uint64_t count_of(soak_count what)
{
    return __atomic_load_n(&counts[what], __ATOMIC_SEQ_CST);
}

uint32_t soak_draw(uint32_t *chance, uint32_t limit)
{
    *chance = *chance * 1664525u + 1013904223u;
    return (*chance >> 16) % limit;
}

bool soak_is_over(void)
{
    return __atomic_load_n(&is_over, __ATOMIC_SEQ_CST);
}

static side *some_side(uint32_t *chance)
{
    return &sides[soak_draw(chance, side_count)];
}

uf_signal *soak_bell(uint32_t *chance)
{
    return &bells[soak_draw(chance, BELLS)];
}

uf_mailbox *soak_mailbox(uint32_t *chance)
{
    return &some_side(chance)->keepers[soak_draw(chance, KEEPERS)].mail;
}

void soak_fire(uint32_t *chance)
{
    soak_add(RELEASED, uf_signal_fire(soak_bell(chance)));
}

static uf_status send_within(uf_mailbox *to, uint32_t *chance, uf_time timeout)
{
    int const item = (int)soak_draw(chance, 1000);
    uf_status const status = timeout ? uf_mailbox_send_wait(to, &item, timeout) : uf_mailbox_send(to, &item);

    if (status == UF_OK) {
        soak_add(SENT, 1);
        soak_add(SENT_SUM, (uint64_t)item);
    } else if (status != (timeout ? UF_TIMED_OUT : UF_FULL)) {
        soak_add(WRONG, 1);
    }
    return status;
}

uf_status soak_send(uf_mailbox *to, uint32_t *chance)
{
    return send_within(to, chance, 0);
}

/* -- members of pools: hooks of crowd.uflow ------------------------------------------------------------------------ */

void told_enter(Guest *guest, int token)
{
    (void)guest;
    (void)token;
    soak_add(ENTERED, 1);
}

void told_exit(int token)
{
    (void)token;
    soak_add(LEFT, 1);
}

void told_end(Guest *guest)
{
    (void)guest;
    soak_add(ENDED, 1);
}

void told_mail(int sent)
{
    (void)sent;
}

static void spawn(uint32_t *chance)
{
    Inn *const inn = &some_side(chance)->inn;
    int const how = (int)soak_draw(chance, 60);

    uf_status const status = Inn_guests_spawn_Visit(inn, 1, how);
    if (status == UF_OK) soak_add(SPAWNED, 1);
    else if (status != UF_FULL) soak_add(WRONG, 1);
    if (how == 7) CHECK(Inn_guests_cancel_all(inn) == UF_OK);
}

/* -- what never waits: threads and steps do it --------------------------------------------------------------------- */

static void run_post(void *argument)
{
    uint32_t chance = (uint32_t)(uintptr_t)argument;

    soak_add(POSTS_RUN, 1);
    if (soak_draw(&chance, 2)) soak_fire(&chance);
}

static void *as_argument(uint32_t number)
{
    return (void *)(uintptr_t)number; /* NOLINT(performance-no-int-to-ptr): a number */
}

static void post(uint32_t *chance)
{
    if (uf_post(some_side(chance)->runtime, run_post, as_argument(*chance)) == UF_OK) soak_add(POSTED, 1);
    else soak_add(WRONG, 1);
}

static void start(uint32_t *chance)
{
    Worker *const worker = &some_side(chance)->workers[soak_draw(chance, WORKERS)];
    uf_run run;

    uf_status const status = soak_draw(chance, 2) ? Worker_start_run_Rest(worker, &run, UF_FOREVER)
                                                  : Worker_start_run_Count(worker, &run, 3);
    if (status == UF_OK) soak_add(STARTED, 1);
    else if (status != UF_BUSY) soak_add(WRONG, 1);
    if (status == UF_OK && soak_draw(chance, 4)) (void)uf_run_cancel(run);
    if (soak_draw(chance, 4) == 0) (void)uf_flow_cancel(&worker->uf);
}

void soak_act(uint32_t *chance)
{
    switch (soak_draw(chance, 4)) {
    case 0: post(chance); break;
    case 1: start(chance); break;
    case 2: spawn(chance); break;
    default: soak_fire(chance); break;
    }
}

/* -- what only a plain thread may do ------------------------------------------------------------------------------- */

static void count_call(void *argument, uf_status status)
{
    soak_add(status == UF_OK ? HEARD : WRONG, 1);
    if (argument) soak_fire(argument);
}

static void subscribe(uint32_t *chance)
{
    uf_signal *const bell = soak_bell(chance);
    uf_signal_callback callback;
    uint32_t for_callback = *chance;

    uf_signal_subscribe(bell, &callback, count_call, soak_draw(chance, 2) ? &for_callback : NULL);
    if (soak_draw(chance, 2)) soak_fire(chance);
    if (uf_signal_unsubscribe(bell, &callback)) soak_add(UNSUBSCRIBED, 1);
}

static void wait_for_signal(uint32_t *chance)
{
    uf_signal *const bell = soak_bell(chance);
    uint32_t const since = uf_signal_epoch(bell);

    uf_status const status = uf_signal_wait(bell, UF_US(soak_draw(chance, 300)));
    if (status == UF_OK) soak_add(uf_signal_epoch(bell) != since ? HEARD : WRONG, 1);
    else if (status != UF_TIMED_OUT) soak_add(WRONG, 1);
}

static void hold(uint32_t *chance)
{
    uf_status const status = uf_checkpoint_arm(&gate, UF_US(soak_draw(chance, 300)));

    if (status == UF_OK) soak_add(RESUMED, uf_checkpoint_resume(&gate));
    else if (status != UF_TIMED_OUT && status != UF_BUSY && status != UF_DISARMED) soak_add(WRONG, 1);
}

static void call(uint32_t *chance)
{
    Worker *const worker = &some_side(chance)->workers[soak_draw(chance, WORKERS)];
    int result = 0;
    uf_call_info info;

    uf_status const status = Worker_call_Count(worker, 2, UF_MS(1), &result, &info);
    if (status == UF_OK) soak_add(result == 2 ? CALLED : WRONG, 1);
    else if (status != UF_TIMED_OUT && status != UF_NOT_DONE) soak_add(WRONG, 1);
}

static void post_and_wait(uint32_t *chance)
{
    uf_status const status = uf_post_wait(some_side(chance)->runtime, run_post, as_argument(*chance));
    soak_add(status == UF_OK ? POSTED : WRONG, 1);
}

/* A flow of this thread alone, while the pump's thread runs others. */
static void attach(uint32_t *chance)
{
    Bed bed;

    CHECK(Bed_init(&bed, uf_runtime_pump(some_side(chance)->runtime), "bed") == UF_OK);
    if (soak_draw(chance, 2)) CHECK(Bed_start_Sleep(&bed) == UF_OK);
    while (Bed_destroy(&bed) == UF_BUSY) (void)uf_flow_cancel(&bed.uf);
}

static void observe(uint32_t *chance)
{
    uf_runtime *const runtime = some_side(chance)->runtime;
    uf_observer observer = {.context = NULL};

    CHECK(uf_runtime_add_observer(runtime, &observer) == UF_OK);
    CHECK(uf_runtime_remove_observer(runtime, &observer) == UF_OK);
}

static void *act(void *number)
{
    uint32_t chance = (uint32_t)(uintptr_t)number;

    for (int i = 0; i < ACTIONS; i++) {
        switch (soak_draw(&chance, 14)) {
        case 0: wait_for_signal(&chance); break;
        case 1: subscribe(&chance); break;
        case 2: hold(&chance); break;
        case 3: call(&chance); break;
        case 4: post_and_wait(&chance); break;
        case 5: (void)send_within(soak_mailbox(&chance), &chance, UF_US(1 + soak_draw(&chance, 500))); break;
        case 6: (void)soak_send(soak_mailbox(&chance), &chance); break;
        case 7: attach(&chance); break;
        case 8: observe(&chance); break;
        default: soak_act(&chance); break;
        }
    }
    return NULL;
}

static void *run_loop(void *argument)
{
    side const *const s = argument;

    while (!__atomic_load_n(&loops_end, __ATOMIC_SEQ_CST)) {
        struct pollfd wait = {.fd = uf_runtime_fd(s->runtime), .events = POLLIN};
        (void)poll(&wait, 1, uf_runtime_poll_timeout(s->runtime));
        CHECK(uf_runtime_poll(s->runtime) == UF_OK);
    }
    return NULL;
}

/* -- an episode ---------------------------------------------------------------------------------------------------- */

static void ignore_failure(void *context, const uf_flow *flow, const uf_failure *failure)
{
    (void)context;
    (void)flow;
    (void)failure;
}

static void begin_side(side *s, uint32_t *chance)
{
    uf_runtime_config const config = {
        .on_failure = ignore_failure,
        .embedded = s->is_embedded,
        .workers = 1 + soak_draw(chance, 2),
        .pool = soak_draw(chance, 2) ? shared_pool : NULL,
        .spin = soak_draw(chance, 2) ? 0 : -1,
    };
    CHECK(uf_runtime_new(&s->runtime, &config) == UF_OK);
    uf_pump *const pump = uf_runtime_pump(s->runtime);
    for (int i = 0; i < KEEPERS; i++) CHECK(Keeper_init(&s->keepers[i], pump, "keeper") == UF_OK);
    for (int i = 0; i < TRADERS; i++) {
        CHECK(Trader_init(&s->traders[i], pump, "trader", soak_draw(chance, 65536)) == UF_OK);
    }
    for (int i = 0; i < WORKERS; i++) CHECK(Worker_init(&s->workers[i], pump, "worker") == UF_OK);
    CHECK(Inn_init(&s->inn, pump, "inn") == UF_OK);
    CHECK(Inn_guests_limit(&s->inn, 1 + soak_draw(chance, 16)) == UF_OK);
    if (s->is_embedded) CHECK(pthread_create(&s->loop, NULL, run_loop, s) == 0);
}

static void start_side(side *s)
{
    for (int i = 0; i < KEEPERS; i++) CHECK(Keeper_start_Keep(&s->keepers[i]) == UF_OK);
    for (int i = 0; i < TRADERS; i++) CHECK(Trader_start_Trade(&s->traders[i]) == UF_OK);
    CHECK(Inn_start_Spawn(&s->inn, 1, 10) == UF_OK);
}

/* A trader may wait for one more fire. */
static void end_traders(void)
{
    for (uint32_t k = 0; k < side_count; k++) {
        for (int i = 0; i < TRADERS; i++) {
            while (uf_flow_wait(&sides[k].traders[i].uf, UF_US(200), NULL) == UF_TIMED_OUT) {
                for (int b = 0; b < BELLS; b++) soak_add(RELEASED, uf_signal_fire(&bells[b]));
            }
        }
    }
}

static void end_side(side *s)
{
    int const last = -1;

    CHECK(uf_flow_wait(&s->inn.uf, UF_FOREVER, NULL) == UF_OK);
    CHECK(Inn_start_Join(&s->inn) == UF_OK);
    CHECK(uf_flow_wait(&s->inn.uf, UF_FOREVER, NULL) == UF_OK);
    for (int i = 0; i < WORKERS; i++) CHECK(uf_flow_cancel(&s->workers[i].uf) == UF_OK);
    for (int i = 0; i < KEEPERS; i++) CHECK(uf_mailbox_send_wait(&s->keepers[i].mail, &last, UF_FOREVER) == UF_OK);
    CHECK(uf_runtime_wait(s->runtime, UF_FOREVER) == UF_OK);
    for (int i = 0; i < WORKERS; i++) CHECK(s->workers[i].enters == s->workers[i].exits);
    for (int i = 0; i < KEEPERS; i++) CHECK(uf_mailbox_count(&s->keepers[i].mail) == 0);
    CHECK(Inn_guests_busy(&s->inn) == 0);
    soak_add(SPAWNED, 10); /* by the inn itself */
}

static void do_nothing(void *unused)
{
    (void)unused;
}

static void free_side(side *s)
{
    if (s->is_embedded) {
        __atomic_store_n(&loops_end, 1, __ATOMIC_SEQ_CST);
        CHECK(uf_post(s->runtime, do_nothing, NULL) == UF_OK);
        CHECK(pthread_join(s->loop, NULL) == 0);
        __atomic_store_n(&loops_end, 0, __ATOMIC_SEQ_CST);
    }
    CHECK(uf_runtime_free(s->runtime) == UF_OK);
}

static void check_counts(void)
{
    CHECK(count_of(WRONG) == 0);
    CHECK(count_of(RELEASED) <= count_of(HEARD) + count_of(UNSUBSCRIBED));
    CHECK(count_of(SENT) == count_of(RECEIVED) && count_of(SENT_SUM) == count_of(RECEIVED_SUM));
    CHECK(count_of(RESUMED) <= count_of(PASSED));
    CHECK(count_of(SUBMITTED) == count_of(JOBS_DONE) + count_of(JOBS_LOST));
    CHECK(count_of(JOBS_DONE) <= count_of(JOBS_RUN) && count_of(JOBS_RUN) <= count_of(SUBMITTED));
    CHECK(count_of(POSTED) == count_of(POSTS_RUN));
    CHECK(count_of(SPAWNED) == count_of(ENTERED) && count_of(ENTERED) == count_of(LEFT));
    CHECK(count_of(ENTERED) == count_of(ENDED));
}

static void run_episode(uint32_t chance)
{
    pthread_t threads[THREADS];
    static side const none;

    __atomic_store_n(&is_over, 0, __ATOMIC_SEQ_CST);
    side_count = 2 + soak_draw(&chance, MOST_RUNTIMES - 1);
    for (int i = 0; i < BELLS; i++) uf_signal_init(&bells[i], "bell");
    uf_pool_config const pool = {.workers = 1 + soak_draw(&chance, 3), .queue = 4 + soak_draw(&chance, 60)};
    CHECK(uf_pool_new(&shared_pool, &pool) == UF_OK);
    for (uint32_t k = 0; k < side_count; k++) {
        sides[k] = none;
        sides[k].is_embedded = k > 0 && soak_draw(&chance, 3) == 0;
        begin_side(&sides[k], &chance);
    }
    for (uint32_t k = 0; k < side_count; k++) start_side(&sides[k]);
    for (uint32_t i = 0; i < THREADS; i++) {
        CHECK(pthread_create(&threads[i], NULL, act, as_argument(soak_draw(&chance, 65536))) == 0);
    }
    for (int i = 0; i < THREADS; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    __atomic_store_n(&is_over, 1, __ATOMIC_SEQ_CST);
    end_traders();
    for (uint32_t k = 0; k < side_count; k++) end_side(&sides[k]);
    check_counts();
    for (int i = 0; i < BELLS; i++) uf_signal_destroy(&bells[i]);
    for (uint32_t k = 0; k < side_count; k++) free_side(&sides[k]);
    CHECK(uf_pool_free(shared_pool, UF_S(60)) == UF_OK);
    memset(counts, 0, sizeof counts);
}

/* -- the neighbour and the watchdog -------------------------------------------------------------------------------- */

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void sleep_for(int64_t time)
{
    struct timespec const wait = {.tv_sec = (time_t)(time / 1000000000), .tv_nsec = (long)(time % 1000000000)};
    (void)nanosleep(&wait, NULL);
}

/* Works and sleeps, up to 4 ms each, while the parent lives. */
static void disturb(pid_t parent)
{
    uint32_t chance = seed;

    while (getppid() == parent) {
        int64_t const until = now() + UF_US(soak_draw(&chance, 4000));
        while (now() < until) {}
        sleep_for(UF_US(soak_draw(&chance, 4000)));
    }
}

static void *watch(void *unused)
{
    (void)unused;
    for (uint32_t seen = 0, idle = 0; !__atomic_load_n(&has_ended, __ATOMIC_SEQ_CST); sleep_for(UF_MS(100))) {
        uint32_t const at = __atomic_load_n(&episode, __ATOMIC_SEQ_CST);
        idle = at == seen ? idle + 1 : 0;
        seen = at;
        if (idle < 1200) continue;
        fprintf(stderr, "test_soak.c: episode %u of seed %u does not end\n", at, seed);
        for (uint32_t k = 0; k < side_count; k++) (void)uf_runtime_dump(sides[k].runtime, UF_S(1), stderr);
        abort();
    }
    return NULL;
}

int main(int argc, char **argv)
{
    double seconds = 3;
    bool alone = false;

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--alone") == 0) alone = true;
        else if (strcmp(argv[i], "--seconds") == 0 && i + 1 < argc) seconds = strtod(argv[++i], NULL);
        else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc) seed = (uint32_t)strtoul(argv[++i], NULL, 10);
        else return fprintf(stderr, "usage: %s [--seconds N] [--seed N] [--alone]\n", argv[0]), 2;
    }
    pid_t const self = getpid(), child = alone ? 0 : fork();
    CHECK(child >= 0);
    if (!alone && child == 0) {
        disturb(self);
        return 0;
    }

    pthread_t watchdog;
    CHECK(pthread_create(&watchdog, NULL, watch, NULL) == 0);
    int64_t const until = now() + (int64_t)(seconds * 1e9);
    do {
        __atomic_add_fetch(&episode, 1, __ATOMIC_SEQ_CST);
        run_episode(seed + episode * 7919);
    } while (now() < until);
    __atomic_store_n(&has_ended, 1, __ATOMIC_SEQ_CST);
    CHECK(pthread_join(watchdog, NULL) == 0);
    if (child > 0) {
        (void)kill(child, SIGKILL);
        (void)waitpid(child, NULL, 0);
    }
    printf("seed %u: %u episodes\n", seed, episode);
    return 0;
}
