/* pool.c - a pool of threads: a queue with an end, records that are all there from the beginning, and a last day.
 *
 * Its owner, each pump that was given it, and each thread that was left behind hold on to it; the last one to let go frees it.
 * So pumps and the pool may go in any order. A record is either free, or in the queue, or with a thread, or it was sent to
 * its pump; who puts it on the queue or takes it off holds the mutex, which is never held while user code runs. */
#include "host.h"

#include "work.h"

typedef struct crew crew;

typedef struct member {
    crew *crew;
    ufp_thread thread;
    ufp_condition wakeup; /* its own, so that there is never more than one who waits at a condition */
    struct member *next_idle;
    bool asleep;
    uf_work *work; /* that it is at */
    bool left_behind;
} member;

struct crew {
    uf_pool pool; /* first */
    char name[16];
    uint32_t holders; /* a word */

    /* Under the mutex. */
    ufp_mutex mutex;
    uf_link queue;
    uf_work *free;   /* linked by place.next */
    uint32_t unused; /* records from this one on have never been used */
    uint32_t count;
    member *idle;
    bool closed;
    uint32_t busy; /* threads that are at something */
    ufp_condition quiet;
    uf_work *works;
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
    if (ufp_add(&c->holders, UINT32_MAX) == 0) destroy(c, c->size);
}

static void open(uf_pool *pool, uf_pump *pump)
{
    (void)pump;
    ufp_add(&crew_of(pool)->holders, 1);
}

static void close(uf_pool *pool, uf_pump *pump)
{
    (void)pump;
    let_go(crew_of(pool));
}

/* -- records ---------------------------------------------------------------------------------------------------------- */

static uf_work *take(uf_pool *pool)
{
    crew *const c = crew_of(pool);

    ufp_lock(&c->mutex);
    uf_work *work = c->closed ? NULL : c->free;
    if (work) c->free = work->place.next ? work_at(work->place.next) : NULL;
    else if (!c->closed && c->unused < c->count) work = &c->works[c->unused++];
    ufp_unlock(&c->mutex);
    if (!work) return NULL;
    ufi_list_init(&work->place); /* not in the queue, and perhaps never in it */
    ufp_note_shared(&work->progress, sizeof work->progress + sizeof work->cancelled);
    return work;
}

