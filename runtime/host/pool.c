/* pool.c - a pool of threads with a bounded queue. All records are allocated at the start.
 *
 * The pool is reference-counted. Its owner, each pump that uses it, and each thread that was left behind hold a
 * reference, so pumps and the pool may be freed in any order. A record is in one of five places: the free list, its
 * pump, the queue, a pool thread, or its pump's inbox. Each move happens under the mutex, which is never held while
 * user code runs. A thread takes the mutex once per job, to return one record and to fetch the next.
 *
 * Jobs that a round submits are collected by the pump while it still has spare records of jobs that have ended in
 * that round. They enter the queue together, when the last spare record is used or the round ends. Otherwise the pump
 * would take the mutex for each job, and wake a thread that finds one job and sleeps again.
 *
 * A pump is never touched after it was freed. A thread enqueues a record in the pump's inbox under the mutex, unless
 * the pump has left that record to the pool. The pump takes the mutex once more after its last record has arrived. A
 * thread that has to wake the pump has pinned it by then. */
#include "host.h"

#include "work.h"

/* Records are aligned to cache lines, so that a job touches as few lines as possible. */
#define CACHE_LINE 64u

typedef struct record {
    _Alignas(CACHE_LINE) uf_work work;
} record;

typedef struct thread_pool thread_pool;

typedef struct pool_thread {
    thread_pool *pool; /* constant */
    ufp_thread thread; /* the owner's */
    /* Under the mutex. */
    ufp_condition wakeup; /* its own, because a condition has at most one waiter */
    struct pool_thread *next_idle;
    bool asleep;
    uf_work *work; /* the job that it is running, or NULL */
    bool left_behind;
} pool_thread;

struct thread_pool {
    uf_pool pool; /* first */
    /* Constant. */
    char name[16];
    record *records;
    uint32_t record_count;
    uint32_t thread_count;

    /* Atomic. */
    uint32_t references;
    uint32_t pumps; /* that use the pool */

    /* Under the mutex. */
    ufp_mutex mutex;
    uf_link queue; /* of jobs, in FIFO order */
    bool closed;
    uf_work *free;   /* linked by place.next */
    uint32_t unused; /* the first record that was never used */
    pool_thread *idle;
    ufp_condition job_ended; /* for the thread that frees the pool */
    pool_thread threads[];
};

static thread_pool *thread_pool_of(const uf_pool *pool)
{
    return (thread_pool *)(uintptr_t)pool;
}

static uf_work *work_at(uf_link *place)
{
    return (uf_work *)(void *)place;
}

/* -- references -------------------------------------------------------------------------------------------------- */

/* `conditions`: how many threads have one. */
static void destroy(thread_pool *p, uint32_t conditions)
{
    while (conditions > 0) ufp_condition_destroy(&p->threads[--conditions].wakeup);
    ufp_condition_destroy(&p->job_ended);
    ufp_mutex_destroy(&p->mutex);
    ufp_free(p);
}

static void drop_reference(thread_pool *p)
{
    if (ufp_add_fetch_seq_cst(&p->references, UINT32_MAX) == 0) destroy(p, p->thread_count);
}

static void open_for_pump(uf_pool *pool, uf_pump *pump)
{
    (void)pump;
    ufp_add_fetch_seq_cst(&thread_pool_of(pool)->references, 1);
    ufp_add_fetch_seq_cst(&thread_pool_of(pool)->pumps, 1);
}

static void close_for_pump(uf_pool *pool, uf_pump *pump)
{
    thread_pool *const p = thread_pool_of(pool);
    (void)pump;

    ufp_mutex_lock(&p->mutex); /* waits for the thread that has returned the pump's last record */
    ufp_mutex_unlock(&p->mutex);
    ufp_add_fetch_seq_cst(&p->pumps, UINT32_MAX);
    drop_reference(p);
}

/* -- records ----------------------------------------------------------------------------------------------------- */

static uf_work *take_record(uf_pool *pool)
{
    thread_pool *const p = thread_pool_of(pool);

    ufp_mutex_lock(&p->mutex);
    uf_work *work = p->closed ? NULL : p->free;
    if (work) p->free = work->place.next ? work_at(work->place.next) : NULL;
    else if (!p->closed && p->unused < p->record_count) work = &p->records[p->unused++].work;
    ufp_mutex_unlock(&p->mutex);
    if (work) ufp_note_shared(&work->progress, sizeof work->progress + sizeof work->cancelled);
    return work;
}

