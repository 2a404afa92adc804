/* SPDX-License-Identifier: MIT */
/* memory.c - see memory.h. */
#include "memory.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

void tool_die(const char *format, ...)
{
    char text[1024];
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "%s: %s\n", tool_name, tool_make_printable(text));
    exit(tool_trouble);
}

void *tool_resize(void *memory, size_t count, size_t size)
{
    void *const resized = count <= SIZE_MAX / size ? realloc(memory, count ? count * size : 1) : NULL;
    if (!resized) tool_die("out of memory");
    return resized;
}

void *tool_grow(void *memory, size_t count, size_t size)
{
    bool const is_full = (count & (count - 1)) == 0; /* the room is a power of two */
    return is_full ? tool_resize(memory, count ? 2 * count : 1, size) : memory;
}

char *tool_copy(const char *text, size_t length)
{
    char *const copy = tool_resize(NULL, length + 1, 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}
