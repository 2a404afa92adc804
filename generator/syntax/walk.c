/* SPDX-License-Identifier: MIT */
#include "walk.h"

static void visit_handlers(body_site at, ast_body *const *handlers, body_visitor *visit, void *context)
{
    for (at.on = (handler_kind)0; at.on < HANDLER_KINDS; at.on++) {
        at.body = handlers[at.on];
        if (at.body) visit(&at, context);
    }
}

void walk_bodies(ast_flow *flow, body_visitor *visit, void *context)
{
    visit_handlers((body_site){.flow = flow}, flow->handlers, visit, context);
    for (ast_hook *hook = flow->test ? flow->test->hooks : NULL; hook; hook = hook->next) {
        body_site const of_hook = {.flow = flow, .hook = hook, .on = HANDLER_KINDS, .body = &hook->body};
        if (hook_infos[hook->kind].form != HOOK_IS_NOTHING) visit(&of_hook, context);
    }
    for (ast_group *group = flow->groups; group; group = group->next)
        visit_handlers((body_site){.flow = flow, .group = group}, group->handlers, visit, context);
    for (ast_task *task = flow->tasks; task; task = task->next) {
        body_site of_task = {.flow = flow, .task = task, .on = HANDLER_KINDS};
        visit_handlers(of_task, task->handlers, visit, context);
        for (ast_step *step = task->steps; step; step = step->next) {
            of_task.step = step;
            of_task.body = &step->body;
            visit(&of_task, context);
        }
    }
}

static void visit_preempts(ast_preempt *list, preempt_visitor *visit, void *context)
{
    for (; list; list = list->next) visit(list, context);
}

void walk_preempts(ast_flow *flow, preempt_visitor *visit, void *context)
{
    visit_preempts(flow->preempts, visit, context);
    for (const ast_group *group = flow->groups; group; group = group->next)
        visit_preempts(group->preempts, visit, context);
    for (const ast_task *task = flow->tasks; task; task = task->next) visit_preempts(task->preempts, visit, context);
}

void walk_statements(ast_statement *list, statement_visitor *visit, void *context)
{
    for (; list; list = list->next) {
        for (ast_statement *s = list; s; s = ast_else_if(s)) {
            visit(s, context);
            if (s->body) walk_statements(s->body, visit, context);
            if (s->otherwise && !ast_else_if(s)) walk_statements(s->otherwise, visit, context);
            for (ast_branch *branch = s->branches; branch; branch = branch->next) {
                if (!branch->skipped) walk_statements(branch->body, visit, context);
            }
        }
    }
}

typedef struct outcome_walk {
    outcome_visitor *visit;
    void *context;
} outcome_walk;

static void visit_outcomes(ast_statement *statement, void *context)
{
    const outcome_walk *walk = context;
    if (statement->outcome) walk->visit(statement->outcome, walk->context);
    for (const ast_arm *arm = statement->arms; arm; arm = arm->next) {
        walk->visit(arm->outcome, walk->context);
        if (arm->otherwise) walk->visit(arm->otherwise, walk->context);
    }
}

void walk_outcomes(ast_statement *list, outcome_visitor *visit, void *context)
{
    walk_statements(list, visit_outcomes, &(outcome_walk){visit, context});
}

static void visit_events(ast_event *list, event_visitor *visit, void *context)
{
    for (ast_event *event = list; event; event = event->next) {
        visit(event, context);
        visit_events(event->all, visit, context);
    }
}

void walk_events(ast_statement *statement, event_visitor *visit, void *context)
{
    for (ast_arm *arm = statement->arms; arm; arm = arm->next) visit_events(arm->event, visit, context);
}

typedef struct text_walk {
    text_visitor *visit;
    void *context;
} text_walk;

static void visit_text(token_range text, const text_walk *walk)
{
    if (!range_empty(text)) walk->visit(text, walk->context);
}

static void visit_args(const ast_args *args, const text_walk *walk)
{
    for (uint32_t i = 0; i < args->count; i++) walk->visit(args->items[i], walk->context);
}

static void visit_duration(const ast_duration *duration, const text_walk *walk)
{
    if (ast_is_there(duration) && !duration->literal) walk->visit(duration->text, walk->context);
}

void outcome_texts(const ast_outcome *outcome, text_visitor *visit, void *context)
{
    text_walk const walk = {visit, context};
    visit_text(outcome->value, &walk);
    visit_args(&outcome->args, &walk);
}

static void visit_event_texts(ast_event *event, void *context)
{
    visit_text(event->condition, context);
    visit_text(event->target, context);
    visit_args(&event->args, context);
    visit_duration(&event->duration, context);
}

void preempt_texts(const ast_preempt *preempt, text_visitor *visit, void *context)
{
    text_walk walk = {visit, context};
    visit_duration(&preempt->after, &walk);
    if (preempt->run) visit_event_texts(preempt->run, &walk);
}

static void visit_texts(ast_statement *s, void *context)
{
    const text_walk *walk = context;
    /* The text of a block is that of its statements; the text of a directive is not C. */
    bool const is_whole = s->kind == STATEMENT_BLOCK || s->kind == STATEMENT_DIRECTIVE;
    if (!is_whole) visit_text(s->text, walk);
    visit_text(s->condition, walk);
    if (s->operands) {
        visit_text(s->operands->index, walk);
        visit_text(s->operands->format, walk);
        visit_args(&s->operands->args, walk);
        visit_duration(&s->operands->every, walk);
        visit_duration(&s->operands->timeout, walk);
    }
    if (s->outcome) outcome_texts(s->outcome, walk->visit, walk->context);
    for (ast_arm *arm = s->arms; arm; arm = arm->next) {
        visit_text(arm->condition, walk);
        visit_events(arm->event, visit_event_texts, context);
        outcome_texts(arm->outcome, walk->visit, walk->context);
        if (arm->otherwise) outcome_texts(arm->otherwise, walk->visit, walk->context);
    }
}

void statement_texts(ast_statement *s, text_visitor *visit, void *context)
{
    visit_texts(s, &(text_walk){visit, context});
}

void walk_texts(ast_statement *list, text_visitor *visit, void *context)
{
    walk_statements(list, visit_texts, &(text_walk){visit, context});
}
