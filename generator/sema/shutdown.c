/* SPDX-License-Identifier: MIT */
/* Shutdown tasks: at most one per flow, without parameters, and without handlers for signals. */
#include "checks.h"

static void check_parts(sema *s, const ast_task *task)
{
    if (task->group) {
        diag_report *r = report_at(s, UF0318, task->name.at, "`shutdown` task %s is in group %s", task->name.name,
                                   task->group->name.name);
        diag_help(r, "move it out of the group: a stop starts it in place of any task");
    }
    if (task->params) {
        diag_report *r = report_at(s, UF0415, task->name.at, "`shutdown` task %s has parameters", task->name.name);
        diag_help(r, "a stop gives no arguments: keep what it needs in fields of the flow");
    }
    for (const ast_preempt *p = task->preempts; p; p = p->next) {
        if (p->kind != PREEMPT_SIGNAL) continue;
        diag_report *r = report_at(s, UF0608, p->at, "a `shutdown` task is not pre-empted by signals");
        diag_help(r, "wait for the signal in its steps");
    }
}

void check_shutdown(sema *s, ast_flow *flow)
{
    const ast_task *first = NULL;
    for (const ast_task *task = flow->tasks; task; task = task->next) {
        if (!task->shutdown) continue;
        check_parts(s, task);
        if (!first) {
            first = task;
            continue;
        }
        diag_report *r = report_at(s, UF0318, task->name.at, "flow %s has a `shutdown` task already", flow->name.name);
        diag_note(r, first->name.at, "it is this one");
        diag_help(r, "what comes after the other is a step of it, or a task that it becomes");
    }
}
