/* A firmware: the clock counts milliseconds in an interrupt, and the main loop runs the flows. */
#include "blink.h"

static volatile uint32_t milliseconds;
extern char board_stack[];
void reset(void);
void tick(void);

void tick(void)
{
    milliseconds++;
}

void reset(void)
{
    static uf_pump pump;
    static Blinker blinker;

    if (uf_pump_init(&pump, NULL) != UF_OK || Blinker_init(&blinker, &pump, "blinker") != UF_OK) return;
    (void)Blinker_start_Blink(&blinker, 4);
    for (;;) (void)uf_pump_round(&pump, UF_MS(milliseconds));
}

__attribute__((section(".vectors"), used)) static const void *const vectors[16] = {
    board_stack,
    (const void *)reset,
    [15] = (const void *)tick,
};
