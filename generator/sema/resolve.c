/* SPDX-License-Identifier: MIT */
/* Resolves the targets of intents and outcomes, and the flows of runs and sub-flows. */
#include <string.h>

#include "checks.h"
#include "reserved.h"
#include "walk.h"

typedef struct resolver {
    sema *sema;
    ast_task *task;
    const ast_step *step; /* the step whose outcomes are resolved; NULL: those of `on SIGNAL` */
    scope steps;          /* of the task */
    scope unknown;        /* unknown steps that were reported already */
    scope *no_tasks;      /* unknown tasks that were reported already */
} resolver;

/* Helps where no step has a similar name. */
static void help_with_step(const resolver *r, diag_report *report, const ast_outcome *outcome)
{
    const char *name = outcome->target.name;
    if (strcmp(name, "stay") == 0 && r->step)
        diag_help(report, "to run this step again, name it: `%s`", r->step->name.name);
    else if (text_is_one_of(name, strlen(name), "await describe submit stay") || reserved_by(name))
        diag_help(report, "`->` and `else` take a step, `done`, `fail` or `become Task`");
    else if (outcome->args.count)
        diag_help(report, "add `step %s(…) { … }` to the task; a call of C belongs in the body of a step", name);
    else diag_help(report, "add `step %s { … }` to the task", name);
}

static void unknown_step(resolver *r, const ast_outcome *outcome)
{
    sema *s = r->sema;
    const ast_ident *const target = &outcome->target;
    const char *name = target->name;
    if (is_second(s, &r->unknown, target)) return;
    ast_task *task = scope_find(&s->names->tasks, name);
    if (task) {
        diag_report *report =
            report_at(s, UF0303, target->at, "`%s` is a task, not a step of task %s", name, r->task->name.name);
        diag_note(report, task->name.at, "task `%s` is here", name);
        diag_help(report, "a task is left with `become %s`", name);
        return;
    }
    ast_step *step = scope_find(&s->names->steps, name);
    if (step) {
        const char *owner = step->task->name.name;
        diag_report *report =
            report_at(s, UF0302, target->at, "`%s` is a step of task %s: a task is left with `become`", name, owner);
        diag_note(report, step->name.at, "step `%s` is here", name);
        diag_help(report, "`become %s` enters that task at its first step", owner);
        return;
    }
    diag_report *report = report_at(s, UF0301, target->at, "task %s has no step `%s`", r->task->name.name, name);
    if (is_one_of_many(s)) return;
    candidates near = {0};
    for (ast_step *known = r->task->steps; known; known = known->next) candidates_add(s, &near, known->name.name);
    if (!candidates_help(&near, name, report)) help_with_step(r, report, outcome);
}

static void unknown_task(resolver *r, const ast_ident *target)
{
    sema *s = r->sema;
    const char *name = target->name;
    if (is_second(s, r->no_tasks, target)) return;
    ast_step *step = scope_find(&r->steps, name);
    if (!step) step = scope_find(&s->names->steps, name);
    if (step) {
        diag_report *report = report_at(s, UF0305, target->at, "`%s` is a step of task %s: `become` enters a task",
                                        name, step->task->name.name);
        diag_note(report, step->name.at, "step `%s` is here", name);
        if (step->task == r->task) diag_help(report, "a step of the same task is a target of `next` and of `->`");
        else diag_help(report, "`become %s` enters that task at its first step", step->task->name.name);
        return;
    }
    const ast_flow *const own = s->names->flow;
    for (const ast_group *group = own->groups; group; group = group->next) {
        if (group->name.name != name) continue;
        diag_report *report = report_at(s, UF0305, target->at, "`%s` is a group: `become` enters a task", name);
        diag_note(report, group->name.at, "group `%s` is here", name);
        diag_help(report, "name one of its tasks: the flow enters the groups around it, too");
        return;
    }
    diag_report *report = report_at(s, UF0304, target->at, "%s%s has no task `%s`", own->test ? "a test" : "flow ",
                                    own->test ? "" : own->name.name, name);
    if (is_one_of_many(s)) return;
    if (help_near_task(s, report, own, name)) return;
    for (const flow_names *other = s->own; other; other = other->next) {
        ast_task *known = scope_find(&other->tasks, name);
        if (!known) continue;
        const char *flow = other->flow->name.name;
        diag_note(report, known->name.at, "flow %s has a task `%s`", flow, name);
        diag_help(report, "a task of another flow is run: `await run %s.%s(&flow->…) -> …`", flow, name);
        return;
    }
    diag_help(report, "`become` enters a task of the same flow");
}

static void resolve_outcome(resolver *r, ast_outcome *outcome)
{
    if (!outcome->target.name) return;
    if (outcome_takes(outcome->kind, TAKES_STEP)) {
        outcome->step = scope_find(&r->steps, outcome->target.name);
        if (!outcome->step) unknown_step(r, outcome);
    } else if (outcome_takes(outcome->kind, TAKES_TASK)) {
        outcome->task = scope_find(&r->sema->names->tasks, outcome->target.name);
        if (!outcome->task) unknown_task(r, &outcome->target);
    }
}

/* Is the arm a condition without `until`, as in `await flow->ready;`? */
static bool is_condition(const ast_arm *arm)
{
    return arm->event->kind == ARM_NAME && is_flow_or_self(arm->event->name.name);
}

