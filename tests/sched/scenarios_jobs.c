/* SPDX-License-Identifier: MIT */
/* scenarios_jobs.c - workers against flows, pumps and pools that end, in every order. */
#include "scene.h"

#include "uflow/pool.h"

#include "jobber.h"

static Jobber *jobbers; /* on the heap, so that late accesses are detected */
static uf_pool *pool;
static uint32_t came, left, opened;

static void make_pool(uint32_t workers_of_pool, uint32_t queue)
{
    came = left = opened = 0;
    seeded_cpus(1 + schedule_draw(2));
    MUST(uf_pool_new(&pool, &(uf_pool_config){.workers = workers_of_pool, .queue = queue, .spin = SHORT_SPIN}) ==
         UF_OK);
}

static void begin_jobs(const uf_runtime_config *config)
{
    begin_with(config);
    jobbers = ufp_allocate(2 * sizeof *jobbers);
    for (int i = 0; i < 2; i++) MUST(Jobber_init(&jobbers[i], uf_runtime_pump(runtime), "jobber") == UF_OK);
}

static void free_jobbers(void)
{
    for (int i = 0; i < 2; i++) MUST(jobbers[i].enters == jobbers[i].exits && jobbers[i].uf_jobs == 0);
    ufp_free(jobbers);
}

static void end_jobs(void)
{
    end();
    free_jobbers();
}

static void begin_shared(uint32_t workers_of_pool, uint32_t queue)
{
    make_pool(workers_of_pool, queue);
    begin_jobs(&(uf_runtime_config){.pool = pool});
}

/* All records have come back to the pool. From now on the pool has none. */
static void take_all(int count)
{
    while (count > 0) {
        if (pool->kind->take(pool)) count--;
        else schedule_pause();
    }
}

static uf_outcome outcome_of(Jobber *flow)
{
    uf_call_info end;
    MUST(uf_flow_wait(&flow->uf, UF_FOREVER, &end) == UF_OK);
    return end.outcome;
}

/* -- workers ------------------------------------------------------------------------------------------------------ */

static int answer(uf_work *work, void *argument)
{
    (void)work;
    ufp_add_fetch_seq_cst(&came, 1);
    if (!argument) schedule_pause();
    ufp_add_fetch_seq_cst(&left, 1);
    return argument ? (int)(intptr_t)argument : 1;
}

/* Runs until it is let go, or until its job is abandoned. */
static int stand(uf_work *work, void *argument)
{
    (void)work;
    ufp_add_fetch_seq_cst(&came, 1);
    while (!ufp_load(&opened) && !uf_job_cancelled()) schedule_pause();
    ufp_add_fetch_seq_cst(&left, 1);
    return (int)(intptr_t)argument;
}

/* Runs until it is let go, even if its job is abandoned. */
static int stick(uf_work *work, void *argument)
{
    (void)work;
    ufp_add_fetch_seq_cst(&came, 1);
    while (!ufp_load(&opened)) schedule_pause();
    ufp_add_fetch_seq_cst(&left, 1);
    return (int)(intptr_t)argument;
}

static int seven(uf_work *work, void *argument)
{
    (void)work;
    (void)argument;
    return 7;
}

/* -- the end of a job ---------------------------------------------------------------------------------------------- */

/* Only the job can wake the pump. */
static void job_end(void)
{
    begin_jobs(&(uf_runtime_config){.job_grace = UF_FOREVER});
    for (int i = 0; i < 2; i++) MUST(Jobber_start_Ask(&jobbers[i], (order){seven, NULL}, UF_FOREVER) == UF_OK);
    while (uf_flow_running(&jobbers[0].uf) || uf_flow_running(&jobbers[1].uf)) schedule_pause();
    MUST(jobbers[0].uf_result == 7 && jobbers[1].uf_result == 7);
    end_jobs();
}

/* More jobs than threads, from two flows: each job runs exactly once. */
static void job_crowd(void)
{
    begin_shared(2, 8);
    for (int i = 0; i < 2; i++) MUST(Jobber_start_Repeat(&jobbers[i], (order){answer, NULL}, 4) == UF_OK);
    for (int i = 0; i < 2; i++) MUST(outcome_of(&jobbers[i]) == UF_DONE && jobbers[i].uf_result == 4);
    MUST(came == 8 && left == 8);
    end_jobs();
    MUST(uf_pool_free(pool, UF_FOREVER) == UF_OK);
}

