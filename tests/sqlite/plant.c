/* SPDX-License-Identifier: MIT */
/* plant.c - a plant of durable flows that tests/sqlite/kill.py kills.
 *
 * plant DATABASE WORLD MAKERS PAIRS [finish]
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

int world_run(uf_flow *flow, int place)
{
    return (int)uf_flow_this_run(flow).number * 100 + place;
}

void world_line(uf_flow *flow, int number, int shift)
{
    world_note("line", number, shift, (int)uf_flow_this_run(flow).number, (int)uf_flow_ordinal(flow));
}

static void must(bool is_right, const char *what)
{
    if (is_right) return;
    fprintf(stderr, "plant: %s\n", what);
    exit(1);
}

/* Two lines that share a press. */
typedef struct pair {
    Press press;
    Foreman foremen[2];
    char names[3][24];
} pair;

static void init_pair(pair *of, uf_pump *pump, int number)
{
    snprintf(of->names[2], sizeof of->names[2], "press-%d", number);
    must(Press_init(&of->press, pump, of->names[2]) == UF_OK, "no press");
    for (int i = 0; i < 2; i++) {
        snprintf(of->names[i], sizeof of->names[i], "foreman-%d", number * 2 + i);
        must(Foreman_init(&of->foremen[i], pump, of->names[i], number * 2 + i, &of->press) == UF_OK, "no foreman");
    }
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

    must(count >= 5, "usage: plant DATABASE WORLD MAKERS PAIRS [finish]");
    int const makers = atoi(arguments[3]), pairs = atoi(arguments[4]);
    Client *const clients = calloc((size_t)makers, sizeof *clients);
    char(*const names)[24] = calloc((size_t)makers, sizeof *names);
    pair *const lines = calloc((size_t)pairs, sizeof *lines);
    must(clients && names && lines, "no memory");
    orders_more = count == 5;
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
    for (int i = 0; i < pairs; i++) init_pair(&lines[i], uf_runtime_pump(runtime), i);
    must(uf_store_restore(store, &report) == UF_OK, report.text);
    must(uf_store_release(store, NULL) == UF_OK, "not released");
    for (int i = 0; i < makers; i++) must(Client_start_Serve(&clients[i]) == UF_OK, "no start");
    for (int i = 0; i < pairs * 2; i++) must(Foreman_start_Serve(&lines[i / 2].foremen[i % 2]) == UF_OK, "no start");
    if (orders_more) must(sigwait(&set, &caught) == 0, "no signal");
    for (int i = 0; i < makers && !orders_more; i++)
        must(uf_flow_wait(&clients[i].uf, UF_S(60), NULL) == UF_OK, "it is not finished");
    for (int i = 0; i < pairs * 2 && !orders_more; i++)
        must(uf_flow_wait(&lines[i / 2].foremen[i % 2].uf, UF_S(60), NULL) == UF_OK, "it is not finished");
    if (orders_more) (void)stop(runtime);
    must(uf_runtime_free(runtime) == UF_OK, "the runtime stays");
    must(uf_store_close(store) == UF_OK, "the store stays");
    free(names);
    free(clients);
    free(lines);
    return 0;
}
