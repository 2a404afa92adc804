/* walk.h - one way through a body for all checks that look at single statements or outcomes. */
#ifndef UFC_WALK_H
#define UFC_WALK_H

#include "ast.h"

/* Visits every statement of a list and all that they hold, each before what it holds, in textual order. Branches that the
 * preprocessor skips are left out. Recursion is bounded by the parser's limit on nesting. */
typedef void statement_visitor(ast_statement *statement, void *context);
void walk_statements(ast_statement *list, statement_visitor *visit, void *context);

/* An outcome and where it stands. */
typedef struct outcome_site {
    ast_statement *statement;
    ast_arm *arm; /* NULL: of the statement itself */
    ast_outcome *outcome;
    bool otherwise; /* after `else` */
} outcome_site;

/* Visits every outcome of a list of statements, in textual order. */
typedef void outcome_visitor(const outcome_site *site, void *context);
void walk_outcomes(ast_statement *list, outcome_visitor *visit, void *context);

/* Visits every event of one statement's arms, those inside `all` after the `all`. */
typedef void event_visitor(ast_event *event, ast_arm *arm, void *context);
void walk_events(ast_statement *statement, event_visitor *visit, void *context);

/* Visits every piece of C in a list of statements, the operands and outcomes of intents included. */
typedef void text_visitor(token_range text, void *context);
void walk_texts(ast_statement *list, text_visitor *visit, void *context);

/* The same of one statement, without those that it holds. */
void statement_texts(ast_statement *statement, text_visitor *visit, void *context);

/* The same of one outcome: its value or format, and its arguments. */
void outcome_texts(const ast_outcome *outcome, text_visitor *visit, void *context);

#endif
