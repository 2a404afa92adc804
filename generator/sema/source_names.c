/* SPDX-License-Identifier: MIT */
/* Members, parameters and sizes that use a type or an enumerator of a `source` block: the generated header declares
 * them, and does not have that block. */
#include "checks.h"
#include "words.h"

typedef struct source_names {
    sema *sema;
    scope reported;
} source_names;

static bool is_private(sema *s, token_range text, uint32_t at, const char *name)
{
    bool const is_part = range_has(text, at - 1, IS_ACCESS | IS_TAG);
    const global *const found = find_global(s, name);
    if (is_part || !found->is_of_source || found->is_of_header || found->is_in_directives) return false;
    return found->kind != GLOBAL_TYPE || !includes_unknown_headers(s); /* C11: typedef again in a header */
}

/* `own` is the name that the text declares: a member may have the name of a variable. */
static void look_at_text(source_names *n, token_range text, uint32_t own)
{
    for (uint32_t i = text.first; next_name(text, &i);) {
        const char *const name = token_intern(n->sema->arena, text.list, i - 1);
        if (i - 1 == own || !is_private(n->sema, text, i - 1, name)) continue;
        if (scope_add(n->sema->arena, &n->reported, name, (void *)name)) continue;
        diag_report *const r =
            report_at(n->sema, UF0421, token_span(text.list, i - 1),
                      "`%s` is declared in a `source` block, which the generated header does not have", name);
        diag_help(r, "move its declaration into a `header` block");
    }
}

static void look_at_declarator(source_names *n, const ast_declarator *d)
{
    look_at_text(n, d->specifiers, UINT32_MAX);
    look_at_text(n, d->declarator, d->name_token);
}

static void look_at_declarations(source_names *n, const ast_declaration *list)
{
    for (; list; list = list->next) {
        for (const ast_declarator *d = list->first; d; d = d->next) look_at_declarator(n, d);
    }
}

static void look_at_task(source_names *n, const ast_task *task)
{
    look_at_declarations(n, task->params);
    look_at_text(n, task->result, UINT32_MAX);
    look_at_declarations(n, task->fields);
    for (const ast_job *job = task->jobs; job; job = job->next) look_at_text(n, job->count, UINT32_MAX);
    for (const ast_step *step = task->steps; step; step = step->next) look_at_declarations(n, step->params);
}

void check_source_names(sema *s, ast_flow *flow)
{
    source_names n = {.sema = s};
    look_at_declarations(&n, flow->params);
    for (const ast_member *m = flow->members; m; m = m->next) {
        if (m->field) look_at_declarations(&n, m->field);
        if (m->subflow) look_at_text(&n, m->subflow->count, UINT32_MAX);
        if (m->mailbox) look_at_declarator(&n, m->mailbox->item);
    }
    for (const ast_task *task = flow->tasks; task; task = task->next) look_at_task(&n, task);
}
