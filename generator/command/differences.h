/* SPDX-License-Identifier: MIT */
/* differences.h - the lines in which two texts differ, as a unified diff. */
#ifndef UFC_DIFFERENCES_H
#define UFC_DIFFERENCES_H

#include "buffer.h"
#include "source.h"

/* Appends the diff from a file to its new text, which `patch` can apply. */
void put_differences(arena *a, buffer *out, const source *old, const buffer *text);

#endif
