/* pool.h - where the workers of jobs run.
 *
 *   uf_pool_new(&pool, &(uf_pool_config){.workers = 8});   threads and a bounded queue
 *   config.pool = pool;                                    of one runtime, or of several
 *   uf_runtime_free(runtime);
 *   uf_pool_free(pool, UF_S(5));                           gives running workers so much time
 *
 * A runtime that is given none makes one of its own, at the first submit. For tests there are a pool that runs jobs within
 * the submit, and one that runs them on the pump's thread, later, in an order that a seed says; both need no threads and
 * no memory of their own, and serve a pump that is driven by hand or simulated as well. Or write your own kind.
 *
 * Threads may work for a pump that is driven by hand too: the hook `wake` of its configuration tells its driver when one has
 * finished, or uf_pump_round() is called now and then while jobs are in flight. In a simulation they never finish: its
 * time does not wait. */
#ifndef UFLOW_POOL_H
#define UFLOW_POOL_H

#include "uflow/base.h"
#include "uflow/generated.h"
#include "uflow/job.h"
#include "uflow/pump.h"

#ifdef __cplusplus
extern "C" {
#endif

/* -- threads: in the library with threads only ----------------------------------------------------------------------- */

typedef struct uf_pool_config {
    const char *name; /* of its threads; copied, cut to 15 bytes. NULL: "uflow-pool" */
    uint32_t workers; /* threads, 65535 at most; 0: 4 */
    uint32_t
        queue; /* beside those being worked on: jobs that wait, or whose end no pump has seen yet; less than 2^31; 0: 1024 */
    size_t stack_size; /* of each thread; 0: what the system gives */
} uf_pool_config;

/* `config` may be NULL or zeroed for defaults; it is copied. All memory and all threads that it will ever have are taken
 * here. UF_NO_MEMORY; UF_NO_THREAD, and errno has the system's reason; UF_INVALID: more than the limits above. Then nothing is left behind and *pool is
 * NULL. Any thread. */
uf_status uf_pool_new(uf_pool **pool, const uf_pool_config *config);

/* Takes no more jobs; those that wait are rejected; workers are told by uf_job_cancelled(), and waited for, for `grace`
 * of real time at most. UF_TIMED_OUT: some are at it still; they have been left behind, and what they use is freed when
 * they return. Pumps that were given the pool may live on: their jobs are rejected. Once, from any thread but a worker's
 * own (UF_DEADLOCK). UF_INVALID: no pool of this kind. */
uf_status uf_pool_free(uf_pool *pool, uf_time grace);

/* -- without threads ----------------------------------------------------------------------------------------------- */

/* A worker runs within `submit`, on the pump's thread: the job is over when that returns. One for all pumps, and it needs
 * not be freed. */
uf_pool *uf_pool_inline(void);

typedef struct uf_seeded_pool uf_seeded_pool;

/* Each job begins and ends at times of its own, up to `max_latency` after the submit, in an order that `seed` says: the same
 * seed, the same run. A worker runs when its time is over, at the top of a round; so jobs always end in a later round. One
 * that times out or is abandoned has begun by then or not, as the seed says. Real time; in a simulation that is virtual.
 *   `works` are `count` records, as many jobs as can be in flight; they and `pool` are the caller's and must stay until
 * the pumps that use it are gone: any that one thread drives. UF_INVALID: no records, or a negative time. */
uf_status uf_pool_seeded(uf_seeded_pool *pool, uf_work *works, uint32_t count, uint64_t seed, uf_time max_latency);

/* -- a kind of your own ------------------------------------------------------------------------------------------------ */

/* What a pool does; all of it on the pump's thread unless it says otherwise. */
typedef struct uf_pool_kind {
    /* A pump has been given the pool, and will not use it any more. NULL: nothing to do. */
    void (*open)(uf_pool *pool, uf_pump *pump);
    void (*close)(uf_pool *pool, uf_pump *pump);
    /* A record for one more job; NULL: there is none, the job is rejected. */
    uf_work *(*take)(uf_pool *pool);
    /* The record is filled in. See to it that uf_work_run() is called, once, now or later, on whatever thread, and then
     * uf_work_over(); or uf_work_over() alone, with `dropped`. */
    void (*run)(uf_pool *pool, uf_work *work);
    /* It is not wanted any more. True: uf_work_run() has not been called, and neither that nor uf_work_over() will be. */
    bool (*withdraw)(uf_pool *pool, uf_work *work);
    /* A record that was taken is free again. Any thread. */
    void (*put)(uf_pool *pool, uf_work *work);
    /* NULL in a kind of your own. The pump goes, and the job has begun: true, it is left to the pool, which will not touch that
     * pump for its sake any more; false, it is on its way there. And: a round is over that has left something in `spare` or `submitted`. */
    bool (*leave)(uf_pool *pool, uf_work *work);
    void (*after)(uf_pool *pool, uf_pump *pump);
    /* At the top of each of the pump's rounds in which it has jobs in flight; the real time at which there has to be such
     * a round at the latest. NULL: they are not needed. */
    void (*round)(uf_pool *pool, uf_pump *pump);
    uf_time (*next)(const uf_pool *pool, const uf_pump *pump);
} uf_pool_kind;

struct uf_pool {
    const uf_pool_kind *kind;
};

/* The record of a job: everything that its worker gets and gives. First what every job touches, in no more than 128 bytes. */
struct uf_work {
    uf_link place;      /* the pool's, from `run` until uf_work_over(): on whatever list */
    uf_message message; /* to the pump: it is over */
    uf_pump *pump;
    const uf_worker *worker;
    uint32_t progress;  /* a word: see job.c */
    uint32_t cancelled; /* a word */
    uf_flow *flow;      /* whose it is, also once the job was abandoned; NULL: it is gone */
    uf_job *job;        /* the handle; NULL: nobody waits for it any more */
    uf_link of_pump;    /* on the pump's list of works in flight */
    uf_time submitted;  /* real time of the pump */
    uf_time timeout;
    uf_time took;
    bool measured; /* the pool has noted when it began */
    bool failed;   /* by the worker */
    bool dropped;  /* the pool did not run it */
    bool slow;     /* observers have been told of that */
    char reason[UF_REASON_SIZE];
    uf_time begins, ends; /* the pool's, as `place` is: or whatever it has to remember */
    uf_link
        timed; /* on the pump's list of those with a deadline; next is NULL: on it no more. Only if it has a timeout */
    uf_pool *pool;
    union {
        long double align_number;
        int64_t align_time;
        void *align_pointer;
        unsigned char room[UF_JOB_PAYLOAD + 16]; /* arguments, then the value */
    } payload;
};

struct uf_seeded_pool {
    uf_pool pool; /* first */
    uf_link free, running;
    uint64_t random;
    uf_time max_latency;
};

/* Calls the worker, on this thread. A record that was never handed to a pool has none. */
void uf_work_run(uf_work *work);

/* It took so long since it was handed to the pool, in real time; the pump is told. From here on the record is not the
 * caller's. Any thread; on bare metal, an interrupt as well. */
void uf_work_over(uf_work *work, uf_time took);

#ifdef __cplusplus
}
#endif
#endif
