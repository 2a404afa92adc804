/* Builds durations, and reports texts that are none. */
#include <string.h>

#include "ast_build.h"
#include "times.h"
#include "uflow_parse.h"

#define UNITS "ns, us, ms, s, min and h"

ast_duration no_duration(const parser *p)
{
    return (ast_duration){.text = range_none(p)};
}

ast_duration build_duration(parser *p, uint32_t literal)
{
    span const at = token_at(p, literal);
    p->file->tokens.items[literal].flags |= TOKEN_WAIT;
    return (ast_duration){.text = range_one(p, literal),
                          .at = at,
                          .literal = true,
                          .ns = time_of_literal(at.in->text + at.begin, at.end - at.begin)};
}

/* Returns the unit of a text that is one macro call, as in `UF_MS(3)`; NULL for other texts. */
static const char *macro_of_time(token_range text)
{
    const token_list *const list = text.list;
    unsigned depth = 0;
    if (text.end - text.first < 4 || list->items[text.first + 1].kind != T_LPAREN) return NULL;
    for (uint32_t i = text.first + 1; i < text.end; i++) {
        if (list->items[i].kind == T_LPAREN) depth++;
        if (list->items[i].kind == T_RPAREN && --depth == 0 && i + 1 < text.end) return NULL;
    }
    for (size_t i = 0; i < TIME_UNITS && depth == 0; i++) {
        if (token_is(list, text.first, time_units[i].macro)) return time_units[i].name;
    }
    return NULL;
}

/* Suggests `3ms` for `UF_MS(3)`, and `(n) ms` for `UF_MS(n)`. */
static void help_with_macro(diag_report *r, token_range text)
{
    const char *const unit = macro_of_time(text);
    token_range const count = {text.list, text.first + 2, text.end - 1};
    span const at = range_span(count);
    const char *const words = at.in->text + at.begin;
    int const length = (int)(at.end - at.begin);
    bool const is_literal = count.end - count.first == 1 && time_number_length(words, (size_t)length) == (size_t)length;
    diag_help(r, is_literal ? "write `%.*s%s`" : "write `(%.*s) %s`", length, words, unit);
}

/* Reports a time with a unit: `(UF_MS(3)) ms` would be three million milliseconds. */
static void report_time_with_unit(parser *p, ast_duration d)
{
    span const macro = token_at(p, d.text.first);
    diag_report *r = diag_at(p->diagnostics, UF0205, d.at, "`%.*s(…)` is a number of nanoseconds, and not of %s",
                             (int)(macro.end - macro.begin), macro.in->text + macro.begin, d.unit);
    help_with_macro(r, d.text);
}

static bool is_literal(token_range text)
{
    return text.end == text.first + 1 && token_kind(text.list, text.first) == T_DURATION;
}

static void report_literal_with_unit(parser *p, ast_duration d)
{
    span const at = range_span(d.text);
    int const length = (int)(at.end - at.begin);
    diag_report *r = diag_at(p->diagnostics, UF0205, d.at, "`%.*s` is a time already, and not a number of %s", length,
                             at.in->text + at.begin, d.unit);
    diag_help(r, "write `%.*s`", length, at.in->text + at.begin);
}

/* `(self->limit) ms` of a `uf_time limit` would be a million times as long. */
static void warn_time_with_unit(parser *p, ast_duration d)
{
    diag_report *r =
        diag_at(p->diagnostics, UF0824, d.at, "this is a `uf_time`, a number of nanoseconds, and not of %s", d.unit);
    span const at = range_span(d.text);
    int const length = (int)(at.end - at.begin);
    if (length < 60 && !memchr(at.in->text + at.begin, '\n', at.end - at.begin))
        diag_help(r, "write `(%.*s) ns`", length, at.in->text + at.begin);
    else diag_help(r, "write `ns` after the parentheses");
}

