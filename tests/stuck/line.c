/* SPDX-License-Identifier: MIT */
/* line.c - a line that stands still, for the tests of tools that find out why. It prints "stuck" as soon as it does,
 * and goes on until its standard input ends.
 *
 *   stuck_line [--hang] [--trace FILE] [--image FILE]
 *
 *   --hang           station.bus never returns from its step, for 100 ms by the time of the trace
 *   --trace FILE     saves the trace then; the ring has lapped over the failure of line.mixer
 *   --image FILE     writes the recorder's memory then
 */
#define _POSIX_C_SOURCE 200809L
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "line.h"
#include "uflow/recorder_file.h"
#include "uflow/runtime.h"

static Station station;
static Line line;
static uf_recorder recorder;
static unsigned char memory[8192];
static atomic_bool hangs, is_in, is_over;

static void pass(long ms)
{
    (void)nanosleep(&(struct timespec){.tv_nsec = ms * 1000000}, NULL);
}

void line_read(void)
{
    if (!atomic_load(&hangs)) return;
    atomic_store(&is_in, true);
    while (!atomic_load(&is_over)) pass(1);
}

static void ignore(void *context, const uf_flow *flow, const uf_failure *failure)
{
    (void)context;
    (void)flow;
    (void)failure;
}

static void check(bool right, const char *what)
{
    if (right) return;
    fprintf(stderr, "stuck_line: %s\n", what);
    exit(2);
}

/* Until the mixer has failed, and the bus has made more events since than the ring holds. */
static void wait_until_lapped(void)
{
    uf_flow_view mixer, bus;
    int64_t before = 0;

    do {
        pass(1);
        uf_flow_view_of(&line.mixer.uf, &mixer);
        uf_flow_view_of(&station.bus.uf, &bus);
        if (mixer.outcome != UF_FAILED) before = bus.ordinal;
    } while (mixer.outcome != UF_FAILED ||
             bus.ordinal - before < (int64_t)sizeof memory / (int64_t)sizeof(uf_trace_cell));
}

int main(int argc, char **argv)
{
    char const *trace = NULL, *image = NULL;
    bool hang = false;
    uf_runtime *runtime;

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--hang") == 0) hang = true;
        else if (strcmp(argv[i], "--trace") == 0 && i + 1 < argc) trace = argv[++i];
        else if (strcmp(argv[i], "--image") == 0 && i + 1 < argc) image = argv[++i];
        else check(false, "usage: stuck_line [--hang] [--trace FILE] [--image FILE]; until its standard input ends");
    }
    uf_runtime_config const config = {.name = "plant", .on_failure = ignore};
    check(uf_runtime_new(&runtime, &config) == UF_OK, "no runtime");
    uf_pump *const pump = uf_runtime_pump(runtime);
    check(uf_recorder_init(&recorder, pump, memory, sizeof memory, 30) == UF_OK, "no recorder");
    check(uf_runtime_add_observer(runtime, &recorder.observer) == UF_OK, "no observer");
    check(Station_init(&station, pump, "station") == UF_OK && Line_init(&line, pump, "line") == UF_OK, "no flows");
    check(Station_start_Work(&station) == UF_OK && Line_start_Run(&line) == UF_OK, "no start");
    wait_until_lapped();
    atomic_store(&hangs, hang);
    while (hang && !atomic_load(&is_in)) pass(1);
    if (hang) pass(100);
    check(!trace || uf_recorder_save(&recorder, trace), "the trace cannot be written");
    if (image) {
        FILE *const out = fopen(image, "wb");
        check(out && fwrite(memory, 1, sizeof memory, out) == sizeof memory && fclose(out) == 0, "no image");
    }
    puts("stuck");
    fflush(stdout);
    while (getchar() != EOF) {}
    atomic_store(&is_over, true);
    (void)uf_runtime_stop(runtime, 0, NULL);
    return uf_runtime_free(runtime) == UF_OK ? 0 : 1;
}
