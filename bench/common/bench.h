/* bench.h - what every program of this directory does: take its numbers from argv, time one thing, print one line. */
#ifndef BENCH_H
#define BENCH_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Monotonic real time in nanoseconds. */
static inline int64_t bench_now(void)
{
    struct timespec t;
    if (clock_gettime(CLOCK_MONOTONIC, &t) != 0) {
        perror("clock_gettime");
        exit(1);
    }
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* argv[index] as a positive number, else `fallback`. */
static inline uint64_t bench_number(int argc, char **argv, int index, uint64_t fallback)
{
    if (argc <= index) return fallback;
    uint64_t const n = strtoull(argv[index], NULL, 10);
    return n > 0 ? n : fallback;
}

/* `count * size` bytes, zeroed, each page touched, or the end of the program. */
static inline void *bench_memory(size_t count, size_t size)
{
    void *p = calloc(count, size);
    if (!p) {
        fprintf(stderr, "bench: no memory for %zu x %zu bytes\n", count, size);
        exit(1);
    }
    for (size_t i = 0; i < count * size; i += 4096) ((volatile char *)p)[i] = 0;
    return p;
}

/* The result: nanoseconds per event, and how many events were timed. */
static inline void bench_report(int64_t began, uint64_t events)
{
    printf("%.4f %llu\n", (double)(bench_now() - began) / (double)events, (unsigned long long)events);
}

#endif
