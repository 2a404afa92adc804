/* parse_state.h - the state of parsing one file, for the loop, the grammar's builders and the error messages. */
#ifndef UFC_PARSE_STATE_H
#define UFC_PARSE_STATE_H

#include "ast.h"
#include "diag.h"

#define NESTING_LIMIT   256u
#define STATEMENT_LIMIT 1000u /* the limit of tokens in a search for an end of a statement */

/* The position up to which error reporting has examined the tokens. It only advances, so that many errors take linear
 * time. */
typedef struct surroundings {
    uint32_t at;                   /* all tokens before it have been seen */
    uint32_t begin;                /* of the statement, member or arm that contains `at` */
    uint32_t outer[NESTING_LIMIT]; /* for each open parenthesis, the start before it */
    unsigned parens;
    bool awaits[NESTING_LIMIT];      /* of each brace that is open: is it an await's? */
    uint32_t openers[NESTING_LIMIT]; /* and its token */
    unsigned braces;
    uint32_t open_quote; /* after the last unterminated string; 0: none */
} surroundings;

/* Room for the next nodes of one type. They are adjacent, so that a visit of all of them reads no others. */
typedef struct shelf {
    char *at;
    uint32_t left, count; /* bytes left; nodes made */
} shelf;

#define NO_TEXT UINT32_MAX

/* Where the parser continues, instead of after the last token. */
typedef struct repair {
    bool is_wanted;
    uint32_t at;
    uint16_t insert; /* a terminal to feed before that; 0: none */
} repair;

typedef struct parser {
    arena *arena;
    diagnostics *diagnostics;
    ast_file *file;
    const token_list *tokens;

    /* Where to append to each list. */
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

    ast_flow *flow; /* the current one; NULL outside of a flow */
    ast_task *task;
    ast_step *step;
    ast_worker *worker;
    uint32_t flow_count, task_count, step_count; /* of the file, of that flow, of that task */
    const ast_guard *guard;                      /* of the current arms */

    shelf flows, tasks, steps, statements, outcomes;
    bool failed;         /* the grammar did not accept the last token */
    uint32_t resumed_at; /* the token at which parsing continued after an error */
    bool has_resumed;
    uint32_t text;           /* the first token of the current run of C; NO_TEXT: none */
    repair repair;           /* requested while the last token was fed */
    uint32_t repaired_up_to; /* text before it is not repaired again */
    unsigned repair_count;
    bool has_overflowed;        /* the stack of the grammar's parser */
    bool too_deep;              /* the nesting limit was reported */
    bool has_directive_outside; /* a conditional directive outside of bodies was reported */
    surroundings around;
    bool holds_statements[NESTING_LIMIT]; /* of each open #if: are its branches between statements or arms? */
    unsigned open_ifs;
} parser;

static inline uint16_t kind_at(const parser *p, uint32_t at)
{
    return token_kind(p->tokens, at);
}

/* The grammar calls it with the refused token and lemon's state. */
void syntax_error(parser *p, uint32_t at, const void *state);

/* The text there is no part of a file, flow or task. If its first word is misspelled or missing, reports that, and
 * parses it again with the right word. */
bool repair_part(parser *p, uint32_t at);

/* Between two tokens, did a part of a flow or task become text of what is before it, since a `;` is missing? Reports
 * that, and the parser goes on with the part. */
bool report_swallowed_part(parser *p, uint32_t begin, uint32_t at);

/* Reports that a word is missing before a token. */
void report_missing_word(parser *p, uint32_t at, uint16_t kind);

/* Is it the start of an arm? In C, its words would be names. */
bool syntax_begins_arm(const token_list *list, uint32_t at);

/* The block there contains arms. If its `await` is misspelled or missing, reports that. */
bool report_arms(parser *p, uint32_t brace);

/* The number of open braces before a token. Ask in the order of tokens. */
unsigned syntax_braces_open(parser *p, uint32_t at);

/* Is it in the body of a step, a handler or a worker? Ask in the order of tokens. */
bool syntax_is_in_body(parser *p, uint32_t at);

/* Is it between the braces of an await? Ask in the order of tokens. */
bool syntax_is_among_arms(parser *p, uint32_t at);

/* Does the statement of the token begin with an `if`? Ask in the order of tokens. */
bool syntax_is_after_if(parser *p, uint32_t at);
/* A statement contains directives, and something in it was reported before `begin`, which is after a directive. */
bool syntax_is_behind_error(const parser *p, uint32_t begin);

/* The grammar's parser (grammar/uflow_parse.y). */
void *lemonAlloc(void *(*allocate)(size_t), parser *p);
void lemonFree(void *state, void (*release)(void *));
void lemon(void *state, int terminal, uint32_t value);
void lemon_forget_error(void *state);
void lemon_settle(void *state);
bool lemon_accepts(const void *state, uint16_t terminal);

#endif
