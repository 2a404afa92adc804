/* SPDX-License-Identifier: MIT */
/* Balances brackets. A word that begins a flow, a task or a step at the wrong depth shows which bracket is missing. */
#include <string.h>

#include "bracket_state.h"
#include "uflow_parse.h"

level balance_level(const balance *b)
{
    level const top = b->depth > 0 ? b->open[b->depth - 1].level : LEVEL_FILE;
    return top == LEVEL_BRANCH ? LEVEL_INSIDE : top;
}

uint16_t balance_kind(const balance *b, uint32_t at)
{
    return at < b->in.count ? b->in.items[at].kind : 0;
}

bool ends_part(uint16_t kind)
{
    return kind == T_SEMICOLON || kind == T_RBRACE || kind == T_LBRACE || kind == T_BLOCK_TEXT;
}

bool balance_at_boundary(const balance *b)
{
    uint16_t const before = b->out.count > 0 ? b->out.items[b->out.count - 1].kind : T_SEMICOLON;
    return ends_part(before) || before == T_FOREVER || before == T_SHUTDOWN || before == T_DURABLE ||
           kind_is(before, IS_DIRECTIVE);
}

span balance_place(const balance *b, const token *t)
{
    return (span){b->in.in, t->begin, t->end};
}

uint32_t balance_indentation(const balance *b, const token *t)
{
    const source *const in = b->in.in;
    uint32_t const begin = in->lines[source_line(in, t->begin) - 1];
    uint32_t end = begin;
    while (in->text[end] == ' ' || in->text[end] == '\t') end++;
    return end - begin;
}

bool balance_is_indented(const balance *b, const token *t)
{
    if (b->depth == 0) return false;
    if (!(t->flags & TOKEN_FIRST_ON_LINE)) return true;
    return balance_indentation(b, t) > balance_indentation(b, &b->out.items[b->open[b->depth - 1].at]);
}

/* -- the output list ----------------------------------------------------------------------------------------------- */

void balance_put(balance *b, token t)
{
    b->out.items = arena_reserve(b->arena, b->out.items, &b->capacity, (size_t)b->out.count + 1, sizeof *b->out.items);
    b->out.items[b->out.count++] = t;
}

/* The likely place of missing closing parentheses, so that the next statements are read as such. It is before the next
 * `;` or, for `if (...)` and similar heads, before the block. */
static uint32_t likely_end(const balance *b, uint32_t opener_at, uint32_t outermost_at)
{
    uint16_t const before = outermost_at > 0 ? b->out.items[outermost_at - 1].kind : 0;
    bool const is_head = before == T_IF || before == T_WHILE || before == T_SWITCH || before == T_FOR;
    unsigned depth = 0;
    for (uint32_t i = opener_at + 1; i < b->out.count; i++) {
        uint16_t const kind = b->out.items[i].kind;
        if (depth == 0 && ((kind == T_SEMICOLON && before != T_FOR) || (kind == T_LBRACE && is_head))) return i;
        if (kind_is(kind, OPENS_BRACKET)) depth++;
        if (kind_is(kind, CLOSES_BRACKET) && depth > 0) depth--;
    }
    return b->out.count;
}

static bool is_paren(const balance *b, unsigned depth)
{
    uint16_t const kind = b->out.items[b->open[depth].at].kind;
    return kind == T_LPAREN || kind == T_LBRACKET;
}

/* Adds closers for the innermost opener, down to a depth. Closes all of directly nested parentheses. */
void balance_add_closing(balance *b, unsigned down_to)
{
    uint32_t const innermost = b->open[b->depth - 1].at;
    unsigned count = 1;
    uint32_t at = b->out.count;
    if (is_paren(b, b->depth - 1)) {
        while (b->depth - count > down_to && is_paren(b, b->depth - count - 1)) count++;
        at = likely_end(b, innermost, b->open[b->depth - count].at);
    }
    for (unsigned i = 0; i < count; i++) balance_put(b, (token){0});
    memmove(&b->out.items[at + count], &b->out.items[at], (b->out.count - count - at) * sizeof(token));
    bool const at_end = b->next >= b->in.count && at + count == b->out.count;
    uint32_t const offset = at_end ? b->in.in->size : at > 0 ? b->out.items[at - 1].end : 0;
    for (unsigned i = 0; i < count; i++) {
        uint16_t const kind = b->out.items[b->open[--b->depth].at].kind;
        b->out.items[at + i] = (token){token_partner(kind), TOKEN_SYNTHETIC, offset, offset};
    }
}

