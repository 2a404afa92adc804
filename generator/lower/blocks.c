/* SPDX-License-Identifier: MIT */
/* Lowers blocks of C. A `header` block is divided. Declarations get C linkage in C++; includes may hold C++ of their
 * own, and stand outside the header's extern "C". */
#include "scan.h"
#include "tables.h"

/* Deeper branches of `#if` are not divided. */
#define DEPTH_LIMIT 32u

/* `kind` is the kind of the current part; BLOCK_SOURCE: no token of the first part has decided it. A declaration
 * `begins` after `}`, `;`, macros without a `;`, and at the start of the block. */
typedef struct place_in_block {
    uint32_t begin; /* of the part */
    block_kind kind;
    uint32_t braces; /* open ones */
    bool begins;
    bool has_name;   /* the last token is the name of a macro */
    uint32_t parens; /* open ones of a macro */
} place_in_block;

typedef struct divider {
    lowering *l;
    const source *in;
    scanner scan;
    uint32_t behind; /* the end of the last token, if it was a directive; a part then begins with the comments here */
    place_in_block now, at_if[DEPTH_LIMIT];
    uint32_t depth; /* open branches */
} divider;

static void add_part(divider *d, uint32_t end)
{
    TABLE_ADD(d->l, blocks, block_count, (ir_block){{d->in, d->now.begin, end}, d->now.kind});
    d->now.begin = end;
}

/* From this token on, the text is of that kind. */
static void change(divider *d, block_kind kind, const token *t)
{
    if (d->now.kind == kind) return;
    bool const decides = d->now.kind == BLOCK_SOURCE;
    uint32_t const end = d->behind ? d->behind : t->begin;
    for (uint32_t i = 0; i < d->depth && decides; i++) d->at_if[i].kind = kind;
    if (!decides && end > d->now.begin) add_part(d, end);
    d->now.kind = kind;
}

/* Whether the group of `#if` that begins here holds more than directives. */
static bool holds_c(const divider *d)
{
    scanner ahead = d->scan;
    uint32_t open = 1;
    for (token t; open > 0 && scan_next(&ahead, &t);) {
        if (!kind_is(t.kind, IS_DIRECTIVE)) return true;
        if (branch_is(&t, "#if")) open++;
        if (branch_is(&t, "#endif")) open--;
    }
    return false;
}

/* The preprocessor may omit a branch. So each branch begins in the place of its `#if`, and ends in a part of the same
 * kind. A part that began in the branch ends with it, and the next part gets a #line of its own. A branch may hold half
 * a declaration. */
static void pass_branch(divider *d, const token *t)
{
    if (branch_is(t, "#if")) {
        bool const is_divided = d->depth < DEPTH_LIMIT; /* so this looks ahead in linear time */
        if (is_divided && d->now.kind == BLOCK_INCLUDES && holds_c(d)) change(d, BLOCK_HEADER, t);
        if (is_divided) d->at_if[d->depth] = d->now;
        d->depth++;
        return;
    }
    bool const ends = branch_is(t, "#endif");
    if (d->depth == 0) return;
    if (d->depth <= DEPTH_LIMIT) {
        place_in_block const then = d->at_if[d->depth - 1];
        change(d, then.kind, t);
        if (d->now.begin != then.begin) add_part(d, t->end);
        uint32_t const begin = d->now.begin;
        if (!ends) d->now = then;
        d->now.begin = begin;
    }
    d->depth -= ends;
}

/* `BEGIN_DECLS`, `DECLARE(int, x)`: a name at the beginning of a declaration, and the text in its parentheses. A second
 * name in its line shows that the first one is a type. */
static bool is_macro(place_in_block *now, const token_list *one)
{
    const token *const t = one->items;
    now->parens += token_is(one, 0, "(") && (now->parens > 0 || now->has_name);
    if (now->parens > 0) {
        now->parens -= token_is(one, 0, ")");
        now->has_name = false;
        return now->begins;
    }
    bool const is_name = token_is_name(one, 0) && !(t->flags & TOKEN_WORDS_OF_C);
    bool const begins = now->begins && is_name && (!now->has_name || (t->flags & TOKEN_FIRST_ON_LINE));
    now->has_name = begins;
    return begins;
}

static void pass_c(divider *d, const token *t)
{
    token_list const one = {d->in, (token *)t, 1};
    bool const closes = token_is(&one, 0, "}");
    change(d, BLOCK_HEADER, t);
    if (token_is(&one, 0, "{")) d->now.braces++;
    if (closes && d->now.braces > 0) d->now.braces--;
    d->now.begins = is_macro(&d->now, &one) || closes || token_is(&one, 0, ";");
}

static bool is_include(span directive)
{
    return scan_directive_is(directive, "include") || scan_directive_is(directive, "include_next") ||
           scan_directive_is(directive, "import");
}

static void pass(divider *d, const token *t)
{
    bool const is_free = d->now.begins && d->now.braces == 0;
    if (kind_is(t->kind, IS_BRANCH)) pass_branch(d, t);
    else if (d->depth > DEPTH_LIMIT) return;
    else if (!kind_is(t->kind, IS_DIRECTIVE)) pass_c(d, t);
    else if (is_include((span){d->in, t->begin, t->end})) change(d, is_free ? BLOCK_INCLUDES : BLOCK_HEADER, t);
    d->behind = kind_is(t->kind, IS_DIRECTIVE) ? t->end : 0;
}

void lower_block(lowering *l, const ast_text_block *block)
{
    span const text = block->inside;
    bool const is_header = block->kind == BLOCK_HEADER;
    const unsigned char *const all = (const unsigned char *)text.in->text;
    divider d = {.l = l,
                 .in = text.in,
                 .now = {.begin = text.begin, .kind = is_header ? BLOCK_SOURCE : block->kind, .begins = true}};
    d.scan = (scanner){.text = all, .cursor = all + text.begin, .limit = all + text.in->size, .line_start = true};
    user_lines lines = {.l = l, .end = text.end};
    for (token t; scan_next(&d.scan, &t) && t.begin < text.end;) {
        if (is_header) pass(&d, &t);
        if (kind_is(t.kind, IS_DIRECTIVE)) lower_user_line(&lines, text.in, &t);
    }
    if (is_header && d.now.kind == BLOCK_SOURCE) d.now.kind = BLOCK_HEADER;
    add_part(&d, text.end);
}
