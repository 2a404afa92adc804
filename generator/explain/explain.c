/* SPDX-License-Identifier: MIT */
/* The second pass over a file in which the strict parser has refused something: says why, and reads what is right. */
#include "explain.h"

#include "brackets.h"
#include "explainer.h"
#include "memory.h"
#include "parse.h"
#include "scan.h"
#include "uflow_parse.h"

/* A builder refuses a text. Returns: true if the parser goes on elsewhere. */
static bool explain_text(parser *p, mistake what, token_range where)
{
    static void (*const reports[MISTAKES])(parser * p, token_range where) = {
#define MISTAKE(name, explain, text) [MISTAKE_##name] = explain,
#include "mistakes.def"
#undef MISTAKE
    };
    if (!is_reported(p, begin_of_part(p, where.first), where.end)) reports[what](p, where);
    return explainer_of(p)->mended;
}

/* -- mends --------------------------------------------------------------------------------------------------------- */

void mend_hole(parser *p, uint32_t first, uint32_t end)
{
    explainer *const x = explainer_of(p);
    x->mends[first].hole_end = end;
    x->mended = true;
}

void mend_insert(parser *p, uint32_t at, uint16_t kind)
{
    explainer *const x = explainer_of(p);
    if (x->mends[at].insert == kind) return; /* it was no help */
    x->mends[at].insert = kind;
    x->mended = true;
}

void mend_kind(parser *p, uint32_t at, uint16_t kind)
{
    p->file->tokens.items[at].kind = kind;
    explainer_of(p)->mended = true;
}

uint32_t end_of_part(parser *p, uint32_t begin, uint32_t refused, uint32_t limit)
{
    const token_list *const list = p->tokens;
    bool const in_body = around_is_in_body(p, refused);
    uint32_t at = refused;
    for (; at < list->count && at - refused < limit; at++) {
        token const *const t = &list->items[at];
        bool const lacks_block = !in_body && kind_at(p, at + 1) == T_LBRACE;
        if (t->kind == T_SEMICOLON && lacks_block) return token_after_brackets(list, at + 1);
        bool const is_alone = at == refused && (t->kind == T_ELSE || t->kind == T_HASH_LINE);
        if (t->kind == T_SEMICOLON || is_alone) return at + 1;
        if (t->kind == T_LBRACE || (t->kind == T_HASH_IF && at == refused)) return token_after_brackets(list, at);
        bool const begins = kind_is(t->kind, IS_STATEMENT | (in_body ? IS_INTENT : IS_MEMBER));
        if (t->kind == T_RBRACE || kind_is(t->kind, IS_DIRECTIVE)) break;
        if (begins && at > begin && ((t->flags & TOKEN_FIRST_ON_LINE) || at == refused)) break;
    }
    return at;
}

/* The tokens within the innermost braces around one, or the whole member. */
static void widen_hole(explainer *x)
{
    const token_list *const list = x->p.tokens;
    uint32_t first = x->hole_first, end = x->hole_end;
    unsigned depth = 0;
    while (first > x->last.at && (kind_at(&x->p, first - 1) != T_LBRACE || depth > 0)) {
        uint16_t const before = kind_at(&x->p, --first);
        if (before == T_RBRACE) depth++;
        if (before == T_LBRACE) depth--;
    }
    if (first == x->hole_first && end < list->count && kind_at(&x->p, end) == T_RBRACE) first = x->last.at;
    if (first > x->last.at) end = token_after_brackets(list, first - 1) - 1;
    if (first == x->last.at || first == end) { /* no braces, or nothing in them */
        first = x->last.at;
        end = first;
        do {
            uint32_t const after = token_after_brackets(list, end);
            bool const is_block = kind_at(&x->p, end) == T_LBRACE;
            uint16_t const kind = kind_at(&x->p, end);
            end = after > end ? after : end + 1;
            if (is_block || kind == T_SEMICOLON) break;
        } while (end < list->count && kind_at(&x->p, end) != T_RBRACE);
    }
    x->hole_first = first;
    x->hole_end = end;
    mend_hole(&x->p, first, end);
}

/* Makes a hole of the smallest part that contains the refused token. If the parser refuses a hole, or the token after
 * it, the hole was too small. */
