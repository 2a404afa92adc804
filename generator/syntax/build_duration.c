/* SPDX-License-Identifier: MIT */
/* Builds durations. */
#include "ast_build.h"
#include "times.h"
#include "uflow_parse.h"

ast_duration build_duration(parser *p, uint32_t literal)
{
    span const at = token_at(p, literal);
    p->file->tokens.items[literal].flags &= (uint16_t)~TOKEN_TIME;
    return (ast_duration){.text = range_one(p, literal),
                          .at = at,
                          .literal = true,
                          .ns = time_of_literal(at.in->text + at.begin, at.end - at.begin)};
}

const char *macro_of_time(token_range text)
{
    bool const is_call = text.end - text.first >= 4 && token_kind(text.list, text.first + 1) == T_LPAREN &&
                         token_after_brackets(text.list, text.first + 1) == text.end;
    for (size_t i = 0; i < TIME_UNITS && is_call; i++) {
        if (token_is(text.list, text.first, time_units[i].macro)) return time_units[i].name;
    }
    return NULL;
}

ast_duration build_computed_duration(parser *p, token_range parens, uint32_t unit)
{
    span const at = span_join(range_span(parens), token_at(p, unit));
    ast_duration d = {.text = range_inside(parens), .at = at, .unit = "ms"};
    if (refuse_if(p, range_empty(d.text), MISTAKE_DURATION_EMPTY, parens)) return d;
    if (refuse_directives(p, MISTAKE_DURATION_DIRECTIVE, d.text)) return d;
    for (size_t i = 0; i < TIME_UNITS; i++) {
        if (!token_is(p->tokens, unit, time_units[i].name)) continue;
        d.unit = time_units[i].name;
        bool const is_literal = d.text.end == d.text.first + 1 && kind_at(p, d.text.first) == T_DURATION;
        if (i > 0 && (is_literal || macro_of_time(d.text)))
            refuse(p, MISTAKE_DURATION_TWICE, range_of(p, parens.first, unit));
        return d;
    }
    refuse(p, MISTAKE_UNIT, range_one(p, unit));
    return d;
}

ast_duration build_bad_duration(parser *p, token_range text)
{
    refuse(p, MISTAKE_DURATION, text);
    return (ast_duration){.text = text, .at = range_span(text), .unit = "ms"};
}
