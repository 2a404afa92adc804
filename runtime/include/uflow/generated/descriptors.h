/* SPDX-License-Identifier: MIT */
/* descriptors.h - the description of flows in generated code: states, intents and const tables. */
#ifndef UFLOW_GENERATED_DESCRIPTORS_H
#define UFLOW_GENERATED_DESCRIPTORS_H

#include "uflow/generated/words.h"
#include "uflow/job.h"
#include "uflow/signal.h"

UF_C_BEGIN

/* -- states -------------------------------------------------------------------------------------------------------- */

/* A state is the index of a step and one of these bits. Without any, the step's body runs. */
#define UF_STATE_STEP   0x0000ffffu        /* the index into `steps` */
#define UF_STATE_WAIT   0x0fff0000u        /* parked in an await or a timed stay of the step */
#define UF_WAIT(number) ((number)*0x10000) /* the number of that await or stay in the step, from 1 */
#define UF_ENTRY        0x10000000         /* the task is not entered yet; the step is its entry step */

/* These states of a task run its `on pause` or `on resume`. The other bits are the task's index into `tasks`. */
#define UF_ON_PAUSE  0x20000000u
#define UF_ON_RESUME 0x30000000u

/* -- intents: the result of a turn --------------------------------------------------------------------------------- */

/* A next and a become have the target step in UF_INTENT_STATE. The turn stores it, together with its time. */
#define UF_INTENT_STATE   0x0ffffu
#define UF_INTENT_KIND    0x70000u

#define UF_INTENT_NEXT    0x00000u /* another step: next round */
#define UF_INTENT_BECOME  0x10000u /* the entry of another task: next round */
#define UF_INTENT_STAY    0x20000u /* the same step: its body again, next round */
#define UF_INTENT_PARK    0x30000u /* the state is that of a wait: its arms wake the flow */
#define UF_INTENT_AGAIN   0x30001u /* the same, but an arm is ready: it is decided in the next round */
#define UF_INTENT_POLL    0x40000u /* as a park, but each round must also evaluate a condition */
#define UF_INTENT_DONE    0x50000u /* the task was left, its result stored */
#define UF_INTENT_FAIL    0x60000u /* the reason is stored; the turn leaves the task */
#define UF_INTENT_ENTERED 0x70000u /* the task was entered; its entry step comes next, in this turn */

/* A struct, so that the C compiler refuses a `return 1;` that a macro hides in a step's body. */
typedef struct uf_intent {
    uint32_t bits;
} uf_intent;

static inline uf_intent uf_intent_of(uint32_t bits)
{
    uf_intent const intent = {bits};
    return intent;
}

static inline uf_bool uf_intent_is(uf_intent intent, uint32_t bits)
{
    return intent.bits == bits;
}

static inline uint32_t uf_intent_kind(uf_intent intent)
{
    return intent.bits & UF_INTENT_KIND;
}

/* -- tables, for the runtime, observers, debuggers and tools ------------------------------------------------------- */

/* The name and line of a row, in a core that has them. */
#define UF_NAMED(...) UF_HAS(NAMES, __VA_ARGS__, )

typedef struct uf_step_info {
    UF_HAS(NAMES, const char *name; uint32_t line;)
    uint16_t task; /* index into tasks */
} uf_step_info;

typedef enum uf_task_kind { UF_TASK_PLAIN, UF_TASK_FOREVER, UF_TASK_SHUTDOWN, UF_TASK_GROUP } uf_task_kind;

/* A task. The groups of the flow follow its tasks in the table. The entry of a group is the first task in it, and its
 * result class the number of these tasks. */
typedef struct uf_task_info {
    UF_HAS(NAMES, const char *name; uint32_t line;)
    uint16_t entry;        /* index into steps */
    uint16_t result_class; /* tasks of one flow with the same result type share one; 0: no result */
    uint8_t kind;          /* a uf_task_kind */
    uint8_t has_entry;     /* UF_ENTRY runs code of its own, before the entry step */
    uint16_t group;        /* the innermost group around it: index into tasks, counted from 1; 0: none */
} uf_task_info;

typedef enum uf_edge_kind {
    UF_EDGE_NEXT,
    UF_EDGE_STAY,
    UF_EDGE_AWAIT,
    UF_EDGE_TIMEOUT,
    UF_EDGE_ELSE,
    UF_EDGE_BECOME,
    UF_EDGE_DONE,
    UF_EDGE_FAIL
} uf_edge_kind;

typedef struct uf_edge_info {
    uint16_t from; /* step */
    uint16_t to;   /* step; UF_NO_STEP for a target that ends the run */
    uint8_t kind;  /* a uf_edge_kind */
    uint32_t line;
} uf_edge_info;

#define UF_NO_STEP 0xffffu

/* `on SIGNAL -> TARGET;`, `on timeout D -> TARGET;` or `with run`: those of tasks, then of groups, then of the flow. An
 * inner group comes before those around it. Only the first kind has a signal. */
typedef struct uf_preempt_info {
    uf_signal *signal; /* NULL: it is `offset` bytes into the flow's struct */
    size_t offset;
    uint32_t line;
    uint16_t task; /* index into tasks, of a task or group; UF_NO_TASK: the flow's own */
} uf_preempt_info;

#define UF_NO_TASK 0xffffu

/* How turns handle preemption. Only flows with such handlers refer to it, so that other programs do not link it. The
 * second one is for flows without handlers for signals: their programs need not link signals. */
