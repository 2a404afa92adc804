/* SPDX-License-Identifier: MIT */
/* W1 on a runtime with a thread of its own, which checks its inbox and reads the clock in every round. Times the run of
 * a flow, from its start by another thread until that thread is notified of its end. */
#define BENCH_USAGE "[transitions]"

#include "bench.h"
#include "chain.h"
#include "uflow/runtime.h"

int main(int argc, char **argv)
{
    uint64_t const transitions = bench_number(argc, argv, 1, 20000000);
    uf_runtime *runtime;
    Chain flow;

    BENCH_CHECK(uf_runtime_new(&runtime, NULL) == UF_OK);
    BENCH_CHECK(Chain_init(&flow, uf_runtime_pump(runtime), "chain") == UF_OK);
    int64_t const began = bench_begin();
    BENCH_CHECK(Chain_start_Run(&flow, transitions) == UF_OK);
    BENCH_CHECK(uf_flow_wait(&flow.uf, UF_FOREVER, NULL) == UF_OK);
    int64_t const ended = bench_end();
    BENCH_CHECK(uf_flow_outcome(&flow.uf) == UF_DONE && flow.left == UINT64_MAX); /* counted down past 0 */
    BENCH_CHECK(uf_runtime_free(runtime) == UF_OK);
    bench_report(began, ended, transitions);
    return 0;
}
