/* Makes tokens fit for the grammar. Two things at once, since each needs the other: which words are words of structure
 * depends on the brackets that are open, and which bracket was forgotten shows where such a word comes too early or
 * late. */
#include "shape_state.h"

#include <string.h>

#include "memory.h"
#include "uflow_parse.h"

span shape_place(const shape *s, const token *t)
{
    return (span){s->in.in, t->begin, t->end};
}

span shape_place_of(const shape *s, uint32_t at)
{
    return shape_place(s, &s->out.items[at]);
}

/* -- looking around ---------------------------------------------------------------------------------------------- */

const bool shape_is_boundary[KIND_LIMIT] = {
    [T_LBRACE] = true,    [T_RBRACE] = true,     [T_SEMICOLON] = true, [T_BLOCK_TEXT] = true,
    [T_FOREVER] = true,   [T_SHUTDOWN] = true,   [T_HASH_IF] = true,   [T_HASH_ELIF] = true,
    [T_HASH_ELSE] = true, [T_HASH_ENDIF] = true, [T_HASH_LINE] = true};

/* The indentation of the line that a token is on, in columns as they come. */
static uint32_t indentation(const shape *s, const token *t)
{
    const char *text = s->in.in->text;
    uint32_t begin = t->begin;
    while (begin > 0 && text[begin - 1] != '\n') begin--;
    uint32_t end = begin;
    while (text[end] == ' ' || text[end] == '\t') end++;
    return end - begin;
}

bool shape_is_indented(const shape *s, const token *t)
{
    if (s->depth == 0) return false;
    if (!(t->flags & TOKEN_FIRST_ON_LINE)) return true;
    return indentation(s, t) > indentation(s, &s->out.items[s->open[s->depth - 1].at]);
}

/* -- the list that is made --------------------------------------------------------------------------------------- */

/* More was put in than there is room for: what is made gets an array of its own. */
static void move_apart(shape *s)
{
    token *const made = s->out.items;
    s->out.items = arena_reserve(s->arena, NULL, &s->capacity, (size_t)s->out.count + s->in.count, sizeof(token));
    memcpy(s->out.items, made, s->out.count * sizeof(token));
    s->is_apart = true;
}

static bool is_behind_joint(const shape *s)
{
    uint16_t const before = s->out.count > 0 ? s->out.items[s->out.count - 1].kind : 0;
    return before == T_DOT || before == T_ARROW || before == T_TAG;
}

/* So many of those that were read are still looked at. */
#define LOOKED_AT 2

static void put(shape *s, token t)
{
    if (kind_is(t.kind, IS_WORD) && !is_behind_joint(s)) t.flags |= TOKEN_FREE;
    if (!s->is_apart && s->out.items + s->out.count + LOOKED_AT >= s->in.items + s->next) move_apart(s);
    if (s->is_apart)
        s->out.items = arena_reserve(s->arena, s->out.items, &s->capacity, (size_t)s->out.count + 1, sizeof(token));
    s->out.items[s->out.count++] = t;
}

void shape_put_missing(shape *s, uint16_t kind)
{
    uint32_t const at = s->in.items[s->next].begin;
    put(s, (token){kind, TOKEN_SYNTHETIC, at, at});
}

static uint16_t closing(uint16_t kind)
{
    return kind == T_LBRACE ? T_RBRACE : kind == T_LPAREN ? T_RPAREN : kind == T_LBRACKET ? T_RBRACKET : T_HASH_ENDIF;
}

static const char *spelling(uint16_t kind)
{
    return kind == T_LBRACE     ? "{"
           : kind == T_LPAREN   ? "("
           : kind == T_LBRACKET ? "["
           : kind == T_RBRACE   ? "}"
           : kind == T_RPAREN   ? ")"
                                : "]";
}

/* Where parentheses that were forgotten may have ended, so that the statements behind them are statements: before the
 * `;` that follows, or, those of `if (...)` and its like, before the block. */
