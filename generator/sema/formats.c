/* SPDX-License-Identifier: MIT */
/* Formats of `fail` and `describe`: the conversions that the runtime's formatter supports, and the number of
 * arguments. */
#include <string.h>

#include "checks.h"
#include "utf8.h"
#include "walk.h"
#include "words.h"

/* A reading position in a format, which may consist of several literals. */
typedef struct reader {
    token_range format;
    uint32_t token;
    const char *text; /* the literal, without its quotes */
    size_t at, length;
} reader;

static void enter(reader *r, uint32_t index)
{
    r->token = index;
    r->at = r->length = 0;
    if (index >= r->format.end || !token_is_string(r->format.list, index)) return;
    size_t length;
    const char *const text = token_text(r->format.list, index, &length);
    const char *const open = memchr(text, '"', length);
    r->text = open + 1;
    r->length = length - 1 - (size_t)(r->text - text);
}

/* Returns the next character; 0 at the end of the format and at a macro. */
static char next(reader *r)
{
    while (r->token < r->format.end && token_is_string(r->format.list, r->token)) {
        if (r->at < r->length) return r->text[r->at];
        enter(r, r->token + 1);
    }
    return 0;
}

static bool is_one_of(const char *characters, char c)
{
    return c != 0 && strchr(characters, c) != NULL;
}

static bool skip(reader *r, char c)
{
    bool const is_there = c != 0 && next(r) == c;
    if (is_there) r->at++;
    return is_there;
}

/* Skips digits or `*`, which takes an argument. Returns the number; 0 for `*`. */
static unsigned skip_count(reader *r, uint32_t *arguments)
{
    unsigned number = 0;
    if (skip(r, '*')) {
        (*arguments)++;
        return 0;
    }
    for (; is_one_of("0123456789", next(r)); r->at++) {
        if (number < 10000) number = number * 10 + (unsigned)(next(r) - '0');
    }
    return number;
}

/* Reads a conversion after its `%` and counts the arguments that it takes. Returns false if it is unknown. */
static bool read_conversion(reader *r, uint32_t *arguments)
{
    enum { LONGEST = 1000 };
    if (skip(r, '%')) return true;
    while (is_one_of("-+ 0#", next(r))) r->at++;
    unsigned const width = skip_count(r, arguments), precision = skip(r, '.') ? skip_count(r, arguments) : 0;
    (*arguments)++;
    if (width > LONGEST || precision > LONGEST) return false;
    char const letter = next(r);
    if (letter == 0 && r->token < r->format.end) { /* a macro */
        enter(r, r->token + 1);
        return true;
    }
    if (is_one_of("hljzt", letter)) {
        r->at++;
        bool const is_twice = is_one_of("hl", letter) && skip(r, letter);
        bool const may_be_real = letter == 'l' && !is_twice; /* `%lf` is `%f` */
        return is_one_of(may_be_real ? "diuxXofFeEgGaA" : "diuxXo", next(r)) && skip(r, next(r));
    }
    return is_one_of("diuxXocspfFeEgGaA", letter) && skip(r, letter);
}

static bool is_plain(sema *s, const token_list *list, uint32_t index)
{
    size_t length;
    const char *const text = token_text(list, index, &length);
    if (!token_is_string(list, index) || *text == '"' || (length > 3 && memcmp(text, "u8\"", 3) == 0)) return true;
    diag_report *r = report_at(s, UF0703, token_span(list, index), "a format is a plain string");
    diag_help(r, "leave the prefix out");
    return false;
}

/* Reports the text from the `%` before `begin` to `end`, or to the end of its literal, as an unknown conversion. */
static void report_unknown(sema *s, const reader *begin, const reader *end)
{
    const source *const in = begin->format.list->in;
    bool const is_in_one = end->token == begin->token && end->at < begin->length;
    size_t const stop = is_in_one ? end->at + utf8_length(end->text + end->at, end->length - end->at) : begin->length;
    uint32_t const offset = (uint32_t)(begin->text - in->text);
    span const at = {in, offset + (uint32_t)begin->at - 1, offset + (uint32_t)stop};
    diag_report *r =
        report_at(s, UF0701, at, "the formatter does not know `%.*s`", (int)(at.end - at.begin), in->text + at.begin);
    diag_help(r, "it knows %%d %%i %%u %%x %%X %%o, with hh h l ll j z t or as PRId64 and its like, %%c %%s %%p, "
                 "%%f %%e %%g %%a and %%%%, with flags, width and precision");
}

/* Counts the arguments that a format takes. Returns false after reporting a fault. */
static bool read_format(sema *s, token_range format, uint32_t *count)
{
    reader r = {.format = format};
    for (uint32_t i = format.first; i < format.end; i++) {
        if (!is_plain(s, format.list, i)) return false;
    }
    for (enter(&r, format.first); r.token < format.end;) {
        if (!skip(&r, '%')) {
            if (next(&r) != 0) r.at++;
            else if (r.token < format.end) enter(&r, r.token + 1); /* a macro counts as text */
            continue;
        }
        reader const begin = r;
        if (read_conversion(&r, count)) continue;
        report_unknown(s, &begin, &r);
        return false;
    }
    return true;
}

static void check_format(sema *s, const char *word, token_range format, const ast_args *args)
{
    if (range_empty(format)) return;
    uint32_t count = 0;
    if (report_divided(s, args->items, args->count)) return;
    if (!read_format(s, format, &count)) return;
    if (count == args->count) return;
    diag_report *r = report_at(s, UF0702, range_span(format), "this format takes %u argument%s, not %u",
                               (unsigned)count, count == 1 ? "" : "s", (unsigned)args->count);
    if (args->count < count) diag_help(r, "write them after the format: `%s \"…\", argument`", word);
    else diag_help(r, "every argument after the format needs a conversion such as %%d in it");
}

static void check_outcome(ast_outcome *o, void *context)
{
    if (outcome_takes(o->kind, TAKES_FORMAT)) check_format(context, "fail", o->value, &o->args);
}

static void check_describe(ast_statement *statement, void *context)
{
    if (statement->kind == STATEMENT_DESCRIBE)
        check_format(context, "describe", statement->operands->format, &statement->operands->args);
}

void check_formats(sema *s, const body_site *site)
{
    if (site->step || site->worker) walk_outcomes(site->body->first, check_outcome, s);
    walk_statements(site->body->first, check_describe, s);
}

void check_formats_outside(sema *s, ast_preempt *preempt)
{
    check_outcome(preempt->outcome, s);
}
