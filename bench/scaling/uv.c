/* SPDX-License-Identifier: MIT */
/* W10 and W11 on libuv: a loop for each thread. It has one pool of threads, which all loops share. A post is an item in
 * a queue with a mutex, and uv_async_send(). */
#define BENCH_USAGE                                                                                                    \
    "[loops, 64 at most [timer | post | job [apart | shared [events of each loop [threads of the shared pool]]]]]"

#include <stdbool.h>
#include <uv.h>

#include "bench.h"

enum { MOST = 64, IN_FLIGHT = 64 };

/* A post allocates this, as uf_post() does: the caller may post any number, and keeps nothing for them. */
typedef struct letter {
    struct letter *next;
    void (*function)(void *argument);
    void *argument;
} letter;

typedef struct item {
    union {
        uv_work_t work;
        uv_timer_t timer;
    } uv; /* first */
    struct side *of, *at;
    uint64_t left;
} item;

/* On cache lines of its own. */
typedef struct side {
    uv_loop_t loop;
    uv_thread_t thread;
    uv_async_t posted;
    uv_mutex_t mutex;
    letter *first, **end;
    item items[IN_FLIGHT];
    char apart[128];
} side;

static side *sides;
static size_t count;
static bool shared;
static uint64_t each;
static uint32_t still_posting;

/* -- timers -------------------------------------------------------------------------------------------------------- */

static void on_timer(uv_timer_t *timer)
{
    item *const i = (item *)timer;
    if (--i->left > 0) (void)uv_timer_start(timer, on_timer, 0, 0);
}

static void begin_timer(side *s, item *i)
{
    (void)uv_timer_init(&s->loop, &i->uv.timer);
    (void)uv_timer_start(&i->uv.timer, on_timer, 0, 0);
}

/* -- posts --------------------------------------------------------------------------------------------------------- */

static void post(side *to, void (*function)(void *argument), void *argument)
{
    letter *const l = malloc(sizeof *l);

    BENCH_CHECK(l != NULL);
    *l = (letter){NULL, function, argument};
    uv_mutex_lock(&to->mutex);
    *to->end = l;
    to->end = &l->next;
    uv_mutex_unlock(&to->mutex);
    (void)uv_async_send(&to->posted);
}

static void post_again(void *argument)
{
    item *const i = argument;

    if (--i->left > 0) {
        i->at = shared && i->at != sides ? sides : i->of;
        post(i->at, post_again, i);
    } else if (__atomic_sub_fetch(&still_posting, 1, __ATOMIC_SEQ_CST) == 0) {
        for (size_t k = 0; k < count; k++) (void)uv_async_send(&sides[k].posted);
    }
}

static void on_posted(uv_async_t *posted)
{
    side *const s = posted->data;

    uv_mutex_lock(&s->mutex);
    letter *first = s->first;
    s->first = NULL;
    s->end = &s->first;
    uv_mutex_unlock(&s->mutex);
    for (letter *l = first, *next; l; l = next) {
        next = l->next;
        l->function(l->argument);
        free(l);
    }
    if (__atomic_load_n(&still_posting, __ATOMIC_SEQ_CST) == 0) uv_stop(&s->loop);
}

static void begin_post(side *s, item *i)
{
    i->at = s;
    post(s, post_again, i);
}

/* -- jobs ---------------------------------------------------------------------------------------------------------- */

static void nothing(uv_work_t *work)
{
    (void)work;
}

static void on_over(uv_work_t *work, int status)
{
    item *const i = (item *)work;
    if (status == 0 && --i->left > 0) (void)uv_queue_work(work->loop, work, nothing, on_over);
}

static void begin_job(side *s, item *i)
{
    (void)uv_queue_work(&s->loop, &i->uv.work, nothing, on_over);
}

/* ------------------------------------------------------------------------------------------------------------------ */

static void (*begin)(side *s, item *i);

static void run(void *argument)
{
    side *const s = argument;

    for (int n = 0; n < IN_FLIGHT; n++) begin(s, &s->items[n]);
    (void)uv_run(&s->loop, UV_RUN_DEFAULT);
}

int main(int argc, char **argv)
{
    static void (*const kinds[])(side * s, item * i) = {begin_timer, begin_post, begin_job};
    int const kind = bench_word(argc, argv, 2, (char const *const[]){"timer", "post", "job", NULL});

    count = bench_number(argc, argv, 1, 1);
    if (count > MOST) bench_refuse(argc, argv, 1);
    shared = bench_word(argc, argv, 3, (char const *const[]){"apart", "shared", NULL});
    each = bench_number(argc, argv, 4, 1000000) / IN_FLIGHT * IN_FLIGHT;
    char workers[24];
    (void)snprintf(workers, sizeof workers, "%llu", (unsigned long long)bench_number(argc, argv, 5, count));
    (void)setenv("UV_THREADPOOL_SIZE", workers, 1);
    sides = bench_memory(count, sizeof *sides);
    begin = kinds[kind];
    still_posting = (uint32_t)(IN_FLIGHT * count);
    for (size_t k = 0; k < count; k++) {
        side *const s = &sides[k];
        BENCH_CHECK(uv_loop_init(&s->loop) == 0 && uv_mutex_init(&s->mutex) == 0);
        BENCH_CHECK(uv_async_init(&s->loop, &s->posted, on_posted) == 0);
        s->posted.data = s;
        if (begin != begin_post) uv_unref((uv_handle_t *)&s->posted); /* or the loop never ends */
        s->end = &s->first;
        for (int n = 0; n < IN_FLIGHT; n++) {
            s->items[n].of = s;
            s->items[n].left = each / IN_FLIGHT;
        }
    }
    int64_t const began = bench_begin();
    for (size_t k = 0; k < count; k++) BENCH_CHECK(uv_thread_create(&sides[k].thread, run, &sides[k]) == 0);
    for (size_t k = 0; k < count; k++) (void)uv_thread_join(&sides[k].thread);
    bench_report(began, bench_end(), each * count);
    return 0;
}
