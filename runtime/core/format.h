/* format.h - what format.c and format_real.c share. */
#ifndef UFLOW_FORMAT_H
#define UFLOW_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* %f and %g exist in hosted builds only: on a small machine they would link the soft-float library. */
#if !defined(UF_NO_FLOAT) && __STDC_HOSTED__
#define UFI_FORMAT_REAL 1
#else
#define UFI_FORMAT_REAL 0
#endif

typedef struct ufi_text {
    char *buffer;
    size_t size, length;
    bool truncated; /* something did not fit */
} ufi_text;

void ufi_put(ufi_text *text, char character);
void ufi_put_string(ufi_text *text, const char *string);

#if UFI_FORMAT_REAL
void ufi_put_number(ufi_text *text, uint64_t number);
/* %f with `places` digits after the decimal point, and %g with `significant` digits. Both limits are at most 9. */
void ufi_put_fixed(ufi_text *text, double number, unsigned places);
void ufi_put_general(ufi_text *text, double number, unsigned significant);
#endif

#endif
