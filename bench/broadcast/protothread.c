/* SPDX-License-Identifier: MIT */
/* W5 as protothreads, which poll the signal. */
#define BENCH_USAGE "[threads [fires]]"

#include "protothread.h"
#include "bench.h"

typedef struct machine {
    protothread pt;
    uint32_t seen;
    uint64_t released;
} machine;

static uint32_t epoch;

__attribute__((noinline)) static bool turn(machine *m)
{
    PT_BEGIN(&m->pt);
    for (;;) {
        m->released++;
        PT_WAIT_UNTIL(&m->pt, m->seen != epoch);
        m->seen = epoch;
    }
    PT_END(&m->pt);
}

int main(int argc, char **argv)
{
    size_t const machines = bench_number(argc, argv, 1, 1000);
    uint64_t const fires = bench_number(argc, argv, 2, 1000);
    machine *const all = bench_memory(machines, sizeof *all);

    for (size_t i = 0; i < machines; i++) (void)turn(&all[i]);
    int64_t const began = bench_begin();
    for (uint64_t n = 0; n < fires; n++) {
        epoch++;
        for (size_t i = 0; i < machines; i++) (void)turn(&all[i]);
    }
    int64_t const ended = bench_end();
    for (size_t i = 0; i < machines; i++) BENCH_CHECK(all[i].released == fires + 1);
    bench_report(began, ended, fires * machines);
    return 0;
}
