#include <stdio.h>

#include "machine.h"

static void report(Machine *machine)
{
    printf("=> %s", uf_outcome_text(uf_flow_outcome(&machine->uf)));
    if (uf_flow_outcome(&machine->uf) != UF_DONE) printf(": %s", uf_flow_reason(&machine->uf));
    printf("\n");
}

int main(void)
{
    uf_pump pump;
    Machine machine, weak;
    bool lid_open = false;

    if (uf_pump_init(&pump, NULL) != UF_OK) return 1;
    if (Machine_init(&machine, &pump, "machine", &lid_open, 2000) != UF_OK) return 1;
    if (Machine_init(&weak, &pump, "weak machine", &lid_open, 600) != UF_OK) return 1;

    if (Machine_start_Brew(&machine, 14) != UF_OK) return 1;
    if (uf_simulate_until_idle(&pump, UF_S(60)) != UF_OK) return 1;
    report(&machine);

    if (Machine_start_Brew(&weak, 14) != UF_OK) return 1;
    if (uf_simulate_until(&pump, uf_pump_now(&pump) + UF_S(2)) != UF_OK) return 1;
    lid_open = true; /* two seconds later, the lid is opened */
    if (uf_simulate_until_idle(&pump, UF_FOREVER) != UF_OK) return 1;
    report(&weak);

    lid_open = false;
    if (Machine_start_Brew(&weak, 14) != UF_OK) return 1;
    if (uf_simulate_until_idle(&pump, UF_FOREVER) != UF_OK) return 1;
    report(&weak);
    return 0;
}
