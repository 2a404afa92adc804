/* SPDX-License-Identifier: MIT */
/* tests.c - the tests of tests.uflow on a chip without a heap: a call of malloc() ends the program. */
#include <stddef.h>
#include <unistd.h>

#include "uflow/test.h"

int _write(int file, const char *text, int length);
extern uf_test_file uf_tests_tests;

void uf_test_write(const char *text, size_t size)
{
    (void)_write(1, text, (int)size);
}

static void *refuse(void)
{
    static const char text[] = "somebody asks for memory\n";
    (void)_write(1, text, sizeof text - 1);
    _exit(71);
}

/* In place of newlib's. */
struct _reent;
void *_malloc_r(struct _reent *reent, size_t size);
void *_calloc_r(struct _reent *reent, size_t count, size_t size);
void *_realloc_r(struct _reent *reent, void *memory, size_t size);
void _free_r(struct _reent *reent, void *memory);

void *_malloc_r(struct _reent *reent, size_t size)
{
    (void)reent, (void)size;
    return refuse();
}

void *_calloc_r(struct _reent *reent, size_t count, size_t size)
{
    (void)reent, (void)count, (void)size;
    return refuse();
}

void *_realloc_r(struct _reent *reent, void *memory, size_t size)
{
    (void)reent, (void)memory, (void)size;
    return refuse();
}

void _free_r(struct _reent *reent, void *memory)
{
    (void)reent, (void)memory;
}

int main(void)
{
    uf_test_register(&uf_tests_tests);
    return uf_test_main(0, NULL);
}
