#include "buffer.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "memory.h"

static void reserve(buffer *b, size_t more)
{
    size_t const need = more < SIZE_MAX - b->length ? b->length + more + 1 : SIZE_MAX;
    if (need <= b->capacity) return;
    b->text = memory_reserve(b->text, &b->capacity, need < 256 ? 256 : need, 1);
}

void buffer_append(buffer *b, const char *text, size_t length)
{
    reserve(b, length);
    if (length) memcpy(b->text + b->length, text, length);
    b->length += length;
    b->text[b->length] = '\0';
}

void buffer_puts(buffer *b, const char *text)
{
    buffer_append(b, text, strlen(text));
}

void buffer_putc(buffer *b, char c)
{
    buffer_append(b, &c, 1);
}

void buffer_vprintf(buffer *b, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int const length = vsnprintf(NULL, 0, format, arguments);
    if (length > 0) {
        reserve(b, (size_t)length);
        vsnprintf(b->text + b->length, (size_t)length + 1, format, again);
        b->length += (size_t)length;
    }
    va_end(again);
}

void buffer_printf(buffer *b, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    buffer_vprintf(b, format, arguments);
    va_end(arguments);
}

void buffer_free(buffer *b)
{
    memory_free(b->text);
    *b = (buffer){0};
}
