/* pool.c - a pool of threads: a queue with an end, records that are all there from the beginning, and a last day.
 *
 * Its owner, each pump that was given it, and each thread that was left behind hold on to it; the last one to let go frees it.
 * So pumps and the pool may go in any order. A record is either free, or with its pump, or in the queue, or with a thread, or it
 * was sent to its pump. Whatever becomes of it is done under the mutex, which is never held while user code runs: a thread takes it
 * once a job, to send one back and to fetch the next.
 *
 * Where several jobs have ended in a round, others are likely to be submitted in it: those stay with the pump until the last of the
 * records has found its next job, or the round ends, and come into the queue together. Otherwise the pump would take the mutex for
 * each, and rouse a thread that finds one job and sleeps again.
 *
 * Why no pump is touched that is gone: its jobs are sent back under the mutex, and none that it has left. It takes
 * the mutex once more when all that were on their way are there; and who has to wake it has come inside by then. */
#include "host.h"

#include "work.h"

/* Records begin where a line of the cache does, so that a job touches as few of those as it can. */
#define CACHE_LINE 64u

typedef struct record {
    _Alignas(CACHE_LINE) uf_work work;
} record;

typedef struct crew crew;

typedef struct member {
    crew *crew;
    ufp_thread thread;
    ufp_condition wakeup; /* its own, so that there is never more than one who waits at a condition */
    struct member *next_idle;
    bool asleep;
    uf_work *work; /* that it is at; NULL */
    bool left_behind;
} member;

struct crew {
    uf_pool pool; /* first */
    char name[16];
    /* Words. */
    uint32_t holders;
    uint32_t pumps; /* that were given it */

    /* Under the mutex. */
    ufp_mutex mutex;
    uf_link queue; /* of jobs */
    bool closed;
    uf_work *free;   /* linked by place.next */
    uint32_t unused; /* records from this one on have never been used */
    uint32_t count;
    member *idle;
    ufp_condition quiet;
    record *records;
    uint32_t size;
    member members[];
};

static crew *crew_of(const uf_pool *pool)
{
    return (crew *)(uintptr_t)pool;
}

static uf_work *work_at(uf_link *place)
{
    return (uf_work *)(void *)place;
}

/* -- life --------------------------------------------------------------------------------------------------------- */

static void destroy(crew *c, uint32_t conditions)
{
    while (conditions > 0) ufp_condition_destroy(&c->members[--conditions].wakeup);
    ufp_condition_destroy(&c->quiet);
    ufp_mutex_destroy(&c->mutex);
    ufp_free(c);
}

static void let_go(crew *c)
{
    if (ufp_add_fetch_seq_cst(&c->holders, UINT32_MAX) == 0) destroy(c, c->size);
}

static void open(uf_pool *pool, uf_pump *pump)
{
    (void)pump;
    ufp_add_fetch_seq_cst(&crew_of(pool)->holders, 1);
    ufp_add_fetch_seq_cst(&crew_of(pool)->pumps, 1);
}

static void close(uf_pool *pool, uf_pump *pump)
{
    crew *const c = crew_of(pool);
    (void)pump;

    ufp_mutex_lock(&c->mutex); /* who has sent the last one back is not there any more */
    ufp_mutex_unlock(&c->mutex);
    ufp_add_fetch_seq_cst(&c->pumps, UINT32_MAX);
    let_go(c);
}

/* -- records ---------------------------------------------------------------------------------------------------------- */

static uf_work *take(uf_pool *pool)
{
    crew *const c = crew_of(pool);

    ufp_mutex_lock(&c->mutex);
    uf_work *work = c->closed ? NULL : c->free;
    if (work) c->free = work->place.next ? work_at(work->place.next) : NULL;
    else if (!c->closed && c->unused < c->count) work = &c->records[c->unused++].work;
    ufp_mutex_unlock(&c->mutex);
    if (work) ufp_note_shared(&work->progress, sizeof work->progress + sizeof work->cancelled);
    return work;
}

/* Under the mutex. */
static void release(crew *c, uf_work *work)
{
    work->place.next = c->free ? &c->free->place : NULL;
    c->free = work;
}

UF_NOINLINE static void put_back(crew *c, uf_work *work)
{
    ufp_mutex_lock(&c->mutex);
    release(c, work);
    ufp_mutex_unlock(&c->mutex);
}

