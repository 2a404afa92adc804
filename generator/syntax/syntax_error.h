/* syntax_error.h - only for the files that report syntax errors. */
#ifndef UFC_SYNTAX_ERROR_H
#define UFC_SYNTAX_ERROR_H

#include "ast_build.h"

/* -- surroundings.c -- */

/* Advances to a token: errors come in source order. */
const surroundings *look_around(parser *p, uint32_t at);

/* A token as messages quote it. */
const char *spelled(parser *p, uint32_t at);

/* The text of [first, end), for a help; empty if it is long or has several lines. */
const char *words_between(parser *p, uint32_t first, uint32_t end);

/* -- syntax_arms.c: `begin` is the first token of the arm or of its `await` -- */

bool in_await(const parser *p, uint32_t begin);
bool report_bare_operand(parser *p, uint32_t begin, uint32_t at);  /* `flow->n -> Step`, `flow->n ms -> Step` */
bool report_time(parser *p, uint32_t begin, uint32_t at);          /* `UF_MS(3) -> Step` */
bool report_held(parser *p, uint32_t begin, uint32_t at);          /* `until (cond) 5ms -> Step` */
bool report_awaited_value(parser *p, uint32_t begin, uint32_t at); /* `x = await {` */
bool report_event(parser *p, uint32_t begin, uint32_t at);         /* `tiemout 5s -> Step` */
bool report_else_of_arm(parser *p, uint32_t begin, uint32_t at);
bool report_else_of_await(parser *p, uint32_t at);                /* `await { … } else Step;` */
void help_with_task(parser *p, diag_report *r, uint32_t dot);     /* `next Axis.Home;` */
void help_with_target(parser *p, diag_report *r, uint32_t arrow); /* what may follow the `->` or `else` */
void help_with_arm(parser *p, diag_report *r, const void *state, uint32_t begin, uint32_t at);
void help_with_run(parser *p, diag_report *r, token_range operand); /* `run Move(…)`; begins at the `run` */
const ast_member *find_member(const ast_flow *flow, const token_list *list, uint32_t name);

/* -- syntax_names.c: the name of an event or a task, and text that does not belong to it -- */

bool help_with_named_event(parser *p, diag_report *r, uint32_t first, uint32_t at); /* `go() -> Step` */
bool help_with_subtask(parser *p, diag_report *r, token_range operand, const ast_subflow *subflow);

#endif
