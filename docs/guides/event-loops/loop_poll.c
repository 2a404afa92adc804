#include <stdio.h>

#include "flows_in_poll.h"
#include "ticker.h"

int main(void)
{
    uf_runtime *runtime;
    Ticker ticker;
    struct pollfd descriptors[1]; /* no descriptor of your own, and one for the flows */

    if (uf_runtime_new(&runtime, &(uf_runtime_config){.embedded = true}) != UF_OK) return 1;
    if (Ticker_init(&ticker, uf_runtime_pump(runtime), "ticker") != UF_OK) return 1;
    if (Ticker_start_Tick(&ticker, 3) != UF_OK) return 1;
    while (uf_flow_running(&ticker.uf)) {
        if (poll_with_flows(runtime, descriptors, 0) < 0) return 1;
    }
    puts("idle");
    return uf_runtime_free(runtime) == UF_OK ? 0 : 1;
}
