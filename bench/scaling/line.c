/* SPDX-License-Identifier: MIT */
/* How long one cache line takes from one CPU to another: two threads, each on a CPU of its own, count in turns. Prints
 * the ns of a transfer: one for each number, and another one for the CPU that waits and reads it. */
#define BENCH_USAGE "[one CPU, the other CPU [numbers]]"

#include <pthread.h>
#include <sched.h>

#include "bench.h"

static _Alignas(128) uint64_t number;
static uint64_t last;

static void stay_on(uint64_t cpu)
{
    cpu_set_t set;

    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    BENCH_CHECK(sched_setaffinity(0, sizeof set, &set) == 0);
}

/* Writes each number after an odd, or an even one. */
static void count_from(uint64_t first)
{
    for (uint64_t next = first; next <= last; next += 2) {
        while (__atomic_load_n(&number, __ATOMIC_ACQUIRE) != next - 1) {}
        __atomic_store_n(&number, next, __ATOMIC_RELEASE);
    }
}

static void *count_even(void *cpu)
{
    stay_on(*(uint64_t *)cpu);
    count_from(2);
    return NULL;
}

int main(int argc, char **argv)
{
    uint64_t const one = bench_number(argc, argv, 1, 0);
    uint64_t other = bench_number(argc, argv, 2, 0);
    pthread_t thread;

    last = bench_number(argc, argv, 3, 200000);
    BENCH_CHECK(pthread_create(&thread, NULL, count_even, &other) == 0);
    stay_on(one);
    int64_t const began = bench_begin();
    count_from(1);
    (void)pthread_join(thread, NULL);
    bench_report(began, bench_end(), 2 * last);
    return 0;
}
