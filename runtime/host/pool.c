/* SPDX-License-Identifier: MIT */
/* pool.c - a pool of threads with a bounded queue: submitting and running jobs. pool_life.c creates and frees it.
 *
 * A record is in one of six places: the free list, its pump, the queue, the jobs that a limit holds back, a pool
 * thread, or its pump's inbox. Each move happens under the mutex, which is never held while user code runs. A thread
 * takes the mutex once per job, to return one record and to fetch the next.
 *
 * Jobs that a round submits are collected by the pump while it still has spare records of jobs that have ended in
 * that round. They enter the queue together, when the last spare record is used or the round ends. Otherwise the pump
 * would take the mutex for each job, and wake a thread that finds one job and sleeps again.
 *
 * A thread without a job first spins, then sleeps; see spin.c. No more threads are woken at a time than there are
 * CPUs: a thread that was woken and takes a job wakes the next ones. So a burst of short jobs does not wake threads
 * that find the queue empty. No job is forgotten. If there are a job and an idle thread, then a thread is being woken
 * (`woken` > 0). Each change that leaves a job in the queue wakes one. Go's scheduler has such a rule; it
 * wakes one thread at a time.
 *
 * A pump is never touched after it was freed. A thread enqueues a record in the pump's inbox under the mutex, unless
 * the pump has left that record to the pool. The pump takes the mutex once more after its last record has arrived. A
 * thread that has to wake the pump has pinned it by then. */
#include "thread_pool.h"

static uf_work *work_at(uf_link *place)
{
    return (uf_work *)(void *)place;
}

/* -- pumps ------------------------------------------------------------------------------------------------------- */

static void open_for_pump(uf_pool *pool, uf_pump *pump)
{
    (void)pump;
    ufp_add_fetch_seq_cst(&ufh_thread_pool_of(pool)->references, 1);
    ufp_add_fetch_seq_cst(&ufh_thread_pool_of(pool)->pumps, 1);
}

static void close_for_pump(uf_pool *pool, uf_pump *pump)
{
    ufh_thread_pool *const p = ufh_thread_pool_of(pool);
    (void)pump;

    ufp_mutex_lock(&p->mutex); /* waits for the thread that has returned the pump's last record */
    ufp_mutex_unlock(&p->mutex);
    ufp_add_fetch_seq_cst(&p->pumps, UINT32_MAX);
    ufh_drop_pool_reference(p);
}

/* -- records ----------------------------------------------------------------------------------------------------- */

static uf_work *take_record(uf_pool *pool)
{
    ufh_thread_pool *const p = ufh_thread_pool_of(pool);

    ufp_mutex_lock(&p->mutex);
    uf_work *work = p->closed ? NULL : p->free;
    if (work) p->free = work->place.next ? work_at(work->place.next) : NULL;
    else if (!p->closed && p->unused < p->record_count) work = &p->records[p->unused++].work;
    if (work) ufp_store(&p->available, p->available - 1);
    ufp_mutex_unlock(&p->mutex);
    if (work) ufp_note_shared(&work->progress, sizeof work->progress + sizeof work->cancelled);
    if (work) ufp_note_shared(&work->begun, sizeof work->begun);
    return work;
}

/* With the mutex held. */
static void free_record(ufh_thread_pool *p, uf_work *work)
{
    work->place.next = p->free ? &p->free->place : NULL;
    p->free = work;
    ufp_store(&p->available, p->available + 1);
}

UF_NOINLINE static void lock_and_free_record(ufh_thread_pool *p, uf_work *work)
{
    ufp_mutex_lock(&p->mutex);
    free_record(p, work);
    ufp_mutex_unlock(&p->mutex);
}

/* In a round, a pump keeps records for its next submits. If pumps share a pool, they do so while half of all records
 * are available, so that no round takes all of them. */
static bool may_keep_records(const ufh_thread_pool *p)
{
    return ufp_load(&p->pumps) == 1 || ufp_load(&p->available) >= p->record_count / 2;
}

