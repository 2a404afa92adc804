/* The loop from tokens to lemon. When the grammar does not take a token, the rest of the statement or member is left
 * out. */
#include "parse.h"

#include "memory.h"
#include "parse_state.h"
#include "scan.h"
#include "shape.h"
#include "uflow_parse.h"

/* More than that many entries a level of nesting does not need. */
#define STACK_LIMIT ((size_t)NESTING_LIMIT * 8)

static void *allocate(size_t size)
{
    return memory_alloc(size, 1);
}

static bool begins_statement(uint16_t kind)
{
    switch (kind) {
    case T_IF:
    case T_WHILE:
    case T_DO:
    case T_FOR:
    case T_SWITCH:
    case T_CASE:
    case T_DEFAULT:
    case T_BREAK:
    case T_CONTINUE:
    case T_RETURN:
    case T_GOTO:
    case T_NEXT:
    case T_STAY:
    case T_AWAIT:
    case T_DONE:
    case T_FAIL:
    case T_BECOME:
    case T_DESCRIBE:
    case T_SUBMIT:
    case T_SIGNAL:
    case T_CHECKPOINT:
    case T_MAILBOX:
    case T_WORKER:
    case T_JOB:
    case T_SHUTDOWN:
    case T_FLOW:
    case T_TASK:
    case T_STEP:
    case T_ON:
    case T_FOREVER:
    case T_IMPORT:
    case T_HEADER:
    case T_SOURCE: return true;
    default: return false;
    }
}

static bool is_intent(uint16_t kind)
{
    return kind == T_NEXT || kind == T_STAY || kind == T_AWAIT || kind == T_DONE || kind == T_FAIL ||
           kind == T_BECOME || kind == T_DESCRIBE || kind == T_SUBMIT;
}

static bool is_directive(uint16_t kind)
{
    return kind == T_HASH_IF || kind == T_HASH_ELIF || kind == T_HASH_ELSE || kind == T_HASH_ENDIF ||
           kind == T_HASH_LINE;
}

/* The token behind the #endif of the directive that opens there. */
static uint32_t behind_branches(const token_list *list, uint32_t at)
{
    unsigned depth = 0;
    for (; at < list->count; at++) {
        if (list->items[at].kind == T_HASH_IF) depth++;
        if (list->items[at].kind == T_HASH_ENDIF && --depth == 0) return at + 1;
    }
    return at;
}

static uint32_t behind_braces(const token_list *list, uint32_t at)
{
    unsigned depth = 0;
    for (; at < list->count; at++) {
        if (list->items[at].kind == T_LBRACE) depth++;
        if (list->items[at].kind == T_RBRACE && --depth == 0) return at + 1;
    }
    return at;
}

/* Leaves out the rest of what the token `at` belongs to: up to its `;`, or behind its block, or before what cannot
 * belong to it any more. Feeds the `;` that the grammar's error rules wait for. Returns the next token to feed. */
static uint32_t recover(parser *p, void *state, uint32_t at)
{
    const token_list *list = p->tokens;
    uint32_t const failed_at = at;
    unsigned const around = (p->flow ? 1u : 0u) + (p->task ? 1u : 0u);
    bool const in_body = syntax_braces_open(p, at) > around;
    for (; at < list->count; at++) {
        token const *t = &list->items[at];
        bool const first = t->flags & TOKEN_FIRST_ON_LINE;
        if (t->kind == T_SEMICOLON) {
            at++;
            break;
        }
        if (t->kind == T_LBRACE) {
            at = behind_braces(list, at);
            break;
        }
        if (t->kind == T_HASH_IF && at == failed_at) {
            at = behind_branches(list, at);
            break;
        }
        if (t->kind == T_ELSE && at == failed_at) { /* what follows is a statement */
            at++;
            break;
        }
        bool const begins = begins_statement(t->kind) && (in_body || !is_intent(t->kind));
        if (t->kind == T_RBRACE || is_directive(t->kind) || (begins && (first || at == failed_at))) break;
    }
    lemon(state, T_SEMICOLON, at > 0 ? at - 1 : 0);
    /* What begins a statement but is not taken even so would come back for ever. */
    if (at == failed_at && !lemon_accepts(state, list->items[at].kind)) at++;
    p->resumed_at = at;
    p->has_resumed = true;
    return at;
}

static bool ends_statement(const token_list *list, uint32_t at)
{
    uint16_t const kind = at > 0 ? list->items[at - 1].kind : T_SEMICOLON;
    return kind == T_LBRACE || kind == T_RBRACE || kind == T_SEMICOLON || kind == T_COLON || is_directive(kind);
}

