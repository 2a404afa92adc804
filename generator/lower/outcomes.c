/* SPDX-License-Identifier: MIT */
/* Outcomes of intents and arms, and the edges of state diagrams. */
#include "body.h"
#include "words.h"

span lower_args(const ast_args *args)
{
    if (args->count == 0) return (span){0};
    return span_join(range_span(args->items[0]), range_span(args->items[args->count - 1]));
}

span lower_text(token_range range)
{
    return range_empty(range) ? (span){0} : range_span(range);
}

span lower_format(token_range format, const ast_args *args)
{
    if (range_empty(format)) return (span){0};
    return args->count ? span_join(range_span(format), lower_args(args)) : range_span(format);
}

ir_duration lower_duration(const ast_duration *d)
{
    if (!ast_is_there(d)) return (ir_duration){0};
    if (d->literal) return (ir_duration){.kind = IR_DURATION_LITERAL, .ns = d->ns, .text = range_span(d->text)};
    return (ir_duration){.kind = IR_DURATION_EXPRESSION, .text = range_span(d->text), .unit = d->unit};
}

uint32_t add_duration(lowering *l, ir_duration duration)
{
    return TABLE_ADD(l, durations, duration_count, duration);
}

binding_set bindings_of_args(const ast_args *args)
{
    binding_set found = 0;
    for (uint32_t i = 0; i < args->count; i++) found |= bindings_in(args->items[i]);
    return found;
}

static bool mentions_outcome(const ast_outcome *outcome)
{
    uint32_t at;
    bool found = find_name(outcome->value, "outcome", &at);
    for (uint32_t i = 0; i < outcome->args.count; i++) found |= find_name(outcome->args.items[i], "outcome", &at);
    return found;
}

ir_flow *body_flow(const body_context *c)
{
    return &c->l->unit->flows[c->flow_index];
}

uint32_t lower_outcome(body_context *c, const ast_outcome *from)
{
    lowering *const l = c->l;
    ir_outcome outcome = {.kind = from->kind, .at = from->at, .target = IR_NONE, .edge = IR_NONE};
    outcome.value = outcome_ends(from->kind) ? lower_format(from->value, &from->args) : lower_args(&from->args);
    outcome.uses = bindings_in(from->value) | bindings_of_args(&from->args);
    outcome.uses_outcome = mentions_outcome(from);
    if (outcome_takes(from->kind, TAKES_STEP)) {
        outcome.target = lower_step_index(l, from->step);
        l->unit->steps[outcome.target].is_target = true;
    } else if (outcome_takes(from->kind, TAKES_TASK)) {
        outcome.target = lower_task_index(l, from->task);
        l->unit->tasks[outcome.target].is_become = true;
    }
    bool const has_value = ir_has_text(outcome.value);
    if (has_value && outcome_takes(from->kind, TAKES_RESULT)) l->unit->tasks[c->task_index].is_done = true;
    if (has_value && outcome_takes(from->kind, TAKES_FORMAT)) body_flow(c)->keeps_reason = true;
    return TABLE_ADD(l, outcomes, outcome_count, outcome);
}

/* -- edges --------------------------------------------------------------------------------------------------------- */

uint32_t lower_edge(body_context *c, ir_edge edge, span at)
{
    edge.from = c->step_index;
    edge.at = at;
    edge.directives = lower_directives(c, c->branch, c->guard);
    return TABLE_ADD(c->l, edges, edge_count, edge);
}

void lower_outcome_edge(body_context *c, uint32_t outcome, ir_trigger trigger, const char *label)
{
    const ir_unit *const u = c->l->unit;
    ir_outcome *const o = &u->outcomes[outcome];
    ir_edge edge = {.to = IR_NONE, .outcome = o->kind, .trigger = trigger, .label = label};
    if (o->kind == OUTCOME_STEP) edge.to = o->target;
    if (o->kind == OUTCOME_BECOME) edge.to = u->tasks[o->target].steps.first;
    o->edge = lower_edge(c, edge, o->at);
}
