/* SPDX-License-Identifier: MIT */
/* test_job_ends.c - jobs on threads: runtimes, pools and flows that end in every order. */
#include "jobs_fixture.h"
#include "thread_ends.h"

/* -- ends in every order ------------------------------------------------------------------------------------------ */

CASE(the_runtime_ends_while_a_worker_of_its_own_runs)
{
    static gate g;
    g = (gate){0};
    begin_jobs(NULL);
    assert_int_equal(Jobber_start_Ask(&jobbers[0], (order){pass, &g}, UF_FOREVER), UF_OK);
    UNTIL(READ(g.came));
    end_jobs(); /* the worker is cancelled, and waited for */
    assert_int_equal(g.told, 1);
    assert_int_equal(g.left, 1);
}

CASE(the_runtime_ends_and_leaves_a_stuck_worker_behind)
{
    static gate g;
    g = (gate){.deaf = true};
    uf_runtime_config const config = {.job_grace = UF_MS(10)};
    begin_jobs(&config);
    assert_int_equal(Jobber_start_Ask(&jobbers[0], (order){pass, &g}, UF_FOREVER), UF_OK);
    UNTIL(READ(g.came));
    end_jobs();
    assert_int_equal(READ(g.left), 0);
    SET(g.opened, 1); /* it frees its memory when it returns: the leak checker would report it */
    UNTIL(READ(g.left));
    sleep_ms(50);
}

CASE(a_runtime_ends_before_its_pool)
{
    static gate g;
    uf_pool *pool;
    g = (gate){.deaf = true};
    assert_int_equal(uf_pool_new(&pool, NULL), UF_OK);
    uf_runtime_config const config = {.pool = pool};
    begin_jobs(&config);
    assert_int_equal(Jobber_start_Ask(&jobbers[0], (order){pass, &g}, UF_FOREVER), UF_OK);
    UNTIL(READ(g.came));
    end_jobs(); /* does not wait for a worker of a pool that it does not own */
    assert_int_equal(READ(g.left), 0);
    begin_jobs(&config);
    static int one = 1;
    assert_int_equal(Jobber_start_Repeat(&jobbers[0], (order){answer, &one}, 20), UF_OK);
    assert_int_equal(wait_for(&jobbers[0], NULL), UF_DONE);
    SET(g.opened, 1);
    end_jobs();
    assert_int_equal(uf_pool_free(pool, LONG), UF_OK);
    assert_int_equal(g.left, 1);
}

CASE(a_pool_ends_before_its_runtime)
{
    static gate g;
    uf_pool *pool;
    char reason[UF_REASON_SIZE];
    g = (gate){.deaf = true};
    assert_int_equal(uf_pool_new(&pool, &(uf_pool_config){.workers = 1}), UF_OK);
    begin_watched((uf_runtime_config){.pool = pool});
    assert_int_equal(Jobber_start_Ask(&jobbers[0], (order){pass, &g}, UF_FOREVER), UF_OK);
    UNTIL(READ(g.came));
    assert_int_equal(Jobber_start_Ask(&jobbers[1], (order){pass, &g}, UF_FOREVER), UF_OK);
    UNTIL(READ(jobbers[1].bodies));
    assert_int_equal(uf_pool_free(pool, UF_MS(1)), UF_TIMED_OUT);
    assert_int_equal(wait_for(&jobbers[1], reason), UF_FAILED); /* it waited in the queue */
    assert_string_equal(reason, "rejected: the pool has ended");
    assert_int_equal(Jobber_start_Ask(&jobbers[2], (order){pass, &g}, UF_FOREVER), UF_OK);
    assert_int_equal(wait_for(&jobbers[2], reason), UF_FAILED);
    assert_string_equal(reason, "rejected: the pool is full, or has ended");
    SET(g.opened, 1);
    assert_int_equal(wait_for(&jobbers[0], NULL), UF_DONE); /* the abandoned one stores its result */
    end_jobs();
}

CASE(several_runtimes_share_a_pool)
{
    static int one = 1;
    uf_runtime *runtimes[3];
    static Jobber flows[3];
    uf_pool *pool;
    assert_int_equal(uf_pool_new(&pool, &(uf_pool_config){.workers = 2, .name = "shared by three"}), UF_OK);
    uf_runtime_config const config = {.pool = pool};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(uf_runtime_new(&runtimes[i], &config), UF_OK);
        assert_int_equal(Jobber_init(&flows[i], uf_runtime_pump(runtimes[i]), "one"), UF_OK);
        assert_int_equal(Jobber_start_Repeat(&flows[i], (order){answer, &one}, MANY(1000)), UF_OK);
    }
    assert_int_equal(wait_for(&flows[2], NULL), UF_DONE);
    assert_int_equal(uf_runtime_free(runtimes[2]), UF_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(wait_for(&flows[i], NULL), UF_DONE);
        assert_int_equal(flows[i].uf_result, MANY(1000));
    }
    assert_int_equal(uf_pool_free(pool, LONG), UF_OK);
    for (int i = 0; i < 2; i++) assert_int_equal(uf_runtime_free(runtimes[i]), UF_OK);
}

