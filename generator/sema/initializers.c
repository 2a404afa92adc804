/* SPDX-License-Identifier: MIT */
/* Initialisers of members: they see `flow` only, and must not read a member that has no value yet. Names that an arm
 * or a declaration would bind, where nothing does. */
#include <string.h>

#include "checks.h"
#include "misspelled.h"
#include "words.h"

/* Is the value not read, as in `&flow->x` or `sizeof(flow->x)`? */
static bool is_address(token_range text, uint32_t flow)
{
    while (range_is(text, flow - 1, "(")) flow--;
    return range_is_one_of(text, flow - 1, "& sizeof");
}

/* Members get their values in source order. */
static void check_order(sema *s, token_range text, const ast_ident *own)
{
    for (uint32_t i = text.first; next_name(text, &i);) {
        if (!token_is(text.list, i - 1, "flow") || i + 1 >= text.end || !token_is(text.list, i, "->")) continue;
        const member_name *const found = find_flow_member(s, s->names->flow, token_intern(s->arena, text.list, i + 1));
        bool const is_element = range_is(text, i + 2, "[");
        bool const is_array = found && found->field && found->field->is_array;
        if (!found || !found->member || found->name->at.begin < own->at.begin) continue;
        if (is_address(text, i - 1) || (is_array && !is_element)) continue;
        diag_report *r = report_at(s, UF0419, token_span(text.list, i + 1),
                                   "`%s` has no value yet: it is declared below", found->name->name);
        diag_note(r, found->name->at, "members are initialised in the order of the text");
        diag_help(r, "move `%s` up, or set what depends on it in `on init`", found->name->name);
        return;
    }
}

void report_unbound_name(sema *s, binding_kind binding, span at, const char *where, const char *help)
{
    static const struct {
        diag_code code;
        const char *help;
    } reports[] = {
#define BINDING(kind, name, code, help) [BINDING_##kind] = {code, help},
#include "bindings.def"
    };
    diag_report *r = report_at(s, reports[binding].code, at, "there is no `%s` in %s", binding_names[binding], where);
    diag_help(r, "%s", help ? help : reports[binding].help);
}

static void check_without(sema *s, token_range text, binding_kind binding, const char *what)
{
    uint32_t at;
    if (!find_name(text, binding_names[binding], &at)) return;
    if (range_is(text, at + 1, "(")) return;
    report_unbound_name(s, binding, token_span(text.list, at), what, NULL);
}

/* Only the elements of an array of flows, and the members of a pool, have an `index`. No member has an `item`. */
void check_without_bindings(sema *s, token_range text, bool has_index, const char *what)
{
    if (!has_index) check_without(s, text, BINDING_INDEX, what);
    check_without(s, text, BINDING_ITEM, what);
}

void check_initializer(sema *s, token_range text, const ast_ident *own, const char *what)
{
    uint32_t at;
    report_inner_intent(text, s);
    if (own) check_order(s, text, own);
    if (!find_name(text, "self", &at)) return;
    diag_report *r = report_at(s, UF0409, token_span(text.list, at), "%s sees `flow` only", what);
    diag_help(r, "set what depends on the task in its `on enter`");
}

/* Is the name an operand? A call is none, nor a name that the text declares, as in `({ int size = 0; size; })`. */
static bool is_operand(token_range text, uint32_t at)
{
    if (range_has(text, at - 1, IS_WORD | IS_NAME)) return false;
    return !range_is(text, at + 1, "(") && !range_has(text, at + 1, IS_NAME);
}

static bool may_declare_names(token_range text)
{
    for (uint32_t i = text.first; i < text.end; i++) {
        if (token_is(text.list, i, ";") || token_is_directive(text.list, i)) return true;
    }
    return false;
}

void check_bare_members(sema *s, token_range text, const scope *of_flow, const scope *of_task, const ast_ident *own)
{
    if (may_declare_names(text)) return;
    for (uint32_t i = text.first; next_name(text, &i);) {
        const char *const word = token_intern(s->arena, text.list, i - 1);
        const ast_ident *const of_own = of_task ? scope_find(of_task, word) : NULL;
        const ast_ident *const found = of_own ? of_own : scope_find(of_flow, word);
        if (!found || found == own || strcmp(found->name, binding_names[BINDING_INDEX]) == 0 ||
            !is_operand(text, i - 1) || may_be_global(s, found->name))
            continue;
        diag_report *r = report_at(s, UF0420, token_span(text.list, i - 1), "`%s` is a member of the %s", found->name,
                                   of_own ? "task" : "flow");
        diag_note(r, found->at, "it is declared here");
        if (of_own)
            diag_help(r, "an initialiser sees `flow` only: set `%s` in `on enter`, from `self->%s`", own->name,
                      found->name);
        else diag_help(r, "write `flow->%s`", found->name);
        return;
    }
}
