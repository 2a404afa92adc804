/* SPDX-License-Identifier: MIT */
/* A dosing plant that may be killed at any moment: see README.md.
 *
 * usage: batch FILE.db     the vessel is in FILE.db-vessel */
#include <stdio.h>
#include <string.h>

#include "batch.h"
#include "uflow/runtime.h"
#include "uflow/sqlite.h"
#include "vessel.h"

static Plant plant;
/* An operator looks before each release, so a step may be restored often. */
static const uf_sqlite_config config = {.store = {.restore_limit = 100}};

static int complain(const char *what)
{
    fprintf(stderr, "batch: %s\n", what);
    return 1;
}

/* Until the end of the input, or `quit`. */
static void obey(uf_store *store)
{
    char line[32];

    while (fgets(line, sizeof line, stdin) && strcmp(line, "quit\n") != 0) {
        if (strcmp(line, "start\n") == 0) uf_signal_fire(&plant.ordered);
        else if (strcmp(line, "release\n") == 0) (void)uf_store_release(store, "plant.station");
        else if (strcmp(line, "cancel\n") == 0) (void)uf_flow_cancel(&plant.station.uf);
        else puts("start, release, cancel, quit");
    }
}

static int run(uf_runtime *runtime, uf_store *store)
{
    uf_restore_report report;

    if (Plant_init(&plant, uf_runtime_pump(runtime), "plant") != UF_OK) return complain("no memory");
    if (uf_store_restore(store, &report) != UF_OK) return complain(report.text);
    if (report.restored) printf("held in %s: release, or cancel\n", uf_flow_step(&plant.station.uf));
    if (Plant_start_Watch(&plant) != UF_OK) return complain("the plant does not start");
    obey(store);

    uf_stop_report stopped;
    if (uf_runtime_stop(runtime, UF_S(5), &stopped) != UF_OK) return complain("the plant does not stop");
    if (stopped.suspended) puts("suspended");
    return 0;
}

int main(int count, char *arguments[])
{
    char path[512];
    uf_store *store;
    uf_runtime *runtime;

    if (count != 2) return complain("usage: batch FILE.db");
    setvbuf(stdout, NULL, _IOLBF, 0); /* what was printed before a kill is seen */
    snprintf(path, sizeof path, "%s-vessel", arguments[1]);
    if (!vessel_place(path)) return complain("there is no vessel");
    if (uf_sqlite_open(&store, arguments[1], &config) != UF_OK) return 1;
    if (uf_runtime_new(&runtime, &(uf_runtime_config){.store = store}) != UF_OK) return complain("no thread");
    int const failed = run(runtime, store);
    (void)uf_runtime_free(runtime);
    (void)uf_store_close(store);
    return failed;
}
