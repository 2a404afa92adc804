/* SPDX-License-Identifier: MIT */
/* durable.h - what ufc generates for a `durable flow`: tables of what is kept, and the functions that stand in the
 * descriptor of its type in place of its own. */
#ifndef UFLOW_GENERATED_DURABLE_H
#define UFLOW_GENERATED_DURABLE_H

#include "uflow/generated.h"
#include "uflow/generated/descriptors.h"
#include "uflow/store.h"

UF_C_BEGIN

typedef enum uf_kept_kind {
    UF_KEPT_NOTHING, /* a type that cannot be kept */
    UF_KEPT_BOOL,
    UF_KEPT_INT,
    UF_KEPT_UINT,
    UF_KEPT_CHAR, /* an array of them is one string of bytes */
    UF_KEPT_FLOAT,
    UF_KEPT_DOUBLE,
    UF_KEPT_TEXT, /* a uf_text */
    UF_KEPT_PLAIN /* a plain struct */
} uf_kept_kind;

/* The kind of the type of an expression, which is not evaluated. */
#if defined(UF_NO_FLOAT)
#define UF_KEPT_REALS
#else
#define UF_KEPT_REALS float : UF_KEPT_FLOAT, double : UF_KEPT_DOUBLE,
#endif
/* clang-format off */
#define UF_KEPT_KIND_OF(x)                                                                                             \
    _Generic((x), _Bool: UF_KEPT_BOOL, char: UF_KEPT_CHAR, signed char: UF_KEPT_INT, short: UF_KEPT_INT,               \
             int: UF_KEPT_INT, long: UF_KEPT_INT, long long: UF_KEPT_INT, unsigned char: UF_KEPT_UINT,                 \
             unsigned short: UF_KEPT_UINT, unsigned: UF_KEPT_UINT, unsigned long: UF_KEPT_UINT,                        \
             unsigned long long: UF_KEPT_UINT, UF_KEPT_REALS uf_text: UF_KEPT_TEXT, default: UF_KEPT_NOTHING)
/* clang-format on */

struct uf_plain;

/* A field, parameter or result. */
typedef struct uf_kept_row {
    const char *name;
    size_t offset, size; /* of it, and of one element */
    size_t count;        /* elements, of all dimensions */
    uint8_t kind;        /* a uf_kept_kind */
    uint8_t is_array;
    uint16_t place;               /* of a flow: see uf_durable_type */
    const struct uf_plain *plain; /* of UF_KEPT_PLAIN */
} uf_kept_row;

/* `plain struct NAME { … };` */
typedef struct uf_plain {
    const char *name;
    const uf_kept_row *rows;
    uint16_t count;
} uf_plain;

/* The row of `member` in `type`; `element` is it with an index for each dimension. */
#define UF_KEPT_ROW(name, type, member, element, is_array, place)                                                      \
    {                                                                                                                  \
        name, UF_OFFSET(type, member), sizeof(((type *)0)->element),                                                   \
            sizeof(((type *)0)->member) / sizeof(((type *)0)->element), UF_KEPT_KIND_OF(((type *)0)->element),         \
            is_array, place, 0                                                                                         \
    }
#define UF_KEPT_ROW_OF_PLAIN(name, type, member, element, is_array, place, plain)                                      \
    {                                                                                                                  \
        name, UF_OFFSET(type, member), sizeof(((type *)0)->element),                                                   \
            sizeof(((type *)0)->member) / sizeof(((type *)0)->element), UF_KEPT_PLAIN, is_array, place, &(plain)       \
    }

/* What the descriptor of a durable flow does not have. `place` of a row is a task in `task` and `results`, a step in
 * `arguments`. */
typedef struct uf_durable_type {
    uf_intent (*turn)(uf_flow *flow, uint32_t state);
    void (*on_end)(uf_flow *flow, uf_outcome outcome);  /* 0: none */
    void (*on_exit)(uf_flow *flow, uf_outcome outcome); /* 0: none */
    const struct uf_preempting *preempting;             /* 0: none */
    /* Gives the fields of the current task the values that they begin with. */
    void (*prepare)(uf_flow *flow);
    /* Starts the companions of the current task and its groups; then `on restore`. If the task was not `entered`, it
     * is about to be, and only the flow's runs. */
    void (*restore)(uf_flow *flow, uf_bool entered);
    void (*suspend)(uf_flow *flow); /* `on suspend`; 0: none */
    const uf_kept_row *fields, *task, *arguments, *results;
    uint16_t field_count, task_count, argument_count, result_count;
    size_t inside_offset; /* of `uf_inside uf_inside`; 0: none */
} uf_durable_type;

