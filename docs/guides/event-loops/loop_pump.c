#include <poll.h>
#include <stdio.h>

#include "ticker.h"
#include "uflow/runtime.h" /* uf_real_now() */

/* Converts the result of uf_pump_round() to milliseconds for poll(): rounded up, so that no round comes too early. */
static int poll_timeout(uf_time wait)
{
    if (wait == UF_FOREVER) return -1;
    return wait > UF_S(3600) ? 3600000 : (int)((wait + UF_MS(1) - 1) / UF_MS(1));
}

int main(void)
{
    uf_pump pump;
    Ticker ticker;
    struct pollfd descriptors[1]; /* no descriptor of your own */

    if (uf_pump_init(&pump, NULL) != UF_OK || Ticker_init(&ticker, &pump, "ticker") != UF_OK) return 1;
    if (Ticker_start_Tick(&ticker, 3) != UF_OK) return 1;
    for (;;) {
        uf_time const wait = uf_pump_round(&pump, uf_real_now());
        if (!uf_flow_running(&ticker.uf)) break;
        if (poll(descriptors, 0, poll_timeout(wait)) < 0) return 1;
        /* handle your descriptors here: fire signals, send into mailboxes */
    }
    puts("idle");
    return 0;
}
