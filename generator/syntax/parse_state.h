/* parse_state.h - what the parse of one file keeps, between the loop, the grammar's builders and the error messages. */
#ifndef UFC_PARSE_STATE_H
#define UFC_PARSE_STATE_H

#include "ast.h"
#include "diag.h"

#define NESTING_LIMIT 256u

/* Where in the tokens errors have been looked at, so that each is looked at once however many errors there are. */
typedef struct surroundings {
    uint32_t at;                   /* all tokens before it have been seen */
    uint32_t begin;                /* of the statement, member or arm that `at` is in */
    uint32_t outer[NESTING_LIMIT]; /* the begin before each parenthesis that is open */
    unsigned parens;
    bool awaits[NESTING_LIMIT]; /* of each brace that is open: is it an await's? */
    unsigned braces;
    uint32_t open_quote; /* behind the last string without an end; 0: none */
} surroundings;

/* Room for the next nodes of one type, which lie side by side: a walk over all of them reads no other. */
typedef struct shelf {
    char *at;
    uint32_t left, count; /* of what is free; of nodes that were made */
} shelf;

typedef struct parser {
    arena *arena;
    diagnostics *diagnostics;
    ast_file *file;
    const token_list *tokens;

    /* Where the next one of each list goes. */
    ast_text_block **next_block;
    ast_import **next_import;
    ast_point **next_signal, **next_checkpoint;
    ast_worker **next_worker;
    ast_flow **next_flow;
    ast_member **next_member;
    ast_task **next_task;
    ast_declaration **next_field;
    ast_job **next_job;
    ast_preempt **next_preempt, **next_task_preempt;
    ast_step **next_step;

    ast_flow *flow; /* that is being read; NULL outside of one */
    ast_task *task;
    ast_step *step;
    ast_worker *worker;
    uint32_t flow_count, task_count, step_count; /* of the file, of that flow, of that task */
    const ast_guard *guard;                      /* of the arms that are being read */

    shelf flows, tasks, steps, statements, outcomes;
    bool failed;         /* the token that was fed last was no token that the grammar takes */
    uint32_t resumed_at; /* the token at which it went on after an error */
    bool has_resumed;
    bool too_deep; /* that was reported */
    surroundings around;
    bool holds_statements[NESTING_LIMIT]; /* of each open #if: do its branches stand between statements or arms? */
    unsigned open_ifs;
} parser;

/* Called by the grammar with the token that it does not take, and lemon's state. */
void syntax_error(parser *p, uint32_t at, const void *state);

/* How many braces are open before a token; to be asked in the order of tokens. */
unsigned syntax_braces_open(parser *p, uint32_t at);

/* Does it stand between the braces of an await? In the order of tokens, too. */
bool syntax_is_among_arms(parser *p, uint32_t at);

/* Does the statement that the token is in begin with an `if`? The same. */
bool syntax_is_after_if(parser *p, uint32_t at);
/* Directives stand in a statement, and before `begin`, which is behind one, something was reported in it. */
bool syntax_is_behind_error(const parser *p, uint32_t begin);

/* The grammar's parser (grammar/uflow_parse.y). */
void *lemonAlloc(void *(*allocate)(size_t), parser *p);
void lemonFree(void *state, void (*release)(void *));
void lemon(void *state, int terminal, uint32_t value);
void lemon_forget_error(void *state);
size_t lemon_depth(const void *state);
bool lemon_accepts(const void *state, uint16_t terminal);

#endif