static void make_hole(explainer *x, uint32_t at, uint32_t begin)
{
    if (diag_error_count(x->p.diagnostics) == 0) /* never silence */
        diag_at(x->p.diagnostics, UF0201, token_at(&x->p, at), "%s is not expected here", spelled(&x->p, at));
    if (x->hole_end > x->last.at && at >= x->hole_first && at <= x->hole_end) {
        widen_hole(x);
        return;
    }
    x->hole_first = begin;
    x->hole_end = end_of_part(&x->p, begin, at, UINT32_MAX);
    if (x->hole_first < x->hole_end) mend_hole(&x->p, x->hole_first, x->hole_end);
    else widen_hole(x);
}

/* -- the loop ------------------------------------------------------------------------------------------------------ */

/* Reports the text before a directive if it ends with the branch, and ends it there. */
static void look_at_directive(parser *p, const void *state, uint32_t at)
{
    if (!token_has(p->tokens, at, IS_BRANCH) || !syntax_cuts_text(p, state, at)) return;
    diag_report *r =
        report_at(p, UF0201, place_behind(p, at - 1), "there is no `;` before the directive that ends the branch");
    diag_help(r, "a branch of #if holds whole statements or arms: end the last one with `;`");
    mend_insert(p, at, T_SEMICOLON);
}

/* `signal a,` and on the next line `signal b;`: the comma should be a `;`. */
static bool begins_member_line(parser *p, uint32_t at)
{
    uint16_t const kind = token_kind(p->tokens, at);
    bool const is_line = (kind == T_SIGNAL || kind == T_CHECKPOINT || kind == T_MAILBOX) &&
                         (p->tokens->items[at].flags & TOKEN_FIRST_ON_LINE);
    return is_line && kind_is(token_kind(p->tokens, at + 1), IS_NAME) && !around_is_in_body(p, at);
}

/* `if (x) next B else …`, or a comma between arms: a `;` is meant. */
static void look_at_end(parser *p, const void *state, uint32_t at)
{
    uint16_t const kind = p->tokens->items[at].kind;
    bool const is_comma = kind == T_COMMA;
    if (is_comma && begins_member_line(p, at + 1)) {
        report_comma(p, at);
        mend_kind(p, at, T_SEMICOLON);
        return;
    }
    if ((kind != T_ELSE && !is_comma) || syntax_ends_statement(p->tokens, at)) return;
    if (lemon_accepts(state, kind) || !lemon_accepts(state, T_SEMICOLON)) return;
    if (is_comma ? !around_is_among_arms(p, at) : !around_is_after_if(p, at)) return;
    explain_token(p, at, state);
    explainer_of(p)->refused = false;
    if (is_comma) mend_kind(p, at, T_SEMICOLON);
    else mend_insert(p, at, T_SEMICOLON);
}

/* Is that token between the parts of a file, flow or task, so that the parser can start again before it? */
static bool is_between_parts(parser *p, const void *state, uint32_t at)
{
    if (p->step || p->worker || around_is_in_body(p, at)) return false;
    return lemon_accepts(state, p->flow || p->group || p->task ? T_RBRACE : 0);
}

static void *start_again(explainer *x, void *state)
{
    parser *const p = &x->p;
    lemonFree(state, memory_free);
    *p = x->last.p;
    *p->next_block = NULL;
    *p->next_import = NULL;
    *p->next_signal = *p->next_checkpoint = NULL;
    *p->next_worker = NULL;
    *p->next_plain = NULL;
    *p->next_flow = *p->next_test = NULL;
    if (p->next_member) *p->next_member = NULL;
    if (p->next_group) *p->next_group = NULL;
    if (p->next_task) *p->next_task = NULL;
    if (p->next_field) *p->next_field = NULL;
    if (p->next_job) *p->next_job = NULL;
    if (p->next_preempt) *p->next_preempt = NULL;
    if (p->next_inner_preempt) *p->next_inner_preempt = NULL;
    if (p->next_step) *p->next_step = NULL;
    if (p->next_hook) *p->next_hook = NULL;
    x->around = (surroundings){.at = x->last.at, .begin = x->last.at, .braces = braces_of_parts(p)};
    x->mended = x->refused = false;
    x->mend_count++;
    void *const fresh = lemon_new(p);
    if (p->flow) lemon(fresh, is_in_test(p) ? T_IN_TEST : T_IN_FLOW, x->last.at);
    for (const ast_group *group = p->group; group; group = group->outer) lemon(fresh, T_IN_GROUP, x->last.at);
    if (p->task && !is_in_test(p)) lemon(fresh, T_IN_TASK, x->last.at);
    return fresh;
}

