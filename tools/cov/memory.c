/* memory.c - memory that is there, and the end of the program if there is none. */
#include "cov.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void cov_die(const char *format, ...)
{
    va_list arguments;

    fputs("uflow-cov: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(1);
}

void *cov_resize(void *memory, size_t count, size_t size)
{
    void *const resized = count <= SIZE_MAX / size ? realloc(memory, count ? count * size : 1) : NULL;
    if (!resized) cov_die("out of memory");
    return resized;
}

char *cov_copy(const char *text, size_t length)
{
    char *const copy = cov_resize(NULL, length + 1, 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}
