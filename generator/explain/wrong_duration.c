/* SPDX-License-Identifier: MIT */
/* Reports texts that are no durations. */
#include <string.h>

#include "explainer.h"
#include "times.h"
#include "uflow_parse.h"

/* Suggests `3ms` for `UF_MS(3)`, and `(n) ms` for `UF_MS(n)`. */
static void help_with_macro(parser *p, diag_report *r, token_range text)
{
    const char *const count = words_or(p, text.first + 2, text.end - 1, "expression");
    bool const is_literal = time_number_length(count, strlen(count)) == strlen(count);
    diag_help(r, is_literal ? "write `%s%s`" : "write `(%s) %s`", count, macro_of_time(text));
}

/* `(UF_MS(3)) ms` would be three million milliseconds. */
void report_time_with_unit(parser *p, token_range where)
{
    token_range const text = {where.list, where.first + 1, where.end - 2};
    const char *const unit = words_between(p, where.end - 1, where.end), *const time = spelled(p, text.first);
    if (macro_of_time(text)) {
        diag_report *r = report_at(p, UF0205, range_span(where), "`%s(…)` is a number of nanoseconds, and not of %s",
                                   words_between(p, text.first, text.first + 1), unit);
        help_with_macro(p, r, text);
    } else {
        diag_report *r =
            report_at(p, UF0205, range_span(where), "%s is a time already, and not a number of %s", time, unit);
        diag_help(r, "write %s", time);
    }
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
        diag_help(report_at(p, UF0205, at, "`%.*s` is no duration", (int)length, text), "%s", help);
        return true;
    }
    if (kind != T_NUMBER || tokens != 1 || digits == length || has_radix) return false;
    diag_report *r = report_at(p, UF0205, at, "`%.*s` is no unit of time", (int)(length - digits), text + digits);
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
        bool const is_access = token_is_one_of(list, at - 1, "flow self");
        if (is_arrow_of_arm(list, at) && !is_access) break;
    }
    return (token_range){list, first, at};
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
static void help_with_expression(parser *p, diag_report *r, token_range text)
{
    const char *const words = words_between(p, text.first, text.end);
    const char *const shown = *words ? TEXT("%s%s", access_of_name(PLACE(p), text), words) : "expression";
    time_guess const guess = guess_time(PLACE(p), text);
    if (guess == GUESS_TIME) diag_help(r, "write `(%s) ns`: a `uf_time` is in nanoseconds", shown);
    else if (guess == GUESS_UNKNOWN)
        diag_help(r, "for something computed write `(%s) ms`, or `(%s) ns` for a `uf_time`", shown, shown);
    else diag_help(r, "for something computed write `(%s) ms`", shown);
}

/* Reports an expression without the parentheses that a duration needs. */
static void report_bare_expression(parser *p, token_range operand)
{
    const token_list *const list = operand.list;
    bool const has_unit = ends_with_unit(operand);
    diag_report *r =
        report_at(p, UF0205, range_span(operand), "a duration is a number with a unit, or `(expression) ms`");
    token_range const count = {list, operand.first, operand.end - 1};
    if (token_is(list, operand.first, "real") && operand.end > operand.first + 1) {
        diag_help(
            r,
            "`timeout real` is an arm of an await, and `on timeout real` a handler; the timeout of a `submit` is real "
            "time in any case");
    } else if (macro_of_time(operand)) {
        help_with_macro(p, r, operand);
    } else if (!has_unit || guess_time(PLACE(p), count) == GUESS_TIME) {
        help_with_expression(p, r, has_unit ? count : operand);
    } else {
        diag_help(r, "for something computed write `(%s) %s`", words_or(p, count.first, count.end, "expression"),
                  words_between(p, count.end, operand.end));
    }
}

void report_duration(parser *p, token_range text)
{
    span const at = range_span(text);
    uint16_t const kind = text.list->items[text.first].kind;
    if (report_unknown_unit(p, at, kind, text.end - text.first)) return;
    token_range const operand = range_of_operand(p, text.first);
    if (kind != T_LPAREN && (kind != T_NUMBER || operand.end > text.first + 2)) {
        report_bare_expression(p, operand);
        return;
    }
    diag_report *r = report_at(p, UF0205, at, "a duration is a number with a unit, or `(expression) ms`");
    if (kind == T_NUMBER && text.end - text.first == 2)
        diag_help(r, "write number and unit as one word, as in `50ms`; units are " UNITS);
    else if (kind == T_NUMBER) diag_help(r, "units are " UNITS ", as in `50ms`");
    else if (macro_of_time(range_inside(text))) help_with_macro(p, r, range_inside(text));
    else if (guess_time(PLACE(p), range_inside(text)) == GUESS_TIME) help_with_expression(p, r, range_inside(text));
    else diag_help(r, "add the unit after the parentheses: ns, us, ms, s, min or h; a condition is `until (…)`");
}
