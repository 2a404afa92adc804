/* SPDX-License-Identifier: MIT */
/* work.h - records of jobs, as core and a host's pools share them.
 *
 * A job in flight is a record. The pool owns it from `run` until uf_work_over(). Only the pump's thread touches the
 * members that link the record to its flow and handle. Only that thread writes into a handle, and only while the
 * record's `job` points to it. The pump clears `job` when the job is abandoned or times out. So a worker may return
 * at any time.
 *
 * A worker and its pump may end at the same moment. One compare-and-exchange of `progress` decides. Either the worker
 * sends the record to the pump, which waits for it; or the pump leaves the record to the pool, and no worker touches
 * the pump again. A pool whose lock both sides hold decides the same under that lock. */
#ifndef UFLOW_WORK_H
#define UFLOW_WORK_H

#include "basics/lists.h"
#include "flows/inbox.h"

#include "uflow/pool.h"

enum { UFI_WORK_IN_POOL, UFI_WORK_OVER, UFI_WORK_ORPHANED };
enum { UFI_FAILED_BY_ITSELF = 1, UFI_THREAD_ENDED }; /* uf_work.failed */

static inline uf_work *ufi_pump_work(uf_link *link)
{
    return (uf_work *)((uintptr_t)link - offsetof(uf_work, of_pump));
}

/* Makes the pump use this pool. */
void ufi_open_pool(uf_pump *pump, uf_pool *pool);

/* Ends the use of the pool, with nothing in flight afterwards. All flows are idle; pending jobs are abandoned without
 * an event. Waits for records that workers are sending. On the pump's thread, or when no thread drives the pump. */
void ufi_close_pool(uf_pump *pump);

#define UFI_PAYLOAD_ALIGNMENT 16u

/* The place of the value in a record. */
static inline void *ufi_value_of(uf_work *work)
{
    return work->payload.room +
           ((work->worker->arguments_size + (UFI_PAYLOAD_ALIGNMENT - 1)) & ~(UFI_PAYLOAD_ALIGNMENT - 1));
}

/* Calls the worker function. `slot` is the current thread's ufp_thread_slot(). */
static inline void ufi_run_work(uf_work *work, void **slot)
{
    void *const outer = *slot;

    *slot = work;
    ufp_store(&work->begun, 1); /* for functions that describe a wait */
    work->worker->run(work, work->worker->arguments_size ? work->payload.room : NULL, ufi_value_of(work));
    *slot = outer;
}

/* Drops the value of a record whose worker function has returned, if there is one. No handle takes it. */
static inline void ufi_drop_result(uf_work *work)
{
    bool const has_value = !work->failed && !work->dropped;
    if (has_value && work->worker->drop) work->worker->drop(ufi_value_of(work));
}

/* A record has come back to its pump: completes the job. */
void ufi_finish_work(uf_work *work);

/* The pointer to a member of a handle's struct. */
static inline void *ufi_in_handle(const uf_job *job, size_t offset)
{
    return (void *)((uintptr_t)job + offset);
}

/* -- the handles of a flow's jobs: single ones, and the elements of arrays */

static inline uint32_t ufi_job_count(const uf_job_info *info)
{
    return info->count ? info->count : 1;
}

static inline uf_job *ufi_job_at(const uf_flow *flow, const uf_job_info *info, uint32_t index)
{
    return (uf_job *)((uintptr_t)flow + info->offset + index * info->stride);
}

/* The index of a handle among those of `info`; their number: it is none of them. */
static inline uint32_t ufi_job_index(const uf_flow *flow, const uf_job_info *info, const uf_job *job)
{
    uintptr_t const at = (uintptr_t)job - ((uintptr_t)flow + info->offset);
    uint32_t const count = ufi_job_count(info);

    if (!info->count) return at == 0 ? 0 : count;
    return at % info->stride == 0 && at / info->stride < count ? (uint32_t)(at / info->stride) : count;
}

static inline bool ufi_job_is_of(const uf_flow *flow, const uf_job_info *info, const uf_job *job)
{
    return ufi_job_index(flow, info, job) < ufi_job_count(info);
}

/* A job has ended or was cleared: decides the arms that wait for it, and wakes the flow if one is decided.
 * See job_arms.c. */
void ufi_job_ended(uf_flow *flow, const uf_job *job);
void ufi_job_cleared(uf_flow *flow, const uf_job *job);

/* Does an await that has decided take the value of the job when the runs that it leaves have ended? */
bool ufi_job_is_awarded(const uf_flow *flow, const uf_job *job);

/* Why an arm that waits for jobs has failed. */
const char *ufi_job_arm_reason(const uf_flow *flow, const uf_arm *arm);

/* The real time at which a job times out; UF_FOREVER: never. */
static inline uf_time ufi_work_deadline(const uf_work *work)
{
    return uf_time_add(work->submitted, work->timeout);
}

/* Adds a record with a timeout to the pump's heap, and removes it from there. See job_timeouts.c. */
void ufi_timeout_begin(uf_pump *pump, uf_work *work);
void ufi_timeout_end(uf_pump *pump, uf_work *work);

/* The first submit on a pump. See job.c. */
void ufi_begin_jobs(uf_pump *pump);

#endif
