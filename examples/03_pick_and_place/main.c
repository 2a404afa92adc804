/* Drives the cell in virtual time: main [parts [seed [latch ms [trace]]]]. Prints each action of the machines with
 * its time, the number of delivered parts, and whether the two pickers ever met in zone B. Writes a trace for
 * uflow-trace, if you name a file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "uflow/recorder_file.h"

#include "orchestrator.h"

/* One line per step change. It omits the axes and the watchman, since the other machines show the same events. */
static void print_step(void *context, const uf_flow *flow, const uf_step_change *change)
{
    (void)context;
    if (strcmp(flow->type->name, "Axis") == 0) return;
    char path[64];
    uf_flow_path(flow, path, sizeof path);
    uf_time const ms = uf_flow_now(flow) / UF_MS(1);
    printf("%4lld.%03lld s  %-12s %-8s %-10s -> %-10s  %s\n", (long long)(ms / 1000), (long long)(ms % 1000), path,
           change->task, change->from, change->to[0] ? change->to : "(end)", change->description);
}

void drive_wait(int ms)
{
    (void)ms; /* the seeded pool advances the time by a seeded duration */
}

int main(int argc, char **argv)
{
    int const parts = argc > 1 ? atoi(argv[1]) : 3;
    cell_common shared = {.random = argc > 2 ? (uint32_t)atoi(argv[2]) : 1, .latch_ms = argc > 3 ? atoi(argv[3]) : 0};
    if (parts < 0 || shared.latch_ms < 0)
        return fprintf(stderr, "usage: %s [parts [seed [latch ms [trace]]]]\n", argv[0]), 2;
    uf_observer printer = {.step_changed = print_step};
    static uf_work works[4];
    uf_seeded_pool pool;
    uf_pump pump;
    static uf_recorder recorder;
    static unsigned char memory[1 << 20];
    Orchestrator orchestrator;
    Watch watch;

    if (uf_pool_seeded(&pool, works, 4, shared.random, UF_MS(300)) != UF_OK ||
        uf_pump_init(&pump, &(uf_pump_config){.pool = &pool.pool}) != UF_OK ||
        uf_pump_add_observer(&pump, &printer) != UF_OK ||
        uf_recorder_attach(&recorder, &pump, memory, sizeof memory, 50) != UF_OK ||
        Orchestrator_init(&orchestrator, &pump, "cell", &shared) != UF_OK ||
        Watch_init(&watch, &pump, "watch", &orchestrator) != UF_OK) {
        fputs("the cell could not be set up\n", stderr);
        return 1;
    }
    (void)Watch_start_Guard(&watch);
    (void)Orchestrator_start_Deliver(&orchestrator, parts);
    while (uf_flow_running(&orchestrator.uf)) {
        if (uf_simulate_until(&pump, uf_pump_now(&pump) + UF_S(1)) != UF_OK) break;
    }
    if (uf_flow_outcome(&orchestrator.uf) != UF_DONE) printf("failed: %s\n", uf_flow_reason(&orchestrator.uf));
    printf("zone B held two pickers: %d times\n", watch.violations);
    printf("parts delivered to Unload: %d\n", orchestrator.unload.delivered);
    if (argc > 4 && !uf_recorder_save(&recorder, argv[4])) fprintf(stderr, "%s was not written\n", argv[4]);
    return watch.violations == 0 && orchestrator.unload.delivered == parts ? 0 : 1;
}
