/* SPDX-License-Identifier: MIT */
/* arms.c - flows that wait by each kind of arm, for the comparison of tools. It prints "stuck" as soon as all wait, and
 * goes on until its standard input ends.
 *
 *   stuck_arms [--listen SOCKET] [--trace FILE] [--dump FILE] [--hang]
 *
 *   --listen SOCKET  lets uflow-top look into it
 *   --trace FILE     saves the trace
 *   --dump FILE      writes what uf_pump_dump() prints
 *   --hang           stops its runtime's thread then
 */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "arms.h"
#include "uflow/dump.h"
#include "uflow/inspect.h"
#include "uflow/recorder_file.h"
#include "uflow/runtime.h"

typedef struct kind {
    const char *name;
    uf_status (*start)(Arms *flow);
} kind;

static const kind kinds[] = {
    {"timeout", Arms_start_Timeout},
    {"deadline", Arms_start_Deadline},
    {"never", Arms_start_Never},
    {"interval", Arms_start_Interval},
    {"held", Arms_start_Held},
    {"condition", Arms_start_Condition},
    {"run", Arms_start_Run},
    {"job", Arms_start_Job},
    {"any", Arms_start_Any},
    {"jobs", Arms_start_Jobs},
    {"element", Arms_start_Element},
    {"readable", Arms_start_Readable},
    {"writable", Arms_start_Writable},
    {"signal", Arms_start_Signal},
    {"checkpoint", Arms_start_Checkpoint},
    {"arrived", Arms_start_Arrived},
    {"mailbox", Arms_start_Mailbox},
    {"room", Arms_start_Room},
    {"vacant", Arms_start_Vacant},
    {"empty", Arms_start_Empty},
    {"ended", Arms_start_Ended},
    {"ended", Arms_start_Ended},
    {"idle", Arms_start_Idle},
    {"stopping", Arms_start_Stopping},
    {"on_timeout", Arms_start_On_timeout},
    {"grouped", Arms_start_Grouped},
    {"timeout_real", Arms_start_Timeout_real},
    {"on_timeout_real", Arms_start_On_timeout_real},
    {"companion", Arms_start_Companion},
};
#define KINDS (sizeof kinds / sizeof *kinds)

static Arms flows[KINDS];
static uf_recorder recorder;
static unsigned char memory[1 << 20];
static atomic_bool ends;

static void check(bool holds, const char *what)
{
    if (holds) return;
    fprintf(stderr, "stuck_arms: %s\n", what);
    exit(2);
}

static void pause_briefly(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

void arms_block(void)
{
    while (!atomic_load(&ends)) pause_briefly();
}

static void ignore(void *context, const uf_flow *flow, const uf_failure *failure)
{
    (void)context;
    (void)flow;
    (void)failure;
}

static void start_all(uf_pump *pump)
{
    int in[2], out[2];

    check(pipe(in) == 0 && pipe(out) == 0 && fcntl(out[1], F_SETFL, O_NONBLOCK) == 0, "no pipes");
    while (write(out[1], memory, 4096) > 0) {}
    check(uf_checkpoint_try_arm(&gate) == UF_OK && uf_checkpoint_try_arm(&bar) == UF_OK, "no checkpoints");
    for (size_t i = 0; i < KINDS; i++) {
        check(Arms_init(&flows[i], pump, kinds[i].name, in[0], out[1]) == UF_OK, "no flow");
        check(kinds[i].start(&flows[i]) == UF_OK, "no start");
    }
    for (size_t i = 0; i < KINDS; i++) {
        uf_flow_view view = {.step = ""};
        for (; strcmp(view.step, "Wait") != 0 || view.elapsed < UF_MS(20); uf_flow_view_of(&flows[i].uf, &view))
            pause_briefly();
    }
}

static void dump(void *path)
{
    FILE *const out = fopen(path, "w");
    check(out && uf_pump_dump(flows[0].uf.pump, out) == UF_OK && fclose(out) == 0, "no dump");
}

/* Reads the standard input. */
static void read_to_end(void *unused)
{
    (void)unused;
    while (getchar() != EOF) {}
}

int main(int argc, char **argv)
{
    char *trace = NULL, *socket = NULL, *dumped = NULL;
    bool hangs = false;
    uf_runtime *runtime;
    uf_inspect *inspect = NULL;

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--hang") == 0) hangs = true;
        else if (strcmp(argv[i], "--trace") == 0 && i + 1 < argc) trace = argv[++i];
        else if (strcmp(argv[i], "--dump") == 0 && i + 1 < argc) dumped = argv[++i];
        else if (strcmp(argv[i], "--listen") == 0 && i + 1 < argc) socket = argv[++i];
        else check(false, "usage: stuck_arms [--listen SOCKET] [--trace FILE] [--dump FILE] [--hang]");
    }
    check(uf_runtime_new(&runtime, &(uf_runtime_config){.name = "arms", .workers = 4, .on_failure = ignore}) == UF_OK,
          "no runtime");
    uf_pump *const pump = uf_runtime_pump(runtime);
    check(uf_recorder_init(&recorder, pump, memory, sizeof memory, 200) == UF_OK, "no recorder");
    check(uf_runtime_add_observer(runtime, &recorder.observer) == UF_OK, "no observer");
    check(!socket || uf_inspect_listen(&inspect, runtime, socket, &(uf_inspect_config){.recorder = &recorder}) == UF_OK,
          "no socket");
    start_all(pump);
    check(!trace || uf_recorder_save(&recorder, trace), "the trace cannot be written");
    check(!dumped || uf_post_wait(runtime, dump, dumped) == UF_OK, "no post");
    check(!hangs || uf_post(runtime, read_to_end, NULL) == UF_OK, "no post");
    puts("stuck");
    fflush(stdout);
    read_to_end(NULL);
    atomic_store(&ends, true);
    if (inspect) (void)uf_inspect_close(inspect);
    uf_checkpoint_resume(&gate);
    uf_checkpoint_resume(&bar);
    (void)uf_runtime_stop(runtime, 0, NULL);
    return uf_runtime_free(runtime) == UF_OK ? 0 : 1;
}
