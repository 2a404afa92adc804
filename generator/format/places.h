/* SPDX-License-Identifier: MIT */
/* places.h - what the structure of a file demands of the layout of its tokens. */
#ifndef UFC_PLACES_H
#define UFC_PLACES_H

#include "ast.h"

#define PLACE_START 1u  /* begins a member, a statement or an `else`: if it begins a line, then by its nesting */
#define PLACE_BREAK 2u  /* always begins a line */
#define PLACE_APART 4u  /* a blank line before it */
#define PLACE_JOIN  8u  /* never begins a line */
#define PLACE_GAP   16u /* `gap` blanks before it, if it does not begin a line */

typedef struct place {
    uint8_t flags;
    int16_t extra; /* START: levels beyond those of the braces */
    uint32_t gap;  /* GAP */
} place;

/* Returns a place for each token of the file. */
place *find_places(arena *a, const ast_file *file);

#endif
