/* SPDX-License-Identifier: MIT */
/* Numbers of arguments, and results of tasks. Types are left to the C compiler. */
#include "checks.h"
#include "walk.h"

/* Each declaration has one declarator. Stops counting above `enough`. */
static uint32_t count_params(const ast_declaration *list, uint32_t enough)
{
    uint32_t count = 0;
    for (; list && count <= enough; list = list->next) count++;
    return count;
}

/* `kind name(int a, char b)`, as declared. For a worker, the type of its result precedes the name. */
static const char *signature(sema *s, const char *kind, const token_range *type, const ast_ident *name,
                             const ast_declaration *params)
{
    buffer text = {0};
    buffer_printf(&text, "%s ", kind);
    if (type) buffer_printf(&text, "%s ", text_at(s, range_span(*type)));
    buffer_printf(&text, "%s(", name->name);
    for (const ast_declaration *p = params; p; p = p->next)
        buffer_printf(&text, "%s%s", p == params ? "" : ", ", text_at(s, range_span(p->text)));
    buffer_puts(&text, ")");
    char *copy = arena_copy(s->arena, text.text, text.length);
    buffer_free(&text);
    return copy;
}

static void check_typed(sema *s, const ast_args *args, const ast_ident *at, const char *kind, const token_range *type,
                        const ast_ident *name, const ast_declaration *params)
{
    if (report_divided(s, args->items, args->count)) return;
    uint32_t wanted = count_params(params, args->count);
    if (args->count == wanted) return;
    if (!is_one_of_many(s)) wanted = count_params(params, UINT32_MAX);
    diag_report *r = report_at(s, UF0401, args->count ? args->at : at->at, "%s %s takes %u argument%s, not %u", kind,
                               name->name, (unsigned)wanted, wanted == 1 ? "" : "s", (unsigned)args->count);
    if (is_one_of_many(s)) return;
    diag_note(r, name->at, "%s `%s` is here", kind, name->name);
    if (wanted) diag_help(r, "its declaration is `%s`", signature(s, kind, type, name, params));
    else diag_help(r, "leave the arguments out, or declare parameters: `%s %s(…)`", kind, name->name);
}

static void check_count(sema *s, const ast_args *args, const ast_ident *at, const char *kind, const ast_ident *name,
                        const ast_declaration *params)
{
    check_typed(s, args, at, kind, NULL, name, params);
}

static void check_done(sema *s, const ast_task *task, const ast_outcome *outcome)
{
    bool const has_result = !range_empty(task->result), has_value = !range_empty(outcome->value);
    if (has_result == has_value) return;
    if (has_result) {
        diag_report *r = report_at(s, UF0408, outcome->at, "`done` without the result of task %s", task->name.name);
        diag_note(r, range_span(task->result), "the type of the result is here");
        diag_help(r, "write `done value`");
    } else {
        diag_report *r = report_at(s, UF0408, range_span(outcome->value), "task %s has no result", task->name.name);
        diag_note(r, task->name.at, "task `%s` is here", task->name.name);
        diag_help(r, "write a bare `done`, or give the task a result: `task %s -> type`", task->name.name);
    }
}

typedef struct site_context {
    sema *sema;
    const ast_task *task;
} site_context;

static void check_outcome(ast_outcome *o, void *context)
{
    const site_context *const c = context;
    if (o->step) check_count(c->sema, &o->args, &o->target, "step", &o->step->name, o->step->params);
    if (o->task) check_count(c->sema, &o->args, &o->target, "task", &o->task->name, o->task->params);
    if (c->task && outcome_takes(o->kind, TAKES_RESULT)) check_done(c->sema, c->task, o);
}

static void check_event(ast_event *event, void *context)
{
    sema *s = context;
    if (event->kind != ARM_RUN || !event->run_task) return;
    if (report_divided(s, &event->target, 1)) return;
    check_count(s, &event->args, &event->task, "task", &event->run_task->name, event->run_task->params);
}

static void check_statement(ast_statement *statement, void *context)
{
    const ast_operands *const o = statement->operands;
    walk_events(statement, check_event, context);
    if (o && o->task) check_count(context, &o->args, &o->task_name, "task", &o->task->name, o->task->params);
    const ast_worker *const worker = o && o->job ? o->job->worker : NULL;
    if (!worker) return;
    check_typed(context, &o->args, &o->name, "worker", range_empty(worker->result) ? NULL : &worker->result,
                &worker->name, worker->params);
}

static void check_body(sema *s, const body_site *site)
{
    if (!site->step) return; /* paths.c reports intents in handlers */
    walk_outcomes(site->body->first, check_outcome, &(site_context){s, site->task});
    walk_statements(site->body->first, check_statement, s);
}

static void visit_preempt(ast_preempt *preempt, void *context)
{
    if (preempt->run) check_event(preempt->run, context);
    check_outcome(preempt->outcome, &(site_context){context, preempt->task});
}

void check_arguments(sema *s, ast_flow *flow)
{
    for (ast_member *member = flow->members; member; member = member->next) {
        if (member->kind != MEMBER_SUBFLOW || !member->subflow->flow) continue;
        const ast_flow *type = member->subflow->flow;
        check_count(s, &member->subflow->args, &member->subflow->name, "flow", &type->name, type->params);
    }
    for (ast_task *task = flow->tasks; task; task = task->next) {
        if (!task->steps || !task->steps->params) continue;
        diag_report *r =
            report_at(s, UF0402, range_span(task->steps->params->text), "the entry step of %s%s cannot have parameters",
                      flow->test ? "a test" : "task ", flow->test ? "" : task->name.name);
        if (flow->test) diag_help(r, "keep them in fields of the test, and read them as `flow->…`");
        else diag_help(r, "give them to the task, `task %s(…)`, and read them as `self->…`", task->name.name);
    }
    for_each_body(s, flow, check_body);
    walk_preempts(flow, visit_preempt, s);
}
