/* checks.h - the checks of sema_check(), each in a file of its own, in the order in which they run. */
#ifndef UFC_CHECKS_H
#define UFC_CHECKS_H

#include "scope.h"
#include "sema.h"

/* A flow that the file can name, its own or imported, and the names in it. */
typedef struct flow_names {
    struct flow_names *next; /* own flows: the next one of the file */
    ast_flow *flow;
    bool imported;
    scope tasks; /* of ast_task */
    scope steps; /* of ast_step: of all its tasks, the first one of a name */
} flow_names;

typedef struct sema {
    arena *arena;
    diagnostics *diagnostics;
    ast_file *file;
    const sema_options *options;
    scope flows;         /* of flow_names; of two flows of one name, the first */
    flow_names *own;     /* all flows of the file itself */
    bool syntax_errors;  /* the parser has reported some: what is not known may have been lost to them */
    bool imports_broken; /* some import could not be read: what is not known may be in it */
} sema;

void collect_names(sema *s);      /* names.c: what there is; duplicate and empty flows, tasks, steps */
void resolve_targets(sema *s);    /* resolve.c: what targets mean */
void check_declarations(sema *s); /* declarations.c: fields and parameters */
void check_collisions(sema *s);   /* collisions.c: reserved names, and generated ones that collide */
void check_arguments(sema *s);    /* arguments.c: how many, and results */
void check_paths(sema *s);        /* paths.c: every path ends in an intent */
void check_waits(sema *s);        /* waits.c: arms, `result` and `reason` */
void check_lifetimes(sema *s);    /* lifetimes.c: locals across a wait */
void check_formats(sema *s);      /* formats.c: `fail` and `describe` */
void check_blocking(sema *s);     /* blocking.c: calls that block the pump */
void check_limits(sema *s);       /* limits.c: how much a flow can hold */
void check_reach(sema *s);        /* reach.c: steps and ends that are never reached */
void check_unused(sema *s);       /* unused.c: fields and parameters */

/* -- what several of them need ---------------------------------------------------------------------------------- */

/* Has an error been reported in there? Then what follows from it must not be reported as well. */
bool is_damaged(const sema *s, span where);

/* The same, of the parser's errors: a name that is not known may be there all the same. */
bool is_misread(const sema *s, span where);

/* Walking a flow's bodies: its `on init`, then each task's handlers and steps. */
typedef struct body_site {
    ast_flow *flow;
    ast_task *task; /* NULL: on init */
    ast_step *step; /* NULL: a handler */
    ast_body *body;
} body_site;

typedef void body_visitor(sema *s, const body_site *site);
void for_each_body(sema *s, body_visitor *visit);

/* "did you mean `x`?", if one of the names is near; the array is that of a collector. */
typedef struct candidates {
    const char **names;
    size_t count, capacity;
} candidates;

void candidates_add(sema *s, candidates *c, const char *name);
bool candidates_help(candidates *c, const char *name, diag_report *report);

#endif
