/* SPDX-License-Identifier: MIT */
/* thread_pool.h - a pool of threads: the state that pool.c and pool_life.c share.
 *
 * The pool is reference-counted. Its owner, each pump that uses it, and each thread that was left behind hold a
 * reference, so pumps and the pool may be freed in any order. All records are allocated at the start. */
#ifndef UFLOW_THREAD_POOL_H
#define UFLOW_THREAD_POOL_H

#include "host.h"

#include "jobs/work.h"

/* Aligned, so that a job touches as few cache lines as possible. */
typedef struct ufh_record {
    _Alignas(UFH_CACHE_LINE) uf_work work;
} ufh_record;

typedef struct ufh_thread_pool ufh_thread_pool;

/* A worker function with a limit, while it runs. */
typedef struct ufh_limited {
    uf_link place; /* on the pool's list of those that run, or of unused ones */
    const uf_worker *worker;
    uint32_t runs;
    uf_link held; /* its jobs that wait for the end of a run */
} ufh_limited;

typedef struct ufh_pool_thread {
    ufh_thread_pool *pool; /* constant */
    ufp_thread thread;     /* the owner's when the pool is closed; before, it changes under the mutex */
    ufh_spin spin;         /* its own */
    uint32_t jobs;         /* its own: jobs that it has run */
    uint32_t idle;         /* atomic; changes under the mutex */
    /* Under the mutex. */
    ufp_condition wakeup; /* its own, because a condition has at most one waiter */
    struct ufh_pool_thread *next_idle;
    bool asleep;   /* idle, and not spinning */
    uf_work *work; /* the job that it is running, or NULL */
    bool left_behind;
    ufh_limited *limited; /* its run counts there; NULL: it has no limit */
    ufh_limited storage;  /* of any worker function; there are at most as many that run as threads */
} ufh_pool_thread;

struct ufh_thread_pool {
    uf_pool pool; /* first */
    /* Constant. */
    char name[16];
    ufh_record *records;
    uint32_t record_count;
    uint32_t thread_count;
    uint32_t cpus;     /* that its threads may run on */
    size_t stack_size; /* as configured, and so is `spin` */
    uf_time spin;

    /* Atomic. */
    uint32_t references;
    uint32_t pumps;        /* that use the pool */
    uint32_t available;    /* records that no pump has; changes under the mutex */
    char apart[UFH_APART]; /* what pumps read for each job is not on the mutex's cache line */

    /* Under the mutex. */
    ufp_mutex mutex;
    uf_link queue; /* of jobs, in FIFO order */
    uf_link limited, unused_limited;
    bool closed;
    uf_work *free;           /* linked by place.next */
    uint32_t unused;         /* the first record that was never used */
    ufh_pool_thread *idle;   /* the last one to become idle is the first to be woken */
    uint32_t woken;          /* threads that were woken and have not looked into the queue yet */
    uint32_t spinning;       /* idle threads that spin */
    ufp_condition job_ended; /* for the thread that frees the pool */
    ufh_pool_thread threads[];
};

static inline ufh_thread_pool *ufh_thread_pool_of(const uf_pool *pool)
{
    return (ufh_thread_pool *)(uintptr_t)pool;
}

/* -- pool.c -------------------------------------------------------------------------------------------------------- */

extern const uf_pool_kind ufh_threads_kind;

void ufh_pool_thread_main(void *thread);

/* A worker function that ends its thread causes this call. */
void ufh_pool_thread_ended_early(void *thread);

/* The pool is closed: returns all queued jobs as dropped. */
void ufh_drop_queued(ufh_thread_pool *p);

/* With the mutex held: the pool is closed, so jobs that a limit holds back will not run either. */
void ufh_queue_held(ufh_thread_pool *p);

/* With the mutex held: removes an idle thread from the list and wakes it. Returns: false if there is none. */
bool ufh_wake_idle(ufh_thread_pool *p);

/* -- pool_life.c --------------------------------------------------------------------------------------------------- */

void ufh_drop_pool_reference(ufh_thread_pool *p);

/* Returns an errno. */
int ufh_start_pool_thread(ufh_pool_thread *t);

#endif
