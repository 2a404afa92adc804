/* SPDX-License-Identifier: MIT */
/* Names of pools, in `spawn`, `vacant` and `idle`; the possible members of a pool. */
#include "checks.h"
#include "walk.h"
#include "words.h"

ast_subflow *find_pool(const ast_flow *flow, const char *name)
{
    ast_subflow *const found = find_subflow(flow, name);
    return found && found->is_pool ? found : NULL;
}

static void unknown_pool(sema *s, const ast_ident *name)
{
    const ast_flow *const flow = s->names->flow;
    const member_name *const member = find_flow_member(s, flow, name->name);
    const ast_declarator *const field = member && member->member ? member->field : NULL;
    /* `pool Connection connections;` was reported as a field. */
    if (field && is_bare_flow(s, field)) return;
    if (is_second(s, &s->unknown, name)) return;
    diag_report *report = report_at(s, UF0380, name->at, "flow %s has no pool `%s`", flow->name.name, name->name);
    if (is_one_of_many(s)) return;
    const ast_subflow *const other = find_subflow(flow, name->name);
    if (other) {
        diag_note(report, other->name.at, "this is a sub-flow");
        diag_help(report, "a task of a sub-flow is run by an arm: `await run Flow.Task(&flow->%s) -> Step;`",
                  name->name);
        return;
    }
    if (field) {
        diag_note(report, field->name.at, "this is a field");
        diag_help(report, "declare a pool with the type of its members and its size: `pool Type %s[8];`", name->name);
        return;
    }
    candidates near = {0};
    for (const ast_member *m = flow->members; m; m = m->next) {
        if (m->kind != MEMBER_SUBFLOW || !m->subflow->is_pool) continue;
        if (m->subflow->type.name == name->name) { /* `spawn Motor.Move()` */
            diag_note(report, m->subflow->name.at, "a pool of this type is here");
            diag_help(report, "name the pool, not the type of its members: `%s`", m->subflow->name.name);
            return;
        }
        candidates_add(s, &near, m->subflow->name.name);
    }
    if (scope_find(&s->flows, name->name)) {
        diag_help(report, "`%s` is a type of flow: declare a pool of it, `pool %s name[8];`, and name the pool",
                  name->name, name->name);
        return;
    }
    if (!candidates_help(&near, name->name, report))
        diag_help(report, "declare it in the flow: `pool Type %s[8];`", name->name);
}

static ast_subflow *resolve_name(sema *s, const ast_ident *name)
{
    ast_subflow *const pool = find_pool(s->names->flow, name->name);
    if (!pool) unknown_pool(s, name);
    return pool;
}

/* `idle(connections)`: the name of a pool, not the address of a flow. */
static void resolve_idle(const sema *s, ast_event *event)
{
    token_range const target = event->target;
    if (target.end - target.first != 1) return;
    ast_subflow *const pool = find_pool(s->names->flow, token_intern(s->arena, target.list, target.first));
    if (!pool) return;
    event->kind = ARM_EMPTY;
    event->name = (ast_ident){pool->name.name, range_span(target)};
    event->target.end = target.first;
    event->pool = pool;
}

static void resolve_event(ast_event *event, void *context)
{
    if (event->kind == ARM_IDLE && !range_empty(event->target)) resolve_idle(context, event);
    else if ((event->kind == ARM_VACANT || event->kind == ARM_ENDED) && event->name.name)
        event->pool = resolve_name(context, &event->name);
    if (event->kind == ARM_ENDED && event->pool) event->pool->has_ends = true;
}

static void resolve_task(sema *s, ast_operands *spawn)
{
    const ast_flow *const type = spawn->pool->flow;
    const flow_names *const names = type ? scope_find(&s->flows, type->name.name) : NULL;
    if (!names) return; /* the pool was reported */
    spawn->task = scope_find(&names->tasks, spawn->task_name.name);
    if (spawn->task) return;
    report_no_task(s, type, &spawn->task_name,
                   arena_printf(s->arena, "a spawn names a pool and a task of its members: `spawn %s.Task(…);`",
                                spawn->name.name));
}