/* In one round two jobs have ended and one is submitted, while the thread may be asleep. */
static void job_two_for_one(void)
{
    begin_shared(1, 2);
    for (int n = 0; n < 3; n++) {
        MUST(Jobber_start_Flood(&jobbers[0], (order){seven, NULL}, 2) == UF_OK);
        while (schedule_draw(4)) schedule_pause();
        MUST(Jobber_start_Ask(&jobbers[1], (order){seven, NULL}, UF_FOREVER) == UF_OK);
        for (int i = 0; i < 2; i++) MUST(outcome_of(&jobbers[i]) == UF_DONE);
    }
    take_all(1 + 2);
    end_jobs();
    MUST(uf_pool_free(pool, UF_FOREVER) == UF_OK);
}

static void cancel_first(void *argument)
{
    (void)argument;
    schedule_pause();
    MUST(uf_flow_cancel(&jobbers[0].uf) == UF_OK);
}

/* A cancel arrives while the job is queued, running, on its way back, or done. */
static void job_cancel(void)
{
    begin_shared(1, 3);
    MUST(Jobber_start_Ask(&jobbers[0], (order){answer, NULL}, UF_FOREVER) == UF_OK);
    spawn(cancel_first, NULL);
    MUST(Jobber_start_Ask(&jobbers[1], (order){answer, (void *)5}, UF_FOREVER) == UF_OK);
    MUST(outcome_of(&jobbers[1]) == UF_DONE && jobbers[1].uf_result == 5);
    uf_outcome const outcome = outcome_of(&jobbers[0]);
    MUST(outcome == UF_DONE || outcome == UF_CANCELLED);
    join();
    end_jobs();
    MUST(uf_pool_free(pool, UF_FOREVER) == UF_OK);
    MUST(came == left && came <= 2);
}

/* The next run reuses the handle while the worker of the last run is late. Records are reused at once. */
static void job_late(void)
{
    begin_shared(2, 1);
    MUST(Jobber_start_Leave(&jobbers[0], (order){stick, (void *)1}) == UF_OK);
    MUST(outcome_of(&jobbers[0]) == UF_DONE);
    MUST(Jobber_start_Ask(&jobbers[0], (order){stick, (void *)2}, UF_FOREVER) == UF_OK);
    ufp_store(&opened, 1);
    MUST(outcome_of(&jobbers[0]) == UF_DONE && jobbers[0].uf_result == 2);
    for (int i = 3; i < 5; i++) {
        MUST(Jobber_start_Leave(&jobbers[0], (order){answer, (void *)(intptr_t)i}) == UF_OK);
        MUST(Jobber_start_Ask(&jobbers[1], (order){answer, (void *)8}, UF_FOREVER) == UF_OK);
        MUST(outcome_of(&jobbers[1]) != UF_DONE || jobbers[1].uf_result == 8);
        MUST(outcome_of(&jobbers[0]) == UF_DONE);
    }
    end_jobs();
    MUST(uf_pool_free(pool, UF_FOREVER) == UF_OK);
}

/* A job times out while it is queued, running, or on its way back. A late worker does not occupy the place of a queued
 * job. */
static void job_timeout(void)
{
    begin_shared(1, 2);
    MUST(Jobber_start_Ask(&jobbers[0], (order){stand, (void *)3}, UF_MS(1)) == UF_OK);
    MUST(Jobber_start_Ask(&jobbers[1], (order){answer, (void *)4}, UF_MS(schedule_draw(3))) == UF_OK);
    uf_outcome const first = outcome_of(&jobbers[0]), second = outcome_of(&jobbers[1]);
    MUST(first == UF_FAILED); /* no thread lets it go */
    MUST(second == UF_FAILED || (second == UF_DONE && jobbers[1].uf_result == 4));
    MUST(Jobber_start_Ask(&jobbers[1], (order){answer, (void *)9}, UF_FOREVER) == UF_OK);
    MUST(outcome_of(&jobbers[1]) == UF_DONE && jobbers[1].uf_result == 9);
    end_jobs();
    MUST(uf_pool_free(pool, UF_FOREVER) == UF_OK);
}

