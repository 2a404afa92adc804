/* spin.c - a bounded busy wait before a sleep, where it pays.
 *
 * Waking a thread on another CPU takes 5 to 100 us, far longer than messages take to arrive while two threads work with
 * each other. Then a thread that has just worked looks for the next message a while before it sleeps. But if the other
 * thread sleeps too, or all CPUs are busy, the kernel often runs both on one CPU, and that is faster without a spin.
 * And a thread that wakes up late finds many messages at once, which take less time each.
 *
 * A spin yields the CPU at each read of the clock, which takes 0.3 us if nobody else wants it. With more ready threads
 * than CPUs, a job took ten times as long without that. It does not sleep: nobody would wake it.
 *
 * No rule tells these cases apart, so each thread measures. It averages how long it takes from the beginning of one
 * wait to that of the next, for each job or message that it handles, with and without a spin. It does what takes less
 * time, and tries the other way now and then. Times beyond twice the limit count as that: a thread whose messages come
 * late sleeps at once.
 */
#include "host.h"

/* A trial is this many waits in a row, because the other thread and the kernel adapt to it. */
#define TRIAL 16u
/* Waits from one trial to the next. A trial without a spin costs a few wake-ups; one with a spin, a few limits. */
#define BETWEEN_SLEEPS 8192u
#define BETWEEN_SPINS  4096u

/* Between two reads of the clock. A pause takes 0 to 50 ns. */
#define PAUSES 16u
/* Bounds the number of clock reads if the clock does not advance. None takes less time than this. */
#define LEAST_TIME 16

ufh_spin ufh_make_spin(uf_time limit)
{
    if (limit < 0 || ufp_cpus() < 2) return (ufh_spin){.limit = 0};
    if (limit == 0) limit = UFH_DEFAULT_SPIN;
    return (ufh_spin){.limit = limit, .average = {limit, limit}};
}

/* The wait that has begun before, and the work after it, are over. */
static void measure(ufh_spin *spin, uf_time took, uint32_t handled)
{
    uf_time const most = spin->limit < UF_FOREVER / 2 ? 2 * spin->limit : UF_FOREVER;
    uf_time *const average = &spin->average[spin->spins];

    *average += ((took < most ? took : most) / (handled ? handled : 1) - *average) / 4;
}

bool ufh_spin_begin(ufh_spin *spin, uint32_t handled)
{
    if (spin->limit == 0) return false;
    bool const pays = spin->average[1] < spin->average[0] / 4 * 3;
    uint32_t const phase = spin->waits++ % (pays ? BETWEEN_SLEEPS : BETWEEN_SPINS);
    bool const spins = pays != (phase < TRIAL);
    bool const measures = spins || phase < 2 * TRIAL; /* sleeps in and after a trial only: the clock costs time, too */
    uf_time const now = spin->began || measures ? ufp_monotonic_now() : 0;

    if (spin->arrived && spin->began) measure(spin, now - spin->began, handled - spin->handled);
    spin->arrived = false;
    spin->spins = spins;
    spin->began = measures ? now : 0;
    spin->handled = handled;
    return spins;
}

bool ufh_spin_until(const ufh_spin *spin, bool (*has_arrived)(const void *what), const void *what, uf_time until)
{
    uf_time const end = uf_time_add(spin->began, spin->limit);

    for (uf_time reads = spin->limit / LEAST_TIME; reads >= 0; reads--) {
        for (unsigned i = 0; i < PAUSES; i++) {
            if (has_arrived(what)) return true;
            ufp_cpu_pause();
        }
        uf_time const now = ufp_monotonic_now();
        if (now >= end || now >= until) break;
        ufp_yield(); /* the other thread may be ready on this CPU, if others are busy */
    }
    return false;
}
