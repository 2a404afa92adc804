/* SPDX-License-Identifier: MIT */
/* Splits a body into pieces: text, and replacements of intents. */
#include "body.h"

#include <string.h>

#include "walk.h"
#include "words.h"

static void add_piece(body_context *c, ir_piece piece)
{
    piece.step = c->step_index;
    TABLE_ADD(c->l, pieces, piece_count, piece);
}

/* Adds the text up to `end`, split where statements end. */
static void add_text(body_context *c, uint32_t end)
{
    while (c->from < end) {
        uint32_t stop = end;
        bool const ends = c->ahead && c->ahead->at.end <= end;
        if (ends) stop = c->ahead->at.end;
        if (ends) c->ahead = c->ahead->next;
        if (stop <= c->from) continue;
        add_piece(c, (ir_piece){.kind = IR_TEXT, .at = {c->whole.in, c->from, stop}, .ends_statement = ends});
        c->from = stop;
    }
}

/* Lowers `fail` in a worker, which fails the job and no flow. */
static ir_piece lower_work_failure(body_context *c, const ast_statement *s)
{
    ir_piece const piece = {.kind = IR_WORK_FAIL,
                            .at = s->at,
                            .worker = c->worker_index,
                            .format = lower_format(s->outcome->value, &s->outcome->args)};
    c->l->unit->workers[c->worker_index].keeps_reason |= ir_has_text(piece.format);
    return piece;
}

static ir_piece lower_spawn(body_context *c, const ast_statement *s)
{
    const ast_operands *const operands = s->operands;
    ir_piece piece = {.kind = IR_SPAWN, .at = s->at};
    piece.pool = place_of(c->l, operands->pool);
    piece.task = lower_task_index(c->l, operands->task);
    piece.spawn_args = lower_args(&operands->args);
    piece.otherwise = s->outcome ? lower_outcome(c, s->outcome) : IR_NONE;
    const char *const label = arena_printf(c->l->arena, "spawn %s, else", operands->name.name);
    if (s->outcome) {
        lower_outcome_edge(c, piece.otherwise, IR_BY_ELSE, label);
        return piece;
    }
    ir_edge const handed_on = {
        .to = IR_NONE, .outcome = OUTCOME_FAIL, .trigger = IR_BY_ELSE, .label = label, .is_handed_on = true};
    piece.edge = lower_edge(c, handed_on, s->at);
    body_flow(c)->keeps_reason = true;
    return piece;
}

/* Makes the piece that replaces a statement. Returns false if the statement remains as it is. */
static bool lower_piece(body_context *c, const ast_statement *s, ir_piece *piece)
{
    switch (s->kind) {
    case STATEMENT_OUTCOME:
        if (c->worker_index != IR_NONE) {
            *piece = lower_work_failure(c, s);
            return true;
        }
        *piece = (ir_piece){.kind = IR_INTENT, .at = s->at, .outcome = lower_outcome(c, s->outcome)};
        lower_outcome_edge(c, piece->outcome, IR_BY_NEXT, c->when);
        return true;
    case STATEMENT_STAY: *piece = lower_stay(c, s); return true;
    case STATEMENT_AWAIT:
        *piece = (ir_piece){.kind = IR_PIECE_PAUSE, .at = s->at, .pause = lower_await(c, s)};
        return true;
    case STATEMENT_DESCRIBE:
        *piece = (ir_piece){
            .kind = IR_DESCRIBE, .at = s->at, .format = lower_format(s->operands->format, &s->operands->args)};
        return true;
    case STATEMENT_SUBMIT:
        *piece = (ir_piece){.kind = IR_SUBMIT, .at = s->at};
        piece->job = place_of(c->l, s->operands->job);
        piece->index = lower_text(s->operands->index);
        piece->args = lower_args(&s->operands->args);
        piece->values = lower_values(c->l, &s->operands->args);
        if (ir_has_text(piece->index)) body_flow(c)->keeps_reason = true; /* it may be out of range */
        piece->timeout = add_duration(c->l, lower_duration(&s->operands->timeout));
        return true;
    case STATEMENT_SPAWN: *piece = lower_spawn(c, s); return true;
    case STATEMENT_EXPECT:
        *piece = (ir_piece){.kind = IR_EXPECT, .at = s->at, .claims = lower_expect(c->l, s->condition)};
        return true;
    case STATEMENT_EXPECT_TEXT:
        *piece = (ir_piece){.kind = IR_EXPECT_TEXT, .at = s->at, .texts = range_span(s->condition)};
        return true;
    case STATEMENT_TEXT:
    case STATEMENT_DECLARATION:
    case STATEMENT_BLOCK:
    case STATEMENT_IF:
    case STATEMENT_WHILE:
    case STATEMENT_DO:
    case STATEMENT_FOR:
    case STATEMENT_SWITCH:
    case STATEMENT_CASE:
    case STATEMENT_LABEL:
    case STATEMENT_GOTO:
    case STATEMENT_BREAK:
    case STATEMENT_CONTINUE:
    case STATEMENT_RETURN:
    case STATEMENT_MACRO_BLOCK:
    case STATEMENT_DIRECTIVES:
    case STATEMENT_DIRECTIVE: break;
    }
    return false;
}

