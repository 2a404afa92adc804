/* bracket_state.h - what balancing keeps; for the files of brackets.c alone. */
#ifndef UFC_BRACKET_STATE_H
#define UFC_BRACKET_STATE_H

#include "brackets.h"
#include "parse_state.h"

/* What encloses: the body of a flow or task, another bracket, or a branch of #if. */
typedef enum role { ROLE_FLOW, ROLE_TASK, ROLE_BRACKET, ROLE_BRANCH } role;

typedef struct opener {
    uint32_t at; /* its token in the list that is made */
    role role;
    bool reported; /* ROLE_BRANCH: something is wrong in its group already */
} opener;

typedef struct balance {
    arena *arena;
    diagnostics *diagnostics;
    token_list in;
    uint32_t next;            /* of `in` */
    const uint32_t *branches; /* of each #if in `in`: see find_unbalanced() */
    token_list out;
    size_t capacity; /* of `out` */
    opener open[NESTING_LIMIT];
    unsigned depth;
    role pending;               /* of the next `{` */
    bool in_head;               /* between the word of a flow, task, step or worker and its `{` */
    unsigned head_depth;        /* what was open where that began */
    uint32_t missing_before;    /* a token before which a `{` or `(` is missing; NOWHERE: none */
    uint16_t missing;           /* which of the two */
    opener closed[3];           /* the flow, the task and the body in it that were closed last */
    uint32_t closed_by[3];      /* and the `}`, or NOWHERE */
    uint32_t suspect;           /* a `{` whose `}` is out of line, so that it may be another's; NOWHERE: none */
    uint32_t open_quote;        /* the last string without an end; NOWHERE: none */
    bool broken[NESTING_LIMIT]; /* of each open #if in a body: only its first branch is kept */
    unsigned if_depth;
    bool forgive; /* unbalanced branches were reported: brackets up to the next `step` are no fault of their own */
    bool quiet, stop;
    bool has_directive_outside; /* of bodies */
} balance;

#define NOWHERE UINT32_MAX

typedef enum level { LEVEL_FILE, LEVEL_FLOW, LEVEL_TASK, LEVEL_INSIDE } level;

level balance_level(const balance *b);
uint16_t balance_kind(const balance *b, uint32_t at); /* in the list that was scanned; 0 behind its end */
span balance_place(const balance *b, const token *t);
span balance_place_of(const balance *b, uint32_t at);       /* of a token of the list that is made */
bool balance_at_boundary(const balance *b);                 /* can a statement or a member begin here? */
bool balance_is_indented(const balance *b, const token *t); /* deeper than the line of the innermost opener */
void balance_put(balance *b, token t);
void balance_open(balance *b, token t, role as);

/* Adds what closes the innermost opener, down to a depth; of parentheses directly in each other, of all of them. */
void balance_add_closing(balance *b, unsigned down_to);

/* Closes all openers down to a depth; what was forgotten there is one fault. */
void balance_close_down_to(balance *b, unsigned depth);

/* -- bracket_branches.c -- */

void balance_find_unbalanced(const balance *b, uint32_t *branches);
void balance_begin_branches(balance *b, token t); /* #if */
void balance_next_branch(balance *b, token t);    /* #elif, #else, #endif */
void balance_report_branch(balance *b, opener *branch, span where, const char *what);

/* -- bracket_heads.c -- */

/* The token behind the braces of a struct, union or enum that begin there; the same place if none do. In the parameters
 * of a head they are no body: sema says what is wrong with them. */
uint32_t balance_behind_tag(const balance *b, uint32_t at);

/* A word has come. If it begins a part of a flow or task, closes and opens what must have been forgotten before it. */
void balance_synchronise(balance *b, const token *t);

#endif
