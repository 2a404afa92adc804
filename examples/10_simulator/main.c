/* A minute of the race in virtual time: prints the laps of each runner, and checks them. */
#include <stdio.h>

#include "race.h"
#include "screen.h"

int main(void)
{
    uf_time const length = UF_S(61);
    uf_pump pump;
    Runner runners[RUNNERS];

    if (uf_pump_init(&pump, NULL) != UF_OK) return 1;
    for (int i = 0; i < RUNNERS; i++) {
        if (Runner_init(&runners[i], &pump, runner_kinds[i].name, runner_kinds[i].move_ms) != UF_OK) return 1;
        if (Runner_start_Run(&runners[i]) != UF_OK) return 1;
    }
    if (uf_simulate_until(&pump, length) != UF_OK) return 1;
    for (int i = 0; i < RUNNERS; i++) {
        int const laps = (int)(length / UF_MS(runner_kinds[i].move_ms + 1200));
        printf("%-8s %2d laps of %d\n", runner_kinds[i].name, runners[i].laps, laps);
    }
    return 0;
}
