/* SPDX-License-Identifier: MIT */
/* Names of bindings.def in the text of a body, where no arm and no declaration binds them. A macro may declare a local,
 * so the check is silent in a body that could hold such a macro. */
#include <string.h>

#include "checks.h"
#include "walk.h"
#include "words.h"

typedef struct bare_names {
    sema *sema;
    const ast_flow *flow; /* NULL: a worker */
    const char *name;     /* to search for */
    binding_kind binding; /* of that name, if it is one of bindings.def */
    global_kind global;   /* what the blocks of the file declare under this name */
    bool is_absent;       /* nothing declares the name, nor does an unknown header */
    bool is_declared;     /* a declaration in the body, or text that may be one */
    bool is_used, is_reported;
    const char *help;
} bare_names;

static void look_at_local(const declared *one, void *context)
{
    bare_names *const b = context;
    if (one->if_type && !is_type_name(b->sema, one->if_type)) return; /* `f(item);` */
    if (strcmp(one->name.name, b->name) == 0) b->is_declared = true;
}

/* The bracket that is open at the token; `text.end`: there is none. */
static uint32_t enclosing_bracket(token_range text, uint32_t at)
{
    unsigned inner = 0;
    for (uint32_t i = at; i-- > text.first;) {
        if (token_has(text.list, i, CLOSES_BRACKET)) inner++;
        if (token_has(text.list, i, OPENS_BRACKET) && inner-- == 0) return i;
    }
    return text.end;
}

/* Is it a member or a constant of a type that the text declares, as in `struct { int item, index; } s`? */
static bool is_in_tag(token_range text, uint32_t at)
{
    for (uint32_t open = at; (open = enclosing_bracket(text, open)) < text.end;) {
        uint32_t word = open - 1; /* what stands between the tag and the brace: a name, attributes, a type */
        while (range_is(text, word, ")") ||
               (range_has(text, word, IS_WORD | IS_NAME) && !range_has(text, word, IS_TAG)))
            word = token_is(text.list, word, ")") ? opening_bracket(text, word) - 1 : word - 1;
        if (token_is(text.list, open, "{") && range_has(text, word, IS_TAG)) return true;
    }
    return false;
}

/* `asm("…" : [item] "+r"(x))` names an operand. */
static bool is_operand_of_asm(token_range text, uint32_t at)
{
    return range_is(text, at - 1, "[") && range_is(text, at + 1, "]") && at + 2 < text.end &&
           token_is_string(text.list, at + 2);
}

/* The name before the `(` whose whole argument the token is, as in `EACH(item, list)`; `text.end`: there is none. */
static uint32_t callee_of(token_range text, uint32_t at)
{
    if (!range_is_one_of(text, at - 1, "( ,") || !range_is_one_of(text, at + 1, ") ,")) return text.end;
    uint32_t const open = enclosing_bracket(text, at);
    return range_is(text, open, "(") && range_has(text, open - 1, IS_NAME) ? open - 1 : text.end;
}

static bool is_capital_name(token_range text, uint32_t at)
{
    return token_is_name(text.list, at) && token_in_capitals(text.list, at);
}

/* Is an argument of the call a type, as in `offsetof(struct node, item)`? Then another one may be a member. */
static bool takes_type(sema *s, token_range text, uint32_t callee)
{
    uint32_t const end = closing_bracket(text, callee + 1);
    for (uint32_t i = callee + 2; i < end; i++) {
        const char *const word = token_intern(s->arena, text.list, i);
        if (!token_is_one_of(text.list, i - 1, "( ,")) continue;
        if (token_has(text.list, i, IS_TAG) || (text.list->items[i].flags & (TOKEN_TYPE | TOKEN_SPECIFIER)) ||
            is_type_name(s, word))
            return true;
    }
    return false;
}

/* A function of the library, one that ufc generates, or one that a block declares. Other functions may be macros. */
static bool is_function(const bare_names *b, token_range text, uint32_t callee)
{
    const char *const name = token_intern(b->sema->arena, text.list, callee);
    if (strncmp(name, "uf_", 3) == 0 || (b->flow && is_generated_name(b->sema, b->flow, name))) return true;
    const global *const found = find_global(b->sema, name);
    return !found->is_in_directives && found->kind == GLOBAL_VALUE;
}

/* May the call be a macro for which the argument is no value? If no block defines the call, it is in lower case and the
 * name is a known variable, it is taken for a function. */
