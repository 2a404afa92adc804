/* SPDX-License-Identifier: MIT */
/* reserved.h - names that the generated C cannot use. */
#ifndef UFC_RESERVED_H
#define UFC_RESERVED_H

#include <stdbool.h>
#include <stddef.h>

/* Returns the owner of the word ("a word of C++"), for any name in a .uflow file; NULL: it is not reserved. */
const char *reserved_by(const char *name);

/* The same for names that become names at file scope in C: names of flows. */
const char *reserved_at_file_scope(const char *name);

/* For names in arms: signals, checkpoints, mailboxes, jobs. */
const char *reserved_in_arms(const char *name);

/* For fields, parameters and sub-flows: the meaning of the name in the code around a body. NULL: none. */
const char *reserved_in_bodies(const char *name);

/* Is it the name of a header of C, POSIX or their libraries, such as `signal.h`? */
bool is_system_header(const char *name, size_t length);

#endif