/* On the pump's thread. */
static void put_record(uf_pool *pool, uf_work *work)
{
    uf_pump *const pump = work->pump;

    if (!pump->in_round || !may_keep_records(ufh_thread_pool_of(pool))) {
        lock_and_free_record(ufh_thread_pool_of(pool), work);
        return;
    }
    work->place.next = pump->spare;
    pump->spare = &work->place;
}

/* -- the queue --------------------------------------------------------------------------------------------------- */

/* With the mutex held: appends a pump's collected jobs to the queue. Returns the first of them, or the end of the
 * queue. */
static uf_link *enqueue_jobs(ufh_thread_pool *p, uf_link *submitted)
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
static uf_work *dequeue_job(uf_link *queue)
{
    if (ufi_list_empty(queue)) return NULL;
    uf_link *const first = queue->next;
    ufi_list_remove(first);
    ufi_list_init(first);
    return work_at(first);
}

static bool withdraw_job(uf_pool *pool, uf_work *work)
{
    ufh_thread_pool *const p = ufh_thread_pool_of(pool);

    ufp_mutex_lock(&p->mutex);
    bool const queued = !ufi_list_empty(&work->place);
    if (queued) ufi_list_remove(&work->place);
    ufp_mutex_unlock(&p->mutex);
    return queued;
}

/* With the mutex held, which it releases while user code runs: the pump has left the record to the pool. */
static void free_orphan(ufh_thread_pool *p, uf_work *work)
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
static uf_pump *return_record(ufh_thread_pool *p, uf_work *work)
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
    ufh_thread_pool *const p = ufh_thread_pool_of(pool);

    ufp_mutex_lock(&p->mutex);
    bool const orphaned = work->progress == UFI_WORK_IN_POOL;
    if (orphaned) work->progress = UFI_WORK_ORPHANED;
    ufp_mutex_unlock(&p->mutex);
    return orphaned;
}

void ufh_drop_queued(ufh_thread_pool *p)
{
    for (;;) {
        ufp_mutex_lock(&p->mutex);
        uf_work *const work = dequeue_job(&p->queue);
        if (work) work->dropped = true;
        uf_pump *const pump = work ? return_record(p, work) : NULL;
        ufp_mutex_unlock(&p->mutex);
        if (!work) return;
        wake_pump(pump);
    }
}

/* -- limits of worker functions ----------------------------------------------------------------------------------- */

static ufh_limited *limited_at(uf_link *place)
{
    return (ufh_limited *)(void *)place;
}

/* Finds the state of a worker function, or takes an unused one. */
static ufh_limited *limited_of(ufh_thread_pool *p, const uf_worker *worker)
{
    for (uf_link *link = p->limited.next; link != &p->limited; link = link->next) {
        if (limited_at(link)->worker == worker) return limited_at(link);
    }
    ufh_limited *const limited = limited_at(p->unused_limited.next);
    ufi_list_remove(&limited->place);
    ufi_list_insert(&p->limited, &limited->place);
    limited->worker = worker;
    return limited;
}

/* With the mutex held: a job with a limit begins on this thread, or is held until a run of its function has ended.
 * Returns: false if it is held. */
static bool begin_limited(ufh_thread_pool *p, ufh_pool_thread *t, uf_work *work)
{
    ufh_limited *const limited = limited_of(p, work->worker);
    bool const begins = limited->runs < work->worker->limit;

    if (!begins) {
        ufi_list_insert(&limited->held, &work->place);
    } else {
        limited->runs++;
        t->limited = limited;
    }
    return begins;
}

/* With the mutex held: a run on this thread has ended. Returns a job that was held, which takes its place, or NULL. */
static uf_work *end_limited(ufh_thread_pool *p, ufh_pool_thread *t)
{
    ufh_limited *const limited = t->limited;
    uf_work *const next = dequeue_job(&limited->held);

    if (next) return next;
    t->limited = NULL;
    if (--limited->runs == 0) {
        ufi_list_remove(&limited->place);
        ufi_list_insert(&p->unused_limited, &limited->place);
    }
    return NULL;
}

