/* SPDX-License-Identifier: MIT */
/* owed_world.h - what flows of owed.uflow do to the world. */
#ifndef OWED_WORLD_H
#define OWED_WORLD_H

#include "uflow/uflow.h"

void world_work(uf_flow *flow, int line, int64_t at);
void world_left(int line);
void world_note(uf_flow *flow, int line);
void world_step(uf_flow *flow);

#endif
