/* SPDX-License-Identifier: MIT */
/* bindings.h - the names that an arm or a declaration binds: the rows of bindings.def. */
#ifndef UFC_BINDINGS_H
#define UFC_BINDINGS_H

typedef enum binding_kind {
#define BINDING(kind, name, code, help) BINDING_##kind,
#include "bindings.def"
    BINDING_COUNT
} binding_kind;

/* Members of a set of bound names. */
enum {
#define BINDING(kind, name, code, help) BINDS_##kind = 1 << BINDING_##kind,
#include "bindings.def"
};
typedef unsigned binding_set;

extern const char *const binding_names[]; /* by binding_kind */

#endif
