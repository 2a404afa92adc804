/* test_spin.c - when a thread spins before it sleeps. The clock is simulated. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host.h"

static uf_time now = 1;
static uint32_t cpus = 2, arrives_in; /* pauses until a message arrives; 0: it has arrived */

int64_t ufp_monotonic_now(void)
{
    return now;
}

uint32_t ufp_cpus(void)
{
    return cpus;
}

void ufp_cpu_pause(void)
{
    now += 20;
    if (arrives_in) arrives_in--;
}

static int yields;

void ufp_yield(void)
{
    yields++;
}

/* Some of these sleep, and a message that comes meanwhile is found late. */
void ufp_spin_pause(void)
{
    fail();
}

static bool has_arrived(const void *unused)
{
    (void)unused;
    return arrives_in == 0;
}

static uint32_t jobs_done;

/* Waits and works, for `sleeping` or `spinning` of time and `jobs` or one job. Returns: how often it has spun. */
static int spins_in(ufh_spin *spin, int waits, uf_time sleeping, uint32_t jobs, uf_time spinning)
{
    int count = 0;

    for (int i = 0; i < waits; i++) {
        bool const spins = ufh_spin_begin(spin, jobs_done);
        spin->arrived = true;
        now += spins ? spinning : sleeping;
        jobs_done += spins ? 1 : jobs;
        count += spins;
    }
    return count;
}

enum { TRIAL = 16, BETWEEN_SPINS = 4096, BETWEEN_SLEEPS = 8192 };

static void test_a_thread_does_what_takes_less_time(void **state)
{
    (void)state;
    ufh_spin spin = ufh_make_spin(UF_US(50));
    assert_in_range(spins_in(&spin, 1000, UF_US(90), 1, UF_US(1)), 1000 - 2 * TRIAL, 1000);
    (void)spins_in(&spin, BETWEEN_SLEEPS, UF_US(2), 1, UF_US(9)); /* until the next trial at the latest */
    assert_in_range(spins_in(&spin, 1000, UF_US(2), 1, UF_US(9)), 0, 2 * TRIAL);
    (void)spins_in(&spin, BETWEEN_SPINS + TRIAL, UF_US(90), 1, UF_US(1));
    assert_in_range(spins_in(&spin, 1000, UF_US(90), 1, UF_US(1)), 1000 - 2 * TRIAL, 1000);
}

static void test_a_thread_that_waits_long_sleeps_at_once(void **state)
{
    (void)state;
    ufh_spin spin = ufh_make_spin(UF_US(50));
    assert_in_range(spins_in(&spin, 10 * BETWEEN_SPINS, UF_MS(9), 1, UF_MS(9)), 0, 10 * TRIAL);
}

static void test_a_thread_that_wakes_late_does_more_at_once(void **state)
{
    (void)state;
    ufh_spin spin = ufh_make_spin(0);
    (void)spins_in(&spin, BETWEEN_SLEEPS + TRIAL, UF_US(90), 60, UF_US(2));
    assert_in_range(spins_in(&spin, 1000, UF_US(90), 60, UF_US(2)), 0, 2 * TRIAL);
}

/* A wait that ends at a deadline says nothing about messages. */
static void test_deadlines_are_not_measured(void **state)
{
    (void)state;
    ufh_spin spin = ufh_make_spin(UF_US(50));
    (void)spins_in(&spin, 1000, UF_US(90), 1, UF_US(1));
    for (int i = 0; i < 1000; i++) {
        (void)ufh_spin_begin(&spin, jobs_done);
        now += UF_MS(1);
    }
    assert_in_range(spins_in(&spin, 100, UF_US(90), 1, UF_US(1)), 100 - 2 * TRIAL, 100);
}

static void test_no_spin_on_one_cpu_or_if_configured(void **state)
{
    (void)state;
    cpus = 1;
    ufh_spin spin = ufh_make_spin(UF_US(50));
    cpus = 2;
    assert_int_equal(spins_in(&spin, 1000, UF_US(90), 1, UF_US(1)), 0);
    spin = ufh_make_spin(-1);
    assert_int_equal(spins_in(&spin, 1000, UF_US(90), 1, UF_US(1)), 0);
}

static bool spin_for(ufh_spin *spin, uint32_t pauses, uf_time until)
{
    arrives_in = pauses;
    (void)ufh_spin_begin(spin, 0);
    return ufh_spin_until(spin, has_arrived, NULL, until);
}

static void test_a_spin_ends(void **state)
{
    (void)state;
    ufh_spin spin = ufh_make_spin(UF_US(50));
    uf_time began = now;
    assert_true(spin_for(&spin, 100, UF_FOREVER));
    assert_int_equal(now - began, 100 * 20);
    began = now;
    yields = 0;
    assert_false(spin_for(&spin, 1000000, UF_FOREVER));
    assert_in_range(now - began, UF_US(50), UF_US(51));
    assert_in_range(yields, 10, 1000); /* the thread that it waits for may be ready on this CPU */
    began = now;
    assert_false(spin_for(&spin, 1000000, now + UF_US(10)));
    assert_in_range(now - began, UF_US(10), UF_US(11));
}

int main(void)
{
    struct CMUnitTest const tests[] = {
        cmocka_unit_test(test_a_thread_does_what_takes_less_time),
        cmocka_unit_test(test_a_thread_that_waits_long_sleeps_at_once),
        cmocka_unit_test(test_a_thread_that_wakes_late_does_more_at_once),
        cmocka_unit_test(test_deadlines_are_not_measured),
        cmocka_unit_test(test_no_spin_on_one_cpu_or_if_configured),
        cmocka_unit_test(test_a_spin_ends),
    };
    return cmocka_run_group_tests_name("spin", tests, NULL, NULL);
}