ast_duration build_computed_duration(parser *p, token_range parens, uint32_t unit)
{
    ast_duration d = {.text = {parens.list, parens.first + 1, parens.end - 1}, .unit = "ms"};
    span const at = token_at(p, unit);
    d.at = span_join(range_span(parens), at);
    if (range_empty(d.text)) {
        diag_report *r =
            diag_at(p->diagnostics, UF0205, range_span(parens), "there is nothing between these parentheses");
        diag_help(r, "a duration is `250us`, `50ms`, `2s`, `1.5s`, `5min`, `1h`, or `(expression) ms`");
        return d;
    }
    for (uint32_t i = d.text.first; i < d.text.end; i++) {
        if (!token_is_directive(d.text.list, i)) continue;
        diag_report *r = diag_at(p->diagnostics, UF0205, token_at(p, i), "a duration cannot depend on a directive");
        diag_help(r, "write the arm or the statement in each branch, or compute the duration before");
        return d;
    }
    for (size_t i = 0; i < TIME_UNITS; i++) {
        if (!token_is(p->tokens, unit, time_units[i].name)) continue;
        d.unit = time_units[i].name;
        if (i > 0 && macro_of_time(d.text)) report_time_with_unit(p, d);
        else if (i > 0 && is_literal(d.text)) report_literal_with_unit(p, d);
        else if (i > 0 && is_known_time(p, d.text)) warn_time_with_unit(p, d);
        return d;
    }
    diag_report *r = diag_at(p->diagnostics, UF0205, at, "`%.*s` is no unit of time", (int)(at.end - at.begin),
                             at.in->text + at.begin);
    diag_help(r, "units are " UNITS);
    return d;
}

/* Reports an unknown unit, as in `5sec`. */
static bool report_unknown_unit(parser *p, span at, uint16_t kind, uint32_t tokens)
{
    const char *const text = at.in->text + at.begin;
    size_t const length = at.end - at.begin;
    size_t const digits = time_number_length(text, length);
    bool const has_radix = length > 1 && text[0] == '0' && strchr("xXbB", text[1]); /* 0x10 has no unit */
    const char *const help = kind == T_NUMBER && tokens == 1 ? time_help(text, length) : NULL;
    if (help) {
        diag_help(diag_at(p->diagnostics, UF0205, at, "`%.*s` is no duration", (int)length, text), "%s", help);
        return true;
    }
    if (kind != T_NUMBER || tokens != 1 || digits == length || has_radix) return false;
    diag_report *r =
        diag_at(p->diagnostics, UF0205, at, "`%.*s` is no unit of time", (int)(length - digits), text + digits);
    diag_help(r, "units are " UNITS);
    return true;
}

/* Is this `->` the arrow of an arm, followed by an outcome, and not part of the operand? */
static bool is_arrow_of_arm(const token_list *list, uint32_t at)
{
    if (at + 2 >= list->count || list->items[at].kind != T_ARROW) return false;
    uint16_t const next = list->items[at + 1].kind, after = list->items[at + 2].kind;
    if (next == T_DONE || next == T_FAIL || next == T_BECOME || next == T_NEXT) return true;
    return kind_is(next, IS_NAME) &&
           (after == T_SEMICOLON || after == T_ELSE || after == T_LPAREN || after == T_RBRACE);
}

token_range range_of_operand(const parser *p, uint32_t first)
{
    const token_list *const list = p->tokens;
    unsigned depth = 0;
    uint32_t at = first;
    for (; at < list->count; at++) {
        uint16_t const kind = list->items[at].kind;
        if (kind == T_SEMICOLON || kind == T_LBRACE || kind == T_RBRACE) break;
        if (kind == T_LPAREN || kind == T_LBRACKET) depth++;
        if ((kind == T_RPAREN || kind == T_RBRACKET) && depth-- == 0) break;
        if (depth > 0 || at == first) continue;
        if (kind == T_COMMA || kind == T_ELSE || kind == T_TIMEOUT) break;
        bool const is_access = token_is(list, at - 1, "flow") || token_is(list, at - 1, "self");
        if (is_arrow_of_arm(list, at) && !is_access) break;
    }
    return (token_range){list, first, at};
}

