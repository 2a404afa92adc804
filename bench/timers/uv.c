/* SPDX-License-Identifier: MIT */
/* W7 on libuv: one timer handle per timer, in milliseconds of real time. Reports CPU time. */
#define BENCH_USAGE "[timers [rounds]]"

#include <uv.h>

#include "bench.h"

static size_t fired;

static void over(uv_timer_t *timer)
{
    (void)timer;
    fired++;
}

static int64_t cpu_now(void)
{
    struct timespec t;
    BENCH_CHECK(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) == 0);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int main(int argc, char **argv)
{
    size_t const timers = bench_number(argc, argv, 1, 100000);
    uint64_t const rounds = bench_number(argc, argv, 2, 1);
    uv_timer_t *const all = bench_memory(timers, sizeof *all);
    uv_loop_t *const loop = uv_default_loop();
    uint32_t random = 1;
    int64_t spent = 0;

    for (size_t i = 0; i < timers; i++) (void)uv_timer_init(loop, &all[i]);
    for (uint64_t n = 0; n < rounds; n++) {
        uv_update_time(loop);
        int64_t const began = cpu_now();
        for (size_t i = 0; i < timers; i++) {
            (void)uv_timer_start(&all[i], over, bench_random(&random) % 1000000 / 1000 + 1, 0);
        }
        (void)uv_run(loop, UV_RUN_DEFAULT);
        spent += cpu_now() - began;
    }
    BENCH_CHECK(fired == timers * rounds);
    bench_report(0, spent, timers * rounds);
    return 0;
}