/* Directives are text in expressions. But where a branch holds statements, what ends it ends the last one of them. */
static void look_at_directive(parser *p, void *state, uint32_t at)
{
    uint16_t const kind = p->tokens->items[at].kind;
    if (!is_directive(kind) || kind == T_HASH_LINE) return;
    bool const between = ends_statement(p->tokens, at);
    if (kind == T_HASH_IF) {
        if (p->open_ifs < NESTING_LIMIT) p->holds_statements[p->open_ifs] = between && !lemon_accepts(state, T_COMMA);
        p->open_ifs++;
        return;
    }
    if (p->open_ifs == 0) return;
    bool const holds_statements = p->open_ifs <= NESTING_LIMIT && p->holds_statements[p->open_ifs - 1];
    if (kind == T_HASH_ENDIF) p->open_ifs--;
    bool const is_reported = p->has_resumed && at == p->resumed_at;
    if (!holds_statements || between || is_reported || !lemon_accepts(state, T_SEMICOLON)) return;
    uint32_t const end = p->tokens->items[at - 1].end;
    diag_report *r = diag_at(p->diagnostics, UF0201, (span){p->tokens->in, end, end},
                             "there is no `;` before the directive that ends the branch");
    diag_help(r, "a branch of #if holds whole statements or arms: end the last one with `;`");
    lemon(state, T_SEMICOLON, at - 1);
}

/* `if (x) next B else …`, and a comma between arms: a `;` belongs there, and with it all that follows can be read. Returns
 * the token to feed. */
static uint32_t end_before(parser *p, void *state, uint32_t at)
{
    uint16_t const kind = p->tokens->items[at].kind;
    bool const is_comma = kind == T_COMMA && !p->in_text;
    if ((kind != T_ELSE && !is_comma) || ends_statement(p->tokens, at)) return at;
    if (lemon_accepts(state, kind) || !lemon_accepts(state, T_SEMICOLON)) return at;
    if (is_comma ? !syntax_is_among_arms(p, at) : !syntax_is_after_if(p, at)) return at;
    syntax_error(p, at, state);
    p->failed = false;
    lemon(state, T_SEMICOLON, at - 1);
    return is_comma ? at + 1 : at;
}

/* Can it be anything but a part of a text that goes on? */
static bool is_plain(uint16_t kind)
{
    return kind == T_IDENT || kind == T_NUMBER || kind == T_STRING || kind == T_CHARACTER || kind == T_OPERATOR ||
           kind == T_TAG || kind == T_DOT || kind == T_ARROW;
}

/* The token after `at` that the grammar has to see. Of plain tokens in the middle of a text the last one does: it is
 * where the text has come to. */
static uint32_t next_to_feed(const parser *p, uint32_t at)
{
    const token *const items = p->tokens->items;
    uint32_t next = at + 1;
    if (!p->in_text || !is_plain(items[at].kind)) return next;
    while (next + 1 < p->tokens->count && is_plain(items[next].kind) && is_plain(items[next + 1].kind)) next++;
    return next;
}

/* -- runs of tokens that are fed as one terminal ------------------------------------------------------------------- */

/* What a kind of token is in a run. */
typedef enum run_part { RUN_IS_NONE, RUN_TEXT, RUN_OPENS, RUN_CLOSES, RUN_COMMA, RUN_MARK, RUN_ENDS } run_part;

static const unsigned char run_parts[KIND_LIMIT] = {
    [T_IDENT] = RUN_TEXT,    [T_NUMBER] = RUN_TEXT,    [T_STRING] = RUN_TEXT,   [T_CHARACTER] = RUN_TEXT,
    [T_OPERATOR] = RUN_TEXT, [T_TAG] = RUN_TEXT,       [T_DOT] = RUN_TEXT,      [T_ARROW] = RUN_TEXT,
    [T_LPAREN] = RUN_OPENS,  [T_LBRACKET] = RUN_OPENS, [T_RPAREN] = RUN_CLOSES, [T_RBRACKET] = RUN_CLOSES,
    [T_COMMA] = RUN_COMMA,   [T_COLON] = RUN_MARK,     [T_QUESTION] = RUN_MARK, [T_SEMICOLON] = RUN_ENDS};

/* The token behind a run that begins there; the same place if it is none, or a long one. A label is no text, so that a
 * statement with a colon is none. */
