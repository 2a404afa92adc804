/* SPDX-License-Identifier: MIT */
/* misspelled.h - parts of flows that became other code: `Next Foo;`, `x = 1 next Foo;`. */
#ifndef UFC_MISSPELLED_H
#define UFC_MISSPELLED_H

#include "checks.h"

/* Reports the statement if only a misspelled intent explains it. */
bool report_misspelled(sema *s, const body_site *site, const ast_statement *statement);

/* `{ go -> Step; timeout 1s -> Late; }`: reports a block of arms without its `await`. */
bool report_bare_arms(sema *s, const body_site *site, const ast_statement *block);

/* `on timeout 1s -> O;`, `with run Flow.Task(…);`: reports a part of a task in a step. */
bool report_part_of_task(sema *s, const ast_statement *statement);

/* `x = await 1s;`, `if (submit scale(1))`: reports an intent where C takes a value. */
bool report_intent_as_value(sema *s, const body_site *site, ast_statement *statement);

/* `({ if (flow->n) done; 1; })`, in any text: reports an intent in a block that is copied. `context`: the sema. */
void report_inner_intent(token_range text, void *context);

/* Finds the first intent word in a body that became part of a text because a `;` is missing. NULL: none. */
const char *find_swallowed(const ast_body *body, span *where);

/* Reports `flow->n = 1;` and `run Axis.Home(&flow->x);` among fields: no declaration of C has a `->` or `.` outside of
 * brackets and values. */
bool report_statement_as_field(sema *s, token_range text, bool is_in_task);

#endif
