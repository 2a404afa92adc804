/* buffer.h - a text that grows at its end. */
#ifndef UFC_BUFFER_H
#define UFC_BUFFER_H

#include <stdarg.h>
#include <stddef.h>

typedef struct buffer {
    char *text; /* NUL-terminated, or NULL while empty */
    size_t length, capacity;
} buffer;

void buffer_append(buffer *b, const char *text, size_t length);
void buffer_puts(buffer *b, const char *text);
void buffer_putc(buffer *b, char c);
void buffer_fill(buffer *b, char c, size_t times);
void buffer_printf(buffer *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buffer_vprintf(buffer *b, const char *format, va_list arguments);
void buffer_free(buffer *b);

#endif