static bool may_be_macro(const bare_names *b, token_range text, uint32_t callee)
{
    if (is_function(b, text, callee)) return false;
    if (b->global != GLOBAL_VALUE || is_capital_name(text, callee) || takes_type(b->sema, text, callee)) return true;
    return find_global(b->sema, token_intern(b->sema->arena, text.list, callee))->is_in_directives;
}

/* Is it an argument of a macro in a statement, as in `declare(item);`? Or behind a type, as in `({ int item = 0; … })`?
 */
static bool may_declare(const bare_names *b, token_range text, uint32_t at)
{
    if (at == text.first) return false;
    bool const is_of_c = (text.list->items[at - 1].flags & (TOKEN_TYPE | TOKEN_SPECIFIER)) != 0;
    if (is_of_c || token_is_name(text.list, at - 1)) return true;
    if (token_is(text.list, at - 1, "*") && range_has(text, at - 2, IS_NAME)) {
        /* `({ node *item = 0; … })` begins with a type; `2 * n * item` does not. */
        return range_is_one_of(text, at - 3, "{ ; (") || range_has(text, at - 3, IS_NAME | IS_TAG);
    }
    uint32_t const callee = callee_of(text, at);
    return callee == text.first && may_be_macro(b, text, callee);
}

static void look_at_text(token_range text, void *context)
{
    bare_names *const b = context;
    for (uint32_t at = text.first; find_name((token_range){text.list, at, text.end}, b->name, &at); at++) {
        if (is_operand_of_asm(text, at)) continue;
        b->is_used = true;
        if (may_declare(b, text, at) || is_in_tag(text, at)) b->is_declared = true;
    }
}

/* Arms have a check of their own: lifetimes.c. */
static bool has_arms(const ast_statement *s)
{
    return s->kind == STATEMENT_AWAIT || s->kind == STATEMENT_STAY || s->kind == STATEMENT_SPAWN;
}

static void look_at_statement(ast_statement *s, void *context)
{
    bare_names *const b = context;
    if (s->kind == STATEMENT_LABEL && strcmp(s->operands->name.name, b->name) == 0) b->is_declared = true;
    if (s->kind == STATEMENT_MACRO_BLOCK || s->kind == STATEMENT_DIRECTIVE) b->is_declared = true;
    /* A word of capitals at the beginning may be a macro that declares what it likes. */
    bool const is_text = s->kind == STATEMENT_TEXT && !range_empty(s->text);
    if (is_text && is_capital_name(s->text, s->text.first)) b->is_declared = true;
    each_local(b->sema, s, look_at_local, b);
    if (!has_arms(s)) statement_texts(s, look_at_text, b);
}

bool may_declare_name(sema *s, const body_site *site, const char *name)
{
    bare_names b = {.sema = s, .flow = site->flow, .name = name, .global = GLOBAL_VALUE};
    walk_statements(site->body->first, look_at_statement, &b);
    return b.is_declared;
}

/* Is the name an operand? A type is none. */
static bool is_operand(token_range text, uint32_t at)
{
    if (range_is_one_of(text, at - 1, "= + - / % < > ! & | <= >= == != && || << >> += -= ?")) return true;
    if (range_is(text, at - 1, "(") && range_is(text, at + 1, "[")) return false; /* `sizeof(item[2])` */
    return range_is_one_of(text, at + 1, "= + - / % < > [ . -> <= >= == != && || << >> += -= ? ++ --");
}

/* `(item)x`, `(item){0}`, `sizeof(item)`, `(item *)p` */
static bool looks_like_type(token_range text, uint32_t at)
{
    const token_list *const list = text.list;
    bool const is_in_parentheses = range_is(text, at - 1, "(");
    if (range_is(text, at + 1, "*")) return is_in_parentheses || at == text.first;
    if (!is_in_parentheses || !range_is(text, at + 1, ")")) return false;
    if (at > text.first + 1 && (list->items[at - 2].flags & TOKEN_EXPRESSION)) return true;
    return at + 2 < text.end && !token_has(list, at + 2, CLOSES_BRACKET) &&
           (token_is_word(list, at + 2) || token_is_string(list, at + 2) || token_has(list, at + 2, OPENS_BRACKET) ||
            token_is_number(list, at + 2));
}

