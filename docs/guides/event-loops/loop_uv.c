#include <stdio.h>

#include "ticker.h"
#include "uflow/uv.h"

static Ticker ticker;
static uf_uv adapter;

/* Before the loop waits: it ends when nothing keeps it alive. */
static void look(uv_prepare_t *prepare)
{
    if (uf_flow_running(&ticker.uf)) return;
    puts("idle");
    uf_uv_detach(&adapter, NULL);
    uv_close((uv_handle_t *)prepare, NULL);
}

int main(void)
{
    uv_loop_t *const loop = uv_default_loop();
    uf_runtime *runtime;
    uv_prepare_t prepare;

    if (uf_runtime_new(&runtime, &(uf_runtime_config){.embedded = true}) != UF_OK) return 1;
    if (Ticker_init(&ticker, uf_runtime_pump(runtime), "ticker") != UF_OK) return 1;
    if (Ticker_start_Tick(&ticker, 3) != UF_OK) return 1;

    if (uf_uv_attach(&adapter, loop, runtime) != 0) return 1;
    uv_prepare_init(loop, &prepare);
    uv_prepare_start(&prepare, look);
    uv_run(loop, UV_RUN_DEFAULT);

    if (uf_runtime_free(runtime) != UF_OK) return 1;
    return uv_loop_close(loop) == 0 ? 0 : 1;
}