/* With the mutex held. */
static void free_record(thread_pool *p, uf_work *work)
{
    work->place.next = p->free ? &p->free->place : NULL;
    p->free = work;
}

UF_NOINLINE static void lock_and_free_record(thread_pool *p, uf_work *work)
{
    ufp_mutex_lock(&p->mutex);
    free_record(p, work);
    ufp_mutex_unlock(&p->mutex);
}

/* On the pump's thread. Within a round the record is kept for the next submit, unless another pump may need it. */
static void put_record(uf_pool *pool, uf_work *work)
{
    uf_pump *const pump = work->pump;

    if (!pump->in_round || ufp_load(&thread_pool_of(pool)->pumps) != 1) {
        lock_and_free_record(thread_pool_of(pool), work);
        return;
    }
    work->place.next = pump->spare;
    pump->spare = &work->place;
}

/* -- the queue --------------------------------------------------------------------------------------------------- */

/* With the mutex held: appends a pump's collected jobs to the queue. Returns the first of them, or the end of the
 * queue. */
static uf_link *enqueue_jobs(thread_pool *p, uf_link *submitted)
{
    uf_link *const first = submitted->next, *const last = submitted->prev;

    if (ufi_list_empty(submitted)) return &p->queue;
    first->prev = p->queue.prev;
    first->prev->next = first;
    last->next = &p->queue;
    p->queue.prev = last;
    ufi_list_init(submitted);
    return first;
}

/* With the mutex held: removes the first job from the queue. Returns NULL if there is none. */
static uf_work *dequeue_job(thread_pool *p)
{
    if (ufi_list_empty(&p->queue)) return NULL;
    uf_link *const first = p->queue.next;
    ufi_list_remove(first);
    ufi_list_init(first);
    return work_at(first);
}

static bool withdraw_job(uf_pool *pool, uf_work *work)
{
    thread_pool *const p = thread_pool_of(pool);

    ufp_mutex_lock(&p->mutex);
    bool const queued = !ufi_list_empty(&work->place);
    if (queued) ufi_list_remove(&work->place);
    ufp_mutex_unlock(&p->mutex);
    return queued;
}

/* With the mutex held, which it releases while user code runs: the pump has left the record to the pool. */
static void free_orphan(thread_pool *p, uf_work *work)
{
    if (work->worker->drop) {
        ufp_mutex_unlock(&p->mutex);
        ufi_drop_result(work);
        ufp_mutex_lock(&p->mutex);
    }
    free_record(p, work);
}

/* With the mutex held: sends the record of a job that has ended to its pump. Returns the pump if it has to be woken,
 * pinned. */
static uf_pump *return_record(thread_pool *p, uf_work *work)
{
    uf_pump *const pump = work->pump;

    if (work->progress == UFI_WORK_ORPHANED) {
        free_orphan(p, work);
        return NULL;
    }
    work->progress = UFI_WORK_OVER;
    ufi_inbox_push(pump, &work->message);
    bool const sleeps = pump->host ? pump->host->asleep(pump) : pump->config.wake != NULL;
    if (!sleeps) return NULL;
    ufi_pump_pin(pump);
    return pump;
}

static void wake_pump(uf_pump *pump)
{
    if (!pump) return;
    if (pump->host) pump->host->wake(pump);
    else ufi_wake_driver(pump);
    ufi_pump_unpin(pump);
}

static bool orphan_job(uf_pool *pool, uf_work *work)
{
    thread_pool *const p = thread_pool_of(pool);

    ufp_mutex_lock(&p->mutex);
    bool const orphaned = work->progress == UFI_WORK_IN_POOL;
    if (orphaned) work->progress = UFI_WORK_ORPHANED;
    ufp_mutex_unlock(&p->mutex);
    return orphaned;
}

/* The pool is closed: returns all queued jobs as dropped. */
static void drop_queued(thread_pool *p)
{
    for (;;) {
        ufp_mutex_lock(&p->mutex);
        uf_work *const work = dequeue_job(p);
        if (work) work->dropped = true;
        uf_pump *const pump = work ? return_record(p, work) : NULL;
        ufp_mutex_unlock(&p->mutex);
        if (!work) return;
        wake_pump(pump);
    }
}

