/* SPDX-License-Identifier: MIT */
/* W6 on libuv: its own pool, with one thread. */
#define BENCH_USAGE "[in flight [jobs of all]]"

#include <uv.h>

#include "bench.h"

typedef struct job {
    uv_work_t request; /* first */
    uint64_t left, ran;
} job;

static void nothing(uv_work_t *request)
{
    ((job *)request)->ran++;
}

static void over(uv_work_t *request, int status)
{
    if (status == 0 && --((job *)request)->left > 0) (void)uv_queue_work(request->loop, request, nothing, over);
}

int main(int argc, char **argv)
{
    size_t const count = bench_number(argc, argv, 1, 1);
    uint64_t const each = bench_share(argc, argv, 2, 100000, count);
    job *const all = bench_memory(count, sizeof *all);
    uv_loop_t *const loop = uv_default_loop();

    (void)setenv("UV_THREADPOOL_SIZE", "1", 1);
    int64_t const began = bench_begin();
    for (size_t i = 0; i < count; i++) {
        all[i].left = each;
        (void)uv_queue_work(loop, &all[i].request, nothing, over);
    }
    (void)uv_run(loop, UV_RUN_DEFAULT);
    bench_report(began, bench_end(), each * count);
    return 0;
}
