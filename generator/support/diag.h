/* diag.h - diagnostics: collected, sorted by place, printed once. */
#ifndef UFC_DIAG_H
#define UFC_DIAG_H

#include <stdbool.h>
#include <stdio.h>

#include "buffer.h"
#include "source.h"

/* One line a code in diag_codes.def: DIAG(code number, severity, name, title, explanation).
 * severity: ERROR or WARNING; a warning's name is its -W option, "" for errors. The catalogue feeds the messages,
 * --explain, SARIF rules and docs/errors.md; tests/golden/errors holds a failing example for every code. */
typedef enum diag_code {
#define DIAG(number, severity, name, title, explanation) UF##number,
#include "diag_codes.def"
#undef DIAG
    DIAG_CODE_COUNT
} diag_code;

typedef struct diag_info {
    const char *code; /* "UF0103" */
    bool is_error;
    const char *name; /* of the warning: "unreachable-step" */
    const char *title;
    const char *explanation;
} diag_info;

const diag_info *diag_describe(diag_code code);
/* By "UF0103" or by a warning's name; NULL if there is none. */
const diag_info *diag_find(const char *code_or_name);

typedef struct diagnostics diagnostics; /* the sink */

diagnostics *diag_new(arena *a);

/* Reports. Returns the report, for notes and help; a disabled warning returns one that is never shown. One fault is one
 * report: a second with the same code at the same place is dropped. At most 100 errors are kept; the
 * rest are counted. */
typedef struct diag_report diag_report;
diag_report *diag_at(diagnostics *d, diag_code code, span where, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The other place that matters. */
void diag_note(diag_report *r, span where, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* The way out. */
void diag_help(diag_report *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* -Wname, -Wno-name, -Werror, -Werror=name. False: no such warning. */
bool diag_option(diagnostics *d, const char *option);

/* Has an error been reported whose place begins in there? A warning made an error is none: it hides nothing. True as
 * well once so many were reported that not all were kept. */
bool diag_error_within(const diagnostics *d, span where);

unsigned diag_error_count(const diagnostics *d); /* warnings made errors included */
unsigned diag_warning_count(const diagnostics *d);

typedef enum diag_format { DIAG_TEXT, DIAG_JSON, DIAG_SARIF } diag_format;

/* file:line:col: error: text [UF0103], the line, a caret with its range, notes, help. In the order of
 * files and places. */
void diag_print(const diagnostics *d, diag_format format, bool color, buffer *out);

/* The nearest of `count` names to `name`, or NULL if none is near enough, or two are equally near. */
const char *diag_nearest(const char *name, const char *const *names, size_t count);

#endif