/* The condition of an `if` in a flow, of which a mutant may be the contrary. */
static void lower_condition(body_context *c, const ast_statement *s)
{
    if (s->kind != STATEMENT_IF || !c->l->with_conditions || c->worker_index != IR_NONE) return;
    ir_piece piece = {.kind = IR_CONDITION, .at = lower_text(s->condition)};
    if (!ir_has_text(piece.at)) return;
    piece.directives = lower_directives(c, c->branch, NULL);
    add_text(c, piece.at.begin);
    add_piece(c, piece);
    c->from = piece.at.end;
}

static void lower_statement(body_context *c, const ast_statement *s)
{
    ir_piece piece;
    lower_condition(c, s);
    if (!lower_piece(c, s, &piece)) return;
    add_text(c, s->at.begin);
    for (; c->ahead && c->ahead->at.end <= s->at.end; c->ahead = c->ahead->next) piece.ends_statement = true;
    add_piece(c, piece);
    c->from = s->at.end;
}

static void lower_statements(body_context *c, const ast_statement *list);

/* The statements in a part of an `if` have its condition as the label. */
static void lower_part(body_context *c, const ast_statement *list, const char *when)
{
    const char *const outer = c->when;
    c->when = when;
    lower_statements(c, list);
    c->when = outer;
}

static void lower_statements(body_context *c, const ast_statement *list)
{
    const open_branch *const outer = c->branch;
    for (; list; list = list->next) {
        for (const ast_statement *s = list; s; s = ast_else_if(s)) {
            lower_statement(c, s);
            if (s->body) lower_part(c, s->body, s->kind == STATEMENT_IF ? lower_if_label(c, s->condition) : c->when);
            if (s->otherwise && !ast_else_if(s)) lower_part(c, s->otherwise, "else");
            for (const ast_branch *branch = s->branches; branch; branch = branch->next) {
                open_branch const open = {outer, s, branch};
                c->branch = &open;
                if (!branch->skipped) lower_statements(c, branch->body);
            }
            c->branch = outer;
        }
    }
}

static ir_body lower_pieces(body_context *c, const ast_body *body)
{
    if (!body) return (ir_body){0};
    c->whole = range_span(body->text);
    c->ahead = body->first;
    c->from = c->whole.begin;
    lower_user_lines(c->l, body->text);
    uint32_t const first = c->l->unit->piece_count;
    lower_statements(c, body->first);
    add_text(c, c->whole.end);
    return (ir_body){.text = c->whole, .pieces = {first, c->l->unit->piece_count - first}};
}

static body_context nowhere(lowering *l)
{
    return (body_context){.l = l,
                          .flow_index = IR_NONE,
                          .task_index = IR_NONE,
                          .step_index = IR_NONE,
                          .worker_index = IR_NONE,
                          .when = ""};
}

static void note_own_reason(ast_statement *s, void *found)
{
    for (const ast_declarator *d = s->declaration ? s->declaration->first : NULL; d; d = d->next) {
        if (d->name.name && strcmp(d->name.name, binding_names[BINDING_REASON]) == 0) *(bool *)found = true;
    }
}

/* Does the handler mention `reason`, without a local of that name? `paused` is never the name of a local. */
static bool uses_reason(const ast_body *body)
{
    uint32_t at;
    bool is_local = false;
    if (!find_name(body->text, binding_names[BINDING_REASON], &at)) return false;
    walk_statements(body->first, note_own_reason, &is_local);
    return !is_local;
}

