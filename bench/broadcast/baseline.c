/* SPDX-License-Identifier: MIT */
/* W5, the baseline: the list of waiting machines becomes the ready list. Each machine runs its step, and is appended to
 * the waiting list. A machine takes as many bytes as a flow. */
#define BENCH_USAGE "[machines [fires]]"

#include "bench.h"
#include "waiter.h"

typedef struct machine {
    struct machine *next;
    uint32_t state;
    uint64_t released;
    char rest[sizeof(Lone) - 24];
} machine;

typedef struct line {
    machine *first, **end;
} line;

__attribute__((noinline)) static void turn(machine *m, line *waiting)
{
    switch (m->state) {
    case 0: m->state = 1; __attribute__((fallthrough));
    default: m->released++; break;
    }
    m->next = NULL;
    *waiting->end = m;
    waiting->end = &m->next;
}

int main(int argc, char **argv)
{
    size_t const machines = bench_number(argc, argv, 1, 1000);
    uint64_t const fires = bench_number(argc, argv, 2, 1000);
    machine *const all = bench_memory(machines, sizeof *all);
    line waiting = {NULL, &waiting.first};

    for (size_t i = 0; i < machines; i++) turn(&all[i], &waiting);
    int64_t const began = bench_begin();
    for (uint64_t n = 0; n < fires; n++) {
        machine *ready = waiting.first;
        waiting = (line){NULL, &waiting.first};
        for (machine *next; ready; ready = next) {
            next = ready->next;
            turn(ready, &waiting);
        }
    }
    int64_t const ended = bench_end();
    for (size_t i = 0; i < machines; i++) BENCH_CHECK(all[i].released == fires + 1);
    bench_report(began, ended, fires * machines);
    return 0;
}