/* With the mutex held: the next job for this thread; NULL: none may begin. Held jobs are older than queued ones. */
static uf_work *next_job(ufh_thread_pool *p, ufh_pool_thread *t)
{
    uf_work *work = t->limited ? end_limited(p, t) : NULL;

    if (work) return work;
    do work = dequeue_job(&p->queue);
    while (work && work->worker->limit && !begin_limited(p, t, work));
    return work;
}

void ufh_queue_held(ufh_thread_pool *p)
{
    for (uf_link *link = p->limited.next; link != &p->limited; link = link->next) {
        for (uf_work *work; (work = dequeue_job(&limited_at(link)->held)) != NULL;)
            ufi_list_insert(&p->queue, &work->place);
    }
}

/* -- waking threads ------------------------------------------------------------------------------------------------ */

/* With the mutex held: removes the thread that was idle last from the list, which is not empty. */
static ufh_pool_thread *take_idle(ufh_thread_pool *p)
{
    ufh_pool_thread *const t = p->idle;

    p->idle = t->next_idle;
    p->woken++;
    ufp_store(&t->idle, 0);
    return t;
}

bool ufh_wake_idle(ufh_thread_pool *p)
{
    if (!p->idle) return false;
    ufh_pool_thread *const t = take_idle(p);
    if (t->asleep) ufp_condition_signal(&t->wakeup);
    return true;
}

/* Wakes one idle thread for each job from `place` on, as far as there are idle threads and CPUs. Unlocks the mutex. */
static void wake_threads_and_unlock(ufh_thread_pool *p, const uf_link *place)
{
    ufh_pool_thread *last = NULL;

    for (; place != &p->queue && p->idle && p->woken < p->cpus; place = place->next) {
        if (last) ufp_condition_signal(&last->wakeup);
        last = take_idle(p);
        if (!last->asleep) last = NULL;
    }
    if (last) ufp_condition_signal_and_unlock(&last->wakeup, &p->mutex);
    else ufp_mutex_unlock(&p->mutex);
}

/* The pump has used its last spare record, or its round has ended. */
static void flush_pump(uf_pool *pool, uf_pump *pump)
{
    ufh_thread_pool *const p = ufh_thread_pool_of(pool);

    ufp_mutex_lock(&p->mutex);
    for (uf_link *link = pump->spare, *next; link; link = next) {
        next = link->next;
        free_record(p, work_at(link));
    }
    pump->spare = NULL;
    uf_link const *const first = enqueue_jobs(p, &pump->submitted);
    bool const closed = p->closed;
    wake_threads_and_unlock(p, first);
    if (closed) ufh_drop_queued(p);
}

static void submit_job(uf_pool *pool, uf_work *work)
{
    uf_pump *const pump = work->pump;

    /* Without a limit the duration is of no interest, and the clock is not read. */
    work->measured = work->timeout != UF_FOREVER || pump->config.slow_job;
    if (work->measured) work->begins = ufp_monotonic_now();
    ufi_list_insert(&pump->submitted, &work->place);
    if (!pump->spare) flush_pump(pool, pump);
}

/* -- threads ----------------------------------------------------------------------------------------------------- */

static bool has_been_taken(const void *thread)
{
    return !ufp_load(&((const ufh_pool_thread *)thread)->idle);
}

/* With the mutex held. Half of the CPUs are left to threads that have work. */
static void spin_while_idle(ufh_thread_pool *p, ufh_pool_thread *t)
{
    if (p->spinning >= p->cpus / 2) {
        t->spin.spins = false;
        return;
    }
    p->spinning++;
    ufp_mutex_unlock(&p->mutex);
    (void)ufh_spin_until(&t->spin, has_been_taken, t, UF_FOREVER);
    ufp_mutex_lock(&p->mutex);
    p->spinning--;
}

