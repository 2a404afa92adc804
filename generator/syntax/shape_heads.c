/* Heads of flows, tasks, steps and workers with something missing: what they begin is read all the same. */
#include <string.h>

#include "shape_state.h"
#include "uflow_parse.h"

#define HEAD_LIMIT 200u /* no head has more tokens */

static bool is_first_on_line(const shape *s, uint32_t at)
{
    return at < s->in.count && (s->in.items[at].flags & TOKEN_FIRST_ON_LINE);
}

static bool is_of_type(const shape *s, uint32_t at)
{
    uint16_t const kind = shape_kind(s, at);
    if (kind == T_STEP || kind == T_ON || kind == T_TASK || kind == T_FOREVER || kind == T_SHUTDOWN) return false;
    return kind_is(kind, IS_NAME) || kind == T_TAG || token_is(&s->in, at, "*");
}

/* Behind the type of a task's result, which may go on in lines of its own if a `{` ends it. */
static uint32_t behind_result(const shape *s, uint32_t at)
{
    if (shape_kind(s, at) != T_ARROW) return at;
    uint32_t const first = at + 1;
    uint32_t line = NOWHERE; /* the first in a line of its own */
    for (at = first; at < s->in.count; at++) {
        uint16_t const kind = shape_kind(s, at);
        if (kind == T_LBRACE && at > first) return at;
        if (kind == T_LBRACE || kind == T_RBRACE || kind == T_SEMICOLON) break;
        if (line == NOWHERE && is_first_on_line(s, at)) line = at;
        if (line != NOWHERE && !is_of_type(s, at)) break;
    }
    return line == NOWHERE ? at : line;
}

/* What ends the head: a `{`, or what comes instead; 0: nothing does. *balanced: its parentheses are. */
static uint16_t end_of_head(const shape *s, uint32_t at, bool *balanced)
{
    int depth = 0;
    *balanced = true;
    for (uint32_t i = at; i < at + HEAD_LIMIT && i < s->in.count; i++) {
        uint16_t const kind = shape_kind(s, i);
        if (kind == T_LPAREN) depth++;
        if (kind == T_RPAREN && --depth < 0) *balanced = false;
        if (kind != T_LBRACE && kind != T_RBRACE && kind != T_SEMICOLON) continue;
        if (depth != 0) *balanced = false;
        return kind;
    }
    return 0;
}

static void put_before(shape *s, uint32_t at, uint16_t kind, uint32_t name, const char *help)
{
    uint32_t const offset = s->in.items[at - 1].end;
    const token *t = &s->in.items[name];
    diag_report *r = diag_at(s->diagnostics, UF0201, (span){s->in.in, offset, offset}, "there is no `%s` after `%.*s`",
                             kind == T_LBRACE ? "{" : "(", (int)(t->end - t->begin), s->in.in->text + t->begin);
    diag_help(r, "%s", help);
    s->missing_before = at;
    s->missing = kind;
}

static void lacks_brace(shape *s, uint32_t at, uint32_t name)
{
    put_before(s, at, T_LBRACE, name, "write it here; its `}` is below");
}

/* Words that no head goes on with. */
static bool begins_statement(uint16_t kind)
{
    return kind == T_AWAIT || kind == T_NEXT || kind == T_DONE || kind == T_FAIL || kind == T_STAY ||
           kind == T_BECOME || kind == T_SUBMIT || kind == T_IF || kind == T_WHILE || kind == T_FOR || kind == T_DO ||
           kind == T_SWITCH || kind == T_RETURN;
}

/* Has the body no `{`? Then one will be put in there. */
static void expect_brace(shape *s, uint32_t at, uint32_t name, bool anything_may_follow)
{
    if (shape_kind(s, at) == T_LBRACE || shape_kind(s, at) == T_SEMICOLON || shape_kind(s, at) == T_LPAREN) return;
    bool balanced;
    uint16_t const end = end_of_head(s, at, &balanced);
    uint16_t const kind = shape_kind(s, at);
    bool const is_inner = (s->pending == ROLE_TASK && (kind == T_STEP || kind == T_ON)) ||
                          (s->pending == ROLE_FLOW && (kind == T_TASK || kind == T_FOREVER || kind == T_ON));
    bool const is_statement = s->pending == ROLE_BRACKET && begins_statement(kind);
    bool const lacks = is_inner || is_statement || is_first_on_line(s, at) || at >= s->in.count ||
                       (anything_may_follow && balanced && end != T_LBRACE);
    if (!lacks) return;
    lacks_brace(s, at, name);
}

void shape_begin_head(shape *s, uint32_t name, role body)
{
    uint32_t const behind = shape_behind_params(s, name + 1);
    s->pending = body;
    s->in_head = true;
    s->head_depth = s->depth;
    expect_brace(s, body == ROLE_TASK ? behind_result(s, behind) : behind, name, body == ROLE_BRACKET);
}

