/* SPDX-License-Identifier: MIT */
/* bench.h - common functions of all benchmark programs: reading numbers from argv, timing, and printing one line.
 * Define BENCH_USAGE, the arguments of the program, before you include it. */
#ifndef BENCH_H
#define BENCH_H

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

/* Ends the program if the condition is false. */
#define BENCH_CHECK(...) bench_check((__VA_ARGS__), __FILE__, __LINE__, #__VA_ARGS__)

static inline void bench_check(int holds, char const *file, int line, char const *what)
{
    if (holds) return;
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
    exit(1);
}

/* Ends the program: argv[index] is invalid or missing. */
__attribute__((noreturn)) static inline void bench_refuse(int argc, char **argv, int index)
{
    fprintf(stderr, "usage: %s " BENCH_USAGE "; not: %s\n", argv[0], index < argc ? argv[index] : "so few");
    exit(2);
}

/* argv[index] as a number, or `fallback`. 0 is accepted only if `fallback` is 0. */
static inline uint64_t bench_number(int argc, char **argv, int index, uint64_t fallback)
{
    char *end;

    if (argc <= index) return fallback;
    errno = 0;
    uint64_t const number = strtoull(argv[index], &end, 10);
    if (argv[index][0] < '0' || argv[index][0] > '9' || *end || errno) bench_refuse(argc, argv, index);
    if (number == 0 && fallback != 0) bench_refuse(argc, argv, index);
    return number;
}

/* bench_number() divided by `count`, at least 1. */
static inline uint64_t bench_share(int argc, char **argv, int index, uint64_t fallback, uint64_t count)
{
    uint64_t const each = bench_number(argc, argv, index, fallback) / count;

    if (each == 0) bench_refuse(argc, argv, index);
    return each;
}

/* The index of argv[index] in `words`, which ends with NULL; 0 without an argument. */
static inline int bench_word(int argc, char **argv, int index, char const *const *words)
{
    if (argc <= index) return 0;
    for (int i = 0; words[i]; i++) {
        if (strcmp(argv[index], words[i]) == 0) return i;
    }
    bench_refuse(argc, argv, index);
}

/* Allocates `count * size` zeroed bytes and touches each page. Ends the program on failure. */
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

/* The random numbers of all programs with random deadlines: each draws the same ones. */
static inline uint32_t bench_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* The code between these two calls is timed, and counted by instructions.py. */
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

/* Prints the result: nanoseconds per event, and the number of events. */
static inline void bench_report(int64_t began, int64_t ended, uint64_t events)
{
    printf("%.4f %llu\n", (double)(ended - began) / (double)events, (unsigned long long)events);
}

#endif
