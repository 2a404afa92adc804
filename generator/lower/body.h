/* SPDX-License-Identifier: MIT */
/* body.h - shared by the files that lower bodies: the current place, outcomes, edges, pauses. */
#ifndef UFC_BODY_H
#define UFC_BODY_H

#include "tables.h"

/* The branch of `#if` that is being lowered. */
typedef struct open_branch {
    const struct open_branch *outer;
    const ast_statement *directives;
    const ast_branch *branch;
} open_branch;

typedef struct body_context {
    lowering *l;
    uint32_t flow_index, task_index, step_index; /* IR_NONE if the body belongs to none; in a worker all three */
    uint32_t worker_index;
    uint32_t pauses[2]; /* number of awaits, and of stays with a timeout, so far */
    const open_branch *branch;
    const ast_guard *guard;     /* of the arm that is being lowered */
    const char *when;           /* label of what follows here: "if (flow->level > 3)", "else", or "" */
    const ast_statement *ahead; /* the next statement on the top level of the body */
    span whole;
    uint32_t from; /* end of the text that has been added */
} body_context;

/* outcomes.c: outcomes, and the edges that they make. */
ir_flow *body_flow(const body_context *c);
span lower_format(token_range format, const ast_args *args); /* with its arguments; empty if there is no format */
ir_duration lower_duration(const ast_duration *d);
uint32_t add_duration(lowering *l, ir_duration duration); /* for a piece; returns its index */
uint32_t lower_outcome(body_context *c, const ast_outcome *from);
uint32_t lower_edge(body_context *c, ir_edge edge, span at); /* returns its index */
void lower_outcome_edge(body_context *c, uint32_t outcome, ir_trigger trigger, const char *label);

/* pauses.c */
ir_range lower_directives(body_context *c, const open_branch *branch, const ast_guard *guard);
ir_range lower_values(lowering *l, const ast_args *args);      /* texts */
uint32_t lower_await(body_context *c, const ast_statement *s); /* returns the index of the pause */
uint32_t lower_run(body_context *c, const ast_event *from, uint32_t slot, ir_more more); /* of a companion */
ir_more lower_more(lowering *l, ir_more more, const ir_event *event, uint32_t flow);     /* behind the event */
ir_piece lower_stay(body_context *c, const ast_statement *s);
/* A word with a duration: "timeout 2s", "timeout (flow->ms) ms". A long expression is cut. */
const char *lower_timed_label(body_context *c, const char *word, const ast_duration *d);
const char *lower_element_label(body_context *c, const char *name, span index); /* "fetch[i]" */
const char *lower_if_label(body_context *c, token_range condition);             /* "if (flow->level > 3)" */

#endif
