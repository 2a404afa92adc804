/* SPDX-License-Identifier: MIT */
/* Members are found by their words, so that a new kind of member needs no row here; statements by the AST. */
#include "places.h"

#include "uflow_parse.h"
#include "walk.h"
#include "words.h"

typedef struct finder {
    const token_list *list;
    place *places;
    uint32_t *partners; /* of brackets */
} finder;

static void set_gap(finder *f, uint32_t at, uint32_t gap)
{
    f->places[at].flags |= PLACE_GAP;
    f->places[at].gap = gap;
}

static void set_start(finder *f, uint32_t at, int extra)
{
    f->places[at].flags |= PLACE_START;
    f->places[at].extra = (int16_t)extra;
}

static bool is_on_one_line(const finder *f, uint32_t first, uint32_t last)
{
    uint32_t const begin = f->list->items[first].begin;
    return !memchr(f->list->in->text + begin, '\n', f->list->items[last].begin - begin);
}

static uint32_t *find_partners(arena *a, const token_list *list)
{
    uint32_t *const partners = ARENA_ARRAY(a, uint32_t, list->count + 1);
    uint32_t open = list->count; /* the innermost open bracket; it has the next outer one as its partner */
    for (uint32_t i = 0; i < list->count; i++) {
        if (token_has(list, i, OPENS_BRACKET)) {
            partners[i] = open;
            open = i;
        } else if (token_has(list, i, CLOSES_BRACKET)) {
            uint32_t const outer = partners[open];
            partners[open] = i;
            partners[i] = open;
            open = outer;
        }
    }
    return partners;
}

/* -- members ------------------------------------------------------------------------------------------------------- */

typedef struct member {
    uint32_t first, end;
    uint32_t brace;     /* of a body or of members; 0: none */
    bool has_word;      /* begins with a word of the language; otherwise it is a field */
    bool holds_members; /* a flow, a group, a task, a test */
} member;

static member read_member(const finder *f, uint32_t first, uint32_t end)
{
    const token_list *const list = f->list;
    uint16_t const word = list->items[first].kind;
    bool const is_test = word == T_TEST && token_kind(list, first + 1) == T_STRING;
    uint16_t const head =
        word == T_FOREVER || word == T_SHUTDOWN || word == T_DURABLE ? token_kind(list, first + 1) : word;
    member m = {.first = first, .has_word = kind_is(word, IS_MEMBER)};
    bool has_body = m.has_word;
    for (m.end = first; m.end < end; m.end++) {
        uint16_t const kind = list->items[m.end].kind;
        if (kind == T_SEMICOLON || kind == T_BLOCK_TEXT) break;
        if (token_is(list, m.end, "=")) has_body = false;
        if (!kind_is(kind, OPENS_BRACKET)) continue;
        if (kind == T_LBRACE && has_body) m.brace = m.end;
        m.end = f->partners[m.end];
        if (m.brace) break;
    }
    if (m.end < end) m.end++;
    m.holds_members = m.brace && ((kind_is(head, IS_HEAD) && head != T_STEP) || is_test);
    return m;
}

/* `flow A { task B { step C { done; } } }` may stay on a line: there is one member inside each. */
static bool stays_on_line(const finder *f, member m)
{
    while (m.holds_members) {
        uint32_t const close = f->partners[m.brace];
        if (!is_on_one_line(f, m.brace, close)) return false;
        if (m.brace + 1 == close) return true;
        m = read_member(f, m.brace + 1, close);
        if (m.end != close) return false;
    }
    return true;
}

/* One blank between the braces of a body and what is in it on their lines. */
static void find_in_brace(finder *f, uint32_t brace)
{
    f->places[brace].flags |= PLACE_JOIN;
    set_gap(f, brace, 1);
    if (f->list->items[brace].kind == T_BLOCK_TEXT) return;
    set_gap(f, brace + 1, 1);
    set_gap(f, f->partners[brace], 1);
}

