/* SPDX-License-Identifier: MIT */
/* ast.h - the content of a .uflow file, with the place of every word.
 *
 * The builders in ast_build.h make it, sema/ fills in the members marked "sema:", lower/ reads it. Lists are singly
 * linked in source order. Everything lives in the compilation's arena. */
#ifndef UFC_AST_H
#define UFC_AST_H

#include "arms.h"
#include "blocks.h"
#include "handlers.h"
#include "hooks.h"
#include "intents.h"
#include "token.h"

/* Puts a node at the end of a list; `end` is the pointer that the last node leaves NULL. */
#define LINK(end, node) (*(end) = (node), (end) = &(*(end))->next)

typedef struct ast_ident {
    const char *name; /* interned */
    span at;
} ast_ident;

/* One declarator of a C declaration: a field, a parameter, a local. `int *a[3] = { 0 }` has specifiers `int`,
 * declarator `*a[3]`, name token `a`, initialiser `{ 0 }`. */
typedef struct ast_declarator {
    struct ast_declarator *next;
    token_range specifiers; /* shared by the declarators of one declaration */
    token_range declarator; /* with the name in it */
    uint32_t name_token;    /* index into the list */
    ast_ident name;
    token_range bits;              /* width of a bit-field; or empty */
    token_range initializer;       /* the value after `=`; or empty */
    bool is_array;                 /* the declarator itself is an array */
    bool braced;                   /* the initialiser is `{ … }` */
    const struct ast_plain *plain; /* sema: of what is kept: its type is this struct; NULL: another one */
    bool used;                     /* sema: a text mentions it */
} ast_declarator;

/* A declaration such as `specifiers a, *b;`. */
typedef struct ast_declaration {
    struct ast_declaration *next;
    token_range text;      /* without the `;` */
    ast_declarator *first; /* NULL for an anonymous struct or union member, or a bare `struct s { … };` */
    bool is_transient;     /* `transient` stands before it */
} ast_declaration;

typedef struct ast_args {
    token_range *items; /* split at top-level commas */
    uint32_t count;
    span at; /* the parentheses, or the place where they could be */
} ast_args;

typedef struct ast_duration {
    token_range text; /* a literal: its token; else the expression, without parentheses */
    span at;          /* its `in` is NULL where no duration is written */
    bool literal;
    int64_t ns;       /* of a literal; saturated */
    const char *unit; /* of an expression: "ns" "us" "ms" "s" "min" "h" */
} ast_duration;
static inline bool ast_is_there(const ast_duration *d)
{
    return d->at.in != NULL;
}

typedef struct ast_flow ast_flow;
typedef struct ast_task ast_task;
typedef struct ast_group ast_group;
typedef struct ast_step ast_step;
typedef struct ast_worker ast_worker;

/* One name of `signal a, b[3];` or `checkpoint c;` at file or flow scope. */
typedef struct ast_point {
    struct ast_point *next;
    ast_ident name;
    token_range count; /* of an array: between the brackets; else empty */
    uint32_t size;     /* sema: of an array: the number of elements; 0: unknown */
    ast_flow *flow;    /* NULL: at file scope */
    bool used;         /* sema: something waits for it, or some text mentions it */
} ast_point;

/* `mailbox int orders[16];`, `mailbox page pages[8] drop page_free;` */
typedef struct ast_mailbox {
    struct ast_mailbox *next;
    ast_declarator *item; /* the capacity in brackets follows the name in its declarator */
    token_range capacity; /* between them */
    ast_ident drop;       /* the function that releases an unread item; no name: none */
    bool used;            /* sema: something waits for it, or some text mentions it */
} ast_mailbox;

/* `job weigh: read_scale;`, `job fetch[8]: download;` */
typedef struct ast_job {
    struct ast_job *next;
    ast_ident name;
    token_range count; /* of an array: between the brackets; else empty */
    ast_ident worker_name;
    ast_worker *worker;   /* sema */
    bool submitted, read; /* sema */
} ast_job;

/* The effect of an intent or an arm: see intents.def. */
typedef struct ast_outcome {
    outcome_kind kind;
    span at;
    ast_ident target;  /* STEP, BECOME */
    ast_args args;     /* STEP, BECOME: arguments; FAIL: arguments of the format */
    token_range value; /* DONE: the result; FAIL: the format, one or more string literals; or empty */
    ast_step *step;    /* sema: STEP */
    ast_task *task;    /* sema: BECOME */
} ast_outcome;

typedef struct ast_subflow ast_subflow;

