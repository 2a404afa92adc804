/* SPDX-License-Identifier: MIT */
#include "memory.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "files.h"

#define EXIT_NO_MEMORY 3

static void (*clean_up)(void);

void memory_prepare(void)
{
#ifdef __GLIBC__
    (void)mallopt(M_MMAP_THRESHOLD, 256 * 1024);
#endif
}

void memory_on_failure(void (*clean)(void))
{
    clean_up = clean;
}

_Noreturn static void fail(void)
{
    void (*const clean)(void) = clean_up;
    clean_up = NULL; /* in case this allocation fails as well */
    if (clean) clean();
    fputs("ufc: out of memory\n", stderr);
    exit(EXIT_NO_MEMORY);
}

void *memory_grow(void *old, size_t count, size_t size)
{
    if (size && count > PTRDIFF_MAX / size) fail();
    size_t const bytes = count * size;
    void *const p = realloc(old, bytes ? bytes : 1);
    if (!p) fail();
    if (bytes >= MEMORY_LARGE) file_prefer_large_pages(p, bytes);
    return p;
}

void *memory_alloc(size_t count, size_t size)
{
    return memory_grow(NULL, count, size);
}

void *memory_zeroed(size_t bytes)
{
    void *const p = bytes > PTRDIFF_MAX ? NULL : calloc(1, bytes);
    if (!p) fail();
    if (bytes >= MEMORY_LARGE) file_prefer_large_pages(p, bytes);
    return p;
}

void *memory_reserve_more(void *old, size_t *capacity, size_t need, size_t size)
{
    size_t const doubled = *capacity <= SIZE_MAX / 2 ? *capacity * 2 : SIZE_MAX;
    *capacity = need > doubled ? need : doubled;
    return memory_grow(old, *capacity, size);
}

void memory_free(void *p)
{
    free(p);
}
