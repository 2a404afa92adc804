/* SPDX-License-Identifier: MIT */
/* memory.h - malloc, calloc and realloc that never return NULL: on failure they end ufc; see arena.h. */
#ifndef UFC_MEMORY_H
#define UFC_MEMORY_H

#include <stddef.h>

/* The size of a large page. Blocks of this size are aligned and use large pages if possible. */
#define MEMORY_LARGE ((size_t)2 * 1024 * 1024)

void *memory_alloc(size_t count, size_t size);
void *memory_zeroed(size_t bytes);
void *memory_grow(void *old, size_t count, size_t size);
/* Ensures room for `need` elements in a growing array; *capacity is its present size. Returns the array. */
void *memory_reserve_more(void *old, size_t *capacity, size_t need, size_t size);
static inline void *memory_reserve(void *old, size_t *capacity, size_t need, size_t size)
{
    return need <= *capacity ? old : memory_reserve_more(old, capacity, need, size);
}
void memory_free(void *p);

/* Call it once, before the others: large blocks get their own mappings, so that they grow without being copied. */
void memory_prepare(void);

/* Called before ufc ends for lack of memory: removes temporary files. */
void memory_on_failure(void (*clean)(void));

#endif
