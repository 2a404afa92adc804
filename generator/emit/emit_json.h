/* SPDX-License-Identifier: MIT */
/* emit_json.h - the structure of a file as JSON: flows, tasks, steps and edges with their lines. */
#ifndef UFC_EMIT_JSON_H
#define UFC_EMIT_JSON_H

#include "writer.h"

/* Writes the members of an object, without its braces. */
void put_structure(writer *w);

#endif
