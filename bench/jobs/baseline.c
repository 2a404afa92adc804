/* SPDX-License-Identifier: MIT */
/* W6, the baseline: a pool of one thread with two queues, each with a mutex and a condition variable, one job at a
 * time. */
#define BENCH_USAGE "[in flight [jobs of all]]"

#include <pthread.h>
#include <stdbool.h>

#include "bench.h"

typedef struct job {
    struct job *next;
    void (*run)(struct job *job);
    uint64_t left, ran;
} job;

typedef struct line {
    pthread_mutex_t mutex;
    pthread_cond_t condition;
    job *first, **end;
} line;

static line to_do = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, &to_do.first};
static line over = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, &over.first};

static void put(line *l, job *j)
{
    j->next = NULL;
    (void)pthread_mutex_lock(&l->mutex);
    *l->end = j;
    l->end = &j->next;
    (void)pthread_mutex_unlock(&l->mutex);
    (void)pthread_cond_signal(&l->condition); /* after the unlock, so that the woken thread finds the mutex free */
}

static job *take(line *l)
{
    (void)pthread_mutex_lock(&l->mutex);
    while (!l->first) (void)pthread_cond_wait(&l->condition, &l->mutex);
    job *const j = l->first;
    l->first = j->next;
    if (!l->first) l->end = &l->first;
    (void)pthread_mutex_unlock(&l->mutex);
    return j;
}

static void nothing(job *j)
{
    j->ran++;
}

static void *work(void *unused)
{
    (void)unused;
    for (job *j; (j = take(&to_do))->run != NULL;) {
        j->run(j);
        put(&over, j);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    size_t const count = bench_number(argc, argv, 1, 1);
    uint64_t const each = bench_share(argc, argv, 2, 100000, count);
    job *const all = bench_memory(count, sizeof *all);
    job last = {0};
    pthread_t thread;

    BENCH_CHECK(pthread_create(&thread, NULL, work, NULL) == 0);
    int64_t const began = bench_begin();
    for (size_t i = 0; i < count; i++) {
        all[i].run = nothing;
        all[i].left = each;
        put(&to_do, &all[i]);
    }
    for (uint64_t n = 0; n < each * count; n++) {
        job *const j = take(&over);
        if (--j->left > 0) put(&to_do, j);
    }
    bench_report(began, bench_end(), each * count);
    put(&to_do, &last);
    (void)pthread_join(thread, NULL);
    return 0;
}