/* Does the text read the value of the global, or a value that does not exist? */
static bool is_value(const bare_names *b, token_range text, uint32_t at)
{
    if (is_operand_of_asm(text, at) || is_in_tag(text, at) || b->global == GLOBAL_TYPE) return false;
    if (at == text.first && at + 1 == text.end) return true;
    uint32_t const callee = callee_of(text, at);
    if (callee < text.end) return !may_be_macro(b, text, callee) && b->global != GLOBAL_UNKNOWN;
    if (range_has(text, at + 1, IS_NAME) || range_is(text, at + 1, "(")) return false;
    if (b->global == GLOBAL_VALUE) return true;
    return b->global == GLOBAL_UNKNOWN ? is_operand(text, at) : !looks_like_type(text, at);
}

bool may_be_no_value(sema *s, token_range text, uint32_t at)
{
    uint32_t const callee = callee_of(text, at);
    const global *const found = find_global(s, token_intern(s->arena, text.list, at));
    if (range_is(text, at + 1, "(")) return true;
    if (is_in_tag(text, at) || found->is_in_directives || found->kind == GLOBAL_TYPE) return true;
    return callee < text.end &&
           (takes_type(s, text, callee) || find_global(s, token_intern(s->arena, text.list, callee))->is_in_directives);
}

static void report_in_text(token_range text, void *context)
{
    bare_names *const b = context;
    for (uint32_t at = text.first; find_name((token_range){text.list, at, text.end}, b->name, &at); at++) {
        if (b->is_reported || !is_value(b, text, at)) continue;
        b->is_reported = true;
        report_unbound_name(b->sema, b->binding, token_span(text.list, at), "this body", b->help);
    }
}

static void report_in_statement(ast_statement *s, void *context)
{
    if (!has_arms(s)) statement_texts(s, report_in_text, context);
}

static bool is_parameter(const body_site *site, const char *name)
{
    return find_declarator(site->step ? site->step->params : site->worker ? site->worker->params : NULL, name);
}

/* `item` and `index` have no other meaning. `result` and `reason` may be names of globals, so a body may use them. */
static bool is_checked(sema *s, const body_site *site, const bare_names *b)
{
    if (find_global(s, b->name)->is_in_directives) return false; /* a macro may declare it */
    if (b->binding == BINDING_ITEM || b->binding == BINDING_INDEX) return true;
    if (!site->flow || (is_at_end(site) && b->binding == BINDING_REASON)) return false;
    if (site->on == ON_RESUME && b->binding == BINDING_PAUSED) return false;
    return b->is_absent;
}

void check_bare_names(sema *s, const body_site *site)
{
    static const char *const helps[BINDING_COUNT] = {
        [BINDING_RESULT] = "the arm that has it hands it to a parameter of the step: `run F.Task(…) -> Step(result)`",
        [BINDING_REASON] =
            ("the arm that failed hands it to a parameter of the step: `else Step(reason)`; `on exit` and "
             "`on end` have their own"),
        [BINDING_ITEM] = "the arm that receives it hands it to a parameter of the step: `box -> Step(item)`",
        [BINDING_INDEX] = "the arm that has it hands it to a parameter of the step: `any(jobs) -> Step(index)`",
        [BINDING_PAUSED] = "it is how long the flow stood, in `on resume`: store it in a field there"};
    binding_set const used = bindings_in(site->body->text);
    for (binding_kind kind = (binding_kind)0; used && kind < BINDING_COUNT; kind++) {
        if (!(used & (1U << kind))) continue;
        bare_names b = {.sema = s,
                        .flow = site->flow,
                        .name = binding_names[kind],
                        .binding = kind,
                        .help = site->step ? helps[kind] : NULL};
        b.global = find_global(s, b.name)->kind;
        b.is_absent = b.global == GLOBAL_ABSENT && !includes_unknown_headers(s);
        if (b.is_absent) b.global = GLOBAL_VALUE; /* it is no type and no macro */
        if (!is_checked(s, site, &b)) continue;
        walk_statements(site->body->first, look_at_statement, &b);
        if (!b.is_used || b.is_declared || diag_error_within(s->diagnostics, range_span(site->body->text))) continue;
        bool const may_be_of_file = kind != BINDING_ITEM && kind != BINDING_INDEX;
        if (may_be_of_file && may_be_global(s, b.name)) continue;
        if (!is_parameter(site, b.name)) walk_statements(site->body->first, report_in_statement, &b);
    }
}
