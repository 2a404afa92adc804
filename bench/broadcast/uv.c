/* SPDX-License-Identifier: MIT */
/* W5 on libuv: a fire starts one idle handle per waiter, which stops itself when it has run. */
#define BENCH_USAGE "[waiters [fires]]"

#include <uv.h>

#include "bench.h"

typedef struct waiter {
    uv_idle_t handle; /* first */
    uint64_t released;
} waiter;

static void turn(uv_idle_t *handle)
{
    ((waiter *)handle)->released++;
    (void)uv_idle_stop(handle);
}

int main(int argc, char **argv)
{
    size_t const waiters = bench_number(argc, argv, 1, 1000);
    uint64_t const fires = bench_number(argc, argv, 2, 1000);
    waiter *const all = bench_memory(waiters, sizeof *all);
    uv_loop_t *const loop = uv_default_loop();

    for (size_t i = 0; i < waiters; i++) (void)uv_idle_init(loop, &all[i].handle);
    int64_t const began = bench_begin();
    for (uint64_t n = 0; n < fires; n++) {
        for (size_t i = 0; i < waiters; i++) (void)uv_idle_start(&all[i].handle, turn);
        (void)uv_run(loop, UV_RUN_DEFAULT);
    }
    int64_t const ended = bench_end();
    for (size_t i = 0; i < waiters; i++) BENCH_CHECK(all[i].released == fires);
    bench_report(began, ended, fires * waiters);
    return 0;
}
