/* SPDX-License-Identifier: MIT */
/* scope.h - a hash table from names to values. */
#ifndef UFC_SCOPE_H
#define UFC_SCOPE_H

#include <stdint.h>

#include "arena.h"

typedef struct scope_entry {
    const char *name; /* not terminated; NULL: free */
    uint32_t length, hash;
    void *value;
} scope_entry;

/* A zeroed scope is empty. Its memory belongs to the arena. */
typedef struct scope {
    scope_entry *entries;
    size_t count, capacity; /* a power of two */
} scope;

/* Adds the name unless the table has it. Returns the former value, or NULL if the name was added.
 * Lifetime: `name` is kept, not copied. */
void *scope_add(arena *a, scope *in, const char *name, void *value);
void *scope_add_text(arena *a, scope *in, const char *text, size_t length, void *value);

/* Returns the value, or NULL. */
void *scope_find(const scope *in, const char *name);
void *scope_find_text(const scope *in, const char *text, size_t length);

/* Sets the value of a name and adds it if needed; NULL hides the name. Returns the former value, or NULL. */
void *scope_set(arena *a, scope *in, const char *name, void *value);

#endif
