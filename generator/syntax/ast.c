/* SPDX-License-Identifier: MIT */
#include "ast.h"

ast_subflow *find_subflow(const ast_flow *flow, const char *name)
{
    for (const ast_member *m = flow->members; m; m = m->next) {
        if (m->kind == MEMBER_SUBFLOW && m->subflow->name.name == name) return m->subflow;
    }
    return NULL;
}
