/* SPDX-License-Identifier: MIT */
/* stopping_hooks.h - functions that the flows of stopping.uflow call. */
#ifndef STOPPING_HOOKS_H
#define STOPPING_HOOKS_H

#include "uflow/uflow.h"

int stopping_think(int ms);
bool stopping_refused(void);
void stopping_sleep(int ms);
void stopping_hang(void);
void stopping_within(uf_flow *flow);
int stopping_slow(void);

#endif
