/* SPDX-License-Identifier: MIT */
/* bare.h - what main.c and an implementation of a flow of bench/sizes call of each other. */
#ifndef BARE_H
#define BARE_H

#include <stdbool.h>
#include <stdint.h>

/* bare.py defines BARE_MS, the time that a tick takes, and BARE_IDLE_TICKS, the ticks in a wait before the tick that
 * ends it. */

/* -- the implementation -------------------------------------------------------------------------------------------- */

/* Does what is due, and calls bare_idle() when nothing is, for ever. */
void bare_loop(void);

void bare_start(void);
bool bare_running(void);

/* BARE_MS have passed. */
void bare_tick(void);

/* The signal of typical.uflow. */
void bare_answer(void);

/* The button of a hole of moles.uflow, and the points of the present or last game. */
void bare_press(int hole);
int bare_score(void);

/* -- main.c -------------------------------------------------------------------------------------------------------- */

/* Makes the next thing happen: starts a run, ends a wait, or ends the program. */
void bare_idle(void);

/* The lamp of moles.uflow. */
void bare_lamp(bool on);

#endif
