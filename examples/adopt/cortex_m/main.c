/* main.c - the main loop: it runs the flows that have something to do, and sleeps in between. */
#include <stdio.h>

#include "blink.h"
#include "start.h"
#include "template.h"

int blinks = 4; /* start.c copies its value to RAM */

int main(void)
{
    static uf_pump pump;
    static Blinker blinker;
    static char line[64];
    unsigned rounds = 0;

    if (uf_pump_init(&pump, &(uf_pump_config){.wake = board_wake}) != UF_OK) return 1;
    if (Blinker_init(&blinker, &pump, "blinker") != UF_OK) return 1;
    if (Blinker_start_Blink(&blinker, blinks) != UF_OK) return 1;
    board_start_clock();
    for (;;) {
        board_awake();
        uf_time const now = board_now();
        uf_time const wait = uf_pump_round(&pump, now);
        rounds++;
        if (!uf_flow_running(&blinker.uf)) break; /* a firmware goes on */
        if (wait > 0) board_sleep_until(uf_time_add(now, wait));
    }
    (void)snprintf(line, sizeof line, "%s after %d ms, in %u rounds\n", uf_outcome_text(uf_flow_outcome(&blinker.uf)),
                   (int)(board_now() / UF_MS(1)), rounds);
    debug_print(line);
    return 0;
}
