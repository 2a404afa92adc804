/* SPDX-License-Identifier: MIT */
/* Reports what the builders of arms refuse. */
#include "explainer.h"
#include "uflow_parse.h"

/* The range begins at the `run` and ends with the name of the task. */
void report_run_without_flow(parser *p, token_range where)
{
    uint32_t const flow = where.first + 1, end = token_after_brackets(p->tokens, where.end);
    const char *const name = token_intern(p->arena, p->tokens, flow);
    const char *const task = token_intern(p->arena, p->tokens, where.end - 1);
    diag_report *r = report_at(p, UF0201, range_span((token_range){p->tokens, where.end, end}),
                               "the first argument of a run is the flow that runs the task");
    bool const is_helped = p->flow && diag_error_count(p->diagnostics) <= DIAG_HELPED_ERRORS;
    const ast_subflow *const named = is_helped ? find_subflow(p->flow, name) : NULL;
    const char *const access = named ? "" : access_of_name(PLACE(p), range_one(p, flow));
    if (*access) diag_help(r, "write the type of the flow before the task: `run Flow.%s(%s%s)`", task, access, name);
    else if (!named) diag_help(r, "write `run %s.%s(&flow->…)`", name, task);
    else if (named->is_pool) diag_help(r, "a member of a pool is started by a statement: `spawn %s.%s();`", name, task);
    else
        diag_help(r, "write the type of the flow before the task: `run %s.%s(&flow->%s%s)`", named->type.name, task,
                  name, named->is_array ? "[i]" : "");
}

void report_operand(parser *p, token_range where)
{
    span const word = token_at(p, where.first);
    token_range const parens = {where.list, where.first + 1, where.end};
    const arm_info *const arm = &arm_infos[arm_of_word(word.in->text + word.begin, word.end - word.begin)];
    const char *const noun = operand_infos[arm->operand].noun;
    if (range_empty(range_inside(parens)) || arm->operand == OPERAND_POOL) {
        diag_report *r = report_at(p, UF0201, range_span(parens), "`%s` names no %s", arm->word, noun);
        diag_help(r, "write `%s`", arm->form);
    } else {
        diag_report *r = report_at(p, UF0201, range_span(parens), "`%s` takes one %s", arm->word, noun);
        diag_help(r, "write an arm for each: `%s -> …`", arm->form);
    }
}

/* `if (…) { … } else`: one mistake, which the block has reported. */
static bool follows_block(const parser *p, uint32_t word)
{
    return p->tokens->items[word - 1].kind == T_RBRACE;
}

void report_guard_of_block(parser *p, token_range where)
{
    if (follows_block(p, where.first)) return;
    diag_report *r = report_at(p, UF0630, range_span(where), "%s in an await holds for one arm, without braces",
                               token_is(p->tokens, where.first, "if") ? "an `if`" : "an `else`");
    diag_help(r, "write the condition before each arm: `if (…) event -> Step;`");
}

void report_second_guard(parser *p, token_range where)
{
    diag_report *r = report_at(p, UF0630, token_at(p, where.end - 1), "an arm has one condition");
    diag_note(r, token_at(p, where.first), "the first one begins here");
    diag_help(r, "join them: `if (… && …) event -> Step;`");
}

void report_else_of_arms(parser *p, token_range where)
{
    if (follows_block(p, where.first)) return;
    diag_report *r =
        report_at(p, UF0630, range_span(where), "an `else` after `;` belongs to no arm: each arm stands alone");
    diag_help(r, "write the opposite condition before this arm: `if (!(…)) event -> Step;`");
}
