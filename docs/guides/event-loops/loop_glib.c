#include <stdio.h>

#include "flows_in_glib.h"
#include "ticker.h"

int main(void)
{
    uf_runtime *runtime;
    Ticker ticker;

    if (uf_runtime_new(&runtime, &(uf_runtime_config){.embedded = true}) != UF_OK) return 1;
    if (Ticker_init(&ticker, uf_runtime_pump(runtime), "ticker") != UF_OK) return 1;
    if (Ticker_start_Tick(&ticker, 3) != UF_OK) return 1;

    GSource *const source = flows_in_glib_add(runtime);
    while (uf_flow_running(&ticker.uf)) g_main_context_iteration(NULL, TRUE); /* or g_main_loop_run() */
    puts("idle");
    flows_in_glib_remove(source);
    return uf_runtime_free(runtime) == UF_OK ? 0 : 1;
}
