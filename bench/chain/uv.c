/* SPDX-License-Identifier: MIT */
/* W1 to W3 on libuv: one idle handle per machine, which the loop calls once per iteration. */
#define BENCH_USAGE "[machines [transitions of all [parked machines]]]"

#include <uv.h>

#include "bench.h"

typedef struct machine {
    uv_idle_t handle; /* first */
    uint64_t left;
    uint32_t state;
} machine;

static void turn(uv_idle_t *handle)
{
    machine *const m = (machine *)handle;
    if (m->left-- == 0) {
        (void)uv_idle_stop(handle);
        return;
    }
    switch (m->state) {
    case 0: m->state = 1; break;
    case 1: m->state = 2; break;
    case 2: m->state = 3; break;
    default: m->state = 0; break;
    }
}

int main(int argc, char **argv)
{
    size_t const machines = bench_number(argc, argv, 1, 1);
    uint64_t const each = bench_share(argc, argv, 2, 20000000, machines);
    size_t const idle = bench_number(argc, argv, 3, 0);
    machine *const all = bench_memory(machines + idle, sizeof *all);
    uv_loop_t *const loop = uv_default_loop();

    for (size_t i = 0; i < machines + idle; i++) {
        all[i].left = each;
        BENCH_CHECK(uv_idle_init(loop, &all[i].handle) == 0);
        if (i < machines) BENCH_CHECK(uv_idle_start(&all[i].handle, turn) == 0);
    }
    int64_t const began = bench_begin();
    (void)uv_run(loop, UV_RUN_DEFAULT);
    bench_report(began, bench_end(), each * machines);
    return 0;
}
