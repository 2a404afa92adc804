/* reserved.h - names that the generated C cannot have. */
#ifndef UFC_RESERVED_H
#define UFC_RESERVED_H

#include "scope.h"

/* Fills the table that the next one looks at. */
void reserved_collect(arena *a, scope *words);

/* Whose word it is ("a word of C++"), for any name that a .uflow file gives; NULL if nobody's. */
const char *reserved_by(const scope *words, const char *name);

/* The same for what becomes a name at file scope in C: the name of a flow. */
const char *reserved_at_file_scope(const char *name);

/* For what an arm names: signals, checkpoints, mailboxes, jobs. */
const char *reserved_in_arms(const char *name);

/* For fields, parameters and sub-flows: what the name means in the code around a body. NULL: nothing. */
const char *reserved_in_bodies(const char *name);

#endif
