/* SPDX-License-Identifier: MIT */
/* shown.c - a program that variables of the environment can show, if it is compiled with SHOWN. It runs a flow in each
 * of two runtimes, then waits for the end of its input. */
#include <stdio.h>
#include <uflow/runtime.h>

#include "worker.h"

static bool run(uf_runtime **runtime, Worker *worker, const char *name)
{
    uf_runtime_config const config = {
        .name = name,
#if defined(SHOWN)
        .environment = &uf_environment,
#endif
    };
    return uf_runtime_new(runtime, &config) == UF_OK &&
           Worker_init(worker, uf_runtime_pump(*runtime), "worker") == UF_OK &&
           Worker_call_Count(worker, 3, UF_S(60), NULL, NULL) == UF_OK;
}

int main(void)
{
    static Worker workers[2];
    uf_runtime *runtimes[2];

    if (!run(&runtimes[0], &workers[0], "first") || !run(&runtimes[1], &workers[1], "a/b c")) return 1;
    if (puts("ran") < 0 || fflush(stdout) != 0) return 1;
    while (getchar() != EOF) {}
    return uf_runtime_free(runtimes[0]) != UF_OK || uf_runtime_free(runtimes[1]) != UF_OK;
}
