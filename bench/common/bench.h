/* bench.h - what every program of this directory does: take its numbers from argv, time one thing, print one line. */
#ifndef BENCH_H
#define BENCH_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#if defined(__has_include)
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#endif
#endif
#if !defined(CALLGRIND_TOGGLE_COLLECT)
#define CALLGRIND_TOGGLE_COLLECT ((void)0)
#endif

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

/* argv[index] as a number, else `fallback`. */
static inline uint64_t bench_number(int argc, char **argv, int index, uint64_t fallback)
{
    return argc > index ? strtoull(argv[index], NULL, 10) : fallback;
}

/* `count * size` bytes, zeroed, each page touched, or the end of the program. */
static inline void *bench_memory(size_t count, size_t size)
{
    void *p = calloc(count ? count : 1, size);
    if (!p) {
        fprintf(stderr, "bench: no memory for %zu x %zu bytes\n", count, size);
        exit(1);
    }
    for (size_t i = 0; i < count * size; i += 4096) ((volatile char *)p)[i] = 0;
    return p;
}

/* The numbers that all programs with random deadlines use, the same in each. */
static inline uint32_t bench_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* What lies between these two is timed, and counted by instructions.py. */
static inline int64_t bench_begin(void)
{
    int64_t const now = bench_now();
    CALLGRIND_TOGGLE_COLLECT;
    return now;
}

static inline int64_t bench_end(void)
{
    CALLGRIND_TOGGLE_COLLECT;
    return bench_now();
}

/* The result: nanoseconds per event, and how many events were timed. */
static inline void bench_report(int64_t began, int64_t ended, uint64_t events)
{
    printf("%.4f %llu\n", (double)(ended - began) / (double)events, (unsigned long long)events);
}

#endif
