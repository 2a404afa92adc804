/* SPDX-License-Identifier: MIT */
/* bracket_state.h - the state of bracket balancing, only for the files of brackets.c. */
#ifndef UFC_BRACKET_STATE_H
#define UFC_BRACKET_STATE_H

#include "brackets.h"
#include "parse_state.h"
#include "words.h"

typedef struct opener {
    uint32_t at;   /* its token in the output list */
    level level;   /* of what it holds */
    bool reported; /* LEVEL_BRANCH: an error was reported in its group */
} opener;

/* A conditional directive, examined in advance. */
typedef struct directive {
    uint32_t unbalanced; /* of an #if: the first bracket without a partner in its branch; NOWHERE: none */
    uint32_t next;    /* of an #if: the directive after its first branch; of that one: the #endif; 0: there is none */
    bool is_left_out; /* what follows it, up to the #endif */
} directive;

typedef struct balance {
    arena *arena;
    diagnostics *diagnostics;
    token_list in;
    uint32_t next;         /* of `in` */
    directive *directives; /* by their places in `in` */
    token_list out;
    size_t capacity; /* of `out` */
    opener open[NESTING_LIMIT];
    unsigned depth;
    unsigned groups;                  /* open ones, which are no levels: what they hold is as in the flow */
    level pending;                    /* of the next `{` */
    bool in_head;                     /* between the word of a flow, task, step or worker and its `{` */
    unsigned head_depth;              /* the open levels at its start */
    uint32_t missing_before;          /* a token before which a `{` or `(` is missing; NOWHERE: none */
    uint16_t missing;                 /* which of the two */
    opener closed[LEVEL_BRANCH];      /* the most recently closed flow, task and body */
    uint32_t closed_by[LEVEL_BRANCH]; /* and the `}`; 0: none */
    uint32_t suspect;    /* a `{` whose `}` has another indentation, so that it may be that of another one; 0: none */
    uint32_t open_quote; /* the last unterminated string; 0: none */
    bool forgive;        /* unbalanced branches were reported: brackets up to the next `step` are not reported again */
    bool quiet, stop;
    bool has_directive_outside; /* of bodies */
} balance;

#define NOWHERE UINT32_MAX

level balance_level(const balance *b);                /* within a branch: LEVEL_INSIDE */
uint16_t balance_kind(const balance *b, uint32_t at); /* in the input list; 0 after its end */
span balance_place(const balance *b, const token *t);
bool balance_is_of_flow(uint16_t handler);                      /* the word after `on` */
bool balance_at_boundary(const balance *b);                     /* can a statement or a member begin here? */
uint32_t balance_indentation(const balance *b, const token *t); /* of its line, in columns */
bool balance_is_indented(const balance *b, const token *t); /* indented more than the line of the innermost opener */
void balance_put(balance *b, token t);
void balance_open(balance *b, token t, level as);

/* Adds closers for the innermost opener, down to a depth. Closes all of directly nested parentheses. */
void balance_add_closing(balance *b, unsigned down_to);

/* Closes all openers down to a depth, and reports the missing closers as one error. */
void balance_close_down_to(balance *b, unsigned depth);

/* -- bracket_branches.c -- */

void balance_find_unbalanced(balance *b);         /* sets `directives` */
void balance_begin_branches(balance *b, token t); /* #if */
void balance_next_branch(balance *b, token t);    /* #elif, #else, #endif */
void balance_report_branch(balance *b, opener *branch, span where, const char *what);

/* -- bracket_heads.c -- */

/* Handles a word. If it begins a part of a flow or task, adds the brackets that must be missing before it. */
void balance_synchronise(balance *b, const token *t);

#endif
