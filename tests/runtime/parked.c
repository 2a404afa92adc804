/* SPDX-License-Identifier: MIT */
/* parked <step|timer|poll> <transitions> <parked flows>: run by parked.py, which counts the instructions. */
#include "parked.h"

#include "uflow/uflow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    static uf_pump pump;
    static Active active;
    static Gate gate;

    if (argc != 4) return 2;
    long const transitions = atol(argv[2]);
    size_t const count = (size_t)atol(argv[3]);
    Parked *const parked = calloc(count ? count : 1, sizeof *parked);
    if (!parked || uf_pump_init(&pump, NULL) != UF_OK) return 2;
    if (Gate_init(&gate, &pump, "gate") != UF_OK || Active_init(&active, &pump, "active") != UF_OK) return 2;

    (void)Gate_start_Shut(&gate);
    for (size_t i = 0; i < count; i++) {
        if (Parked_init(&parked[i], &pump, "parked", &gate) != UF_OK) return 2;
        (void)(i % 2 ? Parked_start_Time(&parked[i]) : Parked_start_Idle(&parked[i]));
    }
    (void)uf_simulate_until(&pump, UF_MS(1));

    if (strcmp(argv[1], "step") == 0) (void)Active_start_Step(&active, transitions);
    else if (strcmp(argv[1], "timer") == 0) (void)Active_start_Timer(&active, transitions);
    else (void)Active_start_Poll(&active, transitions);
    while (uf_flow_running(&active.uf)) (void)uf_simulate_until(&pump, uf_pump_now(&pump) + UF_S(3600));

    size_t const still_parked = uf_pump_running(&pump) - 1;
    printf("%zu\n", still_parked);
    free(parked);
    return still_parked == count ? 0 : 1;
}
