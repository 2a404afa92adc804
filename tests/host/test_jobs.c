/* test_jobs.c - jobs on threads: where they run, what they bring, and what does not wait for them. */
#include "host_test.h"

#include <stdlib.h>

#include "uflow/pool.h"

#include "jobber.h"

static Jobber jobbers[4];

static void begin_jobs(const uf_runtime_config *config)
{
    assert_int_equal(uf_runtime_new(&runtime, config), UF_OK);
    for (int i = 0; i < 4; i++) assert_int_equal(Jobber_init(&jobbers[i], uf_runtime_pump(runtime), "jobber"), UF_OK);
}

static void end_jobs(void)
{
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(jobbers[i].enters, jobbers[i].exits);
        assert_int_equal(jobbers[i].uf_jobs, 0);
        assert_null(jobbers[i].uf.pump);
    }
}

static uf_outcome wait_for(Jobber *flow, char *reason)
{
    uf_call_info end;
    assert_int_equal(uf_flow_wait(&flow->uf, LONG, &end), UF_OK);
    if (reason) memcpy(reason, end.reason, sizeof end.reason);
    return end.outcome;
}

/* -- workers ------------------------------------------------------------------------------------------------------- */

typedef struct
    gate { /* a worker that comes here waits until it is opened, or until it is told that nobody waits for it */
    int came, opened, left, told;
    bool deaf;
} gate;

static int pass(uf_work *work, void *argument)
{
    gate *const g = argument;
    (void)work;
    COUNT(g->came);
    while (!READ(g->opened)) {
        if (uf_job_cancelled()) {
            SET(g->told, 1);
            if (!g->deaf) break;
        }
        sleep_ms(1);
    }
    return COUNT(g->left);
}

static int answer(uf_work *work, void *argument)
{
    (void)work;
    return *(int *)argument;
}

static int refuse(uf_work *work, void *argument)
{
    uf_work_fail(work, "scale %d does not answer", *(int *)argument);
    uf_work_fail(work, "and this comes too late");
    return 7;
}

static int note_thread(uf_work *work, void *argument)
{
    (void)work;
    *(pthread_t *)argument = pthread_self();
    return uf_job_cancelled();
}

static pthread_t pumps_thread;

static void note_pumps_thread(Jobber *flow)
{
    (void)flow;
    pumps_thread = pthread_self();
}

static int nap_10_ms(uf_work *work, void *argument)
{
    (void)work;
    sleep_ms(10);
    __atomic_store_n((int64_t *)argument, real_now(), __ATOMIC_SEQ_CST);
    return 0;
}

/* For a body: until the worker is at it, so that it cannot be taken out of the queue any more. */
static void until_it_came(Jobber *flow)
{
    gate const *const g = flow->uf_task.what.argument;
    UNTIL(READ(g->came) >= (flow->context ? *(int *)flow->context : 1));
}

/* -- what is told, as text ------------------------------------------------------------------------------------------ */

static char told[16384];

static void note(const char *what, const uf_job_event *event)
{
    size_t const length = strlen(told);
    snprintf(told + length, sizeof told - length, "%s %s(%s) at %s %s%s%s %u;", what, event->job, event->worker,
             event->step, uf_job_status_text(event->status), event->reason[0] ? ": " : "", event->reason,
             (unsigned)event->in_flight);
}
static void on_submitted(void *context, const uf_flow *flow, const uf_job_event *event)
{
    (void)context;
    (void)flow;
    note("submitted", event);
}
static void on_completed(void *context, const uf_flow *flow, const uf_job_event *event)
{
    (void)context;
    (void)flow;
    note("completed", event);
}
static void on_abandoned(void *context, const uf_flow *flow, const uf_job_event *event)
{
    (void)context;
    (void)flow;
    note("abandoned", event);
}
static void on_rejected(void *context, const uf_flow *flow, const uf_job_event *event)
{
    (void)context;
    (void)flow;
    note("rejected", event);
}
static void on_ended(void *context, const uf_flow *flow, const uf_flow_end *end)
{
    (void)context;
    (void)flow;
    (void)end;
    size_t const length = strlen(told);
    snprintf(told + length, sizeof told - length, "ended;");
}

static uf_observer watching = {
    .job_submitted = on_submitted,
    .job_completed = on_completed,
    .job_abandoned = on_abandoned,
    .job_rejected = on_rejected,
    .flow_ended = on_ended,
};

static void begin_watched(uf_runtime_config config)
{
    told[0] = '\0';
    config.observers = &watching;
    begin_jobs(&config);
}

/* -- where and how ---------------------------------------------------------------------------------------------------- */

