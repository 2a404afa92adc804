/* SPDX-License-Identifier: MIT */
/* arrays.c - all elements of an array of sub-flows, alone and beside the same waits with each element written out. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "uflow/simulate.h"

#include "arrays.h"

static Bank bank;
static Written written;

static void set(int a, int b, int c)
{
    assert_int_equal(Bank_init(&bank, &pump, "bank"), UF_OK);
    bank.ms[0] = a;
    bank.ms[1] = b;
    bank.ms[2] = c;
}

static void pass(int ms)
{
    uf_simulate_until(&pump, uf_pump_now(&pump) + UF_MS(1) * ms);
}

static void ends_with(const char *log, const char *reason)
{
    run_until_idle();
    assert_log(log);
    assert_string_equal(uf_flow_reason(&bank.uf), reason);
    assert_int_equal(Bank_destroy(&bank), UF_OK);
}

/* -- all(run) ------------------------------------------------------------------------------------------------------ */

TEST(test_all_is_ready_when_all_are_done)
{
    set(20, 40, 10);
    assert_int_equal(Bank_start_All(&bank), UF_OK);
    ends_with("+2 +0 +1 all", "");
}

TEST(test_a_failure_cancels_the_others_and_says_which)
{
    set(20, 15, 30);
    assert_int_equal(Bank_start_All(&bank), UF_OK);
    ends_with("!1 -0 -2 failed 1 odd 15", "");
}

TEST(test_a_failure_without_else_has_the_name_of_the_element)
{
    set(20, 30, 15);
    assert_int_equal(Bank_start_AllOrFail(&bank), UF_OK);
    ends_with("!2 -0 -1", "cars[2].Fetch: odd 15");
}

TEST(test_a_busy_element_fails_all)
{
    set(20, 20, 20);
    assert_int_equal(Car_start_Hold(&bank.cars[1]), UF_OK);
    assert_int_equal(Bank_start_All(&bank), UF_OK);
    rounds(3);
    assert_log("failed 1 busy");
    uf_flow_cancel(&bank.cars[1].uf);
    ends_with("failed 1 busy", "");
}

TEST(test_arguments_are_evaluated_for_each_element)
{
    set(2, 4, 6);
    assert_int_equal(Bank_start_AllAndGo(&bank), UF_OK);
    rounds(2);
    uf_signal_fire(&bank.go);
    ends_with("+0 +1 +2 +9 all", "");
}

TEST(test_an_array_under_a_condition_that_does_not_hold)
{
    set(2, 4, 6);
    bank.with_runs = false;
    assert_int_equal(Bank_start_If(&bank), UF_OK);
    rounds(2);
    assert_int_equal(uf_pump_running(&pump), 1);
    ends_with("late", "");
}

/* -- first(run) ---------------------------------------------------------------------------------------------------- */

TEST(test_the_first_that_is_done_decides)
{
    set(30, 10, 20);
    assert_int_equal(Bank_start_First(&bank), UF_OK);
    ends_with("+1 -0 -2 got 1 10", "");
}

TEST(test_of_two_that_are_done_in_one_round_the_lower_one_decides)
{
    set(30, 10, 10);
    assert_int_equal(Bank_start_First(&bank), UF_OK);
    ends_with("+1 +2 -0 got 1 10", "");
}

TEST(test_first_passes_over_failures)
{
    set(11, 5, 20);
    assert_int_equal(Bank_start_First(&bank), UF_OK);
    ends_with("!1 !0 +2 got 2 20", "");
}

TEST(test_first_fails_with_the_reason_of_the_last_failure)
{
    set(31, 5, 21);
    assert_int_equal(Bank_start_First(&bank), UF_OK);
    ends_with("!1 !2 !0 none odd 31", "");
}

TEST(test_of_failures_in_one_round_the_highest_index_is_the_last)
{
    set(31, 31, 5);
    assert_int_equal(Bank_start_FirstOrFail(&bank), UF_OK);
    ends_with("!2 !0 !1", "cars[1].Fetch: odd 31");
}

