/* SPDX-License-Identifier: MIT */
/* peer.h - W10 and W11 as a program without uflow: threads that work alone, or share one object. Include it after the
 * definitions of
 *
 *   node           what a fifo queues; the first member of an item
 *   fifo           a queue between threads
 *   fifo_init(fifo *)
 *   fifo_put(fifo *, node *)
 *   node *fifo_take(fifo *)        waits if there is none
 *   node *fifo_try(fifo *)         returns NULL if there is none
 */
#define BENCH_USAGE                                                                                                    \
    "[threads, 64 at most [mail | post | job" PEER_MORE_KINDS                                                          \
    " [apart | shared [events of each thread [threads of the "                                                         \
    "shared pool]]]]]"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>

#include "bench.h"

enum { MOST = 64, IN_FLIGHT = 64 };

/* What a post allocates, as uf_post() does: the caller may post any number, and keeps nothing for them. */
typedef struct letter {
    node place;                       /* first */
    bool (*function)(void *argument); /* false: the thread that runs it ends */
    void *argument;
} letter;

typedef struct item {
    node place; /* first */
    struct side *of, *at;
    uint64_t left; /* 0: the thread that takes it ends */
    uint32_t is_sent;
    char apart[64];
} item;

typedef struct bell {
    pthread_mutex_t mutex;
    pthread_cond_t fired;
    uint64_t epoch;
} bell;

/* On cache lines of its own. */
typedef struct side {
    fifo in, jobs;
    item items[IN_FLIGHT];
    uint32_t ended;
    bell to_one, to_other;
    char apart[128];
} side;

static side *sides;
static size_t count;
static bool shared;
static uint64_t each;

static side *target(side *s)
{
    return shared ? sides : s;
}

/* -- signals: a mutex, a condition and a number of fires; for each thread that fires, one hears -------------------- */

static uint64_t fire(bell *b)
{
    (void)pthread_mutex_lock(&b->mutex);
    uint64_t const epoch = ++b->epoch;
    (void)pthread_mutex_unlock(&b->mutex);
    (void)pthread_cond_broadcast(&b->fired);
    return epoch;
}

static void answer_to(bell *b, uint64_t epoch)
{
    (void)pthread_mutex_lock(&b->mutex);
    b->epoch = epoch;
    (void)pthread_mutex_unlock(&b->mutex);
    (void)pthread_cond_signal(&b->fired);
}

static uint64_t hear(bell *b, uint64_t at_least)
{
    (void)pthread_mutex_lock(&b->mutex);
    while (b->epoch < at_least) (void)pthread_cond_wait(&b->fired, &b->mutex);
    uint64_t const epoch = b->epoch;
    (void)pthread_mutex_unlock(&b->mutex);
    return epoch;
}

/* As a flow beside it, the one that hears misses no fire of this thread. */
static void *ring(void *argument)
{
    side *const s = argument;

    for (uint64_t n = 0; n < each / (shared ? 1 : 2); n++) (void)hear(&s->to_one, fire(&target(s)->to_other));
    return NULL;
}

static void *answer(void *argument)
{
    side *const s = argument;

    for (uint64_t seen = 0; seen < (shared ? each * count : each / 2);) {
        seen = hear(&target(s)->to_other, seen + 1);
        answer_to(&s->to_one, seen);
    }
    return NULL;
}

/* -- mail: at most 64 items in a queue, as in a mailbox; shared, its senders divide them, and one more receives ---- */

static bool receive(fifo *from)
{
    item *const i = (item *)fifo_try(from);

    if (!i) return false;
    __atomic_store_n(&i->is_sent, 0, __ATOMIC_RELEASE);
    return true;
}

static void *send_mail(void *argument)
{
    side *const s = argument;
    uint64_t const places = shared ? IN_FLIGHT / count : IN_FLIGHT;

    for (uint64_t n = 0; n < each; n++) {
        item *const i = &s->items[n % places];
        while (__atomic_load_n(&i->is_sent, __ATOMIC_ACQUIRE)) {
            if (shared) sched_yield();
            else
                while (receive(&s->in)) {}
        }
        i->is_sent = 1;
        fifo_put(&target(s)->in, &i->place);
    }
    return NULL;
}

static void *receive_mail(void *unused)
{
    (void)unused;
    for (uint64_t n = 0; n < each * count; n++) {
        item *const i = (item *)fifo_take(&sides->in);
        __atomic_store_n(&i->is_sent, 0, __ATOMIC_RELEASE);
    }
    return NULL;
}

/* -- posts: functions that post themselves again; shared: to the first thread and back ----------------------------- */

