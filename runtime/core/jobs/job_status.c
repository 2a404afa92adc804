/* SPDX-License-Identifier: MIT */
/* job_status.c - queries of a job's handle. */
#include "jobs/work.h"

uf_job_status uf_job_status_of(const uf_job *job)
{
    return job ? (uf_job_status)job->status : UF_JOB_NONE;
}

const char *uf_job_status_text(uf_job_status status)
{
    switch (status) {
    case UF_JOB_NONE: return "none";
    case UF_JOB_PENDING: return "pending";
    case UF_JOB_DONE: return "done";
    case UF_JOB_FAILED: return "failed";
    case UF_JOB_TIMED_OUT: return "timed out";
    case UF_JOB_REJECTED: return "rejected";
    }
    return "unknown status";
}

const char *uf_job_reason(const uf_job *job)
{
    if (!job) return "";
    switch (uf_job_status_of(job)) {
    case UF_JOB_PENDING:
    case UF_JOB_DONE: return "";
    case UF_JOB_FAILED:
        if (job->why) return job->why;
        return job->worker->reason_offset ? ufi_in_handle(job, job->worker->reason_offset) : "";
    case UF_JOB_NONE: return job->cleared ? "cleared" : "not submitted";
    case UF_JOB_REJECTED:
    case UF_JOB_TIMED_OUT: return job->why;
    }
    return uf_job_status_text(uf_job_status_of(job));
}