TEST(test_a_busy_element_has_failed)
{
    set(31, 4, 6);
    assert_int_equal(Car_start_Hold(&bank.cars[1]), UF_OK);
    assert_int_equal(Bank_start_First(&bank), UF_OK);
    pass(50);
    assert_log("+2 -0 got 2 20");
    uf_flow_cancel(&bank.cars[1].uf);
    ends_with("+2 -0 got 2 20", "");
}

TEST(test_first_fails_at_once_if_all_are_busy)
{
    set(2, 4, 6);
    for (int i = 0; i < CARS; i++) assert_int_equal(Car_start_Hold(&bank.cars[i]), UF_OK);
    assert_int_equal(Bank_start_First(&bank), UF_OK);
    rounds(3);
    assert_log("none busy");
    for (int i = 0; i < CARS; i++) uf_flow_cancel(&bank.cars[i].uf);
    ends_with("none busy", "");
}

TEST(test_first_that_is_done_without_a_wait)
{
    set(20, 0, 20);
    assert_int_equal(Bank_start_First(&bank), UF_OK);
    ends_with("-0 -2 got 1 1", "");
}

TEST(test_first_beside_another_run)
{
    set(31, 40, 60);
    assert_int_equal(Bank_start_FirstOfTwo(&bank), UF_OK);
    ends_with("+9 -0 -1 -2 spare", "");
}

/* -- idle ---------------------------------------------------------------------------------------------------------- */

static void start_cars(void)
{
    assert_int_equal(Car_start_Fetch(&bank.cars[0], 20), UF_OK);
    assert_int_equal(Car_start_Fetch(&bank.cars[2], 60), UF_OK);
}

TEST(test_idle_waits_for_all)
{
    set(0, 0, 0);
    start_cars();
    assert_int_equal(Bank_start_Idle(&bank), UF_OK);
    ends_with("+0 +2 idle 60ms", "");
}

TEST(test_idle_sees_one_that_began_meanwhile)
{
    set(0, 0, 0);
    start_cars();
    assert_int_equal(Bank_start_Idle(&bank), UF_OK);
    pass(40);
    assert_int_equal(Car_start_Fetch(&bank.cars[1], 50), UF_OK);
    ends_with("+0 +2 +1 idle 90ms", "");
}

TEST(test_idle_in_all)
{
    set(0, 0, 0);
    start_cars();
    assert_int_equal(Bank_start_AllIdle(&bank), UF_OK);
    pass(100);
    assert_log("+0 +2");
    uf_signal_fire(&bank.go);
    ends_with("+0 +2 idle", "");
}

/* -- with run ------------------------------------------------------------------------------------------------------ */

TEST(test_each_companion_that_fails_is_reported_once)
{
    set(5, 60, 15);
    assert_int_equal(Bank_start_With(&bank), UF_OK);
    ends_with("!0 lost 0 odd 5 !2 lost 2 odd 15 done -1 exit", "");
}

TEST(test_companions_that_fail_in_one_round_are_reported_in_order)
{
    set(5, 60, 5);
    assert_int_equal(Bank_start_With(&bank), UF_OK);
    ends_with("!0 !2 lost 0 odd 5 lost 2 odd 5 done -1 exit", "");
}

TEST(test_a_handler_behind_the_array)
{
    set(60, 60, 60);
    assert_int_equal(Bank_start_With(&bank), UF_OK);
    pass(20);
    uf_signal_fire(&bank.go);
    ends_with("went +0 +1 +2 done exit", "");
}

TEST(test_a_companion_without_else_fails_the_task)
{
    set(60, 5, 60);
    assert_int_equal(Bank_start_WithOrFail(&bank), UF_OK);
    ends_with("!1 -0 -2 -9", "cars[1].Fetch: odd 5");
}

TEST(test_companions_end_with_their_task)
{
    set(0, 0, 0);
    assert_int_equal(Bank_start_WithThenBecome(&bank), UF_OK);
    pass(20);
    assert_int_equal(uf_pump_running(&pump), 1);
    uf_signal_fire(&bank.go);
    ends_with("idle", "");
}

TEST(test_a_computed_for_behind_the_array)
{
    set(60, 60, 60);
    assert_int_equal(Bank_start_Held(&bank), UF_OK);
    ends_with("-0 -1 -2 held", "");
}

