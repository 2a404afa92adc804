/* diag.h - diagnostics: collected, sorted by place, printed once. */
#ifndef UFC_DIAG_H
#define UFC_DIAG_H

#include <stdbool.h>
#include <stdio.h>

#include "buffer.h"
#include "source.h"

/* The catalogue diag_codes.def has one row per code: DIAG(code number, severity, name, title, explanation). The
 * severity is ERROR or WARNING. The name of a warning is its -W option; an error has "". The catalogue feeds the
 * messages, --explain, SARIF rules and docs/errors.md. tests/golden/errors holds a failing example for every code. */
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
/* Finds a code by "UF0103" or by a warning's name. Returns NULL if there is none. */
const diag_info *diag_find(const char *code_or_name);

typedef struct diagnostics diagnostics; /* the list of reports */

diagnostics *diag_new(arena *a);

/* Adds a report and returns it, so that notes and help can be added. For a disabled warning it returns one that is
 * never shown. A second report with the same code at the same place is dropped. At most 100 errors are kept; the others
 * are counted. */
typedef struct diag_report diag_report;
diag_report *diag_at(diagnostics *d, diag_code code, span where, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Adds a note with another place. */
void diag_note(diag_report *r, span where, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Adds a help: how to fix it. */
void diag_help(diag_report *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Handles -Wname, -Wno-name, -Werror, -Werror=name. Returns: false if there is no such warning. */
bool diag_option(diagnostics *d, const char *option);

/* Does an error begin in this range? Warnings that became errors do not count, since they hide nothing. Also true if
 * some errors were not kept. */
bool diag_error_within(const diagnostics *d, span where);

unsigned diag_error_count(const diagnostics *d); /* including warnings that became errors */
unsigned diag_warning_count(const diagnostics *d);

typedef enum diag_format { DIAG_TEXT, DIAG_JSON, DIAG_SARIF } diag_format;

/* Prints file:line:col: error: text [UF0103], the line, a caret with its range, notes, help. The order is that of files
 * and places. */
void diag_print(const diagnostics *d, diag_format format, bool color, buffer *out);

/* Returns the most similar of `count` names, or NULL if none is similar enough or two are equally similar. */
const char *diag_nearest(const char *name, const char *const *names, size_t count);

#endif