/* With the mutex held. */
static void wait_until_woken(ufh_thread_pool *p, ufh_pool_thread *t)
{
    ufp_store(&t->idle, 1);
    t->next_idle = p->idle;
    p->idle = t;
    if (ufh_spin_begin(&t->spin, t->jobs)) spin_while_idle(p, t);
    t->asleep = true;
    while (ufp_load(&t->idle)) (void)ufp_condition_wait(&t->wakeup, &p->mutex, UF_FOREVER);
    t->asleep = false;
    p->woken--;
    t->spin.arrived = true;
}

static void note_duration(uf_work *work)
{
    if (work->measured) work->took = ufp_monotonic_now() - work->begins;
}

/* If the worker function has cancelled its thread, its own job fails, not the next one. */
static void run_job(uf_work *work, void **slot)
{
    ufi_run_work(work, slot);
    ufp_thread_end_if_cancelled();
    note_duration(work);
}

/* With the mutex held. The thread has its job until a `drop` has returned, because the `drop` may end the thread.
 * Returns: as return_record(). */
static uf_pump *end_job(ufh_thread_pool *p, ufh_pool_thread *t)
{
    uf_pump *const pump = t->work ? return_record(p, t->work) : NULL; /* NULL: a hook `wake` has ended the thread */

    t->work = NULL;
    t->jobs++;
    if (p->closed) ufp_condition_signal(&p->job_ended);
    return pump;
}

/* With the mutex held. */
static void run_jobs(ufh_thread_pool *p, ufh_pool_thread *t)
{
    void **const slot = ufp_thread_slot();

    while (!p->closed) {
        uf_work *const work = next_job(p, t);
        if (!work) {
            wait_until_woken(p, t);
            continue;
        }
        t->work = work;
        wake_threads_and_unlock(p, p->queue.next);
        run_job(work, slot);
        ufp_mutex_lock(&p->mutex);
        uf_pump *const pump = end_job(p, t);
        if (!pump) continue;
        ufp_mutex_unlock(&p->mutex); /* so that the pump does not block on it */
        wake_pump(pump);
        ufp_mutex_lock(&p->mutex);
    }
}

void ufh_pool_thread_main(void *argument)
{
    ufh_pool_thread *const t = argument;
    ufh_thread_pool *const p = t->pool;

    ufp_thread_name(p->name);
    t->spin = ufh_make_spin(p->spin);
    ufp_mutex_lock(&p->mutex);
    run_jobs(p, t);
    bool const left_behind = t->left_behind;
    ufp_mutex_unlock(&p->mutex);
    if (left_behind) ufh_drop_pool_reference(p);
}

/* The job fails, and another thread takes the place of this one. If the system refuses a thread, this one goes on. */
void ufh_pool_thread_ended_early(void *argument)
{
    ufh_pool_thread *const t = argument;
    ufh_thread_pool *const p = t->pool;

    *ufp_thread_slot() = NULL;
    if (t->work)
        t->work->failed = UFI_THREAD_ENDED; /* so no `drop` gets the value that it has begun to release again */
    if (t->work) note_duration(t->work);
    ufp_mutex_lock(&p->mutex);
    ufp_thread own = t->thread;
    bool const closed = p->closed, replaced = !closed && ufh_start_pool_thread(t) == 0, left_behind = t->left_behind;
    uf_pump *const pump = end_job(p, t);
    ufp_mutex_unlock(&p->mutex); /* now the pool may be gone, unless this thread belongs to it */
    wake_pump(pump);
    if (replaced) ufp_thread_detach(&own);
    else if (!closed) ufh_pool_thread_main(t);
    else if (left_behind) ufh_drop_pool_reference(p);
}

const uf_pool_kind ufh_threads_kind = {
    .open = open_for_pump,
    .close = close_for_pump,
    .take = take_record,
    .run = submit_job,
    .withdraw = withdraw_job,
    .put = put_record,
    .leave = orphan_job,
    .after = flush_pump,
};
