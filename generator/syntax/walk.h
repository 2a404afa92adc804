/* SPDX-License-Identifier: MIT */
/* walk.h - visitors for statements, outcomes, events and texts of bodies. */
#ifndef UFC_WALK_H
#define UFC_WALK_H

#include "ast.h"

/* A body of a flow: of one of its handlers or those of groups and tasks, of a part of a test, of a step. Or the body of
 * a worker. */
typedef struct body_site {
    ast_flow *flow;   /* NULL: a worker */
    ast_task *task;   /* NULL: a handler of the flow or of a group */
    ast_group *group; /* whose handler it is; NULL: of no group */
    ast_step *step;   /* NULL: a handler */
    ast_worker *worker;
    const ast_hook *hook; /* of a test; NULL: none */
    handler_kind on;      /* of a handler; HANDLER_KINDS: it is none */
    ast_body *body;
} body_site;

/* Visits every body of a flow: its own handlers, those of its test, of its groups, then task by task. */
typedef void body_visitor(const body_site *site, void *context);
void walk_bodies(ast_flow *flow, body_visitor *visit, void *context);

/* Visits every handler and companion of a flow: its own ones, those of its groups, then task by task. */
typedef void preempt_visitor(ast_preempt *preempt, void *context);
void walk_preempts(ast_flow *flow, preempt_visitor *visit, void *context);

/* Visits every statement of a list and all nested ones in source order, each before the statements inside it. Skips
 * branches that the preprocessor skips. The parser limits the nesting, and with it the recursion. */
typedef void statement_visitor(ast_statement *statement, void *context);
void walk_statements(ast_statement *list, statement_visitor *visit, void *context);

/* Visits every outcome of a list of statements, in source order. */
typedef void outcome_visitor(ast_outcome *outcome, void *context);
void walk_outcomes(ast_statement *list, outcome_visitor *visit, void *context);

/* Visits every event of one statement's arms. Visits the events of an `all` after the `all`. */
typedef void event_visitor(ast_event *event, void *context);
void walk_events(ast_statement *statement, event_visitor *visit, void *context);

/* Visits every C text of a list of statements, including operands and outcomes of intents. */
typedef void text_visitor(token_range text, void *context);
void walk_texts(ast_statement *list, text_visitor *visit, void *context);

/* Visits the C texts of one statement, without the statements inside it. */
void statement_texts(ast_statement *statement, text_visitor *visit, void *context);

/* Visits the C texts of one outcome: value or format, and arguments. */
void outcome_texts(const ast_outcome *outcome, text_visitor *visit, void *context);

/* Visits the C texts of a handler or companion, without those of its outcome: a duration, or the arguments of a run. */
void preempt_texts(const ast_preempt *preempt, text_visitor *visit, void *context);

#endif
