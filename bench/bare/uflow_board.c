/* SPDX-License-Identifier: MIT */
/* uflow_board.c - the main loop of a flow. Like that of runtime/port/template.c, it sleeps through the ticks until the
 * deadline or the hook `wake`. */
#include "uflow_board.h"
#include "bare.h"

static volatile uf_time now;
static volatile bool woken;

static void wake(void *context)
{
    (void)context;
    woken = true;
}

void bare_start(void)
{
    flow_start();
    woken = true;
}

void bare_tick(void)
{
    now += UF_MS((uf_time)BARE_MS);
}

void bare_loop(void)
{
    static const uf_pump_config config = {.wake = wake};
    static uf_pump pump;

    (void)uf_pump_init(&pump, &config);
    flow_init(&pump);
    for (;;) {
        woken = false;
        uf_time const wait = uf_pump_round(&pump, now);
        if (wait == 0) continue;
        uf_time const deadline = uf_time_add(now, wait);
        while (!woken && now < deadline) bare_idle();
    }
}
