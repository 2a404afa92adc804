/* SPDX-License-Identifier: MIT */
/* diag_report.h - the representation of diagnostics, only for the files that report and print them. */
#ifndef UFC_DIAG_REPORT_H
#define UFC_DIAG_REPORT_H

#include "diag.h"

typedef struct diag_line { /* a note, or a help, which has no place */
    struct diag_line *next;
    span where;
    const char *text;
} diag_line;

struct diag_report {
    diag_report *next;
    arena *arena;
    diag_code code;
    bool is_error;
    bool is_withdrawn; /* it is not shown, and a second one like it neither */
    uint32_t order;    /* of reporting */
    span where;        /* where.in is NULL without a place */
    const char *text;
    diag_line *notes, *help;
};

typedef enum diag_setting { SETTING_DEFAULT, SETTING_ON, SETTING_OFF, SETTING_WARNING, SETTING_ERROR } diag_setting;

struct diagnostics {
    arena *arena;
    diag_report *first, *last;
    diag_report unseen; /* replaces every report that is not shown; it takes no notes */
    size_t count;       /* without those that are withdrawn */
    unsigned errors, dropped;
    bool all_warnings_are_errors;
    diag_filter *is_hidden; /* NULL: every report is shown */
    const void *hidden_by;
    diag_setting settings[DIAG_CODE_COUNT];
};

/* Returns the reports, sorted by file and place. */
const diag_report **diag_sorted(const diagnostics *d);

void diag_print_text(const diagnostics *d, bool color, buffer *out);
void diag_print_json(const diagnostics *d, buffer *out);
void diag_print_sarif(const diagnostics *d, buffer *out);

#endif
