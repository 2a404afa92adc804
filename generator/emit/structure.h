/* structure.h - the structure of a file as JSON: flows, tasks, steps and edges with their lines. */
#ifndef UFC_STRUCTURE_H
#define UFC_STRUCTURE_H

#include "writer.h"

/* Writes the members of an object, without its braces. */
void put_structure(writer *w);

#endif
