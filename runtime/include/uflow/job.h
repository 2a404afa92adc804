/* job.h - work that a flow has done elsewhere, on a thread of a pool: how it stands, and what came of it.
 *
 *   worker double read_scale(int channel) { ... }      plain C, which may block; it sees no flow
 *   job weigh: read_scale;                             a handle, in a task's state
 *   submit weigh(3) timeout 500ms;                     arguments are copied; time in the queue counts
 *   await weigh -> Use else fail "%s", reason;         self->weigh.value is there from now on, until the task ends
 *
 * A handle lies in the state of its task, and is for the thread that drives the flow. Whatever becomes of the task, its
 * worker never touches it: arguments and result travel in a record of the pool's, and a record whose job was abandoned
 * is not read any more. */
#ifndef UFLOW_JOB_H
#define UFLOW_JOB_H

#include "uflow/base.h"
#include "uflow/flow.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct uf_pool uf_pool; /* pool.h */
typedef struct uf_work uf_work;
typedef struct uf_worker uf_worker; /* generated.h */

typedef enum uf_job_status {
    UF_JOB_NONE = 0,  /* never submitted by this run of the task, or cleared */
    UF_JOB_PENDING,   /* waits for a worker, or is being worked on */
    UF_JOB_DONE,      /* the value is there */
    UF_JOB_FAILED,    /* by the worker's `fail`; the reason is there, if that gave one */
    UF_JOB_TIMED_OUT, /* the worker had not returned in time; if it had begun, it may be at it still */
    UF_JOB_REJECTED /* the pool is full, or has ended; or too many jobs of this flow are in flight; or there is no pool */
} uf_job_status;

/* A handle: the first member of the struct that the task has for its job, in front of `value` and `reason`. All zero: never
 * submitted. Its members are the runtime's. */
typedef struct uf_job {
    union {
        uf_work *work;   /* the pool's record, while it is pending */
        const char *why; /* a constant, if it was rejected */
    };
    const uf_worker *worker; /* of the last submit */
    uint8_t status;          /* a uf_job_status */
    bool cleared;
} uf_job;

/* Arguments and result of a worker have so many bytes together, at most. */
#define UF_JOB_PAYLOAD 256

/* In a step, or in C that it calls: `uf_job_status_of(&self->weigh.job)`. Can be asked as often as one likes. */
uf_job_status uf_job_status_of(const uf_job *job);

/* A constant, lower-case text for a status ("timed out"). Any thread. */
const char *uf_job_status_text(uf_job_status status);

/* Why it brought nothing: the worker's reason, "timed out", "rejected: no pool" and its like, "cleared", "not
 * submitted"; "" while it is pending, and if it is done. Valid until the handle is used again. */
const char *uf_job_reason(const uf_job *job);

/* Forgets it: the handle is as if never submitted, but for the reason, "cleared". If it is pending it is abandoned: it is
 * taken out of the queue or, if a worker is at it, that is told, and what it brings is dropped. Who waits for it sees a
 * failure. Also in `on exit`. UF_INVALID, and nothing happens: no job of the task that this flow has entered, or not the
 * thread that drives it, or an observer. */
uf_status uf_job_clear(uf_flow *flow, uf_job *job);

/* In a worker, or in C that it calls: nobody waits for this job any more. False on every other thread. */
bool uf_job_cancelled(void);

#ifdef __cplusplus
}
#endif
#endif