/* Feeds one token, or the hole that begins there. Returns the next token. */
static uint32_t feed_one(explainer *x, void *state, uint32_t at)
{
    parser *const p = &x->p;
    if (x->mends[at].hole_end) {
        lemon(state, T_HOLE, at);
        return x->mends[at].hole_end;
    }
    if (x->mends[at].insert) {
        lemon(state, x->mends[at].insert, at);
    } else {
        look_at_directive(p, state, at);
        if (!x->mended) look_at_end(p, state, at);
    }
    return x->mended || x->refused ? at : syntax_feed(p->tokens, state, at);
}

static void report_overflow(parser *p, uint32_t at)
{
    p->too_deep = true;
    diag_report *r = report_at(p, UF0108, token_at(p, at), "statements are nested more than %u deep", NESTING_LIMIT);
    diag_help(r, "move what is inside into functions");
}

static void feed(explainer *x)
{
    enum { MENDS_LIMIT = 200 };
    parser *const p = &x->p;
    void *state = lemon_new(p);
    x->last = (restart){*p, 0};
    for (uint32_t at = 0; at <= p->tokens->count && !p->too_deep && x->mend_count < MENDS_LIMIT;) {
        uint32_t next = at + 1;
        if (at < p->tokens->count) next = feed_one(x, state, at);
        else lemon(state, 0, at);
        if (x->refused && !x->mended) make_hole(x, at, look_around(p, at)->begin);
        if (p->has_overflowed && !p->too_deep) report_overflow(p, at);
        if (x->mended) {
            state = start_again(x, state);
            at = x->last.at;
            continue;
        }
        at = next;
        if (at >= p->tokens->count || !ends_part(kind_at(p, at - 1))) continue;
        lemon_settle(state);
        if (is_between_parts(p, state, at)) x->last = (restart){*p, at};
    }
    lemonFree(state, memory_free);
}

/* Where brackets do not match, nobody can say how the rest of the flow or worker was meant: only the first report is
 * shown. */
static void withdraw_follow_ups(diagnostics *d, const token_list *tokens, unsigned from, unsigned to)
{
    uint32_t begin = 0;
    for (uint32_t i = 0; i < tokens->count && to > from; i++) {
        const token *const t = &tokens->items[i];
        bool const is_head = t->kind == T_FLOW || t->kind == T_WORKER || t->kind == T_TEST;
        if (!is_head || !(t->flags & TOKEN_FIRST_ON_LINE)) continue;
        diag_keep_first(d, from, to, (span){tokens->in, begin, t->begin});
        begin = t->begin;
    }
    if (to > from) diag_keep_first(d, from, to, (span){tokens->in, begin, tokens->in->size});
}

ast_file *explain_trial(arena *a, diagnostics *d, const source *in, row_trial *trial)
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
    explainer x = {.p = parser_of(a, d, file), .trial = trial};
    x.p.explain = &says;
    scanned const all = scan_file(&x.p, in);
    unsigned const from = diag_report_count(d);
    file->tokens = brackets_balance(a, d, all);
    unsigned const to = diag_report_count(d);
    x.mends = ARENA_ARRAY(a, mend, (size_t)file->tokens.count + 1);
    feed(&x);
    withdraw_follow_ups(d, &file->tokens, from, to);
    return file;
}

ast_file *explain_file(arena *a, diagnostics *d, const source *in)
{
    row_trial none = {.at = -1, .taken = -1};
    return explain_trial(a, d, in, &none);
}

ast_file *parse_file(arena *a, diagnostics *d, const source *in)
{
    ast_file *const file = parse_strictly(a, d, in);
    return file ? file : explain_file(a, d, in);
}
