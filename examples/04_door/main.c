/* A door that closes, meets an obstacle, opens again and tries once more; then one that gives up. Virtual time. */
#include <stdio.h>

#include "door.h"

int main(void)
{
    bool obstacle = false;
    uf_pump pump;
    Door door;

    if (uf_pump_init(&pump, NULL) != UF_OK || Door_init(&door, &pump, "door", &obstacle) != UF_OK) return 1;

    (void)Door_start_Close(&door);
    (void)uf_simulate_until(&pump, UF_MS(450));
    obstacle = true; /* somebody steps into the way ... */
    (void)uf_simulate_until(&pump, UF_S(1));
    obstacle = false; /* ... and out of it */
    if (uf_simulate_until_idle(&pump, UF_S(60)) != UF_OK) return 1;

    obstacle = true;
    (void)Door_start_Close(&door);
    if (uf_simulate_until_idle(&pump, UF_S(60)) != UF_OK) return 1;
    printf("reason: %s\n", uf_flow_reason(&door.uf));
    return 0;
}
