/* SPDX-License-Identifier: MIT */
/* W7 as protothreads, which poll the time in each round. Time advances by 1 ms per round, so they are up to 1 ms
 * late. */
#define BENCH_USAGE "[timers [rounds]]"

#include "protothread.h"
#include "bench.h"

typedef struct machine {
    protothread pt;
    uint32_t deadline;
    bool over;
} machine;

static uint32_t now;

__attribute__((noinline)) static bool turn(machine *m)
{
    PT_BEGIN(&m->pt);
    PT_WAIT_UNTIL(&m->pt, now >= m->deadline);
    m->over = true;
    PT_END(&m->pt);
}

int main(int argc, char **argv)
{
    size_t const timers = bench_number(argc, argv, 1, 100000);
    uint64_t const rounds = bench_number(argc, argv, 2, 1);
    machine *const all = bench_memory(timers, sizeof *all);
    uint32_t random = 1;
    int64_t spent = 0;

    for (uint64_t n = 0; n < rounds; n++) {
        for (size_t i = 0; i < timers; i++) all[i] = (machine){.deadline = bench_random(&random) % 1000000 + 1};
        int64_t const began = bench_begin();
        for (now = 0; now <= 1001000; now += 1000) {
            for (size_t i = 0; i < timers; i++) {
                if (!all[i].over) (void)turn(&all[i]);
            }
        }
        spent += bench_end() - began;
        for (size_t i = 0; i < timers; i++) BENCH_CHECK(all[i].over);
    }
    bench_report(0, spent, timers * rounds);
    return 0;
}
