#include <stdio.h>

#include "blink.h"

int main(void)
{
    uf_pump pump;
    Blinker blinker;

    if (uf_pump_init(&pump, NULL) != UF_OK || Blinker_init(&blinker, &pump, "blinker") != UF_OK) return 1;
    if (Blinker_start_Blink(&blinker, 4) != UF_OK) return 1;
    if (uf_simulate_until_idle(&pump, UF_S(10)) != UF_OK) return 1;
    printf("%s after %d ms\n", uf_outcome_text(uf_flow_outcome(&blinker.uf)), (int)(uf_pump_now(&pump) / UF_MS(1)));
    return 0;
}