typedef struct ast_event {
    struct ast_event *next; /* the next event of `all` */
    arm_kind kind;          /* sema: replaces NAME by the kind of the named declaration */
    span at;
    token_range condition; /* UNTIL */
    ast_duration duration; /* TIMEOUT; UNTIL: of `for` */
    ast_ident flow, task;  /* RUN: Flow.Task */
    token_range target; /* the operand in parentheses; RUN: the first argument, a pointer to the flow; the index of an
                           element */
    ast_args args;      /* RUN: the other arguments */
    bool is_first;      /* RUN: `first(run …)` */
    bool in_all;        /* it is an event of an `all` */
    ast_subflow *each;  /* sema: RUN, IDLE: the array, of `&flow->NAME[*]` */
    ast_flow *run_flow; /* sema: RUN */
    ast_task *run_task; /* sema: RUN */
    struct ast_event *all; /* ALL: the events, in textual order */
    ast_ident name;        /* NAME and its replacements; ANY; ARRIVED of a name: the checkpoint */
    ast_point *point;      /* sema: SIGNAL, CHECKPOINT, ARRIVED */
    ast_job *job;          /* sema: JOB, JOBS, ANY */
    ast_mailbox *mailbox;  /* sema: MAILBOX */
    ast_subflow *pool;     /* sema: VACANT, EMPTY */
} ast_event;

/* The most branches of a `#if` with arms or waits: generated code repeats all directives before each branch. */
#define BRANCH_LIMIT 256u

/* The branch of a conditional directive that contains an arm. All arms of a branch share it. */
typedef struct ast_guard {
    struct ast_guard *outer;       /* the branch around the `#if`, or NULL */
    const struct ast_guard *first; /* that of the `#if` */
    const struct ast_guard *next;  /* that of the next `#elif` or `#else` */
    token_range directive;
    uint32_t number; /* from 1 */
} ast_guard;

typedef struct ast_arm {
    struct ast_arm *next;
    span at;
    const ast_guard *guard; /* NULL: outside of `#if` */
    token_range condition;  /* of `if (…)` before the event; or empty */
    ast_event *event;
    ast_outcome *outcome;
    ast_outcome *otherwise; /* after `else`, or NULL */
} ast_arm;

/* `plain struct recipe { int grams; char name[32]; };` */
typedef struct ast_plain {
    struct ast_plain *next;
    ast_ident name;
    span at;
    ast_declaration *fields;
} ast_plain;

/* Kinds of statements. STATEMENT_TEXT is C that ufc does not analyse. */
typedef enum ast_statement_kind {
    STATEMENT_TEXT,        /* expression statement, `;`, asm, static assertion */
    STATEMENT_DECLARATION, /* locals; typedefs and tags of a body as well */
    STATEMENT_BLOCK,
    STATEMENT_IF, /* condition, body, otherwise */
    STATEMENT_WHILE,
    STATEMENT_DO,
    STATEMENT_FOR,
    STATEMENT_SWITCH, /* condition: all between the parentheses; body */
    STATEMENT_CASE,   /* `case expr:` or `default:` (condition empty): a label of its own, body NULL */
    STATEMENT_LABEL,  /* `name:` */
    STATEMENT_GOTO,   /* name; empty: computed */
    STATEMENT_BREAK,
    STATEMENT_CONTINUE,
    STATEMENT_RETURN,
    STATEMENT_MACRO_BLOCK, /* NAME or NAME(…) chains before a block: body; may run it any number of times */
    STATEMENT_DIRECTIVES,  /* #if … #endif: branches */
    STATEMENT_DIRECTIVE,   /* any other directive on a line of its own */
    STATEMENT_OUTCOME,     /* outcome: `next`, `done`, `fail`, `become`; a worker ends with `fail` or RETURN */
    STATEMENT_STAY,
    STATEMENT_AWAIT,
    STATEMENT_DESCRIBE,
    STATEMENT_SUBMIT, /* name, args, timeout, job */
    STATEMENT_SPAWN,  /* name, task_name, args; outcome: after `else`, or NULL */
    STATEMENT_EXPECT, /* of a test; condition: all between the parentheses */
    STATEMENT_EXPECT_TEXT
} ast_statement_kind;

typedef struct ast_statement ast_statement;

typedef struct ast_branch { /* a branch of #if */
    struct ast_branch *next;
    span at;      /* the directive that opens it */
    bool skipped; /* `#if 0`, or the #else of `#if 1` */
    bool is_else;
    ast_statement *body; /* a list */
} ast_branch;

/* Operands that only few statements have: LABEL GOTO DESCRIBE STAY SUBMIT SPAWN. */
typedef struct ast_operands {
    token_range format;          /* DESCRIBE: string literals */
    ast_ident name;              /* LABEL GOTO; SUBMIT: the job; SPAWN: the pool */
    token_range index;           /* SUBMIT: of an element; or empty */
    ast_ident task_name;         /* SPAWN */
    ast_args args;               /* DESCRIBE: what follows them; SUBMIT: the worker's arguments; SPAWN: the task's */
    ast_duration every, timeout; /* STAY; SUBMIT: timeout */
    ast_job *job;                /* sema: SUBMIT */
    ast_subflow *pool;           /* sema: SPAWN */
    ast_task *task;              /* sema: SPAWN */
} ast_operands;

