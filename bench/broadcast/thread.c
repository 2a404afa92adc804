/* SPDX-License-Identifier: MIT */
/* W5 with an operating system thread for each waiter; all wait at one futex. */
#define BENCH_USAGE "[threads [fires]]"

#include <limits.h>
#include <pthread.h>

#include "bench.h"
#include "futex.h"

static uint32_t epoch, left, all_ran;
static uint64_t fires;
static size_t threads;

static void *run(void *unused)
{
    (void)unused;
    for (uint32_t seen = 0; seen <= fires; seen++) {
        if (__atomic_sub_fetch(&left, 1, __ATOMIC_SEQ_CST) == 0) hand_over(&all_ran);
        while (seen < fires && __atomic_load_n(&epoch, __ATOMIC_SEQ_CST) == seen) futex_wait(&epoch, seen);
    }
    return NULL;
}

static void fire(void)
{
    __atomic_store_n(&left, (uint32_t)threads, __ATOMIC_SEQ_CST);
    __atomic_add_fetch(&epoch, 1, __ATOMIC_SEQ_CST);
    futex_wake(&epoch, INT_MAX);
    take_over(&all_ran);
}

int main(int argc, char **argv)
{
    threads = bench_number(argc, argv, 1, 1000);
    fires = bench_number(argc, argv, 2, 100);
    pthread_t *const all = bench_memory(threads, sizeof *all);
    pthread_attr_t small;

    left = (uint32_t)threads;
    BENCH_CHECK(pthread_attr_init(&small) == 0 && pthread_attr_setstacksize(&small, 65536) == 0);
    for (size_t i = 0; i < threads; i++) {
        BENCH_CHECK(pthread_create(&all[i], &small, run, NULL) == 0);
    }
    take_over(&all_ran);
    int64_t const began = bench_begin();
    for (uint64_t n = 0; n < fires; n++) fire();
    bench_report(began, bench_end(), fires * threads);
    for (size_t i = 0; i < threads; i++) (void)pthread_join(all[i], NULL);
    return 0;
}
