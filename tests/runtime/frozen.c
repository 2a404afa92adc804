/* SPDX-License-Identifier: MIT */
/* frozen.c - simulations whose clock stands still: whatever polls is polled as by rounds, and no timer becomes due. */
#include "harness.h"

#include "frozen.h"

static Guard guard;
static Gate gate;
static Counter counter;
static bool is_open;

static void freeze(void)
{
    uf_pump_freeze(&pump);
}

static void scale_to_0(void)
{
    assert_int_equal(uf_pump_set_scale(&pump, 0), UF_OK);
}

static void (*const ways_to_stop[])(void) = {freeze, scale_to_0};

static uf_status start_await(uf_run *run)
{
    return Gate_start_run_Await(&gate, run);
}

static uf_status start_stay(uf_run *run)
{
    return Gate_start_run_Stay(&gate, run);
}

static uf_status start_weigh(uf_run *run)
{
    return Gate_start_run_Weigh(&gate, run);
}

static uf_status (*const ways_to_poll[])(uf_run *run) = {start_await, start_stay, start_weigh};

static uf_status until(uf_run run)
{
    (void)run;
    return uf_simulate_until(&pump, UF_S(10));
}

static uf_status until_idle(uf_run run)
{
    (void)run;
    return uf_simulate_until_idle(&pump, UF_S(10));
}

static uf_status until_end(uf_run run)
{
    return uf_simulate_until_end(&pump, run, UF_S(10));
}

static uf_status by_rounds(uf_run run)
{
    (void)run;
    for (int i = 1; i <= 10; i++) (void)uf_pump_round(&pump, pump.clock.real + UF_MS(1));
    return UF_OK;
}

static const struct way_to_drive {
    uf_status (*drive)(uf_run run);
    uf_status waits; /* the gate stays closed */
    uf_status opens; /* ... and is opened; uf_simulate_until() never gets to its time */
} ways_to_drive[] = {
    {by_rounds, UF_OK, UF_OK},
    {until, UF_BLOCKED, UF_BLOCKED},
    {until_idle, UF_BLOCKED, UF_OK},
    {until_end, UF_BLOCKED, UF_OK},
};

/* Starts flows that poll, stops the clock, drives, opens the gate, and drives again. */
static void run_pollers(uf_status (*start)(uf_run *run), void (*stop)(void), const struct way_to_drive *way)
{
    static uf_work works[1];
    uf_seeded_pool pool;
    uf_run run;

    is_open = false;
    assert_int_equal(uf_pool_seeded(&pool, works, 1, 7, UF_S(1)), UF_OK);
    assert_int_equal(uf_pump_init(&pump, &(uf_pump_config){.pool = &pool.pool}), UF_OK);
    Gate_init(&gate, &pump, "gate", &is_open);
    Guard_init(&guard, &pump, "guard", &gate.uf);
    assert_int_equal(start(&run), UF_OK);
    Guard_start_Follow(&guard);
    assert_int_equal(uf_simulate_until(&pump, UF_MS(30)), UF_OK);
    stop();
    if (start != start_weigh) assert_int_equal(way->drive(run), way->waits);
    assert_true(uf_flow_running(&gate.uf));
    is_open = true;
    assert_int_equal(way->drive(run), way->opens);
    assert_int_equal(uf_flow_outcome(&gate.uf), UF_DONE);
    if (way->drive != until_end) assert_int_equal(uf_flow_outcome(&guard.uf), UF_DONE);
    assert_int_equal(now_ms(), 30);
    assert_true(pump.clock.real <= UF_MS(50)); /* at once, or at the first poll beside a job */
}

TEST(what_polls_is_polled_while_the_clock_stands_still)
{
    for (size_t p = 0; p < sizeof ways_to_poll / sizeof *ways_to_poll; p++) {
        for (size_t s = 0; s < sizeof ways_to_stop / sizeof *ways_to_stop; s++) {
            for (size_t d = 0; d < sizeof ways_to_drive / sizeof *ways_to_drive; d++) {
                run_pollers(ways_to_poll[p], ways_to_stop[s], &ways_to_drive[d]);
            }
        }
    }
}

TEST(what_is_due_when_the_clock_stops_fires_and_nothing_else)
{
    for (size_t s = 0; s < sizeof ways_to_stop / sizeof *ways_to_stop; s++) {
        assert_int_equal(uf_pump_init(&pump, NULL), UF_OK);
        Counter_init(&counter, &pump, "counter");
        Counter_start_Count(&counter);
        assert_int_equal(uf_simulate_until(&pump, UF_MS(30)), UF_OK);
        assert_int_equal(counter.count, 2);
        ways_to_stop[s]();
        assert_int_equal(uf_simulate_until(&pump, UF_S(1)), UF_BLOCKED);
        assert_int_equal(counter.count, 3); /* it was due at 30 ms */
        assert_int_equal(uf_simulate_until(&pump, UF_S(1)), UF_BLOCKED);
        (void)uf_pump_round(&pump, UF_S(1));
        assert_int_equal(counter.count, 3);
        assert_int_equal(now_ms(), 30);
    }
}

TEST(a_deadline_follows_the_scale_and_the_freezing_of_the_clock)
{
    Sleeper sleeper;
    Sleeper_init(&sleeper, &pump, "sleeper");
    Sleeper_start_Until(&sleeper, UF_MS(100));
    uf_pump_round(&pump, 0);
    assert_int_equal(uf_pump_set_scale(&pump, 2.0), UF_OK);
    uf_pump_round(&pump, UF_MS(49));
    uf_pump_freeze(&pump);
    uf_pump_round(&pump, UF_MS(1000));
    uf_pump_resume(&pump);
    uf_pump_round(&pump, UF_MS(1000)); /* logical 98 ms */
    assert_true(uf_flow_running(&sleeper.uf));
    uf_pump_round(&pump, UF_MS(1001));
    assert_int_equal(uf_flow_outcome(&sleeper.uf), UF_DONE);
    assert_int_equal(now_ms(), 100);
}
