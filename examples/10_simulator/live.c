/* The race on a terminal: one thread and two clocks. The user stops and speeds up the clock of the race, or pauses one
 * runner; the console uses real time. */
#include <stdio.h>

#include "console.h"
#include "uflow/runtime.h"

int main(void)
{
    uf_runtime_config const config = {.stay_interval = UF_MS(5)};
    uf_runtime *track, *terminal;
    static Race race;
    static Console console;
    uf_call_info end;

    if (uf_runtime_new(&track, &config) != UF_OK || uf_runtime_new(&terminal, &config) != UF_OK) return 1;
    if (uf_runtime_link(terminal, track) != UF_OK) return 1; /* so that the screen can read the runners' data */
    if (Race_init(&race, uf_runtime_pump(track), "race") != UF_OK) return 1;
    if (Console_init(&console, uf_runtime_pump(terminal), "console", &race) != UF_OK) return 1;

    screen_begin();
    (void)Race_start_Run(&race);
    uf_status const status = Console_call_Read(&console, UF_FOREVER, &end);
    if (uf_runtime_free(track) != UF_OK || uf_runtime_free(terminal) != UF_OK) return 1;
    screen_end();
    if (status != UF_OK) fprintf(stderr, "console: %s\n", end.reason);
    return status != UF_OK;
}
