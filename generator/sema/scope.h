/* scope.h - a table from names to what they stand for. */
#ifndef UFC_SCOPE_H
#define UFC_SCOPE_H

#include <stdint.h>

#include "arena.h"

typedef struct scope_entry {
    const char *name; /* NULL: free */
    uint32_t length, hash;
    void *value;
} scope_entry;

/* Zeroed means empty; its memory is the arena's. */
typedef struct scope {
    scope_entry *entries;
    size_t count, capacity; /* a power of two */
} scope;

/* Adds the name unless it is there. Returns the value that was there, or NULL if it was added. `name` is kept, not copied. */
void *scope_add(arena *a, scope *in, const char *name, void *value);

/* The value, or NULL. */
void *scope_find(const scope *in, const char *name);
void *scope_find_text(const scope *in, const char *text, size_t length);

/* Sets the value of a name, which need not be there; NULL takes it out of sight. Returns the former value, or NULL. */
void *scope_set(arena *a, scope *in, const char *name, void *value);

#endif
