/* screen.h - the race on a terminal. */
#ifndef SCREEN_H
#define SCREEN_H

#include <stdbool.h>

#include "uflow/runtime.h"

#include "race.h"

enum { RUNNERS = 5 };

typedef struct runner_kind {
    const char *name;
    int move_ms;
} runner_kind;

extern const runner_kind runner_kinds[RUNNERS];

/* Call it on the thread that drives `race`. `began` is the initial time of the race. */
void screen_draw(uf_runtime *race, uf_time began, const Runner runners[RUNNERS]);

/* Executes pause, resume and speed N; ignores anything else. Returns: true for quit, exit and q. */
bool screen_command(uf_runtime *race, const char *line);

void screen_begin(void);
void screen_end(void);

#endif
