/* SPDX-License-Identifier: MIT */
/* The cost of a waiting operating system thread. */
#define BENCH_USAGE "[threads]"

#include <pthread.h>

#include "futex.h"
#include "resident.h"

static uint32_t never;

static void *run(void *unused)
{
    while (!__atomic_load_n(&never, __ATOMIC_RELAXED)) futex_wait(&never, 0);
    return unused;
}

int main(int argc, char **argv)
{
    size_t const threads = bench_number(argc, argv, 1, 1000);
    uint64_t const before = resident_bytes();
    pthread_attr_t small;
    pthread_t thread;

    BENCH_CHECK(pthread_attr_init(&small) == 0 && pthread_attr_setstacksize(&small, 65536) == 0);
    for (size_t i = 0; i < threads; i++) {
        BENCH_CHECK(pthread_create(&thread, &small, run, NULL) == 0);
    }
    (void)nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    resident_report(before, threads);
    (void)fflush(stdout);
    _Exit(0);
}
