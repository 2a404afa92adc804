/* SPDX-License-Identifier: MIT */
/* W1 to W3 as protothreads: each round calls all of them, including the waiting ones. */
#define BENCH_USAGE "[threads [transitions of all [waiting threads]]]"

#include "protothread.h"
#include "bench.h"

typedef struct machine {
    uint64_t left;
    protothread pt;
    bool go; /* the condition of the parked machines */
} machine;

__attribute__((noinline)) static bool ring(machine *m)
{
    PT_BEGIN(&m->pt);
    for (;;) {
        if (m->left-- == 0) return false;
        PT_YIELD(&m->pt);
        if (m->left-- == 0) return false;
        PT_YIELD(&m->pt);
        if (m->left-- == 0) return false;
        PT_YIELD(&m->pt);
        if (m->left-- == 0) return false;
        PT_YIELD(&m->pt);
    }
    PT_END(&m->pt);
}

__attribute__((noinline)) static bool park(machine *m)
{
    PT_BEGIN(&m->pt);
    PT_WAIT_UNTIL(&m->pt, m->go);
    PT_END(&m->pt);
}

int main(int argc, char **argv)
{
    size_t const machines = bench_number(argc, argv, 1, 1);
    uint64_t const each = bench_share(argc, argv, 2, 20000000, machines);
    size_t const idle = bench_number(argc, argv, 3, 0);
    machine *const all = bench_memory(machines + idle, sizeof *all);

    for (size_t i = 0; i < machines; i++) all[i].left = each;
    int64_t const began = bench_begin();
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < machines; i++) more |= ring(&all[i]);
        for (size_t i = machines; i < machines + idle; i++) (void)park(&all[i]);
    }
    bench_report(began, bench_end(), each * machines);
    return 0;
}