static void report_never_closed(balance *b, const opener *o)
{
    if (b->quiet || b->forgive) return;
    /* An unterminated string may contain the closer. */
    if (b->open_quote > o->at) return;
    uint16_t const kind = b->out.items[o->at].kind;
    bool const out_of_line = kind == T_LBRACE && b->suspect > o->at;
    span const where = token_span(&b->out, out_of_line ? b->suspect : o->at);
    diag_report *r = report_at(b, UF0105, where, "this `%s` is never closed", token_name(kind));
    diag_help(r, "end it with `%s`", token_name(token_partner(kind)));
}

void balance_close_down_to(balance *b, unsigned depth)
{
    if (b->depth <= depth) return;
    report_never_closed(b, &b->open[b->depth - 1]);
    while (b->depth > depth) balance_add_closing(b, depth);
    b->suspect = 0;
}

void balance_open(balance *b, token t, level as)
{
    if (b->depth == NESTING_LIMIT) {
        diag_report *r = report_at(b, UF0108, balance_place(b, &t), "this is nested more than %u deep", NESTING_LIMIT);
        diag_help(r, "move what is inside into functions");
        b->stop = true;
        return;
    }
    b->open[b->depth++] = (opener){b->out.count, as, false};
    balance_put(b, t);
}

/* -- closing ----------------------------------------------------------------------------------------------------- */

/* Does the `{` begin the body of a step, a handler or a worker? */
static bool is_body(const balance *b, const opener *partner)
{
    bool const is_worker = b->depth == 1; /* or an extra `}` has ended the flow */
    bool const is_of_flow = b->depth == 2 && balance_is_of_flow(b->out.items[partner->at - 1].kind);
    bool const is_of_test = b->depth == 2 && b->open[0].level == LEVEL_TASK;
    return (b->depth == 3 && b->open[1].level == LEVEL_TASK) || is_of_test || is_of_flow ||
           (is_worker && partner->level == LEVEL_INSIDE);
}

/* Records a possible place of an error. */
static void note_closed(balance *b, const token *t, const opener *partner)
{
    if (t->flags & TOKEN_FIRST_ON_LINE) {
        uint32_t const begin = balance_indentation(b, &b->out.items[partner->at]), end = balance_indentation(b, t);
        if (end < begin && !b->suspect) b->suspect = partner->at;
        if (end == begin && b->suspect > partner->at) b->suspect = 0;
    }
    if (partner->level == LEVEL_INSIDE && !is_body(b, partner)) return;
    b->closed[partner->level] = *partner;
    b->closed_by[partner->level] = b->out.count;
}

/* `(x]`: if neither has a partner in its statement, the one was meant to close the other. To decide this, counts the
 * open brackets of each kind against the closers up to the end of the statement. */
static bool closes_wrongly(const balance *b, uint16_t kind)
{
    uint16_t const opened = b->depth > 0 ? b->out.items[b->open[b->depth - 1].at].kind : 0;
    bool const is_pair = (opened == T_LPAREN && kind == T_RBRACKET) || (opened == T_LBRACKET && kind == T_RPAREN);
    if (!is_pair || b->open[b->depth - 1].level == LEVEL_BRANCH) return false;
    int of_kind = 0, of_opened = 0; /* openers without an end */
    for (unsigned depth = b->depth; depth > 0; depth--) {
        uint16_t const outer = b->out.items[b->open[depth - 1].at].kind;
        if (outer == T_LBRACE || b->open[depth - 1].level == LEVEL_BRANCH) break;
        if (outer == opened) of_opened++;
        else of_kind++;
    }
    for (uint32_t i = b->next + 1; i < b->in.count; i++) {
        uint16_t const after = balance_kind(b, i);
        if (after == T_SEMICOLON || after == T_LBRACE || after == T_RBRACE) break;
        if (after == opened) of_opened++;
        else if (after == token_partner(opened)) of_opened--;
        else if (after == kind) of_kind--;
        else if (after == T_LPAREN || after == T_LBRACKET) of_kind++;
    }
    return of_opened > 0 && of_kind <= 0;
}

