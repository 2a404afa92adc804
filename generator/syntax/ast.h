/* ast.h - what a .uflow file says, with the place of every word.
 *
 * Made by syntax/ (lemon's actions call the builders in ast_build.h), completed by sema/ (members marked "sema:"),
 * read by lower/. Lists are singly linked in textual order; everything lives in the compilation's arena. */
#ifndef UFC_AST_H
#define UFC_AST_H

#include "arms.h"
#include "intents.h"
#include "token.h"

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
    token_range bits;        /* of a bit-field, after the colon; or empty */
    token_range initializer; /* after the `=`; or empty */
    bool is_array;           /* the declared thing itself is an array */
    bool braced;             /* the initialiser is `{ … }` */
    bool used;               /* sema: some text mentions it */
} ast_declarator;

/* One declaration `specifiers a, *b;`, whole. */
typedef struct ast_declaration {
    struct ast_declaration *next;
    token_range text;      /* up to but without the `;` */
    ast_declarator *first; /* NULL for an anonymous struct or union member, or a bare `struct s { … };` */
} ast_declaration;

typedef struct ast_args {
    token_range *items; /* split at the commas of the top level */
    uint32_t count;
    span at; /* the parentheses; or, absent, the place where they would stand */
} ast_args;

typedef struct ast_duration {
    token_range text; /* of a literal: its one token; else the expression, without parentheses */
    span at;
    bool literal;
    int64_t ns;       /* of a literal; saturated */
    const char *unit; /* of an expression: "ns" "us" "ms" "s" "min" "h" */
} ast_duration;

typedef struct ast_flow ast_flow;
typedef struct ast_task ast_task;
typedef struct ast_step ast_step;
typedef struct ast_worker ast_worker;

/* `signal a, b;` and `checkpoint c;` at file or flow scope: one for each name. */
typedef struct ast_point {
    struct ast_point *next;
    ast_ident name;
    ast_flow *flow; /* NULL: the file's */
    bool used;      /* sema: something waits for it, or some text mentions it */
} ast_point;

/* `mailbox int orders[16];` */
typedef struct ast_mailbox {
    struct ast_mailbox *next;
    ast_declarator *item; /* its declarator has the brackets of the capacity right after the name */
    token_range capacity; /* between them */
    bool used;            /* sema: something waits for it, or some text mentions it */
} ast_mailbox;

/* `job weigh: read_scale;` */
typedef struct ast_job {
    struct ast_job *next;
    ast_ident name;
    ast_ident worker_name;
    ast_worker *worker;   /* sema */
    bool submitted, read; /* sema */
} ast_job;

/* What an intent or an arm leads to. */
typedef struct ast_outcome {
    outcome_kind kind;
    span at;
    ast_ident target;  /* STEP, BECOME */
    ast_args args;     /* STEP, BECOME: arguments; FAIL: what follows the format */
    token_range value; /* DONE: the result; FAIL: the format, one or more string literals; or empty */
    ast_step *step;    /* sema: STEP */
    ast_task *task;    /* sema: BECOME */
} ast_outcome;

typedef struct ast_event {
    struct ast_event *next; /* inside `all` */
    arm_kind kind;          /* sema: replaces NAME by what the name stands for */
    span at;
    token_range condition; /* UNTIL */
    ast_duration duration; /* TIMEOUT; UNTIL: of `for`; if has_duration */
    bool has_duration;
    ast_ident flow, task;  /* RUN: Flow.Task */
    token_range target;    /* the operand in parentheses; RUN: the first argument, a pointer to the flow */
    ast_args args;         /* RUN: the other arguments */
    ast_flow *run_flow;    /* sema: RUN */
    ast_task *run_task;    /* sema: RUN */
    struct ast_event *all; /* ALL: the events, in textual order */
    ast_ident name;        /* NAME and its replacements; ARRIVED without a target: the checkpoint */
    ast_point *point;      /* sema: SIGNAL, CHECKPOINT, ARRIVED */
    ast_job *job;          /* sema: JOB */
    ast_mailbox *mailbox;  /* sema: MAILBOX */
} ast_event;

/* How many branches a `#if` has at most if arms or waits stand in them: all directives before a branch are repeated for each. */
#define BRANCH_LIMIT 256u

/* The branch of a conditional directive that an arm stands in. */
typedef struct ast_guard {
    const struct ast_guard *outer; /* the branch around the directive, or NULL */
    const token_list *list;
    uint32_t *directives; /* tokens: the `#if`, and all up to the one that opens the branch. These lines, the arm and an
                                  `#endif` are the arm as the preprocessor sees it */
    uint32_t count;
} ast_guard;

typedef struct ast_arm {
    struct ast_arm *next;
    span at;
    const ast_guard *guard; /* or NULL: in no branch */
    ast_event *event;
    ast_outcome *outcome;
    ast_outcome *otherwise; /* after `else`, or NULL */
} ast_arm;

