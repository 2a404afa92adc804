/* SPDX-License-Identifier: MIT */
/* arm_kinds.h - the kinds of arms, one row each: for the runtime, the format of traces and all tools. */
#ifndef UFLOW_ARM_KINDS_H
#define UFLOW_ARM_KINDS_H

/* What an arm waits for: the member of `on` in uf_arm, and the operand in a trace. */
typedef enum uf_arm_target {
    UF_TARGET_NOTHING,    /* no arm */
    UF_TARGET_CONDITION,  /* `on.deadline`; no operand */
    UF_TARGET_STOP,       /* a graceful shutdown; no operand */
    UF_TARGET_TIME,       /* `on.deadline`; the time that is left */
    UF_TARGET_REAL_TIME,  /* the same, on the real clock */
    UF_TARGET_FLOW,       /* `on.target`; the flow */
    UF_TARGET_SIGNAL,     /* `on.signal`, NULL once it was destroyed; its name */
    UF_TARGET_CHECKPOINT, /* `on.signal` is its `held`; its name */
    UF_TARGET_ARRIVAL,    /* `on.signal` is the `arrived` of a checkpoint; name, and its flow << 24 */
    UF_TARGET_MAILBOX,    /* `on.signal` is its first member; its name */
    UF_TARGET_ROOM,       /* `on.room` is that of a mailbox, `on.name` of the next arm; name, and its flow << 24 */
    UF_TARGET_POOL,       /* `on.room` is one of its two, `on.name` of the next arm; its name */
    UF_TARGET_JOB,        /* `on.job`; index of the job, and the element + 1 << 16 */
    UF_TARGET_JOBS,       /* `on.jobs`; index of the job */
    UF_TARGET_DESCRIPTOR  /* `on.fd`; its number */
} uf_arm_target;

/* How long it lasts: as a part of an await in `uf_arms`, or of its task in `uf_preempts`. */
typedef enum uf_arm_lifetime { UF_LIFETIME_AWAIT, UF_LIFETIME_TASK } uf_arm_lifetime;

#define UF_CONDITION_WORDS "a condition"

/* ARM(name, number, key, words, target, lifetime)
 *   number    in uf_arm and in traces, without a gap: a new kind comes last. The kinds from SIGNAL to MAILBOX wait for
 *             a signal, and ROOM, VACANT and EMPTY follow them
 *   key       in the documents of inspect.h
 *   words     in dumps and tools, before its operand
 *   target    a uf_arm_target
 *   lifetime  a uf_arm_lifetime */
/* clang-format off */
#define UF_ARM_KINDS(ARM)                                                                                              \
    ARM(UNUSED,      0, "condition",  UF_CONDITION_WORDS, NOTHING, AWAIT) /* in a trace: a condition that is polled */ \
    ARM(TIMEOUT,     1, "timeout",    "timeout", TIME, AWAIT)             /* `timeout D`, `stay timeout D` */          \
    ARM(INTERVAL,    2, "interval",   "stay: again", TIME, AWAIT)         /* `stay every D` */                         \
    ARM(HELD,        3, "condition",  "until a condition has held", CONDITION, AWAIT) /* `until (cond) for D` */       \
    ARM(OPERAND,     4, "",           "", NOTHING, AWAIT)                 /* the evaluated duration of a HELD */       \
    ARM(RUN,         5, "run",        "run", FLOW, AWAIT)                                                              \
    ARM(JOB,         6, "job",        "job", JOB, AWAIT)                  /* one job, or an element of an array */     \
    ARM(ANY,         7, "any",        "any", JOBS, AWAIT)                 /* the first element that ends */            \
    ARM(JOBS,        8, "all",        "all", JOBS, AWAIT)                 /* all that were submitted */                \
    ARM(READABLE,    9, "readable",   "readable", DESCRIPTOR, AWAIT)                                                   \
    ARM(WRITABLE,   10, "writable",   "writable", DESCRIPTOR, AWAIT)                                                   \
    ARM(SIGNAL,     11, "signal",     "signal", SIGNAL, AWAIT)                                                         \
    ARM(CHECKPOINT, 12, "checkpoint", "checkpoint", CHECKPOINT, AWAIT)    /* the flow is held there */                 \
    ARM(ARRIVED,    13, "arrived",    "arrived", ARRIVAL, AWAIT)          /* a flow is held at a checkpoint */         \
    ARM(MAILBOX,    14, "mailbox",    "mailbox", MAILBOX, AWAIT)                                                       \
    ARM(ROOM,       15, "room",       "room in", ROOM, AWAIT)                                                          \
    ARM(VACANT,     16, "vacant",     "vacant", POOL, AWAIT)              /* a pool has a free member */               \
    ARM(EMPTY,      17, "idle",       "idle", POOL, AWAIT)                /* no member of a pool runs */               \
    ARM(IDLE,       18, "idle",       "idle", FLOW, AWAIT)                                                             \
    ARM(STOPPING,   19, "stopping",   "stopping", STOP, AWAIT)                                                         \
    ARM(PREEMPT,    20, "handler",    "on", SIGNAL, TASK)                 /* `on SIGNAL` */                            \
    ARM(COMPANION,  21, "companion",  "with run", FLOW, TASK)                                                          \
    ARM(ON_TIMEOUT, 22, "on_timeout", "on timeout", TIME, TASK)                                                        \
    ARM(DEADLINE,   23, "deadline",   "deadline", TIME, AWAIT)                                                         \
    ARM(ENDED,      24, "ended",      "ended", POOL, AWAIT)               /* the end of a member that was not taken */ \
    /* On pump->real_timers: no other kind is above these. */                                                          \
    ARM(TIMEOUT_REAL, 25, "timeout_real", "timeout real", REAL_TIME, AWAIT)                                            \
    ARM(ON_TIMEOUT_REAL, 26, "on_timeout_real", "on timeout real", REAL_TIME, TASK)
/* clang-format on */

#define UF_ARM_ROW(name, number, key, words, target, lifetime) UF_ARM_##name = number,
typedef enum uf_arm_kind { UF_ARM_KINDS(UF_ARM_ROW) } uf_arm_kind;
#undef UF_ARM_ROW

#define UF_ARM_ONE(name, number, key, words, target, lifetime) +1
#define UF_ARM_KIND_COUNT                                      (0 UF_ARM_KINDS(UF_ARM_ONE))

#endif