static void put(uf_pool *pool, uf_work *work)
{
    crew *const c = crew_of(pool);

    ufp_lock(&c->mutex);
    work->place.next = c->free ? &c->free->place : NULL;
    c->free = work;
    ufp_unlock(&c->mutex);
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

static void drop(uf_work *work)
{
    work->dropped = true;
    uf_work_over(work, 0);
}

static void run(uf_pool *pool, uf_work *work)
{
    crew *const c = crew_of(pool);

    work->begins = ufp_now();
    ufp_lock(&c->mutex);
    bool const closed = c->closed; /* since the record was taken */
    if (!closed) ufi_list_insert(&c->queue, &work->place);
    member *const m = closed ? NULL : first_asleep(c);
    if (m) ufp_signal_and_unlock(&m->wakeup, &c->mutex);
    else ufp_unlock(&c->mutex);
    if (closed) drop(work);
}

static bool withdraw(uf_pool *pool, uf_work *work)
{
    crew *const c = crew_of(pool);

    ufp_lock(&c->mutex);
    bool const waits = !ufi_list_empty(&work->place);
    if (waits) ufi_list_remove(&work->place);
    ufp_unlock(&c->mutex);
    return waits;
}

/* Under the mutex: the first in the queue, or NULL. */
static uf_work *next(crew *c)
{
    if (ufi_list_empty(&c->queue)) return NULL;
    uf_link *const first = c->queue.next;
    ufi_list_remove(first);
    ufi_list_init(first);
    return work_at(first);
}

/* -- threads ------------------------------------------------------------------------------------------------------------ */

/* Under the mutex. */
static void nap(crew *c, member *m)
{
    m->asleep = true;
    m->next_idle = c->idle;
    c->idle = m;
    while (m->asleep) (void)ufp_wait(&m->wakeup, &c->mutex, UF_FOREVER);
}

static void work_on(crew *c, member *m)
{
    for (;;) {
        while (!c->closed && ufi_list_empty(&c->queue)) nap(c, m);
        uf_work *const work = c->closed ? NULL : next(c);
        if (!work) return;
        m->work = work;
        c->busy++;
        ufp_unlock(&c->mutex);
        uf_work_run(work);
        uf_work_over(work, ufp_now() - work->begins);
        ufp_lock(&c->mutex);
        m->work = NULL; /* it may be another job's by now; who finds it here meanwhile tells that to end, as all */
        if (--c->busy == 0 && c->closed) ufp_signal(&c->quiet);
    }
}

static void run_thread(void *argument)
{
    member *const m = argument;
    crew *const c = m->crew;

    ufp_thread_name(c->name);
    ufp_lock(&c->mutex);
    work_on(c, m);
    bool const left_behind = m->left_behind;
    ufp_unlock(&c->mutex);
    if (left_behind) let_go(c);
}

/* -- beginning and end -------------------------------------------------------------------------------------------------- */

/* Nothing new comes in, who is at something is told, and who sleeps is sent home. */
static void close_down(crew *c)
{
    ufp_lock(&c->mutex);
    c->closed = true;
    for (uint32_t i = 0; i < c->size; i++) {
        if (c->members[i].work) ufp_store(&c->members[i].work->cancelled, 1);
    }
    for (member *m; (m = first_asleep(c)) != NULL;) ufp_signal(&m->wakeup);
    ufp_unlock(&c->mutex);
}

/* The first in the queue is not in it any more; NULL: it is empty. */
static uf_work *take_off(crew *c)
{
    ufp_lock(&c->mutex);
    uf_work *const first = next(c);
    ufp_unlock(&c->mutex);
    return first;
}

/* Those that are not at anything by then are about to end. */
static bool wait_until_quiet(crew *c, uf_time deadline)
{
    ufp_lock(&c->mutex);
    while (c->busy > 0 && ufp_wait(&c->quiet, &c->mutex, deadline)) {}
    bool const all = c->busy == 0;
    for (uint32_t i = 0; i < c->size; i++) {
        if (!c->members[i].work) continue;
        c->members[i].left_behind = true;
        ufp_add(&c->holders, 1);
    }
    ufp_unlock(&c->mutex);
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
};

uf_status uf_pool_new(uf_pool **pool, const uf_pool_config *config)
{
    uf_pool_config const given = config ? *config : (uf_pool_config){0};
    uint32_t const workers = given.workers ? given.workers : 4;
    uint32_t const queue = given.queue ? given.queue : 1024;

    if (!pool) return UF_INVALID;
    *pool = NULL;
    if (workers > UINT16_MAX || queue > UINT32_MAX / 2) return UF_INVALID;

    size_t const front = sizeof(crew) + workers * sizeof(member);
    size_t const at = (front + _Alignof(uf_work) - 1) / _Alignof(uf_work) * _Alignof(uf_work);
    size_t const count = (size_t)workers + queue;
    if (count > (SIZE_MAX - at) / sizeof(uf_work)) return UF_NO_MEMORY;
    crew *const c = ufp_allocate(at + count * sizeof(uf_work));
    if (!c) return UF_NO_MEMORY;
    c->pool.kind = &crew_kind;
    c->holders = 1;
    c->size = workers;
    c->count = (uint32_t)count;
    c->works = (uf_work *)(void *)((unsigned char *)c + at);
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
    uf_work const *const own = *ufp_slot();
    if (own && own->pool == pool) return UF_DEADLOCK;

    crew *const c = crew_of(pool);
    uf_time const deadline = ufh_deadline(grace);
    close_down(c);
    for (uf_work *work; (work = take_off(c)) != NULL;) drop(work);
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
    ufp_store_pointer(&runtime->own_pool, pool);
    ufi_open_pool(pump, pool);
    return NULL;
}

void ufh_free_own_pool(uf_runtime *runtime, uf_time grace)
{
    if (runtime->own_pool) (void)uf_pool_free(runtime->own_pool, grace);
    ufp_store_pointer(&runtime->own_pool, NULL);
}

bool ufh_in_own_pool(uf_runtime *runtime)
{
    uf_work const *const work = *ufp_slot();
    return work && work->pool == ufp_load_pointer_total(&runtime->own_pool);
}

bool ufh_in_worker_of(const uf_runtime *runtime)
{
    uf_work const *const work = *ufp_slot();
    return work && work->pump == &runtime->pump;
}
