/* SPDX-License-Identifier: MIT */
#include "diag.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "diag_report.h"

/* The limit of stored errors: more do not help the user, and would use up memory. */
#define ERRORS_KEPT  100u
#define REPORTS_KEPT 2000u

enum { ERROR = true, WARNING = false };

static const diag_info catalogue[] = {
#define DIAG(number, severity, name, title, explanation) {"UF" #number, severity, name, title, explanation},
#include "diag_codes.def"
#undef DIAG
};

const diag_info *diag_describe(diag_code code)
{
    return &catalogue[code];
}

const diag_info *diag_find(const char *code_or_name)
{
    for (size_t i = 0; i < DIAG_CODE_COUNT; i++) {
        if (strcasecmp(code_or_name, catalogue[i].code) == 0) return &catalogue[i];
        if (catalogue[i].name[0] && strcmp(code_or_name, catalogue[i].name) == 0) return &catalogue[i];
    }
    return NULL;
}

diagnostics *diag_new(arena *a)
{
    diagnostics *d = ARENA_NEW(a, diagnostics);
    d->arena = a;
    return d;
}

/* -- options ----------------------------------------------------------------------------------------------------- */

static bool set(diagnostics *d, const char *name, diag_setting setting)
{
    const diag_info *info = diag_find(name);
    if (!info || info->is_error || strcmp(info->name, name) != 0) return false;
    d->settings[info - catalogue] = setting;
    return true;
}

bool diag_is_asked_for(const diagnostics *d, diag_code code)
{
    return d->settings[code] == SETTING_ON || d->settings[code] == SETTING_ERROR;
}

bool diag_all_warnings_are_errors(const diagnostics *d)
{
    return d->all_warnings_are_errors;
}

bool diag_option(diagnostics *d, const char *option)
{
    if (strcmp(option, "all") == 0 || strcmp(option, "extra") == 0)
        return true; /* all warnings are enabled by default */
    if (strcmp(option, "error") == 0) {
        d->all_warnings_are_errors = true;
        return true;
    }
    if (strncmp(option, "error=", 6) == 0) return set(d, option + 6, SETTING_ERROR);
    if (strncmp(option, "no-error=", 9) == 0) return set(d, option + 9, SETTING_WARNING);
    if (strncmp(option, "no-", 3) == 0) return set(d, option + 3, SETTING_OFF);
    return set(d, option, SETTING_ON);
}

/* Options do not affect errors. */
static diag_setting setting_of(const diagnostics *d, diag_code code)
{
    if (catalogue[code].is_error) return SETTING_ERROR;
    diag_setting const setting = d->settings[code];
    if (setting != SETTING_DEFAULT && setting != SETTING_ON) return setting;
    return d->all_warnings_are_errors ? SETTING_ERROR : SETTING_WARNING;
}

/* -- reporting --------------------------------------------------------------------------------------------------- */

/* Was that code already reported at that place? */
static bool is_seen(const diagnostics *d, diag_code code, span where)
{
    const diag_report *r = where.in ? d->first : NULL;
    while (r && (r->code != code || r->where.in != where.in || r->where.begin != where.begin)) r = r->next;
    return r;
}

diag_report *diag_at(diagnostics *d, diag_code code, span where, const char *format, ...)
{
    diag_setting const setting = setting_of(d, code);
    if (setting == SETTING_OFF || (d->is_hidden && d->is_hidden(d->hidden_by, code, where))) return &d->unseen;
    bool const is_error = setting == SETTING_ERROR;
    bool const is_kept = d->count < REPORTS_KEPT && (!is_error || d->errors < ERRORS_KEPT);
    if (is_kept && is_seen(d, code, where)) return &d->unseen;
    if (is_error) d->errors++;
    if (!is_kept) {
        d->dropped++;
        return &d->unseen;
    }
    diag_report *const r = ARENA_NEW(d->arena, diag_report);
    *r = (diag_report){.arena = d->arena, .code = code, .where = where, .is_error = is_error};
    va_list arguments;
    va_start(arguments, format);
    r->text = arena_vprintf(d->arena, format, arguments);
    va_end(arguments);

    r->order = (uint32_t)d->count++;
    if (d->last) d->last->next = r;
    else d->first = r;
    d->last = r;
    return r;
}

void diag_hide(diagnostics *d, diag_filter *is_hidden, const void *context)
{
    d->is_hidden = is_hidden;
    d->hidden_by = context;
}

static void add_line(diag_report *r, diag_line **list, span where, const char *format, va_list arguments)
{
    if (!r->arena) return; /* not shown */
    diag_line *const line = ARENA_NEW(r->arena, diag_line);
    *line = (diag_line){.where = where, .text = arena_vprintf(r->arena, format, arguments)};
    while (*list) list = &(*list)->next;
    *list = line;
}

void diag_note(diag_report *r, span where, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_line(r, &r->notes, where, format, arguments);
    va_end(arguments);
}

void diag_help(diag_report *r, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_line(r, &r->help, (span){NULL, 0, 0}, format, arguments);
    va_end(arguments);
}

static bool is_error_within(const diag_report *r, span where)
{
    return catalogue[r->code].is_error && !r->is_withdrawn && r->where.in == where.in &&
           r->where.begin >= where.begin && r->where.begin < where.end;
}

bool diag_error_within(const diagnostics *d, span where)
{
    if (d->dropped) return true;
    for (const diag_report *r = d->first; r; r = r->next) {
        if (is_error_within(r, where)) return true;
    }
    return false;
}

unsigned diag_report_count(const diagnostics *d)
{
    return (unsigned)d->count;
}

void diag_keep_first(diagnostics *d, unsigned from, unsigned to, span where)
{
    const diag_report *first = NULL;
    bool is_needed = false;
    for (const diag_report *r = d->first; r; r = r->next) {
        if (!is_error_within(r, where)) continue;
        is_needed = is_needed || (r->order >= from && r->order < to);
        if (!first || r->where.begin < first->where.begin) first = r;
    }
    for (diag_report *r = is_needed ? d->first : NULL; r; r = r->next) {
        if (r == first || !is_error_within(r, where)) continue;
        r->is_withdrawn = true;
        d->count--;
        d->errors--;
    }
}

unsigned diag_error_count(const diagnostics *d)
{
    return d->errors;
}

/* -- printing ---------------------------------------------------------------------------------------------------- */

static int compare(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

static int compare_reports(const void *left, const void *right)
{
    const diag_report *a = *(const diag_report *const *)left, *b = *(const diag_report *const *)right;
    int order = compare(a->where.in ? a->where.in->id : 0, b->where.in ? b->where.in->id : 0);
    if (!order) order = compare(a->where.begin, b->where.begin);
    return order ? order : compare(a->order, b->order);
}

const diag_report **diag_sorted(const diagnostics *d)
{
    const diag_report **all = ARENA_ARRAY(d->arena, const diag_report *, d->count);
    size_t count = 0;
    for (const diag_report *r = d->first; r; r = r->next) {
        if (!r->is_withdrawn) all[count++] = r;
    }
    if (count > 1) qsort(all, count, sizeof *all, compare_reports);
    return all;
}

void diag_print(const diagnostics *d, diag_format format, bool color, buffer *out)
{
    switch (format) {
    case DIAG_TEXT: diag_print_text(d, color, out); break;
    case DIAG_JSON: diag_print_json(d, out); break;
    case DIAG_SARIF: diag_print_sarif(d, out); break;
    }
}
