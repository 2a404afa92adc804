/* SPDX-License-Identifier: MIT */
/* test_spin.c - when a thread spins before it sleeps. The clock is simulated. */
#include "../../cases.h"

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
static uf_time yield_takes;

void ufp_yield(void)
{
    yields++;
    now += yield_takes;
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

/* Longer than the time between two trials of each kind. */
#define LONG_ENOUGH UF_MS(300)

/* All threads try spins in the first 250 us of each. */
#define PERIOD UF_US(16750)

static uint32_t handled;

/* Waits and works for `duration`, in `sleeping` for `at_once` jobs or messages or in `spinning` for one. Returns: the
 * share of waits with a spin, in percent. */
static int spins_for(ufh_spin *spin, uf_time duration, uf_time sleeping, uint32_t at_once, uf_time spinning)
{
    int spun = 0, waits = 0;

    for (uf_time const end = now + duration; now < end; waits++) {
        bool const spins = ufh_spin_begin(spin, handled);
        spin->arrived = true;
        spin->in_vain = spins && spinning > spin->limit;
        now += spins ? spinning : sleeping;
        handled += spins ? 1 : at_once;
        spun += spins;
    }
    return spun * 100 / waits;
}

CASE(test_a_thread_does_what_takes_less_time)
{
    ufh_spin spin = ufh_make_spin(UF_US(50));
    (void)spins_for(&spin, LONG_ENOUGH, UF_US(90), 1, UF_US(1));
    assert_in_range(spins_for(&spin, LONG_ENOUGH, UF_US(90), 1, UF_US(1)), 99, 100);
    (void)spins_for(&spin, LONG_ENOUGH, UF_US(2), 1, UF_US(9)); /* until it sleeps for trial */
    assert_in_range(spins_for(&spin, LONG_ENOUGH, UF_US(2), 1, UF_US(9)), 0, 2);
    (void)spins_for(&spin, LONG_ENOUGH, UF_US(90), 1, UF_US(1));
    assert_in_range(spins_for(&spin, LONG_ENOUGH, UF_US(90), 1, UF_US(1)), 99, 100);
}

CASE(test_a_thread_that_waits_long_sleeps_at_once)
{
    ufh_spin spin = ufh_make_spin(UF_US(50));
    assert_in_range(spins_for(&spin, UF_S(100), UF_US(8900), 1, UF_US(8950)), 0, 2);
}

CASE(test_a_thread_that_wakes_late_does_more_at_once)
{
    ufh_spin spin = ufh_make_spin(0);
    (void)spins_for(&spin, LONG_ENOUGH, UF_US(90), 60, UF_US(2));
    now = (now / PERIOD + 1) * PERIOD + UF_US(250); /* behind the trial of spins, and its first waits */
    spin.waits = 16;
    spin.arrived = false; /* the jump of the clock is no wait */
    assert_int_equal(spins_for(&spin, PERIOD - UF_US(250), UF_US(90), 60, UF_US(2)), 0);
    assert_false(spin.paces[1].time / spin.paces[1].handled < spin.paces[0].time / spin.paces[0].handled);
}

/* While one sleeps, it is worse for the other to spin, since the kernel then wakes the sleeper on another CPU. */
CASE(test_two_threads_that_wait_for_each_other_both_spin)
{
    ufh_spin spins[2] = {ufh_make_spin(0), ufh_make_spin(0)};
    uint32_t messages = 0;
    int together = 0;
    (void)spins_for(&spins[1], LONG_ENOUGH, UF_MS(1), 1, UF_MS(1)); /* so they have not waited equally often */
    for (int i = 0; i < 100000; i++) {
        bool const first = ufh_spin_begin(&spins[0], messages), second = ufh_spin_begin(&spins[1], messages);
        spins[0].arrived = spins[1].arrived = true;
        now += first && second ? UF_US(1) : first || second ? UF_US(50) : UF_US(10);
        messages++;
        if (i >= 50000) together += first && second;
    }
    assert_in_range(together, 49000, 50000);
}

/* Returns: a pseudo-random number below 65536. */
static uint32_t draw(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state / 65536;
}

/* The share of spins in 10000 waits that last longer than the limit. */
static int late_spins(ufh_spin *spin, uf_time between, uint32_t most_at_once, bool with_messages)
{
    uint32_t random = 1;
    int spun = 0;

    for (int i = 0; i < 10000; i++) {
        spin->in_vain = ufh_spin_begin(spin, handled);
        spun += spin->in_vain;
        spin->arrived = with_messages;
        handled += 1 + draw(&random) % most_at_once;
        now += between;
    }
    return spun;
}

/* One in 67 waits is in the trial of spins, and 16 in 4096 are first waits. */
CASE(test_late_bursts_are_not_worth_a_spin)
{
    for (uf_time between = UF_US(1100); between < UF_MS(12); between += UF_US(1100)) {
        ufh_spin spin = ufh_make_spin(0);
        assert_in_range(late_spins(&spin, between, 100, true), 0, 250);
    }
}

/* A spin finds a message at once and then 600 are handled, but `late` of 100 spins are in vain. A thread that sleeps
 * finds 60 at once. Returns: the share of waits with a spin, in percent. */
static int spins_if_late(uint32_t late)
{
    ufh_spin spin = ufh_make_spin(0);
    uint32_t random = 1;
    int spun = 0;

    for (int i = 0; i < 40000; i++) {
        bool const spins = ufh_spin_begin(&spin, handled);
        bool const is_late = draw(&random) % 100 < late;
        spin.in_vain = spins && is_late;
        spin.arrived = true;
        handled += spins && !spin.in_vain ? 600 : 60;
        now += spin.in_vain ? UF_US(170) : spins ? UF_US(100) : UF_US(70);
        if (i >= 20000) spun += spins;
    }
    return spun / 200;
}

/* When each spin in vain counted as a long wait, a runtime and its pool on two CPUs lost a third of their speed: one
 * spin in ten was in vain. */
CASE(test_few_spins_in_vain_do_not_count)
{
    assert_in_range(spins_if_late(0), 99, 100);
    assert_in_range(spins_if_late(10), 90, 100);
    assert_in_range(spins_if_late(50), 0, 3);
    assert_in_range(spins_if_late(100), 0, 3);
}

/* Messages of others, at random: if one is waited for, it comes no sooner. A wake-up takes 5 us, and the work for a
 * message 1 us. Returns: the share of time in spins, in percent. */
static int time_in_spins(uf_time mean)
{
    ufh_spin spin = ufh_make_spin(0);
    uf_time const began = now;
    uf_time next = now, spun = 0;
    uint32_t random = 1;

    while (now - began < UF_S(20)) {
        bool const spins = ufh_spin_begin(&spin, handled);
        uf_time const wait = next > now ? next - now : 0;
        spin.in_vain = spins && wait > UF_US(100);
        spin.arrived = true;
        if (spins) spun += spin.in_vain ? UF_US(100) : wait;
        now += wait + (wait > 0 && (!spins || spin.in_vain) ? UF_US(5) : 0);
        for (; next <= now; handled++, now += UF_US(1)) next += 2 * mean * draw(&random) / 65536;
    }
    return (int)(spun * 100 / (now - began));
}

CASE(test_messages_that_come_no_sooner_are_not_worth_a_spin)
{
    for (uf_time mean = UF_US(20); mean <= UF_US(120); mean += UF_US(10)) assert_in_range(time_in_spins(mean), 0, 8);
}

CASE(test_a_timer_is_not_worth_a_spin)
{
    ufh_spin spin = ufh_make_spin(UF_US(50));
    (void)spins_for(&spin, LONG_ENOUGH, UF_US(90), 1, UF_US(1));
    assert_in_range(late_spins(&spin, UF_MS(1), 1, false), 0, 250);
}

CASE(test_the_first_waits_spin)
{
    ufh_spin spin = ufh_make_spin(0);
    now = UF_MS(1); /* not in a trial */
    for (int i = 0; i < 16; i++) assert_true(ufh_spin_begin(&spin, handled));
    assert_false(ufh_spin_begin(&spin, handled));
}

/* A wait that ends at a deadline says nothing about messages, unless a spin has lasted its whole limit. */
CASE(test_deadlines_are_not_measured)
{
    ufh_spin spin = ufh_make_spin(UF_US(50));
    (void)spins_for(&spin, LONG_ENOUGH, UF_US(90), 1, UF_US(1));
    ufh_pace const sleeping = spin.paces[0], spinning = spin.paces[1];
    spin.arrived = false;
    for (int i = 0; i < 1000; i++) {
        (void)ufh_spin_begin(&spin, handled);
        now += UF_MS(1);
    }
    assert_memory_equal(&spin.paces[1], &spinning, sizeof spinning);
    assert_memory_equal(&spin.paces[0], &sleeping, sizeof sleeping);
}

CASE(test_no_spin_on_one_cpu_or_if_configured)
{
    cpus = 1;
    ufh_spin spin = ufh_make_spin(UF_US(50));
    cpus = 2;
    assert_int_equal(spins_for(&spin, LONG_ENOUGH, UF_US(90), 1, UF_US(1)), 0);
    spin = ufh_make_spin(-1);
    assert_int_equal(spins_for(&spin, LONG_ENOUGH, UF_US(90), 1, UF_US(1)), 0);
}

static bool spin_for(ufh_spin *spin, uint32_t pauses, uf_time until)
{
    arrives_in = pauses;
    (void)ufh_spin_begin(spin, 0);
    return ufh_spin_until(spin, has_arrived, NULL, until);
}

CASE(test_spins_leave_the_cpu_to_others)
{
    ufh_spin spin = ufh_make_spin(0);
    uf_time const began = now;
    yields = 0;
    yield_takes = UF_MS(3);
    while (now - began < UF_S(10)) {
        arrives_in = 1000;
        if (ufh_spin_begin(&spin, handled++)) (void)ufh_spin_until(&spin, has_arrived, NULL, UF_FOREVER);
        spin.arrived = true;
        now += UF_US(5);
    }
    yield_takes = 0;
    assert_in_range(yields, 2, UF_S(10) / UF_MS(3) / 50);
}

CASE(test_a_rest_ends)
{
    ufh_spin spin = ufh_make_spin(UF_US(50));
    (void)spins_for(&spin, LONG_ENOUGH, UF_US(90), 1, UF_US(1));
    arrives_in = 1000;
    yield_takes = UF_S(600); /* a debugger has stopped the program */
    assert_false(ufh_spin_until(&spin, has_arrived, NULL, UF_FOREVER));
    yield_takes = 0;
    spin.arrived = spin.in_vain = false;
    assert_int_equal(spins_for(&spin, UF_MS(500), UF_US(90), 1, UF_US(1)), 0);
    (void)spins_for(&spin, LONG_ENOUGH, UF_US(90), 1, UF_US(1));
    assert_in_range(spins_for(&spin, LONG_ENOUGH, UF_US(90), 1, UF_US(1)), 99, 100);
}

/* The other thread has run meanwhile, or nobody needed the CPU for long. */
CASE(test_a_useful_or_short_yield_needs_no_rest)
{
    ufh_spin spin = ufh_make_spin(0);
    now = UF_MS(1);
    (void)ufh_spin_begin(&spin, handled);
    arrives_in = 20;
    yield_takes = UF_MS(3);
    assert_true(ufh_spin_until(&spin, has_arrived, NULL, UF_FOREVER));
    assert_int_equal(spin.rests_until, 0);
    (void)ufh_spin_begin(&spin, handled);
    arrives_in = 1000;
    yield_takes = UF_US(50);
    assert_false(ufh_spin_until(&spin, has_arrived, NULL, UF_FOREVER));
    assert_int_equal(spin.rests_until, 0);
    yield_takes = 0;
}

CASE(test_a_spin_ends)
{
    ufh_spin spin = ufh_make_spin(UF_US(50));
    uf_time began = now;
    assert_true(spin_for(&spin, 100, UF_FOREVER));
    assert_int_equal(now - began, 100 * 20);
    began = now;
    yields = 0;
    assert_false(spin_for(&spin, 1000000, UF_FOREVER));
    assert_true(spin.in_vain);
    assert_in_range(now - began, UF_US(50), UF_US(51));
    assert_in_range(yields, 10, 1000); /* the thread that it waits for may be ready on this CPU */
    began = now;
    assert_false(spin_for(&spin, 1000000, now + UF_US(10)));
    assert_false(spin.in_vain);
    assert_in_range(now - began, UF_US(10), UF_US(11));
}