/* The head of a member, up to its arrow: what follows that may be C, unless it is a type. */
static void find_in_head(finder *f, const member *m)
{
    const token_list *const list = f->list;
    bool is_c = false;
    for (uint32_t i = m->first + 1; i < m->end; i++) {
        uint16_t const kind = list->items[i].kind, before = list->items[i - 1].kind;
        bool const is_mark = kind == T_SEMICOLON || kind == T_COMMA || kind == T_COLON;
        bool const is_params = kind == T_LPAREN && i > m->first + 1 && token_has(list, i - 2, IS_HEAD);
        bool const is_apart = list->items[i].begin > list->items[i - 1].end || kind == T_ARROW || before == T_ARROW ||
                              before == T_COMMA || before == T_COLON;
        bool const is_claim = before == T_ALWAYS || before == T_SOMETIMES;
        if (kind == T_ELSE) set_start(f, i, 1);
        if (kind == T_SEMICOLON || (!is_c && (is_mark || is_params))) set_gap(f, i, 0);
        else if (kind == T_ELSE || (!is_c && is_apart) || is_claim) set_gap(f, i, 1);
        is_c = is_c || (before == T_ARROW && !m->holds_members);
        if (i == m->brace || kind == T_BLOCK_TEXT) {
            find_in_brace(f, i);
            return;
        }
        if (kind_is(kind, OPENS_BRACKET)) i = f->partners[i];
    }
}

/* Flows, groups and tasks of several lines stand apart from each other. */
static void find_members(finder *f, uint32_t first, uint32_t end, bool breaks)
{
    bool is_behind = false, is_behind_long = false; /* one of them */
    for (uint32_t at = first; at < end;) {
        if (token_is_directive(f->list, at) || f->list->items[at].kind == T_SEMICOLON) {
            is_behind = false;
            at++;
            continue;
        }
        member const m = read_member(f, at, end);
        bool const is_long = m.holds_members && !stays_on_line(f, m);
        set_start(f, at, 0);
        if (breaks) f->places[at].flags |= PLACE_BREAK;
        if (m.holds_members && is_behind && (is_long || is_behind_long)) f->places[at].flags |= PLACE_APART;
        if (m.has_word) find_in_head(f, &m);
        if (m.holds_members) find_members(f, m.brace + 1, f->partners[m.brace], is_long);
        if (is_long) f->places[f->partners[m.brace]].flags |= PLACE_BREAK;
        is_behind = m.holds_members;
        is_behind_long = is_long;
        at = m.end;
    }
}

/* -- statements ---------------------------------------------------------------------------------------------------- */

/* An outcome behind `->` or `else`. */
static void find_outcome(finder *f, const ast_outcome *outcome)
{
    uint32_t const at = token_from(f->list, outcome->at.begin);
    uint16_t const before = token_kind(f->list, at - 1);
    if (before != T_ELSE && before != T_ARROW) return;
    if (before == T_ELSE) set_start(f, at - 1, 1);
    set_gap(f, at - 1, 1);
    set_gap(f, at, 1);
}

static uint32_t width_of(const char *text, uint32_t length)
{
    uint32_t width = 0;
    for (uint32_t i = 0; i < length; i++) width += ((unsigned char)text[i] & 0xC0) != 0x80;
    return width;
}

/* The columns that an arm on lines of its own takes before its arrow; 0: its arrow is not aligned. */
static uint32_t width_of_arm(const finder *f, const ast_arm *arm)
{
    uint32_t const first = token_from(f->list, arm->at.begin), arrow = token_from(f->list, arm->outcome->at.begin) - 1;
    const token *const items = f->list->items;
    bool const is_aligned =
        (items[first].flags & TOKEN_FIRST_ON_LINE) && items[arrow].kind == T_ARROW && is_on_one_line(f, first, arrow);
    return is_aligned ? width_of(f->list->in->text + items[first].begin, items[arrow - 1].end - items[first].begin) : 0;
}