static void D1_a_worker_runs_on_a_thread_of_the_pool(void **state)
{
    pthread_t thread = pthread_self();
    (void)state;
    begin_watched((uf_runtime_config){0});
    assert_int_equal(Jobber_start_Ask(&jobbers[0], (order){note_thread, &thread}, UF_FOREVER), UF_OK);
    assert_int_equal(wait_for(&jobbers[0], NULL), UF_DONE);
    assert_false(pthread_equal(thread, pthread_self()));
    assert_int_equal(jobbers[0].uf_result, 0); /* not cancelled */
    assert_false(uf_job_cancelled());          /* here, never */
    end_jobs();
    assert_string_equal(told, "submitted a(perform) at Go pending 1;completed a(perform) at Go done 0;ended;");
}

static void D1_arguments_are_those_of_the_submit(void **state)
{
    static int numbers[2] = {1, 2};
    static gate g;
    (void)state;
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

static void D4_a_failure_brings_its_reason(void **state)
{
    static int three = 3;
    char reason[UF_REASON_SIZE];
    (void)state;
    begin_watched((uf_runtime_config){0});
    assert_int_equal(Jobber_start_Ask(&jobbers[0], (order){refuse, &three}, UF_FOREVER), UF_OK);
    assert_int_equal(wait_for(&jobbers[0], reason), UF_FAILED);
    assert_string_equal(reason, "scale 3 does not answer");
    end_jobs();
    assert_string_equal(told, "submitted a(perform) at Go pending 1;"
                              "completed a(perform) at Go failed: scale 3 does not answer 0;ended;");
}

/* -- time ----------------------------------------------------------------------------------------------------------- */

static void D2_a_timeout_wakes_the_pump_and_not_the_worker(void **state)
{
    static gate g;
    char reason[UF_REASON_SIZE];
    (void)state;
    g = (gate){.deaf = true};
    begin_watched((uf_runtime_config){0});
    int64_t const began = real_now();
    assert_int_equal(Jobber_start_Ask(&jobbers[0], (order){pass, &g}, UF_MS(500)), UF_OK);
    assert_int_equal(wait_for(&jobbers[0], reason), UF_FAILED); /* though nothing else would ever wake the pump */
    assert_true(real_now() - began >= UF_MS(500) && real_now() - began < LONG);
    assert_string_equal(reason, "timed out");
    UNTIL(READ(g.told)); /* the worker is at it still, and knows that nobody waits */
    assert_int_equal(READ(g.left), 0);
    SET(g.opened, 1);
    end_jobs();
    assert_non_null(strstr(told, "completed a(perform) at Go timed out: timed out 1;")); /* and in flight */
}

/* The pump is held up beyond the deadline, and finds a result that came in time, and one that came too late. */
static void hold_up(Jobber *flow)
{
    sleep_ms(*(int *)flow->context);
}

static void D2_what_counts_is_when_the_worker_ended(void **state)
{
    static int64_t ended;
    static int hold = 300;
    char reason[UF_REASON_SIZE];
    (void)state;
    begin_jobs(NULL);
    jobbers[0].body = jobbers[1].body = hold_up;
    jobbers[0].context = jobbers[1].context = &hold;
    assert_int_equal(Jobber_start_Ask(&jobbers[0], (order){nap_10_ms, &ended}, UF_MS(250)), UF_OK);
    uf_outcome const outcome = wait_for(&jobbers[0], reason);
    if (outcome != UF_DONE) assert_string_equal(reason, "timed out"); /* on a machine that was away for so long */
    assert_int_equal(Jobber_start_Ask(&jobbers[1], (order){nap_10_ms, &ended}, UF_MS(5)), UF_OK);
    assert_int_equal(wait_for(&jobbers[1], reason), UF_FAILED); /* it was there when the pump looked, and too late */
    assert_string_equal(reason, "timed out");
    end_jobs();
}

static void E4_a_frozen_clock_does_not_hold_a_jobs_timeout(void **state)
{
    static gate g;
    (void)state;
    g = (gate){0};
    begin_jobs(NULL);
    uf_pump_freeze(uf_runtime_pump(runtime));
    assert_int_equal(Jobber_start_Ask(&jobbers[0], (order){pass, &g}, UF_MS(20)), UF_OK);
    assert_int_equal(wait_for(&jobbers[0], NULL), UF_FAILED);
    end_jobs();
}

/* As soon as it once was: how long this machine is away at other times is nobody's business here. */
static void D9_a_finished_job_ends_the_pumps_nap(void **state)
{
    static int64_t ended;
    (void)state;
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
            assert_true(real_now() - began < UF_S(4)); /* and not when the nap is over */
            if (seen < best) best = seen;
            end_jobs();
        }
        assert_true(best < UF_MS(5));
    }
}

/* -- limits ---------------------------------------------------------------------------------------------------------- */

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

