/* SPDX-License-Identifier: MIT */
/* beside_scene.h - what the operations of beside.c have in common: a pump, flows, and the part that is counted. */
#ifndef BESIDE_SCENE_H
#define BESIDE_SCENE_H

#include <stdio.h>
#include <stdlib.h>

#include "uflow/runtime.h"
#include "uflow/uflow.h"

#include "beside.h"

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                            \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

/* How often an operation is repeated. */
enum { TIMES = 64 };

static uf_pump caller_driven, *pump = &caller_driven;
static uf_runtime *runtime; /* whose pump it is; or NULL */
static Place place;
static Active active[TIMES];
static Other *others;
static int active_count = TIMES, other_count;

static inline void *memory(size_t count, size_t size)
{
    void *const made = calloc(count ? count : 1, size);
    CHECK(made);
    return made;
}

static inline void rounds(int count)
{
    while (count-- > 0) {
        if (runtime) CHECK(uf_runtime_poll(runtime) == UF_OK);
        else uf_pump_round(pump, 0);
    }
}

/* The part that is counted. Valgrind finds it by its name, so it is neither static nor inlined. */
__attribute__((noinline)) void measured(void (*operation)(void));
void measured(void (*operation)(void))
{
    operation();
}

/* -- scenes -------------------------------------------------------------------------------------------------------- */

static inline void add_flows(int count)
{
    CHECK(Place_init(&place, pump, "place") == UF_OK && Place_start_Hold(&place) == UF_OK);
    for (int i = 0; i < active_count; i++) CHECK(Active_init(&active[i], pump, "active") == UF_OK);
    others = memory((size_t)count, sizeof *others);
    other_count = count;
    for (int i = 0; i < count; i++) CHECK(Other_init(&others[i], pump, "other", &place) == UF_OK);
}

static inline void begin(int count)
{
    CHECK(uf_pump_init(pump, &(uf_pump_config){.jobs_per_flow = UINT32_MAX}) == UF_OK);
    add_flows(count);
}

static inline uf_runtime *new_runtime(void)
{
    uf_runtime *made;
    CHECK(uf_runtime_new(&made, &(uf_runtime_config){.embedded = true, .spin = -1}) == UF_OK);
    return made;
}

static inline void begin_hosted(int count)
{
    runtime = new_runtime();
    pump = uf_runtime_pump(runtime);
    add_flows(count);
}

typedef uf_status start(Other *other);

static inline void start_others(start *task)
{
    for (int i = 0; i < other_count; i++) CHECK(task(&others[i]) == UF_OK);
    rounds(3);
}

/* A pool that keeps its jobs. */
typedef struct keeping_pool {
    uf_pool pool;
    uf_work *works;
    int used;
} keeping_pool;

static uf_work *keep_take(uf_pool *pool)
{
    keeping_pool *const keeping = (keeping_pool *)(void *)pool;
    return &keeping->works[keeping->used++];
}

static void keep_run(uf_pool *pool, uf_work *work)
{
    (void)pool;
    (void)work;
}

static bool keep_withdraw(uf_pool *pool, uf_work *work)
{
    (void)pool;
    (void)work;
    return true;
}

static void keep_put(uf_pool *pool, uf_work *work)
{
    (void)pool;
    (void)work;
}

static const uf_pool_kind keeping_kind = {
    .take = keep_take, .run = keep_run, .withdraw = keep_withdraw, .put = keep_put};
static keeping_pool keeping = {.pool = {.kind = &keeping_kind}};

#endif
