/* checks.h - the checks of sema_check(), each in a file of its own, in the order in which they run. */
#ifndef UFC_CHECKS_H
#define UFC_CHECKS_H

#include "declare.h"
#include "scope.h"
#include "sema.h"

/* What a bare name of an arm, of `on`, `submit` and `arrived` can stand for. */
typedef enum shared_kind { SHARED_SIGNAL, SHARED_CHECKPOINT, SHARED_MAILBOX, SHARED_JOB } shared_kind;

typedef struct shared {
    shared_kind kind;
    const ast_ident *name;
    ast_point *point;
    ast_mailbox *mailbox;
    ast_job *job;
    const ast_task *task; /* of a job */
} shared;

/* A flow that the file can name, its own or imported, and the names in it. */
typedef struct flow_names {
    struct flow_names *next; /* own flows: the next one of the file */
    ast_flow *flow;
    bool imported;
    scope tasks;   /* of ast_task */
    scope steps;   /* of ast_step: of all its tasks, the first one of a name */
    scope shared;  /* of shared: its own signals, checkpoints and mailboxes */
    scope jobs;    /* of shared: of all its tasks, the first one of a name */
    scope members; /* pointers.c: what its parameters and members are, once some expression names one */
} flow_names;

typedef struct sema {
    arena *arena;
    diagnostics *diagnostics;
    ast_file *file;
    const sema_options *options;
    scope flows;         /* of flow_names; of two flows of one name, the first */
    flow_names *own;     /* all flows of the file itself */
    scope points;        /* of shared: signals and checkpoints at file scope, those of imports too */
    scope workers;       /* of ast_worker */
    scope blocking;      /* of names: functions that block; blocking.c */
    scope reserved;      /* words of C and what else no name may be; reserved.c */
    scope types;         /* names of types that blocks and bodies declare; locals.c */
    bool types_known;    /* those of blocks are in it: they are collected when they are asked for */
    scope unknown;       /* names that were reported as not there: once each */
    bool syntax_errors;  /* the parser has reported some: what is not known may have been lost to them */
    bool imports_broken; /* some import could not be read: what is not known may be in it */
} sema;

void collect_names(sema *s);   /* names.c: what there is; duplicate and empty flows, tasks, steps */
void resolve_targets(sema *s); /* resolve.c: what targets mean */
void resolve_shared(sema *s);  /* shared.c: what the names of signals, checkpoints, mailboxes, jobs, workers mean */
void check_shutdown(sema *s);  /* shutdown.c: tasks that a stop runs */
void check_worker_declarations(sema *s); /* declarations.c */
void check_directives(sema *s);          /* directives.c: macros that a body defines */
void check_collisions(sema *s);          /* collisions.c: reserved names, and generated ones that collide */
void collect_blocking(sema *s);          /* blocking.c: functions that block */
void check_workers(sema *s);             /* workers.c: what a worker holds, and its result */
void check_task_result(sema *s, const ast_task *task);
void check_worker_paths(sema *s);   /* paths.c */
void check_worker_formats(sema *s); /* formats.c */
void check_unused(sema *s);         /* unused.c: fields and parameters */

/* locals.c: all that one statement declares itself, apart from those in it; and whether something names a type. */
void each_local(sema *s, const ast_statement *statement, declared_visitor *visit, void *context);
bool is_type_name(sema *s, const char *name);

/* collisions.c: is it a name that is made for the flow, as `Flow_Task_to_Step` is? */
bool is_generated_name(sema *s, const ast_flow *flow, const char *name);

/* Of one flow at a time, as long as the caches hold it. */
void check_declarations(sema *s, ast_flow *flow); /* declarations.c: fields and parameters */
void check_arguments(sema *s, ast_flow *flow);    /* arguments.c: how many, and results */
void check_pointers(sema *s, ast_flow *flow);     /* pointers.c: flows and signals are handed over by address */
void check_paths(sema *s, ast_flow *flow);        /* paths.c: every path ends in an intent */
void check_preempts(sema *s, ast_flow *flow);     /* preempts.c: what a signal can lead to */
void check_waits(sema *s, ast_flow *flow);        /* waits.c: arms, `result` and `reason` */
void check_lifetimes(sema *s, ast_flow *flow);    /* lifetimes.c: locals across a wait */
void check_formats(sema *s, ast_flow *flow);      /* formats.c: `fail` and `describe` */
void check_blocking(sema *s, ast_flow *flow);     /* blocking.c: calls that block the pump */
void check_limits(sema *s, ast_flow *flow);       /* limits.c: how much it can hold */
void check_reach(sema *s, ast_flow *flow);        /* reach.c: steps and ends that are never reached */

/* -- what several of them need ---------------------------------------------------------------------------------- */

/* Has an error been reported in there? Then what follows from it must not be reported as well. */
bool is_damaged(const sema *s, span where);

/* The same, of the parser's errors: a name that is not known may be there all the same. */
bool is_misread(const sema *s, span where);

/* Has the parser reported an error in that line? What is missing there may be lost to it. */
bool is_misread_line(const sema *s, span at);

/* Reports a directive whose branches hold a comma between these arguments: how many there are, it would decide. Returns true if there
 * is one. */
bool report_divided(sema *s, const token_range *items, uint32_t count);

/* Reports a name of a signal, checkpoint, mailbox or job that no arm can name, where no arm that tried was reported. */
void check_name_of_arm(sema *s, const ast_ident *name, const char *what);

/* A body: of a flow its `on init`, then each task's handlers and steps; or of a worker. */
typedef struct body_site {
    ast_flow *flow; /* NULL: a worker */
    ast_task *task; /* NULL: on init */
    ast_step *step; /* NULL: a handler */
    ast_worker *worker;
    ast_body *body;
} body_site;

typedef void body_visitor(sema *s, const body_site *site);
void for_each_body(sema *s, ast_flow *flow, body_visitor *visit);
void for_each_worker(sema *s, body_visitor *visit);

/* Pre-emption: of the flow, then of each of its tasks. */
typedef void preempt_visitor(sema *s, ast_flow *flow, ast_task *task, ast_preempt *preempt);
void for_each_preempt(sema *s, ast_flow *flow, preempt_visitor *visit);

/* Nobody reads the hundredth help, and looking for what was meant takes time for each. */
bool is_one_of_many(const sema *s);

/* "did you mean `x`?", if one of the names is near; the array is that of a collector. */
typedef struct candidates {
    const char **names;
    size_t count, capacity;
} candidates;

void candidates_add(sema *s, candidates *c, const char *name);
bool candidates_help(candidates *c, const char *name, diag_report *report);

#endif
