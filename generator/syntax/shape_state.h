/* shape_state.h - what shaping keeps; for the files of shape.c alone. */
#ifndef UFC_SHAPE_STATE_H
#define UFC_SHAPE_STATE_H

#include "parse_state.h"
#include "shape.h"

/* What encloses: the body of a flow or task, another bracket, or a branch of #if. */
typedef enum role { ROLE_FLOW, ROLE_TASK, ROLE_BRACKET, ROLE_BRANCH } role;

typedef struct opener {
    uint32_t at; /* its token in the list that is made */
    role role;
    bool reported; /* ROLE_BRANCH: something is wrong in its group already */
} opener;

typedef struct shape {
    arena *arena;
    diagnostics *diagnostics;
    token_list in;
    uint32_t next;            /* of `in` */
    const uint32_t *branches; /* of each #if in `in`: see look_at_branches() */
    token_list out;
    size_t capacity;
    opener open[NESTING_LIMIT];
    unsigned depth;
    role pending;               /* of the next `{` */
    opener closed[3];           /* the flow, the task and the body in it that were closed last */
    uint32_t closed_by[3];      /* and the `}`, or UINT32_MAX */
    uint32_t suspect;           /* a `{` whose `}` is out of line, so that it may be another's; UINT32_MAX: none */
    uint32_t open_quote;        /* the last string without an end; UINT32_MAX: none */
    bool broken[NESTING_LIMIT]; /* of each open #if in a body: only its first branch is kept */
    unsigned if_depth;
    bool forgive; /* unbalanced branches were reported: brackets up to the next `step` are no fault of their own */
    bool quiet, stop;
    bool reported_directive; /* outside of bodies */
} shape;

#define NOWHERE UINT32_MAX

typedef enum level { LEVEL_FILE, LEVEL_FLOW, LEVEL_TASK, LEVEL_INSIDE } level;

level shape_level(const shape *s);
uint16_t shape_kind(const shape *s, uint32_t at); /* in the list that was scanned; 0 behind its end */
span shape_place(const shape *s, const token *t);
span shape_place_of(const shape *s, uint32_t at); /* of a token of the list that is made */

/* Can a statement or a member begin here? */
bool shape_at_boundary(const shape *s);

/* Closes all openers down to a depth; what was forgotten there is one fault. */
void shape_close_down_to(shape *s, unsigned depth);

/* Decides what a word is, here. Closes and opens what must have been forgotten before it. */
void shape_resolve_word(shape *s, token *t);

#endif
