/* Reports what the builders of statements and intents refuse. */
#include <string.h>

#include "explainer.h"
#include "uflow_parse.h"

/* -- statements ---------------------------------------------------------------------------------------------------- */

void report_too_deep(parser *p, token_range where)
{
    diag_report *r = diag_at(p->diagnostics, UF0108, range_span(where), "statements are nested more than %u deep here",
                             NESTING_LIMIT);
    diag_help(r, "move what is inside into functions");
}

void report_arms(parser *p, token_range where)
{
    uint32_t const brace = where.first;
    if (!syntax_is_boundary(p, brace)) {
        diag_report *r =
            diag_at(p->diagnostics, UF0507, token_at(p, brace - 1), "%s is no intent", spelled(p, brace - 1));
        diag_help(r, "did you mean `await`?");
    } else {
        report_missing_word(p, brace, T_AWAIT);
    }
}

void report_function_in_body(parser *p, token_range where)
{
    diag_report *r = diag_at(p->diagnostics, UF0519, range_span(where), "a function is defined in this body");
    diag_help(r, "define it in `source { … }`");
}

void report_pragma(parser *p, token_range where)
{
    span const at = span_join(token_at(p, where.first), token_at(p, where.first + 3));
    diag_report *r = diag_at(p->diagnostics, UF0201, at, "a pragma is used here in place of a statement");
    diag_help(r, "put braces around it and the statement that it is about");
}

void report_part_in_body(parser *p, token_range where)
{
    uint16_t const word = kind_at(p, where.first);
    if (word == T_WORKER) {
        report_misplaced_worker(p, where);
        return;
    }
    diag_report *r = diag_at(p->diagnostics, UF0208, range_span(where), "a body holds no %s", token_name(word));
    diag_help(r, "end what is open before it with `}`");
}

/* -- intents ------------------------------------------------------------------------------------------------------- */

void report_next_after_arrow(parser *p, token_range where)
{
    diag_report *r = diag_at(p->diagnostics, UF0211, range_span(where), "there is no `next` after `->` and `else`");
    diag_help(r, "write the step alone: %s", spelled(p, where.end));
}

void report_variable_of_word(parser *p, token_range where)
{
    const char *const word = words_between(p, where.first, where.end);
    bool const is_call = kind_at(p, where.end) == T_LPAREN;
    diag_report *r = diag_at(p->diagnostics, UF0202, range_span(where), "`%s` is an intent here", word);
    if (is_call) diag_help(r, "for a function of that name write `(%s)(…)`", word);
    else if (kind_at(p, where.first - 1) == T_ARROW) diag_help(r, "every arm ends with `;`");
    else diag_help(r, "for a variable of that name write `(%s)`", word);
}

/* `fail "%s" reason`: literals, and a text after them without a literal, unless it can be a macro that stands for a
 * literal. If the format takes no value, a statement can follow: on the next line, or a statement of .uflow files. */
static bool report_missing_mark(parser *p, uint32_t word, token_range format)
{
    enum { LONGEST = 60 };
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
    span const at = token_at(p, word), last = token_at(p, end - 1), all = range_span(format);
    int const length = (int)(at.end - at.begin);
    const char *const text = at.in->text, *const name = text + at.begin;
    diag_report *r = diag_at(p->diagnostics, UF0206, (span){last.in, last.end, last.end},
                             "there is no `,` after the format of `%.*s`", length, name);
    const char *const hint = has_conversion ? "" : ", with a conversion such as %s in the format";
    if (all.end - all.begin > LONGEST || memchr(text + all.begin, '\n', all.end - all.begin)) {
        diag_help(r, "a value follows its format after a comma: `%.*s \"…\", value`%s", length, name, hint);
        return true;
    }
    uint32_t const rest = token_at(p, end).begin;
    diag_help(r, "a value follows its format after a comma: `%.*s %.*s, %.*s`%s", length, name,
              (int)(last.end - all.begin), text + all.begin, (int)(all.end - rest), text + rest, hint);
    return true;
}

void report_directive_in_format(parser *p, token_range where)
{
    diag_report *r = diag_at(p->diagnostics, UF0206, range_span(where), "a format cannot depend on a directive");
    diag_help(r, "write the whole statement in each branch, or make what differs an argument of the format");
}

void report_format(parser *p, token_range all)
{
    uint32_t const word = all.first;
    token_range const format = {all.list, word + 1, all.end};
    span const at = token_at(p, word);
    if (report_missing_mark(p, word, format)) return;
    int const length = (int)(at.end - at.begin);
    const char *text = at.in->text + at.begin;
    span const where = range_span(format);
    diag_report *r = diag_at(p->diagnostics, UF0206, where, "the format of `%.*s` is a string literal", length, text);
    bool const has_sign = format.end - format.first > 1 && p->tokens->items[format.first].kind == T_OPERATOR;
    bool const is_number = p->tokens->items[format.first + has_sign].kind == T_NUMBER;
    const char *const what = is_number ? "number" : "text";
    char const conversion = !is_number                                                           ? 's'
                            : memchr(where.in->text + where.begin, '.', where.end - where.begin) ? 'g'
                                                                                                 : 'd';
    bool const in_parens = p->tokens->items[format.first].kind == T_LPAREN && format.end - format.first > 2;
    if (in_parens && p->tokens->items[format.first + 1].kind == T_STRING) {
        diag_help(r, "write it without parentheses: `%.*s \"…\", …`", length, text);
    } else if (format.end - format.first == 1 && token_is(p->tokens, format.first, "reason")) {
        diag_help(r,
                  "after `else` write `fail \"%%s\", reason`; elsewhere there is no reason yet: `fail \"…\"` says one");
    } else if (where.end - where.begin < 60 && !memchr(where.in->text + where.begin, '\n', where.end - where.begin)) {
        diag_help(r, "for a %s write `%.*s \"%%%c\", %.*s`", what, length, text, conversion,
                  (int)(where.end - where.begin), where.in->text + where.begin);
    } else {
        diag_help(r, "for a %s write `%.*s \"%%%c\", …`", what, length, text, conversion);
    }
}
