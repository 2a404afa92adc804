/* SPDX-License-Identifier: MIT */
/* pool.h - the threads that run jobs; and pools without threads for tests and caller-driven pumps.
 *
 *   uf_pool *pool;
 *   uf_pool_new(&pool, &(uf_pool_config){.workers = 8});
 *   uf_runtime_new(&runtime, &(uf_runtime_config){.pool = pool});      several runtimes may share a pool
 *   ...
 *   uf_runtime_free(runtime);
 *   uf_pool_free(pool, UF_S(5));                                       gives running jobs 5 s to return
 */
#ifndef UFLOW_POOL_H
#define UFLOW_POOL_H

#include "uflow/generated.h"

UF_C_BEGIN

/* -- threads: in the library with threads only --------------------------------------------------------------------- */

/* The configuration of a thread pool. A zeroed member selects its default. If a pool is shared, a round may keep up to
 * half of the records of its ended jobs for its next jobs, until it is over. At most half as many threads as there are
 * CPUs spin. */
typedef struct uf_pool_config {
    const char *name;  /* of its threads; copied, truncated to 15 bytes. NULL: "uflow-pool" */
    uint32_t workers;  /* number of threads, 65535 at most; 0: 4 */
    uint32_t queue;    /* jobs beside the running ones: waiting, or ended and not delivered; below 2^31; 0: 1024 */
    size_t stack_size; /* of each thread, in bytes; 0: the system's default */
    uf_time spin;      /* longest busy wait for a job, as in uf_runtime_config; 0: 100 us; negative: none */
} uf_pool_config;

/* Creates a thread pool with a copy of `config`. NULL means the defaults. The pool takes all of its memory and
 * threads here.
 * Thread: any.
 * Returns: UF_OK; UF_NO_MEMORY: an allocation failed; UF_NO_THREAD: the system refused a thread, and errno tells
 * why; UF_INVALID: a limit is exceeded, or `pool` is NULL. After an error `*pool` is NULL.
 * Lifetime: free it with uf_pool_free(). */
uf_status uf_pool_new(uf_pool **pool, const uf_pool_config *config);

/* Closes a thread pool. It rejects new and queued jobs. uf_job_cancelled() becomes true in running ones, and the call
 * waits for them for `grace` of real time. Pumps that use the pool may live on; their jobs are rejected.
 * Thread: any, once.
 * Returns: UF_OK: all jobs have returned; UF_TIMED_OUT: some have not, and their threads free their memory when
 * they do; UF_DEADLOCK, and nothing happens: called in a job of this pool; UF_INVALID: it is not a thread pool.
 * Lifetime: the pool must not be used afterwards, except by the pumps that have it. */
uf_status uf_pool_free(uf_pool *pool, uf_time grace);

/* -- without threads ----------------------------------------------------------------------------------------------- */

/* Finds the pool that runs each job inside its `submit`, on the pump's thread. It serves all pumps.
 * Thread: any.
 * Returns: the pool.
 * Lifetime: static; it is never freed. */
uf_pool *uf_pool_inline(void);

typedef struct uf_seeded_pool uf_seeded_pool;

/* Initialises a seeded pool. Each job begins and ends at times drawn from `seed`, up to `max_latency` of real time
 * after its submit. If its function has a limit, that time counts from when it may begin. In a simulation the time is
 * virtual. The worker function runs at the end time, at the top of a round. The same seed gives the same run.
 * Thread: the pump's; all pumps that use it have one thread.
 * Returns: UF_OK; UF_INVALID: an argument is NULL, `count` is 0, or `max_latency` is negative.
 * Lifetime: you own `pool` and the `count` records in `works`, one per job in flight. Both must outlive the pumps. */
uf_status uf_pool_seeded(uf_seeded_pool *pool, uf_work *works, uint32_t count, uint64_t seed, uf_time max_latency);

/* -- a pool of your own -------------------------------------------------------------------------------------------- */