/* Members that every walk reads come first, in one cache line of 64 bytes. */
struct ast_statement {
    ast_statement *next;
    ast_statement_kind kind;
    unsigned depth;               /* nesting of statements, limited by the parser */
    ast_statement *body;          /* BLOCK: a list; IF WHILE DO FOR SWITCH MACRO_BLOCK: one statement */
    ast_statement *otherwise;     /* IF */
    ast_branch *branches;         /* DIRECTIVES */
    ast_outcome *outcome;         /* OUTCOME; STAY: after `timeout D ->` or NULL */
    ast_arm *arms;                /* AWAIT */
    ast_declaration *declaration; /* DECLARATION; FOR: the declaration in its first clause */
    token_range text;             /* TEXT, DECLARATION, RETURN: without the `;` */
    token_range condition;        /* IF WHILE DO FOR SWITCH CASE EXPECT; MACRO_BLOCK: the head */
    span at;                      /* from the first byte to the `;` or `}` */
    ast_operands *operands;       /* LABEL GOTO DESCRIBE STAY SUBMIT SPAWN; else NULL */
    bool may_lack_arms;           /* AWAIT: the preprocessor may leave out all arms */
};

/* Returns the `if` of an `else if`, or NULL. Walks loop over such chains, which may be long, and recurse into nested
 * statements. */
static inline ast_statement *ast_else_if(const ast_statement *s)
{
    return s->otherwise && s->otherwise->kind == STATEMENT_IF ? s->otherwise : NULL;
}

typedef struct ast_body {
    token_range text; /* with its braces */
    ast_statement *first;
} ast_body;

/* `worker double read_scale(int channel) { … }` */
struct ast_worker {
    ast_worker *next;
    ast_ident name;
    span at;
    token_range result; /* result type; `void`: none */
    ast_declaration *params;
    ast_ident drop;    /* the function that releases a value that no arm takes; no name: none */
    token_range limit; /* a number or a name: runs at a time; empty: any number */
    ast_body body;
    bool used; /* sema: a job names it */
    /* `stub read_scale { … }`: it replaces a worker function in a test, and has its parameters and result. */
    const ast_flow *stub_in;  /* the test; NULL: it is no stub */
    const ast_worker *target; /* sema */
};

/* `on estop -> become Park;` in a flow, group or task; in the last two also `on timeout 2s -> Late;` and `with run
 * Flow.Task(…)`. */
typedef struct ast_preempt {
    struct ast_preempt *next;
    enum { PREEMPT_SIGNAL, PREEMPT_TIMEOUT, PREEMPT_COMPANION } kind;
    ast_ident signal;    /* SIGNAL; TIMEOUT: `timeout` or `timeout real`; COMPANION: no name */
    token_range element; /* SIGNAL: the index of an element of an array; or empty */
    uint32_t place;      /* sema: its value */
    span at;
    ast_duration after;   /* TIMEOUT */
    bool is_real;         /* TIMEOUT: `on timeout real` */
    ast_event *run;       /* COMPANION */
    ast_outcome *outcome; /* COMPANION: after `else`; otherwise the `fail` that hands the reason on */
    bool is_handed_on;    /* COMPANION: there is no `else` */
    ast_point *point;     /* sema: SIGNAL */
    ast_task *task;       /* NULL: of the flow, or of a group */
    ast_group *group;     /* NULL: it is not in a group, but in a task or a flow */
} ast_preempt;

struct ast_step {
    ast_step *next;
    ast_ident name;
    span at;
    ast_declaration *params; /* one declarator each */
    ast_body body;
    ast_task *task;
    uint32_t index; /* within its task */
    bool reached;   /* sema */
};

struct ast_task {
    ast_task *next;
    ast_ident name;
    span at;
    bool forever;
    bool shutdown;
    ast_declaration *params;
    token_range result; /* the type after `->`; or empty */
    ast_declaration *fields;
    ast_job *jobs;
    ast_preempt *preempts;
    ast_body *handlers[HANDLER_KINDS]; /* or NULL */
    const ast_plain *plain_result;     /* sema: see ast_declarator.plain */
    ast_step *steps;                   /* the first one is the entry */
    ast_flow *flow;
    ast_group *group; /* the innermost one; NULL: none */
    uint32_t index;
};

/* The most groups inside each other. */
#define GROUP_LIMIT 8u

