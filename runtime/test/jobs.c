/* SPDX-License-Identifier: MIT */
/* jobs.c - the pool of a test.
 *
 * A job asks at its submit. Its other numbers are: it fails, it is rejected, as far as the test has them; and then,
 * with `late D`, it ends just before or at one of the deadlines that are pending after the round, or after D. How many
 * they are is known only then, when its flow waits. Rejected jobs and those that fail never run, the others run at
 * once; with a limit, as soon as one of those that run has ended. */
#include "jobs.h"

#include "deadlines.h"
#include "run.h"
#include "texts.h"

#include "basics/lists.h"

#include "uflow/pool.h"
#include "uflow/priv/pump.h"

#include <stdlib.h>
#include <string.h>

#define NO_QUESTION UINT32_MAX

typedef struct uft_job {
    uf_work work; /* first */
    struct uft_job *next;
    enum { RUNS, FAILS, ENDS_LATE } way;
    uint32_t place;       /* ENDS_LATE: before and at each deadline, and behind them */
    uint32_t question;    /* of this run; NO_QUESTION: it is not remembered */
    uint32_t site, count; /* of its question */
    bool is_new;          /* since the last round */
} uft_job;

static struct {
    uf_pool pool;                /* first */
    uf_link free, running, held; /* running: by the time at which they end */
    uft_job *all;
    const uf_test *test;
    void (*before_round)(void *context);
} jobs;

static uft_job *job_at(uf_link *place)
{
    return (uft_job *)(void *)place;
}

_Static_assert(offsetof(uft_job, work.place) == 0, "the address of a link is that of its job");

/* Without a heap, a test has UF_TEST_JOBS jobs at a time. */
static uft_job *new_job(void)
{
#if defined(UF_TEST_JOBS)
    static uft_job room[UF_TEST_JOBS];
    static unsigned used;
    return used < UF_TEST_JOBS ? &room[used++] : NULL;
#else
    return calloc(1, sizeof(uft_job));
#endif
}

static uf_work *take(uf_pool *pool)
{
    uf_link *const first = jobs.free.next;

    (void)pool;
    if (first != &jobs.free) {
        ufi_list_remove(first);
        return &job_at(first)->work;
    }
    uft_job *const job = new_job();
    if (!job) return NULL;
    job->next = jobs.all;
    jobs.all = job;
    return &job->work;
}

static void put(uf_pool *pool, uf_work *work)
{
    (void)pool;
    ufi_list_insert(&jobs.free, &work->place);
}

/* -- what is chosen ------------------------------------------------------------------------------------------------ */

/* The number of the first way to be late. */
static uint32_t first_late(const uft_ways *ways)
{
    return 1u + ways->fail + ways->reject;
}

static void remember_options(const uft_disturber *disturber, const uft_job *job, uint32_t deadlines)
{
    if (job->question == NO_QUESTION || !disturber->ways.late) return;
    disturber->choices.questions[job->question].options = (uint16_t)(first_late(&disturber->ways) + 2 * deadlines + 1);
}

/* Returns: the number of the job; 0: it is not disturbed. */
static uint32_t ask(uft_disturber *disturber, uft_job *job)
{
    uft_ways const *const ways = &disturber->ways;
    uft_choices *const choices = &disturber->choices;
    bool const is_quiet = uf_pump_now(disturber->pump) > disturber->loud_until;
    uint32_t const options = is_quiet ? 1 : first_late(ways) + (ways->late ? 2 * TEST_DEADLINES + 1 : 0);
    uint32_t const known = choices->question_count;

    job->site = uft_find_site(disturber->sites, job->work.worker->name);
    if (job->site == TEST_SITES) {
        choices->is_full = true;
        return 0;
    }
    uint32_t const number = uft_ask(choices, job->site, options, true);
    job->count = choices->asked[job->site];
    if (choices->question_count > known) job->question = known;
    remember_options(disturber, job, 0);
    return number;
}