static uint32_t likely_end(const shape *s, uint32_t opener_at, uint32_t outermost_at)
{
    uint16_t const before = outermost_at > 0 ? s->out.items[outermost_at - 1].kind : 0;
    bool const is_head = before == T_IF || before == T_WHILE || before == T_SWITCH || before == T_FOR;
    unsigned depth = 0;
    for (uint32_t i = opener_at + 1; i < s->out.count; i++) {
        uint16_t const kind = s->out.items[i].kind;
        if (depth == 0 && ((kind == T_SEMICOLON && before != T_FOR) || (kind == T_LBRACE && is_head))) return i;
        if (kind == T_LBRACE || kind == T_LPAREN || kind == T_LBRACKET) depth++;
        if ((kind == T_RBRACE || kind == T_RPAREN || kind == T_RBRACKET) && depth > 0) depth--;
    }
    return s->out.count;
}

static bool is_paren(const shape *s, unsigned depth)
{
    uint16_t const kind = s->out.items[s->open[depth].at].kind;
    return kind == T_LPAREN || kind == T_LBRACKET;
}

/* Adds what closes the innermost opener, down to a depth; of parentheses directly in each other, of all of them. */
static void add_closing(shape *s, unsigned down_to)
{
    uint32_t const innermost = s->open[s->depth - 1].at;
    unsigned count = 1;
    uint32_t at = s->out.count;
    if (is_paren(s, s->depth - 1)) {
        while (s->depth - count > down_to && is_paren(s, s->depth - count - 1)) count++;
        at = likely_end(s, innermost, s->open[s->depth - count].at);
    }
    for (unsigned i = 0; i < count; i++) put(s, (token){0});
    memmove(&s->out.items[at + count], &s->out.items[at], (s->out.count - count - at) * sizeof(token));
    bool const at_end = s->next >= s->in.count && at + count == s->out.count;
    uint32_t const offset = at_end ? s->in.in->size : at > 0 ? s->out.items[at - 1].end : 0;
    for (unsigned i = 0; i < count; i++) {
        uint16_t const kind = s->out.items[s->open[--s->depth].at].kind;
        s->out.items[at + i] = (token){closing(kind), TOKEN_SYNTHETIC, offset, offset};
    }
}

static void report_never_closed(shape *s, const opener *o)
{
    if (s->quiet || s->forgive) return;
    /* A string without an end may have swallowed what closes it. */
    if (s->open_quote != NOWHERE && s->open_quote > o->at) return;
    uint16_t const kind = s->out.items[o->at].kind;
    bool const out_of_line = kind == T_LBRACE && s->suspect != NOWHERE && s->suspect > o->at;
    span const where = shape_place_of(s, out_of_line ? s->suspect : o->at);
    diag_report *r = diag_at(s->diagnostics, UF0105, where, "this `%s` is never closed", spelling(kind));
    diag_help(r, "end it with `%s`", spelling(closing(kind)));
}

void shape_close_down_to(shape *s, unsigned depth)
{
    if (s->depth <= depth) return;
    report_never_closed(s, &s->open[s->depth - 1]);
    while (s->depth > depth) add_closing(s, depth);
    s->suspect = NOWHERE;
}

static void open_bracket(shape *s, token t, role as)
{
    if (s->depth == NESTING_LIMIT) {
        diag_report *r =
            diag_at(s->diagnostics, UF0108, shape_place(s, &t), "this is nested more than %u deep", NESTING_LIMIT);
        diag_help(r, "move what is inside into functions");
        s->stop = true;
        return;
    }
    s->open[s->depth++] = (opener){s->out.count, as, false};
    put(s, t);
}

/* -- closing ----------------------------------------------------------------------------------------------------- */

static void report_branch(shape *s, opener *branch, span where, const char *what)
{
    if (branch->reported || s->quiet) return;
    branch->reported = true;
    diag_report *r = diag_at(s->diagnostics, UF0109, where, "%s", what);
    diag_note(r, shape_place_of(s, branch->at), "the directive begins here");
    diag_help(r, "every branch of #if holds whole statements: move the brackets out of it, or their partners into it");
}

/* Remembers what may turn out to be the place of a fault. */
static void note_closed(shape *s, const token *t, const opener *partner)
{
    if (t->flags & TOKEN_FIRST_ON_LINE) {
        uint32_t const begin = indentation(s, &s->out.items[partner->at]), end = indentation(s, t);
        if (end < begin && s->suspect == NOWHERE) s->suspect = partner->at;
        if (end == begin && s->suspect != NOWHERE && s->suspect > partner->at) s->suspect = NOWHERE;
    }
    bool const is_worker = s->depth == 1; /* or a `}` too many has ended what was a flow */
    bool const is_on_init = s->depth == 2 && s->out.items[partner->at - 1].kind == T_INIT;
    bool const is_body =
        (s->depth == 3 && s->open[1].role == ROLE_TASK) || is_on_init || (is_worker && partner->role == ROLE_BRACKET);
    if (partner->role == ROLE_BRACKET && !is_body) return;
    s->closed[partner->role] = *partner;
    s->closed_by[partner->role] = s->out.count;
}

