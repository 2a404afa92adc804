/* SPDX-License-Identifier: MIT */
/* Builds intents and targets. */
#include <string.h>

#include "ast_build.h"
#include "uflow_parse.h"
#include "words.h"

/* The place behind a name, for arguments that are left out. */
static span behind(span name)
{
    return (span){name.in, name.end, name.end};
}

ast_outcome *build_outcome(parser *p, outcome_kind kind, uint32_t word)
{
    ast_outcome *o = ARENA_NEW(p->arena, ast_outcome);
    o->kind = kind;
    o->at = token_at(p, word);
    return o;
}

ast_outcome *build_go(parser *p, outcome_kind kind, uint32_t word, uint32_t target, ast_args args)
{
    ast_outcome *o = build_outcome(p, kind, word);
    o->target = build_ident(p, target);
    o->args = args;
    if (!args.at.in) o->args.at = behind(o->target.at);
    o->at = span_join(o->at, o->args.at);
    return o;
}

/* Refuses a word that was meant as a variable, as in `done = 1;` or `fail += x;`. Returns false for an intent. */
static bool is_variable(parser *p, uint32_t word, token_range value)
{
    if (range_empty(value) || p->tokens->items[value.first].kind != T_OPERATOR) return false;
    bool const has_more = value.end - value.first > 1;
    if (has_more && token_is_one_of(p->tokens, value.first, "++ -- + - ! ~ * & &&")) return false;
    refuse(p, MISTAKE_VARIABLE, range_one(p, word));
    return true;
}

/* Is the text an intent, which C cannot parse? Two operands are adjacent: `next Foo`, `await (n) ms -> Foo`. */
static bool holds_intent(const parser *p, token_range text)
{
    const token *const first = &p->tokens->items[text.first];
    if (text.end - text.first < 2) return false;
    uint16_t const second = first[1].kind;
    if (second != T_LPAREN && syntax_begins_arm(p->tokens, text.first)) return true; /* `room(q)->left` is C */
    if (!kind_is(first->kind, IS_INTENT)) return false;
    if (kind_is(second, IS_NAME) || second == T_LBRACE || second == T_DURATION || second == T_STRING) return true;
    for (uint32_t i = text.first + 1; second == T_LPAREN && i + 1 < text.end; i++) {
        if (p->tokens->items[i].kind == T_RPAREN && kind_is(p->tokens->items[i + 1].kind, IS_NAME)) return true;
    }
    return false;
}

uint32_t find_swallowed_intent(const parser *p, token_range text)
{
    for (uint32_t i = text.first + 1; i < text.end; i++) {
        const token *const t = &p->tokens->items[i];
        if (!(t->flags & TOKEN_FIRST_ON_LINE) || !kind_is(t->kind, IS_INTENT) || !ends_operand(t[-1].kind)) continue;
        /* After a cast or `sizeof`, the word can be a variable. */
        uint32_t const open = t[-1].kind == T_RPAREN ? opening_bracket(text, i - 1) : text.first;
        if (open > text.first && token_has(p->tokens, open - 1, IS_CONDITION)) continue;
        bool const may_be_operand = t[-1].kind == T_RPAREN || (t[-1].flags & TOKEN_WORDS_OF_C);
        uint16_t const after = i + 1 < text.end ? t[1].kind : 0;
        bool const has_operand =
            kind_is(after, IS_NAME) || after == T_STRING || after == T_DURATION || after == T_LBRACE;
        if (!may_be_operand || has_operand) return i;
    }
    return text.end;
}

/* Does a line begin there, or the next argument? */
static bool is_apart(const parser *p, uint32_t at)
{
    return (p->tokens->items[at].flags & TOKEN_FIRST_ON_LINE) || (at > 0 && kind_at(p, at - 1) == T_COMMA);
}

/* `done` or `fail "busy"`, and on the next line `stopping -> Step`: returns the arm; the end if there is none. In C,
 * the first text may begin a line with `x->y`. */
static uint32_t find_swallowed_arm(const parser *p, token_range text, bool may_be_first)
{
    for (uint32_t i = text.first; i < text.end; i++) {
        const token *const t = &p->tokens->items[i];
        bool const is_name = kind_is(t->kind, IS_NAME);
        if (!(t->flags & TOKEN_FIRST_ON_LINE) || (!is_name && t->kind != T_DURATION)) continue;
        if (i == text.first ? !may_be_first : !ends_operand(t[-1].kind) || t[-1].kind == T_RPAREN) continue;
        uint32_t const next = i + 1 < text.end && kind_at(p, i + 1) == T_DURATION ? i + 2 : i + 1;
        uint32_t const after = kind_at(p, next) == T_LPAREN ? token_after_brackets(p->tokens, next) : next;
        if (after < text.end && kind_at(p, after) == T_ARROW) return i;
    }
    return text.end;
}

/* Cuts off an intent, arm or part that a missing `;` made part of `text`, and refuses it. */
static bool end_before_swallowed(parser *p, token_range *text, bool may_be_arm)
{
    uint32_t const part = p->step ? text->end : syntax_swallowed_part(p, text->first - 1, text->end);
    if (part < text->end) {
        refuse(p, MISTAKE_SWALLOWED_PART, range_one(p, part));
        text->end = part;
        return true;
    }
    bool const is_first = is_apart(p, text->first) && holds_intent(p, *text);
    uint32_t found = is_first ? text->first : find_swallowed_intent(p, *text);
    if (found == text->end) found = find_swallowed_arm(p, *text, may_be_arm);
    if (found == text->end) return false;
    refuse(p, MISTAKE_SWALLOWED, range_one(p, found));
    text->end = found;
    return true;
}