/* On the pump's thread. In a round the next submit may take it at once, if no other pump could want it. */
static void put(uf_pool *pool, uf_work *work)
{
    uf_pump *const pump = work->pump;

    if (!pump->in_round || ufp_load(&crew_of(pool)->pumps) != 1) {
        put_back(crew_of(pool), work);
        return;
    }
    work->place.next = pump->spare;
    pump->spare = &work->place;
}

/* -- the queue ---------------------------------------------------------------------------------------------------------- */

/* Under the mutex: what its pump has kept comes behind what is in the queue. Returns the place of the first of it. */
static uf_link *queue_up(crew *c, uf_link *kept)
{
    uf_link *const first = kept->next, *const last = kept->prev;

    if (ufi_list_empty(kept)) return &c->queue;
    first->prev = c->queue.prev;
    first->prev->next = first;
    last->next = &c->queue;
    c->queue.prev = last;
    ufi_list_init(kept);
    return first;
}

/* Under the mutex: the first job, which is not in the queue any more; NULL: there is none. */
static uf_work *next(crew *c)
{
    if (ufi_list_empty(&c->queue)) return NULL;
    uf_link *const first = c->queue.next;
    ufi_list_remove(first);
    ufi_list_init(first);
    return work_at(first);
}

static bool withdraw(uf_pool *pool, uf_work *work)
{
    crew *const c = crew_of(pool);

    ufp_mutex_lock(&c->mutex);
    bool const waits = !ufi_list_empty(&work->place);
    if (waits) ufi_list_remove(&work->place);
    ufp_mutex_unlock(&c->mutex);
    return waits;
}

/* Under the mutex: a job is over. A pump that has to be woken for that, and will not be freed before; NULL: there is none. */
static uf_pump *send_back(crew *c, uf_work *work)
{
    uf_pump *const pump = work->pump;

    if (work->progress == UFI_WORK_ORPHANED) {
        release(c, work);
        return NULL;
    }
    work->progress = UFI_WORK_OVER;
    ufi_inbox_push(pump, &work->message);
    bool const sleeps = pump->host ? pump->host->asleep(pump) : pump->config.wake != NULL;
    if (!sleeps) return NULL;
    ufi_pump_pin(pump);
    return pump;
}

static void wake(uf_pump *pump)
{
    if (!pump) return;
    if (pump->host) pump->host->wake(pump);
    else ufi_wake_driver(pump);
    ufi_pump_unpin(pump);
}

static bool leave(uf_pool *pool, uf_work *work)
{
    crew *const c = crew_of(pool);

    ufp_mutex_lock(&c->mutex);
    bool const left = work->progress == UFI_WORK_IN_POOL;
    if (left) work->progress = UFI_WORK_ORPHANED;
    ufp_mutex_unlock(&c->mutex);
    return left;
}

/* The pool has ended: nobody runs what has come in. */
static void drop_all(crew *c)
{
    for (;;) {
        ufp_mutex_lock(&c->mutex);
        uf_work *const work = next(c);
        if (work) work->dropped = true;
        uf_pump *const pump = work ? send_back(c, work) : NULL;
        ufp_mutex_unlock(&c->mutex);
        if (!work) return;
        wake(pump);
    }
}

/* Under the mutex: one that sleeps, which is to be roused; NULL: none does. */
static member *first_asleep(crew *c)
{
    member *const m = c->idle;

    if (!m) return NULL;
    c->idle = m->next_idle;
    m->asleep = false;
    return m;
}

/* Under the mutex, which it unlocks: a thread for each job from this place on, as far as there are any. */
static void rouse_and_unlock(crew *c, const uf_link *place)
{
    member *last = NULL;

    for (; place != &c->queue && c->idle; place = place->next) {
        if (last) ufp_condition_signal(&last->wakeup);
        last = first_asleep(c);
    }
    if (last) ufp_condition_signal_and_unlock(&last->wakeup, &c->mutex);
    else ufp_mutex_unlock(&c->mutex);
}

static void after(uf_pool *pool, uf_pump *pump)
{
    crew *const c = crew_of(pool);

    ufp_mutex_lock(&c->mutex);
    for (uf_link *link = pump->spare, *next; link; link = next) {
        next = link->next;
        release(c, work_at(link));
    }
    pump->spare = NULL;
    uf_link const *const first = queue_up(c, &pump->submitted);
    bool const closed = c->closed;
    rouse_and_unlock(c, first);
    if (closed) drop_all(c);
}