/* A withdrawn job never runs. */
static void job_withdrawn(void)
{
    begin_shared(1, 3);
    MUST(Jobber_start_Ask(&jobbers[0], (order){stick, (void *)3}, UF_FOREVER) == UF_OK);
    while (!ufp_load(&came)) schedule_pause();
    MUST(Jobber_start_Leave(&jobbers[1], (order){stick, (void *)4}) == UF_OK);
    MUST(outcome_of(&jobbers[1]) == UF_DONE);
    MUST(Jobber_start_Ask(&jobbers[1], (order){stick, (void *)4}, UF_US(1)) == UF_OK);
    MUST(outcome_of(&jobbers[1]) == UF_FAILED && jobbers[1].uf_jobs == 0);
    ufp_store(&opened, 1);
    MUST(outcome_of(&jobbers[0]) == UF_DONE && jobbers[0].uf_result == 3);
    MUST(Jobber_start_Ask(&jobbers[1], (order){seven, NULL}, UF_FOREVER) == UF_OK); /* after all others */
    MUST(outcome_of(&jobbers[1]) == UF_DONE && ufp_load(&came) == 1);
    end_jobs();
    MUST(uf_pool_free(pool, UF_FOREVER) == UF_OK);
}

/* One step clears the job and submits it again; another one polls. */
static void clear_and_submit(Jobber *flow)
{
    if (flow->bodies == 1) return;
    MUST(uf_job_clear(&flow->uf, &flow->uf_task.many[0].job) == UF_OK);
    MUST(uf_job_status_of(&flow->uf_task.many[0].job) == UF_JOB_NONE);
}

static void job_clear(void)
{
    begin_shared(2, 2);
    jobbers[0].body = clear_and_submit;
    MUST(Jobber_start_Look(&jobbers[0], (order){answer, NULL}) == UF_OK);
    MUST(Jobber_start_Look(&jobbers[1], (order){answer, NULL}) == UF_OK);
    for (int i = 0; i < 2; i++) MUST(outcome_of(&jobbers[i]) == UF_DONE);
    end_jobs();
    MUST(uf_pool_free(pool, UF_FOREVER) == UF_OK);
}

/* -- ends --------------------------------------------------------------------------------------------------------- */

/* A flow is destroyed and its memory freed while a worker runs its job. */
static void job_destroyed(void)
{
    begin_shared(1, 2);
    Jobber *const flow = ufp_allocate(sizeof *flow);
    MUST(Jobber_init(flow, uf_runtime_pump(runtime), "short") == UF_OK);
    MUST(Jobber_start_Leave(flow, (order){stick, NULL}) == UF_OK);
    MUST(outcome_of(flow) == UF_DONE);
    MUST(Jobber_destroy(flow) == UF_OK);
    ufp_free(flow);
    ufp_store(&opened, 1);
    MUST(Jobber_start_Ask(&jobbers[0], (order){seven, NULL}, UF_FOREVER) == UF_OK);
    MUST(outcome_of(&jobbers[0]) == UF_DONE && jobbers[0].uf_result == 7);
    end_jobs();
    MUST(uf_pool_free(pool, UF_FOREVER) == UF_OK);
}

/* The runtime is freed while workers of its own run jobs and other jobs are queued. */
static void job_runtime_own(void)
{
    came = left = opened = 0;
    begin_jobs(&(uf_runtime_config){.workers = 1, .job_grace = UF_FOREVER});
    MUST(Jobber_start_Repeat(&jobbers[0], (order){stand, NULL}, 3) == UF_OK);
    MUST(Jobber_start_Ask(&jobbers[1], (order){stand, NULL}, UF_FOREVER) == UF_OK);
    while (schedule_draw(4)) schedule_pause();
    end_jobs();
    MUST(came == left);
}

/* The pool of the freed runtime also serves another one: its workers continue, and their results are dropped. */
static void job_runtime_first(void)
{
    begin_shared(2, 3);
    MUST(Jobber_start_Ask(&jobbers[0], (order){stick, NULL}, UF_FOREVER) == UF_OK);
    MUST(Jobber_start_Repeat(&jobbers[1], (order){answer, NULL}, 3) == UF_OK);
    while (schedule_draw(4)) schedule_pause();
    end_jobs();
    begin_jobs(&(uf_runtime_config){.pool = pool});
    MUST(Jobber_start_Ask(&jobbers[0], (order){seven, NULL}, UF_FOREVER) == UF_OK);
    ufp_store(&opened, 1);
    MUST(outcome_of(&jobbers[0]) == UF_DONE && jobbers[0].uf_result == 7);
    end_jobs();
    take_all(2 + 3);
    MUST(uf_pool_free(pool, UF_FOREVER) == UF_OK);
    MUST(came == left);
}

