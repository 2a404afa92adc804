/* SPDX-License-Identifier: MIT */
/* working.c - generated jobs: with each kind of pool, in virtual time and with threads. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "harness.h"

#include "uflow/pool.h"
#include "uflow/runtime.h"

#include "working.h"

#define LONG UF_S(60)

int working_slow = 500, working_quick = 10;

void working_sleep(int ms)
{
    struct timespec const time = {ms / 1000, ms % 1000 * 1000000L};
    nanosleep(&time, NULL);
}

static Boss boss;

static int begin_with(uf_pool *pool)
{
    log_clear();
    return uf_pump_init(&pump, &(uf_pump_config){.pool = pool}) == UF_OK && Boss_init(&boss, &pump, "boss") == UF_OK
               ? 0
               : 1;
}

static int begin_inline(void **state)
{
    (void)state;
    return begin_with(uf_pool_inline());
}

static int begin_seeded(void **state)
{
    static uf_seeded_pool pool;
    static uf_work works[8];
    (void)state;
    if (uf_pool_seeded(&pool, works, 8, 7, UF_MS(50)) != UF_OK) return 1;
    return begin_with(&pool.pool);
}

static int begin_without(void **state)
{
    (void)state;
    return begin_with(NULL);
}

static int end(void **state)
{
    (void)state;
    return Boss_destroy(&boss) == UF_OK ? 0 : 1;
}

/* -- without threads ----------------------------------------------------------------------------------------------- */

CASE_WITH(results_by_value, begin_inline, end)
{
    int result = 0;
    assert_int_equal(Boss_start_One(&boss, 21), UF_OK);
    run_until_idle();
    assert_true(Boss_result_One(&boss, &result));
    assert_int_equal(result, 42);
    Boss_start_All(&boss);
    run_until_idle();
    assert_log("8 7 g hello");
    assert_int_equal(boss.uf_jobs, 0);
}
CASE_ALSO(results_by_value, begin_seeded, end)

CASE_WITH(reasons, begin_inline, end)
{
    Boss_start_One(&boss, 1001);
    run_until_idle();
    assert_string_equal(uf_flow_reason(&boss.uf), "one: 1001 is too large for me");
    Boss_start_Otherwise(&boss, 1002);
    run_until_idle();
    assert_log("failed:1002 is too large for me");
    log_clear();
    Boss_start_Silent(&boss);
    run_until_idle();
    assert_log("<>");
    assert_int_equal(uf_flow_outcome(&boss.uf), UF_FAILED);
    Boss_start_Unsubmitted(&boss);
    run_until_idle();
    assert_string_equal(uf_flow_reason(&boss.uf), "a: not submitted");
}
CASE_ALSO(reasons, begin_seeded, end)

CASE_WITH(without_a_pool_it_is_rejected, begin_without, end)
{
    Boss_start_One(&boss, 1);
    run_until_idle();
    assert_string_equal(uf_flow_reason(&boss.uf), "one: rejected: no pool");
}

CASE_WITH(a_cleared_job_fails, begin_seeded, end)
{
    Boss_start_Cleared(&boss);
    run_until_idle();
    assert_string_equal(uf_flow_reason(&boss.uf), "a: cleared");
    assert_log("exit cleared");
}

/* -- with threads ------------------------------------------------------------------------------------------------- */

static uf_runtime *runtime;

static int begin_runtime(void **state)
{
    (void)state;
    log_clear();
    if (uf_runtime_new(&runtime, NULL) != UF_OK) return 1;
    return Boss_init(&boss, uf_runtime_pump(runtime), "boss") == UF_OK ? 0 : 1;
}

static int end_runtime(void **state)
{
    (void)state;
    return uf_runtime_free(runtime) == UF_OK ? 0 : 1;
}

CASE_WITH(through_threads, begin_runtime, end_runtime)
{
    int result = 0, counted = 0;
    uf_call_info info;
    assert_int_equal(Boss_call_One(&boss, 21, LONG, &result, &info), UF_OK);
    assert_int_equal(result, 42);
    assert_int_equal(Boss_call_One(&boss, 2000, LONG, &result, &info), UF_NOT_DONE);
    assert_string_equal(info.reason, "one: 2000 is too large for me");
    assert_int_equal(Boss_call_All(&boss, LONG, &info), UF_OK);
    assert_log("8 7 g hello");
    assert_int_equal(Boss_call_Many(&boss, &counted, 500, LONG, &result, &info), UF_OK);
    assert_int_equal(result, 500);
    assert_int_equal(__atomic_load_n(&counted, __ATOMIC_RELAXED), 500);
    assert_int_equal(Boss_call_Poll(&boss, LONG, &info), UF_OK);
    assert_int_equal(Boss_call_Quick(&boss, LONG, &info), UF_OK);
}

CASE_WITH(too_late, begin_runtime, end_runtime)
{
    uf_call_info info;
    assert_int_equal(Boss_call_Late(&boss, LONG, &info), UF_NOT_DONE);
    assert_non_null(strstr(info.reason, "timed out")); /* even "in the queue", if no worker was free for so long */
    for (int i = 0; i < 50; i++)
        assert_int_equal(Boss_call_Away(&boss, LONG, &info), UF_OK); /* abandoned: reported, and dropped */
    int result = 0;
    assert_int_equal(Boss_call_One(&boss, 3, LONG, &result, &info), UF_OK);
    assert_int_equal(result, 6);
}
