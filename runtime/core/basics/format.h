/* SPDX-License-Identifier: MIT */
/* format.h - formatted text without a C library. */
#ifndef UFLOW_FORMAT_H
#define UFLOW_FORMAT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "basics/core.h"

typedef struct ufi_text ufi_text;
typedef struct ufi_conversion ufi_conversion;

/* Carries out a conversion that is not simple; `at` is after its %. Returns: the rest of the format; NULL: unknown
 * conversion. */
typedef const char *ufi_conversions(ufi_text *text, const char *at, va_list *arguments);

/* Puts a number by one of the conversions fFeEgGaA. */
typedef void ufi_real_conversion(ufi_text *text, ufi_conversion *c, char letter, double number);

/* Formats into `buffer`, which is always NUL-terminated. Text that does not fit is truncated with "..." between two
 * UTF-8 characters. After an unknown conversion the rest of the format is copied. Programs link what `more` needs:
 * UFI_SIMPLE, for formats with %d %i %u %c %s %% and no flags, width, precision or length; UFI_INTEGERS, without
 * floating point; or UFI_ALL.
 * Returns: the length written. */
size_t ufi_format(char *buffer, size_t size, ufi_conversions *more, const char *format, va_list arguments);

/* The same with UFI_SIMPLE. */
size_t ufi_format_args(char *buffer, size_t size, const char *format, ...) UF_FORMAT(3, 4);

/* Joins texts up to a NULL, and truncates in the same way. It links nothing else of the formatter. */
size_t ufi_join(char *buffer, size_t size, const char *const parts[]);
#define UFI_PARTS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* With memmove and memcmp, these are all that core needs of a C library. A freestanding compiler needs the same
 * four. A file with threads may have included <string.h> before. */
/* NOLINTBEGIN(readability-redundant-declaration) */
void *memcpy(void *restrict to, const void *restrict from, size_t size);
void *memset(void *to, int byte, size_t size);
/* NOLINTEND(readability-redundant-declaration) */

/* Reads volatile bytes: GCC makes a call of strlen() of other loops, and core has none. */
static inline size_t ufi_length(const char *text)
{
    size_t length = 0;
    while (((const volatile char *)text)[length]) length++;
    return length;
}

static inline bool ufi_is_same_text(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

/* -- for format.c and format_real.c -------------------------------------------------------------------------------- */

#define UFI_SIMPLE   ((ufi_conversions *)NULL)
#define UFI_INTEGERS ufi_put_integers
ufi_conversions ufi_put_integers;
#if defined(UF_NO_FLOAT)
#define UFI_ALL UFI_INTEGERS
#else
#define UFI_ALL ufi_put_all
ufi_conversions ufi_put_all;
#endif

/* Carries out any conversion; `real`: those of floating point; NULL: they are unknown. */
const char *ufi_put_conversion(ufi_text *text, ufi_real_conversion *real, const char *at, va_list *arguments);

struct ufi_text {
    char *buffer;
    size_t size, length;
    bool truncated;
};

void ufi_put(ufi_text *text, char character);
void ufi_put_string(ufi_text *text, const char *string);

/* The types of arguments. */
typedef enum ufi_argument_type { TYPE_INT, TYPE_CHAR, TYPE_SHORT, TYPE_LONG, TYPE_LONG_LONG } ufi_argument_type;

/* The flags of a conversion, one bit each. */
#define UFI_FLAG(c)   (1u << ((c) - ' '))
#define UFI_LEFT      UFI_FLAG('-')
#define UFI_ZEROS     UFI_FLAG('0')
#define UFI_PLUS      UFI_FLAG('+')
#define UFI_BLANK     UFI_FLAG(' ')
#define UFI_ALTERNATE UFI_FLAG('#')

struct ufi_conversion {
    unsigned flags;
    int width, precision; /* negative: no precision */
    ufi_argument_type type;
};

/* The sign of a number, as the flags require. */
const char *ufi_sign(const ufi_conversion *c, bool is_negative);

/* Puts blanks, the prefix and zeros in front of a text of this length, and blanks after it. */
void ufi_put_before(ufi_text *text, const ufi_conversion *c, const char *prefix, int length);
void ufi_put_after(ufi_text *text, const ufi_conversion *c, const char *prefix, int length);

#endif
