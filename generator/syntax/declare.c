/* SPDX-License-Identifier: MIT */
/* Finds the declarations in a run of tokens. ufc knows no types, so it uses the shape: `a b`, `a *b` and `a (*b)(…)`
 * declare `b`, for any `a`. */
#include "declare.h"

#include "uflow_parse.h"
#include "words.h"

typedef struct reader {
    arena *arena;
    const token_list *list;
    uint32_t at, end;
} reader;

/* -- kinds of words ---------------------------------------------------------------------------------------------- */

static bool has_flag(const token_list *list, uint32_t at, uint16_t flag)
{
    return (list->items[at].flags & flag) != 0;
}

bool declare_is_attribute(const token_list *list, uint32_t at)
{
    return has_flag(list, at, TOKEN_ATTRIBUTE);
}

static uint16_t kind_at(const reader *r, uint32_t at)
{
    return at < r->end ? r->list->items[at].kind : 0;
}

static bool is_word_token(const reader *r, uint32_t at)
{
    return at < r->end && token_is_word(r->list, at);
}

/* A name of a type or of a variable. */
static bool is_identifier(const reader *r, uint32_t at)
{
    return is_word_token(r, at) && !has_flag(r->list, at, TOKEN_WORDS_OF_C);
}

/* The token after the closing bracket of the one that opens there. */
static uint32_t behind_group(const reader *r, uint32_t at)
{
    uint32_t const closing = closing_bracket((token_range){r->list, at, r->end}, at);
    return closing < r->end ? closing + 1 : r->end;
}

/* Attributes in either spelling. */
static uint32_t behind_attributes(const reader *r, uint32_t at)
{
    for (;;) {
        if (kind_at(r, at) == T_LBRACKET && kind_at(r, at + 1) == T_LBRACKET) at = behind_group(r, at);
        else if (at < r->end && declare_is_attribute(r->list, at))
            at = kind_at(r, at + 1) == T_LPAREN ? behind_group(r, at + 1) : at + 1;
        else return at;
    }
}

static bool is_star(const reader *r, uint32_t at)
{
    return kind_at(r, at) == T_OPERATOR && token_is_one_of(r->list, at, "* ^");
}

/* `*const p`, `*_Atomic p`; `_Atomic(int)` is a type. */
static bool is_qualifier(const reader *r, uint32_t at)
{
    if (!is_word_token(r, at)) return false;
    return has_flag(r->list, at, TOKEN_SPECIFIER) ||
           (has_flag(r->list, at, TOKEN_TYPEOF) && kind_at(r, at + 1) != T_LPAREN);
}

static uint32_t behind_stars(const reader *r, uint32_t at)
{
    for (;;) {
        at = behind_attributes(r, at);
        if (is_star(r, at) || is_qualifier(r, at)) at++;
        else return at;
    }
}

/* -- specifiers -------------------------------------------------------------------------------------------------- */

typedef struct specifier_facts {
    bool certain; /* a word of C says so */
    bool has_type;
    bool has_body; /* it defines a struct, union or enum */
} specifier_facts;

static bool ends_declarator(const reader *r, uint32_t at)
{
    uint16_t const kind = kind_at(r, at);
    return kind == 0 || kind == T_COMMA || kind == T_COLON || kind == T_LBRACKET ||
           (kind == T_OPERATOR && token_is(r->list, at, "="));
}

/* Is a word of C for a type between the brackets that open there? */
static bool holds_type(const reader *r, uint32_t open)
{
    uint32_t const end = behind_group(r, open);
    for (uint32_t i = open; i < end; i++) {
        if (kind_at(r, i) == T_TAG || has_flag(r->list, i, TOKEN_TYPE)) return true;
    }
    return false;
}

/* `ALIGNED(16) int x`, `ALIGNED(16) T x`: a macro before the type. */
static bool is_prefix(const reader *r, uint32_t at)
{
    if (!is_identifier(r, at) || kind_at(r, at + 1) != T_LPAREN) return false;
    uint32_t const next = behind_group(r, at + 1);
    if (kind_at(r, next) == T_TAG) return true;
    if (is_identifier(r, next)) return is_identifier(r, next + 1) || is_star(r, next + 1);
    return next < r->end && has_flag(r->list, next, TOKEN_TYPE | TOKEN_SPECIFIER | TOKEN_TYPEOF);
}

