/* SPDX-License-Identifier: MIT */
/* plant.c - a plant of durable flows that tests/sqlite/kill.py kills.
 *
 * plant DATABASE WORLD MAKERS [finish]
 *
 * What bodies do is in the file WORLD. SIGTERM is a graceful stop. `finish`: nothing more is ordered, and the plant
 * ends when all is made. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plant.h"
#include "uflow/runtime.h"
#include "uflow/sqlite.h"

bool orders_more = true;
static int world = -1;

/* Other processes see it at once, and it stays if this one is killed. */
void world_note(const char *what, int number, int order, int a, int b)
{
    char line[96];
    int const length = snprintf(line, sizeof line, "%s %d %d %d %d\n", what, number, order, a, b);
    if (write(world, line, (size_t)length) != length) abort();
}

static void must(bool is_right, const char *what)
{
    if (is_right) return;
    fprintf(stderr, "plant: %s\n", what);
    exit(1);
}

static int stop(uf_runtime *runtime)
{
    uf_stop_report report;
    uf_status const status = uf_runtime_stop(runtime, UF_S(30), &report);

    must(status == UF_OK, uf_status_text(status));
    must(report.cancelled == 0, "the stop has cancelled something");
    world_note("stop", 0, 0, (int)report.suspended, (int)report.ended);
    return 0;
}

int main(int count, char *arguments[])
{
    uf_store *store;
    uf_runtime *runtime;
    uf_restore_report report;
    uf_sqlite_config const config = {.store = {.restore_limit = UINT32_MAX}}; /* a step may be killed often */
    sigset_t set;
    int caught;

    must(count >= 4, "usage: plant DATABASE WORLD MAKERS [finish]");
    int const makers = atoi(arguments[3]);
    Client *const clients = calloc((size_t)makers, sizeof *clients);
    char(*const names)[24] = calloc((size_t)makers, sizeof *names);
    must(clients && names, "no memory");
    orders_more = count == 4;
    world = open(arguments[2], O_WRONLY | O_CREAT | O_APPEND, 0600);
    must(world >= 0, "no world");
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set, NULL);

    must(uf_sqlite_open(&store, arguments[1], &config) == UF_OK, "no store");
    must(uf_runtime_new(&runtime, &(uf_runtime_config){.store = store}) == UF_OK, "no runtime");
    for (int i = 0; i < makers; i++) {
        snprintf(names[i], sizeof names[i], "client-%d", i);
        must(Client_init(&clients[i], uf_runtime_pump(runtime), names[i], i) == UF_OK, "no client");
    }
    must(uf_store_restore(store, &report) == UF_OK, report.text);
    must(uf_store_release(store, NULL) == UF_OK, "not released");
    for (int i = 0; i < makers; i++) must(Client_start_Serve(&clients[i]) == UF_OK, "no start");
    if (orders_more) must(sigwait(&set, &caught) == 0, "no signal");
    for (int i = 0; i < makers && !orders_more; i++)
        must(uf_flow_wait(&clients[i].uf, UF_S(60), NULL) == UF_OK, "it is not finished");
    if (orders_more) (void)stop(runtime);
    must(uf_runtime_free(runtime) == UF_OK, "the runtime stays");
    must(uf_store_close(store) == UF_OK, "the store stays");
    free(names);
    free(clients);
    return 0;
}
