/* SPDX-License-Identifier: MIT */
/* W4 on libuv: two loops with an async handle each. On one CPU nearly all of the time is spent in libuv 1.44 itself:
 * uv_async_send() wakes the loop before it marks the handle as done. The loop then spins for 997 pauses (30 us on the
 * machine of results.json) before it yields, once per direction. Later versions do not (libuv's pull request 3879). */
#define BENCH_USAGE "[round trips]"

#include <uv.h>

#include "pingpong.h"

static uv_loop_t loops[2];
static uv_async_t to_left, to_right;
static uint64_t trips, left_to_send;

static void at_left(uv_async_t *handle)
{
    if (left_to_send-- == 0) {
        pingpong_ended = bench_end();
        uv_close((uv_handle_t *)handle, NULL);
        return;
    }
    pingpong_sent();
    (void)uv_async_send(&to_right);
}

static void at_right(uv_async_t *handle)
{
    pingpong_received();
    (void)uv_async_send(&to_left);
    if (pingpong_received_count == trips) uv_close((uv_handle_t *)handle, NULL);
}

static void run(void *loop)
{
    (void)uv_run(loop, UV_RUN_DEFAULT);
}

int main(int argc, char **argv)
{
    uv_thread_t thread;

    trips = left_to_send = bench_number(argc, argv, 1, 50000);
    BENCH_CHECK(uv_loop_init(&loops[0]) == 0 && uv_loop_init(&loops[1]) == 0);
    BENCH_CHECK(uv_async_init(&loops[0], &to_left, at_left) == 0 && uv_async_init(&loops[1], &to_right, at_right) == 0);
    BENCH_CHECK(uv_thread_create(&thread, run, &loops[1]) == 0);
    pingpong_began = bench_begin();
    at_left(&to_left);
    run(&loops[0]);
    (void)uv_thread_join(&thread);
    pingpong_report(trips);
    return 0;
}
