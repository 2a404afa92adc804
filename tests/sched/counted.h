/* counted.h - what threads lock and write, for tests of what they must not. */
#ifndef COUNTED_H
#define COUNTED_H

#include "fibers.h"

/* From now on, remembers what these two threads lock and write, until counted_end(). */
void counted_begin(const fiber *one, const fiber *other);

/* Returns: an address that both have locked or written; NULL: there is none. */
const void *counted_end(void);

#endif
