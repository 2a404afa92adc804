/* SPDX-License-Identifier: MIT */
/* W6 on uflow. A runtime with one worker. */
#define BENCH_USAGE "[in flight, 1024 at most, which a pool takes [jobs of all]]"

#include "bench.h"
#include "client.h"
#include "uflow/runtime.h"

int main(int argc, char **argv)
{
    size_t const flows = bench_number(argc, argv, 1, 1);
    uint64_t const each = bench_share(argc, argv, 2, 100000, flows);
    Client *const all = bench_memory(flows, sizeof *all);
    uf_runtime *runtime;

    if (flows > 1024) bench_refuse(argc, argv, 1);
    BENCH_CHECK(uf_runtime_new(&runtime, &(uf_runtime_config){.workers = 1}) == UF_OK);
    for (size_t i = 0; i < flows; i++) {
        BENCH_CHECK(Client_init(&all[i], uf_runtime_pump(runtime), "client") == UF_OK);
    }
    /* The first jobs create the pool and its thread. */
    for (size_t i = 0; i < flows; i++) (void)Client_start_Work(&all[i], 1);
    BENCH_CHECK(uf_runtime_wait(runtime, UF_FOREVER) == UF_OK);
    int64_t const began = bench_begin();
    for (size_t i = 0; i < flows; i++) (void)Client_start_Work(&all[i], each);
    BENCH_CHECK(uf_runtime_wait(runtime, UF_FOREVER) == UF_OK);
    int64_t const ended = bench_end();
    for (size_t i = 0; i < flows; i++) BENCH_CHECK(uf_flow_outcome(&all[i].uf) == UF_DONE);
    BENCH_CHECK(uf_runtime_free(runtime) == UF_OK);
    bench_report(began, ended, each * flows);
    return 0;
}