bool begins_with_time(token_range operand)
{
    for (size_t i = 0; i < TIME_UNITS; i++) {
        if (!range_empty(operand) && token_is(operand.list, operand.first, time_units[i].macro)) return true;
    }
    return false;
}

bool ends_with_unit(token_range operand)
{
    if (operand.end - operand.first < 2 || !kind_is(operand.list->items[operand.end - 1].kind, IS_NAME)) return false;
    span const unit = range_span((token_range){operand.list, operand.end - 1, operand.end});
    if (time_of_unit(unit.in->text + unit.begin, unit.end - unit.begin) == 0) return false;
    uint16_t const before = operand.list->items[operand.end - 2].kind;
    return kind_is(before, IS_NAME) || before == T_NUMBER || before == T_RPAREN || before == T_RBRACKET;
}

/* Says how an expression becomes a duration. */
static void help_with_expression(const parser *p, diag_report *r, token_range text)
{
    span const words = range_span(text);
    bool const is_line = !memchr(words.in->text + words.begin, '\n', words.end - words.begin);
    int const length = is_line && words.end - words.begin < 60 ? (int)(words.end - words.begin) : 0;
    time_guess const guess = guess_time(p, text);
    const char *shown = "expression";
    if (length) shown = arena_printf(p->arena, "%s%.*s", access_of_name(p, text), length, words.in->text + words.begin);
    if (guess == GUESS_TIME) diag_help(r, "write `(%s) ns`: a `uf_time` is in nanoseconds", shown);
    else if (guess == GUESS_UNKNOWN)
        diag_help(r, "for something computed write `(%s) ms`, or `(%s) ns` for a `uf_time`", shown, shown);
    else diag_help(r, "for something computed write `(%s) ms`", shown);
}

/* Reports an expression without the parentheses that a duration needs. */
static ast_duration report_bare_expression(parser *p, token_range operand, ast_duration bad)
{
    const token_list *const list = operand.list;
    bool const has_unit = ends_with_unit(operand);
    bad.at = range_span(operand);
    diag_report *r =
        diag_at(p->diagnostics, UF0205, bad.at, "a duration is a number with a unit, or `(expression) ms`");
    token_range const count = {list, operand.first, operand.end - 1};
    if (macro_of_time(operand)) {
        help_with_macro(r, operand);
    } else if (!has_unit || guess_time(p, count) == GUESS_TIME) {
        help_with_expression(p, r, has_unit ? count : operand);
    } else {
        span const words = range_span(count), unit = token_at(p, operand.end - 1);
        diag_help(r, "for something computed write `(%.*s) %.*s`", (int)(words.end - words.begin),
                  words.in->text + words.begin, (int)(unit.end - unit.begin), unit.in->text + unit.begin);
    }
    return bad;
}

ast_duration build_bad_duration(parser *p, token_range text)
{
    span const at = range_span(text);
    uint16_t const kind = text.list->items[text.first].kind;
    ast_duration const bad = {.text = text, .at = at, .unit = "ms"};
    if (is_explained(p, at) || syntax_is_behind_error(p, text.first)) return bad;
    if (report_unknown_unit(p, at, kind, text.end - text.first)) return bad;
    token_range const operand = range_of_operand(p, text.first);
    if (kind != T_LPAREN && (kind != T_NUMBER || operand.end > text.first + 2))
        return report_bare_expression(p, operand, bad);
    diag_report *r = diag_at(p->diagnostics, UF0205, at, "a duration is a number with a unit, or `(expression) ms`");
    if (kind == T_NUMBER && text.end - text.first == 2)
        diag_help(r, "write number and unit as one word, as in `50ms`; units are " UNITS);
    else if (kind == T_NUMBER) diag_help(r, "units are " UNITS ", as in `50ms`");
    else if (macro_of_time(range_inside(text))) help_with_macro(r, range_inside(text));
    else if (guess_time(p, range_inside(text)) == GUESS_TIME) help_with_expression(p, r, range_inside(text));
    else diag_help(r, "add the unit after the parentheses: ns, us, ms, s, min or h; a condition is `until (…)`");
    return bad;
}
