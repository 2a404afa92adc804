/* SPDX-License-Identifier: MIT */
/* real_time.c - `timeout real D` and `on timeout real D`: on the real clock, whatever the scale and freeze say. */
#include "harness.h"

#include <stdio.h>
#include <string.h>

#include "uflow/dump.h"

#include "real_time.h"

enum { WAITERS = 60 };
static Waiter waiters[WAITERS];

static int begin_waiters(void **state)
{
    if (begin(state)) return 1;
    for (int i = 0; i < WAITERS; i++)
        if (Waiter_init(&waiters[i], &pump, "waiter", i) != UF_OK) return 1;
    return 0;
}

static int end_waiters(void **state)
{
    (void)state;
    for (int i = 0; i < WAITERS; i++)
        if (Waiter_destroy(&waiters[i]) != UF_OK) return 1;
    return uf_pump_destroy(&pump) != UF_OK;
}

static uf_time real_now(void)
{
    return uf_pump_real_now(&pump);
}

#define WITH_WAITERS(name) CASE_WITH(name, begin_waiters, end_waiters)

WITH_WAITERS(neither_scale_nor_freeze_reaches_it)
{
    static double const scales[] = {1, 0.25, 3, 0};
    for (size_t i = 0; i < 2 * sizeof scales / sizeof *scales; i++) {
        uf_time const begun = real_now();
        assert_int_equal(uf_pump_set_scale(&pump, scales[i / 2]), UF_OK);
        if (i % 2) uf_pump_freeze(&pump);
        assert_int_equal(Waiter_start_Real(&waiters[0], UF_MS(30)), UF_OK);
        assert_int_equal(Waiter_start_TaskReal(&waiters[1], UF_MS(20), UF_FOREVER), UF_OK);
        run_until_idle();
        assert_int_equal(waiters[0].ended_at - begun, UF_MS(30));
        assert_int_equal(waiters[1].ended_at - begun, UF_MS(20));
        assert_string_equal(waiters[0].by, "late");
        assert_string_equal(waiters[1].by, "real");
        uf_pump_resume(&pump);
    }
}

/* While the clock is frozen, conditions are polled until then. */
WITH_WAITERS(a_frozen_simulation_polls_until_it_comes)
{
    uf_pump_freeze(&pump);
    uf_time const begun = real_now();
    assert_int_equal(Waiter_start_Polls(&waiters[0], UF_MS(70)), UF_OK);
    run_until_idle();
    assert_int_equal(real_now() - begun, UF_MS(70));
    assert_string_equal(waiters[0].by, "late");
    uf_pump_resume(&pump);
}

WITH_WAITERS(the_first_one_decides_and_of_equal_ones_the_source_order)
{
    static struct {
        int real, logical;
        const char *real_first, *logical_first;
    } const cases[] = {{10, 20, "real", "real"},  {20, 10, "logical", "logical"}, {10, 10, "real", "logical"},
                       {0, 10, "real", "real"},   {10, 0, "logical", "logical"},  {0, 0, "real", "logical"},
                       {-5, 0, "real", "logical"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uf_time const real = UF_MS(cases[i].real), logical = UF_MS(cases[i].logical);
        assert_int_equal(Waiter_start_RealFirst(&waiters[0], real, logical), UF_OK);
        assert_int_equal(Waiter_start_LogicalFirst(&waiters[1], real, logical), UF_OK);
        assert_int_equal(Waiter_start_TaskReal(&waiters[2], real, logical), UF_OK);
        assert_int_equal(Waiter_start_TaskLogical(&waiters[3], real, logical), UF_OK);
        run_until_idle();
        assert_string_equal(waiters[0].by, cases[i].real_first);
        assert_string_equal(waiters[1].by, cases[i].logical_first);
        assert_string_equal(waiters[2].by, cases[i].real_first);
        assert_string_equal(waiters[3].by, cases[i].logical_first);
    }
}

WITH_WAITERS(a_round_wakes_whom_it_finds_due)
{
    assert_int_equal(Waiter_start_Alone(&waiters[0]), UF_OK);
    assert_int_equal(Waiter_start_TaskReal(&waiters[1], UF_MS(30), UF_MS(10)), UF_OK);
    uf_pump_freeze(&pump);
    uf_pump_round(&pump, UF_MS(1));
    rounds(2);
    assert_int_equal(uf_pump_timeout(&pump), UF_MS(30));
    uf_pump_round(&pump, UF_MS(30));
    assert_true(uf_flow_running(&waiters[0].uf));
    uf_pump_round(&pump, UF_MS(31));
    rounds(2);
    assert_string_equal(waiters[0].by, "late");
    assert_string_equal(waiters[1].by, "real");
    uf_pump_resume(&pump);
}

WITH_WAITERS(a_task_that_ends_takes_it_along)
{
    assert_int_equal(Waiter_start_TaskReal(&waiters[0], UF_MS(20), UF_FOREVER), UF_OK);
    rounds(2);
    uf_signal_fire(&waiters[0].go);
    run_until_idle();
    assert_string_equal(waiters[0].by, "go");
    assert_int_equal(uf_simulate_until_idle(&pump, UF_S(1)), UF_OK);
    assert_null(pump.real_timers);
    assert_int_equal(pump.real_events, 0);
}

WITH_WAITERS(jobs_and_timers_share_the_real_clock)
{
    static uf_seeded_pool pool;
    static uf_work works[4];
    int late = 0, done = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        static uf_pump other;
        Waiter one;
        assert_int_equal(uf_pool_seeded(&pool, works, 4, seed, UF_MS(10)), UF_OK);
        assert_int_equal(uf_pump_init(&other, &(uf_pump_config){.pool = &pool.pool}), UF_OK);
        assert_int_equal(Waiter_init(&one, &other, "one", 0), UF_OK);
        uf_pump_freeze(&other);
        assert_int_equal(Waiter_start_Job(&one), UF_OK);
        assert_int_equal(uf_simulate_until_idle(&other, UF_S(1)), UF_OK);
        late += !strcmp(one.by, "late");
        done += !strcmp(one.by, "done");
        assert_true(other.clock.real <= UF_MS(5));
        assert_int_equal(Waiter_destroy(&one), UF_OK);
        assert_int_equal(uf_pump_destroy(&other), UF_OK);
    }
    assert_true(late > 5 && done > 5);
}