/* Is it the body of a function, among members? They end with `;`, so one is put behind it, and the grammar tells the rest. */
static bool ends_function(const shape *s, uint32_t brace)
{
    level const where = shape_level(s);
    uint16_t const next = shape_kind(s, s->next + 1);
    bool const is_last = next == T_RBRACE || next == T_STEP || next == T_TASK || next == T_ON || next == T_FOREVER;
    if ((where != LEVEL_FLOW && where != LEVEL_TASK) || !is_last) return false;
    if (brace < 3 || s->out.items[brace - 1].kind != T_RPAREN) return false;
    uint32_t at = brace - 1;
    for (unsigned depth = 0; at > 2; at--) {
        if (s->out.items[at].kind == T_RPAREN) depth++;
        if (s->out.items[at].kind == T_LPAREN && --depth == 0) break;
    }
    uint16_t const word = s->out.items[at - 2].kind;
    return word != T_STEP && word != T_TASK && word != T_FLOW;
}

/* `(x]`: neither has a partner in its statement, so the one was meant to close the other. Whether they have is a matter of
 * numbers: of each kind, what is open there against what follows up to the end of the statement. */
static bool closes_wrongly(const shape *s, uint16_t kind)
{
    uint16_t const opened = s->depth > 0 ? s->out.items[s->open[s->depth - 1].at].kind : 0;
    bool const is_pair = (opened == T_LPAREN && kind == T_RBRACKET) || (opened == T_LBRACKET && kind == T_RPAREN);
    if (!is_pair || s->open[s->depth - 1].role == ROLE_BRANCH) return false;
    int of_kind = 0, of_opened = 0; /* openers without an end */
    for (unsigned depth = s->depth; depth > 0; depth--) {
        uint16_t const outer = s->out.items[s->open[depth - 1].at].kind;
        if (outer == T_LBRACE || s->open[depth - 1].role == ROLE_BRANCH) break;
        if (outer == opened) of_opened++;
        else of_kind++;
    }
    for (uint32_t i = s->next + 1; i < s->in.count; i++) {
        uint16_t const after = shape_kind(s, i);
        if (after == T_SEMICOLON || after == T_LBRACE || after == T_RBRACE) break;
        if (after == opened) of_opened++;
        else if (after == closing(opened)) of_opened--;
        else if (after == kind) of_kind--;
        else if (after == T_LPAREN || after == T_LBRACKET) of_kind++;
    }
    return of_opened > 0 && of_kind <= 0;
}

static void close_bracket(shape *s, token t)
{
    if (closes_wrongly(s, t.kind)) {
        uint16_t const opened = s->out.items[s->open[s->depth - 1].at].kind;
        diag_report *r = diag_at(s->diagnostics, UF0106, shape_place(s, &t), "this `%s` does not close a `%s`",
                                 spelling(t.kind), spelling(opened));
        diag_note(r, shape_place_of(s, s->open[s->depth - 1].at), "the `%s` is here", spelling(opened));
        diag_help(r, "write `%s`, or open with `%s`", spelling(closing(opened)), t.kind == T_RPAREN ? "(" : "[");
        t.kind = closing(opened);
    }
    uint16_t const wanted = t.kind == T_RBRACE ? T_LBRACE : t.kind == T_RPAREN ? T_LPAREN : T_LBRACKET;
    /* Its partner, not across a brace, unless it is a brace itself, and not out of a branch. */
    unsigned depth = s->depth;
    while (depth > 0) {
        const opener *o = &s->open[depth - 1];
        uint16_t const kind = s->out.items[o->at].kind;
        if (o->role == ROLE_BRANCH || kind == wanted || kind == T_LBRACE) break;
        depth--;
    }
    opener *const partner = depth > 0 ? &s->open[depth - 1] : NULL;
    if (partner && partner->role == ROLE_BRANCH) {
        report_branch(s, partner, shape_place(s, &t), "this closes what was opened outside of the branch");
        return;
    }
    if (!partner || s->out.items[partner->at].kind != wanted) {
        if (s->forgive) return;
        diag_report *r =
            diag_at(s->diagnostics, UF0106, shape_place(s, &t), "this `%s` closes nothing", spelling(t.kind));
        diag_help(r, "remove it, or open it before");
        return;
    }
    shape_close_down_to(s, depth);
    if (t.kind == T_RBRACE) note_closed(s, &t, partner);
    uint32_t const opened_at = partner->at;
    s->depth--;
    put(s, t);
    if (t.kind == T_RBRACE && ends_function(s, opened_at)) put(s, (token){T_SEMICOLON, TOKEN_SYNTHETIC, t.end, t.end});
}