static uint32_t behind_run(const token_list *list, uint32_t at, uint16_t as)
{
    enum { LONGEST = 200 };
    uint32_t const end = list->count - at < LONGEST ? list->count : at + LONGEST;
    unsigned depth = 0;
    for (uint32_t i = at; i < end; i++) {
        switch ((run_part)run_parts[list->items[i].kind]) {
        case RUN_TEXT: break;
        case RUN_OPENS: depth++; break;
        case RUN_CLOSES:
            if (depth == 0) return as == T_ARGUMENT ? i : at;
            if (--depth == 0 && as == T_PARENS) return i + 1;
            break;
        case RUN_COMMA:
            if (depth == 0 && as == T_ARGUMENT) return i;
            break;
        case RUN_MARK:
            if (depth == 0 && as == T_STATEMENT_TEXT) return at;
            break;
        case RUN_ENDS:
            if (depth == 0) return i;
            break;
        case RUN_IS_NONE: return at;
        }
    }
    return at;
}

/* As what a run could be fed that begins there; 0: none does. */
static uint16_t run_kind(const token_list *list, uint32_t at)
{
    if (at == 0) return 0;
    uint16_t const kind = list->items[at].kind;
    switch (list->items[at - 1].kind) {
    case T_LBRACE:
    case T_RBRACE:
    case T_SEMICOLON:
    case T_COLON:
    case T_RPAREN:
    case T_ELSE:
    case T_DO: return kind == T_IDENT || kind == T_TAG || kind == T_OPERATOR ? T_STATEMENT_TEXT : 0;
    case T_IF:
    case T_WHILE:
    case T_SWITCH:
    case T_FOR:
    case T_UNTIL: return kind == T_LPAREN ? T_PARENS : 0;
    case T_LPAREN:
    case T_COMMA:
    case T_DONE:
    case T_FAIL:
    case T_DESCRIBE: return is_plain(kind) && kind != T_DOT && kind != T_ARROW ? T_ARGUMENT : 0;
    default: return 0;
    }
}

/* Feeds a run if one begins there that the grammar takes. Returns the token behind it; the same place if none does. */
static uint32_t feed_run(parser *p, void *state, uint32_t at)
{
    uint16_t const as = run_kind(p->tokens, at);
    uint32_t const end = as ? behind_run(p->tokens, at, as) : at;
    if (end < at + 2 || !lemon_accepts(state, as)) return at;
    lemon_settle(state);
    p->run_end = end;
    lemon(state, as, at);
    lemon_settle(state);
    return as == T_STATEMENT_TEXT ? end + 1 : end;
}

static bool is_else_if(const token_list *list, uint32_t at)
{
    return list->items[at].kind == T_ELSE && at + 1 < list->count && list->items[at + 1].kind == T_IF;
}

static void feed(parser *p, void *state)
{
    const token_list *list = p->tokens;
    for (uint32_t at = 0; at < list->count && !p->too_deep;) {
        p->failed = p->in_text = false;
        lemon_forget_error(state);
        if (is_else_if(list, at) && lemon_accepts(state, T_ELSE_IF)) {
            lemon(state, T_ELSE_IF, at + 1);
            at += 2;
            continue;
        }
        uint32_t const behind = feed_run(p, state, at);
        if (behind > at) {
            at = behind;
            continue;
        }
        look_at_directive(p, state, at);
        at = end_before(p, state, at);
        if (at == list->count) break;
        lemon(state, list->items[at].kind, at);
        if (p->failed) at = recover(p, state, at);
        else at = next_to_feed(p, at);
        if (lemon_depth(state) > STACK_LIMIT && !p->too_deep) {
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

ast_file *parse_file(arena *a, diagnostics *d, const source *in)
{
    ast_file *file = ARENA_NEW(a, ast_file);
    file->in = in;
    file->tokens.in = in;
    if (in->size > SOURCE_LIMIT) {
        diag_report *r =
            diag_at(d, UF0101, (span){in, 0, 0}, "this file is larger than %u MiB", SOURCE_LIMIT / 1024 / 1024);
        diag_help(r, "split it, and `import` the parts");
        return file;
    }
    file->tokens = shape_tokens(a, d, scan_file(a, d, in, SHAPE_ROOM));

    parser p = {.arena = a, .diagnostics = d, .file = file, .tokens = &file->tokens};
    p.next_block = &file->blocks;
    p.next_import = &file->imports;
    p.next_signal = &file->signals;
    p.next_checkpoint = &file->checkpoints;
    p.next_worker = &file->workers;
    p.next_flow = &file->flows;
    void *state = lemonAlloc(allocate, &p);
    feed(&p, state);
    lemonFree(state, memory_free);
    return file;
}