/* `, x }, y)`: more of an expression follows, so that this `}` ends an initialiser and not the innermost block. */
static bool is_of_initialiser(const balance *b, unsigned depth)
{
    uint16_t const after = balance_kind(b, b->next + 1);
    bool const continues = after == T_COMMA || after == T_RPAREN || after == T_RBRACKET;
    return continues && depth > 0 && (b->depth > depth || is_body(b, &b->open[depth - 1]));
}

/* `(x){ 1, 2 )`: an initialiser, since it holds no statements, in parentheses of that kind. */
static bool is_open_initialiser(const balance *b, unsigned depth, uint16_t wanted)
{
    const opener *const brace = &b->open[depth - 1];
    if (depth < 2 || brace->level != LEVEL_INSIDE || b->out.items[brace->at].kind != T_LBRACE) return false;
    if (b->open[depth - 2].level != LEVEL_INSIDE) return false;
    if (b->out.count - brace->at > STATEMENT_LIMIT) return false;
    for (uint32_t i = brace->at + 1; i < b->out.count; i++) {
        if (b->out.items[i].kind == T_SEMICOLON) return false;
    }
    unsigned below = depth - 1;
    while (below > 1 && b->out.items[b->open[below - 1].at].kind == T_LBRACE &&
           b->open[below - 1].level == LEVEL_INSIDE)
        below--;
    return b->out.items[b->open[below - 1].at].kind == wanted;
}

static void close_bracket(balance *b, token t)
{
    if (closes_wrongly(b, t.kind)) {
        uint16_t const opened = b->out.items[b->open[b->depth - 1].at].kind;
        diag_report *r = report_at(b, UF0106, balance_place(b, &t), "this `%s` does not close a `%s`",
                                   token_name(t.kind), token_name(opened));
        diag_note(r, token_span(&b->out, b->open[b->depth - 1].at), "the `%s` is here", token_name(opened));
        diag_help(r, "write `%s`, or open with `%s`", token_name(token_partner(opened)),
                  t.kind == T_RPAREN ? "(" : "[");
        t.kind = token_partner(opened);
    }
    uint16_t const wanted = t.kind == T_RBRACE ? T_LBRACE : t.kind == T_RPAREN ? T_LPAREN : T_LBRACKET;
    /* Finds its partner. Does not cross a brace, unless it is a brace itself, and does not leave a branch. */
    unsigned depth = b->depth;
    while (depth > 0) {
        const opener *o = &b->open[depth - 1];
        uint16_t const kind = b->out.items[o->at].kind;
        if (o->level == LEVEL_BRANCH || kind == wanted || kind == T_LBRACE) break;
        depth--;
    }
    while (t.kind != T_RBRACE && depth > 0 && is_open_initialiser(b, depth, wanted)) depth--;
    opener *const partner = depth > 0 ? &b->open[depth - 1] : NULL;
    bool const is_stray = t.kind == T_RBRACE && is_of_initialiser(b, depth);
    if (partner && partner->level == LEVEL_BRANCH) {
        balance_report_branch(b, partner, balance_place(b, &t), "this closes what was opened outside of the branch");
        return;
    }
    if (!partner || is_stray || b->out.items[partner->at].kind != wanted) {
        if (b->forgive) return;
        diag_report *r = report_at(b, UF0106, balance_place(b, &t), "this `%s` closes nothing", token_name(t.kind));
        diag_help(r, "remove it, or open it before");
        return;
    }
    balance_close_down_to(b, depth);
    if (t.kind == T_RBRACE) note_closed(b, &t, partner);
    b->depth--;
    balance_put(b, t);
}

/* -- the loop ------------------------------------------------------------------------------------------------------ */

