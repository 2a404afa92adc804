/* SPDX-License-Identifier: MIT */
/* counted.h - what threads lock and write, for tests of what they must not. */
#ifndef COUNTED_H
#define COUNTED_H

#include "fibers.h"

/* From now on, remembers what these two threads lock and write, until counted_end(). Each is one side; NULL: it has no
 * thread yet. */
void counted_begin(const fiber *one, const fiber *other);

/* One more thread of side 0 or 1. Does nothing if it is one already. */
void counted_watch(int side, const fiber *thread);

/* Returns: an address that both sides have locked or written; NULL: there is none. */
const void *counted_end(void);

#endif
