/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "add_a_public_function.h"
#include "uflow/simulate.h"

static void measure(Probe *probe, uf_pump *pump, bool connected)
{
    (void)Probe_start_Measure(probe, connected);
    uf_simulate_until_idle(pump, UF_S(1));
    printf("%s\n", uf_flow_has_failed(&probe->uf) ? "failed" : "measured");
}

int main(void)
{
    uf_pump pump = {0};
    Probe probe = {0};

    uf_pump_init(&pump, NULL);
    Probe_init(&probe, &pump, "probe");
    measure(&probe, &pump, false);
    measure(&probe, &pump, true);
    return 0;
}
