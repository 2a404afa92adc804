/* SPDX-License-Identifier: MIT */
/* diag.h - diagnostics: collected, sorted by place, printed once. */
#ifndef UFC_DIAG_H
#define UFC_DIAG_H

#include <stdbool.h>
#include <stdio.h>

#include "buffer.h"
#include "formats.h"
#include "source.h"

/* The codes, by their number in diag_codes.def. */
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
/* Finds a code by "UF0103" or by the name of its warning. Returns NULL if there is none. */
const diag_info *diag_find(const char *code_or_name);

typedef struct diagnostics diagnostics; /* the list of reports */

diagnostics *diag_new(arena *a);

/* Adds a report, and returns it for notes and help. Some reports are never shown: those of a disabled warning, a
 * second one with the same code at the same place, and errors after the first 100, which are only counted. */
typedef struct diag_report diag_report;
diag_report *diag_at(diagnostics *d, diag_code code, span where, const char *format, ...) PRINTF_LIKE(4, 5);
/* The same with a struct that has the member `diagnostics`: report_at(s, UF0309, name->at, "…"). */
#define report_at(of, ...) diag_at((of)->diagnostics, __VA_ARGS__)
/* Adds another place to the report, such as an earlier declaration. */
void diag_note(diag_report *r, span where, const char *format, ...) PRINTF_LIKE(3, 4);
/* Adds what the user can do. */
void diag_help(diag_report *r, const char *format, ...) PRINTF_LIKE(2, 3);

/* From now on, a report for which `is_hidden` returns true is not shown, and does not count. */
typedef bool diag_filter(const void *context, diag_code code, span where);
void diag_hide(diagnostics *d, diag_filter *is_hidden, const void *context);

/* Applies what follows -W: `name`, `no-name`, `error` or `error=name`. Returns false if there is no such warning. */
bool diag_option(diagnostics *d, const char *option);

/* Was -Werror given? */
bool diag_all_warnings_are_errors(const diagnostics *d);

/* Has an option switched the warning on by its name? */
bool diag_is_asked_for(const diagnostics *d, diag_code code);

/* Does the place of a reported error begin within `where`? Warnings do not count, even with -Werror. Also true if some
 * errors were not kept, since one of them may be there. */
bool diag_error_within(const diagnostics *d, span where);

unsigned diag_report_count(const diagnostics *d); /* so far */

/* Withdraws all errors within `where` except the first, if one of them was added between these two counts: the others
 * follow from it. Once for each place, at the end of a pass. */
void diag_keep_first(diagnostics *d, unsigned from, unsigned to, span where);

/* A help that needs a search is given for this many errors only: each search takes time in proportion to the file. */
#define DIAG_HELPED_ERRORS 100u

unsigned diag_error_count(const diagnostics *d); /* including warnings that became errors */

typedef enum diag_format { DIAG_TEXT, DIAG_JSON, DIAG_SARIF } diag_format;

/* Prints the reports in the order of files and places: file:line:col: error: text [UF0103], the line, a caret with its
 * range, notes, help. */
void diag_print(const diagnostics *d, diag_format format, bool color, buffer *out);

/* Appends text of an input, without characters that a terminal obeys. */
void diag_put_shown(buffer *out, const char *text, size_t length);

/* Returns the one of `count` names that is most similar to `name`; NULL if there is none, or two are equal. */
const char *diag_nearest(const char *name, const char *const *names, size_t count);

#endif
