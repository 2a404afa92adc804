/* SPDX-License-Identifier: MIT */
/* `flow->x` for a field of the task, and `self->x` for a member of the flow: the C compiler would know no such member.
 * An anonymous struct or a macro may hold members that ufc does not see: then it says nothing. */
#include "checks.h"
#include "walk.h"
#include "words.h"

typedef struct members {
    sema *sema;
    const ast_flow *flow;
    const ast_task *task;
    scope of_task, reported;
} members;

static bool hide_names(const ast_declaration *list)
{
    for (; list; list = list->next) {
        if (!list->first) return true;
        for (const ast_declarator *d = list->first; d; d = d->next) {
            if (!d->name.name) return true;
        }
    }
    return false;
}

static bool flow_hides_names(const ast_flow *flow)
{
    const ast_member *m = flow->members;
    while (m && !hide_names(m->field)) m = m->next;
    return m != NULL;
}

static void report(members *m, token_range text, uint32_t name, const ast_ident *found, bool by_flow)
{
    if (scope_add(m->sema->arena, &m->reported, found->name, (void *)found)) return;
    span const at = {text.list->in, text.list->items[name - 2].begin, text.list->items[name].end};
    const char *const part = by_flow ? "task" : "flow";
    const char *const whole = by_flow ? m->task->name.name : m->flow->name.name;
    diag_report *r =
        report_at(m->sema, UF0319, at, "`%s` is a member of %s %s, and not of the %s", found->name,
                  m->flow->test ? "the test's" : part, m->flow->test ? part : whole, by_flow ? "flow" : "task");
    diag_note(r, found->at, "it is declared here");
    diag_help(r, "write `%s->%s`", by_flow ? "self" : "flow", found->name);
}

static void look_at_text(token_range text, void *context)
{
    members *const m = context;
    const token_list *const list = text.list;
    for (uint32_t i = text.first; next_name(text, &i);) {
        bool const by_flow = token_is(list, i - 1, "flow");
        if (i + 1 >= text.end || !(by_flow || token_is(list, i - 1, "self")) || !token_is(list, i, "->")) continue;
        const char *const word = token_intern(m->sema->arena, list, i + 1);
        const ast_ident *const of_task = scope_find(&m->of_task, word);
        if (by_flow != (of_task != NULL)) continue; /* `flow->x` without such a field of the task, `self->x` with one */
        const member_name *const of_flow = find_flow_member(m->sema, m->flow, word);
        if (by_flow && !of_flow && !flow_hides_names(m->flow)) report(m, text, i + 1, of_task, true);
        if (!by_flow && of_flow && !hide_names(m->task->fields)) report(m, text, i + 1, of_flow->name, false);
    }
}

/* Turns to a task, and looks at its handlers and companions. */
static void look_at_head(members *m, const ast_task *task)
{
    *m = (members){.sema = m->sema, .flow = m->flow, .task = task};
    add_names(m->sema, &m->of_task, task->params);
    add_names(m->sema, &m->of_task, task->fields);
    for (ast_job *job = task->jobs; job; job = job->next)
        scope_add(m->sema->arena, &m->of_task, job->name.name, &job->name);
    for (const ast_preempt *p = task->preempts; p; p = p->next) {
        preempt_texts(p, look_at_text, m);
        outcome_texts(p->outcome, look_at_text, m);
    }
}

static void look_at_body(const body_site *site, void *context)
{
    members *const m = context;
    if (!site->task) return;
    if (site->task != m->task) look_at_head(m, site->task);
    look_at_text(site->body->text, m);
}

void check_other_struct(sema *s, ast_flow *flow)
{
    walk_bodies(flow, look_at_body, &(members){.sema = s, .flow = flow});
}
