/* SPDX-License-Identifier: MIT */
/* stops_hooks.h - functions that flows of stops.uflow call. Each test sets their behaviour. */
#ifndef STOPS_HOOKS_H
#define STOPS_HOOKS_H

#include "uflow/uflow.h"

int stops_work(int ms);
bool stops_enough(void);
void stops_in_a_step(uf_flow *flow);

#endif
