/* SPDX-License-Identifier: MIT */
/* peers.c - two runtimes that are stuck, for the tests of tools that find out why. It prints "stuck" as soon as they
 * are, and goes on until its standard input ends.
 *
 *   stuck_peers [--listen SOCKET]
 */
#define _POSIX_C_SOURCE 200809L
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "peers.h"
#include "uflow/inspect.h"
#include "uflow/runtime.h"

static Peer east, west;
static Digger leaver, first, second; /* the first one was cancelled: its worker function still runs */
static Passer passer;
static Watcher watcher, stayer;
static Ledger ledger;
static atomic_bool digs, ends;

static void wait_for(const atomic_bool *what)
{
    while (!atomic_load(what)) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

void peers_block(void)
{
    atomic_store(&digs, true);
    wait_for(&ends);
}

static void ignore(void *context, const uf_flow *flow, const uf_failure *failure)
{
    (void)context;
    (void)flow;
    (void)failure;
}

static void check(bool holds, const char *what)
{
    if (holds) return;
    fprintf(stderr, "stuck_peers: %s\n", what);
    exit(2);
}

static void wait_until_in(const uf_flow *flow, const char *step)
{
    uf_flow_view view;

    do {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        uf_flow_view_of(flow, &view);
    } while (strcmp(view.step, step) != 0 || view.elapsed < UF_MS(20));
}

int main(int argc, char **argv)
{
    uf_runtime *here, *there;
    uf_inspect *inspect = NULL;
    uf_store *store;

    check(argc == 1 || (argc == 3 && strcmp(argv[1], "--listen") == 0), "usage: stuck_peers [--listen SOCKET]");
    check(uf_store_memory_open(&store, &(uf_store_config){.limit = UF_FOREVER}) == UF_OK, "no store");
    uf_runtime_config const config = {.name = "here", .workers = 2, .on_failure = ignore, .store = store};
    check(uf_runtime_new(&here, &config) == UF_OK, "no runtime");
    check(uf_runtime_new(&there, &(uf_runtime_config){.name = "there", .on_failure = ignore}) == UF_OK, "no runtime");
    uf_pump *const pump = uf_runtime_pump(here);
    bool const made = Peer_init(&east, pump, "east", &west) == UF_OK &&
                      Peer_init(&west, uf_runtime_pump(there), "west", &east) == UF_OK &&
                      Digger_init(&leaver, pump, "leaver") == UF_OK && Digger_init(&first, pump, "first") == UF_OK &&
                      Digger_init(&second, pump, "second") == UF_OK && Passer_init(&passer, pump, "passer") == UF_OK &&
                      Watcher_init(&watcher, pump, "watcher") == UF_OK &&
                      Watcher_init(&stayer, pump, "stayer") == UF_OK && Ledger_init(&ledger, pump, "ledger") == UF_OK;
    check(made && uf_checkpoint_try_arm(&gate) == UF_OK, "no flows");
    check(uf_store_memory_stop(store, 1, NULL) == UF_OK, "no stop of the store");
    check(Digger_start_Dig(&leaver) == UF_OK, "no start");
    wait_for(&digs);
    check(uf_flow_cancel(&leaver.uf) == UF_OK, "no cancel");
    atomic_store(&digs, false);
    check(Digger_start_Dig(&first) == UF_OK, "no start");
    wait_until_in(&first.uf, "Begin");
    wait_for(&digs);
    bool const started = Digger_start_Dig(&second) == UF_OK && Passer_start_Pass(&passer) == UF_OK &&
                         Watcher_start_Look(&watcher) == UF_OK && Watcher_start_Stay(&stayer) == UF_OK &&
                         uf_store_restore(store, NULL) == UF_OK && Ledger_start_Note(&ledger) == UF_OK &&
                         Peer_start_Cross(&east) == UF_OK && Peer_start_Cross(&west) == UF_OK;
    check(started, "no start");
    check(argc == 1 || uf_inspect_listen(&inspect, here, argv[2], NULL) == UF_OK, "no socket");
    wait_until_in(&east.uf, "Offer");
    wait_until_in(&west.uf, "Offer");
    wait_until_in(&ledger.uf, "Write");
    puts("stuck");
    fflush(stdout);
    while (getchar() != EOF) {}
    atomic_store(&ends, true);
    if (inspect) (void)uf_inspect_close(inspect);
    uf_checkpoint_resume(&gate);
    (void)uf_runtime_stop(here, 0, NULL);
    (void)uf_runtime_stop(there, 0, NULL);
    bool const freed = uf_runtime_free(here) == UF_OK && uf_runtime_free(there) == UF_OK;
    return freed && uf_store_close(store) == UF_OK ? 0 : 1;
}
