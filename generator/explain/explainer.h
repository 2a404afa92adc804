/* explainer.h - the second pass over a file in which something was refused, only for the files that explain why. */
#ifndef UFC_EXPLAINER_H
#define UFC_EXPLAINER_H

#include "ast_build.h"

/* The position up to which error reporting has examined the tokens. It only advances until the parser starts again. */
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

/* What the parser reads instead of a token. */
typedef struct mend {
    uint32_t hole_end; /* this token begins a hole, which ends before that one; 0: it does not */
    uint16_t insert;   /* a terminal before it; 0: none */
    bool is_repaired;  /* as the first word of a part */
} mend;

/* A place before a part of a file, flow or task, where the parser can start again. */
typedef struct restart {
    parser p;
    uint32_t at;
} restart;

typedef struct explainer {
    parser p; /* first, so that a pointer to it is one to the explainer */
    restart last;
    mend *mends;  /* one per token */
    bool mended;  /* since the last start */
    bool refused; /* the grammar did not accept the last token */
    unsigned mend_count;
    uint32_t hole_first, hole_end; /* the last hole that was made because of a token */
    bool has_directive_outside;    /* a conditional directive outside of bodies was reported */
    surroundings around;
} explainer;

/* The end of the statement, arm or member that begins there: after the refused token and what belongs to it, up to its
 * `;`, or past its block, or before a token that cannot belong to it. */
uint32_t end_of_part(parser *p, uint32_t begin, uint32_t refused);

/* The parser starts again, and reads a part as a hole, another terminal before a token, or a token as another one. */
void mend_hole(parser *p, uint32_t first, uint32_t end);
void mend_insert(parser *p, uint32_t at, uint16_t kind);
void mend_kind(parser *p, uint32_t at, uint16_t kind);

static inline explainer *explainer_of(parser *p)
{
    return (explainer *)p;
}

/* The grammar refuses a token, in that state of lemon. */
void explain_token(parser *p, uint32_t at, const void *state);

/* A builder refuses a text. Returns: true if the parser goes on elsewhere. */
bool explain_text(parser *p, mistake what, token_range where);

/* Has something in the part between two tokens been reported already, such as a bracket, or by a builder? An `else` may
 * have lost its `if` anywhere in the step. */
bool is_reported(parser *p, uint32_t begin, uint32_t at);

/* The first token of the statement, arm or member that contains a token. */
uint32_t begin_of_part(const parser *p, uint32_t at);

/* -- repair.c -- */

/* The text there is no part of a file, flow or task. If its first word is misspelled or missing, reports that, and
 * parses it again with the right word. */
bool repair_part(parser *p, uint32_t at);

/* Reports that a word is missing before a token. */
void report_missing_word(parser *p, uint32_t at, uint16_t kind);

/* -- wrong_*.c: what builders refuse -- */

#define MISTAKE(name, explain, text) void explain(parser *p, token_range where);
#include "mistakes.def"
#undef MISTAKE

void report_comma(parser *p, uint32_t at); /* it stands where a `;` should */

/* The text in the place of an event or a duration, up to the `->` of the arm or another end. */
token_range range_of_operand(const parser *p, uint32_t first);
bool ends_with_unit(token_range operand); /* a unit after an operand: `flow->n ms` */

/* -- surroundings.c -- */

/* Advances to a token: errors come in source order. */
const surroundings *look_around(parser *p, uint32_t at);

/* The number of braces that are open between the members of the current task or flow. */
unsigned braces_of_parts(const parser *p);

/* Is it in the body of a step, a handler or a worker? Ask in the order of tokens. */
bool around_is_in_body(parser *p, uint32_t at);

/* Is it between the braces of an await? Ask in the order of tokens. */
bool around_is_among_arms(parser *p, uint32_t at);

/* Does the statement of the token begin with an `if`? Ask in the order of tokens. */
bool around_is_after_if(parser *p, uint32_t at);

/* A token as messages quote it. */
const char *spelled(parser *p, uint32_t at);

/* The text of [first, end), for a help; empty if it is long or has several lines. */
const char *words_between(parser *p, uint32_t first, uint32_t end);

/* -- syntax_arms.c: `begin` is the first token of the arm or of its `await` -- */

bool in_await(parser *p, uint32_t begin);
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
