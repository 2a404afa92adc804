/* What there is to be named, and that each name stands for one thing. */
#include "checks.h"

static void duplicate(sema *s, const char *what, const ast_ident *second, const ast_ident *first, const char *where)
{
    diag_report *r =
        diag_at(s->diagnostics, UF0309, second->at, "there is a %s `%s` %s already", what, second->name, where);
    diag_note(r, first->at, "the first `%s` is here", first->name);
    diag_help(r, "rename one of the two");
}

static void collect_task(sema *s, flow_names *names, ast_task *task)
{
    ast_task *first = scope_add(s->arena, &names->tasks, task->name.name, task);
    if (first && !names->imported) duplicate(s, "task", &task->name, &first->name, "in this flow");

    scope steps = {0};
    for (ast_step *step = task->steps; step; step = step->next) {
        ast_step *other = scope_add(s->arena, &steps, step->name.name, step);
        if (other && !names->imported) duplicate(s, "step", &step->name, &other->name, "in this task");
        scope_add(s->arena, &names->steps, step->name.name, step);
    }
    if (!task->steps && !names->imported && !s->syntax_errors) {
        diag_report *r = diag_at(s->diagnostics, UF0312, task->name.at, "task `%s` has no step", task->name.name);
        diag_help(r, "add its entry: `step Begin { done; }`");
    }
}

static flow_names *collect_flow(sema *s, ast_flow *flow, bool imported)
{
    flow_names *names = ARENA_NEW(s->arena, flow_names);
    names->flow = flow;
    names->imported = imported;
    flow_names *first = scope_add(s->arena, &s->flows, flow->name.name, names);
    if (first && first->flow != flow && !imported) {
        duplicate(s, "flow", &flow->name, &first->flow->name, first->imported ? "in an imported file" : "in this file");
    }
    for (ast_task *task = flow->tasks; task; task = task->next) collect_task(s, names, task);
    if (!flow->tasks && !imported && !s->syntax_errors) {
        diag_report *r = diag_at(s->diagnostics, UF0312, flow->name.at, "flow `%s` has no task", flow->name.name);
        diag_help(r, "add what it does: `task Run { step Begin { done; } }`");
    }
    return names;
}

void collect_names(sema *s)
{
    for (ast_import *import = s->file->imports; import; import = import->next) {
        if (!import->file) {
            s->imports_broken = true;
            continue;
        }
        if (is_misread(s, (span){import->file->in, 0, import->file->in->size})) s->imports_broken = true;
        for (ast_flow *flow = import->file->flows; flow; flow = flow->next) {
            flow_names *first = scope_find(&s->flows, flow->name.name);
            if (first && first->flow != flow && first->flow->file != import->file) {
                diag_report *r = diag_at(s->diagnostics, UF0309, import->at,
                                         "flow `%s` comes from another import already", flow->name.name);
                diag_note(r, first->flow->name.at, "the first `%s` is here", flow->name.name);
                diag_note(r, flow->name.at, "the second one is here");
                diag_help(r, "rename one of the two: both would be one C type");
                continue;
            }
            collect_flow(s, flow, true);
        }
    }
    flow_names **end = &s->own;
    for (ast_flow *flow = s->file->flows; flow; flow = flow->next) {
        *end = collect_flow(s, flow, false);
        end = &(*end)->next;
    }
}