/* What took long is of interest to those who have set a limit. */
static bool has_limit(const uf_work *work)
{
    return work->timeout != UF_FOREVER || work->pump->config.slow_job;
}

static void run(uf_pool *pool, uf_work *work)
{
    uf_pump *const pump = work->pump;

    work->measured = has_limit(work);
    if (work->measured) work->begins = ufp_monotonic_now();
    ufi_list_insert(&pump->submitted, &work->place);
    if (!pump->spare) after(pool, pump);
}

/* -- threads ------------------------------------------------------------------------------------------------------------ */

/* Under the mutex. */
static void nap(crew *c, member *m)
{
    m->asleep = true;
    m->next_idle = c->idle;
    c->idle = m;
    while (m->asleep) (void)ufp_condition_wait(&m->wakeup, &c->mutex, UF_FOREVER);
}

static void run_and_measure(uf_work *work, void **slot)
{
    ufi_run_work(work, slot);
    if (work->measured) work->took = ufp_monotonic_now() - work->begins;
}

static void work_on(crew *c, member *m)
{
    void **const slot = ufp_thread_slot();

    while (!c->closed) {
        uf_work *const work = next(c);
        if (!work) {
            nap(c, m);
            continue;
        }
        m->work = work;
        ufp_mutex_unlock(&c->mutex);
        run_and_measure(work, slot);
        ufp_mutex_lock(&c->mutex);
        m->work = NULL;
        if (c->closed) ufp_condition_signal(&c->quiet);
        uf_pump *const pump = send_back(c, work);
        if (!pump) continue;
        ufp_mutex_unlock(&c->mutex); /* so that it does not find it locked */
        wake(pump);
        ufp_mutex_lock(&c->mutex);
    }
}

static void run_thread(void *argument)
{
    member *const m = argument;
    crew *const c = m->crew;

    ufp_thread_name(c->name);
    ufp_mutex_lock(&c->mutex);
    work_on(c, m);
    bool const left_behind = m->left_behind;
    ufp_mutex_unlock(&c->mutex);
    if (left_behind) let_go(c);
}

/* -- beginning and end -------------------------------------------------------------------------------------------------- */

/* Nothing new comes in, who is at something is told, and who sleeps is sent home. */
static void close_down(crew *c)
{
    ufp_mutex_lock(&c->mutex);
    c->closed = true;
    for (uint32_t i = 0; i < c->size; i++) {
        if (c->members[i].work) ufp_store(&c->members[i].work->cancelled, 1);
    }
    for (member *m; (m = first_asleep(c)) != NULL;) ufp_condition_signal(&m->wakeup);
    ufp_mutex_unlock(&c->mutex);
}

/* Under the mutex: is any thread at something? */
static bool busy(const crew *c)
{
    for (uint32_t i = 0; i < c->size; i++) {
        if (c->members[i].work) return true;
    }
    return false;
}

/* Those that are not at anything by then are about to end. */
static bool wait_until_quiet(crew *c, uf_time deadline)
{
    ufp_mutex_lock(&c->mutex);
    while (busy(c) && ufp_condition_wait(&c->quiet, &c->mutex, deadline)) {}
    bool const all = !busy(c);
    for (uint32_t i = 0; i < c->size; i++) {
        if (!c->members[i].work) continue;
        c->members[i].left_behind = true;
        ufp_add_fetch_seq_cst(&c->holders, 1);
    }
    ufp_mutex_unlock(&c->mutex);
    return all;
}

/* The first `started` of them. */
static bool end_threads(crew *c, uint32_t started, uf_time deadline)
{
    bool const all = wait_until_quiet(c, deadline);

    for (uint32_t i = 0; i < started; i++) {
        if (c->members[i].left_behind) ufp_thread_detach(&c->members[i].thread);
        else ufp_thread_join(&c->members[i].thread);
    }
    return all;
}

/* An errno; then nothing of it is left, nor `c`. */
static int begin(crew *c, size_t stack_size)
{
    int error = ufp_mutex_init(&c->mutex);
    if (error) {
        ufp_free(c);
        return error;
    }
    error = ufp_condition_init(&c->quiet);
    if (error) {
        ufp_mutex_destroy(&c->mutex);
        ufp_free(c);
        return error;
    }
    uint32_t conditions = 0, threads = 0;
    while (!error && conditions < c->size) {
        error = ufp_condition_init(&c->members[conditions].wakeup);
        conditions += !error;
    }
    while (!error && threads < c->size) {
        error = ufp_thread_start(&c->members[threads].thread, stack_size, run_thread, &c->members[threads]);
        threads += !error;
    }
    if (!error) return 0;
    close_down(c);
    (void)end_threads(c, threads, UF_FOREVER);
    destroy(c, conditions);
    return error;
}

