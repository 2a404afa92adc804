/* jobs.h - the handles of a flow's jobs: single ones, and the elements of arrays. */
#ifndef UFLOW_JOBS_H
#define UFLOW_JOBS_H

#include "jobs/work.h"

static inline uint32_t ufi_job_count(const uf_job_info *info)
{
    return info->count ? info->count : 1;
}

static inline uf_job *ufi_job_at(const uf_flow *flow, const uf_job_info *info, uint32_t index)
{
    return (uf_job *)((uintptr_t)flow + info->offset + index * info->stride);
}

/* The index of a handle among those of `info`, or their number if it is not among them. */
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
