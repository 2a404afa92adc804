#include "screen.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TOP = 4, PROMPT = 11, BAR = 20 };

const runner_kind runner_kinds[RUNNERS] = {
    {"Atlas", 3800}, {"Bolt", 2600}, {"Comet", 4600}, {"Dash", 3200}, {"Echo", 5200},
};

/* The part of the way from gate to rest that is done, from 0 to 100. */
static int percent(const uf_flow_view *view, int move_ms)
{
    if (strcmp(view->step, "Gate") == 0) return 0;
    if (strcmp(view->step, "Move") != 0 || view->elapsed > UF_MS(move_ms))
        return 100; /* its next turn is a little late */
    return (int)(100 * view->elapsed / UF_MS(move_ms));
}

static void draw_runner(int row, const Runner *runner, const runner_kind *kind)
{
    uf_flow_view view;
    uf_flow_view_of(&runner->uf, &view);
    int const way = percent(&view, kind->move_ms), filled = way * BAR / 100;
    printf("\x1b[%d;1H\x1b[2K  %-8s lap %2d [%.*s%.*s] %3d%%  %s", row, kind->name, runner->laps, filled,
           "####################", BAR - filled, "--------------------", way, view.step);
}

void screen_draw(uf_runtime *race, uf_time began, const Runner runners[RUNNERS])
{
    printf("\x1b[?25l\x1b[1;1H\x1b[2K  %s speed x%.2f  time %.1f s",
           uf_pump_frozen(uf_runtime_pump(race)) ? "[PAUSED] " : "[RUNNING]", uf_pump_scale(uf_runtime_pump(race)),
           (double)(uf_pump_now(uf_runtime_pump(race)) - began) / 1e9);
    for (int i = 0; i < RUNNERS; i++) draw_runner(TOP + i, &runners[i], &runner_kinds[i]);
    printf("\x1b[%d;1H  pause, resume, speed N, quit > \x1b[?25h", PROMPT);
    (void)fflush(stdout);
}

bool screen_command(uf_runtime *race, const char *line)
{
    if (strcmp(line, "quit") == 0 || strcmp(line, "exit") == 0 || strcmp(line, "q") == 0) return true;
    if (strcmp(line, "pause") == 0) uf_pump_freeze(uf_runtime_pump(race));
    else if (strcmp(line, "resume") == 0) uf_pump_resume(uf_runtime_pump(race));
    else if (strncmp(line, "speed ", 6) == 0) {
        char *end;
        double const speed = strtod(line + 6, &end);
        if (end != line + 6 && *end == '\0' && speed > 0) (void)uf_pump_set_scale(uf_runtime_pump(race), speed);
    }
    printf("\x1b[%d;1H\x1b[2K", PROMPT);
    return false;
}

void screen_begin(void)
{
    printf("\x1b[2J\x1b[2;1H  five runners, each: gate 0.7 s, way, rest 0.5 s");
}

void screen_end(void)
{
    printf("\x1b[%d;1H\x1b[2K  simulator stopped.\x1b[?25h\n", PROMPT + 1);
}
