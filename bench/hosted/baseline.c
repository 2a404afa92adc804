/* SPDX-License-Identifier: MIT */
/* W1 on a thread of its own, the baseline: a switch in a loop that checks a stop flag and reads the clock before each
 * transition, as a runtime does. Another thread passes it the machine, and waits until it is passed back. */
#define BENCH_USAGE "[transitions]"

#include <pthread.h>

#include "bench.h"
#include "futex.h"
#include "machine.h"

static uint32_t given, over, stop;
static machine only;
static int64_t now;

static void run(machine *m)
{
    do now = bench_now();
    while (!__atomic_load_n(&stop, __ATOMIC_RELAXED) && turn(m));
}

static void *work(void *unused)
{
    take_over(&given);
    run(&only);
    hand_over(&over);
    return unused;
}

int main(int argc, char **argv)
{
    uint64_t const transitions = bench_number(argc, argv, 1, 20000000);
    pthread_t thread;

    BENCH_CHECK(pthread_create(&thread, NULL, work, NULL) == 0);
    int64_t const began = bench_begin();
    only.left = transitions;
    hand_over(&given);
    take_over(&over);
    int64_t const ended = bench_end();
    BENCH_CHECK(pthread_join(thread, NULL) == 0);
    BENCH_CHECK(only.left == UINT64_MAX && now <= ended); /* counted down past 0 */
    bench_report(began, ended, transitions);
    return 0;
}
