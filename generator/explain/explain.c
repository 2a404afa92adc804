/* The second pass over a file in which the strict parser has refused something: says why, and reads what can be read.
 * When the grammar does not accept a token, it skips the rest of the statement or member. */
#include "explain.h"

#include "brackets.h"
#include "explainer.h"
#include "memory.h"
#include "parse.h"
#include "scan.h"
#include "uflow_parse.h"

bool explain_text(parser *p, mistake what, token_range where)
{
    static void (*const reports[MISTAKES])(parser * p, token_range where) = {
#define MISTAKE(name, explain, text) [MISTAKE_##name] = explain,
#include "mistakes.def"
#undef MISTAKE
    };
    reports[what](p, where);
    return explainer_of(p)->repair.is_wanted;
}

/* Skips the rest of the construct that the token `at` belongs to: up to its `;`, or past its block, or before a token
 * that cannot belong to it. Feeds the `;` that the grammar's error rules expect. Returns the next token to feed. */
static uint32_t recover(parser *p, void *state, uint32_t at)
{
    const token_list *list = p->tokens;
    uint32_t const failed_at = at;
    bool const in_body = syntax_is_in_body(p, at);
    for (; at < list->count; at++) {
        token const *t = &list->items[at];
        bool const first = t->flags & TOKEN_FIRST_ON_LINE;
        if (t->kind == T_SEMICOLON || (t->kind == T_ELSE && at == failed_at)) {
            at++; /* a statement or member follows */
            break;
        }
        if (t->kind == T_LBRACE || (t->kind == T_HASH_IF && at == failed_at)) {
            at = token_after_brackets(list, at);
            break;
        }
        bool const begins =
            kind_is(t->kind, IS_STATEMENT | IS_MEMBER | IS_INTENT) && (in_body || !kind_is(t->kind, IS_INTENT));
        if (t->kind == T_RBRACE || kind_is(t->kind, IS_DIRECTIVE) || (begins && (first || at == failed_at))) break;
    }
    lemon(state, T_SEMICOLON, at > 0 ? at - 1 : 0);
    /* A token that begins a statement but was refused again must be skipped, or the loop would not end. */
    if (at == failed_at && !lemon_accepts(state, list->items[at].kind)) at++;
    explainer_of(p)->resumed_at = at;
    explainer_of(p)->has_resumed = true;
    return at;
}

/* Continues where a repair said. Returns the next token to feed. */
static uint32_t resume(parser *p, void *state, uint32_t at)
{
    repair const how = explainer_of(p)->repair;
    explainer_of(p)->repair = (repair){0};
    if (explainer_of(p)->failed) lemon(state, T_SEMICOLON, at); /* the grammar's error rules expect it */
    if (how.insert) lemon(state, how.insert, how.at);
    return how.at;
}

/* Reports the text before a directive if it ends with the branch, and ends it there. */
static void look_at_directive(parser *p, void *state, uint32_t at)
{
    if (!syntax_cuts_text(p, state, at)) return;
    if (!explainer_of(p)->has_resumed || at != explainer_of(p)->resumed_at) {
        uint32_t const end = p->tokens->items[at - 1].end;
        diag_report *r = diag_at(p->diagnostics, UF0201, (span){p->tokens->in, end, end},
                                 "there is no `;` before the directive that ends the branch");
        diag_help(r, "a branch of #if holds whole statements or arms: end the last one with `;`");
        lemon(state, T_SEMICOLON, at - 1);
    }
}

/* `signal a,` and on the next line `signal b;`: the comma should be a `;`. */
static bool begins_member_line(parser *p, uint32_t at)
{
    uint16_t const kind = token_kind(p->tokens, at);
    bool const is_line = (kind == T_SIGNAL || kind == T_CHECKPOINT || kind == T_MAILBOX) &&
                         (p->tokens->items[at].flags & TOKEN_FIRST_ON_LINE);
    return is_line && kind_is(token_kind(p->tokens, at + 1), IS_NAME) && !syntax_is_in_body(p, at);
}

/* `if (x) next B else …`, or a comma between arms: inserts a `;`, so that the rest can be read. Returns the token to
 * feed. */
