/* SPDX-License-Identifier: MIT */
/* test_jobs.c - jobs on threads: where they run, their results, and operations that do not wait for them. */
#include "jobs_fixture.h"

#include "uflow/dump.h"

/* -- where and how ------------------------------------------------------------------------------------------------ */

CASE(D1_a_worker_runs_on_a_thread_of_the_pool)
{
    pthread_t thread = pthread_self();
    begin_watched((uf_runtime_config){0});
    assert_int_equal(Jobber_start_Ask(&jobbers[0], (order){note_thread, &thread}, UF_FOREVER), UF_OK);
    assert_int_equal(wait_for(&jobbers[0], NULL), UF_DONE);
    assert_false(pthread_equal(thread, pthread_self()));
    assert_int_equal(jobbers[0].uf_result, 0); /* not cancelled */
    assert_false(uf_job_cancelled());          /* never on this thread */
    end_jobs();
    assert_string_equal(told, "submitted a(perform) at Go pending 1;completed a(perform) at Go done 0;ended;");
}

CASE(D1_arguments_are_those_of_the_submit)
{
    static int numbers[2] = {1, 2};
    static gate g;
    uf_runtime_config const config = {.workers = 1};
    g = (gate){0};
    begin_jobs(&config);
    assert_int_equal(Jobber_start_Ask(&jobbers[0], (order){pass, &g}, UF_FOREVER), UF_OK);
    UNTIL(READ(g.came));
    assert_int_equal(Jobber_start_Ask(&jobbers[1], (order){answer, &numbers[0]}, UF_FOREVER), UF_OK); /* waits */
    UNTIL(READ(jobbers[1].bodies));
    SET(g.opened, 1);
    assert_int_equal(wait_for(&jobbers[1], NULL), UF_DONE);
    assert_int_equal(jobbers[1].uf_result, 1);
    end_jobs();
}

CASE(D4_a_failure_brings_its_reason)
{
    static int three = 3;
    char reason[UF_REASON_SIZE];
    begin_watched((uf_runtime_config){0});
    assert_int_equal(Jobber_start_Ask(&jobbers[0], (order){refuse, &three}, UF_FOREVER), UF_OK);
    assert_int_equal(wait_for(&jobbers[0], reason), UF_FAILED);
    assert_string_equal(reason, "scale 3 does not answer");
    end_jobs();
    assert_string_equal(told, "submitted a(perform) at Go pending 1;"
                              "completed a(perform) at Go failed: scale 3 does not answer 0;ended;");
}

/* -- time --------------------------------------------------------------------------------------------------------- */

CASE(D2_a_timeout_wakes_the_pump_and_not_the_worker)
{
    static gate g;
    char reason[UF_REASON_SIZE];
    g = (gate){.deaf = true};
    begin_watched((uf_runtime_config){0});
    int64_t const began = real_now();
    assert_int_equal(Jobber_start_Ask(&jobbers[0], (order){pass, &g}, UF_MS(500)), UF_OK);
    assert_int_equal(wait_for(&jobbers[0], reason), UF_FAILED); /* though no other event would wake the pump */
    assert_true(real_now() - began >= UF_MS(500) && real_now() - began < LONG);
    assert_string_equal(reason, "timed out");
    UNTIL(READ(g.told)); /* the worker still runs, and is cancelled */
    assert_int_equal(READ(g.left), 0);
    SET(g.opened, 1);
    end_jobs();
    assert_non_null(strstr(told, "completed a(perform) at Go timed out: timed out 1;")); /* and in flight */
}

/* The pump is delayed beyond the deadline. Then it finds a result that was in time, and one that was late. */
static void hold_up(Jobber *flow)
{
    sleep_ms(*(int *)flow->context);
}

CASE(D2_what_counts_is_when_the_worker_ended)
{
    static int64_t ended;
    static int hold = 300;
    char reason[UF_REASON_SIZE];
    begin_jobs(NULL);
    jobbers[0].body = jobbers[1].body = hold_up;
    jobbers[0].context = jobbers[1].context = &hold;
    assert_int_equal(Jobber_start_Ask(&jobbers[0], (order){nap_10_ms, &ended}, UF_MS(250)), UF_OK);
    uf_outcome const outcome = wait_for(&jobbers[0], reason);
    if (outcome != UF_DONE) assert_non_null(strstr(reason, "timed out")); /* if the machine was suspended for so long */
    assert_int_equal(Jobber_start_Ask(&jobbers[1], (order){nap_10_ms, &ended}, UF_MS(5)), UF_OK);
    assert_int_equal(wait_for(&jobbers[1], reason), UF_FAILED); /* it had arrived before the check, but too late */
    assert_non_null(strstr(reason, "timed out")); /* or even "in the queue", if no worker was free for so long */
    end_jobs();
}

