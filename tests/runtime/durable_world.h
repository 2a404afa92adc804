/* SPDX-License-Identifier: MIT */
/* durable_world.h - what flows of durable.uflow do to the world. */
#ifndef DURABLE_WORLD_H
#define DURABLE_WORLD_H

#include "uflow/uflow.h"

void world_note(uf_flow *flow, const char *what, int number);
void world_body(uf_flow *flow);

#endif
