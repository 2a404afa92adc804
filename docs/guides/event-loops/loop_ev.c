#include <stdio.h>

#include "flows_in_ev.h"
#include "ticker.h"

static Ticker ticker;

/* After the loop has handled its events. */
static void look(struct ev_loop *loop, ev_check *check, int events)
{
    (void)check, (void)events;
    if (uf_flow_running(&ticker.uf)) return;
    puts("idle");
    ev_break(loop, EVBREAK_ALL);
}

int main(void)
{
    struct ev_loop *const loop = ev_default_loop(0);
    uf_runtime *runtime;
    ev_check check;

    if (uf_runtime_new(&runtime, &(uf_runtime_config){.embedded = true}) != UF_OK) return 1;
    if (Ticker_init(&ticker, uf_runtime_pump(runtime), "ticker") != UF_OK) return 1;
    if (Ticker_start_Tick(&ticker, 3) != UF_OK) return 1;

    flows_in_ev flows = {.runtime = runtime};
    flows_in_ev_start(loop, &flows);
    ev_check_init(&check, look);
    ev_set_priority(&check, EV_MINPRI); /* after the flows */
    ev_check_start(loop, &check);
    ev_run(loop, 0);
    flows_in_ev_stop(loop, &flows);
    return uf_runtime_free(runtime) == UF_OK ? 0 : 1;
}
