/* spin.c - a bounded busy wait before a sleep.
 *
 * Waking a thread on another CPU takes 5 to 100 us, far longer than most messages take to arrive while two threads work
 * with each other. So a thread that has just worked looks for the next message a while before it sleeps. If it spins no
 * longer than a wake-up takes, it wastes no more than that (Karlin et al., "Empirical studies of competitive spinning
 * for a shared-memory multiprocessor", 1991).
 *
 * Each spin in vain doubles the number of sleeps without a spin that follow, up to MOST_SKIPPED. So a thread whose
 * messages come late spins hardly ever, and one whose messages come early again finds out soon. */
#include "host.h"

#define DEFAULT_LIMIT UF_US(50)
#define MOST_SKIPPED  64u

/* Between two reads of the clock. A pause takes 10 to 50 ns. */
#define PAUSES 16u
/* Bounds the number of clock reads if the clock does not advance. */
#define LEAST_TIME 64

ufh_spin ufh_make_spin(uf_time limit)
{
    if (limit < 0 || ufp_cpus() < 2) return (ufh_spin){.limit = 0};
    return (ufh_spin){.limit = limit ? limit : DEFAULT_LIMIT};
}

bool ufh_may_spin(ufh_spin *spin)
{
    if (spin->limit == 0) return false;
    if (spin->skip == 0) return true;
    spin->skip--;
    return false;
}

static bool arrives(bool (*has_arrived)(const void *what), const void *what, uf_time limit, uf_time until)
{
    uf_time const now = ufp_monotonic_now(), end = uf_time_add(now, limit);

    for (uf_time reads = limit / LEAST_TIME; reads >= 0; reads--) {
        for (unsigned i = 0; i < PAUSES; i++) {
            if (has_arrived(what)) return true;
            ufp_spin_pause();
        }
        uf_time const then = ufp_monotonic_now();
        if (then >= end || then >= until) break;
    }
    return false;
}

bool ufh_spin_until(ufh_spin *spin, bool (*has_arrived)(const void *what), const void *what, uf_time until)
{
    bool const arrived = arrives(has_arrived, what, spin->limit, until);

    if (arrived) spin->in_vain = 0;
    else if (spin->in_vain < MOST_SKIPPED) spin->in_vain = spin->in_vain ? 2 * spin->in_vain : 1;
    spin->skip = spin->in_vain;
    return arrived;
}