static void copy_name(char to[16], const char *from)
{
    size_t length = 0;
    for (; from[length] && length < 15; length++) to[length] = from[length];
    to[length] = '\0';
}

static const uf_pool_kind crew_kind = {
    .open = open,
    .close = close,
    .take = take,
    .run = run,
    .withdraw = withdraw,
    .put = put,
    .leave = leave,
    .after = after,
};

uf_status uf_pool_new(uf_pool **pool, const uf_pool_config *config)
{
    uf_pool_config const given = config ? *config : (uf_pool_config){0};
    uint32_t const workers = given.workers ? given.workers : 4;
    uint32_t const queue = given.queue ? given.queue : 1024;

    if (!pool) return UF_INVALID;
    *pool = NULL;
    if (workers > UINT16_MAX || queue > UINT32_MAX / 2) return UF_INVALID;

    size_t const front = sizeof(crew) + workers * sizeof(member) + CACHE_LINE - 1;
    size_t const count = (size_t)workers + queue;
    if (count > (SIZE_MAX - front) / sizeof(record)) return UF_NO_MEMORY;
    crew *const c = ufp_allocate(front + count * sizeof(record));
    if (!c) return UF_NO_MEMORY;
    c->pool.kind = &crew_kind;
    c->holders = 1;
    c->size = workers;
    c->count = (uint32_t)count;
    c->records = (record *)(((uintptr_t)c + front) / CACHE_LINE * CACHE_LINE);
    ufp_note_shared(&c->holders, offsetof(crew, mutex) - offsetof(crew, holders));
    ufi_list_init(&c->queue);
    copy_name(c->name, given.name ? given.name : "uflow-pool");
    for (uint32_t i = 0; i < workers; i++) c->members[i].crew = c;

    int const error = begin(c, given.stack_size);
    if (error) {
        ufp_set_error(error);
        return UF_NO_THREAD;
    }
    *pool = &c->pool;
    return UF_OK;
}

uf_status uf_pool_free(uf_pool *pool, uf_time grace)
{
    if (!pool || pool->kind != &crew_kind) return UF_INVALID;
    uf_work const *const own = *ufp_thread_slot();
    if (own && own->pool == pool) return UF_DEADLOCK;

    crew *const c = crew_of(pool);
    uf_time const deadline = ufh_deadline(grace);
    close_down(c);
    drop_all(c);
    bool const all = end_threads(c, c->size, deadline);
    let_go(c);
    return all ? UF_OK : UF_TIMED_OUT;
}

/* -- of a runtime ----------------------------------------------------------------------------------------------------- */

const char *ufh_make_pool(uf_pump *pump)
{
    uf_runtime *const runtime = ufh_of(pump);
    uf_pool_config const config = {.name = runtime->name, .workers = runtime->config.workers};
    uf_pool *pool;

    uf_status const status = uf_pool_new(&pool, &config);
    if (status == UF_NO_MEMORY) return UFI_REJECTED_AS "no memory"; /* and the next submit tries again */
    if (status == UF_NO_THREAD) return UFI_REJECTED_AS "no thread";
    if (status != UF_OK) return UFI_REJECTED_AS "invalid";
    ufp_store_pointer_seq_cst(&runtime->own_pool, pool);
    ufi_open_pool(pump, pool);
    return NULL;
}

void ufh_free_own_pool(uf_runtime *runtime, uf_time grace)
{
    if (runtime->own_pool) (void)uf_pool_free(runtime->own_pool, grace);
    ufp_store_pointer_seq_cst(&runtime->own_pool, NULL);
}

bool ufh_in_own_pool(uf_runtime *runtime)
{
    uf_work const *const work = *ufp_thread_slot();
    return work && work->pool == ufp_load_pointer_seq_cst(&runtime->own_pool);
}

bool ufh_in_worker_of(const uf_runtime *runtime)
{
    uf_work const *const work = *ufp_thread_slot();
    return work && work->pump == &runtime->pump;
}