/* An #if that is open, in the look ahead at all of them. */
typedef struct group {
    uint32_t at;
    uint32_t first; /* the first bracket that is open in the present branch */
    unsigned open;
    uint32_t unbalanced; /* the first bracket without a partner in its branch; NOWHERE: none */
} group;

static void end_branch(group *g)
{
    if (g->open > 0 && g->unbalanced == NOWHERE) g->unbalanced = g->first;
    g->open = 0;
}

/* Finds out of every #if whether it has its #endif, and whether its branches are balanced: `branches` has for each the
 * first bracket that is not, NOWHERE, or its own place if it has no #endif. Brackets count in the innermost branch
 * alone. */
static void look_at_branches(const shape *s, uint32_t *branches)
{
    group *groups = NULL;
    size_t count = 0, capacity = 0;
    for (uint32_t i = 0; i < s->in.count; i++) {
        uint16_t const kind = shape_kind(s, i);
        if (kind == T_HASH_IF) {
            groups = memory_reserve(groups, &capacity, count + 1, sizeof *groups);
            groups[count++] = (group){i, NOWHERE, 0, NOWHERE};
            branches[i] = i;
            continue;
        }
        if (count == 0) continue;
        group *const g = &groups[count - 1];
        if (kind == T_HASH_ELIF || kind == T_HASH_ELSE || kind == T_HASH_ENDIF) {
            end_branch(g);
            if (kind != T_HASH_ENDIF) continue;
            branches[g->at] = g->unbalanced;
            count--;
        } else if (kind == T_LBRACE || kind == T_LPAREN || kind == T_LBRACKET) {
            if (g->open++ == 0) g->first = i;
        } else if (kind == T_RBRACE || kind == T_RPAREN || kind == T_RBRACKET) {
            if (g->open > 0) g->open--;
            else if (g->unbalanced == NOWHERE) g->unbalanced = i;
        }
    }
    memory_free(groups);
}

/* Branches that are not balanced are one fault; then the first one is taken as if nothing depended on a macro. */
static void begin_branches(shape *s, token t)
{
    uint32_t const unbalanced = s->branches[s->next];
    if (unbalanced == s->next) {
        diag_report *r =
            diag_at(s->diagnostics, UF0105, shape_place(s, &t), "this conditional directive is never closed");
        diag_help(r, "end it with `#endif`");
        return;
    }
    if (s->if_depth == NESTING_LIMIT) {
        open_bracket(s, t, ROLE_BRANCH);
        return;
    }
    s->broken[s->if_depth++] = unbalanced != NOWHERE;
    if (unbalanced == NOWHERE) {
        open_bracket(s, t, ROLE_BRANCH);
    } else {
        diag_report *r = diag_at(s->diagnostics, UF0109, shape_place(s, &s->in.items[unbalanced]),
                                 "this `%s` has no partner in its branch of #if", spelling(shape_kind(s, unbalanced)));
        diag_note(r, shape_place(s, &t), "the directive begins here");
        diag_help(r, "every branch of #if holds whole statements: move the bracket out of it, or its partner into it");
        s->forgive = true;
    }
}

