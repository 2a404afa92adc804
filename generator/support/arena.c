/* SPDX-License-Identifier: MIT */
#include "arena.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "buffer.h"
#include "memory.h"
#include "scope.h"

/* Each chunk is twice as large as the previous one. */
#define CHUNK_SIZE  ((size_t)256 * 1024)
#define CHUNK_LIMIT ((size_t)8 * 1024 * 1024)
#define ALIGNMENT   _Alignof(max_align_t)

typedef struct chunk {
    struct chunk *next;
    max_align_t bytes[];
} chunk;

struct arena {
    arena_room room; /* first, because arena_alloc() reads it */
    chunk *chunks;
    size_t next_size; /* of a chunk */
    scope names;      /* what arena_intern() has returned */
    buffer formatted; /* what arena_printf() makes */
};

arena *arena_new(void)
{
    arena *a = memory_alloc(1, sizeof *a);
    *a = (arena){.next_size = CHUNK_SIZE};
    return a;
}

void arena_free(arena *a)
{
    if (!a) return;
    for (chunk *c = a->chunks; c;) {
        chunk *const next = c->next;
        memory_free(c);
        c = next;
    }
    buffer_free(&a->formatted);
    memory_free(a);
}

static char *add_chunk(arena *a, size_t size)
{
    chunk *const c = memory_zeroed(size > SIZE_MAX - sizeof(chunk) ? SIZE_MAX : sizeof(chunk) + size);
    c->next = a->chunks;
    a->chunks = c;
    return (char *)c->bytes;
}

void *arena_alloc_more(arena *a, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX - ALIGNMENT) bytes = SIZE_MAX - ALIGNMENT;
    bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (bytes > a->next_size / 4) return add_chunk(a, bytes); /* the present chunk remains in use */
    if (bytes > (size_t)(a->room.end - a->room.at)) {
        a->room.at = add_chunk(a, a->next_size);
        a->room.end = a->room.at + a->next_size;
        if (a->next_size < CHUNK_LIMIT) a->next_size *= 2;
    }
    void *const p = a->room.at;
    a->room.at += bytes;
    return p;
}

void *arena_grow(arena *a, void *old, size_t old_count, size_t count, size_t size)
{
    void *const longer = arena_alloc(a, count, size);
    if (old_count) memcpy(longer, old, old_count * size);
    return longer;
}

void *arena_reserve_more(arena *a, void *old, size_t *capacity, size_t need, size_t size)
{
    size_t const present = *capacity, doubled = present <= SIZE_MAX / 2 ? present * 2 : SIZE_MAX;
    *capacity = need > doubled ? need : doubled;
    return arena_grow(a, old, present, *capacity, size);
}

char *arena_copy(arena *a, const char *text, size_t length)
{
    char *copy = arena_alloc(a, length + 1, 1);
    if (length) memcpy(copy, text, length);
    return copy;
}

char *arena_vprintf(arena *a, const char *format, va_list arguments)
{
    a->formatted.length = 0;
    buffer_vprintf(&a->formatted, format, arguments);
    return arena_copy(a, a->formatted.text, a->formatted.length);
}

char *arena_printf(arena *a, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *const text = arena_vprintf(a, format, arguments);
    va_end(arguments);
    return text;
}

char *arena_join(arena *a, char joint, const char *const *texts)
{
    size_t most = 1;
    for (size_t i = 0; texts[i]; i++) most += strlen(texts[i]) + 1;
    char *const joined = arena_alloc(a, most, 1), *end = joined;
    for (size_t i = 0; texts[i]; i++) {
        size_t const length = strlen(texts[i]);
        memcpy(end, texts[i], length);
        end += length;
        if (joint && texts[i + 1]) *end++ = joint;
    }
    return joined;
}

const char *arena_intern(arena *a, const char *text, size_t length)
{
    char *name = scope_find_text(&a->names, text, length);
    if (name) return name;
    name = arena_copy(a, text, length);
    scope_add(a, &a->names, name, name);
    return name;
}
