/* SPDX-License-Identifier: MIT */
/* explainer.h - the second pass over a file in which something was refused, only for the files that explain why. */
#ifndef UFC_EXPLAINER_H
#define UFC_EXPLAINER_H

#include "ast_build.h"
#include "explain.h"
#include "known_times.h"

/* The position up to which error reporting has examined the tokens. It only advances until the parser starts again. */
typedef struct surroundings {
    uint32_t at;                   /* all tokens before it have been seen */
    uint32_t begin;                /* of the statement, member or arm that contains `at` */
    uint32_t outer[NESTING_LIMIT]; /* for each open parenthesis, the start before it */
    unsigned parens;
    uint32_t openers[NESTING_LIMIT]; /* the braces that are open; 0: around the last start */
    unsigned braces;
    uint32_t open_quote; /* after the last unterminated string; 0: none */
} surroundings;

/* A terminal that the parser reads instead of a token. */
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
    row_trial *trial;
} explainer;

/* The end of the statement, arm or member that begins there. It is after the refused token and what belongs to it: up
 * to its `;`, past its block, or before a token that cannot belong to it; it is looked for in `limit` tokens. */
uint32_t end_of_part(parser *p, uint32_t begin, uint32_t refused, uint32_t limit);

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

/* Has a fault between two tokens of the part been reported already, such as a bracket, or by a builder? An `else` may
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

/* Reports that a word is no intent, where that one is meant. */
void report_no_intent(parser *p, uint32_t at, const char *meant);

/* -- wrong_*.c: what builders refuse -- */

#define MISTAKE(name, explain, text) void explain(parser *p, token_range where);
#include "mistakes.def"
#undef MISTAKE

void report_comma(parser *p, uint32_t at);                /* it stands where a `;` should */
diag_report *report_no_semicolon(parser *p, uint32_t at); /* after that token */

/* The text in the place of an event or a duration, up to the `->` of the arm or another end. */
token_range range_of_operand(const parser *p, uint32_t first);
bool ends_with_unit(token_range operand); /* a unit after an operand: `flow->n ms` */

/* -- surroundings.c -- */

/* Advances to a token: errors come in source order. */
const surroundings *look_around(parser *p, uint32_t at);

/* The number of braces that are open between the members of the current task or flow. */
unsigned braces_of_parts(const parser *p);

/* "task" or "group": the innermost one. Where to move what neither of them holds. */
const char *part_around(const parser *p);
#define OUT_OF_PART "move it into the flow, outside of its tasks and groups"
#define BLOCKS_OF_TEST                                                                                                 \
    "C code of a test stands in `at 3s { … }`, `every 3s { … }`, `each round { … }` or `on init { … }`"
#define OUT_OF_TEST "move it into a flow of this file, which the test has as a sub-flow"

/* Is it in the body of a step, a handler or a worker? Ask in the order of tokens. */
bool around_is_in_body(parser *p, uint32_t at);

/* The innermost brace that is open before it; 0: none since the last start. Ask in the order of tokens. */
uint32_t around_brace(parser *p, uint32_t at);

/* Is it between the braces of an await? Ask in the order of tokens. */
bool around_is_among_arms(parser *p, uint32_t at);

/* Does the statement of the token begin with an `if`? Ask in the order of tokens. */
bool around_is_after_if(parser *p, uint32_t at);

/* The first token of that kind in [first, end); `end`: there is none. */
uint32_t find_kind(const parser *p, uint32_t first, uint32_t end, uint16_t kind);

/* The place after a token, where another one is missing. */
span place_behind(const parser *p, uint32_t at);

/* The text of a token in messages. */
const char *spelled(parser *p, uint32_t at);

/* The text of [first, end), for a help; empty, or `otherwise`, if it is long or has several lines. */
const char *words_between(parser *p, uint32_t first, uint32_t end);
const char *words_or(parser *p, uint32_t first, uint32_t end, const char *otherwise);

/* -- refusals.def: what the grammar refuses -- */

/* A token that the grammar refuses, and its surroundings. */
typedef struct refusal {
    uint32_t at;
    uint32_t begin;              /* of its statement, member or arm */
    uint32_t text;               /* where the text of C that contains it begins: `begin`, or before it */
    uint32_t event;              /* of the arm, if it is in an await */
    uint16_t kind, before, head; /* of the token, of the one before it, and of the one at `begin` */
    bool is_in_text, is_in_body, in_await;
    const void *state; /* of lemon */
} refusal;

/* Reports the refusal. Returns: false if it is not of that kind. */
typedef bool refusal_report(parser *p, const refusal *r);

/* Returns: the help for a report; "": there is none; NULL: the refusal is not of that kind. */
typedef const char *refusal_help(parser *p, const refusal *r);

#define REPORT(name, example, precedes) refusal_report refused_##name;
#include "refusals.def"
#undef REPORT

/* What the parser is in, for known_times.h. */
#define PLACE(p) (&(time_place){(p)->flow, (p)->task, (p)->step})

#define UNITS    "ns, us, ms, s, min and h"

/* For the helps of rows: a text as of printf, and the words of [first, end) in it. */
#define TEXT(...)         arena_printf(p->arena, __VA_ARGS__)
#define WORDS(first, end) words_between(p, first, end)

/* Defines the function of a row with a help. */
#define HELP_ROW(name, example, precedes, condition, help)                                                             \
    static const char *name##_row(parser *p, const refusal *r)                                                         \
    {                                                                                                                  \
        (void)p, (void)r;                                                                                              \
        return (condition) ? (help) : NULL;                                                                            \
    }

/* The help of the first row that fits; NULL: none does. For the general report, and for an arm or `await`. */
const char *first_help(parser *p, const refusal *r, row_table table, refusal_help *const *rows, size_t count);
const char *help_of_refusal(parser *p, const refusal *r);
const char *help_of_arm(parser *p, const refusal *r, uint32_t begin);

uint32_t event_of(const parser *p, uint32_t begin);  /* the event of the arm that begins there */
bool is_in_event(const parser *p, const refusal *r); /* before the `->` of the arm, and outside of parentheses */
bool has_arrow(const parser *p, const refusal *r);   /* between the begin and the token */

/* The kind of a name, by the declarations so far. */
typedef enum event_kind { NO_EVENT, EVENT_SIGNAL, EVENT_CHECKPOINT, EVENT_MAILBOX, EVENT_JOB } event_kind;
event_kind event_named(const parser *p, uint32_t at);

/* Helps that several rows give. They return NULL if the text is of another kind. */
const char *task_help(parser *p, uint32_t dot);           /* `next Axis.Home;` */
const char *target_help(parser *p, uint32_t arrow);       /* what may follow the `->` or `else` */
const char *run_help(parser *p, token_range operand);     /* `run Move(…)`; begins at the `run` */
const char *member_help(parser *p, token_range operand);  /* `flow->go`, `flow->x.go`, `x.go` */
const char *operand_help(parser *p, token_range operand); /* `flow->n -> Step` */

#endif