/* Corrects `run x.Home()` with a sub-flow or pool x. Returns false if this is a different fault. */
static bool help_with_subflow(const sema *s, diag_report *report, const ast_event *run)
{
    const ast_subflow *const subflow = find_subflow(s->names->flow, run->flow.name);
    if (!subflow) return false;
    if (subflow->is_pool)
        diag_help(report, "members of a pool are started by `spawn %s.%s(…);`", run->flow.name, run->task.name);
    else
        diag_help(report, "a run names the flow's type: `run %s.%s(&flow->%s, …)`", subflow->type.name, run->task.name,
                  run->flow.name);
    return true;
}

/* `run` is the event that names the flow; NULL: a sub-flow names it. */
static void unknown_flow(sema *s, const ast_ident *name, const ast_event *run)
{
    if (is_second(s, &s->unknown, name)) return;
    diag_report *report = report_at(s, UF0306, name->at, "there is no flow `%s`", name->name);
    if (is_one_of_many(s)) return;
    if (run && help_with_subflow(s, report, run)) return;
    candidates near = {0};
    for (ast_flow *known = s->file->flows; known; known = known->next) candidates_add(s, &near, known->name.name);
    for (ast_import *import = s->file->imports; import; import = import->next) {
        if (!import->file) continue;
        for (ast_flow *known = import->file->flows; known; known = known->next)
            candidates_add(s, &near, known->name.name);
    }
    if (!candidates_help(&near, name->name, report)) {
        diag_help(report, "define it in this file, or import the file that does: `import \"other.uflow\";`");
    }
}

static void resolve_event(ast_event *event, void *context)
{
    sema *const s = context;
    if (event->kind != ARM_RUN) return;
    const flow_names *names = scope_find(&s->flows, event->flow.name);
    if (!names || names->flow->test) {
        unknown_flow(s, &event->flow, event);
        return;
    }
    event->run_flow = names->flow;
    event->run_task = scope_find(&names->tasks, event->task.name);
    if (event->run_task) return;
    const char *const whole = arena_printf(s->arena, "%s.%s", event->flow.name, event->task.name);
    if (is_second(s, &s->unknown, &(ast_ident){arena_intern(s->arena, whole, strlen(whole)), event->task.at})) return;
    report_no_task(s, names->flow, &event->task, "a run names a task: `run Flow.Task(&flow, …)`");
}

static void resolve_statement(ast_statement *statement, void *context)
{
    resolver *const r = context;
    walk_events(statement, resolve_event, r->sema);
    if (statement->outcome) resolve_outcome(r, statement->outcome);
    for (const ast_arm *arm = statement->arms; arm; arm = arm->next) {
        if (is_condition(arm)) continue;
        resolve_outcome(r, arm->outcome);
        if (arm->otherwise) resolve_outcome(r, arm->otherwise);
    }
}

/* `on SIGNAL` of a flow may interrupt any task, so its outcome cannot name a step. */
static void resolve_preempts(resolver *r, ast_preempt *list)
{
    for (; list; list = list->next) {
        if (list->run) resolve_event(list->run, r->sema);
        if (r->task || outcome_takes(list->outcome->kind, TAKES_TASK)) resolve_outcome(r, list->outcome);
    }
}

static void resolve_task(sema *s, ast_task *task, scope *no_tasks)
{
    resolver r = {.sema = s, .task = task, .no_tasks = no_tasks};
    for (ast_step *step = task->steps; step; step = step->next) scope_add(s->arena, &r.steps, step->name.name, step);
    resolve_preempts(&r, task->preempts);
    for (ast_step *step = task->steps; step; step = step->next) {
        r.step = step;
        walk_statements(step->body.first, resolve_statement, &r);
    }
}

/* Flows above are complete before this sub-flow. A test stands below all flows. */
static void resolve_subflow(sema *s, const ast_flow *flow, ast_subflow *subflow)
{
    const flow_names *names = scope_find(&s->flows, subflow->type.name);
    if (!names) {
        unknown_flow(s, &subflow->type, NULL);
        return;
    }
    subflow->flow = names->flow;
    bool const is_above = flow->test ? !names->flow->test : names->flow->index < flow->index;
    if (names->imported || is_above) return;
    bool const itself = names->flow == flow;
    diag_report *report =
        itself ? report_at(s, UF0308, subflow->type.at, "flow `%s` cannot contain itself", flow->name.name)
               : report_at(s, UF0308, subflow->type.at, "flow `%s` is defined below its use", subflow->type.name);
    if (!itself) diag_note(report, names->flow->name.at, "flow `%s` is here", subflow->type.name);
    diag_help(report, itself ? "keep a pointer to another instance in a field" : "move it above flow %s",
              flow->name.name);
}

void resolve_targets(sema *s, ast_flow *flow)
{
    for (ast_member *member = flow->members; member; member = member->next) {
        if (member->kind == MEMBER_SUBFLOW) resolve_subflow(s, flow, member->subflow);
    }
    scope no_tasks = {0};
    resolver of_flow = {.sema = s, .no_tasks = &no_tasks};
    resolve_preempts(&of_flow, flow->preempts);
    for (const ast_group *group = flow->groups; group; group = group->next) resolve_preempts(&of_flow, group->preempts);
    for (ast_task *task = flow->tasks; task; task = task->next) resolve_task(s, task, &no_tasks);
}
