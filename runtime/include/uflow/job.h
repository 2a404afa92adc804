/* SPDX-License-Identifier: MIT */
/* job.h - the handle of a job: work that a flow gives to a pool, to run on another thread.
 *
 *   worker double read_scale(int channel) { ... }      plain C, which may block; it sees no flow
 *   job weigh: read_scale;                             a handle, in a task's state
 *   submit weigh(3) timeout 500ms;                     copies the arguments; the timeout includes the time in the queue
 *   await weigh -> Use else fail "%s", reason;         from then on self->weigh.value holds the result
 */
#ifndef UFLOW_JOB_H
#define UFLOW_JOB_H

#include "uflow/flow.h"

UF_C_BEGIN

typedef struct uf_pool uf_pool; /* pool.h */
typedef struct uf_work uf_work;
typedef struct uf_worker uf_worker; /* generated.h */

/* The state of a job. */
typedef enum uf_job_status {
    UF_JOB_NONE = 0,  /* not submitted by this run of the task, or cleared */
    UF_JOB_PENDING,   /* in the queue, or running */
    UF_JOB_DONE,      /* the handle holds the value */
    UF_JOB_FAILED,    /* the worker function executed `fail`, or ended its thread: see uf_job_reason() */
    UF_JOB_TIMED_OUT, /* the worker function did not return in time; it may still be running */
    UF_JOB_REJECTED   /* no pool took it: see uf_job_reason() */
} uf_job_status;

/* A handle. It is the first member of the struct that the task has for its job, before `value` and `reason`.
 * Zeroed, it was never submitted. The members are private.
 * Lifetime: part of the task's state. A worker function never touches it. */
typedef struct uf_job {
    union {
        uf_work *work;   /* the pool's record, while it is pending */
        const char *why; /* a constant, if the runtime has ended it; NULL: the handle has the reason */
    };
    const uf_worker *worker; /* of the last submit */
    uint8_t status;          /* a uf_job_status */
    bool cleared;
    bool taken;   /* an arm has won with it */
    uint32_t end; /* the number of jobs of the pump that had ended before */
} uf_job;

/* Reads the state of a job, in a step or in C code that a step calls: `uf_job_status_of(&self->weigh.job)`.
 * Thread: the pump's.
 * Returns: the state. */
uf_job_status uf_job_status_of(const uf_job *job);

/* The lower-case text of a job's state, such as "timed out".
 * Thread: any, with every pump.
 * Returns: a constant text; "unknown status" for any other number. */
const char *uf_job_status_text(uf_job_status status);

/* Returns why a job brought no value.
 * Thread: the pump's.
 * Returns: the reason given by the worker function, or a constant such as "timed out", "timed out in the queue" (it
 * never began), "its thread has ended", "rejected: no pool", "cleared" or "not submitted"; "" while the job is pending,
 * and after it is done.
 * Lifetime: valid until the handle is used again. */
const char *uf_job_reason(const uf_job *job);

/* Abandons a job and resets its handle; the reason is "cleared" from then on. A queued job leaves the queue. For a
 * running one uf_job_cancelled() becomes true, and its result is dropped. An await on the handle fails.
 * Thread: the pump's: steps, `on exit` and posts, but not observers.
 * Returns: UF_OK; UF_INVALID, and nothing happens: `job` is not a job of the task that `flow` has entered, or the
 * thread is the wrong one; UF_BUSY, and nothing happens: an await has decided with this job, and still cancels its
 * subtasks, one of which makes this call in its `on exit`. */
uf_status uf_job_clear(uf_flow *flow, uf_job *job);

/* Counts the pending jobs of the task that the flow has entered.
 * Thread: the pump's.
 * Returns: the count; 0 if the flow is idle or has no jobs, or on another thread. */
uint32_t uf_flow_jobs_pending(const uf_flow *flow);

/* Does what uf_job_clear() does, for all jobs of the task that the flow has entered.
 * Thread: the pump's: steps, `on exit` and posts, but not observers.
 * Returns: UF_OK, also if there are none; UF_INVALID, and nothing happens: the flow has entered no task, or the thread
 * is the wrong one; UF_BUSY, and nothing happens: an await has decided with one of them, as in uf_job_clear(). */
uf_status uf_flow_jobs_clear(uf_flow *flow);

/* Returns whether the job of this worker function is cancelled. Poll it where you can stop early.
 * Thread: any, with every pump.
 * Returns: true in a job that timed out or was abandoned, or whose pool is closing; false outside a worker function. */
bool uf_job_cancelled(void);

UF_C_END
#endif
