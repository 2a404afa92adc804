/* SPDX-License-Identifier: MIT */
/* Flows, signals, checkpoints and mailboxes are passed by address: a run takes `&flow->axis`, not `flow->axis`. Without
 * this check, the C compiler would report an error in a generated function. */
#include "checks.h"
#include "walk.h"
#include "words.h"

/* What `flow->a.b` or `&flow->a[i].b` names. */
typedef struct place {
    bool has_address, has_index;
    const ast_flow *in;       /* the flow whose member it is */
    const ast_subflow *pool;  /* on the way to the pointer */
    const member_name *known; /* the member or parameter */
    const ast_subflow *subflow;
} place;

typedef struct pointers {
    sema *sema;
    const ast_flow *flow;
} pointers;

static bool find_place(const pointers *p, token_range text, place *found)
{
    const token_list *const list = text.list;
    uint32_t at = text.first;
    bool const has_address = range_is(text, at, "&");
    if (has_address) at++;
    if (text.end - at < 3 || !token_is(list, at, "flow") || !token_is(list, at + 1, "->")) return false;
    at += 2;
    const ast_subflow *pool = NULL;
    for (const ast_flow *in = p->flow; in && at < text.end; at++) {
        const member_name *const known = find_flow_member(p->sema, in, token_intern(p->sema->arena, list, at));
        if (!known) return false;
        *found = (place){.has_address = has_address, .in = in, .pool = pool, .known = known};
        if (known->member) found->subflow = known->member->subflow;
        found->has_index = range_is(text, ++at, "[");
        if (found->has_index) at = closing_bracket(text, at) + 1;
        if (at >= text.end) return !found->has_index || found->subflow;
        if (!found->subflow || !token_is(list, at, ".")) return false;
        if (found->subflow->is_pool && in == p->flow) pool = found->subflow;
        in = found->subflow->flow;
    }
    return false;
}

static const char *spelled(const pointers *p, token_range text)
{
    return text_at(p->sema, range_span(text));
}

static void report_itself(const pointers *p, token_range text, const char *word, const char *what)
{
    const char *const name = spelled(p, text);
    diag_report *r =
        report_at(p->sema, UF0417, range_span(text), "%s takes a pointer, and `%s` is the %s itself", word, name, what);
    diag_help(r, "write `&%s`", name);
}

static void report_operand_itself(const pointers *p, const ast_event *event)
{
    const arm_info *const arm = &arm_infos[event->kind];
    report_itself(p, event->target, arena_printf(p->sema->arena, "`%s`", arm->word), operand_infos[arm->operand].noun);
}

/* Is the declaration `B *b`, with the type of a flow? */
static bool is_pointer_to_flow(const sema *s, const ast_declarator *d)
{
    if (d->specifiers.end - d->specifiers.first != 1 || d->declarator.end - d->declarator.first != 2) return false;
    const char *const type = token_intern(s->arena, d->specifiers.list, d->specifiers.first);
    return token_is(d->declarator.list, d->declarator.first, "*") && scope_find(&s->flows, type) != NULL;
}

/* Reports `&flow->axis.uf`. Functions of C take the base of a flow, and arms the flow. */
static bool report_base(const pointers *p, token_range text)
{
    uint32_t const end = text.end;
    if (end - text.first < 4 || !token_is(text.list, text.first, "&") || !token_is(text.list, end - 1, "uf"))
        return false;
    bool const by_pointer = token_is(text.list, end - 2, "->");
    if (!by_pointer && !token_is(text.list, end - 2, ".")) return false;
    diag_report *const r =
        report_at(p->sema, UF0417, range_span(text), "this is the base of a flow, and an arm takes the flow");
    diag_help(r, "write `%s`", spelled(p, (token_range){text.list, by_pointer ? text.first + 1 : text.first, end - 2}));
    return true;
}

/* Is it a pool, or an array without an index? */
static bool is_many(const place *found)
{
    return found->subflow->is_pool || (found->subflow->is_array && !found->has_index);
}

/* Reports a pool where a flow is expected, and an array without an index. */
static bool report_many(const pointers *p, const ast_event *event, const place *found)
{
    const ast_subflow *const many = found->subflow;
    if (!is_many(found)) return false;
    const char *const name = many->name.name;
    diag_report *const r = report_at(p->sema, UF0417, range_span(event->target), "`%s` is %s", name,
                                     many->is_pool ? "a pool" : "an array of flows: which one?");
    diag_note(r, many->name.at, "it is declared here");
    if (!many->is_pool) diag_help(r, "write `&%s[i]`", spelled(p, event->target) + found->has_address);
    else if (found->in != p->flow)
        diag_help(r, "only steps of flow %s name its pool: write a task there, and `run` it", found->in->name.name);
    else if (event->kind == ARM_IDLE) diag_help(r, "its name is enough: `idle(%s)`", name);
    else
        diag_help(r, "its members are started by `spawn %s.%s(…);`", name,
                  event->task.name ? event->task.name : "Task");
    return true;
}