/* The pools without threads run their jobs on the runtime's thread, in real time. */
CASE(D11_a_runtime_with_a_pool_without_threads)
{
    static uf_seeded_pool seeded;
    static uf_work works[8];
    static int one = 1;
    assert_int_equal(uf_pool_seeded(&seeded, works, 8, 5, UF_MS(20)), UF_OK);
    for (int i = 0; i < 2; i++) {
        pthread_t thread = pthread_self();
        uf_runtime_config const config = {.pool = i ? &seeded.pool : uf_pool_inline(), .stay_interval = UF_S(60)};
        begin_jobs(&config);
        pumps_thread = thread;
        jobbers[0].body = note_pumps_thread;
        assert_int_equal(Jobber_start_Ask(&jobbers[0], (order){note_thread, &thread}, UF_S(50)), UF_OK);
        assert_int_equal(wait_for(&jobbers[0], NULL), UF_DONE); /* and not after a minute */
        assert_true(pthread_equal(thread, pumps_thread));
        assert_false(pthread_equal(thread, pthread_self()));
        assert_int_equal(Jobber_start_Flood(&jobbers[1], (order){answer, &one}, 8), UF_OK);
        assert_int_equal(wait_for(&jobbers[1], NULL), UF_DONE);
        assert_int_equal(Jobber_start_Ask(&jobbers[2], (order){answer, &one}, UF_FOREVER), UF_OK);
        end_jobs(); /* perhaps with a record on its way */
    }
}

static int free_runtime(uf_work *work, void *argument)
{
    (void)work;
    return (int)uf_runtime_free(argument);
}

static int free_pool(uf_work *work, void *argument)
{
    (void)work;
    return (int)uf_pool_free(argument, UF_FOREVER);
}

CASE(a_worker_cannot_wait_for_itself)
{
    uf_pool *pool;
    begin_jobs(NULL);
    assert_int_equal(Jobber_start_Ask(&jobbers[0], (order){free_runtime, runtime}, UF_FOREVER), UF_OK);
    assert_int_equal(wait_for(&jobbers[0], NULL), UF_DONE);
    assert_int_equal(jobbers[0].uf_result, UF_DEADLOCK);
    end_jobs();
    assert_int_equal(uf_pool_new(&pool, NULL), UF_OK);
    uf_runtime_config const config = {.pool = pool};
    begin_jobs(&config);
    assert_int_equal(Jobber_start_Ask(&jobbers[0], (order){free_pool, pool}, UF_FOREVER), UF_OK);
    assert_int_equal(wait_for(&jobbers[0], NULL), UF_DONE);
    assert_int_equal(jobbers[0].uf_result, UF_DEADLOCK);
    end_jobs();
    assert_int_equal(uf_pool_free(pool, LONG), UF_OK); /* the worker may still be leaving */
    assert_int_equal(uf_pool_free(uf_pool_inline(), 0), UF_INVALID);
    assert_int_equal(uf_pool_free(NULL, 0), UF_INVALID);
    assert_int_equal(uf_pool_new(NULL, NULL), UF_INVALID);
}

/* -- workers that end their threads ------------------------------------------------------------------------------- */

static int fail_and_exit(uf_work *work, void *argument)
{
    uf_work_fail(work, "scale %d does not answer", *(int *)argument);
    EXIT_THREAD();
}

static int pass_and_exit(uf_work *work, void *argument)
{
    (void)pass(work, argument);
    EXIT_THREAD();
}

static int exit_sometimes(uf_work *work, void *argument)
{
    return COUNT(*(int *)argument) % 3 ? 1 : exit_thread(work, argument);
}

CASE(a_worker_that_ends_its_thread_fails_and_the_next_job_runs)
{
#if defined(_WIN32)
    static int (*const ways[])(uf_work *, void *) = {exit_thread, fail_and_exit};
#else
    static int (*const ways[])(uf_work *, void *) = {exit_thread, fail_and_exit, cancel_thread, cancel_late};
#endif
    enum { WAYS = sizeof ways / sizeof *ways };
    static int one = 1;
    char reason[UF_REASON_SIZE];
    begin_jobs(&(uf_runtime_config){.workers = 1});
    for (int i = 0; i < 3 * WAYS; i++) {
        assert_int_equal(Jobber_start_Ask(&jobbers[0], (order){ways[i % WAYS], &one}, i < WAYS ? UF_S(50) : UF_FOREVER),
                         UF_OK);
        assert_int_equal(wait_for(&jobbers[0], reason), UF_FAILED);
        assert_string_equal(reason, "its thread has ended");
        assert_int_equal(Jobber_start_Ask(&jobbers[1], (order){answer, &one}, UF_FOREVER), UF_OK);
        assert_int_equal(wait_for(&jobbers[1], NULL), UF_DONE);
    }
    uf_stop_report report;
    assert_int_equal(uf_runtime_stop(runtime, LONG, &report), UF_OK);
    assert_int_equal(report.jobs_left, 0);
    end_jobs();
}

