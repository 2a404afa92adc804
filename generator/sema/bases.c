/* SPDX-License-Identifier: MIT */
/* Functions of the runtime that take the base of a flow, as in `uf_flow_now(&flow->uf)`. Without this check, the C
 * compiler would report a type in the header. */
#include "checks.h"
#include "walk.h"
#include "words.h"

/* Functions of that prefix take the base as their first argument. */
#define PREFIX "uf_flow_"

/* The correct text for the argument; NULL: the argument may be right. */
static const char *base_for(const sema *s, token_range argument)
{
    const token_list *const list = argument.list;
    uint32_t const count = argument.end - argument.first;
    if (count == 0) return "&flow->uf";
    bool const has_address = token_is(list, argument.first, "&");
    uint32_t const flow = argument.first + has_address;
    if (flow >= argument.end || !token_is(list, flow, "flow")) return NULL;
    if (flow + 1 == argument.end) return "&flow->uf";
    if (flow + 3 != argument.end || !token_is(list, flow + 1, "->")) return NULL;
    const char *const name = token_intern(s->arena, list, flow + 2);
    if (token_is(list, flow + 2, "uf")) return has_address ? NULL : "&flow->uf";
    const ast_subflow *const found = find_subflow(s->names->flow, name);
    if (!found || found->is_array || found->is_pool) return NULL;
    return arena_printf(s->arena, "&flow->%s.uf", name);
}

static void check_text(token_range text, void *context)
{
    sema *const s = context;
    const token_list *const list = text.list;
    for (uint32_t i = text.first; next_name(text, &i);) {
        size_t length;
        const char *const word = token_text(list, i - 1, &length);
        if (length <= sizeof PREFIX - 1 || memcmp(word, PREFIX, sizeof PREFIX - 1) != 0) continue;
        if (i >= text.end || !token_is(list, i, "(")) continue;
        token_range argument = {list, i + 1, closing_bracket(text, i)};
        if (argument.end == text.end) continue;
        argument.end = find_outside(argument, ",");
        const char *const base = base_for(s, argument);
        span const at = token_span(list, i - 1);
        if (!base) continue;
        diag_report *r = report_at(s, UF0417, at, "`%.*s` takes the base of a flow", (int)length, word);
        diag_help(r, "write `%.*s(%s%s`", (int)length, word, base, token_is(list, argument.end, ",") ? ", …)" : ")");
    }
}

void check_bases(sema *s, const body_site *site)
{
    check_text(site->body->text, s);
}

void check_bases_outside(sema *s, ast_preempt *preempt)
{
    preempt_texts(preempt, check_text, s);
    outcome_texts(preempt->outcome, check_text, s);
}