TEST(test_companions_of_a_flow_that_never_awaits)
{
    static Poller poller;

    assert_int_equal(Poller_init(&poller, &pump, "poller"), UF_OK);
    assert_int_equal(Poller_start_Poll(&poller), UF_OK);
    run_until_idle();
    assert_log("-0 -1 -2");
    assert_int_equal(Poller_destroy(&poller), UF_OK);
}

TEST(test_companions_of_a_group_outlive_its_task)
{
    set(60, 15, 60);
    assert_int_equal(Bank_start_Inner(&bank), UF_OK);
    ends_with("!1 -0 -2 lost 1 odd 15", "");
}

TEST(test_a_handler_behind_the_companions_of_a_group)
{
    set(60, 60, 60);
    assert_int_equal(Bank_start_Inner(&bank), UF_OK);
    pass(20);
    uf_signal_fire(&bank.go);
    ends_with("-0 -1 -2 went", "");
}

TEST(test_a_cancel_ends_all_elements)
{
    set(60, 60, 60);
    assert_int_equal(Bank_start_With(&bank), UF_OK);
    rounds(2);
    uf_flow_cancel(&bank.uf);
    ends_with("-0 -1 -2 exit", "cancelled");
}

/* -- beside the elements written out ------------------------------------------------------------------------------- */

typedef struct compared {
    const char *name;
    uf_status (*bank)(Bank *flow);
    uf_status (*written)(Written *flow);
} compared;

#define COMPARED(task)                                                                                                 \
    {                                                                                                                  \
#task, Bank_start_##task, Written_start_##task                                                                 \
    }

static const compared tasks[] = {COMPARED(AllOrFail), COMPARED(AllAndGo), COMPARED(If), COMPARED(Idle),
                                 COMPARED(WithOrFail)};

/* What a drawn case does: how long the cars run, which one is busy, and when a signal and a cancel come. */
typedef struct plan {
    int ms[CARS], busy, go_at, cancel_at;
} plan;

static plan draw(unsigned seed)
{
    plan p;
    srand(seed);
    for (int i = 0; i < CARS; i++) p.ms[i] = rand() % 4 == 0 ? 2 * (rand() % 8) + 1 : 2 * (rand() % 15);
    p.busy = rand() % 4 == 0 ? rand() % CARS : -1;
    p.go_at = rand() % 60;
    p.cancel_at = rand() % 5 == 0 ? rand() % 40 : 1000;
    return p;
}

static void play(const plan *p, uf_flow *flow, Car *cars, uf_signal *go, char *log, size_t size)
{
    if (p->busy >= 0) assert_int_equal(Car_start_Fetch(&cars[p->busy], 34), UF_OK);
    for (int ms = 0; ms < 200; ms++) {
        if (ms == p->go_at) uf_signal_fire(go);
        if (ms == p->cancel_at) uf_flow_cancel(flow);
        pass(1);
    }
    snprintf(log, size, "%s %s: %s", log_text(), uf_outcome_text(uf_flow_outcome(flow)), uf_flow_reason(flow));
    log_clear();
}

TEST(test_an_array_is_its_elements_written_out)
{
    static char one[4000], other[4000];

    for (unsigned seed = 0; seed < 400; seed++) {
        compared const *const task = &tasks[seed % (sizeof tasks / sizeof *tasks)];
        plan const p = draw(seed);
        assert_int_equal(uf_pump_init(&pump, NULL), UF_OK);
        set(p.ms[0], p.ms[1], p.ms[2]);
        note_events();
        assert_int_equal(task->bank(&bank), UF_OK);
        play(&p, &bank.uf, bank.cars, &bank.go, one, sizeof one);
        assert_int_equal(uf_pump_init(&pump, NULL), UF_OK);
        assert_int_equal(Written_init(&written, &pump, "bank"), UF_OK);
        memcpy(written.ms, p.ms, sizeof p.ms);
        note_events();
        assert_int_equal(task->written(&written), UF_OK);
        play(&p, &written.uf, written.cars, &written.go, other, sizeof other);
        if (strcmp(one, other) != 0) print_error("seed %u, task %s\n", seed, task->name);
        assert_string_equal(one, other);
    }
}
