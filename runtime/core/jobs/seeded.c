/* SPDX-License-Identifier: MIT */
/* seeded.c - a pool whose jobs begin and end at times determined by a seed, on the thread that drives the pump. */
#include "jobs/work.h"

static uf_seeded_pool *seeded_of(const uf_pool *pool)
{
    return (uf_seeded_pool *)(uintptr_t)pool;
}

static uf_work *work_at(uf_link *place)
{
    return (uf_work *)(void *)place;
}

_Static_assert(offsetof(uf_work, place) == 0, "the address of a link is that of its record");

/* A pseudo-random number from 0 to `most`: xorshift64*. */
static uf_time random_up_to(uf_seeded_pool *pool, uf_time most)
{
    pool->random ^= pool->random >> 12;
    pool->random ^= pool->random << 25;
    pool->random ^= pool->random >> 27;
    return (uf_time)((pool->random * UINT64_C(0x2545F4914F6CDD1D) >> 1) % ((uint64_t)most + 1));
}

static uf_work *take_record(uf_pool *given)
{
    uf_seeded_pool *const pool = seeded_of(given);
    uf_link *const first = pool->free.next;

    if (first == &pool->free) return NULL;
    ufi_list_remove(first);
    return work_at(first);
}

static void put_record(uf_pool *pool, uf_work *work)
{
    ufi_list_insert(&seeded_of(pool)->free, &work->place);
}

/* The job may begin from `moment` on. Jobs that end at the same time are ordered at random. */
static void schedule(uf_seeded_pool *pool, uf_work *work, uf_time moment)
{
    uf_time const wait = random_up_to(pool, pool->max_latency);
    uf_link *before = &pool->running;

    work->begins = uf_time_add(moment, wait);
    work->ends = uf_time_add(work->begins, random_up_to(pool, pool->max_latency - wait));
    while (before->prev != &pool->running) {
        uf_time const other = work_at(before->prev)->ends;
        if (other < work->ends || (other == work->ends && random_up_to(pool, 1))) break;
        before = before->prev;
    }
    ufi_list_insert(before, &work->place);
}

/* With a limit, a job counts from the time from which it may begin until its end. */
static bool is_over_limit(const uf_seeded_pool *pool, const uf_worker *worker)
{
    uint32_t runs = 0;

    if (!worker->limit) return false;
    for (uf_link *link = pool->running.next; link != &pool->running; link = link->next) {
        runs += work_at(link)->worker == worker;
    }
    return runs >= worker->limit;
}

static void run_later(uf_pool *given, uf_work *work)
{
    uf_seeded_pool *const pool = seeded_of(given);

    if (is_over_limit(pool, work->worker)) {
        work->begins = UF_FOREVER;
        ufi_list_insert(&pool->held, &work->place);
    } else {
        schedule(pool, work, work->submitted);
    }
}

/* A job has left a list at `moment`: the first one that its limit has held back may begin. */
static void release(uf_seeded_pool *pool, const uf_work *left, uf_time moment)
{
    uf_link *link = pool->held.next;

    while (link != &pool->held && work_at(link)->worker != left->worker) link = link->next;
    if (link == &pool->held || is_over_limit(pool, left->worker)) return;
    ufi_list_remove(link);
    schedule(pool, work_at(link), moment);
    if (work_at(link)->pump != left->pump) ufi_wake_driver(work_at(link)->pump);
}

static bool withdraw(uf_pool *pool, uf_work *work)
{
    uf_time const now = ufi_real_time(work->pump);

    if (work->begins <= now) return false;
    ufi_list_remove(&work->place);
    release(seeded_of(pool), work, now);
    return true;
}

static uf_work *first_of(const uf_pool *given, const uf_pump *pump)
{
    uf_seeded_pool *const pool = seeded_of(given);
    for (uf_link *link = pool->running.next; link != &pool->running; link = link->next) {
        if (work_at(link)->pump == pump) return work_at(link);
    }
    return NULL;
}

static uf_time next_end(const uf_pool *pool, const uf_pump *pump)
{
    uf_work const *const first = first_of(pool, pump);
    return first ? first->ends : UF_FOREVER;
}

static void begin_round(uf_pool *pool, uf_pump *pump)
{
    for (uf_work *work; (work = first_of(pool, pump)) != NULL && work->ends <= ufi_real_time(pump);) {
        ufi_list_remove(&work->place);
        uf_work_run(work);
        work->took = work->ends - work->submitted;
        release(seeded_of(pool), work, work->ends);
        ufi_finish_work(work);
    }
}

/* A job that was left to the pool after it had begun never ends. */
static void close_pump(uf_pool *pool, uf_pump *pump)
{
    for (uf_work *work; (work = first_of(pool, pump)) != NULL;) {
        ufi_list_remove(&work->place);
        release(seeded_of(pool), work, ufi_real_time(pump));
        put_record(pool, work);
    }
}

uf_status uf_pool_seeded(uf_seeded_pool *pool, uf_work *works, uint32_t count, uint64_t seed, uf_time max_latency)
{
    static const uf_pool_kind kind = {
        .close = close_pump,
        .take = take_record,
        .run = run_later,
        .withdraw = withdraw,
        .put = put_record,
        .round = begin_round,
        .next = next_end,
    };

    if (!pool || !works || count == 0 || max_latency < 0) return UF_INVALID;
    *pool = (uf_seeded_pool){
        .pool.kind = &kind,
        .random = (seed + 1) * UINT64_C(0x9E3779B97F4A7C15),
        .max_latency = max_latency,
    };
    if (pool->random == 0) pool->random = 1; /* 0 would yield only zeros */
    ufi_list_init(&pool->free);
    ufi_list_init(&pool->running);
    ufi_list_init(&pool->held);
    for (uint32_t i = 0; i < count; i++) put_record(&pool->pool, &works[i]);
    return UF_OK;
}
