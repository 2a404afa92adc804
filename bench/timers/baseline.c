/* SPDX-License-Identifier: MIT */
/* W7, the baseline: a hierarchical timing wheel with six bits per level and a resolution of 1 us. Its bitmaps let time
 * jump. Each machine runs when it sets its timer and when the timer fires. A machine takes as many bytes as a flow. */
#define BENCH_USAGE "[timers [rounds [fire | cancel]]]"

#include <stdbool.h>

#include "bench.h"
#include "timers.h"

enum { BITS = 6, SLOTS = 1 << BITS, LEVELS = 4 }; /* 2^24 us */

typedef struct machine {
    struct machine *next, *prev; /* the list of its slot, circular with a sentinel */
    uint32_t deadline;
    uint32_t state;
    uint32_t microseconds;
    char rest[sizeof(Sleeper) - 28];
} machine;

typedef struct sentinel {
    machine *next, *prev;
} sentinel;

static sentinel slots[LEVELS][SLOTS];
static uint64_t in_use[LEVELS];
static uint32_t now;

static void set(machine *m)
{
    uint32_t const differs = m->deadline ^ now;
    unsigned const level = differs ? (31u - (unsigned)__builtin_clz(differs)) / BITS : 0;
    unsigned const slot = m->deadline >> (level * BITS) & (SLOTS - 1);
    sentinel *const s = &slots[level][slot];

    m->next = (machine *)s;
    m->prev = s->prev;
    s->prev->next = m;
    s->prev = m;
    in_use[level] |= UINT64_C(1) << slot;
}

static void take_off(machine *m)
{
    m->prev->next = m->next;
    m->next->prev = m->prev;
}

__attribute__((noinline)) static void turn(machine *m)
{
    switch (m->state) {
    case 0:
        m->state = 1;
        m->deadline = now + m->microseconds;
        set(m);
        break;
    default: m->state = 2; break;
    }
}

/* Takes the first slot with timers: the timers of level 0 fire, all others move down one level. If all timers of the
 * slot were cancelled, it is empty. */
static bool advance(void)
{
    for (unsigned level = 0; level < LEVELS; level++) {
        while (in_use[level]) {
            unsigned const slot = (unsigned)__builtin_ctzll(in_use[level]);
            sentinel *const s = &slots[level][slot];
            in_use[level] &= in_use[level] - 1;
            if (s->next == (machine *)s) continue;
            now = (now >> ((level + 1) * BITS) << ((level + 1) * BITS)) | (uint32_t)slot << (level * BITS);
            machine *m = s->next;
            s->prev->next = NULL;
            s->next = s->prev = (machine *)s;
            for (machine *next; m; m = next) {
                next = m->next;
                if (level == 0) turn(m);
                else set(m);
            }
            return true;
        }
    }
    return false;
}

int main(int argc, char **argv)
{
    size_t const timers = bench_number(argc, argv, 1, 100000);
    uint64_t const rounds = bench_number(argc, argv, 2, 1);
    bool const cancels = bench_word(argc, argv, 3, (char const *const[]){"fire", "cancel", NULL}) == 1;
    machine *const all = bench_memory(timers, sizeof *all);
    uint32_t random = 1;
    int64_t spent = 0;

    for (unsigned level = 0; level < LEVELS; level++) {
        for (unsigned slot = 0; slot < SLOTS; slot++) {
            slots[level][slot].next = slots[level][slot].prev = (machine *)&slots[level][slot];
        }
    }
    for (uint64_t n = 0; n < rounds; n++) {
        for (size_t i = 0; i < timers; i++) {
            all[i].microseconds = bench_random(&random) % 1000000 + 1;
            all[i].state = 0;
        }
        now = 0;
        int64_t const began = bench_begin();
        for (size_t i = 0; i < timers; i++) turn(&all[i]);
        for (size_t i = 0; cancels && i < timers; i += 2) {
            take_off(&all[i]);
            all[i].state = 3;
        }
        while (advance()) {}
        spent += bench_end() - began;
    }
    for (size_t i = 0; i < timers; i++) BENCH_CHECK(all[i].state == (cancels && i % 2 == 0 ? 3u : 2u));
    bench_report(0, spent, timers * rounds);
    return 0;
}
