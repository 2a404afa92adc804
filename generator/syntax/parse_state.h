/* SPDX-License-Identifier: MIT */
/* parse_state.h - the state of parsing one file, for the loop, the grammar's builders and the explanations. */
#ifndef UFC_PARSE_STATE_H
#define UFC_PARSE_STATE_H

#include "ast.h"
#include "diag.h"

#define NESTING_LIMIT   256u
#define STATEMENT_LIMIT 1000u /* the limit of tokens in a search for an end of a statement */

#define NO_TEXT         UINT32_MAX

/* The mistakes that builders find. */
typedef enum mistake {
#define MISTAKE(name, explain, text) MISTAKE_##name,
#include "mistakes.def"
#undef MISTAKE
    MISTAKES
} mistake;

typedef struct parser parser;

/* Says why something was refused. The first pass over a file has none: it stops at the first refusal. */
typedef struct explanation {
    void (*token)(parser *p, uint32_t at, const void *state); /* the grammar, in that state, does not accept it */
    bool (*text)(parser *p, mistake what,
                 token_range where); /* a builder does not; true: the parser goes on elsewhere */
} explanation;

struct parser {
    arena *arena;
    diagnostics *diagnostics;
    ast_file *file;
    const token_list *tokens;

    /* Where to append to each list. */
    ast_text_block **next_block;
    ast_import **next_import;
    ast_point **next_signal, **next_checkpoint;
    ast_worker **next_worker;
    ast_plain **next_plain;
    ast_flow **next_flow, **next_test;
    ast_member **next_member;
    ast_task **next_task;
    ast_group **next_group;
    ast_declaration **next_field;
    ast_job **next_job;
    ast_preempt **next_preempt, **next_inner_preempt; /* of the flow; of the task or group */
    ast_step **next_step;

    ast_flow *flow; /* the current one; NULL outside of a flow */
    ast_group *group;
    ast_task *task;
    ast_step *step;
    ast_worker *worker;
    ast_hook **next_hook;
    uint32_t flow_count, test_count, group_count, task_count, step_count; /* of the file, that flow, that task */
    ast_guard *guard;                                                     /* of the current arms */

    uint32_t text;                        /* the first token of the current run of C; NO_TEXT: none */
    bool has_refused;                     /* something in the file */
    bool too_deep;                        /* the nesting limit was reached */
    bool has_overflowed;                  /* the stack of the grammar's parser */
    bool holds_statements[NESTING_LIMIT]; /* of each open #if: are its branches between statements or arms? */
    unsigned open_ifs;
    const explanation *explain; /* NULL: the first pass */
};

static inline uint16_t kind_at(const parser *p, uint32_t at)
{
    return token_kind(p->tokens, at);
}

/* In a task, or in a group outside of its tasks? */
static inline bool is_inside(const parser *p)
{
    return p->task || p->group;
}

/* The members of a test are those of its flow and of its task. */
static inline bool is_in_test(const parser *p)
{
    return p->flow && p->flow->test;
}

/* The only ways to say that a file is wrong. A builder that has refused a text goes on with a node that is consistent.
 * Returns: true if the text is to be dropped, for what may be another thing. */
bool refuse(parser *p, mistake what, token_range where);
bool refuse_if(parser *p, bool is_wrong, mistake what, token_range where); /* returns: is_wrong */
void refuse_token(parser *p, uint32_t at, const void *state); /* called by the grammar, with lemon's state */

/* Prepares a parser of these tokens, which go into the file. */
parser parser_of(arena *a, diagnostics *d, ast_file *file);

/* The token after the parentheses that begin there; the same place if there are none. */
uint32_t syntax_after_params(const token_list *list, uint32_t at);

/* Is it the start of an arm? In C, its words would be names. */
bool syntax_begins_arm(const token_list *list, uint32_t at);

/* A name, a literal or a closing bracket. */
bool ends_operand(uint16_t kind);

/* The part of a flow or task that became text of the part before it, since a `;` is missing: its first token between
 * the two; `at`: there is none. */
uint32_t syntax_swallowed_part(const parser *p, uint32_t begin, uint32_t at);

/* Does every bracket, and every #if, have its partner in the same branch? */
bool syntax_is_balanced(const token_list *list);

/* Feeds a token to lemon, and `else` with its `if` as one. Returns the next one. */
uint32_t syntax_feed(const token_list *list, void *state, uint32_t at);

/* Has a statement, an arm or a part ended before that token, or a block begun? */
bool syntax_ends_statement(const token_list *list, uint32_t at);

/* Does the directive of a branch end a branch of statements, in the text of one of them? Ask before it is fed. */
bool syntax_cuts_text(parser *p, const void *state, uint32_t at);

/* The grammar's parser (grammar/uflow_parse.y). */
void *lemon_new(parser *p);
void *lemonAlloc(void *(*allocate)(size_t), parser *p);
void lemonFree(void *state, void (*release)(void *));
void lemon(void *state, int terminal, uint32_t value);
void lemon_settle(void *state);
bool lemon_accepts(const void *state, uint16_t terminal);

#endif
