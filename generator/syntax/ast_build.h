/* SPDX-License-Identifier: MIT */
/* ast_build.h - the builders that the grammar's actions call, in the order of the grammar. Terminals (`word`, `name`,
 * `end`) are token indices. */
#ifndef UFC_AST_BUILD_H
#define UFC_AST_BUILD_H

#include "parse_state.h"

/* An empty list, or what a clause that is left out stands for. */
#define NONE(type) ((type){0})

/* Appends to a list with the members `first` and `last`. */
#define APPEND(list, one) ((list).last = *((list).last ? &(list).last->next : &(list).first) = (one))

/* -- parse_state.c: ranges of tokens -- */

token_range range_none(const parser *p);
token_range range_one(const parser *p, uint32_t at);
token_range range_of(const parser *p, uint32_t first, uint32_t last); /* both included */
token_range range_join(token_range first, token_range last);

token_range begin_text(parser *p, token_range first); /* returns the first tokens of a run of C */

span token_at(const parser *p, uint32_t at);

/* What is between the brackets after a name, if there are any. If there is nothing, refuses that and returns the
 * brackets. */
token_range index_between(parser *p, token_range brackets);

uint32_t find_swallowed_intent(const parser *p,
                               token_range text); /* on its own line, after an operand; text.end: none */
ast_ident build_ident(parser *p, uint32_t name);

/* -- build_structure.c: a file, flows, tasks and steps -- */

typedef struct declaration_list {
    ast_declaration *first, *last;
} declaration_list;

void build_text_block(parser *p, uint32_t word, uint32_t block, block_kind kind);
void build_import(parser *p, uint32_t string);
void build_directive_outside(parser *p, uint32_t directive);
/* Refuses the first directive in a text that goes into the header or onto one line. Returns: true if there is one. */
bool refuse_directives(parser *p, mistake what, token_range text);
ast_flow *begin_flow(parser *p, uint32_t word, uint32_t name, declaration_list params);
void end_flow(parser *p, uint32_t end);
void build_plain(parser *p, uint32_t word, uint32_t tag, uint32_t name, token_range braces);
ast_declaration *build_members(parser *p, token_range text); /* fields, or a mailbox */
ast_member *new_member(parser *p, ast_member_kind kind);     /* adds a member to the flow; for builders only */
uint32_t syntax_function(const parser *p, token_range text); /* the `{` of its body; 0: it is no function */
void build_field(parser *p, token_range text);               /* of a flow, test or task */
/* Without brackets, which are empty then, it is no array. */
void build_subflow(parser *p, uint32_t type, uint32_t name, token_range brackets, ast_args args);
void build_pool(parser *p, uint32_t word, uint32_t type, uint32_t name, token_range brackets, ast_args args);
ast_body **syntax_moment(const parser *p, uint16_t kind); /* where the body of an `on WORD` is */
void build_handler(parser *p, uint32_t word, ast_statement *block);
void begin_group(parser *p, uint32_t word, uint32_t name);
void end_group(parser *p, uint32_t end);
ast_task *begin_task(parser *p, uint32_t word, uint32_t name, declaration_list params, token_range result);
void end_task(parser *p, uint32_t end);
/* For builders only: begin a flow or test in that list, and a task in it. */
ast_flow *open_flow(parser *p, ast_ident name, uint32_t word, ast_flow ***end);
ast_task *open_task(parser *p, ast_ident name, uint32_t word);
void begin_step(parser *p, uint32_t word, uint32_t name, declaration_list params);
void end_step(parser *p, ast_statement *block);
declaration_list add_param(parser *p, declaration_list list, token_range text);

ast_args add_arg(parser *p, ast_args list, token_range text);
ast_args end_args(parser *p, ast_args list, uint32_t first, uint32_t last);

/* -- build_test.c -- */

void begin_test(parser *p, uint32_t word, uint32_t string, ast_duration within);
void end_test(parser *p, uint32_t end);
void build_hook(parser *p, hook_kind kind, uint32_t word, ast_duration duration, ast_statement *block);
hook_kind hook_of(const parser *p, uint32_t word);
void build_row(parser *p, hook_kind kind, uint32_t word, ast_duration duration, uint32_t end);
void build_explore(parser *p, uint32_t word, token_range schedules);
void build_claim_hook(parser *p, hook_kind kind, uint32_t word, token_range parens, uint32_t end);
void build_history(parser *p, uint32_t word, uint32_t string);

/* -- build_shared.c: signals, checkpoints, mailboxes, workers, jobs, preemption -- --------------------------------- */

void build_point(parser *p, uint32_t word, uint32_t name, token_range brackets); /* no array: empty */
void build_mailbox(parser *p, uint32_t word, token_range text, token_range drop);
void build_job(parser *p, uint32_t word, uint32_t name, token_range brackets, uint32_t worker);
void begin_worker(parser *p, uint32_t word, token_range signature, token_range drop, token_range limit);
void begin_stub(parser *p, uint32_t word, uint32_t name);
void end_worker(parser *p, ast_statement *block);
void build_preempt(parser *p, uint32_t word, uint32_t signal, token_range brackets, ast_outcome *outcome, uint32_t end);
void build_on_timeout(parser *p, uint32_t word, uint32_t timeout, ast_duration after, ast_outcome *outcome,
                      uint32_t end); /* without a duration, `after` has no text */