CASE(E4_a_frozen_clock_does_not_hold_a_jobs_timeout)
{
    static gate g;
    g = (gate){0};
    begin_jobs(NULL);
    uf_pump_freeze(uf_runtime_pump(runtime));
    assert_int_equal(Jobber_start_Ask(&jobbers[0], (order){pass, &g}, UF_MS(20)), UF_OK);
    assert_int_equal(wait_for(&jobbers[0], NULL), UF_FAILED);
    end_jobs();
}

/* Takes the shortest of several measurements, since the machine may be busy at other times. */
CASE(D9_a_finished_job_ends_the_pumps_nap)
{
    static int64_t ended;
    uf_runtime_config const config = {.stay_interval = UF_S(5)};
    for (int look = 0; look < 2; look++) { /* parked, and polling */
        int64_t best = INT64_MAX;
        for (int i = 0; i < 50 && best >= UF_MS(5); i++) {
            begin_jobs(&config);
            order const what = {nap_10_ms, &ended};
            int64_t const began = real_now();
            assert_int_equal(
                look ? Jobber_start_Look(&jobbers[0], what) : Jobber_start_Ask(&jobbers[0], what, UF_FOREVER), UF_OK);
            assert_int_equal(wait_for(&jobbers[0], NULL), UF_DONE);
            int64_t const seen = real_now() - READ(ended);
            assert_true(real_now() - began < UF_S(4)); /* and not at the end of the sleep */
            if (seen < best) best = seen;
            end_jobs();
        }
        assert_true(best < UF_MS(5));
    }
}

#if defined(__linux__) && defined(__GLIBC__)
static int note_stack(uf_work *work, void *size)
{
    pthread_attr_t attributes;
    (void)work;
    (void)pthread_getattr_np(pthread_self(), &attributes);
    (void)pthread_attr_getstacksize(&attributes, size);
    return pthread_attr_destroy(&attributes);
}

CASE(its_own_pool_has_the_stack_size_of_the_runtime)
{
    size_t size = 0;
    begin_jobs(&(uf_runtime_config){.stack_size = 1 << 20});
    assert_int_equal(Jobber_start_Ask(&jobbers[0], (order){note_stack, &size}, UF_FOREVER), UF_OK);
    assert_int_equal(wait_for(&jobbers[0], NULL), UF_DONE);
    assert_true(size >= 1 << 20 && size < 2 << 20); /* with a guard */
    end_jobs();
}
#endif

/* -- limits ------------------------------------------------------------------------------------------------------- */

static void look_at_many(Jobber *flow)
{
    for (int i = 0; i < flow->uf_task.count; i++) {
        uf_job const *const job = &flow->uf_task.many[i].job;
        if (uf_job_status_of(job) == UF_JOB_REJECTED)
            assert_string_equal(uf_job_reason(job), "rejected: too many of this flow are in flight");
        flow->uf_task.sum += uf_job_status_of(job) == UF_JOB_REJECTED;
    }
    *(int *)flow->context = flow->uf_task.sum;
    flow->uf_task.sum = 0;
}

CASE(D3_the_65th_in_flight_is_rejected_and_seen)
{
    static gate g;
    int rejected = 0;
    char reason[UF_REASON_SIZE];
    g = (gate){0};
    begin_watched((uf_runtime_config){0});
    jobbers[0].body = look_at_many;
    jobbers[0].context = &rejected;
    assert_int_equal(Jobber_start_Flood(&jobbers[0], (order){pass, &g}, 65), UF_OK);
    UNTIL(READ(jobbers[0].bodies) && READ(g.came) == 4);
    SET(g.opened, 1);
    assert_int_equal(wait_for(&jobbers[0], reason), UF_FAILED);
    assert_int_equal(rejected, 1);
    assert_string_equal(reason, "many: rejected: too many of this flow are in flight");
    end_jobs();
    assert_non_null(strstr(told, "rejected many(perform) at Go rejected: too many of this flow are in flight 64;"));
    assert_int_equal(g.left, 64);
}

CASE(a_flows_limit_can_be_another_one)
{
    static int one = 1;
    uf_runtime_config const config = {.jobs_per_flow = UINT32_MAX};
    begin_jobs(&config);
    assert_int_equal(uf_runtime_configuration(runtime)->jobs_per_flow, UINT32_MAX);
    assert_int_equal(Jobber_start_Flood(&jobbers[0], (order){answer, &one}, JOBBER_MANY), UF_OK);
    assert_int_equal(wait_for(&jobbers[0], NULL), UF_DONE);
    end_jobs();
    begin_jobs(NULL);
    assert_int_equal(uf_runtime_configuration(runtime)->jobs_per_flow, 64);
    assert_int_equal(uf_runtime_configuration(runtime)->workers, 4);
    end_jobs();
}