static void post(side *to, bool (*function)(void *argument), void *argument)
{
    letter *const l = malloc(sizeof *l);

    BENCH_CHECK(l != NULL);
    l->function = function;
    l->argument = argument;
    fifo_put(&to->in, &l->place);
}

static bool end_thread(void *unused)
{
    (void)unused;
    return false;
}

static bool post_again(void *argument)
{
    item *const i = argument;

    if (--i->left > 0) {
        i->at = shared && i->at != sides ? sides : i->of;
        post(i->at, post_again, i);
    } else if (__atomic_add_fetch(&sides->ended, 1, __ATOMIC_SEQ_CST) == IN_FLIGHT * count) {
        for (size_t k = 0; k < count; k++) post(&sides[k], end_thread, NULL);
    }
    return true;
}

static void *run_posts(void *argument)
{
    side *const s = argument;

    for (int n = 0; n < IN_FLIGHT; n++) {
        s->items[n].at = s;
        post(s, post_again, &s->items[n]);
    }
    for (bool goes_on = true; goes_on;) {
        letter *const l = (letter *)fifo_take(&s->in);
        goes_on = l->function(l->argument);
        free(l);
    }
    return NULL;
}

/* -- jobs ---------------------------------------------------------------------------------------------------------- */

static void *run_jobs(void *jobs)
{
    for (item *i; (i = (item *)fifo_take(jobs))->left > 0;) fifo_put(&i->of->in, &i->place);
    return NULL;
}

static void *submit(void *argument)
{
    side *const s = argument;

    for (int n = 0; n < IN_FLIGHT; n++) fifo_put(&target(s)->jobs, &s->items[n].place);
    for (uint64_t n = 0; n < each; n++) {
        item *const i = (item *)fifo_take(&s->in);
        if (--i->left > 0) fifo_put(&target(s)->jobs, &i->place);
    }
    return NULL;
}

/* ------------------------------------------------------------------------------------------------------------------ */

static void start(pthread_t *thread, void *(*run)(void *argument), void *argument)
{
    BENCH_CHECK(pthread_create(thread, NULL, run, argument) == 0);
}

int main(int argc, char **argv)
{
    static void *(*const runs[])(void *argument) = {send_mail, run_posts, submit, ring};
    enum { MAIL, POST, JOB, SIGNAL };
    int const kind = bench_word(argc, argv, 2, (char const *const[]){"mail", "post", "job", PEER_KINDS NULL});
    pthread_t threads[MOST], others[MOST];

    count = bench_number(argc, argv, 1, 1);
    shared = bench_word(argc, argv, 3, (char const *const[]){"apart", "shared", NULL});
    each = bench_number(argc, argv, 4, 1000000) / IN_FLIGHT * IN_FLIGHT;
    size_t const workers = bench_number(argc, argv, 5, count);
    if (count > MOST) bench_refuse(argc, argv, 1);
    if (workers > MOST) bench_refuse(argc, argv, 5);
    sides = bench_memory(count, sizeof *sides);
    for (size_t k = 0; k < count; k++) {
        fifo_init(&sides[k].in);
        fifo_init(&sides[k].jobs);
        sides[k].to_one = sides[k].to_other = (bell){PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};
        for (int n = 0; n < IN_FLIGHT; n++) sides[k].items[n] = (item){.of = &sides[k], .left = each / IN_FLIGHT};
    }
    size_t const pool = kind != JOB ? 0 : shared ? workers : count;
    for (size_t k = 0; k < pool; k++) start(&others[k], run_jobs, &sides[shared ? 0 : k].jobs);

    int64_t const began = bench_begin();
    for (size_t k = 0; k < count; k++) start(&threads[k], runs[kind], &sides[k]);
    if (kind == MAIL && shared) start(&others[0], receive_mail, NULL);
    for (size_t k = 0; kind == SIGNAL && k < count; k++) start(&others[k], answer, &sides[k]);
    for (size_t k = 0; k < count; k++) (void)pthread_join(threads[k], NULL);
    if (kind == MAIL && shared) (void)pthread_join(others[0], NULL);
    for (size_t k = 0; kind == SIGNAL && k < count; k++) (void)pthread_join(others[k], NULL);
    bench_report(began, bench_end(), each * count);

    item *const ends = bench_memory(MOST, sizeof *ends);
    for (size_t k = 0; k < pool; k++) fifo_put(&sides[shared ? 0 : k].jobs, &ends[k].place);
    for (size_t k = 0; k < pool; k++) (void)pthread_join(others[k], NULL);
    return 0;
}
