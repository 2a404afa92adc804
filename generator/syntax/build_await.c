/* SPDX-License-Identifier: MIT */
/* Builds events and the arms of an await. */
#include <string.h>

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

static arm_kind kind_of_arm(const parser *p, uint32_t word)
{
    span const at = token_at(p, word);
    return arm_of_word(at.in->text + at.begin, at.end - at.begin);
}

ast_event *build_operand_event(parser *p, uint32_t word, token_range parens)
{
    ast_event *e = new_event(p, kind_of_arm(p, word), token_at(p, word), range_span(parens));
    const arm_info *const arm = &arm_infos[e->kind];
    e->target = range_inside(parens);
    bool const is_name = e->target.end - e->target.first == 1 && token_is_name(e->target.list, e->target.first);
    if (range_empty(e->target) || (arm->operand == OPERAND_POOL && !is_name)) {
        refuse(p, MISTAKE_OPERAND, range_join(range_one(p, word), parens));
    } else if (*operand_infos[arm->operand].type && /* `deadline(a, b)`: two arguments, or an operator */
               find_outside(e->target, ",") < e->target.end) {
        refuse(p, MISTAKE_OPERAND, range_join(range_one(p, word), parens));
    } else if ((operand_is_nameable(arm->operand) || arm->operand == OPERAND_JOBS || arm->operand == OPERAND_POOL) &&
               e->target.end - e->target.first == 1 && token_is_name(e->target.list, e->target.first)) {
        e->name = build_ident(p, e->target.first);
        e->target = range_none(p);
    }
    return e;
}

ast_event *build_bare_event(parser *p, uint32_t word)
{
    return new_event(p, kind_of_arm(p, word), token_at(p, word), token_at(p, word));
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
    made->condition = range_none(p);
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
    p->guard = NULL; /* an error may have left branches open */
    if (!arms.first) refuse(p, MISTAKE_NO_ARMS, range_of(p, word, end));
    return s;
}

static ast_guard *new_guard(parser *p, const ast_guard *outer, const ast_guard *former, uint32_t word)
{
    ast_guard *guard = ARENA_NEW(p->arena, ast_guard);
    uint32_t const count = former ? former->count : 0;
    guard->outer = outer;
    guard->list = p->tokens;
    guard->directives = ARENA_ARRAY(p->arena, uint32_t, (size_t)count + 1);
    if (count) memcpy(guard->directives, former->directives, count * sizeof *guard->directives);
    guard->directives[count] = word;
    guard->count = count + 1;
    return guard;
}

void begin_arm_branches(parser *p, uint32_t word)
{
    p->guard = new_guard(p, p->guard, NULL, word);
}

void next_arm_branch(parser *p, uint32_t word)
{
    if (p->guard && p->guard->count == BRANCH_LIMIT && !p->too_deep) {
        p->too_deep = true;
        refuse(p, MISTAKE_BRANCHES, range_one(p, word));
    }
    if (p->too_deep) return;
    p->guard = new_guard(p, p->guard ? p->guard->outer : NULL, p->guard, word);
}

static const token *directive_of_branch(const parser *p)
{
    return p->guard ? &p->tokens->items[p->guard->directives[p->guard->count - 1]] : NULL;
}

arm_list end_arm_branch(const parser *p, arm_list arms)
{
    const token *const directive = directive_of_branch(p);
    if (directive && (directive->flags & TOKEN_SKIPS)) arms.certain = true; /* `#if 0` */
    return arms;
}

arm_list join_arm_branches(arm_list first, arm_list last)
{
    return join_arms(first, last, first.certain && last.certain);
}

arm_list end_arm_branches(parser *p, arm_list before, arm_list branches)
{
    const token *const last = directive_of_branch(p);
    bool const in_any_case = branches.certain && last && last->kind == T_HASH_ELSE;
    p->guard = p->guard ? p->guard->outer : NULL;
    return join_arms(before, branches, before.certain || in_any_case);
}