/* The pool is freed first, in any state of its jobs. Each flow continues, with or without a result. */
static void job_pool_first(void)
{
    begin_shared(1, 2);
    for (int i = 0; i < 2; i++) MUST(Jobber_start_Ask(&jobbers[i], (order){answer, NULL}, UF_FOREVER) == UF_OK);
    while (schedule_draw(4)) schedule_pause();
    MUST(uf_pool_free(pool, UF_FOREVER) == UF_OK);
    for (int i = 0; i < 2; i++) {
        uf_outcome const outcome = outcome_of(&jobbers[i]);
        MUST(outcome == UF_DONE || outcome == UF_FAILED);
    }
    MUST(Jobber_start_Ask(&jobbers[0], (order){answer, NULL}, UF_FOREVER) == UF_OK);
    MUST(outcome_of(&jobbers[0]) == UF_FAILED);
    end_jobs();
}

/* A stuck worker is abandoned. It returns to a runtime that is running, ending, or gone. */
static void job_left_behind(void)
{
    begin_shared(1, 1);
    MUST(Jobber_start_Ask(&jobbers[0], (order){stick, NULL}, UF_FOREVER) == UF_OK);
    while (!ufp_load(&came)) schedule_pause();
    MUST(uf_pool_free(pool, UF_US(schedule_draw(2))) == UF_TIMED_OUT);
    bool const early = schedule_draw(2);
    if (early) ufp_store(&opened, 1);
    while (schedule_draw(3)) schedule_pause();
    end_jobs();
    ufp_store(&opened, 1);
    while (!ufp_load(&left)) schedule_pause();
    for (int i = 0; i < 200; i++) schedule_pause(); /* until its thread has ended */
}

static void start_asking(void *argument)
{
    (void)argument;
    for (int i = 0; i < 2; i++) {
        uf_status const status = Jobber_start_Ask(&jobbers[1], (order){answer, NULL}, UF_FOREVER);
        MUST(status == UF_OK || status == UF_BUSY || status == UF_STOPPING);
        schedule_pause();
    }
}

/* Submits a job while the pool closes. */
static void job_submit_into_end(void)
{
    begin_shared(1, 2);
    spawn(start_asking, NULL);
    MUST(Jobber_start_Ask(&jobbers[0], (order){seven, NULL}, UF_FOREVER) == UF_OK);
    MUST(uf_pool_free(pool, UF_FOREVER) == UF_OK);
    join();
    for (int i = 0; i < 2; i++) (void)outcome_of(&jobbers[i]); /* one of them happens */
    end_jobs();
}

static void clear_at_once(Jobber *flow)
{
    MUST(uf_job_clear(&flow->uf, &flow->uf_task.many[0].job) == UF_OK);
}

/* One step submits and abandons a job while the pool closes. */
static void job_clear_into_end(void)
{
    begin_shared(1, 2);
    for (int i = 0; i < 2; i++) {
        jobbers[i].body = clear_at_once;
        MUST(Jobber_start_Leave(&jobbers[i], (order){answer, NULL}) == UF_OK);
    }
    MUST(uf_pool_free(pool, UF_FOREVER) == UF_OK);
    for (int i = 0; i < 2; i++) MUST(outcome_of(&jobbers[i]) == UF_DONE);
    end_jobs();
}

/* A caller-driven pump is freed while its jobs are on their way back. */
static void job_by_hand(void)
{
    make_pool(2, 2);
    uf_pump *const pump = ufp_allocate(sizeof *pump);
    jobbers = ufp_allocate(2 * sizeof *jobbers);
    MUST(uf_pump_init(pump, &(uf_pump_config){.pool = pool}) == UF_OK);
    for (int i = 0; i < 2; i++) MUST(Jobber_init(&jobbers[i], pump, "by hand") == UF_OK);
    MUST(Jobber_start_Ask(&jobbers[0], (order){seven, NULL}, UF_FOREVER) == UF_OK);
    while (uf_flow_running(&jobbers[0].uf)) {
        uf_pump_round(pump, 0);
        schedule_pause();
    }
    MUST(jobbers[0].uf_result == 7);
    for (int i = 0; i < 2; i++) MUST(Jobber_start_Leave(&jobbers[i], (order){answer, NULL}) == UF_OK);
    for (int i = 0; i < 3; i++) uf_pump_round(pump, 0);
    for (int i = 0; i < 2; i++) MUST(Jobber_destroy(&jobbers[i]) == UF_OK);
    MUST(uf_pump_destroy(pump) == UF_OK);
    memset(pump, 0xdd, sizeof *pump);
    ufp_free(pump);
    ufp_free(jobbers);
    take_all(2 + 2);
    MUST(uf_pool_free(pool, UF_FOREVER) == UF_OK);
    MUST(came == left);
}