/* Reads the braces of a type that is defined among the parameters of a head. */
static bool take_tag(balance *b)
{
    uint32_t const behind = b->depth > b->head_depth ? head_behind_tag(&b->in, b->next) : b->next;
    if (behind == b->next) return false;
    while (b->next < behind) balance_put(b, b->in.items[b->next++]);
    b->next--;
    return true;
}

/* `task Close {{`, `await {{`: neither members nor arms begin with a brace. */
static bool is_doubled(const balance *b)
{
    if (b->out.count < 2 || b->out.items[b->out.count - 1].kind != T_LBRACE || b->in_head) return false;
    level const where = balance_level(b);
    return where == LEVEL_FLOW || where == LEVEL_TASK || b->out.items[b->out.count - 2].kind == T_AWAIT;
}

/* `group NAME {` in a flow */
static bool begins_group(const balance *b)
{
    return balance_level(b) == LEVEL_FLOW && b->next >= 2 && balance_kind(b, b->next - 2) == T_GROUP;
}

static void take(balance *b, token t)
{
    if (b->missing_before == b->next) {
        uint32_t const offset = b->out.items[b->out.count - 1].end;
        b->missing_before = NOWHERE;
        take(b, (token){b->missing, TOKEN_SYNTHETIC, offset, offset});
    }
    switch (t.kind) {
    case T_LBRACE:
        if (is_doubled(b)) {
            diag_report *r = report_at(b, UF0201, balance_place(b, &t), "`{` is not expected here");
            diag_help(r, "remove it: the one before it is enough");
            return;
        }
        if (begins_group(b)) {
            b->groups++;
            balance_put(b, t);
            return;
        }
        if (b->in_head && take_tag(b)) return;
        if (b->in_head) balance_close_down_to(b, b->head_depth);
        b->in_head = false;
        balance_open(b, t, b->pending);
        b->pending = LEVEL_INSIDE;
        return;
    case T_LPAREN:
    case T_LBRACKET: balance_open(b, t, LEVEL_INSIDE); return;
    case T_RBRACE:
    case T_RPAREN:
    case T_RBRACKET:
        if (t.kind == T_RBRACE) b->in_head = false;
        if (t.kind == T_RBRACE && b->groups > 0 && balance_level(b) == LEVEL_FLOW) {
            b->groups--;
            balance_put(b, t);
            return;
        }
        close_bracket(b, t);
        return;
    case T_SEMICOLON:
        b->in_head = false;
        balance_put(b, t);
        return;
    case T_HASH_IF:
        if (balance_level(b) == LEVEL_INSIDE) {
            balance_begin_branches(b, t);
        } else { /* the grammar reports it, except for `#if 0` */
            b->has_directive_outside = b->has_directive_outside || !(t.flags & TOKEN_SKIPS);
            balance_put(b, t);
        }
        return;
    case T_HASH_ELIF:
    case T_HASH_ELSE:
    case T_HASH_ENDIF:
        if (b->directives[b->next].is_left_out) b->next = b->directives[b->next].next;
        else if (balance_level(b) == LEVEL_INSIDE) balance_next_branch(b, t);
        else balance_put(b, t);
        return;
    default:
        if (t.flags & TOKEN_OPEN_QUOTE) b->open_quote = b->out.count;
        if (kind_is(t.kind, IS_WORD)) balance_synchronise(b, &t);
        balance_put(b, t);
        return;
    }
}

token_list brackets_balance(arena *a, diagnostics *d, scanned from)
{
    token_list const in = from.tokens;
    if (syntax_is_balanced(&in)) return in;
    balance b = {.arena = a,
                 .diagnostics = d,
                 .in = in,
                 .out = {.in = in.in},
                 .pending = LEVEL_INSIDE,
                 .missing_before = NOWHERE};
    balance_find_unbalanced(&b);
    while (b.next < in.count && !b.stop) {
        take(&b, in.items[b.next]);
        b.next++;
    }
    b.quiet = from.truncated || b.stop;
    balance_close_down_to(&b, 0);
    if (b.stop) b.out.count = 0;
    return b.out;
}