/* Checks the flow argument of `run` and `idle`. */
static void check_flow(const pointers *p, const ast_event *event)
{
    place found;
    if (report_base(p, event->target) || !find_place(p, event->target, &found)) return;
    const ast_declarator *const field = found.known->field;
    if (field) {
        if (!found.has_address || !is_pointer_to_flow(p->sema, field)) return;
        const char *const pointer = spelled(p, event->target) + 1;
        diag_report *r = report_at(p->sema, UF0417, range_span(event->target), "`%s` is a pointer already", pointer);
        diag_note(r, field->name.at, "it is declared here");
        diag_help(r, "write `%s`", pointer);
        return;
    }
    const ast_subflow *const subflow = found.subflow;
    if (!subflow || report_many(p, event, &found)) return;
    if (!found.has_address) {
        report_operand_itself(p, event);
    } else if (event->kind == ARM_RUN && event->run_flow && subflow->flow && subflow->type.name != event->flow.name) {
        diag_report *r = report_at(p->sema, UF0417, range_span(event->target), "`%s` is a flow %s, and not a %s",
                                   spelled(p, event->target) + 1, subflow->type.name, event->flow.name);
        diag_note(r, subflow->name.at, "it is declared here");
        diag_help(r, "name a flow of that type, or a task of its own: `run %s.…`", subflow->type.name);
    }
}

/* Checks the operand of an arm that waits for a signal, checkpoint or mailbox. */
static void check_member(const pointers *p, const ast_event *event, ast_member_kind wanted)
{
    place found;
    if (!find_place(p, event->target, &found) || found.has_address) return;
    const ast_member *const member = found.known->member;
    if (member && member->kind == wanted) report_operand_itself(p, event);
}

static const ast_declarator *parameter_at(const ast_declaration *params, uint32_t index)
{
    for (; params; params = params->next) {
        for (const ast_declarator *d = params->first; d; d = d->next) {
            if (index-- == 0) return d;
        }
    }
    return NULL;
}

static bool is_number(const ast_declarator *d)
{
    return d->declarator.end - d->declarator.first == 1 && !range_empty(d->specifiers) &&
           token_is_one_of(d->specifiers.list, d->specifiers.end - 1,
                           "int unsigned signed char short long float double _Bool bool int32_t uint32_t uint8_t "
                           "uf_time");
}

/* Reports arguments that are flows: no parameter has the type of a flow. */
static void check_args(const pointers *p, const ast_args *args, const ast_declaration *params)
{
    for (uint32_t i = 0; i < args->count; i++) {
        place found;
        if (!find_place(p, args->items[i], &found) || found.has_address || !found.subflow || is_many(&found)) continue;
        const ast_declarator *const d = parameter_at(params, i);
        if (!d || !d->name.name || !is_number(d)) { /* `int .` has no name */
            report_itself(p, args->items[i], "a parameter", "flow");
            continue;
        }
        const char *const name = spelled(p, args->items[i]);
        diag_report *r = report_at(p->sema, UF0417, range_span(args->items[i]),
                                   "parameter `%s` is a number, and `%s` is a flow", d->name.name, name);
        diag_note(r, d->name.at, "it is declared here");
        diag_help(r, "hand over a field of the flow, `%s.…`, or declare a pointer and hand over `&%s`", name, name);
    }
}

/* Reports `room(&flow->connections[1].box)`: the members of a pool have a place only while they run. */
static bool report_in_pool(const pointers *p, const ast_event *event)
{
    place found;
    if (!find_place(p, event->target, &found) || !found.pool) return false;
    const char *const name = found.pool->name.name;
    diag_report *const r =
        report_at(p->sema, UF0417, range_span(event->target), "`%s` is a pool, and has no elements", name);
    diag_note(r, found.pool->name.at, "it is declared here");
    help_of_pool(r, p->flow, name);
    return true;
}

static void visit_event(ast_event *event, void *context)
{
    const pointers *const p = context;
    arm_operand const operand = arm_infos[event->kind].operand;
    if (!event->each && report_in_pool(p, event)) return;
    if (!event->each && (operand == OPERAND_RUN || operand == OPERAND_FLOW)) check_flow(p, event);
    if (operand == OPERAND_RUN) check_args(p, &event->args, event->run_task ? event->run_task->params : NULL);
    if (operand == OPERAND_SIGNAL) check_member(p, event, MEMBER_SIGNAL);
    if (operand == OPERAND_CHECKPOINT) check_member(p, event, MEMBER_CHECKPOINT);
    if (operand == OPERAND_MAILBOX) check_member(p, event, MEMBER_MAILBOX);
}

static void visit_statement(ast_statement *statement, void *context)
{
    walk_events(statement, visit_event, context);
    if (statement->kind == STATEMENT_SPAWN && statement->operands->task)
        check_args(context, &statement->operands->args, statement->operands->task->params);
    if (statement->kind != STATEMENT_SUBMIT) return;
    const ast_job *const job = statement->operands->job;
    check_args(context, &statement->operands->args, job && job->worker ? job->worker->params : NULL);
}

static void check_outcome(const pointers *p, const ast_outcome *o)
{
    if (outcome_takes(o->kind, TAKES_FORMAT)) return;
    check_args(p, &o->args, o->step ? o->step->params : o->task ? o->task->params : NULL);
}

static void visit_outcome(ast_outcome *outcome, void *context)
{
    check_outcome(context, outcome);
}

static void visit_body(const body_site *site, void *context)
{
    walk_statements(site->body->first, visit_statement, context);
    walk_outcomes(site->body->first, visit_outcome, context);
}

static void visit_preempt(ast_preempt *preempt, void *context)
{
    if (preempt->run) visit_event(preempt->run, context);
    check_outcome(context, preempt->outcome);
}

void check_pointers(sema *s, ast_flow *flow)
{
    pointers p = {s, flow};
    for (const ast_member *m = flow->members; m; m = m->next) {
        const ast_flow *const type = m->kind == MEMBER_SUBFLOW ? m->subflow->flow : NULL;
        if (m->kind == MEMBER_SUBFLOW) check_args(&p, &m->subflow->args, type ? type->params : NULL);
    }
    walk_bodies(flow, visit_body, &p);
    walk_preempts(flow, visit_preempt, &p);
}