static void ring(void *notifier)
{
    ufp_store(notifier, 1);
}

/* The driver sleeps until a worker has returned. Then the pump and its notifier are freed. */
static void wake_by_hand(uf_pool *of)
{
    uf_pump *const pump = ufp_allocate(sizeof *pump);
    uint32_t *const notifier = ufp_allocate(sizeof *notifier);
    jobbers = ufp_allocate(2 * sizeof *jobbers);
    MUST(uf_pump_init(pump, &(uf_pump_config){.pool = of, .wake = ring, .context = notifier}) == UF_OK);
    for (int i = 0; i < 2; i++) {
        MUST(Jobber_init(&jobbers[i], pump, "by hand") == UF_OK);
        MUST(Jobber_start_Ask(&jobbers[i], (order){seven, NULL}, UF_FOREVER) == UF_OK);
    }
    while (uf_pump_running(pump) > 0) {
        ufp_store(notifier, 0);
        if (uf_pump_round(pump, 0) == 0) continue;
        while (uf_pump_running(pump) > 0 && !ufp_load(notifier)) schedule_pause();
    }
    for (int i = 0; i < 2; i++) MUST(jobbers[i].uf_result == 7 && Jobber_destroy(&jobbers[i]) == UF_OK);
    MUST(uf_pump_destroy(pump) == UF_OK);
    ufp_free(pump);
    ufp_free(notifier);
    ufp_free(jobbers);
}

static void job_wakes_by_hand(void)
{
    make_pool(2, 2);
    wake_by_hand(pool);
    MUST(uf_pool_free(pool, UF_FOREVER) == UF_OK);
}

/* A custom pool with one thread per job. */
static uf_work own_works[2];
static uint32_t own_taken;

static uf_work *own_take(uf_pool *own)
{
    (void)own;
    return own_taken < 2 ? &own_works[own_taken++] : NULL;
}
static void own_thread(void *work)
{
    uf_work_run(work);
    uf_work_over(work, 0);
}
static void own_run(uf_pool *own, uf_work *work)
{
    (void)own;
    spawn(own_thread, work);
}
static void own_put(uf_pool *own, uf_work *work)
{
    (void)own;
    (void)work;
}

static void job_wakes_of_own_kind(void)
{
    static const uf_pool_kind kind = {.take = own_take, .run = own_run, .put = own_put};
    uf_pool own = {&kind};
    own_taken = 0;
    wake_by_hand(&own);
    join();
}

/* One thread serves two runtimes, twice, while jobs end. */
static void relink(void *given)
{
    uf_runtime *const other = given;
    MUST(uf_runtime_link(other, runtime) == UF_OK);
    MUST(uf_runtime_unlink(runtime) == UF_OK);
}

static void job_link(void)
{
    uf_runtime *other;
    begin_shared(1, 3);
    MUST(uf_runtime_new(&other, NULL) == UF_OK);
    spawn(relink, other);
    for (int i = 0; i < 2; i++) MUST(Jobber_start_Ask(&jobbers[i], (order){answer, NULL}, UF_FOREVER) == UF_OK);
    for (int i = 0; i < 2; i++) {
        while (uf_flow_running(&jobbers[i].uf)) schedule_pause();
        MUST(jobbers[i].uf_result == 1);
    }
    end_jobs();
    MUST(uf_runtime_free(other) == UF_OK);
    MUST(uf_pool_free(pool, UF_FOREVER) == UF_OK);
}

const scenario job_scenarios[] = {
    {"job_end", job_end},
    {"job_crowd", job_crowd},
    {"job_two_for_one", job_two_for_one},
    {"job_cancel", job_cancel},
    {"job_late", job_late},
    {"job_timeout", job_timeout},
    {"job_withdrawn", job_withdrawn},
    {"job_clear", job_clear},
    {"job_destroyed", job_destroyed},
    {"job_runtime_own", job_runtime_own},
    {"job_runtime_first", job_runtime_first},
    {"job_pool_first", job_pool_first},
    {"job_left_behind", job_left_behind},
    {"job_submit_into_end", job_submit_into_end},
    {"job_clear_into_end", job_clear_into_end},
    {"job_by_hand", job_by_hand},
    {"job_wakes_by_hand", job_wakes_by_hand},
    {"job_wakes_of_own_kind", job_wakes_of_own_kind},
    {"job_link", job_link},
    {0},
};