CASE(workers_end_their_threads_under_pressure)
{
    static int count;
    begin_jobs(&(uf_runtime_config){.workers = 3});
    for (int i = 0; i < MANY(20); i++) {
        for (int k = 0; k < 4; k++)
            assert_int_equal(Jobber_start_Flood(&jobbers[k], (order){exit_sometimes, &count}, 9), UF_OK);
        for (int k = 0; k < 4; k++) (void)wait_for(&jobbers[k], NULL);
    }
    end_jobs(); /* with the jobs that the flows have left */
}

CASE(a_worker_ends_its_thread_while_the_pool_closes)
{
    static gate g;
    for (int left_behind = 0; left_behind < 2; left_behind++) {
        g = (gate){.deaf = left_behind};
        begin_jobs(&(uf_runtime_config){.job_grace = left_behind ? UF_MS(10) : LONG});
        assert_int_equal(Jobber_start_Ask(&jobbers[0], (order){pass_and_exit, &g}, UF_FOREVER), UF_OK);
        UNTIL(READ(g.came));
        end_jobs();
        assert_int_equal(READ(g.left), !left_behind);
        SET(g.opened, 1); /* it frees its memory when it ends: the leak checker would report it */
        UNTIL(READ(g.left));
    }
    sleep_ms(50);
}

/* -- under pressure ----------------------------------------------------------------------------------------------- */

static int sometimes(uf_work *work, void *argument)
{
    unsigned const n = (unsigned)COUNT(*(int *)argument);
    if (n % 7 == 0) sleep_ms(1);
    if (n % 11 == 0) uf_work_fail(work, "%u", n);
    return (int)n;
}

static void *start_and_cancel(void *argument)
{
    static int count;
    for (int i = 0; i < MANY(300); i++) {
        Jobber *const flow = &jobbers[((intptr_t)argument + i) % 4];
        order const what = {sometimes, &count};
        switch (i % 5) {
        case 0: (void)Jobber_start_Ask(flow, what, UF_US(300)); break;
        case 1: (void)Jobber_start_Leave(flow, what); break;
        case 2: (void)Jobber_start_Flood(flow, what, 20); break;
        case 3: (void)Jobber_start_Repeat(flow, what, 3); break;
        case 4: (void)uf_flow_cancel(&flow->uf); break;
        }
        if (i % 3 == 0) (void)uf_flow_wait(&flow->uf, UF_MS(2), NULL);
    }
    return NULL;
}

CASE(jobs_under_pressure)
{
    threads crowd;
    begin_jobs(NULL);
    crowd_start(&crowd, 4, start_and_cancel);
    crowd_join(&crowd);
    end_jobs();
}

static void clear_first(void *status)
{
    *(uf_status *)status = uf_job_clear(&jobbers[0].uf, &jobbers[0].uf_task.many[0].job);
}

static int seven = 7; /* for workers, also for a late one */

static void start_and_clear(void *status)
{
    assert_int_equal(Jobber_start_Leave(&jobbers[0], (order){answer, &seven}), UF_OK);
    clear_first(status);
}

/* Its task state is not initialised yet: it may still have values of the last task. */
CASE(no_job_of_a_task_that_was_not_entered)
{
    uf_status status = UF_OK;
    begin_jobs(NULL);
    jobbers[0].uf_task.many[0].job = (uf_job){.work = (uf_work *)&status, .status = UF_JOB_PENDING};
    assert_int_equal(uf_start_claim(&jobbers[0].uf), UF_OK); /* another thread is about to start it */
    assert_int_equal(uf_post_wait(runtime, clear_first, &status), UF_OK);
    assert_int_equal(status, UF_INVALID);
    jobbers[0].uf_task.what = (order){answer, &seven};
    jobbers[0].uf_task.limit = UF_FOREVER;
    uf_start_commit(&jobbers[0].uf, 0, NULL);
    assert_int_equal(wait_for(&jobbers[0], NULL), UF_DONE);
    jobbers[0].uf_task.many[0].job = (uf_job){.work = (uf_work *)&status, .status = UF_JOB_PENDING};
    assert_int_equal(uf_post_wait(runtime, start_and_clear, &status), UF_OK);
    assert_int_equal(status, UF_INVALID);
    assert_int_equal(wait_for(&jobbers[0], NULL), UF_DONE);
    end_jobs();
}