/* `VEC(int) x`, `LIST(node) *x`: a macro that expands to the type. `EACH(i, n) x = i;` is a loop. */
static bool is_macro_type(const reader *r, uint32_t at)
{
    if (kind_at(r, at + 1) != T_LPAREN) return false;
    uint32_t const next = behind_group(r, at + 1), name = behind_stars(r, next);
    if (!is_identifier(r, name) || (token_in_capitals(r->list, name) && !token_in_capitals(r->list, at)))
        return false; /* `T (x) UNUSED` */
    uint16_t const after = kind_at(r, name + 1);
    if (holds_type(r, at + 1)) return true;
    return kind_at(r, name) == T_IDENT && (after == 0 || after == T_COMMA); /* `f() done` lacks a `;` */
}

/* `T ALIGNED(16) x`, `int ALIGNED(16) *x`: a macro after the type. `int f(void) NORETURN` declares f. */
static bool is_infix(const reader *r, uint32_t at)
{
    if (kind_at(r, at + 1) != T_LPAREN || !token_in_capitals(r->list, at)) return false;
    uint32_t const next = behind_group(r, at + 1);
    return is_star(r, next) || (is_identifier(r, next) && !token_in_capitals(r->list, next));
}

static uint32_t grouped_name(const reader *r, uint32_t open);

/* Another name after the apparent type, before the declarator: `T UNUSED *p`, `UNUSED T *p`, `UNUSED T (x)`. */
static bool is_type_yet(const reader *r, uint32_t type, uint32_t at)
{
    if (is_star(r, at + 1)) return true;
    return kind_at(r, at + 1) == T_LPAREN && token_in_capitals(r->list, type) && !token_in_capitals(r->list, at) &&
           grouped_name(r, at + 1) != UINT32_MAX;
}

/* Reads specifiers from r->at on, and moves it after them. */
static specifier_facts read_specifiers(reader *r)
{
    specifier_facts s = {0};
    uint32_t type = UINT32_MAX; /* the name that is assumed to be the type */
    for (;;) {
        uint32_t const at = behind_attributes(r, r->at);
        if (at != r->at) {
            r->at = at;
        } else if (kind_at(r, at) == T_TAG) {
            r->at = behind_attributes(r, at + 1);
            if (is_word_token(r, r->at)) r->at++;
            if (kind_at(r, r->at) == T_COLON && kind_at(r, r->at + 1) != T_NUMBER) { /* enum e : type { */
                uint32_t const brace = r->at + 2;
                if (kind_at(r, brace) == T_LBRACE) r->at = brace;
            }
            if (kind_at(r, r->at) == T_LBRACE) {
                r->at = behind_group(r, r->at);
                s.has_body = true;
            }
            s.certain = s.has_type = true;
        } else if (kind_is(kind_at(r, at), IS_DIRECTIVE)) {
            r->at++;
        } else if (!is_word_token(r, at) || has_flag(r->list, at, TOKEN_EXPRESSION)) {
            return s;
        } else if (has_flag(r->list, at, TOKEN_TYPEOF)) {
            bool const takes_parens = kind_at(r, at + 1) == T_LPAREN;
            r->at = takes_parens ? behind_group(r, at + 1) : at + 1;
            s.certain = true;
            s.has_type = s.has_type || takes_parens;
        } else if (has_flag(r->list, at, TOKEN_TYPE | TOKEN_SPECIFIER)) {
            r->at++;
            s.certain = true;
            s.has_type = s.has_type || has_flag(r->list, at, TOKEN_TYPE);
        } else if (!s.has_type && is_prefix(r, at)) {
            r->at = behind_group(r, at + 1);
        } else if (!s.has_type) {
            /* `auto x = 3`: the type is omitted. */
            if (s.certain && ends_declarator(r, at + 1)) return s;
            r->at = is_macro_type(r, at) ? behind_group(r, at + 1) : at + 1;
            s.has_type = true;
            type = at;
        } else if (is_infix(r, at)) {
            r->at = behind_group(r, at + 1);
        } else if (is_identifier(r, at + 1) &&
                   (token_in_capitals(r->list, at) || !token_in_capitals(r->list, at + 1))) {
            r->at++; /* a macro between the type and the name */
        } else if (is_word_token(r, at + 1) && has_flag(r->list, at + 1, TOKEN_SPECIFIER | TOKEN_TYPE) &&
                   token_in_capitals(r->list, at)) {
            r->at++; /* MACRO const … */
        } else if (type != UINT32_MAX ? is_type_yet(r, type, at)
                                      : is_star(r, at + 1) && token_in_capitals(r->list, at)) {
            r->at++;
        } else {
            return s;
        }
    }
}