bool shape_is_broken_head(const shape *s, uint32_t word)
{
    if (!kind_is(shape_kind(s, word + 1), IS_NAME)) return false;
    uint32_t const behind = shape_behind_params(s, word + 2);
    if (shape_kind(s, behind) == T_SEMICOLON) return false;
    if (is_first_on_line(s, behind)) return true;
    bool balanced;
    uint16_t const end = end_of_head(s, behind, &balanced);
    if (end == T_LBRACE) return true;
    return end != 0 && balanced && shape_kind(s, word) == T_STEP;
}

/* An outcome, and no member of what stands before the `->`? */
static bool begins_outcome(const shape *s, uint32_t at)
{
    uint16_t const kind = shape_kind(s, at), after = shape_kind(s, at + 1);
    if (!kind_is(kind, IS_NAME)) return false;
    if (after == T_SEMICOLON || after == T_ELSE) return true;
    return (kind == T_DONE || kind == T_FAIL || kind == T_BECOME) &&
           (kind_is(after, IS_NAME) || after == T_STRING || after == T_NUMBER);
}

bool shape_begins_arm(const shape *s, uint32_t at, bool surely)
{
    uint16_t const kind = shape_kind(s, at), after = shape_kind(s, at + 1);
    uint32_t const behind = after == T_LPAREN ? shape_behind_params(s, at + 1) : at + 1;
    uint16_t const then = shape_kind(s, behind);
    switch (kind) {
    case T_TIMEOUT:
        if (after == T_DURATION) return true;
        if (surely) return behind > at + 1 && kind_is(then, IS_NAME) && shape_kind(s, behind + 1) == T_ARROW;
        return after == T_LPAREN && shape_kind(s, at + 2) != T_RPAREN;
    case T_UNTIL:
    case T_ALL:
    case T_IDLE:
    case T_FIRED:
    case T_ARRIVED:
    case T_READABLE:
    case T_WRITABLE:
        if (behind == at + 1) return false;
        return then == T_FOR || (then == T_ARROW && (!surely || begins_outcome(s, behind + 1)));
    case T_RUN: return kind_is(after, IS_NAME) && shape_kind(s, at + 2) == T_DOT;
    case T_DURATION: return after == T_ARROW;
    case T_STOPPING:
    case T_IDENT:
        return !surely && after == T_ARROW && shape_kind(s, at + 2) == T_IDENT && shape_kind(s, at + 3) == T_SEMICOLON;
    default: return false;
    }
}

void shape_expect_arms(shape *s)
{
    uint32_t const first = s->next + 1;
    if (shape_kind(s, first) == T_LBRACE) return;
    uint32_t end = first;
    while (end < first + HEAD_LIMIT && end < s->in.count && shape_kind(s, end) != T_SEMICOLON &&
           shape_kind(s, end) != T_LBRACE && shape_kind(s, end) != T_RBRACE)
        end++;
    if (shape_kind(s, end) != T_SEMICOLON || !shape_begins_arm(s, end + 1, false)) return;
    lacks_brace(s, first, s->next);
}

void shape_expect_clauses(shape *s)
{
    uint32_t const first = s->next + 1;
    if (shape_kind(s, first) == T_LPAREN) return;
    unsigned semicolons = 0, depth = 0;
    for (uint32_t at = first; at < first + HEAD_LIMIT && at < s->in.count; at++) {
        uint16_t const kind = shape_kind(s, at);
        if (kind == T_LBRACE || kind == T_RBRACE) return;
        if (kind == T_SEMICOLON && ++semicolons > 2) return;
        if (kind == T_LPAREN) depth++;
        if (kind == T_RPAREN && depth-- == 0) {
            if (semicolons == 2) put_before(s, first, T_LPAREN, s->next, "write it here; its `)` is there");
            return;
        }
    }
}

void shape_add_missing(shape *s, uint16_t kind, const char *word)
{
    const token *t = &s->in.items[s->next];
    int const length = (int)(t->end - t->begin);
    const char *text = s->in.in->text + t->begin;
    diag_report *r =
        diag_at(s->diagnostics, UF0201, shape_place(s, t), "there is no `%s` before `%.*s`", word, length, text);
    diag_help(r, "write `%s %.*s`", word, length, text);
    shape_put_missing(s, kind);
}

uint16_t shape_missing_word(shape *s, level where)
{
    static const struct {
        uint16_t kind;
        const char *word;
    } words[] = {{T_FLOW, "flow"}, {T_TASK, "task"}, {T_STEP, "step"}};
    uint32_t const behind = shape_behind_params(s, s->next + 1);
    bool balanced;
    bool const has_body =
        shape_kind(s, behind) == T_LBRACE ||
        (where == LEVEL_FLOW && shape_kind(s, behind) == T_ARROW && end_of_head(s, behind, &balanced) == T_LBRACE);
    if (where == LEVEL_INSIDE || !has_body) return 0;
    shape_add_missing(s, words[where].kind, words[where].word);
    return words[where].kind;
}
