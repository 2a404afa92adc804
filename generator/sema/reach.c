/* SPDX-License-Identifier: MIT */
/* Steps that no path reaches, and tasks that no path ends. consequences.c hides reports about a flow with errors, since
 * paths may be missing because of them. */
#include "checks.h"
#include "walk.h"

typedef struct reach {
    sema *sema;
    const ast_task *task;
    ast_step **list; /* reached steps whose targets have not been visited yet */
    uint32_t count;
    uint32_t *incoming; /* by index of the step: number of edges from other steps */
    const ast_step *from;
    bool ends;
    const ast_outcome *done;
} reach;

static void mark(reach *r, ast_step *step)
{
    if (step->reached) return;
    step->reached = true;
    r->list[r->count++] = step;
}

static void follow_outcome(ast_outcome *outcome, void *context)
{
    reach *r = context;
    if (outcome->kind == OUTCOME_STEP) {
        if (outcome->step) mark(r, outcome->step);
        return;
    }
    r->ends = true;
    if (outcome->kind == OUTCOME_DONE && !r->done) r->done = outcome;
}

/* A failure without `else` ends the task. */
static void follow_failures(ast_statement *statement, void *context)
{
    reach *r = context;
    if (may_lack_every_arm(statement)) r->ends = true;
    for (const ast_arm *arm = statement->arms; arm; arm = arm->next) {
        if (!arm->otherwise && can_fail(arm->event)) r->ends = true;
    }
    if (statement->kind == STATEMENT_SPAWN && !statement->outcome) r->ends = true; /* if the pool is full */
}

/* A handler of a task can lead to a step or end the task; one of a group or of the flow can end every task in it. */
static void follow_preempts(reach *r)
{
    r->ends = r->task->flow->preempts != NULL;
    for (const ast_group *group = r->task->group; group; group = group->outer) r->ends |= group->preempts != NULL;
    for (const ast_preempt *p = r->task->preempts; p; p = p->next) {
        if (p->outcome->kind != OUTCOME_STEP) r->ends = true;
        else if (p->outcome->step) mark(r, p->outcome->step);
        if (p->kind == PREEMPT_SIGNAL) continue; /* somebody outside ends the task, as a cancel does */
        if (p->outcome->kind == OUTCOME_DONE && !r->done) r->done = p->outcome;
    }
}

static void follow_from(reach *r, ast_step *first)
{
    mark(r, first);
    while (r->count > 0) {
        ast_statement *body = r->list[--r->count]->body.first;
        walk_outcomes(body, follow_outcome, r);
        walk_statements(body, follow_failures, r);
    }
}

static void count_incoming(ast_outcome *outcome, void *context)
{
    reach *r = context;
    const ast_step *const target = outcome->step;
    if (target && target != r->from) r->incoming[target->index]++;
}

/* Reports the first of several steps that only reach each other: the others are consequences. */
static uint32_t report_unreached(reach *r)
{
    uint32_t reported = 0;
    const ast_step *unreached = r->task->steps;
    while (unreached && unreached->reached) unreached = unreached->next;
    if (!unreached) return 0;
    for (r->from = r->task->steps; r->from; r->from = r->from->next)
        walk_outcomes(r->from->body.first, count_incoming, r);
    for (int pass = 0; pass < 2; pass++) {
        for (ast_step *step = r->task->steps; step; step = step->next) {
            if (step->reached || (pass == 0 && r->incoming[step->index] > 0)) continue;
            diag_report *report =
                report_at(r->sema, UF0801, step->name.at,
                          pass == 0 ? "nothing leads to step `%s`" : "no path from the first step leads to step `%s`",
                          step->name.name);
            diag_help(report, "name it in a `next` or after `->`, or take it out");
            follow_from(r, step);
            reported++;
        }
    }
    return reported;
}

static void report_endless(sema *s, const ast_flow *flow, const ast_task *task)
{
    const char *const name = flow->test ? flow->test->name.name : task->name.name;
    diag_report *const report =
        report_at(s, UF0802, task->name.at, "no path ends %s `%s`", flow->test ? "test" : "task", name);
    if (flow->test) diag_help(report, "end one with `done`: then the test has passed");
    else if (task->shutdown) diag_help(report, "end one with `done`, `fail` or `become`: a stop waits for it");
    else diag_help(report, "end one with `done`, `fail` or `become`, or say that it is meant: `forever task %s`", name);
}

static void check_task(sema *s, const ast_flow *flow, ast_task *task)
{
    if (!task->steps) return;
    uint32_t count = 0;
    for (ast_step *step = task->steps; step; step = step->next) count++;
    reach r = {.sema = s,
               .task = task,
               .list = ARENA_ARRAY(s->arena, ast_step *, count),
               .incoming = ARENA_ARRAY(s->arena, uint32_t, count)};
    follow_preempts(&r);
    follow_from(&r, task->steps);
    bool const ends = r.ends;
    const ast_outcome *done = r.done;

    uint32_t const unreached = report_unreached(&r);
    if (task->forever && done) {
        diag_report *report =
            report_at(s, UF0803, done->at, "task %s is `forever`, but this path ends it", task->name.name);
        diag_note(report, task->name.at, "task `%s` is here", task->name.name);
        diag_help(report, "leave `forever` out, or go on with `next`");
    } else if (!task->forever && !ends && unreached == 0) {
        report_endless(s, flow, task);
    }
}

void check_reach(sema *s, ast_flow *flow)
{
    for (ast_task *task = flow->tasks; task; task = task->next) check_task(s, flow, task);
}
