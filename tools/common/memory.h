/* SPDX-License-Identifier: MIT */
/* memory.h - memory that is there, and the end of the program if there is none. */
#ifndef UFLOW_TOOL_MEMORY_H
#define UFLOW_TOOL_MEMORY_H

#include <stddef.h>

/* The name of the program, and its exit status if it cannot go on; its main.c defines them. */
extern const char tool_name[];
extern const int tool_trouble;

/* Prints the name of the program and the message, and exits with `tool_trouble`. */
_Noreturn void tool_die(const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 1, 2)))
#endif
    ;

/* Like realloc() for an array, or the end of the program. */
void *tool_resize(void *memory, size_t count, size_t size);

/* Makes room for one more item in an array that grows by this function alone, from NULL on. The room doubles. */
void *tool_grow(void *memory, size_t count, size_t size);

/* Copies a text, which need not end with NUL. */
char *tool_copy(const char *text, size_t length);

#endif
