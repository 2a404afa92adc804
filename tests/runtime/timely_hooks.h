/* SPDX-License-Identifier: MIT */
/* timely_hooks.h - functions that the flows of timely.uflow call. */
#ifndef TIMELY_HOOKS_H
#define TIMELY_HOOKS_H

#include <stdbool.h>
#include <stdint.h>

int64_t timely_now(void);          /* real time, in ns */
bool timely_spin(int ms);          /* keeps the thread busy */
bool timely_stamp(int64_t *stamp); /* logs the time */
int timely_labour(int ms);         /* a worker: runs until it is cancelled, or this long */

#endif
