/* One door meets an obstacle, opens again, and closes the second time; another one is blocked permanently. In virtual
 * time. */
#include <stdio.h>

#include "door.h"

int main(void)
{
    bool obstacle = false, always = true;
    uf_pump pump;
    Door door, blocked;

    if (uf_pump_init(&pump, NULL) != UF_OK) return 1;
    if (Door_init(&door, &pump, "door", &obstacle) != UF_OK) return 1;
    if (Door_init(&blocked, &pump, "blocked", &always) != UF_OK) return 1;

    (void)Door_start_Close(&door);
    (void)uf_simulate_until(&pump, UF_MS(450));
    obstacle = true; /* an obstacle blocks the way ... */
    (void)uf_simulate_until(&pump, UF_S(1));
    obstacle = false; /* ... and leaves it */
    if (uf_simulate_until_idle(&pump, UF_FOREVER) != UF_OK) return 1;

    (void)Door_start_Close(&blocked);
    if (uf_simulate_until_idle(&pump, UF_FOREVER) != UF_OK) return 1;
    printf("why: %s\n", uf_flow_reason(&blocked.uf));
    return 0;
}
