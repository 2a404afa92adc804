/* shape.h - makes tokens fit for the grammar: balanced brackets, and words of structure where they are meant. */
#ifndef UFC_SHAPE_H
#define UFC_SHAPE_H

#include "arena.h"
#include "diag.h"
#include "scan.h"

/* A list in which every bracket has its partner, within a branch of #if as well, and in which T_FLOW, T_TASK, T_STEP,
 * T_ON and their like are such only where structure is meant; elsewhere they are T_IDENT. What is missing is reported,
 * once and where it was opened, and added, with TOKEN_SYNTHETIC; what is too much is reported and left out. If brackets
 * are nested too deeply that is reported, and the list is empty. It is made in the array of those that were scanned,
 * which had SHAPE_ROOM places left free, so that a few can be put in. */
#define SHAPE_ROOM 256u
token_list shape_tokens(arena *a, diagnostics *d, scanned from);

#endif