/* With the mutex held: removes an idle thread from the list, for the caller to signal. Returns NULL if there is none.
 */
static pool_thread *take_idle(thread_pool *p)
{
    pool_thread *const t = p->idle;

    if (!t) return NULL;
    p->idle = t->next_idle;
    t->asleep = false;
    return t;
}

/* Wakes one idle thread for each job from `place` on, as far as there are any. Unlocks the mutex. */
static void wake_threads_and_unlock(thread_pool *p, const uf_link *place)
{
    pool_thread *last = NULL;

    for (; place != &p->queue && p->idle; place = place->next) {
        if (last) ufp_condition_signal(&last->wakeup);
        last = take_idle(p);
    }
    if (last) ufp_condition_signal_and_unlock(&last->wakeup, &p->mutex);
    else ufp_mutex_unlock(&p->mutex);
}

/* The pump has used its last spare record, or its round has ended. */
static void flush_pump(uf_pool *pool, uf_pump *pump)
{
    thread_pool *const p = thread_pool_of(pool);

    ufp_mutex_lock(&p->mutex);
    for (uf_link *link = pump->spare, *next; link; link = next) {
        next = link->next;
        free_record(p, work_at(link));
    }
    pump->spare = NULL;
    uf_link const *const first = enqueue_jobs(p, &pump->submitted);
    bool const closed = p->closed;
    wake_threads_and_unlock(p, first);
    if (closed) drop_queued(p);
}

/* Without a limit the duration is of no interest, and the clock is not read. */
static bool has_limit(const uf_work *work)
{
    return work->timeout != UF_FOREVER || work->pump->config.slow_job;
}

static void submit_job(uf_pool *pool, uf_work *work)
{
    uf_pump *const pump = work->pump;

    work->measured = has_limit(work);
    if (work->measured) work->begins = ufp_monotonic_now();
    ufi_list_insert(&pump->submitted, &work->place);
    if (!pump->spare) flush_pump(pool, pump);
}

/* -- threads ----------------------------------------------------------------------------------------------------- */

/* With the mutex held. */
static void sleep_until_woken(thread_pool *p, pool_thread *t)
{
    t->asleep = true;
    t->next_idle = p->idle;
    p->idle = t;
    while (t->asleep) (void)ufp_condition_wait(&t->wakeup, &p->mutex, UF_FOREVER);
}

static void run_job(uf_work *work, void **slot)
{
    ufi_run_work(work, slot);
    if (work->measured) work->took = ufp_monotonic_now() - work->begins;
}

/* With the mutex held. */
static void run_jobs(thread_pool *p, pool_thread *t)
{
    void **const slot = ufp_thread_slot();

    while (!p->closed) {
        uf_work *const work = dequeue_job(p);
        if (!work) {
            sleep_until_woken(p, t);
            continue;
        }
        t->work = work;
        ufp_mutex_unlock(&p->mutex);
        run_job(work, slot);
        ufp_mutex_lock(&p->mutex);
        t->work = NULL;
        if (p->closed) ufp_condition_signal(&p->job_ended);
        uf_pump *const pump = return_record(p, work);
        if (!pump) continue;
        ufp_mutex_unlock(&p->mutex); /* so that the pump does not block on it */
        wake_pump(pump);
        ufp_mutex_lock(&p->mutex);
    }
}

static void pool_thread_main(void *argument)
{
    pool_thread *const t = argument;
    thread_pool *const p = t->pool;

    ufp_thread_name(p->name);
    ufp_mutex_lock(&p->mutex);
    run_jobs(p, t);
    bool const left_behind = t->left_behind;
    ufp_mutex_unlock(&p->mutex);
    if (left_behind) drop_reference(p);
}

/* -- creating and freeing a pool --------------------------------------------------------------------------------- */

/* Refuses new jobs, cancels the running ones, and lets idle threads end. */
static void begin_shutdown(thread_pool *p)
{
    ufp_mutex_lock(&p->mutex);
    p->closed = true;
    for (uint32_t i = 0; i < p->thread_count; i++) {
        if (p->threads[i].work) ufp_store(&p->threads[i].work->cancelled, 1);
    }
    for (pool_thread *t; (t = take_idle(p)) != NULL;) ufp_condition_signal(&t->wakeup);
    ufp_mutex_unlock(&p->mutex);
}