void build_companion(parser *p, uint32_t word, ast_event *run, ast_outcome *otherwise, uint32_t end);

/* -- build_statement.c -- */

void refuse_claim(parser *p, token_range parens); /* what cannot be claimed: nothing, `C, "why"`, `a = b` */
/* Statements, or an `if` and each `else if`. */
typedef struct statement_list {
    ast_statement *first, *last;
} statement_list;

typedef struct branch_list {
    ast_branch *first, *last;
} branch_list;

statement_list add_statement(statement_list list, ast_statement *one);
ast_statement *build_block(parser *p, uint32_t first, statement_list list, uint32_t last);
ast_statement *build_directive(parser *p, uint32_t word);
ast_statement *build_pragma(parser *p, uint32_t word, uint32_t end); /* `_Pragma("...")` */
ast_statement *build_label(parser *p, uint32_t name, uint32_t end);
ast_statement *build_case(parser *p, uint32_t word, token_range value, uint32_t end);
branch_list add_branch(parser *p, branch_list list, uint32_t word, statement_list body, bool is_else);
ast_statement *build_conditional(parser *p, branch_list list, uint32_t end);
ast_statement *build_text(parser *p, token_range text, uint32_t end);
ast_statement *build_macro_block(parser *p, token_range head, ast_statement *body);
/* after `body`, that of the `if` before it */
statement_list add_if(parser *p, statement_list list, ast_statement *body, uint32_t word, token_range condition);
ast_statement *end_ifs(parser *p, statement_list list, ast_statement *body, ast_statement *otherwise);
ast_statement *build_loop(parser *p, ast_statement_kind kind, uint32_t word, token_range condition, ast_statement *body,
                          uint32_t end); /* of its head, or of the whole statement */
ast_statement *build_jump(parser *p, ast_statement_kind kind, uint32_t word, token_range text, uint32_t end);

/* Returns a statement from its first token to its last. */
ast_statement *new_statement(parser *p, ast_statement_kind kind, uint32_t first, uint32_t last);

/* -- build_intent.c -- */

/* without `timeout`, no duration and NULL */
ast_statement *build_stay(parser *p, uint32_t word, ast_duration every, ast_duration timeout, ast_outcome *outcome,
                          uint32_t end);
ast_statement *build_done_statement(parser *p, uint32_t word, token_range value, uint32_t end);
ast_statement *build_fail_statement(parser *p, uint32_t word, ast_args format, uint32_t end);
ast_statement *build_outcome_statement(parser *p, uint32_t word, ast_outcome *outcome, uint32_t end);
ast_statement *build_describe(parser *p, uint32_t word, ast_args format, uint32_t end);
ast_statement *build_submit(parser *p, uint32_t word, uint32_t job, token_range brackets, ast_args args,
                            ast_duration timeout, uint32_t end); /* no element: empty */
ast_statement *build_spawn(parser *p, uint32_t word, uint32_t pool, uint32_t task, ast_args args,
                           ast_outcome *otherwise, uint32_t end);
ast_outcome *build_outcome(parser *p, outcome_kind kind, uint32_t word); /* without an operand */
ast_outcome *build_go(parser *p, outcome_kind kind, uint32_t word, uint32_t target, ast_args args);
ast_outcome *build_done(parser *p, uint32_t word, token_range value);
ast_outcome *build_fail(parser *p, uint32_t word, ast_args format);

/* -- build_duration.c -- */

ast_duration build_duration(parser *p, uint32_t literal);
ast_duration build_computed_duration(parser *p, token_range parens, uint32_t unit);
ast_duration build_bad_duration(parser *p, token_range text); /* refuses it */
const char *macro_of_time(token_range text); /* the unit of a text that is one call as `UF_MS(3)`; NULL: it is none */

/* -- build_await.c: events, arms -- */

typedef struct event_list {
    ast_event *first, *last;
} event_list;

typedef struct arm_list {
    ast_arm *first, *last;
    bool certain; /* the preprocessor cannot omit all of them; for branches: each branch has one */
} arm_list;

arm_list add_arm(arm_list list, ast_arm *one);
void begin_arm_branch(parser *p, uint32_t word);
arm_list end_arm_branch(const parser *p, arm_list branches, arm_list arms);
arm_list end_arm_branches(parser *p, arm_list before, arm_list branches);
ast_arm *build_arm(parser *p, ast_event *event, ast_outcome *outcome, ast_outcome *otherwise);
ast_arm *build_guarded_arm(parser *p, uint32_t word, token_range parens, ast_arm *arm); /* `if (C) event -> Step` */
arm_list refuse_block(parser *p, uint32_t word, arm_list before, arm_list inside);      /* `if (C) { … }` of arms */
ast_statement *build_await(parser *p, uint32_t word, arm_list arms, uint32_t end);
ast_event *build_until(parser *p, uint32_t word, token_range parens, ast_duration held);
ast_event *build_timeout(parser *p, arm_kind kind, span first, ast_duration duration);
ast_event *build_run(parser *p, uint32_t word, uint32_t flow, uint32_t task, ast_args args);
ast_event *build_first(parser *p, uint32_t word, ast_event *run, uint32_t end);
ast_event *build_all(parser *p, uint32_t word, event_list events, uint32_t end);
ast_event *build_named_event(parser *p, uint32_t name, token_range brackets); /* no element: empty */
ast_event *build_operand_event(parser *p, uint32_t word, token_range parens); /* no operand: empty */

#endif
