/* SPDX-License-Identifier: MIT */
/* kept_pools_world.h - what flows of kept_pools.uflow do to the world. */
#ifndef KEPT_POOLS_WORLD_H
#define KEPT_POOLS_WORLD_H

#include "uflow/uflow.h"

void world_batch(uf_flow *flow, int place, int scale, int number);
void world_left(uf_flow *flow, int outcome);

#endif