/* -- declarators ------------------------------------------------------------------------------------------------- */

/* The name in a declarator, after `*`, qualifiers, attributes and grouping parentheses. UINT32_MAX: it has none. */
static uint32_t find_declared(const reader *r, uint32_t at, uint32_t end)
{
    for (;;) {
        at = behind_stars(r, at);
        if (at >= end) return UINT32_MAX;
        if (kind_is(kind_at(r, at), IS_DIRECTIVE)) {
            at++;
            continue;
        }
        if (is_word_token(r, at)) return is_identifier(r, at) ? at : UINT32_MAX;
        /* Parentheses with types hold parameters; those with a `*` or a name group. */
        if (kind_at(r, at) != T_LPAREN) return UINT32_MAX;
        at++;
        if (kind_at(r, at) == T_RPAREN) return UINT32_MAX;
    }
}

/* `a[3]`, `(a)[3]`, `*a[3]`; not `(*a)[3]`. */
static bool is_array(const reader *r, uint32_t name, uint32_t first)
{
    uint32_t after = name + 1;
    while (after < r->end && kind_at(r, after) == T_RPAREN && name > first && kind_at(r, name - 1) == T_LPAREN) {
        after++;
        name--;
    }
    return kind_at(r, after) == T_LBRACKET && kind_at(r, after + 1) != T_LBRACKET;
}

static ast_declarator *read_declarator(const reader *r, token_range specifiers, uint32_t first, uint32_t end)
{
    ast_declarator *d = ARENA_NEW(r->arena, ast_declarator);
    d->specifiers = specifiers;
    uint32_t const equals = find_outside((token_range){r->list, first, end}, "=");
    uint32_t const colon = find_outside((token_range){r->list, first, equals}, ":");
    d->declarator = (token_range){r->list, first, colon};
    d->bits = (token_range){r->list, colon < equals ? colon + 1 : colon, equals};
    d->initializer = (token_range){r->list, equals < end ? equals + 1 : end, end};
    d->braced = !range_empty(d->initializer) && kind_at(r, d->initializer.first) == T_LBRACE;
    d->name_token = find_declared(r, first, colon);
    /* `int a = 1, flow->b = 2`: the comma should be a `;`. The C compiler reports it. */
    if (d->name_token == UINT32_MAX || kind_is(kind_at(r, d->name_token + 1), IS_ACCESS)) {
        d->name_token = first;
        return d;
    }
    d->name = ast_name_at(r->arena, r->list, d->name_token);
    d->is_array = is_array(r, d->name_token, first);
    return d;
}

static ast_declaration *read_declarators(reader *r, token_range text)
{
    ast_declaration *declaration = ARENA_NEW(r->arena, ast_declaration);
    declaration->text = text;
    token_range const specifiers = {r->list, text.first, r->at};
    ast_declarator **next = &declaration->first;
    while (r->at < r->end) {
        uint32_t const end = find_outside((token_range){r->list, r->at, r->end}, ",");
        ast_declarator *one = read_declarator(r, specifiers, r->at, end);
        if (one->name.name || !range_empty(one->bits) || !range_empty(one->initializer)) {
            LINK(next, one);
        }
        r->at = end + 1;
    }
    return declaration;
}

static reader reader_of(arena *a, token_range text)
{
    return (reader){a, text.list, text.first, text.end};
}