extern const struct uf_preempting uf_preempting, uf_preempting_without_signals;

/* A job of a task, or an array of jobs. */
typedef struct uf_job_info {
    size_t offset; /* of its uf_job in the flow's struct */
    uint16_t task;
    const char *name;
    uint32_t count; /* number of elements; 0: it is no array */
    size_t stride;  /* bytes from one element to the next */
} uf_job_info;

/* A worker. The handles of its jobs are structs that begin with their uf_job. */
struct uf_worker {
    const char *name;
    void (*run)(uf_work *work, const void *arguments, void *value); /* on a pool thread */
    size_t arguments_size, value_size;                              /* 0: none */
    size_t value_offset, reason_offset;                             /* in the handle's struct; 0: it has none */
    void (*drop)(void *value); /* releases a value that no arm has taken; NULL: nothing to do */
    uint32_t limit;            /* runs at a time in one pool; 0: any number */
    uint32_t line;
    const char *source;
};

/* A part of a flow's struct that a member of a pool keeps from one use to the next: a signal, a mailbox, a sub-flow. */
typedef struct uf_kept {
    size_t from, to;
    void (*close)(void *mailbox); /* NULL: not a mailbox */
} uf_kept;

/* The members of a flow type: those that it has always, and those of a feature of core; see UF_HAS. With a config file,
 * the headers compare the numbers of the binary interface. */
/* clang-format off */
#define UF_FLOW_TYPE_MEMBERS(OF)                                                                                       \
    OF(HOST, uint32_t abi;)             /* UF_ABI of the generated code */                                             \
    OF(ALWAYS, size_t size;)            /* of the flow's struct */                                                     \
    OF(NAMES, const char *name;)        /* "Picker" */                                                                 \
    OF(NAMES, const char *source;)      /* the .uflow file, as named to ufc */                                         \
    /* Runs the body, the decision or the entry that `state` names. */                                                 \
    OF(ALWAYS, uf_intent (*turn)(uf_flow *flow, uint32_t state);)                                                      \
    /* `on exit` of the current task, which was entered; NULL: no task has one. */                                     \
    OF(ON_EXIT, void (*on_exit)(uf_flow *flow, uf_outcome outcome);)                                                   \
    /* `on end`, after the last `on exit` of a run, before anyone else learns of its end; NULL: none. */               \
    OF(ON_END, void (*on_end)(uf_flow *flow, uf_outcome outcome);)                                                     \
    OF(TASKS, const uf_task_info *tasks;)                                                                              \
    OF(TASKS, const uf_step_info *steps;)                                                                              \
    OF(NAMES, const uf_edge_info *edges;)                                                                              \
    OF(TASKS, uint16_t task_count;)                                                                                    \
    OF(NAMES, uint16_t step_count;)                                                                                    \
    OF(NAMES, uint16_t edge_count;)                                                                                    \
    OF(ALWAYS, uint16_t arm_count;)     /* of the widest wait */                                                       \
    OF(ALWAYS, size_t arms_offset;)     /* of `uf_arm uf_arms[arm_count]` in the flow's struct; 0: none */             \
    OF(REASONS, size_t reason_offset;)  /* of `char uf_reason[UF_REASON_SIZE]`; 0: none */                             \
    /* of `char uf_description[UF_DESCRIPTION_SIZE]`; 0: none */                                                       \
    OF(DESCRIPTIONS, size_t description_offset;)                                                                       \
    OF(HANDLERS, const uf_preempt_info *preempts;)                                                                     \
    OF(HANDLERS, const struct uf_preempting *preempting;) /* one of the two, if the flow has any */                    \
    OF(HANDLERS, uint16_t preempt_count;)                                                                              \
    OF(HANDLERS, size_t preempts_offset;) /* of `uf_arm uf_preempts[preempt_count]` in the flow's struct */            \
    /* Makes the intent of preempts[which], in a separate turn, before the body or the arms are evaluated. */          \
    OF(HANDLERS, uf_intent (*preempt)(uf_flow *flow, uint16_t which);)                                                 \
    /* Destroys the signals, checkpoints and mailboxes of a flow that is detached; NULL: it has none. */               \
    OF(PARTS, void (*release)(uf_flow *flow);)                                                                         \
    OF(JOBS, const uf_job_info *jobs;)                                                                                 \
    OF(JOBS, uint16_t job_count;)                                                                                      \
    OF(JOBS, size_t jobs_offset;)       /* of `uint32_t uf_jobs` in the flow's struct: how many are in flight */       \
    OF(POOLS, const uf_kept *kept;)     /* in the order of the struct */                                               \
    OF(POOLS, uint16_t kept_count;)                                                                                    \
    OF(POOLS, size_t cleared;)          /* where the members of pools begin, which an init does not touch; 0: none */  \
    OF(POOLS, const struct uf_members_info *pools;)                                                                    \
    OF(POOLS, uint16_t pool_count;)
/* clang-format on */

/* Generated code initialises it in this order, without designators: user macros may have the names of members. */
struct uf_flow_type {
    UF_FLOW_TYPE_MEMBERS(UF_HAS)
#if defined(UFI_CORE) && defined(UF_CONFIG_ABI)
    char ufi_nowhere[INT32_MAX / 32];
    UF_FLOW_TYPE_MEMBERS(UF_LACKS)
} UF_MAY_ALIAS;
#else
};
#endif

UF_C_END
#endif
