/* SPDX-License-Identifier: MIT */
/* Values of jobs that own something, on threads: each is freed once, whatever becomes of its job. */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "harness.h"

#include "uflow/pool.h"
#include "uflow/runtime.h"

#include "dropping.h"

enum { LOADERS = 8, LIVES = 6 };

static _Atomic int made, freed;
static _Atomic bool is_held;      /* a worker function waits before it returns */
static _Atomic bool ends_threads; /* `drop` does, on threads of the pool */

int dropping_random(unsigned *seed, int limit)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (int)((*seed >> 8) % (unsigned)limit);
}

int *dropping_make(int us)
{
    int *const owned = malloc(sizeof *owned);
    nanosleep(&(struct timespec){0, us * 1000L}, NULL);
    if (owned) {
        *owned = us;
        made++;
    }
    while (is_held) nanosleep(&(struct timespec){0, 1000000L}, NULL);
    return owned;
}

void dropping_free(page *p)
{
    if (!p->owned) return;
    freed += *p->owned >= 0;
    free(p->owned);
#if !defined(_WIN32)
    if (ends_threads) pthread_exit(NULL);
#endif
}

void dropping_use(page p)
{
    dropping_free(&p);
}

/* Flows end, are cancelled or cut off by a stop while jobs run. The pool may end before the runtime, or after it. */
static void live(unsigned life)
{
    static Loader loaders[LOADERS];
    uf_runtime *runtime;
    uf_pool *pool;

    assert_int_equal(uf_pool_new(&pool, &(uf_pool_config){.workers = 3, .queue = 12}), UF_OK);
    assert_int_equal(uf_runtime_new(&runtime, &(uf_runtime_config){.pool = pool}), UF_OK);
    for (unsigned i = 0; i < LOADERS; i++) {
        assert_int_equal(Loader_init(&loaders[i], uf_runtime_pump(runtime), "loader", life * LOADERS + i), UF_OK);
        assert_int_equal(Loader_start_Load(&loaders[i], 100), UF_OK);
    }
    nanosleep(&(struct timespec){0, 3000000L}, NULL);
    for (unsigned i = 0; i < LOADERS; i += 2) (void)uf_flow_cancel(&loaders[i].uf);
    if (life % 3 == 0) (void)uf_runtime_wait(runtime, UF_S(60));
    if (life % 2) assert_int_equal(uf_pool_free(pool, UF_S(60)), UF_OK);
    (void)uf_runtime_stop(runtime, life % 3 == 1 ? 0 : UF_MS(20), NULL);
    for (unsigned i = 0; i < LOADERS; i++) assert_int_equal(Loader_destroy(&loaders[i]), UF_OK);
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
    if (life % 2 == 0) assert_int_equal(uf_pool_free(pool, UF_S(60)), UF_OK);
}

CASE(each_value_is_freed_once)
{
    for (unsigned life = 0; life < LIVES; life++) live(life);
    assert_true(made > 100);
    assert_int_equal(freed, made);
}

/* Each job is left to the pool, which has two records: one that is lost would be missing soon. */
CASE(a_drop_that_ends_its_thread)
{
    static Loader loader;
    uf_pool *pool;

    made = freed = 0;
    ends_threads = true;
    assert_int_equal(uf_pool_new(&pool, &(uf_pool_config){.workers = 1, .queue = 1}), UF_OK);
    for (int i = 0; i < 6; i++) {
        uf_runtime *runtime;
        is_held = true;
        assert_int_equal(uf_runtime_new(&runtime, &(uf_runtime_config){.pool = pool}), UF_OK);
        assert_int_equal(Loader_init(&loader, uf_runtime_pump(runtime), "loader", 0), UF_OK);
        assert_int_equal(Loader_start_Once(&loader), UF_OK);
        while (made == i) nanosleep(&(struct timespec){0, 1000000L}, NULL);
        assert_int_equal(uf_runtime_free(runtime), UF_OK); /* does not wait for a job of a pool that it does not own */
        is_held = false;
        while (freed == i) nanosleep(&(struct timespec){0, 1000000L}, NULL);
    }
    assert_int_equal(uf_pool_free(pool, UF_S(60)), UF_OK);
    ends_threads = false;
    assert_int_equal(freed, made);
}
