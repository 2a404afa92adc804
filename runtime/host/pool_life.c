/* SPDX-License-Identifier: MIT */
/* pool_life.c - creating and freeing a pool of threads. */
#include "thread_pool.h"

/* -- references -------------------------------------------------------------------------------------------------- */

/* `conditions`: the number of threads that have one. */
static void destroy(ufh_thread_pool *p, uint32_t conditions)
{
    while (conditions > 0) ufp_condition_destroy(&p->threads[--conditions].wakeup);
    ufh_lock_destroy(&p->mutex, &p->job_ended);
    ufp_free(p);
}

void ufh_drop_pool_reference(ufh_thread_pool *p)
{
    if (ufp_add_fetch_seq_cst(&p->references, UINT32_MAX) == 0) destroy(p, p->thread_count);
}

/* -- creating and freeing a pool --------------------------------------------------------------------------------- */

/* Refuses new jobs, cancels the running ones, and lets idle threads end. */
static void begin_shutdown(ufh_thread_pool *p)
{
    ufp_mutex_lock(&p->mutex);
    p->closed = true;
    ufh_queue_held(p);
    for (uint32_t i = 0; i < p->thread_count; i++) {
        if (p->threads[i].work) ufp_store(&p->threads[i].work->cancelled, 1);
    }
    while (ufh_wake_idle(p)) {}
    ufp_mutex_unlock(&p->mutex);
}

/* With the mutex held: true if any thread runs a job. */
static bool is_busy(const ufh_thread_pool *p)
{
    for (uint32_t i = 0; i < p->thread_count; i++) {
        if (p->threads[i].work) return true;
    }
    return false;
}

/* Waits for the running jobs, and marks the threads whose jobs have not ended by the deadline. All other threads are
 * about to end. Returns false if a thread was left behind. */
static bool wait_for_running_jobs(ufh_thread_pool *p, uf_time deadline)
{
    ufp_mutex_lock(&p->mutex);
    while (is_busy(p) && ufp_condition_wait(&p->job_ended, &p->mutex, deadline)) {}
    bool const all = !is_busy(p);
    for (uint32_t i = 0; i < p->thread_count; i++) {
        if (!p->threads[i].work) continue;
        p->threads[i].left_behind = true;
        ufp_add_fetch_seq_cst(&p->references, 1);
    }
    ufp_mutex_unlock(&p->mutex);
    return all;
}

/* Ends the first `started` threads. Returns false if one was left behind. */
static bool end_threads(ufh_thread_pool *p, uint32_t started, uf_time deadline)
{
    bool const all = wait_for_running_jobs(p, deadline);

    for (uint32_t i = 0; i < started; i++) {
        if (p->threads[i].left_behind) ufp_thread_detach(&p->threads[i].thread);
        else ufp_thread_join(&p->threads[i].thread);
    }
    return all;
}

int ufh_start_pool_thread(ufh_pool_thread *t)
{
    ufp_thread_options const options = {.stack_size = t->pool->stack_size, .ended_early = ufh_pool_thread_ended_early};
    return ufp_thread_start(&t->thread, options, ufh_pool_thread_main, t);
}

/* Returns an errno, and then has freed `p`. */
static int start_threads(ufh_thread_pool *p)
{
    int error = ufh_lock_init(&p->mutex, &p->job_ended);
    if (error) return ufp_free(p), error;
    uint32_t conditions = 0, threads = 0;
    while (!error && conditions < p->thread_count) {
        error = ufp_condition_init(&p->threads[conditions].wakeup);
        conditions += !error;
    }
    while (!error && threads < p->thread_count) {
        error = ufh_start_pool_thread(&p->threads[threads]);
        threads += !error;
    }
    if (!error) return 0;
    begin_shutdown(p);
    (void)end_threads(p, threads, UF_FOREVER);
    destroy(p, conditions);
    return error;
}

uf_status uf_pool_new(uf_pool **pool, const uf_pool_config *config)
{
    uf_pool_config const given = config ? *config : (uf_pool_config){0};
    uint32_t const workers = given.workers ? given.workers : 4;
    uint32_t const queue = given.queue ? given.queue : 1024;

    if (!pool) return UF_INVALID;
    *pool = NULL;
    if (workers > UINT16_MAX || queue > UINT32_MAX / 2) return UF_INVALID;

    size_t const front = sizeof(ufh_thread_pool) + workers * sizeof(ufh_pool_thread) + UFH_CACHE_LINE - 1;
    size_t const count = (size_t)workers + queue;
    if (count > (SIZE_MAX - front) / sizeof(ufh_record)) return UF_NO_MEMORY;
    ufh_thread_pool *const p = ufp_allocate(front + count * sizeof(ufh_record));
    if (!p) return UF_NO_MEMORY;
    p->pool.kind = &ufh_threads_kind;
    p->references = 1;
    p->thread_count = workers;
    p->record_count = p->available = (uint32_t)count;
    p->cpus = ufp_cpus();
    p->stack_size = given.stack_size;
    p->spin = given.spin;
    p->records = (ufh_record *)(((uintptr_t)p + front) / UFH_CACHE_LINE * UFH_CACHE_LINE);
    ufp_note_shared(&p->references, offsetof(ufh_thread_pool, apart) - offsetof(ufh_thread_pool, references));
    ufi_list_init(&p->queue);
    ufi_list_init(&p->limited);
    ufi_list_init(&p->unused_limited);
    ufh_copy_name(p->name, given.name ? given.name : "uflow-pool");
    for (uint32_t i = 0; i < workers; i++) {
        p->threads[i].pool = p;
        ufi_list_init(&p->threads[i].storage.held);
        ufi_list_insert(&p->unused_limited, &p->threads[i].storage.place);
        ufp_note_shared(&p->threads[i].idle, sizeof p->threads[i].idle);
    }

    int const error = start_threads(p);
    if (error) return ufh_system_error(error);
    *pool = &p->pool;
    return UF_OK;
}

uf_status uf_pool_free(uf_pool *pool, uf_time grace)
{
    if (!pool || pool->kind != &ufh_threads_kind) return UF_INVALID;
    uf_work const *const own = *ufp_thread_slot();
    if (own && own->pool == pool) return UF_DEADLOCK;

    ufh_thread_pool *const p = ufh_thread_pool_of(pool);
    uf_time const deadline = ufh_deadline(grace);
    begin_shutdown(p);
    ufh_drop_queued(p);
    bool const all = end_threads(p, p->thread_count, deadline);
    ufh_drop_pool_reference(p);
    return all ? UF_OK : UF_TIMED_OUT;
}
