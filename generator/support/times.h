/* SPDX-License-Identifier: MIT */
/* times.h - literals of durations, such as `40ms`. */
#ifndef UFC_TIMES_H
#define UFC_TIMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buffer.h"

typedef struct time_unit {
    const char *name;
    int64_t ns;
    const char *macro; /* a macro of uflow.h, or a plausible name: nanoseconds */
} time_unit;

enum { TIME_UNITS = 6 };
extern const time_unit time_units[TIME_UNITS];
int64_t time_of_unit(const char *name, size_t length); /* in nanoseconds; 0: it is no unit */

/* Returns the length of the number at the start of a text, as in `1'000.5`. */
size_t time_number_length(const char *text, size_t length);

/* Converts a literal such as `1'000.5ms` to nanoseconds. Saturates large values at INT64_MAX and truncates below a
 * nanosecond. */
int64_t time_of_literal(const char *text, size_t length);
bool time_fits(const char *text, size_t length); /* without saturation */

/* The correct text instead of `.5s`, `1e3ms` or `0x10us`; NULL for other texts. */
const char *time_help(const char *text, size_t length);

/* Returns the length of the unit if it is a usual word that is no unit here, as in `40sec`; 0 for other texts. */
size_t time_misspelled(const char *text, size_t length);

/* Appends a constant expression of type uf_time: "UF_MS(40)". */
void time_append(buffer *out, int64_t ns);

/* The same for any place in an expression: "((uf_time)5)", which may follow `sizeof`. */
void time_append_operand(buffer *out, int64_t ns);

#endif
