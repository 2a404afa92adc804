/* SPDX-License-Identifier: MIT */
/* The surroundings of a token: its statement, and the open braces. */
#include <string.h>

#include "brackets.h"
#include "explainer.h"
#include "uflow_parse.h"

static void open_paren(surroundings *s)
{
    if (s->parens < NESTING_LIMIT) s->outer[s->parens++] = s->begin;
}

static void begin_anew(surroundings *s, uint32_t begin)
{
    s->begin = begin;
    s->parens = 0;
}

const surroundings *look_around(parser *p, uint32_t at)
{
    surroundings *const s = &explainer_of(p)->around;
    for (; s->at < at; s->at++) {
        uint16_t const kind = kind_at(p, s->at);
        if (kind == T_LPAREN || kind == T_LBRACKET) open_paren(s);
        if ((kind == T_RPAREN || kind == T_RBRACKET) && s->parens > 0) s->begin = s->outer[--s->parens];
        if (kind == T_SEMICOLON) s->begin = s->at + 1;
        if (kind == T_LBRACE || kind == T_RBRACE || kind == T_BLOCK_TEXT || kind_is(kind, IS_DIRECTIVE))
            begin_anew(s, s->at + 1);
        if (kind == T_LBRACE && s->braces < NESTING_LIMIT) s->openers[s->braces++] = s->at;
        if (kind == T_RBRACE && s->braces > 0) s->braces--;
        if (p->tokens->items[s->at].flags & TOKEN_OPEN_QUOTE) s->open_quote = s->at + 1;
    }
    return s;
}

uint32_t begin_of_part(const parser *p, uint32_t at)
{
    uint32_t first = at;
    while (first > 0 && at - first < STATEMENT_LIMIT && !ends_part(kind_at(p, first - 1))) first--;
    return first;
}

unsigned braces_of_parts(const parser *p)
{
    return (p->flow ? 1u : 0u) + (p->group ? p->group->depth : 0u) + (p->task && !is_in_test(p) ? 1u : 0u);
}

const char *part_around(const parser *p)
{
    return is_in_test(p) ? "test" : p->task ? "task" : "group";
}

bool around_is_in_body(parser *p, uint32_t at)
{
    return look_around(p, at)->braces > braces_of_parts(p);
}

uint32_t around_brace(parser *p, uint32_t at)
{
    const surroundings *const s = look_around(p, at);
    return s->braces > 0 ? s->openers[s->braces - 1] : 0;
}

bool around_is_among_arms(parser *p, uint32_t at)
{
    uint32_t const brace = around_brace(p, at);
    return brace > 0 && kind_at(p, brace - 1) == T_AWAIT;
}

bool around_is_after_if(parser *p, uint32_t at)
{
    return find_kind(p, look_around(p, at)->begin, at, T_IF) < at;
}

uint32_t find_kind(const parser *p, uint32_t first, uint32_t end, uint16_t kind)
{
    while (first < end && kind_at(p, first) != kind) first++;
    return first;
}

span place_behind(const parser *p, uint32_t at)
{
    span const where = token_at(p, at);
    return (span){where.in, where.end, where.end};
}

const char *spelled(parser *p, uint32_t at)
{
    if (at >= p->tokens->count) return "the end of the file";
    span const where = token_at(p, at);
    uint32_t length = where.end - where.begin;
    const char *newline = memchr(where.in->text + where.begin, '\n', length);
    if (newline) length = (uint32_t)(newline - (where.in->text + where.begin));
    if (length > 40) return arena_printf(p->arena, "`%.*s…`", 37, where.in->text + where.begin);
    return arena_printf(p->arena, "`%.*s`", (int)length, where.in->text + where.begin);
}

const char *words_between(parser *p, uint32_t first, uint32_t end)
{
    enum { LONGEST = 60 };
    span const at = range_span((token_range){p->tokens, first, end});
    uint32_t const length = at.end - at.begin;
    if (first >= end || length > LONGEST || memchr(at.in->text + at.begin, '\n', length)) return "";
    return arena_printf(p->arena, "%.*s", (int)length, at.in->text + at.begin);
}

const char *words_or(parser *p, uint32_t first, uint32_t end, const char *otherwise)
{
    const char *const words = words_between(p, first, end);
    return *words ? words : otherwise;
}
