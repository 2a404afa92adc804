/* SPDX-License-Identifier: MIT */
#include "ast.h"

#include "words.h"

ast_ident ast_name_at(arena *a, const token_list *list, uint32_t index)
{
    return (ast_ident){token_intern(a, list, index), token_span(list, index)};
}

ast_subflow *find_subflow(const ast_flow *flow, const char *name)
{
    for (const ast_member *m = flow->members; m; m = m->next) {
        if (m->kind == MEMBER_SUBFLOW && m->subflow->name.name == name) return m->subflow;
    }
    return NULL;
}