static void D3_the_65th_in_flight_is_rejected_and_seen(void **state)
{
    static gate g;
    int rejected = 0;
    char reason[UF_REASON_SIZE];
    (void)state;
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

static void a_flows_limit_can_be_another_one(void **state)
{
    static int one = 1;
    (void)state;
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

static void a_full_queue_rejects(void **state)
{
    static gate g;
    uf_pool *pool;
    (void)state;
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

/* -- what does not wait ------------------------------------------------------------------------------------------------- */

static void D7_the_end_of_a_flow_abandons_its_jobs_first(void **state)
{
    static gate g;
    (void)state;
    g = (gate){0};
    begin_watched((uf_runtime_config){0});
    jobbers[0].body = until_it_came;
    assert_int_equal(Jobber_start_Leave(&jobbers[0], (order){pass, &g}), UF_OK);
    assert_int_equal(wait_for(&jobbers[0], NULL), UF_DONE);
    SET(g.opened, 1);
    end_jobs();
    assert_string_equal(told, "submitted a(perform) at Go pending 1;abandoned a(perform) at Out pending 1;ended;");
}

/* The original gave each run ids from 1 on, so that the next run read a late worker's value as its own. */
static void d5_a_late_worker_brings_nothing_to_the_next_run(void **state)
{
    static gate g;
    static int five = 5;
    (void)state;
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

/* A stuck worker: its flow ends, is destroyed, its memory is used for something else. */
static void a_stuck_worker_holds_up_nobody(void **state)
{
    static gate g;
    (void)state;
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

/* The original ran them later all the same, and did not count them. */
static void d7_a_queued_job_that_timed_out_never_runs(void **state)
{
    static gate g, never;
    (void)state;
    g = never = (gate){0};
    uf_runtime_config const config = {.workers = 1};
    begin_jobs(&config);
    assert_int_equal(Jobber_start_Ask(&jobbers[0], (order){pass, &g}, UF_FOREVER), UF_OK);
    UNTIL(READ(g.came));
    for (int i = 1; i < 3; i++) assert_int_equal(Jobber_start_Ask(&jobbers[i], (order){pass, &never}, UF_MS(5)), UF_OK);
    assert_int_equal(Jobber_start_Leave(&jobbers[3], (order){pass, &never}), UF_OK); /* and one that was abandoned */
    for (int i = 1; i < 3; i++) assert_int_equal(wait_for(&jobbers[i], NULL), UF_FAILED);
    assert_int_equal(wait_for(&jobbers[3], NULL), UF_DONE);
    for (int i = 1; i < 4; i++) assert_int_equal(jobbers[i].uf_jobs, 0);
    SET(g.opened, 1);
    assert_int_equal(wait_for(&jobbers[0], NULL), UF_DONE);
    static int one = 1;
    assert_int_equal(Jobber_start_Ask(&jobbers[1], (order){answer, &one}, UF_FOREVER), UF_OK); /* behind them all */
    assert_int_equal(wait_for(&jobbers[1], NULL), UF_DONE);
    assert_int_equal(READ(never.came), 0);
    end_jobs();
}

static void d7_a_job_counts_until_its_worker_has_returned(void **state)
{
    static gate g;
    (void)state;
    g = (gate){.deaf = true};
    begin_watched((uf_runtime_config){.workers = 20, .jobs_per_flow = 2});
    int wanted = 0;
    jobbers[0].body = until_it_came;
    jobbers[0].context = &wanted;
    for (int i = 0; i < 20; i++) { /* the original had 20 workers at it, with a cap of 2 */
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

/* -- ends in every order --------------------------------------------------------------------------------------------------- */

static void the_runtime_ends_while_a_worker_of_its_own_runs(void **state)
{
    static gate g;
    (void)state;
    g = (gate){0};
    begin_jobs(NULL);
    assert_int_equal(Jobber_start_Ask(&jobbers[0], (order){pass, &g}, UF_FOREVER), UF_OK);
    UNTIL(READ(g.came));
    end_jobs(); /* the worker is told, and waited for */
    assert_int_equal(g.told, 1);
    assert_int_equal(g.left, 1);
}

static void the_runtime_ends_and_leaves_a_stuck_worker_behind(void **state)
{
    static gate g;
    (void)state;
    g = (gate){.deaf = true};
    uf_runtime_config const config = {.job_grace = UF_MS(10)};
    begin_jobs(&config);
    assert_int_equal(Jobber_start_Ask(&jobbers[0], (order){pass, &g}, UF_FOREVER), UF_OK);
    UNTIL(READ(g.came));
    end_jobs();
    assert_int_equal(READ(g.left), 0);
    SET(g.opened, 1); /* and it frees what it uses when it returns: the leak checker will tell */
    UNTIL(READ(g.left));
    sleep_ms(50);
}

static void a_runtime_ends_before_its_pool(void **state)
{
    static gate g;
    uf_pool *pool;
    (void)state;
    g = (gate){.deaf = true};
    assert_int_equal(uf_pool_new(&pool, NULL), UF_OK);
    uf_runtime_config const config = {.pool = pool};
    begin_jobs(&config);
    assert_int_equal(Jobber_start_Ask(&jobbers[0], (order){pass, &g}, UF_FOREVER), UF_OK);
    UNTIL(READ(g.came));
    end_jobs(); /* does not wait for a worker of a pool that is not its own */
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

static void a_pool_ends_before_its_runtime(void **state)
{
    static gate g;
    uf_pool *pool;
    char reason[UF_REASON_SIZE];
    (void)state;
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
    assert_int_equal(wait_for(&jobbers[0], NULL), UF_DONE); /* the one that was left behind brings what it has */
    end_jobs();
}

static void several_runtimes_share_a_pool(void **state)
{
    static int one = 1;
    uf_runtime *runtimes[3];
    static Jobber flows[3];
    uf_pool *pool;
    (void)state;
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

/* The pools that have no threads do their work on the runtime's, in real time. */
static void D11_a_runtime_with_a_pool_without_threads(void **state)
{
    static uf_seeded_pool seeded;
    static uf_work works[8];
    static int one = 1;
    (void)state;
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
        end_jobs(); /* with one on its way, perhaps */
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

static void a_worker_cannot_wait_for_itself(void **state)
{
    uf_pool *pool;
    (void)state;
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
    assert_int_equal(uf_pool_free(pool, LONG), UF_OK); /* the worker may be on its way out still */
    assert_int_equal(uf_pool_free(uf_pool_inline(), 0), UF_INVALID);
    assert_int_equal(uf_pool_free(NULL, 0), UF_INVALID);
    assert_int_equal(uf_pool_new(NULL, NULL), UF_INVALID);
}

/* -- under pressure -------------------------------------------------------------------------------------------------------- */

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

static void jobs_under_pressure(void **state)
{
    threads crowd;
    (void)state;
    begin_jobs(NULL);
    crowd_start(&crowd, 4, start_and_cancel);
    crowd_join(&crowd);
    end_jobs();
}

static void clear_first(void *status)
{
    *(uf_status *)status = uf_job_clear(&jobbers[0].uf, &jobbers[0].uf_task.many[0].job);
}

static int seven = 7; /* for workers, also for one that comes late */

static void start_and_clear(void *status)
{
    assert_int_equal(Jobber_start_Leave(&jobbers[0], (order){answer, &seven}), UF_OK);
    clear_first(status);
}

/* Its state is not its own yet: it may still have what the last task left there. */
static void no_job_of_a_task_that_was_not_entered(void **state)
{
    uf_status status = UF_OK;
    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(D1_a_worker_runs_on_a_thread_of_the_pool),
        cmocka_unit_test(D1_arguments_are_those_of_the_submit),
        cmocka_unit_test(D4_a_failure_brings_its_reason),
        cmocka_unit_test(D2_a_timeout_wakes_the_pump_and_not_the_worker),
        cmocka_unit_test(D2_what_counts_is_when_the_worker_ended),
        cmocka_unit_test(E4_a_frozen_clock_does_not_hold_a_jobs_timeout),
        cmocka_unit_test(D9_a_finished_job_ends_the_pumps_nap),
        cmocka_unit_test(D3_the_65th_in_flight_is_rejected_and_seen),
        cmocka_unit_test(a_flows_limit_can_be_another_one),
        cmocka_unit_test(a_full_queue_rejects),
        cmocka_unit_test(D7_the_end_of_a_flow_abandons_its_jobs_first),
        cmocka_unit_test(d5_a_late_worker_brings_nothing_to_the_next_run),
        cmocka_unit_test(a_stuck_worker_holds_up_nobody),
        cmocka_unit_test(d7_a_queued_job_that_timed_out_never_runs),
        cmocka_unit_test(d7_a_job_counts_until_its_worker_has_returned),
        cmocka_unit_test(the_runtime_ends_while_a_worker_of_its_own_runs),
        cmocka_unit_test(the_runtime_ends_and_leaves_a_stuck_worker_behind),
        cmocka_unit_test(a_runtime_ends_before_its_pool),
        cmocka_unit_test(a_pool_ends_before_its_runtime),
        cmocka_unit_test(several_runtimes_share_a_pool),
        cmocka_unit_test(D11_a_runtime_with_a_pool_without_threads),
        cmocka_unit_test(a_worker_cannot_wait_for_itself),
        cmocka_unit_test(no_job_of_a_task_that_was_not_entered),
        cmocka_unit_test(jobs_under_pressure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
