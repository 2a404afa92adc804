/* SPDX-License-Identifier: MIT */
/* main.c - a cell that is stuck, for the tests of tools that find out why. It prints "stuck" as soon as it is, and goes
 * on until its standard input ends.
 *
 *   stuck_cell [--listen SOCKET] [--trace FILE] [--abort] [--hang]
 *
 *   --listen SOCKET  lets uflow-top look into it
 *   --trace FILE     saves the trace once it is stuck
 *   --abort          aborts then, for a core dump
 *   --hang           stops its runtime's thread then
 *
 * In the background of a shell its standard input has ended: give it one that has not, such as `sleep infinity |`.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cell.h"
#include "uflow/inspect.h"
#include "uflow/recorder_file.h"
#include "uflow/runtime.h"

static Cell cell;
static uf_recorder recorder;
static unsigned char memory[1 << 20];

static void ignore(void *context, const uf_flow *flow, const uf_failure *failure)
{
    (void)context;
    (void)flow;
    (void)failure;
}

static void fail(const char *what)
{
    fprintf(stderr, "stuck_cell: %s\n", what);
    exit(2);
}

/* Waits until both pickers are in the step where they wait for each other. */
static void wait_until_stuck(uf_runtime *runtime)
{
    uf_flow_view left, right;

    do {
        (void)uf_runtime_wait(runtime, UF_MS(1));
        uf_flow_view_of(&cell.left.uf, &left);
        uf_flow_view_of(&cell.right.uf, &right);
    } while (strcmp(left.step, "Cross") != 0 || strcmp(right.step, "Cross") != 0 || left.elapsed < UF_MS(20) ||
             right.elapsed < UF_MS(20));
}

/* Reads the standard input. */
static void read_to_end(void *unused)
{
    (void)unused;
    while (getchar() != EOF) {}
}

int main(int argc, char **argv)
{
    char const *trace = NULL, *socket = NULL;
    bool aborts = false, hangs = false;
    uf_runtime *runtime;
    uf_inspect *inspect = NULL;

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--abort") == 0) aborts = true;
        else if (strcmp(argv[i], "--hang") == 0) hangs = true;
        else if (strcmp(argv[i], "--trace") == 0 && i + 1 < argc) trace = argv[++i];
        else if (strcmp(argv[i], "--listen") == 0 && i + 1 < argc) socket = argv[++i];
        else
            fail("usage: stuck_cell [--listen SOCKET] [--trace FILE] [--abort] [--hang]; it runs until its standard "
                 "input ends");
    }
    uf_runtime_config const config = {.name = "cell", .on_failure = ignore};
    if (uf_runtime_new(&runtime, &config) != UF_OK) fail("no runtime");
    if (uf_recorder_init(&recorder, uf_runtime_pump(runtime), memory, sizeof memory, 100) != UF_OK) fail("no recorder");
    if (uf_runtime_add_observer(runtime, &recorder.observer) != UF_OK) fail("no observer");
    uf_inspect_config const shown = {.recorder = &recorder};
    if (socket && uf_inspect_listen(&inspect, runtime, socket, &shown) != UF_OK) fail("no socket");
    if (Cell_init(&cell, uf_runtime_pump(runtime), "cell") != UF_OK) fail("no cell");
    if (Cell_start_Work(&cell) != UF_OK) fail("no start");
    wait_until_stuck(runtime);
    if (trace && !uf_recorder_save(&recorder, trace)) fail("the trace cannot be written");
    if (hangs && uf_post(runtime, read_to_end, NULL) != UF_OK) fail("no post");
    puts("stuck");
    fflush(stdout);
    if (aborts) abort();
    read_to_end(NULL);
    if (inspect) (void)uf_inspect_close(inspect);
    (void)uf_runtime_stop(runtime, 0, NULL);
    return uf_runtime_free(runtime) == UF_OK ? 0 : 1;
}