CASE(a_full_queue_rejects)
{
    static gate g;
    uf_pool *pool;
    g = (gate){0};
    assert_int_equal(uf_pool_new(&pool, &(uf_pool_config){.workers = 1, .queue = 2}), UF_OK);
    begin_watched((uf_runtime_config){.pool = pool});
    for (int i = 0; i < 4; i++) {
        assert_int_equal(Jobber_start_Ask(&jobbers[i], (order){pass, &g}, UF_FOREVER), UF_OK);
        UNTIL(READ(jobbers[i].bodies));
    }
    assert_int_equal(wait_for(&jobbers[3], NULL), UF_FAILED);
    SET(g.opened, 1);
    for (int i = 0; i < 3; i++) assert_int_equal(wait_for(&jobbers[i], NULL), UF_DONE);
    end_jobs();
    assert_int_equal(uf_pool_free(pool, LONG), UF_OK);
    assert_non_null(strstr(told, "rejected a(perform) at Go rejected: the pool is full, or has ended 0;"));
}

/* -- operations that do not wait ----------------------------------------------------------------------------------- */

/* The dump names the worker function and its flow while it runs. */
static void expect_given_up(void)
{
    char text[4096] = "";
    FILE *const out = tmpfile();

    assert_non_null(out);
    assert_int_equal(uf_runtime_dump(runtime, LONG, out), UF_OK);
    rewind(out);
    assert_true(fread(text, 1, sizeof text - 1, out) > 0);
    assert_int_equal(fclose(out), 0);
    assert_non_null(
        strstr(text, "a worker function of a job that was given up still runs: perform for jobber, submitted "));
}

CASE(D7_the_end_of_a_flow_abandons_its_jobs_first)
{
    static gate g;
    g = (gate){.deaf = true};
    begin_watched((uf_runtime_config){0});
    jobbers[0].body = until_it_came;
    assert_int_equal(Jobber_start_Leave(&jobbers[0], (order){pass, &g}), UF_OK);
    assert_int_equal(wait_for(&jobbers[0], NULL), UF_DONE);
    expect_given_up();
    SET(g.opened, 1);
    end_jobs();
    assert_string_equal(told, "submitted a(perform) at Go pending 1;abandoned a(perform) at Out pending 1;ended;");
}

/* The next run must not take a late worker's value for its own. */
CASE(d5_a_late_worker_brings_nothing_to_the_next_run)
{
    static gate g;
    static int five = 5;
    g = (gate){.deaf = true};
    begin_jobs(NULL);
    jobbers[0].body = until_it_came;
    assert_int_equal(Jobber_start_Leave(&jobbers[0], (order){pass, &g}), UF_OK);
    assert_int_equal(wait_for(&jobbers[0], NULL), UF_DONE);
    UNTIL(READ(g.told));
    static gate h;
    h = (gate){.left = 41};
    assert_int_equal(Jobber_start_Ask(&jobbers[0], (order){pass, &h}, UF_FOREVER), UF_OK); /* the same handle */
    UNTIL(READ(h.came));
    SET(g.opened, 1);
    UNTIL(READ(g.left));
    assert_int_equal(Jobber_start_Ask(&jobbers[1], (order){answer, &five}, UF_FOREVER), UF_OK); /* rounds go by */
    assert_int_equal(wait_for(&jobbers[1], NULL), UF_DONE);
    assert_true(uf_flow_running(&jobbers[0].uf));
    SET(h.opened, 1);
    assert_int_equal(wait_for(&jobbers[0], NULL), UF_DONE);
    assert_int_equal(jobbers[0].uf_result, 42);
    end_jobs();
}

