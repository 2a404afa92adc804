/* SPDX-License-Identifier: MIT */
/* Declarations in the statements of bodies. */
#include <string.h>

#include "checks.h"
#include "words.h"

/* -- names of types, as far as the file says so ------------------------------------------------------------------ */

bool is_type_name(sema *s, const char *name)
{
    size_t const length = strlen(name);
    if (length > 2 && strcmp(name + length - 2, "_t") == 0) return true;
    return find_global(s, name)->kind == GLOBAL_TYPE || scope_find(&s->types, name) || scope_find(&s->flows, name);
}

/* -- locals ------------------------------------------------------------------------------------------------------ */

typedef struct walk {
    sema *sema;
    declared_visitor *visit;
    void *context;
} walk;

static void visit_local(const declared *one, void *context)
{
    const walk *const w = context;
    if (one->kind == DECLARED_TYPE) scope_add(w->sema->arena, &w->sema->types, one->name.name, (void *)one->name.name);
    w->visit(one, w->context);
}

/* Visits what the arguments of a macro declare, as in `EACH(int i, n) { … }`. */
static void visit_macro_head(walk *w, token_range head)
{
    for (uint32_t i = head.first; i < head.end; i++) {
        if (!token_is(head.list, i, "(")) continue;
        token_range rest = {head.list, i + 1, closing_bracket(head, i)};
        for (i = rest.end; !range_empty(rest);) {
            token_range const argument = {rest.list, rest.first, find_outside(rest, ",")};
            const ast_declaration *const locals = declare_locals(w->sema->arena, argument);
            declare_each(w->sema->arena, argument, locals, false, visit_local, w);
            rest.first = argument.end + 1;
        }
    }
}

void each_local(sema *s, const ast_statement *statement, declared_visitor *visit, void *context)
{
    walk w = {s, visit, context};
    bool const is_text = statement->kind == STATEMENT_TEXT || statement->kind == STATEMENT_DECLARATION;
    if (is_text) declare_each(s->arena, statement->text, statement->declaration, true, visit_local, &w);
    else if (statement->kind == STATEMENT_MACRO_BLOCK) visit_macro_head(&w, statement->condition);
    else declare_each(s->arena, statement->condition, statement->declaration, false, visit_local, &w);
}
