/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "add_an_arm.h"
#include "uflow/simulate.h"

int main(void)
{
    uf_pump pump = {0};
    Sampler sampler = {0};

    uf_pump_init(&pump, NULL);
    Sampler_init(&sampler, &pump, "sampler");
    uf_simulate_until(&pump, UF_MS(130));
    (void)Sampler_start_Sample(&sampler, 2); /* in 70 ms */
    uf_simulate_until_idle(&pump, UF_S(1));
    return 0;
}