/* -- the three places of declarations ----------------------------------------------------------------------------- */

ast_declaration *declare_members(arena *a, token_range text)
{
    reader r = reader_of(a, text);
    if (has_flag(text.list, text.first, TOKEN_EXPRESSION)) r.at = r.end; /* _Static_assert(…) declares nothing */
    else read_specifiers(&r);
    return read_declarators(&r, text);
}

ast_declaration *declare_parameter(arena *a, token_range text)
{
    reader r = reader_of(a, text);
    read_specifiers(&r);
    ast_declaration *declaration = ARENA_NEW(a, ast_declaration);
    declaration->text = text;
    token_range const specifiers = {r.list, text.first, r.at};
    declaration->first = read_declarator(&r, specifiers, r.at, r.end);
    return declaration;
}

uint32_t declare_place(token_range type)
{
    reader r = reader_of(NULL, type);
    specifier_facts const s = read_specifiers(&r);
    uint32_t at = behind_stars(&r, r.at);
    if (!s.has_type && is_identifier(&r, at)) at = behind_stars(&r, at + 1); /* `const point` */
    while (kind_at(&r, at) == T_LPAREN && is_star(&r, behind_attributes(&r, at + 1))) at = behind_stars(&r, at + 1);
    return at;
}

/* The name, if only parentheses and stars surround it: `(x)`, `(*x)`, `((x))`, `(*x[3])`. UINT32_MAX: there is more. */
static uint32_t grouped_name(const reader *r, uint32_t open)
{
    uint32_t const end = behind_group(r, open), name = find_declared(r, open, end);
    if (name == UINT32_MAX) return UINT32_MAX;
    for (uint32_t at = name + 1; at < end;) {
        uint16_t const kind = kind_at(r, at);
        if (kind != T_RPAREN && kind != T_LBRACKET && kind != T_LPAREN) return UINT32_MAX;
        at = kind == T_RPAREN ? at + 1 : behind_group(r, at);
    }
    return name;
}

/* May a declarator follow the apparent type here? An expression can look the same: `a * b`, `a (b)`. */
static bool looks_declared(const reader *r, uint32_t at)
{
    uint32_t const name_at = behind_stars(r, at);
    if (is_identifier(r, name_at)) {
        uint32_t const after = behind_attributes(r, name_at + 1);
        return ends_declarator(r, after) || kind_at(r, after) == T_LPAREN || is_word_token(r, after) ||
               kind_is(kind_at(r, after), IS_DIRECTIVE);
    }
    if (kind_at(r, name_at) != T_LPAREN || grouped_name(r, name_at) == UINT32_MAX) return false;
    if (name_at > at) return true; /* `T *(name)` */
    /* `T (*name)(…)`, `T (*name)[3]`, `T (name)[3]`; `f(*p)` is a call, and `f(p)[3] = 1` an assignment. */
    uint32_t after = behind_group(r, at);
    if (kind_at(r, after) == T_LPAREN) return is_star(r, at + 1);
    bool const is_pointer = is_star(r, at + 1) && kind_at(r, after) == T_LBRACKET;
    while (kind_at(r, after) == T_LBRACKET) after = behind_group(r, after);
    bool const has_braces = kind_at(r, after) == T_OPERATOR && kind_at(r, after + 1) == T_LBRACE;
    return is_pointer || has_braces || (after == r->end && kind_at(r, after - 1) == T_RBRACKET);
}

/* `int UNUSED(x)`: a macro around the name. */
static void look_into_macro(const reader *r, ast_declarator *d)
{
    uint32_t const name = d->name_token + 2;
    if (!d->name.name || !token_in_capitals(r->list, d->name_token) || kind_at(r, name - 1) != T_LPAREN) return;
    if (!is_identifier(r, name) || kind_at(r, name + 1) != T_RPAREN) return;
    d->name_token = name;
    d->name = ast_name_at(r->arena, r->list, name);
}

static ast_declaration *read_locals(reader *r, token_range text)
{
    ast_declaration *const declaration = read_declarators(r, text);
    for (ast_declarator *d = declaration->first; d; d = d->next) look_into_macro(r, d);
    return declaration;
}

