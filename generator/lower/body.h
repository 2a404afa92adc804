/* body.h - what the parts of lowering a body share: where it is, outcomes, edges, pauses. */
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
    uint32_t flow_index, task_index, step_index; /* IR_NONE where it is in none; all of them in a worker */
    uint32_t worker_index;
    uint32_t pauses[2]; /* how many awaits, and stays with a timeout, there were */
    const open_branch *branch;
    const ast_statement *ahead; /* directly in the body, not passed yet */
    span whole;
    uint32_t from; /* up to where the text was taken */
} body_context;

/* outcomes.c: outcomes, and the edges of a step that they are. `ends_pause`: of an arm, a stay's timeout, a pre-emption. */
ir_flow *body_flow(const body_context *c);
span lower_text(token_range range);                          /* empty: there is none */
span lower_format(token_range format, const ast_args *args); /* with what follows it; empty: there is none */
ir_duration lower_duration(const ast_duration *d, bool there);
uint32_t add_duration(lowering *l, ir_duration duration); /* of a piece; its index */
uint32_t lower_outcome(body_context *c, const ast_outcome *from, bool ends_pause);
void lower_edge(body_context *c, ir_edge edge, span at);
void lower_outcome_edge(body_context *c, uint32_t outcome, ir_trigger trigger, const char *label);
/* "timeout 2s"; of an expression the word and `unknown`. */
const char *lower_timed_label(body_context *c, const char *word, const ir_duration *d, const char *unknown);

/* pauses.c */
uint32_t lower_await(body_context *c, const ast_statement *s); /* a pause */
ir_piece lower_stay(body_context *c, const ast_statement *s);

#endif
