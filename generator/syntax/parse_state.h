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
    bool awaits[NESTING_LIMIT];      /* of each brace that is open: is it an await's? */
    uint32_t openers[NESTING_LIMIT]; /* and its token */
    unsigned braces;
    uint32_t open_quote; /* behind the last string without an end; 0: none */
} surroundings;

/* Room for the next nodes of one type, which lie side by side: a walk over all of them reads no other. */
typedef struct shelf {
    char *at;
    uint32_t left, count; /* of what is free; of nodes that were made */
} shelf;

#define NO_TEXT UINT32_MAX

/* Where the parser goes on, instead of after the token that was fed last. */
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
    uint32_t text;           /* the first token of the run of C that is being read; NO_TEXT: none is */
    repair repair;           /* asked for while the last token was fed */
    uint32_t repaired_up_to; /* what begins before it is not repaired again */
    unsigned repair_count;
    bool has_overflowed;        /* the stack of the grammar's parser */
    bool too_deep;              /* that was reported */
    bool has_directive_outside; /* a conditional directive outside of bodies was reported */
    surroundings around;
    bool holds_statements[NESTING_LIMIT]; /* of each open #if: do its branches stand between statements or arms? */
    unsigned open_ifs;
} parser;

/* Called by the grammar with the token that it does not take, and lemon's state. */
void syntax_error(parser *p, uint32_t at, const void *state);

/* The part of a file, flow or task that begins there is none: is its first word misspelled or missing? Then it is reported, and
 * read again with that word. */
bool repair_part(parser *p, uint32_t at);

/* Between two tokens, did a part of a flow or task become text of what is before it, since a `;` is missing? Reports that, and
 * the parser goes on with the part. */
bool report_swallowed_part(parser *p, uint32_t begin, uint32_t at);

/* Reports that a word is missing before a token. */
void report_missing_word(parser *p, uint32_t at, uint16_t kind);

/* Is it the begin of an arm, and no C, in which its words are names? */
bool syntax_begins_arm(const token_list *list, uint32_t at);

/* A block begins there that holds arms: is its `await` misspelled or missing? Reports that. */
bool report_arms(parser *p, uint32_t brace);

/* How many braces are open before a token; to be asked in the order of tokens. */
unsigned syntax_braces_open(parser *p, uint32_t at);

/* Does it stand in the body of a step, a handler or a worker? In the order of tokens, too. */
bool syntax_is_in_body(parser *p, uint32_t at);

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
bool lemon_accepts(const void *state, uint16_t terminal);

#endif
