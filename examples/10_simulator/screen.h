/* screen.h - the race on a terminal. */
#ifndef SCREEN_H
#define SCREEN_H

#include <stdbool.h>

#include "race.h"

/* Call it on the thread that drives the race. `began` is the initial time of the race. */
void screen_draw(const Race *race, uf_time began);

/* Executes pause, resume and speed N; ignores anything else. Returns: true for quit, exit and q. */
bool screen_command(uf_pump *race, const char *line);

void screen_begin(void);
void screen_end(void);

#endif
