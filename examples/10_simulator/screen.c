#include "screen.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TOP = 4, PROMPT = 11, BAR = 20 };

/* The part of the way from gate to rest that is done, from 0 to 100. */
static int percent(const Runner *runner, const uf_flow_view *view)
{
    bool const paused = uf_flow_paused_for(&runner->uf) >= 0;
    uf_time const gone = paused ? runner->gone : view->elapsed - runner->stood, whole = UF_MS(runner->kind->move_ms);

    if (strcmp(view->step, "Gate") == 0 || gone < 0) return 0; /* its turn, which sets `stood` to 0, is a little late */
    if (strcmp(view->step, "Move") != 0 || gone > whole) return 100; /* its next turn is a little late */
    return (int)(100 * gone / whole);
}

static void draw_runner(int row, const Runner *runner)
{
    uf_flow_view view;
    uf_flow_view_of(&runner->uf, &view);
    int const way = percent(runner, &view), filled = way * BAR / 100;
    printf("\x1b[%d;1H\x1b[2K  %-8s lap %2d [%.*s%.*s] %3d%%  %s", row, runner->kind->name, runner->laps, filled,
           "####################", BAR - filled, "--------------------", way, view.step);
}

void screen_draw(const Race *race, uf_time began)
{
    uf_pump const *const pump = uf_flow_pump(&race->uf);
    printf("\x1b[?25l\x1b[1;1H\x1b[2K  %s speed x%.2f  time %.1f s", uf_pump_frozen(pump) ? "[PAUSED] " : "[RUNNING]",
           uf_pump_scale(pump), (double)(uf_pump_now(pump) - began) / 1e9);
    for (int i = 0; i < RUNNERS; i++) draw_runner(TOP + i, &race->runners[i]);
    printf("\x1b[%d;1H  pause [NAME], resume [NAME], speed N, quit > \x1b[?25h", PROMPT);
    (void)fflush(stdout);
}

/* Returns: the place of the runner of that name; RUNNERS: there is none. */
static int place_of(const char *name)
{
    int place = 0;

    while (place < RUNNERS && strcmp(name, runner_kinds[place].name) != 0) place++;
    return place;
}

bool screen_command(Race *race, uf_pause holds[RUNNERS], const char *line)
{
    uf_pump *const pump = uf_flow_pump(&race->uf);
    char const *const name = strchr(line, ' ');
    int const place = name ? place_of(name + 1) : RUNNERS;

    if (strcmp(line, "quit") == 0 || strcmp(line, "exit") == 0 || strcmp(line, "q") == 0) return true;
    if (strcmp(line, "pause") == 0) uf_pump_freeze(pump);
    else if (strcmp(line, "resume") == 0) uf_pump_resume(pump);
    else if (place < RUNNERS && strncmp(line, "pause ", 6) == 0)
        (void)uf_flow_pause(&race->runners[place].uf, &holds[place]);
    else if (place < RUNNERS && strncmp(line, "resume ", 7) == 0) (void)uf_flow_resume(&holds[place]);
    else if (strncmp(line, "speed ", 6) == 0) {
        char *end;
        double const speed = strtod(line + 6, &end);
        if (end != line + 6 && *end == '\0' && speed > 0) (void)uf_pump_set_scale(pump, speed);
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
