/* SPDX-License-Identifier: MIT */
/* arena.h - memory of one compilation: allocated piece by piece, freed at once. */
#ifndef UFC_ARENA_H
#define UFC_ARENA_H

#include <stdarg.h>
#include <stddef.h>

#include "formats.h"

typedef struct arena arena;

/* The free part of the current chunk. It is the first member of an arena. */
typedef struct arena_room {
    char *at, *end;
} arena_room;

/* On a failed allocation, ufc ends with "out of memory" and the exit status for I/O errors. No output is in place by
 * then, since all are renamed at the end. So these functions never return NULL. */
arena *arena_new(void);
void arena_free(arena *a);

/* Zeroed, aligned for any type. `count * size` is checked for overflow. */
void *arena_alloc_more(arena *a, size_t count, size_t size);
static inline void *arena_alloc(arena *a, size_t count, size_t size)
{
    enum { ALIGNMENT = _Alignof(max_align_t), SMALL = 4096 };
    arena_room *const room = (arena_room *)(void *)a;
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > SMALL) return arena_alloc_more(a, count, size);
    bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (bytes > (size_t)(room->end - room->at)) return arena_alloc_more(a, count, size);
    void *const p = room->at;
    room->at += bytes;
    return p;
}
#define ARENA_NEW(a, type)          ((type *)arena_alloc((a), 1, sizeof(type)))
#define ARENA_ARRAY(a, type, count) ((type *)arena_alloc((a), (count), sizeof(type)))

/* Replaces an array from arena_alloc() or this function by a longer one. The new items are zeroed. */
void *arena_grow(arena *a, void *old, size_t old_count, size_t count, size_t size);

/* Ensures room for `need` items in an array that only this function grows; *capacity is its present size. Returns the
 * array. */
void *arena_reserve_more(arena *a, void *old, size_t *capacity, size_t need, size_t size);
static inline void *arena_reserve(arena *a, void *old, size_t *capacity, size_t need, size_t size)
{
    return need <= *capacity ? old : arena_reserve_more(a, old, capacity, need, size);
}

char *arena_copy(arena *a, const char *text, size_t length); /* NUL-terminated */
char *arena_printf(arena *a, const char *format, ...) PRINTF_LIKE(2, 3);

char *arena_vprintf(arena *a, const char *format, va_list arguments);

/* Joins texts, up to a NULL: by `_` to names of C, or without a joint. */
char *arena_join(arena *a, char joint, const char *const *texts);
#define ARENA_JOIN(a, ...)   arena_join((a), '_', (const char *const[]){__VA_ARGS__, NULL})
#define ARENA_CONCAT(a, ...) arena_join((a), '\0', (const char *const[]){__VA_ARGS__, NULL})

/* Returns the same string for equal texts, so that names compare by pointer. */
const char *arena_intern(arena *a, const char *text, size_t length);

#endif