static void next_branch(shape *s, token t)
{
    if (s->if_depth > 0 && s->broken[s->if_depth - 1]) {
        unsigned inner = 1;
        while (t.kind != T_HASH_ENDIF && s->next + 1 < s->in.count && inner > 0) {
            uint16_t const kind = shape_kind(s, ++s->next);
            if (kind == T_HASH_IF) inner++;
            if (kind == T_HASH_ENDIF) inner--;
        }
        s->if_depth--;
        return;
    }
    unsigned depth = s->depth;
    while (depth > 0 && s->open[depth - 1].role != ROLE_BRANCH) depth--;
    if (depth == 0) {
        if (s->reported_directive) return;
        const char *name = t.kind == T_HASH_ENDIF ? "#endif" : "#else or #elif";
        diag_report *r = diag_at(s->diagnostics, UF0110, shape_place(s, &t), "this %s belongs to no #if", name);
        diag_help(r, "remove it, or write the #if before it");
        return;
    }
    if (s->depth > depth) {
        report_branch(s, &s->open[depth - 1], shape_place_of(s, s->open[s->depth - 1].at),
                      "this is not closed in its branch of #if");
        while (s->depth > depth) add_closing(s, depth);
    }
    if (t.kind == T_HASH_ENDIF) {
        s->depth--;
        if (s->if_depth > 0) s->if_depth--;
    }
    put(s, t);
}

/* -- all of them ------------------------------------------------------------------------------------------------- */

/* Outside of bodies, the grammar has no directives; `#if 0 ... #endif` says nothing, and may be there. */
static void directive_outside(shape *s, const token *t)
{
    if ((t->flags & TOKEN_SKIPS) && t->kind == T_HASH_IF && shape_kind(s, s->next + 1) == T_HASH_ENDIF) {
        s->next++;
        return;
    }
    bool const follows_another = s->next > 0 && kind_is(s->in.items[s->next - 1].kind, IS_DIRECTIVE);
    bool const is_conditional = t->kind != T_HASH_LINE;
    if (!follows_another && !(is_conditional && s->reported_directive)) {
        diag_report *r = diag_at(s->diagnostics, UF0204, shape_place(s, t),
                                 "a directive outside of a body and of a `header` or `source` block");
        if (is_conditional)
            diag_help(r,
                      "put it into a body, around whole statements; a part can be left out with `#if 0` and `#endif`");
        else diag_help(r, "put it into `header { … }` or `source { … }`");
    }
    s->reported_directive = s->reported_directive || is_conditional;
}

/* `_Pragma("...")` at the begin of a statement is a directive like another, and may stand before a loop. */
static bool take_pragma(shape *s, token t)
{
    uint32_t const at = s->next;
    bool const is_pragma = t.kind == T_IDENT && shape_kind(s, at + 1) == T_LPAREN &&
                           shape_kind(s, at + 2) == T_STRING && shape_kind(s, at + 3) == T_RPAREN &&
                           token_is(&s->in, at, "_Pragma");
    if (!is_pragma || shape_level(s) != LEVEL_INSIDE || !shape_at_boundary(s)) return false;
    t.kind = T_HASH_LINE;
    t.end = s->in.items[at + 3].end;
    s->next = at + 3;
    put(s, t);
    return true;
}

/* Inside of a body a name is more than that only where a statement can begin; of the rest only words of ours are. */
static bool is_settled(const shape *s, const token *t)
{
    if (shape_level(s) != LEVEL_INSIDE) return false;
    switch (t->kind) {
    case T_IDENT: return !shape_at_boundary(s);
    case T_NUMBER:
    case T_STRING:
    case T_CHARACTER:
    case T_OPERATOR:
    case T_COMMA:
    case T_COLON:
    case T_ARROW:
    case T_DOT: return true;
    default: return false;
    }
}

/* The braces of a type that is defined among the parameters of a head. */
static bool take_tag(shape *s)
{
    uint32_t const behind = s->depth > s->head_depth ? shape_behind_tag(s, s->next) : s->next;
    if (behind == s->next) return false;
    while (s->next < behind) put(s, s->in.items[s->next++]);
    s->next--;
    return true;
}

/* `task Close {{`, `await {{`: neither members nor arms begin with a brace. */
static bool is_doubled(const shape *s)
{
    if (s->out.count < 2 || s->out.items[s->out.count - 1].kind != T_LBRACE || s->in_head) return false;
    level const where = shape_level(s);
    return where == LEVEL_FLOW || where == LEVEL_TASK || s->out.items[s->out.count - 2].kind == T_AWAIT;
}

