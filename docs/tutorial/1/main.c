#include <stdio.h>

#include "kettle.h"

int main(void)
{
    uf_pump pump;
    Kettle strong, weak;
    int degrees;

    if (uf_pump_init(&pump, NULL) != UF_OK) return 1;
    if (Kettle_init(&strong, &pump, "strong", 2000) != UF_OK) return 1;
    if (Kettle_init(&weak, &pump, "weak", 600) != UF_OK) return 1;

    if (Kettle_start_Heat(&strong, 93) != UF_OK) return 1;
    if (Kettle_start_Heat(&weak, 93) != UF_OK) return 1;
    if (uf_simulate_until_idle(&pump, UF_S(60)) != UF_OK) return 1;

    if (Kettle_result_Heat(&strong, &degrees)) printf("strong: %d degrees\n", degrees);
    printf("weak: %s\n", uf_flow_reason(&weak.uf));
    printf("after %d seconds\n", (int)(uf_pump_now(&pump) / UF_S(1)));
    return 0;
}
