/* arena.h - memory of one compilation: allocated piece by piece, freed at once. */
#ifndef UFC_ARENA_H
#define UFC_ARENA_H

#include <stddef.h>

typedef struct arena arena;

/* What is free of the chunk that is being filled: the first that an arena has. */
typedef struct arena_room {
    char *at, *end;
} arena_room;

/* A failing allocation anywhere in ufc ends it with "out of memory" and the I/O exit status: no output is in
 * its place by then, since all are renamed when they are complete. So none of these returns NULL. */
arena *arena_new(void);
void arena_free(arena *a);

/* So many bytes are likely to be asked for: they get as few chunks as that needs. */
void arena_expect(arena *a, size_t bytes);

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

/* A longer array in the place of one that arena_alloc() or this made: what is behind the old items is zeroed. A large one
 * leaves no hole. */
void *arena_grow(arena *a, void *old, size_t old_count, size_t count, size_t size);

/* Ensures room for `need` items in an array that only this makes and grows: *capacity is the present one. Returns the array. */
void *arena_reserve_more(arena *a, void *old, size_t *capacity, size_t need, size_t size);
static inline void *arena_reserve(arena *a, void *old, size_t *capacity, size_t need, size_t size)
{
    return need <= *capacity ? old : arena_reserve_more(a, old, capacity, need, size);
}

char *arena_copy(arena *a, const char *text, size_t length); /* NUL-terminated */
char *arena_printf(arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The texts, of which there are one to eight, with `_` between them: names of C. */
char *arena_join(arena *a, const char *const *texts); /* up to a NULL */
#define ARENA_JOIN(a, ...) arena_join((a), (const char *const[]){__VA_ARGS__, NULL})

/* Up to eight texts, one behind the other. */
char *arena_concat(arena *a, const char *const *texts); /* up to a NULL */
#define ARENA_CONCAT(a, ...) arena_concat((a), (const char *const[]){__VA_ARGS__, NULL})

/* The same string for equal texts, so that names compare by pointer. */
const char *arena_intern(arena *a, const char *text, size_t length);

#endif