/* Cuts off an intent that a missing `;` made part of a format's arguments. */
static ast_args end_format(parser *p, ast_args format)
{
    for (uint32_t i = 0; i < format.count; i++) {
        if (end_before_swallowed(p, &format.items[i], i == 0)) format.count = range_empty(format.items[i]) ? i : i + 1;
    }
    return format;
}

ast_outcome *build_done(parser *p, uint32_t word, token_range value)
{
    ast_outcome *o = build_outcome(p, OUTCOME_DONE, word);
    if (range_empty(value) || is_variable(p, word, value)) return o;
    bool const is_bare = p->task && range_empty(p->task->result);
    if (end_before_swallowed(p, &value, is_bare) && range_empty(value)) return o;
    if (is_bare && kind_is(kind_at(p, value.first), ENDS_PATH)) { /* `done stay;` */
        refuse(p, MISTAKE_SWALLOWED, range_one(p, value.first));
        return o;
    }
    o->value = value;
    o->at = span_join(o->at, range_span(value));
    return o;
}

/* Checks that a format is a literal. Returns false after refusing it. */
static bool check_format(parser *p, uint32_t word, token_range format)
{
    bool is_literal = kind_at(p, format.first) == T_STRING;
    if (refuse_directives(p, MISTAKE_FORMAT_DIRECTIVE, format)) return false;
    for (uint32_t i = format.first; i < format.end; i++)
        is_literal = is_literal && (kind_at(p, i) == T_STRING || token_is_format_macro(p->tokens, i));
    if (!is_literal && !is_variable(p, word, format)) refuse(p, MISTAKE_FORMAT, range_join(range_one(p, word), format));
    return is_literal;
}

/* Returns the arguments after the format. */
static ast_args arguments_of(ast_args format)
{
    span const last = range_span(format.items[format.count - 1]);
    ast_args args = {format.items + 1, format.count - 1, behind(last)};
    if (args.count) args.at = span_join(range_span(args.items[0]), last);
    return args;
}

ast_outcome *build_fail(parser *p, uint32_t word, ast_args format)
{
    ast_outcome *o = build_outcome(p, OUTCOME_FAIL, word);
    o->args.at = behind(o->at);
    format = end_format(p, format);
    if (format.count == 0) return o;
    o->at = span_join(o->at, range_span(format.items[format.count - 1]));
    if (!check_format(p, word, format.items[0])) return o;
    o->value = format.items[0];
    o->args = arguments_of(format);
    return o;
}

ast_statement *build_outcome_statement(parser *p, uint32_t word, ast_outcome *outcome, uint32_t end)
{
    ast_statement *s = new_statement(p, STATEMENT_OUTCOME, word, end);
    s->outcome = outcome;
    return s;
}

ast_statement *build_stay(parser *p, uint32_t word, ast_duration every, ast_duration timeout, ast_outcome *outcome,
                          uint32_t end)
{
    ast_statement *s = new_statement(p, STATEMENT_STAY, word, end);
    ast_operands *const operands = s->operands = ARENA_NEW(p->arena, ast_operands);
    operands->every = every;
    operands->timeout = timeout;
    s->outcome = outcome;
    return s;
}

ast_statement *build_done_statement(parser *p, uint32_t word, token_range value, uint32_t end)
{
    if (is_variable(p, word, value)) return new_statement(p, STATEMENT_TEXT, word, end);
    return build_outcome_statement(p, word, build_done(p, word, value), end);
}

ast_statement *build_fail_statement(parser *p, uint32_t word, ast_args format, uint32_t end)
{
    if (format.count > 0 && is_variable(p, word, format.items[0])) return new_statement(p, STATEMENT_TEXT, word, end);
    return build_outcome_statement(p, word, build_fail(p, word, format), end);
}

ast_statement *build_describe(parser *p, uint32_t word, ast_args format, uint32_t end)
{
    ast_statement *s = new_statement(p, STATEMENT_DESCRIBE, word, end);
    format = end_format(p, format);
    if (format.count == 0 || !check_format(p, word, format.items[0])) {
        s->kind = STATEMENT_TEXT;
        return s;
    }
    ast_operands *const operands = s->operands = ARENA_NEW(p->arena, ast_operands);
    operands->format = format.items[0];
    operands->args = arguments_of(format);
    return s;
}

ast_statement *build_submit(parser *p, uint32_t word, uint32_t job, token_range brackets, ast_args args,
                            ast_duration timeout, uint32_t end)
{
    ast_statement *s = new_statement(p, STATEMENT_SUBMIT, word, end);
    ast_operands *const operands = s->operands = ARENA_NEW(p->arena, ast_operands);
    operands->name = build_ident(p, job);
    operands->index = index_between(p, brackets);
    operands->args = args;
    if (!args.at.in) operands->args.at = behind(operands->name.at);
    operands->timeout = timeout;
    return s;
}

ast_statement *build_spawn(parser *p, uint32_t word, uint32_t pool, uint32_t task, ast_args args,
                           ast_outcome *otherwise, uint32_t end)
{
    ast_statement *s = new_statement(p, STATEMENT_SPAWN, word, end);
    ast_operands *const operands = s->operands = ARENA_NEW(p->arena, ast_operands);
    operands->name = build_ident(p, pool);
    operands->task_name = build_ident(p, task);
    operands->args = args;
    s->outcome = otherwise;
    return s;
}
