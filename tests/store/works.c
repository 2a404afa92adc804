/* SPDX-License-Identifier: MIT */
/* Durable flows for the tests of uflow-store.
 *
 * usage: works FILE      prints `ready` when all has begun, and ends with the standard input */
#include <stdio.h>

#include "uflow/runtime.h"
#include "uflow/sqlite.h"
#include "works.h"

static Line lines[4];
static const char *const names[] = {"works.line", "works.idle", "works.done", "works.stuck"};

static int start(uf_store *store, uf_runtime *runtime)
{
    uf_restore_report report;

    for (int i = 0; i < 4; i++) {
        if (Line_init(&lines[i], uf_runtime_pump(runtime), names[i]) != UF_OK) return 1;
    }
    if (uf_store_restore(store, &report) != UF_OK) {
        puts(report.text);
        return 1;
    }
    puts(report.text);
    if (report.restored) return uf_store_release(store, NULL) != UF_OK;
    if (Line_start_Count(&lines[2]) != UF_OK || Line_start_Break(&lines[3]) != UF_OK) return 1;
    (void)uf_flow_wait(&lines[2].uf, UF_S(60), NULL);
    (void)uf_flow_wait(&lines[3].uf, UF_S(60), NULL);
    return Line_start_Run(&lines[0], (portion){5, "salt"}) != UF_OK;
}

int main(int count, char *arguments[])
{
    uf_store *store;
    uf_runtime *runtime;

    if (count != 2 || uf_sqlite_open(&store, arguments[1], NULL) != UF_OK) return 1;
    if (uf_runtime_new(&runtime, &(uf_runtime_config){.store = store}) != UF_OK) return 1;
    int const failed = start(store, runtime);
    puts("ready");
    fflush(stdout);
    while (!failed && getchar() != EOF) {}
    (void)uf_runtime_free(runtime);
    (void)uf_store_close(store);
    return failed;
}