/* `{ until (…) -> …`, where a statement can begin: arms without their word. */
static bool lacks_await(const shape *s)
{
    if (shape_level(s) != LEVEL_INSIDE || s->in_head || s->pending != ROLE_BRACKET || !shape_at_boundary(s))
        return false;
    return shape_begins_arm(s, s->next + 1, true);
}

static void take(shape *s, token t)
{
    if (s->missing_before == s->next) {
        uint32_t const offset = s->out.items[s->out.count - 1].end;
        s->missing_before = NOWHERE;
        take(s, (token){s->missing, TOKEN_SYNTHETIC, offset, offset});
    }
    if (take_pragma(s, t)) return;
    switch (t.kind) {
    case T_LBRACE:
        if (is_doubled(s)) {
            diag_report *r = diag_at(s->diagnostics, UF0201, shape_place(s, &t), "`{` is not expected here");
            diag_help(r, "remove it: the one before it is enough");
            return;
        }
        if (lacks_await(s)) shape_add_missing(s, T_AWAIT, "await");
        if (s->in_head && take_tag(s)) return;
        if (s->in_head) shape_close_down_to(s, s->head_depth);
        s->in_head = false;
        open_bracket(s, t, s->pending);
        s->pending = ROLE_BRACKET;
        return;
    case T_LPAREN:
    case T_LBRACKET: open_bracket(s, t, ROLE_BRACKET); return;
    case T_RBRACE:
    case T_RPAREN:
    case T_RBRACKET:
        if (t.kind == T_RBRACE) s->in_head = false;
        close_bracket(s, t);
        return;
    case T_SEMICOLON:
        s->in_head = false;
        put(s, t);
        return;
    case T_HASH_IF:
        if (shape_level(s) != LEVEL_INSIDE) directive_outside(s, &t);
        else begin_branches(s, t);
        return;
    case T_HASH_ELIF:
    case T_HASH_ELSE:
    case T_HASH_ENDIF:
        if (shape_level(s) != LEVEL_INSIDE && !(s->if_depth > 0 && s->broken[s->if_depth - 1]))
            directive_outside(s, &t);
        else next_branch(s, t);
        return;
    case T_HASH_LINE:
        if (shape_level(s) != LEVEL_INSIDE) directive_outside(s, &t);
        else put(s, t);
        return;
    default:
        if (t.flags & TOKEN_OPEN_QUOTE) s->open_quote = s->out.count;
        if (!is_settled(s, &t)) shape_resolve_word(s, &t);
        put(s, t);
        return;
    }
}

/* Does every bracket, and every #if, have its partner, in its branch? */
static bool is_balanced(const token_list *list)
{
    uint16_t open[NESTING_LIMIT];
    unsigned depth = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        uint16_t const kind = list->items[i].kind;
        if (kind == T_HASH_IF || kind_is(kind, OPENS_BRACKET)) {
            if (depth == NESTING_LIMIT) return false;
            open[depth++] = kind == T_HASH_IF ? T_HASH_ENDIF : closing(kind);
        } else if (kind == T_HASH_ELIF || kind == T_HASH_ELSE) {
            if (depth == 0 || open[depth - 1] != T_HASH_ENDIF) return false;
        } else if (kind == T_HASH_ENDIF || kind_is(kind, CLOSES_BRACKET)) {
            if (depth == 0 || open[--depth] != kind) return false;
        }
    }
    return depth == 0;
}

token_list shape_tokens(arena *a, diagnostics *d, scanned from)
{
    token_list const in = from.tokens;
    if (is_balanced(&in)) return in;
    shape s = {.arena = a,
               .diagnostics = d,
               .in = in,
               .pending = ROLE_BRACKET,
               .suspect = NOWHERE,
               .open_quote = NOWHERE,
               .missing_before = NOWHERE,
               .closed_by = {NOWHERE, NOWHERE, NOWHERE}};
    s.out.in = in.in;
    s.out.items = in.items - from.room;
    uint32_t *const branches = from.has_branches ? memory_alloc(in.count, sizeof *branches) : NULL;
    if (branches) look_at_branches(&s, branches);
    s.branches = branches;
    while (s.next < in.count && !s.stop) {
        take(&s, in.items[s.next]);
        s.next++;
    }
    s.quiet = from.truncated || s.stop;
    shape_close_down_to(&s, 0);
    if (s.stop) s.out.count = 0;

    memory_free(branches);
    return s.out;
}
