/* SPDX-License-Identifier: MIT */
#include "buffer.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "memory.h"

void buffer_grow(buffer *b, size_t more)
{
    size_t const need = more < SIZE_MAX - b->length ? b->length + more + 1 : SIZE_MAX;
    b->text = memory_reserve(b->text, &b->capacity, need < 256 ? 256 : need, 1);
}

void buffer_append(buffer *b, const char *text, size_t length)
{
    buffer_reserve(b, length);
    if (length) memcpy(b->text + b->length, text, length);
    b->length += length;
    b->text[b->length] = '\0';
}

void buffer_putc(buffer *b, char c)
{
    buffer_reserve(b, 1);
    b->text[b->length++] = c;
    b->text[b->length] = '\0';
}

void buffer_fill(buffer *b, char c, size_t times)
{
    buffer_reserve(b, times);
    memset(b->text + b->length, c, times);
    b->length += times;
    b->text[b->length] = '\0';
}

void buffer_number(buffer *b, unsigned long long number)
{
    char digits[20];
    size_t at = sizeof digits;
    do digits[--at] = (char)('0' + number % 10);
    while (number /= 10);
    buffer_append(b, digits + at, sizeof digits - at);
}

/* Up to the given length, or to the terminator. */
static void put_part(buffer *b, const char *text, int length)
{
    char const *const end = length < 0 ? NULL : memchr(text, '\0', (size_t)length);
    if (length < 0) buffer_puts(b, text);
    else buffer_append(b, text, end ? (size_t)(end - text) : (size_t)length);
}

/* Handles the most frequent conversions ten times as fast as the C library. Returns the length of the conversion in the
 * format; 0: another conversion. */
static size_t put_common(buffer *b, const char *conversion, va_list *arguments)
{
    switch (*conversion) {
    case 's': buffer_puts(b, va_arg(*arguments, const char *)); return 1;
    case 'u': buffer_number(b, va_arg(*arguments, unsigned)); return 1;
    case 'c': buffer_putc(b, (char)va_arg(*arguments, int)); return 1;
    case '%': buffer_putc(b, '%'); return 1;
    case 'z':
        if (conversion[1] != 'u') return 0;
        buffer_number(b, va_arg(*arguments, size_t));
        return 2;
    case '.':
        if (conversion[1] != '*' || conversion[2] != 's') return 0;
        int const length = va_arg(*arguments, int);
        put_part(b, va_arg(*arguments, const char *), length);
        return 3;
    default: return 0;
    }
}

static void put_by_library(buffer *b, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int const length = vsnprintf(NULL, 0, format, arguments);
    if (length > 0) {
        buffer_reserve(b, (size_t)length);
        vsnprintf(b->text + b->length, (size_t)length + 1, format, again);
        b->length += (size_t)length;
    }
    va_end(again);
}

void buffer_vprintf(buffer *b, const char *format, va_list arguments)
{
    va_list rest;
    va_copy(rest, arguments);
    for (const char *percent; (percent = strchr(format, '%')) != NULL;) {
        buffer_append(b, format, (size_t)(percent - format));
        size_t const used = put_common(b, percent + 1, &rest);
        if (!used) {
            put_by_library(b, percent, rest);
            va_end(rest);
            return;
        }
        format = percent + 1 + used;
    }
    buffer_puts(b, format);
    va_end(rest);
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