ir_body lower_handler(lowering *l, const ast_body *body)
{
    body_context c = nowhere(l);
    ir_body handler = lower_pieces(&c, body);
    uint32_t at;
    handler.uses_reason = body && uses_reason(body);
    handler.uses_paused = body && find_name(body->text, binding_names[BINDING_PAUSED], &at);
    return handler;
}

ir_body lower_step_body(lowering *l, const ast_step *step)
{
    body_context c = nowhere(l);
    c.step_index = lower_step_index(l, step);
    c.task_index = l->unit->steps[c.step_index].task;
    c.flow_index = l->unit->tasks[c.task_index].flow;
    return lower_pieces(&c, &step->body);
}

ir_body lower_worker_body(lowering *l, const ast_worker *worker, uint32_t index)
{
    body_context c = nowhere(l);
    c.worker_index = index;
    return lower_pieces(&c, &worker->body);
}

static void lower_on_signal(body_context *c, const ast_preempt *from, ir_preempt *to)
{
    to->kind = IR_ON_SIGNAL;
    to->point = lower_point_index(c->l, from->point);
    to->element = from->place;
    to->name = ARENA_JOIN(c->l->arena, "on", from->signal.name);
    to->label = arena_printf(c->l->arena, "on %s", from->signal.name);
    if (range_empty(from->element)) return;
    to->name = arena_printf(c->l->arena, "%s_%u", to->name, (unsigned)from->place);
    to->label = lower_element_label(c, to->label, range_span(from->element));
}

static void lower_on_timeout(body_context *c, const ast_preempt *from, ir_preempt *to)
{
    to->kind = IR_ON_TIMEOUT;
    to->after = lower_duration(&from->after);
    to->name = from->is_real ? "on_timeout_real" : "on_timeout"; /* and the function of the runtime */
    to->label = lower_timed_label(c, from->is_real ? "on timeout real" : "on timeout", &from->after);
}

static void lower_companion(body_context *c, const ast_preempt *from, ir_preempt *to, uint32_t number)
{
    to->kind = IR_WITH_RUN;
    to->event = lower_run(c, from->run, to->slot, to->more);
    if (from->run->each) c->l->unit->members[place_of(c->l, from->run->each)].subflow.in_preempts++;
    to->name = arena_printf(c->l->arena, "with%u", (unsigned)number);
    to->label = arena_printf(c->l->arena, "with %s", c->l->unit->events[to->event].label);
}

/* What the companions of arrays before the next one add to its slot. */
static ir_more preempts_more(lowering *l, uint32_t flow)
{
    uint32_t const first = l->unit->flows[flow].preempts.first;
    if (l->unit->preempt_count == first) return (ir_more){.text = ""};
    const ir_preempt *const last = &l->unit->preempts[l->unit->preempt_count - 1];
    return last->kind == IR_WITH_RUN ? lower_more(l, last->more, &l->unit->events[last->event], flow) : last->more;
}

ir_range lower_preempts(lowering *l, const ast_preempt *list, uint32_t flow, uint32_t task, uint32_t group)
{
    uint32_t const first = l->unit->preempt_count;
    body_context c = nowhere(l);
    c.flow_index = flow;
    c.task_index = task;
    uint32_t companions = 0;
    for (const ast_preempt *from = list; from; from = from->next) {
        ir_preempt preempt = {.at = from->at, .task = task, .group = group, .is_handed_on = from->is_handed_on};
        preempt.slot = l->unit->preempt_count - l->unit->flows[flow].preempts.first;
        preempt.more = preempts_more(l, flow);
        switch (from->kind) {
        case PREEMPT_SIGNAL: lower_on_signal(&c, from, &preempt); break;
        case PREEMPT_TIMEOUT: lower_on_timeout(&c, from, &preempt); break;
        case PREEMPT_COMPANION: lower_companion(&c, from, &preempt, ++companions); break;
        }
        preempt.outcome = lower_outcome(&c, from->outcome);
        bool const keeps = preempt.is_handed_on || l->unit->outcomes[preempt.outcome].uses & BINDS_REASON;
        if (keeps) l->unit->flows[flow].keeps_reason = true;
        TABLE_ADD(l, preempts, preempt_count, preempt);
    }
    return (ir_range){first, l->unit->preempt_count - first};
}
