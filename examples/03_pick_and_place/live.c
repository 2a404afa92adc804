/* Drives the cell on its own thread, at SPEED times the speed: live [parts [seed]]. The timing depends on the machine's
 * load. In any case the pickers never meet and all parts arrive. */
#define _POSIX_C_SOURCE 200809L /* nanosleep() */

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "orchestrator.h"
#include "uflow/runtime.h"

enum { SPEED = 25 };

void drive_wait(int ms)
{
    (void)nanosleep(&(struct timespec){.tv_nsec = ms * 1000000L / SPEED}, NULL);
}

int main(int argc, char **argv)
{
    int const parts = argc > 1 ? atoi(argv[1]) : 3;
    cell shared = {.random = argc > 2 ? (uint32_t)atoi(argv[2]) : 1};
    if (parts < 0) return fprintf(stderr, "usage: %s [parts [seed]]\n", argv[0]), 2;
    uf_runtime_config const config = {
        .name = "cell", .stay_interval = UF_US(800)}; /* the stage polls its clamp: every 20 ms of the cell's time */
    uf_runtime *runtime;
    Orchestrator orchestrator;
    Watch watch;
    uf_call_info end;

    if (uf_runtime_new(&runtime, &config) != UF_OK || uf_pump_set_scale(uf_runtime_pump(runtime), SPEED) != UF_OK ||
        Orchestrator_init(&orchestrator, uf_runtime_pump(runtime), "cell", &shared) != UF_OK ||
        Watch_init(&watch, uf_runtime_pump(runtime), "watch", &orchestrator) != UF_OK) {
        fputs("the cell could not be set up\n", stderr);
        return 1;
    }
    (void)Watch_start_Guard(&watch);
    (void)Orchestrator_start_Deliver(&orchestrator, parts);
    uf_status const status = uf_flow_wait(&orchestrator.uf, UF_FOREVER, &end);
    (void)uf_runtime_free(runtime); /* cancels the watchman */
    if (status != UF_OK || end.outcome != UF_DONE) printf("failed: %s %s\n", uf_status_text(status), end.reason);
    printf("zone B held two pickers: %d times\n", watch.violations);
    printf("parts delivered to Unload: %d\n", orchestrator.unload.delivered);
    return watch.violations == 0 && orchestrator.unload.delivered == parts ? 0 : 1;
}
