/* The smallest program: one pump, two instances of one flow, virtual time. */
#include <stdio.h>

#include "hello.h"

int main(void)
{
    uf_pump pump;
    Greeter first, second;

    if (uf_pump_init(&pump, NULL) != UF_OK) return 1;
    if (Greeter_init(&first, &pump, "first") != UF_OK) return 1;
    if (Greeter_init(&second, &pump, "second") != UF_OK) return 1;

    (void)Greeter_start_Greet(&first, "world");
    (void)Greeter_start_Greet(&second, "moon");
    if (uf_simulate_until_idle(&pump, UF_FOREVER) != UF_OK) return 1;

    printf("%lld ms of virtual time\n", (long long)(uf_pump_now(&pump) / UF_MS(1)));
    return 0;
}
