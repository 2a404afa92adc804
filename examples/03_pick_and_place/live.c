/* The cell on its own thread, drawn on a terminal thirty times a second: live [speed [parts [seed]]], until all parts
 * are delivered, or until Enter or the end of the input. The timing depends on the machine's load. In any case the
 * pickers never meet, and all parts arrive. */
#define _POSIX_C_SOURCE 200809L /* nanosleep() */

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "orchestrator.h"
#include "uflow/runtime.h"

enum { RAIL = 1400, MM_PER_CHARACTER = 20, WIDTH = RAIL / MM_PER_CHARACTER + 1, LAST_ROW = 11 };

static double speed = 1; /* set before the first job */
static uf_time began;
static Orchestrator orchestrator;
static Watch watch;

void drive_wait(int ms)
{
    long const ns = (long)(ms * 1e6 / speed);
    (void)nanosleep(&(struct timespec){.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000}, NULL);
}

/* -- the picture --------------------------------------------------------------------------------------------------- */

static void draw_rail(int row, const char *name, double load, double unload)
{
    char rail[WIDTH + 1];

    memset(rail, '-', WIDTH);
    rail[WIDTH] = '\0';
    rail[(int)load / MM_PER_CHARACTER] = 'L';
    rail[(int)unload / MM_PER_CHARACTER] = 'U';
    printf("\x1b[%d;1H\x1b[2K  %-7s %s", row, name, rail);
}

/* Where the pickers cannot reach, the rail has the names of the zones. */
static void draw_zones(int row)
{
    static struct {
        char name;
        double at;
    } const zones[] = {{'A', ZONE_A}, {'B', ZONE_B}, {'C', ZONE_C}};

    printf("\x1b[%d;1H\x1b[2K", row);
    for (int i = 0; i < 3; i++) printf("\x1b[%d;%dH%c", row, 11 + (int)zones[i].at / MM_PER_CHARACTER, zones[i].name);
}

static void draw_flow(int row, const uf_flow *flow)
{
    uf_flow_view view;

    uf_flow_view_of(flow, &view);
    printf("\x1b[%d;1H\x1b[2K  %-7s %-8s %-11s", row, flow->name, view.task, view.step);
}

static void draw_picker(int row, const uf_flow *flow, const Axis *x, const Axis *z, const Axis *finger)
{
    draw_flow(row, flow);
    printf("x %4.0f  z %3.0f  finger %2.0f", axis_position(x), axis_position(z), axis_position(finger));
}

/* Posted: runs on the thread of the machines, which do not move meanwhile. */
static void draw(void *context)
{
    LoadPicker const *const load = &orchestrator.load;
    Stage const *const stage = &orchestrator.stage;
    UnloadPicker const *const unload = &orchestrator.unload;
    (void)context;

    printf("\x1b[?25l\x1b[1;1H\x1b[2K  a pick-and-place cell   x%g  %.1f s   (Enter: quit)", speed,
           (double)(uf_flow_now(&orchestrator.uf) - began) / (double)UF_S(1));
    draw_zones(3);
    draw_rail(4, "rail", axis_position(&load->x), axis_position(&unload->x));
    draw_picker(6, &load->uf, &load->x, &load->z, &load->finger);
    printf("  %d raw parts", load->raw_parts);
    draw_flow(7, &stage->uf);
    printf("tool %+4.0f %+4.0f", stage->tool_x - ZONE_B, stage->tool_y);
    draw_picker(8, &unload->uf, &unload->x, &unload->z, &unload->finger);
    printf("  %d delivered", unload->delivered);
    (void)fflush(stdout);
}

/* -- the program --------------------------------------------------------------------------------------------------- */

/* Has the user pressed Enter, or ended the input? */
static bool is_enter_typed(void)
{
    char typed[64];

    if (poll(&(struct pollfd){.fd = STDIN_FILENO, .events = POLLIN}, 1, 0) <= 0) return false;
    ssize_t const count = read(STDIN_FILENO, typed, sizeof typed);
    return count <= 0 || memchr(typed, '\n', (size_t)count);
}

/* Draws until the cell ends. Returns: true if the user has ended it. */
static bool watch_cell(uf_runtime *runtime, uf_call_info *end)
{
    bool typed = false;

    printf("\x1b[2J");
    do {
        (void)uf_post_wait(runtime, draw, NULL);
        if (!typed && is_enter_typed()) {
            typed = true;
            uf_flow_cancel(&orchestrator.uf);
        }
    } while (uf_flow_wait(&orchestrator.uf, UF_MS(33), end) == UF_TIMED_OUT);
    printf("\x1b[%d;1H\x1b[2K\x1b[?25h", LAST_ROW);
    return typed;
}

int main(int argc, char **argv)
{
    if (argc > 1) speed = atof(argv[1]);
    int const parts = argc > 2 ? atoi(argv[2]) : 3;
    cell_common shared = {.random = argc > 3 ? (uint32_t)atoi(argv[3]) : 1};
    if (!(speed > 0) || parts < 0) return fprintf(stderr, "usage: %s [speed [parts [seed]]]\n", argv[0]), 2;
    uf_runtime_config const config = {
        .name = "cell",
        .stay_interval = 1 + (uf_time)(UF_MS(20) / speed), /* the stage polls its clamp: every 20 ms of its time */
    };
    uf_runtime *runtime;
    uf_call_info end;

    if (uf_runtime_new(&runtime, &config) != UF_OK || uf_pump_set_scale(uf_runtime_pump(runtime), speed) != UF_OK ||
        Orchestrator_init(&orchestrator, uf_runtime_pump(runtime), "cell", &shared) != UF_OK ||
        Watch_init(&watch, uf_runtime_pump(runtime), "watch", &orchestrator) != UF_OK) {
        fputs("the cell could not be set up\n", stderr);
        return 1;
    }
    began = uf_flow_now(&orchestrator.uf);
    (void)Watch_start_Guard(&watch);
    (void)Orchestrator_start_Deliver(&orchestrator, parts);
    bool const stopped = watch_cell(runtime, &end);
    (void)uf_runtime_free(runtime); /* cancels the watchman */
    if (!stopped && end.outcome != UF_DONE) printf("  failed: %s\n", end.reason);
    printf("  zone B held two pickers: %d times\n", watch.violations);
    printf("  parts delivered to Unload: %d\n", orchestrator.unload.delivered);
    return watch.violations == 0 && (stopped || orchestrator.unload.delivered == parts) ? 0 : 1;
}
