/* SPDX-License-Identifier: MIT */
/* pingpong.h - the samples of W4: how long a ball took from one side to the other, in every 16th round. */
#ifndef PINGPONG_H
#define PINGPONG_H

#include "bench.h"

#define PINGPONG_EVERY   16u
#define PINGPONG_SAMPLES 65536u

static int64_t pingpong_began, pingpong_ended;
static int64_t pingpong_times[PINGPONG_SAMPLES];
static uint32_t pingpong_sent_count, pingpong_received_count;

/* The serving side calls the first before it sends the ball, the other side the second when the ball arrives. */
static inline void pingpong_sent(void)
{
    uint32_t const n = pingpong_sent_count++;
    if (n % PINGPONG_EVERY == 0) pingpong_times[n / PINGPONG_EVERY % PINGPONG_SAMPLES] = -bench_now();
}

static inline void pingpong_received(void)
{
    uint32_t const n = pingpong_received_count++;
    if (n % PINGPONG_EVERY == 0) pingpong_times[n / PINGPONG_EVERY % PINGPONG_SAMPLES] += bench_now();
}

static inline int pingpong_compare(const void *a, const void *b)
{
    int64_t const x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Prints the nanoseconds per round trip, the number of round trips, and the median and 99th percentile of one way. */
static inline void pingpong_report(uint64_t trips)
{
    uint64_t const seen = (pingpong_received_count + PINGPONG_EVERY - 1) / PINGPONG_EVERY;
    size_t const samples = seen < PINGPONG_SAMPLES ? (size_t)seen : PINGPONG_SAMPLES;

    BENCH_CHECK(pingpong_received_count >= trips && samples > 0);
    qsort(pingpong_times, samples, sizeof pingpong_times[0], pingpong_compare);
    printf("%.4f %llu one_way_p50_ns=%lld one_way_p99_ns=%lld\n",
           (double)(pingpong_ended - pingpong_began) / (double)trips, (unsigned long long)trips,
           (long long)pingpong_times[samples / 2], (long long)pingpong_times[samples * 99 / 100]);
}

#endif
