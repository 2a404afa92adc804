/* SPDX-License-Identifier: MIT */
/* spin.c - a bounded busy wait before a sleep, where it pays.
 *
 * Waking a thread on another CPU takes 5 to 100 us, far longer than messages take to arrive while two threads work with
 * each other. Then a thread that has just worked looks for the next message a while before it sleeps. But if the other
 * thread sleeps too, or all CPUs are busy, the kernel often runs both on one CPU, and that is faster without a spin.
 * And a thread that wakes up late finds many messages at once, which take less time each.
 *
 * A spin yields the CPU at each read of the clock, which takes 0.3 us if no other thread wants the CPU. Without it, a
 * job took ten times as long with more ready threads than CPUs. A spin does not sleep, since no thread would wake it.
 *
 * No rule tells these cases apart, so each thread measures how long a job or message takes, with and without a spin. It
 * divides the time from the beginning of one wait to the next by the number that it handles. It chooses the faster way.
 * If more than a third of its spins last their whole limit in vain, its messages come late. Then it sleeps at once,
 * except in trials.
 *
 * What pays depends on what the other thread does. So all threads that do not rest try both ways at the same times,
 * whatever they have measured. When each tried alone, two threads that answer each other often stayed ten times as slow
 * as they are when both spin. */
#include "host.h"

/* Time has periods of this many parts. Threads try spins in the first part of each period. In the last part of each
 * 16th period they sleep: these sleeps are too few to change the 99th percentile. Few timers have a period that divides
 * that of the trials, 16.75 ms. */
#define PART         UF_US(250)
#define PARTS        67
#define SLEEP_PERIOD 16

/* Each thread also spins in the first 16 of every 4096 waits. With more threads than CPUs, threads that work with each
 * other then yield to each other on one CPU, and often stay there. In the benchmark of jobs, four threads on two CPUs
 * do four times as much as if the kernel chooses the CPU of each thread that wakes up. */
#define WAITS       4096u
#define FIRST_WAITS 16u

/* Between two reads of the clock. A pause takes 0 to 50 ns. */
#define PAUSES 16u
/* Bounds the number of clock reads if the clock does not advance. No read takes less time than this. */
#define LEAST_TIME 16

/* The share of spins in vain if all of them are. */
#define ALL_IN_VAIN 1024

/* The clock may advance by more than a whole spin between two reads, while no message has arrived. Then other programs
 * need the CPU, and the thread does not spin for this many times as long. Without that, trials made jobs take twice as
 * long beside two busy threads for each CPU. With a rest after all long yields, four runtimes on two CPUs made a third
 * fewer posts. The rest is limited to some time slices: a debugger may have stopped the program. */
#define REST        64
#define LONGEST_GAP UF_MS(10)

ufh_spin ufh_make_spin(uf_time limit)
{
    if (limit < 0 || ufp_cpus() < 2) return (ufh_spin){.limit = 0};
    if (limit == 0) limit = UFH_DEFAULT_SPIN;
    return (ufh_spin){.limit = limit, .paces = {{0, 1}, {limit, 1}}}; /* it has to measure a sleep first */
}

/* The wait that has begun before, and the work after it, are over. */
static void measure(ufh_spin *spin, uf_time took, uint32_t handled)
{
    uf_time const most = spin->limit < UF_FOREVER / 2 ? 2 * spin->limit : UF_FOREVER;
    ufh_pace *const pace = &spin->paces[spin->spins];

    if (handled == 0) handled = 1;
    if (took / handled > most) took = most * handled;
    pace->time += took - pace->time / 16;
    pace->handled += handled - pace->handled / 16;
    if (spin->spins) spin->share_in_vain += ((spin->in_vain ? ALL_IN_VAIN : 0) - spin->share_in_vain) / 32;
}

static uf_time time_for_each(const ufh_pace *pace)
{
    return pace->time / pace->handled;
}

static bool pays(const ufh_spin *spin)
{
    return time_for_each(&spin->paces[1]) < time_for_each(&spin->paces[0]) / 4 * 3 &&
           spin->share_in_vain <= ALL_IN_VAIN / 3;
}

static bool is_sleep_tried(uf_time now)
{
    return (now / PART + 1) % (PARTS * SLEEP_PERIOD) == 0;
}

bool ufh_spin_begin(ufh_spin *spin, uint32_t handled)
{
    if (spin->limit == 0) return false;
    uf_time const now = ufp_monotonic_now();

    if (spin->arrived || spin->in_vain) measure(spin, now - spin->began, handled - spin->handled);
    spin->arrived = spin->in_vain = false;
    bool const is_first = spin->waits++ % WAITS < FIRST_WAITS;
    bool const is_tried = is_first || now / PART % PARTS == 0;
    spin->spins = now >= spin->rests_until && (is_tried || (pays(spin) && !is_sleep_tried(now)));
    spin->began = now;
    spin->handled = handled;
    return spin->spins;
}

bool ufh_spin_until(ufh_spin *spin, bool (*has_arrived)(const void *what), const void *what, uf_time until)
{
    uf_time const end = uf_time_add(spin->began, spin->limit);
    uf_time now = spin->began;

    for (uf_time reads = spin->limit / LEAST_TIME; reads >= 0; reads--) {
        for (unsigned i = 0; i < PAUSES; i++) {
            if (has_arrived(what)) return true;
            ufp_cpu_pause();
        }
        uf_time const before = now;
        now = ufp_monotonic_now();
        uf_time const gap = now - before;
        if (gap > spin->limit) spin->rests_until = uf_time_add(now, REST * (gap < LONGEST_GAP ? gap : LONGEST_GAP));
        spin->in_vain = now >= end;
        if (spin->in_vain || now >= until) break;
        ufp_yield(); /* the other thread may be ready on this CPU, if others are busy */
    }
    return false;
}
