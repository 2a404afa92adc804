/* memory.h - malloc, calloc and realloc that do not return NULL; see arena.h for what they do instead. */
#ifndef UFC_MEMORY_H
#define UFC_MEMORY_H

#include <stddef.h>

/* The size of a large page, which what is as large gets if it can; they are aligned. */
#define MEMORY_LARGE ((size_t)2 * 1024 * 1024)

void *memory_alloc(size_t count, size_t size);
void *memory_zeroed(size_t bytes);
void *memory_grow(void *old, size_t count, size_t size);
/* Ensures room for `need` elements in a growing array: *capacity is the present one. Returns the array. */
void *memory_reserve_more(void *old, size_t *capacity, size_t need, size_t size);
static inline void *memory_reserve(void *old, size_t *capacity, size_t need, size_t size)
{
    return need <= *capacity ? old : memory_reserve_more(old, capacity, need, size);
}
void memory_free(void *p);

/* Once, before any other: what is large stays mapped by itself, so that it grows without being copied. */
void memory_prepare(void);

/* Called before ufc ends for want of memory: removes temporary files. */
void memory_on_failure(void (*clean)(void));

#endif