static uint32_t end_before(parser *p, void *state, uint32_t at)
{
    uint16_t const kind = p->tokens->items[at].kind;
    bool const is_comma = kind == T_COMMA;
    if (is_comma && begins_member_line(p, at + 1)) {
        diag_report *r = diag_at(p->diagnostics, UF0201, range_span((token_range){p->tokens, at, at + 1}),
                                 "expected `;`, found `,`");
        diag_help(r, "what follows is no part of this statement");
        lemon(state, T_SEMICOLON, at);
        return at + 1;
    }
    if ((kind != T_ELSE && !is_comma) || syntax_ends_statement(p->tokens, at)) return at;
    if (lemon_accepts(state, kind) || !lemon_accepts(state, T_SEMICOLON)) return at;
    if (is_comma ? !syntax_is_among_arms(p, at) : !syntax_is_after_if(p, at)) return at;
    explain_token(p, at, state);
    explainer_of(p)->failed = false;
    lemon(state, T_SEMICOLON, at - 1);
    return is_comma ? at + 1 : at;
}

static void feed(parser *p, void *state)
{
    const token_list *list = p->tokens;
    for (uint32_t at = 0; at < list->count && !p->too_deep;) {
        if (explainer_of(p)->failed) lemon_forget_error(state);
        explainer_of(p)->failed = false;
        if (syntax_is_else_if(list, at) && lemon_accepts(state, T_ELSE_IF)) {
            lemon(state, T_ELSE_IF, at + 1);
            at += 2;
            continue;
        }
        look_at_directive(p, state, at);
        at = end_before(p, state, at);
        if (at == list->count) break;
        lemon(state, list->items[at].kind, at);
        if (list->items[at].kind == T_SEMICOLON && !explainer_of(p)->failed) lemon_settle(state);
        if (explainer_of(p)->repair.is_wanted) at = resume(p, state, at);
        else if (explainer_of(p)->failed) at = recover(p, state, at);
        else at++;
        if (p->has_overflowed && !p->too_deep) {
            p->too_deep = true;
            uint32_t const last = at < list->count ? at : list->count - 1;
            span const where = {list->in, list->items[last].begin, list->items[last].end};
            diag_report *r =
                diag_at(p->diagnostics, UF0108, where, "statements are nested more than %u deep", NESTING_LIMIT);
            diag_help(r, "move what is inside into functions");
        }
    }
    if (!p->too_deep) lemon(state, 0, list->count);
}

/* A bracket that lacks its partner often shows as two errors: where the grammar stumbles, and where a later bracket
 * closes nothing. Within a flow or a worker, only the first is shown. */
static void withdraw_follow_ups(diagnostics *d, const token_list *tokens)
{
    uint32_t begin = 0;
    for (uint32_t i = 0; i < tokens->count; i++) {
        const token *const t = &tokens->items[i];
        if ((t->kind != T_FLOW && t->kind != T_WORKER) || !(t->flags & TOKEN_FIRST_ON_LINE)) continue;
        diag_withdraw_followers(d, UF0106, (span){tokens->in, begin, t->begin});
        begin = t->begin;
    }
    diag_withdraw_followers(d, UF0106, (span){tokens->in, begin, tokens->in->size});
}

ast_file *explain_file(arena *a, diagnostics *d, const source *in)
{
    static const explanation says = {explain_token, explain_text};
    ast_file *const file = ARENA_NEW(a, ast_file);
    file->in = in;
    file->tokens.in = in;
    if (in->size > SOURCE_LIMIT) {
        diag_report *r =
            diag_at(d, UF0101, (span){in, 0, 0}, "this file is larger than %u MiB", SOURCE_LIMIT / 1024 / 1024);
        diag_help(r, "split it, and `import` the parts");
        return file;
    }
    file->tokens = brackets_balance(a, d, scan_file(a, d, in));
    explainer x = {.p = parser_of(a, d, file)};
    x.p.explain = &says;
    void *const state = lemon_new(&x.p);
    feed(&x.p, state);
    lemonFree(state, memory_free);
    if (diag_error_count(d) > 1) withdraw_follow_ups(d, &file->tokens);
    return file;
}

ast_file *parse_file(arena *a, diagnostics *d, const source *in)
{
    ast_file *const file = parse_strictly(a, d, in);
    return file ? file : explain_file(a, d, in);
}