/* With the mutex held: true if any thread runs a job. */
static bool is_busy(const thread_pool *p)
{
    for (uint32_t i = 0; i < p->thread_count; i++) {
        if (p->threads[i].work) return true;
    }
    return false;
}

/* Waits for the running jobs, and marks the threads whose jobs have not ended by the deadline. All other threads are
 * about to end. Returns false if a thread was left behind. */
static bool wait_for_running_jobs(thread_pool *p, uf_time deadline)
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
static bool end_threads(thread_pool *p, uint32_t started, uf_time deadline)
{
    bool const all = wait_for_running_jobs(p, deadline);

    for (uint32_t i = 0; i < started; i++) {
        if (p->threads[i].left_behind) ufp_thread_detach(&p->threads[i].thread);
        else ufp_thread_join(&p->threads[i].thread);
    }
    return all;
}

/* Returns an errno, and then has freed `p`. */
static int start_threads(thread_pool *p, size_t stack_size)
{
    int error = ufp_mutex_init(&p->mutex);
    if (!error) {
        error = ufp_condition_init(&p->job_ended);
        if (error) ufp_mutex_destroy(&p->mutex);
    }
    if (error) {
        ufp_free(p);
        return error;
    }
    uint32_t conditions = 0, threads = 0;
    while (!error && conditions < p->thread_count) {
        error = ufp_condition_init(&p->threads[conditions].wakeup);
        conditions += !error;
    }
    while (!error && threads < p->thread_count) {
        ufp_thread_options const options = {.stack_size = stack_size};
        error = ufp_thread_start(&p->threads[threads].thread, options, pool_thread_main, &p->threads[threads]);
        threads += !error;
    }
    if (!error) return 0;
    begin_shutdown(p);
    (void)end_threads(p, threads, UF_FOREVER);
    destroy(p, conditions);
    return error;
}

static const uf_pool_kind threads_kind = {
    .open = open_for_pump,
    .close = close_for_pump,
    .take = take_record,
    .run = submit_job,
    .withdraw = withdraw_job,
    .put = put_record,
    .leave = orphan_job,
    .after = flush_pump,
};

uf_status uf_pool_new(uf_pool **pool, const uf_pool_config *config)
{
    uf_pool_config const given = config ? *config : (uf_pool_config){0};
    uint32_t const workers = given.workers ? given.workers : 4;
    uint32_t const queue = given.queue ? given.queue : 1024;

    if (!pool) return UF_INVALID;
    *pool = NULL;
    if (workers > UINT16_MAX || queue > UINT32_MAX / 2) return UF_INVALID;

    size_t const front = sizeof(thread_pool) + workers * sizeof(pool_thread) + CACHE_LINE - 1;
    size_t const count = (size_t)workers + queue;
    if (count > (SIZE_MAX - front) / sizeof(record)) return UF_NO_MEMORY;
    thread_pool *const p = ufp_allocate(front + count * sizeof(record));
    if (!p) return UF_NO_MEMORY;
    p->pool.kind = &threads_kind;
    p->references = 1;
    p->thread_count = workers;
    p->record_count = (uint32_t)count;
    p->records = (record *)(((uintptr_t)p + front) / CACHE_LINE * CACHE_LINE);
    ufp_note_shared(&p->references, offsetof(thread_pool, mutex) - offsetof(thread_pool, references));
    ufi_list_init(&p->queue);
    ufh_copy_name(p->name, given.name ? given.name : "uflow-pool");
    for (uint32_t i = 0; i < workers; i++) p->threads[i].pool = p;

    int const error = start_threads(p, given.stack_size);
    if (error) return ufh_system_error(error);
    *pool = &p->pool;
    return UF_OK;
}

uf_status uf_pool_free(uf_pool *pool, uf_time grace)
{
    if (!pool || pool->kind != &threads_kind) return UF_INVALID;
    uf_work const *const own = *ufp_thread_slot();
    if (own && own->pool == pool) return UF_DEADLOCK;

    thread_pool *const p = thread_pool_of(pool);
    uf_time const deadline = ufh_deadline(grace);
    begin_shutdown(p);
    drop_queued(p);
    bool const all = end_threads(p, p->thread_count, deadline);
    drop_reference(p);
    return all ? UF_OK : UF_TIMED_OUT;
}
