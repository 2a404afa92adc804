/* W6 on uflow: jobs_uflow [in flight [jobs of all]]. A runtime with one worker. */
#include "bench.h"
#include "client.h"
#include "uflow/runtime.h"

int main(int argc, char **argv)
{
    size_t const flows = bench_number(argc, argv, 1, 1);
    uint64_t const each = bench_number(argc, argv, 2, 100000) / flows;
    Client *const all = bench_memory(flows, sizeof *all);
    uf_runtime *runtime;

    if (uf_runtime_new(&runtime, &(uf_runtime_config){.workers = 1}) != UF_OK) return 1;
    for (size_t i = 0; i < flows; i++) {
        if (Client_init(&all[i], uf_runtime_pump(runtime), "client") != UF_OK) return 1;
    }
    /* The first jobs make the pool and its thread. */
    for (size_t i = 0; i < flows; i++) (void)Client_start_Work(&all[i], 1);
    if (uf_runtime_wait(runtime, UF_FOREVER) != UF_OK) return 1;
    int64_t const began = bench_begin();
    for (size_t i = 0; i < flows; i++) (void)Client_start_Work(&all[i], each);
    if (uf_runtime_wait(runtime, UF_FOREVER) != UF_OK) return 1;
    bench_report(began, bench_end(), each * flows);
    for (size_t i = 0; i < flows; i++) {
        if (uf_flow_outcome(&all[i].uf) != UF_DONE) return 1;
    }
    return uf_runtime_free(runtime) == UF_OK ? 0 : 1;
}