WITH_WAITERS(a_dump_tells_what_is_left)
{
    char text[1000] = "";
    uf_pump_freeze(&pump);
    assert_int_equal(Waiter_start_TaskReal(&waiters[0], UF_S(3), UF_S(2)), UF_OK);
    assert_int_equal(Waiter_start_Alone(&waiters[1]), UF_OK);
    rounds(2);
    uf_pump_round(&pump, real_now() + UF_MS(10));
    FILE *const file = tmpfile();
    assert_non_null(file);
    assert_int_equal(uf_pump_dump(&pump, file), UF_OK);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_non_null(strstr(text, "on timeout real in 2.99s"));
    assert_non_null(strstr(text, "on timeout in 2.00s"));
    assert_non_null(strstr(text, "timeout real in 20.00ms"));
    uf_pump_resume(&pump);
    (void)uf_pump_cancel_all(&pump);
    rounds(1);
}

/* -- any history --------------------------------------------------------------------------------------------------- */

static unsigned below(uint64_t *random, unsigned count)
{
    *random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)((*random >> 33) % count);
}

/* Each timer is due at its time, however many others are set and removed meanwhile, and the earliest one is known. */
WITH_WAITERS(each_one_of_many_is_due_at_its_time)
{
    for (uint64_t seed = 0; seed < 30; seed++) {
        uint64_t random = seed;
        uf_time deadlines[WAITERS];
        for (int i = 0; i < WAITERS; i++) deadlines[i] = waiters[i].ended_at = -1;
        if (seed % 3 == 0) uf_pump_freeze(&pump);
        for (int i = 0; i < 400; i++) {
            unsigned const which = below(&random, WAITERS);
            Waiter *const waiter = &waiters[which];
            if (!uf_flow_running(&waiter->uf)) {
                unsigned const unit = below(&random, 3); /* few different deadlines, or many */
                uf_time const within = (1 + below(&random, 50)) * (unit == 0 ? UF_MS(1) : unit == 1 ? 1 : UF_S(100));
                assert_int_equal(Waiter_start_Real(waiter, within), UF_OK);
                rounds(1);
                deadlines[which] = real_now() + within;
            } else if (below(&random, 2)) {
                uf_signal_fire(&waiter->go);
                rounds(3);
                assert_string_equal(waiter->by, "go");
            } else {
                uf_time earliest = UF_FOREVER;
                for (int k = 0; k < WAITERS; k++)
                    if (uf_flow_running(&waiters[k].uf) && deadlines[k] < earliest) earliest = deadlines[k];
                assert_int_equal(uf_pump_timeout(&pump), earliest - real_now());
                uf_pump_round(&pump, earliest);
                rounds(2);
            }
            for (int k = 0; k < WAITERS; k++) {
                if (uf_flow_running(&waiters[k].uf)) assert_true(deadlines[k] > real_now());
                else if (!strcmp(waiters[k].by, "late") && deadlines[k] >= 0)
                    assert_int_equal(waiters[k].ended_at, deadlines[k]);
            }
        }
        for (int k = 0; k < WAITERS; k++) (void)uf_flow_cancel(&waiters[k].uf);
        rounds(2);
        assert_null(pump.real_timers);
        assert_int_equal(pump.real_events, 0);
        uf_pump_resume(&pump);
    }
}
