/* SPDX-License-Identifier: MIT */
/* ir.h - the tables that emitters read: a checked file without its syntax.
 *
 * lower/ makes them, and emitters see no AST. Tables refer to each other by index. Items with one owner are adjacent,
 * so a range denotes them. Texts of the user are spans of the source, to be copied byte for byte. Types are strings,
 * since they are split and declared again. Everything is allocated in the compilation's arena. */
#ifndef UFC_IR_H
#define UFC_IR_H

#include "arms.h"
#include "bindings.h"
#include "blocks.h"
#include "handlers.h"
#include "hooks.h"
#include "intents.h"
#include "source.h"

#define IR_NONE UINT32_MAX

typedef struct ir_range {
    uint32_t first, count; /* [first, first + count) of a table */
} ir_range;

/* Each item of a range: IR_EACH(ir_task, task, unit->tasks, flow->tasks) { … } */
#define IR_EACH(type, item, table, range)                                                                              \
    for (const type *item = (range).count ? &(table)[(range).first] : NULL,                                            \
                    *item##_end = item ? item + (range).count : NULL;                                                  \
         item != item##_end; item++)

/* A name and its type, declared by `before name after`. The type has no qualifier of its own, so a program can assign
 * to the variable. `before` ends where the name can follow. */
typedef struct ir_variable {
    const char *name;
    const char *before, *after;
    span at; /* the declaration */
} ir_variable;

/* A member of a struct: declarators without initialisers and `;`, and the comment after them, or "". */
typedef struct ir_field {
    const char *text;
    const char *comment;
    span at;
    bool has_name;                          /* it or its members have a name */
    const char *first_record, *last_record; /* of `uf_pause a, b`: these names; NULL: it is no such record */
} ir_field;

typedef struct ir_subflow {
    uint32_t flow, owner;
    const char *name;
    span at;
    span count; /* of an array or a pool; or empty */
    bool is_pool, has_ends;
    uint32_t in_waits, in_preempts; /* how often one await, or all companions, run each element */
    uint32_t size;                  /* of an array that an arm takes as a whole; 0: not known */
} ir_subflow;

/* A signal or checkpoint, or an array of them: a global of some file, or a member of its flow. */
typedef struct ir_point {
    const char *name;
    span at;
    uint32_t count; /* of elements; 0: it is no array */
    span size;      /* of an array: between the brackets; else empty */
    bool is_checkpoint;
    bool in_flow;
} ir_point;

typedef struct ir_mailbox {
    ir_variable item; /* the type of its items, and the name of the mailbox */
    span capacity;
    uint32_t flow;
    const char *drop; /* the user's function that releases an unread item; NULL: none */
    span drop_at;
} ir_mailbox;

/* The members of a flow's struct, in source order. */
typedef struct ir_member {
    enum { IR_MEMBER_FIELD, IR_MEMBER_SUBFLOW, IR_MEMBER_POINT, IR_MEMBER_MAILBOX } kind;
    ir_field field;
    ir_subflow subflow;
    uint32_t index; /* POINT, MAILBOX: in their tables */
} ir_member;

typedef enum ir_init_kind {
    IR_INIT_ASSIGN,  /* `name = value;` */
    IR_INIT_COPY,    /* of an array or with braces: copied from a local */
    IR_INIT_SUBFLOW, /* `value` is the argument list */
    IR_INIT_POOL,    /* likewise, for each member */
    IR_INIT_POINT,
    IR_INIT_MAILBOX
} ir_init_kind;

/* An initialisation of a flow's or task's state, in source order. */
typedef struct ir_init {
    ir_init_kind kind;
    ir_variable variable;
    span value;
    bool is_volatile;
    bool has_constants; /* COPY: the type defines enumerators, which must not be defined twice */
    uint32_t flow;      /* SUBFLOW, POOL */
    bool is_array;      /* SUBFLOW */
    bool uses_index;    /* SUBFLOW, POOL: the arguments mention `index` */
    uint32_t index;     /* POINT, MAILBOX: in its table */
} ir_init;

/* What arrays whose elements have earlier slots add to a slot. */
typedef struct ir_more {
    const char *text; /* " + UF_MORE(Bank, cars)", or "" */
    uint32_t count;   /* IR_NONE: the size of an array is not known */
} ir_more;

/* A literal has nanoseconds; an expression has a text and a unit. */
typedef struct ir_duration {
    enum { IR_DURATION_NONE, IR_DURATION_LITERAL, IR_DURATION_EXPRESSION } kind;
    int64_t ns;
    span text;
    const char *unit; /* "ns" "us" "ms" "s" "min" "h" */
} ir_duration;

typedef struct ir_outcome {
    outcome_kind kind;
    span at;
    uint32_t target;   /* STEP: a step; BECOME: a task */
    span value;        /* DONE: result; FAIL: format and arguments; STEP, BECOME: arguments; may be empty */
    binding_set uses;  /* bound names that the value mentions */
    bool uses_outcome; /* it mentions `outcome`, as the arm `ended` has it */
    uint32_t edge;     /* that it makes; IR_NONE: it belongs to a handler */
} ir_outcome;

typedef struct ir_event {
    arm_kind kind; /* never ALL or NAME */
    span at;
    span condition;        /* UNTIL */
    ir_duration duration;  /* TIMEOUT, TIMEOUT_REAL; UNTIL: of `for` */
    uint32_t flow, task;   /* RUN */
    span target;           /* the operand in parentheses; the index of an element; empty if there is none, or if it is a
                             name */
    bool is_element;       /* JOB, SIGNAL, CHECKPOINT, ARRIVED: of an array */
    span args;             /* RUN */
    ir_range values;       /* RUN: each of the arguments, in `texts` */
    uint32_t index;        /* SIGNAL, CHECKPOINT, ARRIVED of a name: a point; MAILBOX, JOB, JOBS, ANY: in their tables;
                        VACANT, EMPTY: a member */
    uint32_t slot;         /* index into uf_arms, or IR_NONE */
    ir_more more;          /* is added to the slot */
    uint32_t each;         /* RUN, IDLE: a member, the array of `&flow->NAME[*]`; or IR_NONE */
    bool is_first;         /* RUN: `first(run …)` */
    bool uses_index;       /* RUN: its arguments mention `index` */
    uint32_t operand_slot; /* UNTIL: the slot that keeps a computed `for`, or IR_NONE */
    const char *label;     /* in diagrams: "go", "until (level > 3)", "run Axis.Home(x)" */
} ir_event;

/* A directive before a pause or an arm in a branch of `#if`. */
typedef struct ir_directive {
    span text;
    bool opens; /* needs an `#endif` after the pause or arm */
} ir_directive;

typedef struct ir_arm {
    span at;
    ir_range directives;
    span condition; /* of `if (…)` before the arm; empty: none */
    bool all;
    ir_range events; /* one event, or several for `all` */
    uint32_t outcome;
    uint32_t otherwise; /* after `else`, or IR_NONE */
    uint32_t failure;   /* the edge of a failure that is handed on, or IR_NONE */
} ir_arm;

/* A wait of a step. It has a state and functions of its own. */
typedef struct ir_pause {
    enum { IR_AWAIT, IR_STAY } kind; /* STAY: a stay with a timeout */
    uint32_t step;
    uint32_t number; /* counts from 1 in the step, by kind */
    span at;
    ir_range directives;
    ir_range arms;                      /* AWAIT */
    bool has_run, has_until, has_other; /* AWAIT: other: arms that can be decided before a run starts */
    bool may_lack_run, may_lack_until;  /* AWAIT: the preprocessor or their conditions may omit all of them */
    bool has_conditions;                /* AWAIT: an arm has one */
    bool may_lack_arms;                 /* AWAIT: and every arm has one, or is in a branch of `#if` */
    ir_duration every, timeout;         /* STAY */
    uint32_t outcome;                   /* STAY: target of the timeout */
    uint32_t again;                     /* STAY: the edge to the step itself */
    uint32_t slots;                     /* number of arms in use, with one for each array */
    ir_more more;                       /* is added to them */
    uint32_t first_event;               /* of its arms */
} ir_pause;

typedef enum ir_piece_kind {
    IR_TEXT,
    IR_INTENT,
    IR_PIECE_STAY,
    IR_PIECE_PAUSE,
    IR_DESCRIBE,
    IR_SUBMIT,
    IR_SPAWN,
    IR_EXPECT,
    IR_EXPECT_TEXT,
    IR_WORK_FAIL, /* `fail` in a worker */
    IR_CONDITION  /* of an `if`, with mutants */
} ir_piece_kind;

/* A body is a sequence of pieces, which cover its text including comments. */
typedef struct ir_piece {
    ir_piece_kind kind;
    bool ends_statement; /* on the top level of the body: a line may end after it */
    span at;             /* its text in the source */
    uint32_t step;       /* IR_NONE in a body of no step */
    uint32_t edge;       /* STAY, without timeout: to the step itself; SPAWN: of a failure that is handed on */
    union {
        uint32_t outcome;    /* INTENT */
        uint32_t pause;      /* PAUSE */
        ir_range claims;     /* EXPECT */
        span texts;          /* EXPECT_TEXT: both arguments */
        ir_range directives; /* CONDITION: the branches of `#if` that it is in */
        uint32_t every;      /* STAY, without timeout: its duration */
        struct {
            span format;     /* DESCRIBE, WORK_FAIL: format and arguments */
            uint32_t worker; /* WORK_FAIL */
        };
        struct {             /* SUBMIT */
            span index;      /* of an element of an array; or empty */
            span args;       /* arguments of the worker */
            ir_range values; /* each of them, in `texts` */
            uint32_t job;
            uint32_t timeout; /* its duration */
        };
        struct {             /* SPAWN */
            span spawn_args; /* of the task */
            uint32_t pool;   /* a member */
            uint32_t task;
            uint32_t otherwise; /* an outcome; IR_NONE: the task fails */
        };
    };
} ir_piece;

typedef struct ir_body {
    span text; /* with its braces; without a source: there is no body */
    ir_range pieces;
    bool uses_reason; /* it mentions `reason` */
    bool uses_paused; /* it mentions `paused` */
} ir_body;

/* `worker double read_scale(int channel) { ... }` */
typedef struct ir_worker {
    const char *name;
    span at; /* the name */
    bool has_result;
    ir_variable result; /* its type; no name */
    ir_range params;
    ir_body body;
    const char *drop;  /* the function that releases a value that no arm takes; NULL: none */
    span limit;        /* a number or a name: runs at a time; empty: any number */
    bool keeps_reason; /* a `fail` has a text */
    /* Of a stub: its C name is not that of the worker function. */
    const char *stub_in; /* the C name of the test; NULL: it is no stub */
    const char *target_name;
    span target; /* the name of the worker function, where it is declared */
} ir_worker;

/* `job weigh: read_scale;`, `job fetch[8]: download;` */
typedef struct ir_job {
    const char *name;
    span at;
    span count; /* of an array: between the brackets; else empty */
    uint32_t task, worker;
} ir_job;

/* `on estop -> become Park;`, `on timeout 2s -> Late;`, `with run Pinger.Ping(&flow->pinger) else Lost;` */
typedef enum ir_preempt_kind { IR_ON_SIGNAL, IR_ON_TIMEOUT, IR_WITH_RUN } ir_preempt_kind;

typedef struct ir_preempt {
    ir_preempt_kind kind;
    span at;
    const char *name;  /* a part of generated names: "on_estop", "on_timeout", "with1" */
    const char *label; /* in diagrams: "on estop", "on timeout 2s", "with run Pinger.Ping" */
    uint32_t slot;     /* index into uf_preempts */
    ir_more more;      /* is added to it */
    uint32_t point;    /* ON_SIGNAL */
    uint32_t element;  /* ON_SIGNAL: of an array */
    ir_duration after; /* ON_TIMEOUT */
    uint32_t event;    /* WITH_RUN */
    uint32_t task;     /* IR_NONE: a handler of the flow or of a group */
    uint32_t group;    /* IR_NONE: not of a group */
    uint32_t outcome;
    bool is_handed_on; /* WITH_RUN without `else`: the task fails with the reason */
} ir_preempt;

typedef enum ir_trigger { IR_BY_NEXT, IR_BY_STAY, IR_BY_ARM, IR_BY_TIMEOUT, IR_BY_ELSE } ir_trigger;

typedef struct ir_trigger_info {
    const char *name, *edge; /* in JSON and reports of coverage; in the generated tables */
} ir_trigger_info;

extern const ir_trigger_info ir_trigger_infos[]; /* by ir_trigger */

/* A transition that a step makes. What preempts a task makes no edge: see ir_preempt. */
typedef struct ir_edge {
    uint32_t from; /* a step */
    uint32_t to;   /* a step; of a `become`: the entry of the other task; IR_NONE at an end */
    outcome_kind outcome;
    ir_trigger trigger;
    const char *label; /* of an arm, "until", "timeout 2s", "run Axis.Home"; or "" */
    span at;
    ir_range directives; /* the branches of `#if` that it is in */
    bool is_handed_on;   /* a failure without `else`: the task fails */
    ir_range events;     /* of an arm */
} ir_edge;

typedef struct ir_step {
    const char *name;
    span at; /* the name */
    uint32_t task;
    ir_range params; /* variables */
    ir_body body;
    ir_range pauses, edges;
    ir_range sinces; /* points: the signals that its arms name */
    bool is_target;  /* a target names it */
    bool is_timed;   /* it stays or polls, and may ask for its time of entry */
} ir_step;

typedef struct ir_task {
    const char *name;
    span at;
    uint32_t flow;
    uint32_t group; /* the innermost one around it; IR_NONE: none */
    bool forever, shutdown;
    bool awaits_stop;               /* a step of it awaits `stopping` */
    ir_range params, fields, inits; /* variables, fields, inits */
    ir_range jobs, preempts;
    ir_range kept; /* of a durable flow */
    ir_body handlers[HANDLER_KINDS];
    ir_range steps; /* the first one is the entry */
    bool has_result;
    ir_variable result;      /* its type; no name */
    uint32_t result_class;   /* equal for tasks of the flow with equal result types; 0: no result */
    bool is_become, is_done; /* a target names it; some `done` has a value */
} ir_task;

/* What is kept of a durable flow, or a member of a plain struct. */
typedef struct ir_kept {
    enum { IR_KEPT_OF_FLOW, IR_KEPT_OF_TASK, IR_KEPT_ARGUMENT, IR_KEPT_RESULT, IR_KEPT_MEMBER } kind;
    const char *name; /* RESULT: of the task */
    span at;
    uint32_t place;      /* OF_TASK, RESULT: a task; ARGUMENT: a step */
    uint32_t dimensions; /* of an array */
    const char *plain;   /* the plain struct that it is; NULL: none */
    const char *type;    /* as text, such as "int[4]" */
} ir_kept;

/* `plain struct recipe { int grams; char name[32]; };` */
typedef struct ir_plain {
    const char *name;
    span at;
    ir_range fields, kept;
} ir_plain;

/* What several tasks share. */
typedef struct ir_group {
    const char *name;
    span at;
    uint32_t flow;
    uint32_t outer; /* the group around it; IR_NONE: none */
    ir_range preempts;
    ir_body handlers[HANDLER_KINDS];
    bool is_entered; /* it has a body, a timeout or a companion, so that the flow notes that it is inside */
} ir_group;

typedef struct ir_flow {
    const char *name;
    span at;
    bool is_test;
    bool imported; /* only its name, parameters and heads of tasks are present */
    ir_range params, members, inits;
    ir_body handlers[HANDLER_KINDS];
    bool is_durable;
    ir_range kept;
    ir_range groups; /* in source order: an outer one before those in it */
    ir_range tasks, steps, edges;
    ir_range preempts;  /* first the arms of tasks, then of inner and of outer groups: in the order of evaluation */
    uint32_t arm_count; /* of the widest pause */
    bool has_results, has_exits;
    bool enters_groups; /* a group is_entered */
    bool uses_paused;   /* an `on resume` of it does */
    bool keeps_reason;  /* it formats or passes on a reason */
    bool describes;
    bool has_pools; /* the flow itself, or a flow inside it */
} ir_flow;

/* What a test claims. If it is a comparison, its sides are shown. */
typedef struct ir_claim {
    span at;
    const char *text;                   /* on one line, as what follows */
    span left, right;                   /* without a text: it is no comparison */
    const char *operation;              /* "==" */
    const char *left_text, *right_text; /* NULL: it is a constant */
    ir_range values;                    /* without a comparison: what is between its commas, in `texts` */
    bool is_time;                       /* one side is a duration */
} ir_claim;

/* A part of a test that its runner calls. */
typedef struct ir_hook {
    hook_kind kind;
    span at;
    const char *text;     /* of a claim: on one line; else "" */
    ir_range claims;      /* ALWAYS */
    span condition;       /* SOMETIMES */
    ir_duration duration; /* if this kind has one */
    ir_body body;         /* of a block */
} ir_hook;

typedef struct ir_test {
    const char *name; /* without quotation marks */
    span at;
    uint32_t flow;
    ir_duration within;
    span history;          /* the string; or empty */
    const char *schedules; /* as C; "0": the test does not explore */
    ir_range hooks;
} ir_test;

/* Text of the user that C has otherwise: `40ms`, or the beginning of `in(Flow.Task, &flow)`. */
typedef struct ir_change {
    span at;
    const char *text; /* NULL: the literal of a duration */
} ir_change;

typedef struct ir_block {
    span text; /* between the braces */
    block_kind kind;
} ir_block;

/* The text after a `#line` of the user, up to the end of its body or block: the C compiler takes it for these lines. */
typedef struct ir_user_line {
    span at;
    uint32_t offset;  /* from the line of the source, modulo 2^32 */
    const char *name; /* a literal; NULL: the source's own */
    bool is_unknown;  /* it depends on the preprocessor */
} ir_user_line;

typedef struct ir_unit {
    const source *in;
    uint64_t digest; /* of this file and its imports, if it has neither flow nor point; else 0 */
    ir_block *blocks;
    const char **imports; /* "axis.uflow", as written */
    ir_flow *flows;       /* in source order, then those of tests, then imported flows in use */
    ir_group *groups;
    ir_task *tasks;
    ir_step *steps;
    ir_edge *edges;
    ir_pause *pauses;
    ir_arm *arms;
    ir_directive *directives;
    ir_event *events;
    span *texts;
    ir_outcome *outcomes;
    ir_piece *pieces;
    ir_duration *durations;
    ir_member *members;
    ir_field *fields;
    ir_init *inits;
    ir_variable *variables;
    ir_point *points; /* points of this file, then others */
    ir_mailbox *mailboxes;
    ir_worker *workers;
    ir_job *jobs;
    ir_preempt *preempts;
    ir_plain *plains, *seen_plains; /* of the file; of imports, if what is kept has them: without fields */
    ir_kept *kept;
    uint32_t *sinces;
    uint32_t *seen_points; /* with tests: all points at file scope, also of imported files */
    ir_claim *claims;
    ir_hook *hooks;
    ir_test *tests;
    ir_change *changes;       /* in C of this file, in source order */
    span *long_strings;       /* raw strings of several lines, likewise */
    ir_user_line *user_lines; /* in source order */
    uint32_t block_count, import_count, flow_count, group_count, task_count, step_count, edge_count, pause_count,
        arm_count, directive_count;
    uint32_t long_string_count, event_count, text_count, outcome_count, piece_count, duration_count, member_count,
        field_count, init_count, variable_count;
    uint32_t point_count, mailbox_count, worker_count, job_count, preempt_count, since_count, change_count,
        user_line_count, claim_count, hook_count, test_count, seen_point_count, plain_count, seen_plain_count,
        kept_count;
    uint32_t own_count;       /* number of flows of this file; those of its tests follow */
    uint32_t own_point_count; /* number of points of this file outside of flows */
} ir_unit;

bool ir_has_text(span text);
bool ir_is_pool(const ir_member *member);
/* Is it a sub-flow with pools? An init does not touch all of its storage. */
bool ir_is_subflow_with_pools(const ir_unit *unit, const ir_member *member);
bool ir_has_body(const ir_body *body);
uint32_t ir_line(span at);
ir_range ir_preempts_of_flow(const ir_unit *unit, const ir_flow *flow); /* without those of its tasks and groups */
uint32_t ir_count_jobs(const ir_unit *unit, const ir_flow *flow);       /* of all its tasks */
uint32_t ir_job_number(const ir_unit *unit, uint32_t job);              /* among those of its flow */
bool ir_takes_job(const ir_unit *unit, const ir_event *event);          /* does the arm note that it has won? */
const char *ir_name_of(const ir_unit *unit, const ir_event *event);     /* of the operand, if it is a name; else "" */

#endif