/* Statements of a body. Everything that ufc does not look into is STATEMENT_TEXT: declarations and expressions. */
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
    STATEMENT_DIRECTIVES,  /* #if … #endif: branches. `#if 0` has the branch marked skipped */
    STATEMENT_DIRECTIVE,   /* any other directive on a line of its own */
    STATEMENT_OUTCOME,     /* outcome: `next`, `done`, `fail`, `become`; a worker ends with `fail` or RETURN */
    STATEMENT_STAY,
    STATEMENT_AWAIT,
    STATEMENT_DESCRIBE,
    STATEMENT_SUBMIT /* name, args, timeout, job */
} ast_statement_kind;

typedef struct ast_statement ast_statement;

typedef struct ast_branch { /* of #if */
    struct ast_branch *next;
    span at;      /* the directive that opens it */
    bool skipped; /* `#if 0`, or the #else of `#if 1` */
    bool is_else;
    ast_statement *body; /* a list */
} ast_branch;

/* What few statements have: LABEL GOTO DESCRIBE STAY SUBMIT. */
typedef struct ast_operands {
    token_range format;          /* DESCRIBE: string literals */
    ast_ident name;              /* LABEL GOTO; SUBMIT: the job */
    ast_args args;               /* DESCRIBE: what follows them; SUBMIT: the worker's arguments */
    ast_duration every, timeout; /* STAY; SUBMIT: timeout */
    bool has_every, has_timeout;
    ast_job *job; /* sema: SUBMIT */
} ast_operands;

/* What every walk looks at comes first, in the 64 bytes of a cache line. */
struct ast_statement {
    ast_statement *next;
    ast_statement_kind kind;
    unsigned depth;               /* of statements in statements; the parser limits it */
    ast_statement *body;          /* BLOCK: a list; IF WHILE DO FOR SWITCH MACRO_BLOCK: one statement */
    ast_statement *otherwise;     /* IF */
    ast_branch *branches;         /* DIRECTIVES */
    ast_outcome *outcome;         /* OUTCOME; STAY: after `timeout D ->` or NULL */
    ast_arm *arms;                /* AWAIT */
    ast_declaration *declaration; /* DECLARATION; FOR: of its first clause, if it declares */
    token_range text;             /* TEXT, DECLARATION, RETURN: without the `;` */
    token_range condition;        /* IF WHILE DO FOR SWITCH CASE; MACRO_BLOCK: the head */
    span at;                      /* the whole, from its first byte to its `;` or `}` */
    ast_operands *operands;       /* LABEL GOTO DESCRIBE STAY SUBMIT; else NULL */
    bool may_lack_arms;           /* AWAIT: all may be left out by the preprocessor */
};

/* The `if` of an `else if`. A chain of them is as long as it likes: walks loop over it, and recurse into what is nested. */
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
    token_range result; /* its type; `void`: none */
    ast_declaration *params;
    ast_body body;
    bool used; /* sema: some job names it */
};

/* `on estop -> become Park;` in a flow or task. */
typedef struct ast_preempt {
    struct ast_preempt *next;
    ast_ident signal;
    span at;
    ast_outcome *outcome;
    ast_point *point; /* sema */
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
    ast_body *on_enter, *on_exit; /* or NULL */
    ast_step *steps;              /* the first one is the entry */
    ast_flow *flow;
    uint32_t index;
};

typedef struct ast_subflow {
    struct ast_subflow *next;
    ast_ident type;
    ast_ident name;
    ast_args args;
    ast_flow *flow; /* sema */
    bool used;      /* sema */
} ast_subflow;

typedef enum ast_member_kind {
    MEMBER_FIELD,
    MEMBER_SUBFLOW,
    MEMBER_SIGNAL,
    MEMBER_CHECKPOINT,
    MEMBER_MAILBOX
} ast_member_kind;

/* What a flow holds, in one textual order: it is the order of initialisation. */
typedef struct ast_member {
    struct ast_member *next;
    ast_member_kind kind;
    ast_declaration *field;
    ast_subflow *subflow;
    ast_point *point; /* SIGNAL, CHECKPOINT */
    ast_mailbox *mailbox;
} ast_member;

struct ast_flow {
    ast_flow *next;
    ast_ident name;
    span at;
    ast_declaration *params;
    ast_member *members;
    ast_body *on_init;
    ast_preempt *preempts;
    ast_task *tasks;
    struct ast_file *file;
    uint32_t index; /* within its file */
};

typedef struct ast_text_block { /* header { … }, source { … } */
    struct ast_text_block *next;
    bool is_header;
    span inside; /* between the braces */
    span at;
} ast_text_block;

typedef struct ast_import {
    struct ast_import *next;
    span at;               /* the string */
    const char *path;      /* as written, unquoted */
    struct ast_file *file; /* the loader: NULL if it could not be read */
} ast_import;

typedef struct ast_file {
    const source *in;
    token_list tokens;
    ast_text_block *blocks;
    ast_import *imports;
    ast_point *signals, *checkpoints; /* at file scope */
    ast_worker *workers;
    ast_flow *flows;
} ast_file;

#endif