/* The functions of a pool. The pump calls all of them on its own thread, except `put`. */
typedef struct uf_pool_kind {
    /* Called when a pump begins, and when it stops, using the pool. NULL: nothing to do. */
    void (*open)(uf_pool *pool, uf_pump *pump);
    void (*close)(uf_pool *pool, uf_pump *pump);
    /* Returns a record for one more job; NULL: the job is rejected. */
    uf_work *(*take)(uf_pool *pool);
    /* Runs a job: arrange for uf_work_run() once, now or later, on any thread, and then uf_work_over(). To drop
     * it, set `dropped` and call uf_work_over() alone. `work->worker->limit`, if it is not 0, is how many runs of that
     * function there may be at a time; the pool counts them. */
    void (*run)(uf_pool *pool, uf_work *work);
    /* Withdraws an abandoned job. Returns true if uf_work_run() was not called; then call neither function. */
    bool (*withdraw)(uf_pool *pool, uf_work *work);
    /* Takes a record back. Thread: any. */
    void (*put)(uf_pool *pool, uf_work *work);
    /* Private: NULL in a pool of your own. */
    bool (*leave)(uf_pool *pool, uf_work *work);
    void (*after)(uf_pool *pool, uf_pump *pump);
    /* Runs at the top of each round in which the pump has jobs in flight. `next` returns the real time by which
     * the pool needs such a round. NULL: it needs none. */
    void (*round)(uf_pool *pool, uf_pump *pump);
    uf_time (*next)(const uf_pool *pool, const uf_pump *pump);
} uf_pool_kind;

/* A pool. It is the first member of the struct of your own pool. */
struct uf_pool {
    const uf_pool_kind *kind;
};

/* The record of a job. `place`, `begins` and `ends` are the pool's between `run` and uf_work_over(). The pool may
 * set `dropped`. The other members are private. */
struct uf_work {
    uf_link place;      /* for the pool's own list */
    uf_message message; /* tells the pump that the job has ended */
    uf_pump *pump;
    const uf_worker *worker;
    uint32_t progress;  /* a word: see job.c */
    uint32_t cancelled; /* a word */
    uf_flow *flow;      /* which submitted it; NULL: the flow was detached */
    uf_job *job;        /* the handle; NULL: the job was abandoned or timed out */
    uf_link of_pump;    /* on the pump's list of works in flight */
    uf_time submitted;  /* real time of the pump */
    uf_time timeout;
    uf_time took;
    bool measured;  /* the pool has noted when it began */
    uint8_t failed; /* the worker function executed `fail` (1), or ended its thread (2) */
    bool dropped;   /* the pool did not run it */
    bool slow;      /* observers were notified that it is slow */
    uint32_t begun; /* a word: its worker function was called */
    char reason[UF_REASON_SIZE];
    uf_time begins, ends; /* for the pool's own use */
    /* With a timeout: in the pump's heap of deadlines. `before` is NULL once it has left the heap. */
    uf_work *child, *sibling, *before;
    uint32_t order; /* of equal deadlines */
    uf_pool *pool;
    union {
        long double align_number;
        int64_t align_time;
        void *align_pointer;
        unsigned char room[UF_JOB_PAYLOAD + 16]; /* arguments, then the value */
    } payload;
};

/* A pool that runs jobs on the pump's thread, later, in a seeded, deterministic order. The members are private. */
struct uf_seeded_pool {
    uf_pool pool; /* first */
    uf_link free, running, held;
    uint64_t random;
    uf_time max_latency;
};

/* Calls the worker function of a job on this thread. A pool of your own calls it once per job.
 * Thread: any, with every pump. */
void uf_work_run(uf_work *work);

/* Tells the pump that a job has ended, and that it took `took` of real time since `run`.
 * Thread: any, with every pump; on bare metal also an interrupt handler.
 * Lifetime: the record belongs to the pump again from here on. */
void uf_work_over(uf_work *work, uf_time took);

UF_C_END
#endif
