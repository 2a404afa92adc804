/* SPDX-License-Identifier: MIT */
/* priv/flow.h - the struct behind uf_flow, so that you can allocate one. Its members are private: read them in a
 * debugger, not in code. */
#ifndef UFLOW_PRIV_FLOW_H
#define UFLOW_PRIV_FLOW_H

#include "uflow/base.h"

UF_C_BEGIN

typedef struct uf_flow uf_flow;
typedef struct uf_flow_type uf_flow_type;
typedef struct uf_pump uf_pump;
typedef struct uf_arm uf_arm;

/* A node of a circular doubly linked list or, in a pump, its sentinel. */
typedef struct uf_link {
    struct uf_link *next, *prev;
} uf_link;

/* An entry of a pump's inbox. The pump's thread calls `deliver`. */
typedef struct uf_message {
    struct uf_message *next;
    void (*deliver)(uf_pump *pump, struct uf_message *message);
} uf_message;

/* The members of a flow: those that it has always, and those of a feature of core; see UF_HAS. */
/* clang-format off */
#define UF_FLOW_MEMBERS(OF)                                                                                            \
    /* Hot: a transition touches only these 64 bytes. */                                                               \
    OF(ALWAYS, union {                                                                                                 \
        uf_link link;       /* on the pump's ready or polling list; otherwise linked to itself */                      \
        uf_message message; /* while a start by another thread is in the pump's inbox */                               \
    };)                                                                                                                \
    /* task, step and waiting as one number of the generated code, with the UF_STATE_ bits on top */                   \
    OF(ALWAYS, uint32_t state;)                                                                                        \
    OF(ALWAYS, uint16_t flags;)                                                                                        \
    OF(ALWAYS, uint8_t outcome;)        /* uf_outcome of the last run */                                               \
    OF(ALWAYS, uint8_t rare_flags;)     /* flags that change rarely */                                                 \
    OF(ALWAYS, const uf_flow_type *type;)                                                                              \
    OF(ALWAYS, uf_pump *pump;)                                                                                         \
    OF(TIMES, uf_time entered;)         /* logical time at which the current step was entered */                       \
    OF(TIMES, uint32_t ordinal;)        /* number of the current step in this run, from 0 */                           \
    /* how often the body of the current step has run; its top bit is the mark of a seqlock */                         \
    OF(TIMES, uint32_t ticks;)                                                                                         \
    /* arms of other flows that wait for the end of this one: last of a circular list */                               \
    OF(RUNS, uf_arm *waiters;)                                                                                         \
    /* Cold. */                                                                                                        \
    OF(NAMES, const char *name;)                                                                                       \
    OF(PARTS, uf_link attached;)        /* on the pump's list of flows, in the order of attachment */                  \
    /* distance back to the flow that contains this one, in pointer sizes; 0: none; or UF_PARENT_IS_POOL */            \
    OF(PARTS, uint32_t parent_offset;)                                                                                 \
    OF(TIMES, uint32_t run;)            /* number of the current or last run, from 1 */
/* clang-format on */

/* The header of every flow: the first member, `uf`, of each generated struct. The members are private. */
struct uf_flow {
    UF_FLOW_MEMBERS(UF_HAS)
#if defined(UFI_CORE) && defined(UF_CONFIG_ABI)
    uf_time ufi_nowhere[INT32_MAX / 256]; /* with TIMES, it begins where the struct of a program ends */
    UF_FLOW_MEMBERS(UF_LACKS)
#define UF_FLOW_SIZE offsetof(uf_flow, ufi_nowhere)
} UF_MAY_ALIAS;
#else
#define UF_FLOW_SIZE sizeof(uf_flow)
};
#endif

#define UF_PARENT_IS_POOL UINT32_MAX

#define UF_STATE_IDLE     0x80000000u
#define UF_STATE_CLAIMED  0x40000000u /* started by another thread; the pump has not received the start yet */

UF_C_END
#endif
