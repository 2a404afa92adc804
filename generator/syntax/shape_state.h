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
    token_list out;           /* in the same array, and always behind what is looked at; or in one of its own */
    size_t capacity;
    bool is_apart;
    opener open[NESTING_LIMIT];
    unsigned depth;
    role pending;               /* of the next `{` */
    bool in_head;               /* between the word of a flow, task, step or worker and its `{` */
    unsigned head_depth;        /* what was open where that began */
    uint32_t missing_before;    /* a token before which a `{` or `(` is missing; NOWHERE: none */
    uint16_t missing;           /* which of the two */
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

static inline level shape_level(const shape *s)
{
    if (s->depth == 0) return LEVEL_FILE;
    role const top = s->open[s->depth - 1].role;
    return top == ROLE_FLOW ? LEVEL_FLOW : top == ROLE_TASK ? LEVEL_TASK : LEVEL_INSIDE;
}

/* In the list that was scanned; 0 behind its end. */
static inline uint16_t shape_kind(const shape *s, uint32_t at)
{
    return at < s->in.count ? s->in.items[at].kind : 0;
}

span shape_place(const shape *s, const token *t);
span shape_place_of(const shape *s, uint32_t at); /* of a token of the list that is made */

/* Does it stand deeper than the line of the innermost opener, so that it was meant to be inside? */
bool shape_is_indented(const shape *s, const token *t);

/* Can a statement or a member begin here? */
extern const bool shape_is_boundary[KIND_LIMIT]; /* behind these kinds */
static inline bool shape_at_boundary(const shape *s)
{
    return s->out.count == 0 || shape_is_boundary[s->out.items[s->out.count - 1].kind];
}

/* Puts in a word that is missing before the token that has come. */
void shape_put_missing(shape *s, uint16_t kind);

/* Closes all openers down to a depth; what was forgotten there is one fault. */
void shape_close_down_to(shape *s, unsigned depth);

/* -- shape_heads.c -- */

/* The token behind the braces of a struct, union or enum that begin there; the same place if none do. In the parameters of a head
 * they are no body: sema says what is wrong with them. */
uint32_t shape_behind_tag(const shape *s, uint32_t at);

/* The token behind the parentheses that begin there; the same place if none do, or if they do not end. */
uint32_t shape_behind_params(const shape *s, uint32_t at);

/* The name of something whose body is next has come, or comes; what is missing behind it is reported. */
void shape_begin_head(shape *s, uint32_t name, role body);

/* Is it a head, with its parentheses or its `{` missing? Asked where nothing else could stand. */
bool shape_is_broken_head(const shape *s, uint32_t word);

/* Is it the begin of an arm? `surely`: it can be no C either, in which these words are names. */
bool shape_begins_arm(const shape *s, uint32_t at, bool surely);

/* `await` has come: have its arms, of which there are several, no `{`? Then one will be put in. */
void shape_expect_arms(shape *s);

/* `for` has come: have its clauses no `(`? Then one will be put in. */
void shape_expect_clauses(shape *s);

/* Reports that a word is missing before the token that has come, and puts it in. */
void shape_add_missing(shape *s, uint16_t kind, const char *word);

/* NAME { or NAME (...) {, where flows, tasks or steps are: the word before it is missing. Adds it, and returns its kind; 0:
 * it is none. */
uint16_t shape_missing_word(shape *s, level where);

/* -- shape_words.c -- */

/* NAME, perhaps parameters, and a body, or a result: a definition. */
bool shape_is_definition(const shape *s, uint32_t word, bool with_result);

/* A type and a name, and the parameters, of which this is the first token; 0: it is no worker. Types have few words. */
uint32_t shape_params_of_worker(const shape *s, uint32_t word);

/* Decides what a word is, here. Closes and opens what must have been forgotten before it. */
void shape_resolve_word(shape *s, token *t);

/* -- shape_slips.c: each reports a word that was meant to be another, and makes it that -- */

void shape_correct_word(shape *s, token *t, level where); /* of a part of a file, a flow or a task */
void shape_correct_on(shape *s, token *t);
void shape_correct_handler(shape *s); /* behind `on` */
void shape_correct_await(shape *s, token *t);

/* Would an expression go on with that `await`, since the `;` before it is missing? */
bool shape_swallows_await(const shape *s, const token *t);

/* Does its line follow one that ends with a comma? */
bool shape_follows_comma(const shape *s, const token *t);

/* Reports that there is no `;` before the token that has come, and puts it in, or instead of a comma. */
void shape_end_statement(shape *s, const token *t);

#endif