static void check_branch(sema *s, const ast_statement *branch)
{
    if (!branch || branch->kind != STATEMENT_SPAWN) return;
    diag_report *report = report_at(s, UF0580, branch->at, "a `spawn` as the branch of an `if`");
    diag_help(report, "put it between braces: `if (…) { spawn … }`; its `else` is not that of the `if`");
}

static void resolve_statement(ast_statement *statement, void *context)
{
    walk_events(statement, resolve_event, context);
    if (statement->kind == STATEMENT_IF) {
        check_branch(context, statement->body);
        check_branch(context, statement->otherwise);
    }
    if (statement->kind != STATEMENT_SPAWN) return;
    statement->operands->pool = resolve_name(context, &statement->operands->name);
    if (statement->operands->pool) resolve_task(context, statement->operands);
}

/* -- members ------------------------------------------------------------------------------------------------------- */

static ast_flow *find_flow(ast_flow *list, const char *name)
{
    while (list && list->name.name != name) list = list->next;
    return list;
}

ast_flow *type_of_subflow(const ast_flow *flow, const ast_subflow *subflow)
{
    if (subflow->flow) return subflow->flow;
    ast_flow *found = find_flow(flow->file->flows, subflow->type.name);
    for (const ast_import *import = flow->file->imports; import && !found; import = import->next) {
        if (import->file) found = find_flow(import->file->flows, subflow->type.name);
    }
    return found;
}

/* Notes a pool and a shutdown task of a flow, or of a flow inside it. */
static void look_inside(ast_flow *flow)
{
    if (flow->is_searched) return;
    flow->is_searched = true;
    for (const ast_task *task = flow->tasks; task; task = task->next) {
        if (task->shutdown && !flow->shutdown_inside) flow->shutdown_inside = &task->name;
    }
    for (const ast_member *m = flow->members; m; m = m->next) {
        if (m->kind != MEMBER_SUBFLOW) continue;
        ast_flow *const inner = type_of_subflow(flow, m->subflow);
        if (m->subflow->is_pool && !flow->pool_inside) flow->pool_inside = &m->subflow->name;
        if (!inner) continue;
        look_inside(inner);
        if (!flow->pool_inside) flow->pool_inside = inner->pool_inside;
        if (!flow->shutdown_inside && !m->subflow->is_pool) flow->shutdown_inside = inner->shutdown_inside;
    }
}

static void check_pool(sema *s, const ast_flow *flow, const ast_subflow *pool)
{
    if (!pool->flow || pool->flow == flow) return;
    const ast_ident *const inner = pool->flow->pool_inside, *const shutdown = pool->flow->shutdown_inside;
    if (!inner && !shutdown) return;
    diag_report *report = report_at(s, UF0480, pool->type.at, "flow %s cannot be a member of a pool: it has %s",
                                    pool->type.name, inner ? "a pool" : "a shutdown task");
    if (inner) diag_note(report, inner->at, "pool `%s` is here", inner->name);
    else diag_note(report, shutdown->at, "task `%s` is here", shutdown->name);
    if (inner) diag_help(report, "put both pools into flow %s, and let each member know its owner", flow->name.name);
    else diag_help(report, "release in `on exit` what a member holds: a stop cancels the members");
}

void resolve_pools(sema *s, ast_flow *flow)
{
    look_inside(flow);
    for (const ast_member *m = flow->members; m; m = m->next) {
        if (m->kind == MEMBER_SUBFLOW && m->subflow->is_pool) check_pool(s, flow, m->subflow);
    }
    for (ast_task *task = flow->tasks; task; task = task->next) {
        for (ast_step *step = task->steps; step; step = step->next)
            walk_statements(step->body.first, resolve_statement, s);
    }
}