/* How often a step of a flow has started one target: a flow, or members of a pool. */
typedef struct uf_starts {
    uf_link link;        /* among those of that step */
    const void *target;  /* the flow or the uf_members; NULL: unused */
    uint32_t made, kept; /* in this process, and by those before it */
    uint32_t run;        /* of a flow: the latest one */
    bool is_pool;
} uf_starts;

/* So many targets of one step at least may be pools, or flows that another step has started, too. */
#define UF_STARTS 4

/* The second member of the struct of a durable flow. */
typedef struct uf_durable {
    const uf_durable_type *type;
    uf_store *store;       /* NULL: the flow is as one that is not durable */
    uf_link waiting;       /* for a commit; while it is held, for its turn to go on */
    uint32_t size;         /* of its last record */
    uint64_t put;          /* the number of the put that it waits for */
    uint32_t run, ordinal; /* of the entry that was put */
    uint32_t restored;     /* how often in this step */
    uint32_t kept_run;     /* of which it is kept that it has begun */
    uint32_t is_open;      /* atomic: it may be started */
    uint32_t is_owed;      /* atomic: the run has ended, but not for its owner */
    uint32_t is_lost;      /* atomic: it was cancelled, since its owner does not go on */
    uf_time since;         /* real time of its last put, its restore or its suspension; -1: there was none */
    uint8_t outcome;       /* of a run that ends when that is kept; UF_RUNNING: none does */
    bool is_waiting, is_held, is_restoring, is_suspended;
    bool must_put; /* the entry is that of the last put, and must be put again */
    bool is_first; /* the body of this entry has not run */
    bool is_indexed, is_released;
    bool is_deferred; /* its owner has cancelled it; that is put with the next record of the owner */
    bool is_untaken;  /* owed, and restored: no arm of the owner has taken it yet */
    bool is_awaited;  /* while a store is restored: owed, and its owner goes on */
    bool is_lent;     /* a step that is not kept has begun the run: it does not go on in another process */
    uf_link debts;    /* the children whose runs are owed to this flow */
    uf_link owed;     /* on that list of the owner */
    uf_flow *owner;   /* whose arm the end of the run is owed to; NULL: to none */
    uint32_t owner_run, owner_ordinal;
    int32_t owner_arm;
    uf_link begun;    /* runs that its body has started: their records are put with its next one */
    uf_link started;  /* on that list of the starter */
    uf_flow *starter; /* with whose next record that of this run is put; NULL: it is put by itself */
    uf_link numbers;  /* of what its step has started: some of these, and `lent` of others */
    uf_starts starts[UF_STARTS], lent;
    uf_link taken_ends; /* members whose ends its step has taken, on `started` */
    uint32_t untaken;   /* while a store is restored: the run of the owner that is to take the end */
    uint32_t taken;     /* by it: the step that follows, or 0 */
    bool has_numbers;   /* a record of them was put */
    uint32_t key;       /* in the tree of paths of its store, with what is below it there */
    struct uf_durable *below[2];
} uf_durable;

/* In place of uf_flow_init(), uf_start_claim(), uf_members_reserve(), uf_call_make(). The reserve may answer UF_OK
 * without a member: see uf_durable_is_started(). */
uf_status uf_durable_init(uf_flow *flow, const uf_flow_type *type, const uf_durable_type *durable, uf_pump *pump,
                          const char *name);
uf_status uf_durable_claim(uf_flow *flow);
uf_status uf_durable_reserve(struct uf_members *pool, uf_flow **member);
uf_status uf_durable_call(const uf_call *call);

/* Before a start: has the body that is repeated begun this run before? Then `*run` is that, if it is not NULL. */
uf_bool uf_durable_is_started(uf_flow *flow, uf_run *run);

/* In place of uf_arm_run() and uf_with_run(), if the child is durable: after a restart an arm takes the run that it had
 * begun. */
bool uf_durable_arm_run(uf_flow *flow, uf_arm *arm, uf_flow *child, uint16_t result_class);
bool uf_durable_with_run(uf_flow *flow, uf_arm *arm, uf_flow *child);

/* Members of the descriptor. */
uf_intent uf_durable_turn(uf_flow *flow, uint32_t state);
void uf_durable_on_exit(uf_flow *flow, uf_outcome outcome);
void uf_durable_on_end(uf_flow *flow, uf_outcome outcome);
extern const struct uf_preempting uf_durable_preempting;

/* Is the flow in that group, a row of its tasks? */
uf_bool uf_is_inside(const uf_flow *flow, const uf_inside *inside, uint16_t group);

/* How often the current step was restored: the constant `restored` of bodies. */
static inline uint32_t uf_restored(const uf_flow *flow)
{
    return UF_AS(const uf_durable *, UF_AS(const void *, flow + 1))->restored;
}

UF_C_END
#endif
