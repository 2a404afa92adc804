/* SPDX-License-Identifier: MIT */
#include "server.h"
#include "uflow/runtime.h"
int main(void)
{
    static Exchange exchange;
    uf_runtime *runtime;
    uf_stop_report report;
    if (uf_runtime_new(&runtime, NULL) != UF_OK) return 1;
    if (Exchange_init(&exchange, uf_runtime_pump(runtime), "exchange", 0) != UF_OK) return 1;
    if (Exchange_start_Accept(&exchange) != UF_OK) return 1;
    uf_status status = uf_runtime_stop(runtime, UF_S(1), &report);
    (void)uf_runtime_free(runtime);
    return status != UF_OK;
}
