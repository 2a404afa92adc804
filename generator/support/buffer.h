/* SPDX-License-Identifier: MIT */
/* buffer.h - a text that grows at its end. */
#ifndef UFC_BUFFER_H
#define UFC_BUFFER_H

#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include "formats.h"

typedef struct buffer {
    char *text; /* NUL-terminated, or NULL while empty */
    size_t length, capacity;
} buffer;

/* Makes room for this many more bytes, and for the NUL after them. */
void buffer_grow(buffer *b, size_t more);
static inline void buffer_reserve(buffer *b, size_t more)
{
    if (more >= b->capacity - b->length) buffer_grow(b, more);
}

void buffer_append(buffer *b, const char *text, size_t length);
void buffer_putc(buffer *b, char c);
void buffer_fill(buffer *b, char c, size_t times);
void buffer_number(buffer *b, unsigned long long number);
void buffer_printf(buffer *b, const char *format, ...) PRINTF_LIKE(2, 3);
void buffer_vprintf(buffer *b, const char *format, va_list arguments);
void buffer_free(buffer *b);

/* Inline, since the caller knows the length of a literal: a few stores, and no call. */
__attribute__((always_inline)) static inline void buffer_puts(buffer *b, const char *text)
{
    size_t const length = strlen(text);
    buffer_reserve(b, length);
    memcpy(b->text + b->length, text, length + 1);
    b->length += length;
}

/* Appends several texts and unsigned numbers. Unlike a format, it is not parsed at run time.
 *
 *     BUFFER_PUT(b, "    case ", state, ": return ", number, ";\n");
 */
#define BUFFER_PUT(b, ...)                                                                                             \
    do {                                                                                                               \
        buffer *const buffer_of_pieces = (b);                                                                          \
        BUFFER_NTH(__VA_ARGS__, BUFFER_20, BUFFER_19, BUFFER_18, BUFFER_17, BUFFER_16, BUFFER_15, BUFFER_14,           \
                   BUFFER_13, BUFFER_12, BUFFER_11, BUFFER_10, BUFFER_9, BUFFER_8, BUFFER_7, BUFFER_6, BUFFER_5,       \
                   BUFFER_4, BUFFER_3, BUFFER_2, BUFFER_1, 0)                                                          \
        (__VA_ARGS__);                                                                                                 \
    } while (0)

#define BUFFER_NTH(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, nth, ...) nth
#define BUFFER_1(piece)                                                                                                \
    _Generic((piece), unsigned                                                                                         \
             : buffer_number, unsigned long                                                                            \
             : buffer_number, unsigned long long                                                                       \
             : buffer_number, default                                                                                  \
             : buffer_puts)(buffer_of_pieces, piece)
#define BUFFER_2(piece, ...)  BUFFER_1(piece), BUFFER_1(__VA_ARGS__)
#define BUFFER_3(piece, ...)  BUFFER_1(piece), BUFFER_2(__VA_ARGS__)
#define BUFFER_4(piece, ...)  BUFFER_1(piece), BUFFER_3(__VA_ARGS__)
#define BUFFER_5(piece, ...)  BUFFER_1(piece), BUFFER_4(__VA_ARGS__)
#define BUFFER_6(piece, ...)  BUFFER_1(piece), BUFFER_5(__VA_ARGS__)
#define BUFFER_7(piece, ...)  BUFFER_1(piece), BUFFER_6(__VA_ARGS__)
#define BUFFER_8(piece, ...)  BUFFER_1(piece), BUFFER_7(__VA_ARGS__)
#define BUFFER_9(piece, ...)  BUFFER_1(piece), BUFFER_8(__VA_ARGS__)
#define BUFFER_10(piece, ...) BUFFER_1(piece), BUFFER_9(__VA_ARGS__)
#define BUFFER_11(piece, ...) BUFFER_1(piece), BUFFER_10(__VA_ARGS__)
#define BUFFER_12(piece, ...) BUFFER_1(piece), BUFFER_11(__VA_ARGS__)
#define BUFFER_13(piece, ...) BUFFER_1(piece), BUFFER_12(__VA_ARGS__)
#define BUFFER_14(piece, ...) BUFFER_1(piece), BUFFER_13(__VA_ARGS__)
#define BUFFER_15(piece, ...) BUFFER_1(piece), BUFFER_14(__VA_ARGS__)
#define BUFFER_16(piece, ...) BUFFER_1(piece), BUFFER_15(__VA_ARGS__)
#define BUFFER_17(piece, ...) BUFFER_1(piece), BUFFER_16(__VA_ARGS__)
#define BUFFER_18(piece, ...) BUFFER_1(piece), BUFFER_17(__VA_ARGS__)
#define BUFFER_19(piece, ...) BUFFER_1(piece), BUFFER_18(__VA_ARGS__)
#define BUFFER_20(piece, ...) BUFFER_1(piece), BUFFER_19(__VA_ARGS__)

#endif
