#include <stdio.h>

#include "add_an_arm.h"
#include "uflow/simulate.h"

int main(void)
{
    uf_pump pump = {0};
    Alarm alarm = {0};

    uf_pump_init(&pump, NULL);
    Alarm_init(&alarm, &pump, "alarm");
    uf_simulate_until(&pump, UF_MS(100));
    Alarm_start_Ring(&alarm, UF_MS(250)); /* in 150 ms */
    uf_simulate_until_idle(&pump, UF_S(1));
    Alarm_start_Ring(&alarm, UF_MS(50)); /* that moment has passed */
    uf_simulate_until_idle(&pump, UF_S(2));
    return 0;
}
