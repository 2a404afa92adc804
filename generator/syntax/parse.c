/* SPDX-License-Identifier: MIT */
/* Feeds tokens to lemon, up to the first one that is refused. */
#include "parse.h"

#include "memory.h"
#include "parse_state.h"
#include "scan.h"
#include "uflow_parse.h"

static void *allocate(size_t size)
{
    return memory_alloc(size, 1);
}

void *lemon_new(parser *p)
{
    return lemonAlloc(allocate, p);
}

uint32_t syntax_feed(const token_list *list, void *state, uint32_t at)
{
    bool const is_else_if = list->items[at].kind == T_ELSE && token_kind(list, at + 1) == T_IF;
    if (is_else_if && lemon_accepts(state, T_ELSE_IF)) {
        lemon(state, T_ELSE_IF, at + 1);
        return at + 2;
    }
    lemon(state, list->items[at].kind, at);
    return at + 1;
}

bool syntax_is_balanced(const token_list *list)
{
    uint16_t open[NESTING_LIMIT]; /* the kinds of their partners */
    unsigned depth = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        uint16_t const kind = list->items[i].kind;
        if (!kind_is(kind, IS_BRANCH | OPENS_BRACKET | CLOSES_BRACKET)) continue;
        if (kind == T_HASH_IF || kind_is(kind, OPENS_BRACKET)) {
            if (depth == NESTING_LIMIT) return false;
            open[depth++] = token_partner(kind);
        } else if (kind == T_HASH_ELIF || kind == T_HASH_ELSE) {
            if (depth == 0 || open[depth - 1] != T_HASH_ENDIF) return false;
        } else if (kind == T_HASH_ENDIF || kind_is(kind, CLOSES_BRACKET)) {
            if (depth == 0 || open[--depth] != kind) return false;
        }
    }
    return depth == 0;
}

bool syntax_ends_statement(const token_list *list, uint32_t at)
{
    uint16_t const kind = at > 0 ? list->items[at - 1].kind : T_SEMICOLON;
    return kind == T_LBRACE || kind == T_RBRACE || kind == T_SEMICOLON || kind == T_COLON ||
           kind_is(kind, IS_DIRECTIVE);
}

/* Within expressions, directives are text. */
bool syntax_cuts_text(parser *p, const void *state, uint32_t at)
{
    uint16_t const kind = p->tokens->items[at].kind;
    bool const between = syntax_ends_statement(p->tokens, at);
    if (kind == T_HASH_IF) {
        if (p->open_ifs < NESTING_LIMIT) p->holds_statements[p->open_ifs] = between && !lemon_accepts(state, T_COMMA);
        p->open_ifs++;
        return false;
    }
    if (p->open_ifs == 0) return false;
    bool const holds_statements = p->open_ifs <= NESTING_LIMIT && p->holds_statements[p->open_ifs - 1];
    if (kind == T_HASH_ENDIF) p->open_ifs--;
    return holds_statements && !between && lemon_accepts(state, T_SEMICOLON);
}

static void feed(parser *p, void *state)
{
    const token_list *const list = p->tokens;
    for (uint32_t at = 0; at < list->count && !p->has_refused;) {
        p->has_refused = token_has(list, at, IS_BRANCH) && syntax_cuts_text(p, state, at);
        if (!p->has_refused) at = syntax_feed(list, state, at);
    }
    if (!p->has_refused) lemon(state, 0, list->count);
}

ast_file *parse_strictly(arena *a, diagnostics *d, const source *in)
{
    if (in->size > SOURCE_LIMIT) return NULL;
    ast_file *const file = ARENA_NEW(a, ast_file);
    file->in = in;
    parser p = parser_of(a, d, file);
    file->tokens = scan_file(&p, in).tokens;
    if (p.has_refused || !syntax_is_balanced(&file->tokens)) return NULL;
    void *const state = lemon_new(&p);
    feed(&p, state);
    lemonFree(state, memory_free);
    return p.has_refused ? NULL : file;
}