/* A stuck worker: its flow ends and is destroyed, and its memory is reused. */
CASE(a_stuck_worker_holds_up_nobody)
{
    static gate g;
    g = (gate){.deaf = true};
    begin_jobs(NULL);
    Jobber *const flow = malloc(sizeof *flow);
    assert_int_equal(Jobber_init(flow, uf_runtime_pump(runtime), "short"), UF_OK);
    assert_int_equal(Jobber_start_Ask(flow, (order){pass, &g}, UF_FOREVER), UF_OK);
    UNTIL(READ(g.came));
    assert_int_equal(uf_flow_cancel(&flow->uf), UF_OK);
    assert_int_equal(wait_for(flow, NULL), UF_CANCELLED);
    assert_int_equal(flow->uf_jobs, 1);
    assert_int_equal(Jobber_destroy(flow), UF_OK);
    memset(flow, 0xa5, sizeof *flow);
    SET(g.opened, 1);
    UNTIL(READ(g.left));
    static int one = 1;
    assert_int_equal(Jobber_start_Repeat(&jobbers[0], (order){answer, &one}, 100), UF_OK);
    assert_int_equal(wait_for(&jobbers[0], NULL), UF_DONE);
    for (size_t i = 0; i < sizeof *flow; i++) assert_int_equal(((unsigned char *)flow)[i], 0xa5);
    free(flow);
    end_jobs();
}

/* Jobs that timed out in the queue never run, and are counted. */
CASE(d7_a_queued_job_that_timed_out_never_runs)
{
    static gate g, never;
    g = never = (gate){0};
    uf_runtime_config const config = {.workers = 1};
    begin_jobs(&config);
    assert_int_equal(Jobber_start_Ask(&jobbers[0], (order){pass, &g}, UF_FOREVER), UF_OK);
    UNTIL(READ(g.came));
    for (int i = 1; i < 3; i++) assert_int_equal(Jobber_start_Ask(&jobbers[i], (order){pass, &never}, UF_MS(5)), UF_OK);
    assert_int_equal(Jobber_start_Leave(&jobbers[3], (order){pass, &never}), UF_OK); /* and an abandoned one */
    for (int i = 1; i < 3; i++) assert_int_equal(wait_for(&jobbers[i], NULL), UF_FAILED);
    assert_int_equal(wait_for(&jobbers[3], NULL), UF_DONE);
    for (int i = 1; i < 4; i++) assert_int_equal(jobbers[i].uf_jobs, 0);
    SET(g.opened, 1);
    assert_int_equal(wait_for(&jobbers[0], NULL), UF_DONE);
    static int one = 1;
    assert_int_equal(Jobber_start_Ask(&jobbers[1], (order){answer, &one}, UF_FOREVER), UF_OK); /* after all others */
    assert_int_equal(wait_for(&jobbers[1], NULL), UF_DONE);
    assert_int_equal(READ(never.came), 0);
    end_jobs();
}

CASE(d7_a_job_counts_until_its_worker_has_returned)
{
    static gate g;
    g = (gate){.deaf = true};
    begin_watched((uf_runtime_config){.workers = 20, .jobs_per_flow = 2});
    int wanted = 0;
    jobbers[0].body = until_it_came;
    jobbers[0].context = &wanted;
    for (int i = 0; i < 20; i++) { /* never more than the limit */
        if (i < 2) wanted++;
        assert_int_equal(Jobber_start_Leave(&jobbers[0], (order){pass, &g}), UF_OK);
        assert_int_equal(wait_for(&jobbers[0], NULL), UF_DONE);
    }
    assert_int_equal(READ(g.came), 2);
    SET(g.opened, 1);
    UNTIL(READ(g.left) == 2);
    jobbers[0].body = NULL;
    do assert_int_equal(Jobber_start_Ask(&jobbers[0], (order){pass, &g}, UF_FOREVER), UF_OK); /* now there is room */
    while (wait_for(&jobbers[0], NULL) != UF_DONE);
    end_jobs();
}

/* -- what spins are measured by ------------------------------------------------------------------------------------ */

static void read_handled(void *count)
{
    *(uint32_t *)count = uf_runtime_pump(runtime)->delivered;
}

static uint32_t handled(void)
{
    uint32_t count;
    assert_int_equal(uf_post_wait(runtime, read_handled, &count), UF_OK);
    return count;
}

static void do_nothing(void *unused)
{
    (void)unused;
}

/* A thread that sleeps finds many of these at once. Counted as one, they would seem to take long. */
CASE(each_post_start_and_job_counts_as_work)
{
    static int zero = 0;
    begin_jobs(NULL);
    uint32_t const before = handled();
    for (int i = 0; i < 100; i++) assert_int_equal(uf_post(runtime, do_nothing, NULL), UF_OK);
    uint32_t const posted = handled();
    assert_int_equal(posted - before, 100 + 1); /* and the one that reads the count */
    for (int i = 0; i < 100; i++) {
        assert_int_equal(Jobber_start_Ask(&jobbers[0], (order){answer, &zero}, UF_FOREVER), UF_OK);
        assert_int_equal(wait_for(&jobbers[0], NULL), UF_DONE);
    }
    assert_in_range(handled() - posted, 200, 400); /* a wait may request rounds */
    end_jobs();
}
