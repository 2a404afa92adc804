/* SPDX-License-Identifier: MIT */
/* kept_starts_world.h - what flows of kept_starts.uflow do to the world. */
#ifndef KEPT_STARTS_WORLD_H
#define KEPT_STARTS_WORLD_H

#include "uflow/uflow.h"

/* A body of the job that a line has begun under this key. */
void world_job(uf_flow *flow, int line, int key, bool is_last);

/* A body of a line, with how often the step was repeated there. */
void world_line(uf_flow *flow);

#endif