/* Aligns the arrows of neighbours whose widths differ by less than this. */
enum { ALIGNED_WITHIN = 32 };

static void align_arrows(finder *f, const ast_arm *arms)
{
    for (const ast_arm *first = arms; first;) {
        uint32_t least = UINT32_MAX, most = 0;
        const ast_arm *end = first;
        for (; end; end = end->next) {
            uint32_t const width = width_of_arm(f, end);
            if (width == 0) continue;
            uint32_t const low = width < least ? width : least, high = width > most ? width : most;
            if (high - low >= ALIGNED_WITHIN) break;
            least = low;
            most = high;
        }
        for (const ast_arm *arm = first; arm != end; arm = arm->next) {
            uint32_t const width = width_of_arm(f, arm);
            if (width > 0) set_gap(f, token_from(f->list, arm->outcome->at.begin) - 1, most - width + 1);
        }
        first = end;
    }
}

static void find_statements(finder *f, const ast_statement *list, int extra);

/* The statement after a head; a block is not indented, but what is in it. */
static void find_inner(finder *f, const ast_statement *inner, int extra)
{
    find_statements(f, inner, inner && inner->kind == STATEMENT_BLOCK ? extra : extra + 1);
}

static void find_arms(finder *f, const ast_statement *s)
{
    for (const ast_arm *arm = s->arms; arm; arm = arm->next) {
        set_gap(f, token_from(f->list, arm->at.begin), 1);
        find_outcome(f, arm->outcome);
        if (arm->otherwise) find_outcome(f, arm->otherwise);
    }
    align_arrows(f, s->arms);
}

static void find_statement(finder *f, const ast_statement *s, int extra)
{
    bool const is_label = s->kind == STATEMENT_CASE || s->kind == STATEMENT_LABEL;
    set_start(f, token_from(f->list, s->at.begin), is_label ? extra - 1 : extra);
    if (s->kind == STATEMENT_BLOCK) find_statements(f, s->body, 0);
    else find_inner(f, s->body, extra);
    if (s->kind == STATEMENT_DO) set_start(f, s->condition.first - 2, extra); /* its `while` */
    if (s->kind == STATEMENT_AWAIT) find_arms(f, s);
    if (s->outcome && s->kind != STATEMENT_OUTCOME) find_outcome(f, s->outcome); /* of `stay` or `spawn` */
    for (const ast_branch *branch = s->branches; branch; branch = branch->next) find_statements(f, branch->body, extra);
}

static void find_statements(finder *f, const ast_statement *list, int extra)
{
    for (; list; list = list->next) {
        for (const ast_statement *s = list; s; s = ast_else_if(s)) {
            find_statement(f, s, extra);
            if (!s->otherwise) continue;
            set_start(f, token_from(f->list, s->otherwise->at.begin) - 1, extra); /* the `else` */
            if (!ast_else_if(s)) find_inner(f, s->otherwise, extra);
        }
    }
}

static void find_body(const body_site *site, void *context)
{
    bool const is_claim = site->hook && hook_infos[site->hook->kind].form == HOOK_IS_CLAIM;
    if (!is_claim) find_statements(context, site->body->first, 0);
}

static void find_bodies(finder *f, const ast_file *file)
{
    for (const ast_worker *worker = file->workers; worker; worker = worker->next)
        find_statements(f, worker->body.first, 0);
    for (ast_flow *flow = NULL; (flow = ast_next_flow(file, flow)) != NULL;) walk_bodies(flow, find_body, f);
}

place *find_places(arena *a, const ast_file *file)
{
    const token_list *const list = &file->tokens;
    finder f = {.list = list, .places = ARENA_ARRAY(a, place, list->count + 1), .partners = find_partners(a, list)};
    find_members(&f, 0, list->count, true);
    find_bodies(&f, file);
    return f.places;
}
