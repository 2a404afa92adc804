/* A minute of the race in virtual time: prints the laps of each runner, and checks them. */
#include <stdio.h>

#include "race.h"

int main(void)
{
    uf_time const length = UF_S(61);
    uf_pump pump;
    Race race;
    int wrong = 0;

    if (uf_pump_init(&pump, NULL) != UF_OK || Race_init(&race, &pump, "race") != UF_OK) return 1;
    (void)Race_start_Run(&race);
    if (uf_simulate_until(&pump, length) != UF_OK) return 1;
    for (int i = 0; i < RUNNERS; i++) {
        runner_kind const *const kind = &runner_kinds[i];
        int const laps = (int)(length / UF_MS(kind->move_ms + 1200));
        printf("%-8s %2d laps of %d\n", kind->name, race.runners[i].laps, laps);
        wrong += race.runners[i].laps != laps;
    }
    return wrong != 0;
}
