/* SPDX-License-Identifier: MIT */
/* The tables of a flow are indexed with 16 bits, and the waits of a step with 12. */
#include "checks.h"
#include "walk.h"

#define LIMIT      65535u /* one number means "no step" */
#define WAIT_LIMIT 4095u  /* in one step */

typedef struct table_sizes {
    size_t states, edges;
    size_t waits; /* of the step that has the most */
} table_sizes;

static void count_waits(ast_statement *statement, void *context)
{
    table_sizes *sizes = context;
    if (statement->kind == STATEMENT_AWAIT || (statement->kind == STATEMENT_STAY && statement->outcome))
        sizes->states++;
    sizes->edges += statement->outcome != NULL;
    for (const ast_arm *arm = statement->arms; arm; arm = arm->next) sizes->edges += 2; /* one for a failure */
}

static void count_preempt(ast_preempt *preempt, void *context)
{
    (void)preempt;
    ((table_sizes *)context)->edges++;
}

static void check_branches(ast_statement *statement, void *context)
{
    sema *s = context;
    unsigned count = 0;
    for (ast_branch *branch = statement->branches; branch; branch = branch->next) {
        if (++count <= BRANCH_LIMIT || !has_statement(branch->body, 1u << STATEMENT_AWAIT | 1u << STATEMENT_STAY))
            continue;
        diag_report *r =
            report_at(s, UF0108, branch->at, "this #if has more than %u branches with waits", BRANCH_LIMIT);
        diag_help(r, "move what the branches have in common after the #endif");
        return;
    }
}

void check_limits(sema *s, ast_flow *flow)
{
    table_sizes sizes = {0, 0, 0};
    for (ast_task *task = flow->tasks; task; task = task->next) {
        sizes.states++;
        for (ast_step *step = task->steps; step; step = step->next) {
            size_t const before = ++sizes.states;
            walk_statements(step->body.first, check_branches, s);
            walk_statements(step->body.first, count_waits, &sizes);
            if (sizes.states - before > sizes.waits) sizes.waits = sizes.states - before;
        }
    }
    for (const ast_group *group = flow->groups; group; group = group->next) sizes.states++; /* a row of a table */
    walk_preempts(flow, count_preempt, &sizes);
    if (sizes.states < LIMIT && sizes.edges < LIMIT && sizes.waits <= WAIT_LIMIT) return;
    diag_report *r =
        report_at(s, UF0411, flow->name.at, "flow `%s` has too many steps, waits or transitions", flow->name.name);
    diag_help(r, "it has %zu states and %zu transitions of at most %u: divide it into flows", sizes.states, sizes.edges,
              LIMIT - 1);
}
