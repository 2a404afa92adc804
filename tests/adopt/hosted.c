/* SPDX-License-Identifier: MIT */
#include "hosted.h"
#include "uflow/runtime.h"
int main(void)
{
    static Link link;
    uf_runtime *runtime;
    int got = 0;
    if (uf_runtime_new(&runtime, NULL) != UF_OK) return 1;
    if (Link_init(&link, uf_runtime_pump(runtime), "link", 0) != UF_OK) return 1;
    uf_status status = Link_call_Read(&link, UF_FOREVER, &got, NULL);
    (void)uf_runtime_free(runtime);
    return status != UF_OK;
}
