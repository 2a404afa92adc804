/* screen.h - the race on a terminal. */
#ifndef SCREEN_H
#define SCREEN_H

#include <stdbool.h>

#include "race.h"

/* Call it on the thread that drives the race. `began` is the initial time of the race. */
void screen_draw(const Race *race, uf_time began);

/* Executes speed N, and pause and resume: without a name they stop the clock of the race, with one they pause that
 * runner. Ignores anything else. Returns: true for quit, exit and q. */
bool screen_command(Race *race, uf_pause holds[RUNNERS], const char *line);

void screen_begin(void);
void screen_end(void);

#endif
