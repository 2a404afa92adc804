/* SPDX-License-Identifier: MIT */
#include "app.h"
#include "door.h"

int main(void)
{
    static app whole;
    static Door door;

    if (size_in_board() != sizeof whole || size_in_app() != sizeof whole) return 1;
    if (uf_pump_init(&whole.pump, NULL) != UF_OK || Door_init(&door, &whole.pump, NULL) != UF_OK) return 2;
    if (Door_start_Open(&door) != UF_OK) return 3;
    uf_pump_round(&whole.pump, 0);
    return uf_flow_outcome(&door.uf) != UF_DONE;
}
