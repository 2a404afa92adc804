/* SPDX-License-Identifier: MIT */
/* W1 to W3, the baseline: the least C that has a state and a dispatch. A machine takes as many bytes as a flow.
 * If there are idle machines, the running ones form a list. */
#define BENCH_USAGE "[machines [transitions of all [idle machines]]]"

#include "bench.h"
#include "machine.h"

static void run_array(machine *all, size_t machines)
{
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < machines; i++) more |= turn(&all[i]);
    }
}

/* A ring. A machine that has ended leaves it. */
static void run_ring(machine *last)
{
    for (;;) {
        machine *const m = last->next;
        if (turn(m)) {
            last = m;
        } else {
            last->next = m->next;
            if (m == last) return;
        }
    }
}

int main(int argc, char **argv)
{
    size_t const machines = bench_number(argc, argv, 1, 1);
    uint64_t const each = bench_share(argc, argv, 2, 20000000, machines);
    size_t const idle = bench_number(argc, argv, 3, 0);
    machine *const all = bench_memory(machines + idle, sizeof *all);

    for (size_t i = 0; i < machines; i++) {
        all[i].left = each;
        all[i].next = &all[(i + 1) % machines];
    }
    int64_t const began = bench_begin();
    if (idle) run_ring(&all[machines - 1]);
    else run_array(all, machines);
    bench_report(began, bench_end(), each * machines);
    return 0;
}
