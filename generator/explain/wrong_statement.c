/* SPDX-License-Identifier: MIT */
/* Reports what the builders of statements and intents refuse. */
#include <string.h>

#include "explainer.h"
#include "uflow_parse.h"

/* -- statements ---------------------------------------------------------------------------------------------------- */

void report_pragma(parser *p, token_range where)
{
    span const at = span_join(token_at(p, where.first), token_at(p, where.first + 3));
    diag_report *r = report_at(p, UF0201, at, "a pragma is used here in place of a statement");
    diag_help(r, "put braces around it and the statement that it is about");
}

void report_part_in_body(parser *p, token_range where)
{
    uint16_t const word = kind_at(p, where.first);
    if (word == T_WORKER) {
        report_misplaced_worker(p, where);
        return;
    }
    diag_report *r = report_at(p, UF0208, range_span(where), "a body holds no %s", token_name(word));
    diag_help(r, "end what is open before it with `}`");
}

/* -- intents ------------------------------------------------------------------------------------------------------- */

void report_variable_of_word(parser *p, token_range where)
{
    const char *const word = words_between(p, where.first, where.end);
    bool const is_call = kind_at(p, where.end) == T_LPAREN;
    diag_report *r = report_at(p, UF0202, range_span(where), "`%s` is an intent here", word);
    if (is_call) diag_help(r, "for a function of that name write `(%s)(…)`", word);
    else if (kind_at(p, where.first - 1) == T_ARROW) diag_help(r, "every arm ends with `;`");
    else diag_help(r, "for a variable of that name write `(%s)`", word);
}

/* `fail "%s" reason`: literals, and a text after them without a literal, unless it can be a macro that stands for a
 * literal. If the format takes no value, a statement can follow: on the next line, or a statement of .uflow files. */
static bool report_missing_mark(parser *p, uint32_t word, token_range format)
{
    uint32_t end = format.first;
    bool has_conversion = false;
    for (; end < format.end && (kind_at(p, end) == T_STRING || token_is_format_macro(p->tokens, end)); end++) {
        span const at = token_at(p, end);
        has_conversion = has_conversion || memchr(at.in->text + at.begin, '%', at.end - at.begin);
    }
    if (end == format.first || end == format.end || kind_at(p, end) == T_OPERATOR) return false;
    bool const is_ours = kind_is(kind_at(p, end), ENDS_PATH), may_be_macro = end + 1 == format.end && !is_ours;
    if (!has_conversion && may_be_macro) return false;
    for (uint32_t i = end; i < format.end;) {
        if (kind_at(p, i) == T_STRING) return false;
        uint32_t const after = token_after_brackets(p->tokens, i);
        i = after > i ? after : i + 1;
    }
    bool const is_first = p->tokens->items[end].flags & TOKEN_FIRST_ON_LINE;
    if (!has_conversion && (is_first || is_ours)) {
        report_swallowed(p, range_one(p, end));
        return true;
    }
    const char *const name = words_between(p, word, word + 1);
    diag_report *r = report_at(p, UF0206, place_behind(p, end - 1), "there is no `,` after the format of `%s`", name);
    diag_help(r, "a value follows its format after a comma: `%s %s, %s`%s", name,
              words_or(p, format.first, end, "\"…\""), words_or(p, end, format.end, "value"),
              has_conversion ? "" : ", with a conversion such as %s in the format");
    return true;
}

void report_format(parser *p, token_range all)
{
    uint32_t const word = all.first, first = word + 1;
    token_range const format = {all.list, first, all.end};
    if (report_missing_mark(p, word, format)) return;
    const char *const name = words_between(p, word, first), *const shown = words_or(p, first, format.end, "…");
    diag_report *r = report_at(p, UF0206, range_span(format), "the format of `%s` is a string literal", name);
    bool const has_sign = kind_at(p, first) == T_OPERATOR;
    bool const is_number = kind_at(p, first + has_sign) == T_NUMBER;
    char const conversion = !is_number ? 's' : strchr(shown, '.') ? 'g' : 'd';
    if (kind_at(p, first) == T_LPAREN && kind_at(p, first + 1) == T_STRING) {
        diag_help(r, "write it without parentheses: `%s \"…\", …`", name);
    } else if (format.end == first + 1 && token_is(p->tokens, first, "reason")) {
        diag_help(r,
                  "after `else` write `fail \"%%s\", reason`; elsewhere there is no reason yet: `fail \"…\"` says one");
    } else {
        diag_help(r, "for a %s write `%s \"%%%c\", %s`", is_number ? "number" : "text", name, conversion, shown);
    }
}