static void tell(const uft_disturber *disturber, const uft_job *job, const char *what)
{
    uft_tell(disturber, "job %u of %s %s", (unsigned)job->count, job->work.worker->name, what);
}

/* Chooses what becomes of a job that is submitted. Returns: false: it is rejected. */
static bool choose(uft_job *job)
{
    uft_disturber *const disturber = uft_disturber_now();

    job->way = RUNS;
    job->question = NO_QUESTION;
    uint32_t const number = disturber ? ask(disturber, job) : 0;
    if (number == 0) return true;
    if (number >= first_late(&disturber->ways)) {
        job->way = ENDS_LATE;
        job->place = number - first_late(&disturber->ways);
        return true;
    }
    bool const fails = disturber->ways.fail && number == 1;
    tell(disturber, job, fails ? "fails" : "is rejected");
    job->way = FAILS;
    return fails;
}

/* -- running ------------------------------------------------------------------------------------------------------- */

/* Equal times keep their order. */
static void insert(uft_job *job, uf_time ends)
{
    uf_link *before = &jobs.running;

    job->work.ends = ends;
    while (before->prev != &jobs.running && job_at(before->prev)->work.ends > ends) before = before->prev;
    ufi_list_insert(before, &job->work.place);
}

static const char *base_of(const char *path)
{
    const char *const slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The files of a program may have been named to ufc in several ways. */
static const uf_worker *find_stub(const uf_worker *worker)
{
    for (uint32_t i = 0; i < jobs.test->stub_count; i++) {
        uf_worker const *const stub = jobs.test->stubs[i];
        bool const is_same_name = strcmp(stub->name, worker->name) == 0;
        if (is_same_name && strcmp(base_of(stub->source), base_of(worker->source)) == 0) return stub;
    }
    return worker;
}

static void call_worker(uf_work *work)
{
    uf_worker const *const worker = work->worker;

    work->worker = find_stub(worker);
    uf_work_run(work);
    work->worker = worker;
}

static void begin(uft_job *job)
{
    uf_time const now = job->work.pump->clock.real;

    if (job->way == FAILS) uf_work_fail(&job->work, "%s", "the schedule of the test lets it fail");
    else call_worker(&job->work);
    job->work.begins = now;
    job->is_new = true;
    insert(job, now);
}

static bool is_over_limit(const uf_worker *worker)
{
    uint32_t runs = 0;

    if (!worker->limit) return false;
    for (uf_link *link = jobs.running.next; link != &jobs.running; link = link->next)
        runs += job_at(link)->work.worker == worker;
    return runs >= worker->limit;
}

static void run(uf_pool *pool, uf_work *work)
{
    uft_job *const job = job_at(&work->place);

    (void)pool;
    work->pump->config.pre_round = jobs.before_round;
    if (!choose(job)) {
        work->dropped = true;
        work->begins = work->pump->clock.real;
        insert(job, work->begins);
    } else if (is_over_limit(work->worker)) {
        work->begins = UF_FOREVER;
        ufi_list_insert(&jobs.held, &work->place);
    } else {
        begin(job);
    }
}

static bool withdraw(uf_pool *pool, uf_work *work)
{
    (void)pool;
    if (work->begins != UF_FOREVER) return false;
    ufi_list_remove(&work->place);
    return true;
}

/* A job has ended: the first one that its limit has held back begins. */
static void release(const uf_worker *worker)
{
    uf_link *link = jobs.held.next;

    while (link != &jobs.held && job_at(link)->work.worker != worker) link = link->next;
    if (link == &jobs.held || is_over_limit(worker)) return;
    ufi_list_remove(link);
    begin(job_at(link));
}

static uf_time next_end(const uf_pool *pool, const uf_pump *pump)
{
    (void)pool;
    (void)pump;
    return jobs.running.next == &jobs.running ? UF_FOREVER : job_at(jobs.running.next)->work.ends;
}

/* Those that begin now end with the round after this one. */
void uft_jobs_round(uf_pump *pump)
{
    uf_time const now = pump->clock.real;
    uf_link due;

    if (ufi_list_empty(&jobs.running)) return;
    ufi_list_init(&due);
    while (next_end(NULL, NULL) <= now) {
        uf_link *const first = jobs.running.next;
        ufi_list_remove(first);
        ufi_list_insert(&due, first);
    }
    while (due.next != &due) {
        uf_work *const work = &job_at(due.next)->work;
        uf_worker const *const worker = work->worker;
        ufi_list_remove(&work->place);
        uf_work_over(work, work->ends - work->submitted);
        release(worker);
    }
}

/* Jobs that the pump has left drop their values. */
static void close_pump(uf_pool *pool, uf_pump *pump)
{
    (void)pool;
    (void)pump;
    while (jobs.running.next != &jobs.running) {
        uf_work *const work = &job_at(jobs.running.next)->work;
        ufi_list_remove(&work->place);
        uf_work_over(work, 0);
    }
}

/* -- late jobs ----------------------------------------------------------------------------------------------------- */

static void make_late(uft_disturber *disturber, uft_job *job, const uft_deadlines *pending)
{
    uf_pump *const pump = disturber->pump;
    uint32_t const at = job->place / 2;
    bool const is_behind = at >= pending->count, is_before = job->place % 2 == 0;
    uf_time const delay = is_behind ? disturber->ways.delay : pending->at[at] - uf_pump_now(pump);
    const char *const where = is_behind ? "more than" : is_before ? "just before a deadline," : "at a deadline,";
    char text[TEST_TIME_SIZE], what[TEST_LINE_SIZE / 2];

    (void)snprintf(what, sizeof what, "ends %s %s later", where, uft_duration_text(delay, text));
    tell(disturber, job, what);
    uf_time const wait = uf_clock_real_until(&pump->clock, uf_time_add(uf_pump_now(pump), delay));
    uf_time const ends = uf_time_add(pump->clock.real, wait);
    ufi_list_remove(&job->work.place);
    insert(job, ends == UF_FOREVER ? ends : ends + is_behind - (is_before && !is_behind));
}

static void place(uft_disturber *disturber, uft_job *job)
{
    uf_pump *const pump = disturber->pump;
    uf_time const now = uf_pump_now(pump), last = uf_time_add(now, disturber->ways.delay);
    uf_time const timeout = uf_time_add(now, job->work.timeout);
    uft_deadlines pending;

    uft_find_deadlines(&pending, pump, NULL, now, last);
    if (timeout <= last) uft_add_deadline(&pending, timeout);
    remember_options(disturber, job, pending.count);
    if (job->way == ENDS_LATE) make_late(disturber, job, &pending);
}

void uft_jobs_place(uft_disturber *disturber)
{
    uf_link *link = jobs.running.next;

    if (!disturber->ways.late) return;
    while (link != &jobs.running) {
        uft_job *const job = job_at(link);
        link = link->next;
        if (!job->is_new) continue;
        job->is_new = false;
        if (job->way != FAILS) place(disturber, job);
    }
}

/* -- the pool ------------------------------------------------------------------------------------------------------ */

uf_pool *uft_jobs_begin(const uf_test *test, void (*before_round)(void *context))
{
    static const uf_pool_kind kind = {
        .close = close_pump, .take = take, .run = run, .withdraw = withdraw, .put = put, .next = next_end};

    jobs.pool.kind = &kind;
    jobs.test = test;
    jobs.before_round = before_round;
    ufi_list_init(&jobs.free);
    ufi_list_init(&jobs.running);
    ufi_list_init(&jobs.held);
    for (uft_job *job = jobs.all; job; job = job->next) put(&jobs.pool, &job->work);
    return &jobs.pool;
}

const uf_work *uft_job_of(const uf_message *message)
{
    for (uft_job const *job = jobs.all; job; job = job->next)
        if (&job->work.message == message) return &job->work;
    return NULL;
}

void uft_jobs_free(void)
{
    while (jobs.all) {
        uft_job *const job = jobs.all;
        jobs.all = job->next;
        free(job);
    }
}
