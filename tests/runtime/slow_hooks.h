/* SPDX-License-Identifier: MIT */
/* slow_hooks.h - functions that the flows of slow.uflow call. */
#ifndef SLOW_HOOKS_H
#define SLOW_HOOKS_H

/* Lets this many milliseconds pass, and returns them. */
int slow_spin(int ms);

#endif
