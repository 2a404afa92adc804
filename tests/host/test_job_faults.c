/* SPDX-License-Identifier: MIT */
/* test_job_faults.c - a pool requests all resources when it is created, which may fail at each point. It requests none
 * later, for any number of jobs. See test_faults.c. */
#include "host_test.h"

#include <errno.h>

#include "uflow/pool.h"

#include "jobber.h"
#include "thread_ends.h"

bool ufp_fault(void);

static int countdown = -1; /* how many requests still succeed; -1: all */
static bool for_good;
static int hits, asked;

/* A test build of the port calls it before each request to the system. */
bool ufp_fault(void)
{
    COUNT(asked);
    if (READ(countdown) < 0) return false;
    if (READ(countdown) > 0) {
        __atomic_sub_fetch(&countdown, 1, __ATOMIC_SEQ_CST);
        return false;
    }
    COUNT(hits);
    if (!for_good) SET(countdown, -1);
    return true;
}

static void out_of_it(int after, bool from_there_on)
{
    SET(hits, 0);
    for_good = from_there_on;
    SET(countdown, after);
}

static bool was_hit(void)
{
    SET(countdown, -1);
    return READ(hits) > 0;
}

static int answer(uf_work *work, void *argument)
{
    (void)work;
    return *(int *)argument;
}

static int one = 1;

CASE(a_pool_at_each_point)
{
    for (int sticky = 0; sticky < 2; sticky++) {
        for (int point = 0;; point++) {
            uf_pool *pool = NULL;
            errno = 0;
            out_of_it(point, sticky);
            uf_status const status = uf_pool_new(&pool, &(uf_pool_config){.workers = 3, .queue = 1});
            int const reason = errno;
            if (!was_hit()) {
                assert_int_equal(status, UF_OK);
                assert_int_equal(uf_pool_free(pool, UF_FOREVER), UF_OK);
                assert_int_equal(point, 1 + 2 + 3 + 3); /* memory, a lock and a condition, three more, three threads */
                break;
            }
            assert_null(pool);
            assert_int_equal(status, point == 0 ? UF_NO_MEMORY : UF_NO_THREAD);
            if (point > 0) assert_int_equal(reason, EAGAIN);
        }
    }
}

/* The first submit makes the pool, or is rejected; the next one tries again. */
CASE(a_pool_of_its_own_at_each_point)
{
    for (int point = 0;; point++) {
        Jobber flow;
        uf_runtime_config const config = {.workers = 2};
        uf_call_info end;
        assert_int_equal(uf_runtime_new(&runtime, &config), UF_OK);
        assert_int_equal(Jobber_init(&flow, uf_runtime_pump(runtime), "flow"), UF_OK);
        out_of_it(point, false);
        assert_int_equal(Jobber_start_Ask(&flow, (order){answer, &one}, UF_FOREVER), UF_OK);
        UNTIL(!uf_flow_running(&flow.uf)); /* without any request */
        bool const hit = was_hit();
        assert_int_equal(uf_flow_wait(&flow.uf, LONG, &end), UF_OK);
        assert_int_equal(end.outcome, hit ? UF_FAILED : UF_DONE);
        if (hit) assert_memory_equal(end.reason, "rejected: no ", strlen("rejected: no "));
        assert_int_equal(Jobber_start_Ask(&flow, (order){answer, &one}, UF_FOREVER), UF_OK);
        assert_int_equal(uf_flow_wait(&flow.uf, LONG, &end), UF_OK);
        assert_int_equal(end.outcome, UF_DONE);
        assert_int_equal(uf_runtime_free(runtime), UF_OK);
        if (!hit) break;
    }
}

static void run_one(Jobber *flow, int (*function)(uf_work *, void *), bool no_thread, uf_call_info *end)
{
    out_of_it(no_thread ? 0 : -1, true);
    assert_int_equal(Jobber_start_Ask(flow, (order){function, &one}, UF_FOREVER), UF_OK);
    UNTIL(!uf_flow_running(&flow->uf)); /* its only request is for a thread */
    assert_int_equal(was_hit(), no_thread);
    assert_int_equal(uf_flow_wait(&flow->uf, LONG, end), UF_OK);
}

/* The thread that should have ended goes on, and its next job may end it again. Each of these jobs fails, the pool
 * still runs jobs, and can be freed. Bit i of `refused`: the system refuses a thread at the end i. Only the first end
 * is a cancellation: a thread that is ending already ignores it. */
CASE(threads_that_cannot_be_replaced)
{
    static int (*const ways[])(uf_work *, void *) = {exit_thread, cancel_thread, cancel_late};
    Jobber flow;
    uf_call_info end;
    for (int refused = 0; refused < 16; refused++) {
        for (int way = 0; way < 3; way++) {
            assert_int_equal(uf_runtime_new(&runtime, &(uf_runtime_config){.workers = 1}), UF_OK);
            assert_int_equal(Jobber_init(&flow, uf_runtime_pump(runtime), "flow"), UF_OK);
            run_one(&flow, answer, false, &end);
            for (int i = 0; i < 4; i++) {
                run_one(&flow, i == 0 ? ways[way] : exit_thread, refused & 1 << i, &end);
                assert_int_equal(end.outcome, UF_FAILED);
                assert_string_equal(end.reason, "its thread has ended");
                if (i % 2 == 0) continue; /* two ends in a row, too */
                run_one(&flow, answer, false, &end);
                assert_int_equal(end.outcome, UF_DONE);
            }
            assert_int_equal(uf_runtime_free(runtime), UF_OK);
        }
    }
}

/* A flow that submits many jobs needs no more resources than one that submits few. */
CASE(d6_a_million_jobs_leave_memory_flat)
{
    static Jobber flows[4];
    int const each = MANY(250000);
    assert_int_equal(uf_runtime_new(&runtime, NULL), UF_OK);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(Jobber_init(&flows[i], uf_runtime_pump(runtime), "flow"), UF_OK);
        assert_int_equal(Jobber_start_Ask(&flows[i], (order){answer, &one}, UF_FOREVER), UF_OK);
    }
    for (int i = 0; i < 4; i++) UNTIL(!uf_flow_running(&flows[i].uf));
    int const before = READ(asked);
    for (int i = 0; i < 4; i++) assert_int_equal(Jobber_start_Repeat(&flows[i], (order){answer, &one}, each), UF_OK);
    for (int i = 0; i < 4; i++) UNTIL(!uf_flow_running(&flows[i].uf));
    assert_int_equal(READ(asked), before);
    for (int i = 0; i < 4; i++) assert_int_equal(flows[i].uf_result, each);
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
}
