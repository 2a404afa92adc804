/* work.h - jobs, as the files of core that know them share them, and what a host does for them.
 *
 * A job in flight is a record. Its pool has it from `run` until uf_work_over(); all that says whose it is, is touched by
 * the pump's thread alone. Nobody but the pump writes into a handle, and only while the record's `job` is that handle; that
 * is cleared when the job is abandoned or times out. So a worker can return when it likes.
 *
 * Who ends first, a worker or its pump, is decided by one swap of `progress`: the worker has sent the record to the pump,
 * which then waits for it; or the pump has left it to the pool, and no worker touches that pump any more. Where the pool has
 * a lock that both hold anyway, it decides the same under that. */
#ifndef UFLOW_WORK_H
#define UFLOW_WORK_H

#include "uflow/pool.h"

#include "core.h"

enum { UFI_WORK_IN_POOL, UFI_WORK_OVER, UFI_WORK_ORPHANED };

static inline uf_work *ufi_pump_work(uf_link *link)
{
    return (uf_work *)((uintptr_t)link - offsetof(uf_work, of_pump));
}
static inline uf_work *ufi_timed_work(uf_link *link)
{
    return (uf_work *)((uintptr_t)link - offsetof(uf_work, timed));
}

/* The pump uses this pool from now on. */
void ufi_open_pool(uf_pump *pump, uf_pool *pool);

/* Nothing is in flight any more, and the pool is not used. Jobs that are pending are abandoned without a word: all flows are
 * idle. On the pump's thread, or when it has none; waits for records that are just being sent. */
void ufi_close_pool(uf_pump *pump);

/* What the rest of core asks of job.c. A pump has it from its first submit on, so that programs without jobs are linked
 * without all this. */
struct ufi_jobs {
    /* Leaves a task: its jobs that are pending are abandoned. */
    void (*abandon)(uf_flow *flow);
    /* A flow is detached: what is in flight of it is nobody's. */
    void (*disown)(uf_flow *flow);
    /* At the top of a round with jobs in flight: those that end now in a pool without threads, then those whose time is
     * up. */
    void (*look)(uf_pump *pump);
    /* The real time at which that has to be the next time at the latest. */
    uf_time (*next)(const uf_pump *pump);
    /* At the end of a round. */
    void (*after)(uf_pump *pump);
    /* See ufi_close_pool(). */
    void (*recall)(uf_pump *pump);
};

static inline uf_time ufi_next_job(const uf_pump *pump)
{
    return pump->works_in_flight ? pump->jobs->next(pump) : UF_FOREVER;
}

#define UFI_PAYLOAD_ALIGNMENT 16u

/* Where in a record the value is. */
static inline void *ufi_value_of(uf_work *work)
{
    return work->payload.room +
           ((work->worker->arguments_size + (UFI_PAYLOAD_ALIGNMENT - 1)) & ~(UFI_PAYLOAD_ALIGNMENT - 1));
}

/* Calls the worker; `*slot` is this thread's own, see ufp_thread_slot(). */
static inline void ufi_run_work(uf_work *work, void **slot)
{
    void *const outer = *slot;

    *slot = work;
    work->worker->run(work, work->worker->arguments_size ? work->payload.room : NULL, ufi_value_of(work));
    *slot = outer;
}

/* A record is over, and here. */
void ufi_finish_work(uf_work *work);

#endif
