/* SPDX-License-Identifier: MIT */
/* kept_parts_world.h - what flows of kept_parts.uflow do to the world. `number` is that of the spawn. */
#ifndef KEPT_PARTS_WORLD_H
#define KEPT_PARTS_WORLD_H

#include "uflow/uflow.h"

/* The run and step of a flow. */
int64_t world_entry(uf_flow *flow);

/* The body of a step. `at`: the run and step of the owner that has begun the run; -1: none. */
void world_body(uf_flow *flow, int number, int64_t at);
void world_left(int number);

#endif
