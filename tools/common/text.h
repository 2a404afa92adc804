/* SPDX-License-Identifier: MIT */
/* text.h - texts of files and peers, which may hold any bytes: each goes through one of these before it is printed. */
#ifndef UFLOW_TOOL_TEXT_H
#define UFLOW_TOOL_TEXT_H

#include <stddef.h>

/* The length of a printable character of UTF-8, in a text that ends with a NUL; 0: it is none. */
size_t tool_character(const char *text);

/* Replaces all bytes by '?' that are no printable UTF-8. A terminal would obey control characters, and characters for
 * the direction of text make a text look like another one. Returns: the text. */
char *tool_make_printable(char *text);

/* Like tool_copy(), printable. */
char *tool_copy_printable(const char *text, size_t length);

/* Like snprintf(), printable also where the text is cut. Returns: the buffer. */
char *tool_format(char *buffer, size_t size, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

#endif