/* What several tasks share. */
struct ast_group {
    ast_group *next; /* of the flow: in source order, so an outer one comes before those in it */
    ast_ident name;
    span at;
    ast_preempt *preempts;
    ast_body *handlers[HANDLER_KINDS]; /* or NULL */
    ast_group *outer;                  /* NULL: none */
    bool has_tasks;                    /* also in a group in it */
    uint32_t depth;                    /* from 1 */
    uint32_t index;                    /* among those of the flow */
};

/* A sub-flow, an array of them, or a pool. */
struct ast_subflow {
    ast_subflow *next;
    ast_ident type;
    ast_ident name;
    bool is_array, is_pool; /* a pool is no array */
    token_range count;      /* between the brackets of an array or pool */
    ast_args args;
    ast_flow *flow; /* sema */
    bool has_ends;  /* sema: of a pool: an arm takes the ends of its members */
    uint32_t size;  /* sema: of an array that an arm takes as a whole; 0: not known */
};

typedef enum ast_member_kind {
    MEMBER_FIELD,
    MEMBER_SUBFLOW,
    MEMBER_SIGNAL,
    MEMBER_CHECKPOINT,
    MEMBER_MAILBOX
} ast_member_kind;

/* A member of a flow, in source order, which is the order of initialisation. */
typedef struct ast_member {
    struct ast_member *next;
    ast_member_kind kind;
    ast_declaration *field;
    ast_subflow *subflow;
    ast_point *point; /* SIGNAL, CHECKPOINT */
    ast_mailbox *mailbox;
} ast_member;

/* A part of a test that its runner calls or reads. */
typedef struct ast_hook {
    struct ast_hook *next;
    hook_kind kind;
    span at;
    ast_duration duration; /* if this kind has one */
    ast_body body;         /* a claim: the parentheses, and one statement, the condition */
} ast_hook;

/* `in(Flow.Task.Step, &flow)` in C of a test. */
typedef struct ast_place {
    struct ast_place *next;
    token_range head; /* from the word to the comma */
    const ast_flow *flow;
    uint32_t row;         /* of a task, or of a group behind all tasks */
    const ast_step *step; /* or NULL */
} ast_place;

/* `test "NAME" within D { … }` */
typedef struct ast_test {
    ast_ident name; /* between the quotation marks */
    token_range tokens;
    ast_duration within;   /* without: no text */
    token_range history;   /* the string; or empty */
    token_range explore;   /* the word; or empty */
    token_range schedules; /* behind it: a number, or `all`; or empty */
    ast_hook *hooks;
    ast_place *places; /* sema */
} ast_test;

struct ast_flow {
    ast_flow *next;
    ast_ident name;
    ast_test *test; /* NULL: it is no test */
    span at;
    ast_declaration *params;
    ast_member *members;
    ast_body *handlers[HANDLER_KINDS]; /* or NULL */
    bool is_durable;
    ast_preempt *preempts;
    ast_group *groups;
    ast_task *tasks; /* also those in groups */
    struct ast_file *file;
    uint32_t index;                                 /* within its file, among flows or among tests */
    bool is_searched;                               /* sema: for the following */
    const ast_ident *pool_inside, *shutdown_inside; /* sema: a pool and a shutdown task, also of flows inside it */
};

typedef struct ast_text_block { /* prologue { … }, header { … }, source { … } */
    struct ast_text_block *next;
    block_kind kind;
    span inside; /* between the braces */
    span at;
    token_list *tokens; /* sema: filled on first use */
} ast_text_block;

typedef struct ast_import {
    struct ast_import *next;
    span at;               /* the string */
    const char *path;      /* as written, unquoted */
    struct ast_file *file; /* set by the loader; NULL if the file could not be read */
} ast_import;

typedef struct ast_file {
    const source *in;
    token_list tokens;
    ast_text_block *blocks;
    ast_import *imports;
    ast_point *signals, *checkpoints; /* at file scope */
    ast_worker *workers;
    ast_plain *plains;
    ast_flow *flows;
    ast_flow *tests; /* imports do not see them */
} ast_file;

/* The flows of a file, then its tests: the one after `flow`, or the first one after NULL; NULL at the end. */
static inline ast_flow *ast_next_flow(const ast_file *file, const ast_flow *flow)
{
    ast_flow *const next = flow ? flow->next : file->flows;
    return next || (flow && flow->test) ? next : file->tests;
}

/* The name that the token is. */
ast_ident ast_name_at(arena *a, const token_list *list, uint32_t index);

/* Returns the first sub-flow, array of flows or pool with this interned name; NULL: there is none. Searches in linear
 * time. So for correct files, call it only where the text refers to the name. */
ast_subflow *find_subflow(const ast_flow *flow, const char *name);

#endif
