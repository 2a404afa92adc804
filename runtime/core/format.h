/* format.h - formatted text without a C library. */
#ifndef UFLOW_FORMAT_H
#define UFLOW_FORMAT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Formats into `buffer`, which is always NUL-terminated. Text that does not fit is truncated with "..." between two
 * UTF-8 characters. After an unknown conversion the rest of the format is copied.
 * Returns: the length written. */
size_t ufi_format(char *buffer, size_t size, const char *format, va_list arguments);
size_t ufi_format_args(char *buffer, size_t size, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* With memmove and memcmp, these are all that core needs of a C library. A freestanding compiler needs the same
 * four. */
void *memcpy(void *restrict to, const void *restrict from, size_t size);
void *memset(void *to, int byte, size_t size);

/* -- for format.c and format_real.c -------------------------------------------------------------------------------- */

/* Only hosted builds have %f and %g. A small machine would have to link its soft-float library. */
#if !defined(UF_NO_FLOAT) && __STDC_HOSTED__
#define UFI_FORMAT_REAL 1
#else
#define UFI_FORMAT_REAL 0
#endif

typedef struct ufi_text {
    char *buffer;
    size_t size, length;
    bool truncated;
} ufi_text;

void ufi_put(ufi_text *text, char character);
void ufi_put_string(ufi_text *text, const char *string);

#if UFI_FORMAT_REAL
void ufi_put_number(ufi_text *text, uint64_t number);
/* %f with `places` digits after the point, %g with `significant` digits; both at most 9. */
void ufi_put_fixed(ufi_text *text, double number, unsigned places);
void ufi_put_general(ufi_text *text, double number, unsigned significant);
#endif

#endif