ast_declaration *declare_locals(arena *a, token_range text)
{
    reader r = reader_of(a, text);
    specifier_facts const s = read_specifiers(&r);
    if (!s.certain && !s.has_type) return NULL;
    if (!s.certain && !looks_declared(&r, r.at)) return NULL;
    if (s.certain && !s.has_type && r.at == r.end) return NULL;
    ast_declaration *declaration = read_locals(&r, text);
    if (!declaration->first && !s.has_body && !(s.certain && s.has_type)) return NULL;
    return declaration;
}

/* -- all declarations of a statement ------------------------------------------------------------------------------- */

static void visit_name(const reader *r, uint32_t at, declared_kind kind, declared_visitor *visit, void *context)
{
    visit(&(declared){.name = ast_name_at(r->arena, r->list, at), .kind = kind}, context);
}

static void visit_declarators(const reader *r, const ast_declaration *locals, const char *if_type,
                              declared_visitor *visit, void *context)
{
    for (const ast_declarator *d = locals->first; d; d = d->next) {
        if (!d->name.name) continue;
        declared one = {.name = d->name, .kind = DECLARED_VARIABLE, .declarator = d, .if_type = if_type};
        for (uint32_t i = d->specifiers.first; i < d->specifiers.end; i++) {
            if (token_is(r->list, i, "typedef")) one.kind = DECLARED_TYPE;
        }
        visit(&one, context);
    }
}

static void visit_enumerators(const reader *r, uint32_t open, declared_visitor *visit, void *context)
{
    uint32_t const end = behind_group(r, open) - 1;
    bool begins = true;
    for (uint32_t at = open + 1; at < end;) {
        uint16_t const kind = kind_at(r, at);
        if (begins && is_identifier(r, at)) visit_name(r, at, DECLARED_ENUMERATOR, visit, context);
        begins = kind == T_COMMA || (begins && kind_is(kind, IS_DIRECTIVE));
        at = kind_is(kind, OPENS_BRACKET) ? behind_group(r, at) : at + 1;
    }
}

/* Tags and enumerators, which the block can use wherever they are defined. */
static void visit_tags(const reader *r, uint32_t first, declared_visitor *visit, void *context)
{
    for (uint32_t i = first; i < r->end; i++) {
        if (kind_at(r, i) != T_TAG) continue;
        bool const is_enum = token_is(r->list, i, "enum");
        uint32_t const tag = behind_attributes(r, i + 1);
        bool const has_name = is_identifier(r, tag);
        uint32_t open = behind_attributes(r, has_name ? tag + 1 : tag);
        if (is_enum && kind_at(r, open) == T_COLON) { /* enum e : type { */
            while (open < r->end && kind_at(r, open) != T_LBRACE && kind_at(r, open) != T_SEMICOLON) open++;
        }
        bool const is_defined = kind_at(r, open) == T_LBRACE;
        bool const is_alone = i == first && tag + 1 == r->end; /* `struct s;` */
        if (has_name && (is_defined || is_alone)) visit_name(r, tag, DECLARED_TAG, visit, context);
        if (is_defined && is_enum) visit_enumerators(r, open, visit, context);
    }
}

/* `T (x);`, `T (*x);`, `T (x) = 1;` */
static void visit_if_type(reader *r, token_range text, declared_visitor *visit, void *context)
{
    uint32_t const type = r->at = behind_attributes(r, text.first);
    if (!is_identifier(r, type) || kind_at(r, type + 1) != T_LPAREN) return;
    r->at++;
    if (grouped_name(r, r->at) == UINT32_MAX) return;
    visit_declarators(r, read_locals(r, text), token_intern(r->arena, r->list, type), visit, context);
}

void declare_each(arena *a, token_range text, const ast_declaration *locals, bool is_statement, declared_visitor *visit,
                  void *context)
{
    if (range_empty(text)) return;
    reader r = reader_of(a, text);
    visit_tags(&r, text.first, visit, context);
    if (locals) visit_declarators(&r, locals, NULL, visit, context);
    else if (is_statement) visit_if_type(&r, text, visit, context);
}
