/* SPDX-License-Identifier: MIT */
/* Builds events and the arms of an await. */
#include "ast_build.h"
#include "uflow_parse.h"
#include "words.h"

/* -- events ------------------------------------------------------------------------------------------------------ */

static ast_event *new_event(parser *p, arm_kind kind, span first, span last)
{
    ast_event *e = ARENA_NEW(p->arena, ast_event);
    e->kind = kind;
    e->at = span_join(first, last);
    e->condition = e->target = range_none(p);
    return e;
}

ast_event *build_until(parser *p, uint32_t word, token_range parens, ast_duration held)
{
    ast_event *e = new_event(p, ARM_UNTIL, token_at(p, word), range_span(parens));
    e->condition = range_inside(parens);
    e->duration = held;
    if (ast_is_there(&held)) e->at = span_join(e->at, held.at);
    if (range_empty(e->condition)) refuse(p, MISTAKE_UNTIL_EMPTY, parens);
    return e;
}

ast_event *build_timeout(parser *p, arm_kind kind, span first, ast_duration duration)
{
    ast_event *e = new_event(p, kind, first, duration.at);
    e->duration = duration;
    return e;
}

ast_event *build_run(parser *p, uint32_t word, uint32_t flow, uint32_t task, ast_args args)
{
    ast_event *e = new_event(p, ARM_RUN, token_at(p, word), args.at);
    e->flow = build_ident(p, flow);
    e->task = build_ident(p, task);
    if (args.count > 0) {
        e->target = args.items[0];
        args.items++;
        args.count--;
    } else {
        refuse(p, MISTAKE_RUN_WITHOUT_FLOW, range_of(p, word, task));
    }
    e->args = args;
    return e;
}

ast_event *build_first(parser *p, uint32_t word, ast_event *run, uint32_t end)
{
    run->is_first = true;
    run->at = span_join(token_at(p, word), token_at(p, end));
    return run;
}

ast_event *build_all(parser *p, uint32_t word, event_list events, uint32_t end)
{
    ast_event *e = new_event(p, ARM_ALL, token_at(p, word), token_at(p, end));
    e->all = events.first;
    for (ast_event *one = e->all; one; one = one->next) one->in_all = true;
    return e;
}

ast_event *build_named_event(parser *p, uint32_t name, token_range brackets)
{
    span const at = token_at(p, name);
    ast_event *e = new_event(p, ARM_NAME, at, range_empty(brackets) ? at : range_span(brackets));
    e->name = build_ident(p, name);
    e->target = index_between(p, brackets);
    return e;
}

ast_event *build_operand_event(parser *p, uint32_t word, token_range parens)
{
    span const at = token_at(p, word);
    arm_kind const kind = arm_of_word(at.in->text + at.begin, at.end - at.begin);
    ast_event *e = new_event(p, kind, at, range_empty(parens) ? at : range_span(parens));
    if (range_empty(parens)) return e;
    arm_operand const operand = arm_infos[e->kind].operand;
    e->target = range_inside(parens);
    bool const is_name = e->target.end - e->target.first == 1 && token_is_name(e->target.list, e->target.first);
    bool const takes_name = operand_is_nameable(operand) || operand == OPERAND_JOBS || operand == OPERAND_POOL;
    /* `deadline(a, b)`: two arguments, or an operator */
    bool const is_list = *operand_infos[operand].type && find_outside(e->target, ",") < e->target.end;
    if (range_empty(e->target) || is_list || (operand == OPERAND_POOL && !is_name)) {
        refuse(p, MISTAKE_OPERAND, range_join(range_one(p, word), parens));
    } else if (takes_name && is_name) {
        e->name = build_ident(p, e->target.first);
        e->target = range_none(p);
    }
    return e;
}

/* -- arms -------------------------------------------------------------------------------------------------------- */

static arm_list join_arms(arm_list first, arm_list last, bool certain)
{
    if (first.last && last.first) first.last->next = last.first;
    return (arm_list){first.first ? first.first : last.first, last.last ? last.last : first.last, certain};
}

arm_list add_arm(arm_list list, ast_arm *one)
{
    return join_arms(list, (arm_list){one, one, true}, true);
}

ast_arm *build_arm(parser *p, ast_event *event, ast_outcome *outcome, ast_outcome *otherwise)
{
    ast_arm *made = ARENA_NEW(p->arena, ast_arm);
    made->event = event;
    made->outcome = outcome;
    made->otherwise = otherwise;
    made->guard = p->guard;
    made->at = span_join(event->at, otherwise ? otherwise->at : outcome->at);
    return made;
}

ast_arm *build_guarded_arm(parser *p, uint32_t word, token_range parens, ast_arm *arm)
{
    arm->condition = range_inside(parens);
    arm->at = span_join(token_at(p, word), arm->at);
    if (range_empty(arm->condition)) {
        refuse(p, MISTAKE_GUARD_EMPTY, parens);
    }
    if (arm_is_timeout(arm->event->kind)) refuse(p, MISTAKE_GUARD_OF_TIMEOUT, range_one(p, word));
    return arm;
}

arm_list refuse_block(parser *p, uint32_t word, arm_list before, arm_list inside)
{
    refuse(p, MISTAKE_GUARD_OF_BLOCK, range_one(p, word));
    return join_arms(before, inside, before.certain || inside.certain);
}

ast_statement *build_await(parser *p, uint32_t word, arm_list arms, uint32_t end)
{
    ast_statement *s = new_statement(p, STATEMENT_AWAIT, word, end);
    s->arms = arms.first;
    s->may_lack_arms = !arms.certain;
    if (!arms.first) refuse(p, MISTAKE_NO_ARMS, range_of(p, word, end));
    return s;
}

void begin_arm_branch(parser *p, uint32_t word)
{
    ast_guard *const guard = ARENA_NEW(p->arena, ast_guard);
    ast_guard *const former = kind_at(p, word) == T_HASH_IF ? NULL : p->guard;
    guard->directive = range_one(p, word);
    guard->outer = former ? former->outer : p->guard;
    guard->first = former ? former->first : guard;
    guard->number = former ? former->number + 1 : 1;
    if (former) former->next = guard;
    p->guard = guard;
    if (guard->number <= BRANCH_LIMIT || p->too_deep) return;
    p->too_deep = true;
    refuse(p, MISTAKE_BRANCHES, guard->directive);
}

arm_list end_arm_branch(const parser *p, arm_list branches, arm_list arms)
{
    bool const is_skipped = p->tokens->items[p->guard->directive.first].flags & TOKEN_SKIPS; /* `#if 0` */
    bool const is_first = p->guard == p->guard->first;
    return join_arms(branches, arms, (arms.certain || is_skipped) && (branches.certain || is_first));
}

arm_list end_arm_branches(parser *p, arm_list before, arm_list branches)
{
    bool const has_else = kind_at(p, p->guard->directive.first) == T_HASH_ELSE;
    p->guard = p->guard->outer;
    return join_arms(before, branches, before.certain || (branches.certain && has_else));
}
