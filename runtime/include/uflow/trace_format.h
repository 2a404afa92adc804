/* SPDX-License-Identifier: MIT */
/* trace_format.h - the binary format of traces, which a recorder writes and uflow-trace reads. docs/uflow-trace.md
 * describes it.
 *
 * A trace is a header and cells of 16 bytes. All numbers are words of 32 bits in the byte order of the writer. No
 * pointer is part of a stream, so any machine reads the traces of any other. */
#ifndef UFLOW_TRACE_FORMAT_H
#define UFLOW_TRACE_FORMAT_H

#include "uflow/arm_kinds.h"
#include "uflow/base.h"

UF_C_BEGIN

#define UF_TRACE_MAGIC   "UFLOWTRC" /* 8 bytes */
#define UF_TRACE_ORDER   UINT32_C(0x01020304)
#define UF_TRACE_VERSION UINT32_C(2)

/* uf_recorder_write() writes a stream: the header, then definitions and events in order. An image is the recorder's
 * memory: its header locates the definitions and the ring of events. */
#define UF_TRACE_STREAM UINT32_C(1)
#define UF_TRACE_IMAGE  UINT32_C(2)

/* 64 bytes. In a stream the members from `definitions` on are 0, except `full` and `undefined`. */
typedef struct uf_trace_header {
    uint8_t magic[8];
    uint32_t order;                /* UF_TRACE_ORDER: determines the byte order */
    uint32_t version;              /* UF_TRACE_VERSION */
    uint32_t kind;                 /* UF_TRACE_STREAM or UF_TRACE_IMAGE */
    uint32_t definitions;          /* offset of the definitions from the header, in bytes */
    uint32_t definitions_capacity; /* in cells */
    uint32_t defined;              /* cells in use. Atomic */
    uint32_t events;               /* offset of the ring, in bytes */
    uint32_t capacity;             /* of the ring, in cells */
    uint32_t head;      /* number of the next cell: its index is `head % capacity`. Atomic. It wraps to 0 at the
                         * largest multiple of the capacity that is not above 2^31 */
    uint32_t full;      /* not 0: each cell of the ring was written. In a stream, 1. Atomic */
    uint32_t undefined; /* how often a flow, type or name found no room. Atomic */
    uint32_t reserved[3];
} uf_trace_header;

/* `what` is the kind in the upper 8 bits, and the number of the flow in the lower 24; 0: no flow. In a definition
 * the lower bits are the number of what is defined. */
typedef struct uf_trace_cell {
    uint32_t time; /* lower half of the logical time in ns; the last UF_CELL_TIME has the upper half */
    uint32_t what;
    uint32_t a, b;
} uf_trace_cell;

#define UF_CELL_OBJECT             UINT32_C(0x00ffffff)
#define UF_CELL_KIND(what)         (UF_AS(uint32_t, what) >> 24)
#define UF_CELL_WHAT(kind, object) (UF_AS(uint32_t, kind) << 24 | (object))

/* A TIME is written at least every UF_TRACE_SYNC cells; in a ring of less than four times as many, every quarter. */
#define UF_TRACE_SYNC 256

/* The kinds of cells: name, number, text, and what `a` and `b` hold. A reader skips events that it does not know. */
/* clang-format off */
#define UF_TRACE_EVENTS(EVENT)                                                                                         \
    EVENT(TIME,          1, "time")          /* a: upper half of the time; b: its previous value */                    \
    EVENT(ROUND,         2, "round")         /* a, b: lower and upper half of the round's number */                    \
    EVENT(STARTED,       3, "started")       /* a: entry step; b: number of the run */                                 \
    EVENT(STEP,          4, "step")          /* a: step entered, ticks << 16; b: ordinal of the step left */           \
    EVENT(WAIT,          5, "waits")         /* a, b: an arm, see below; one cell per arm */                           \
    EVENT(WOKEN,         6, "woken")         /* a, b: an arm that was ready, one cell each; or a handler */            \
    EVENT(DESCRIPTION,   7, "description")   /* time: position; a, b: 8 bytes of text of the next event */        \
    EVENT(REASON,        8, "reason")        /* the same, of the next ENDED or job event */                            \
    EVENT(FAILED,        9, "failed")        /* a: step; C code failed it */                                           \
    EVENT(ENDED,        10, "ended")         /* a: last step, and uf_outcome << 16; b: its ordinal */                  \
    EVENT(JOB_SUBMITTED,11, "job submitted") /* a: index of the job, and uf_job_status << 16; b: element */            \
    EVENT(JOB_ENDED,    12, "job ended")                                                                               \
    EVENT(JOB_ABANDONED,13, "job abandoned")                                                                           \
    EVENT(JOB_REJECTED, 14, "job rejected")                                                                            \
    EVENT(JOB_SLOW,     15, "job slow")                                                                                \
    EVENT(SIGNAL,       16, "signal")        /* a: name; b: flows released */                                          \
    EVENT(HELD,         17, "held")          /* a: name of the checkpoint */                                           \
    EVENT(POST,         18, "post")          /* a: name of the caller; b: line */                                      \
    EVENT(STOPPING,     19, "stopping")      /* a: uf_stop_phase */                                                    \
    EVENT(SLOW_STEP,    20, "slow step")     /* a: step; b: real time in us */                                         \
    EVENT(SLOW_ROUND,   21, "slow round")    /* a: turns; b: real time in us */                                        \
    EVENT(STARTS,       22, "starts")        /* by a step: a: flow; b: number of its run. Not of a WAIT's run */       \
    EVENT(SENDS,        23, "sends")         /* by a step: a: name of a signal or mailbox; b: flow of the mailbox */   \
    EVENT(ARMS,         24, "arms")          /* by a step: a: name of the checkpoint */                                \
    EVENT(RESUMES,      25, "resumes")       /* by a step: a: name of a checkpoint at which flows are held */          \
    EVENT(POST_BEGAN,   26, "post began")    /* as POST, which follows at its end */                                   \
    EVENT(PAUSED,       27, "paused")        /* the flow stands */                                                     \
    EVENT(RESUMED,      28, "resumed")       /* it goes on, or its run ends */                                         \
    EVENT(RESTORED,     29, "restored")      /* a: how often in this step; b: number of the run. After STARTED */     \
    EVENT(KEEPING,      30, "keeping")       /* a: uf_keeping: what the store has of it */                             \
    EVENT(NOTE,         31, "note")          /* its text is a DESCRIPTION */

/* Definitions: `time` is the number of bytes of text that follow, padded with 0 to whole cells. A stream defines a
 * number before its first use. The parts of a type follow it directly. */
#define UF_TRACE_DEFINITIONS(DEFINITION)                                                                               \
    DEFINITION(TYPE, 65, "type") /* text: name, 0, source file. In an image, a and b are its address */                \
    DEFINITION(FLOW, 66, "flow") /* a: type; b: the flow that contains it, or 0; text: name */                         \
    DEFINITION(NAME, 67, "name") /* text */                                                                            \
    DEFINITION(TASK, 68, "task") /* of the type, then its groups: a: index; b: line; text: name */                     \
    DEFINITION(PLACE, 69, "place") /* a step of the type: a: index, and task << 16; b: line; text: name */             \
    DEFINITION(EDGE, 70, "edge") /* of the type: a: from, and to << 16; b: line, and uf_edge_kind << 24; no text */    \
    DEFINITION(JOB,  71, "job")  /* of the type: a: index, and task << 16; text: name */                               \
    DEFINITION(STATE, 72, "state") /* of the flow: no text, but the words of uf_trace_state and its arms */            \
    DEFINITION(HANDLER, 74, "handler") /* of the type: a: index, and its task or group << 16; b: line */               \
    DEFINITION(NOW, 73, "now") /* a, b: lower and upper half of the time up to which the stream has all events; */     \
                               /* no text, but two words: the time of day then, in ns since 1970 */
/* clang-format on */

#define UF_CELL_ROW(name, number, text) UF_CELL_##name = number,
typedef enum uf_cell_kind { UF_TRACE_EVENTS(UF_CELL_ROW) UF_CELL_KIND_COUNT } uf_cell_kind;
#undef UF_CELL_ROW
#define UF_DEFINE_ROW(name, number, text) UF_DEFINE_##name = number,
typedef enum uf_definition_kind { UF_TRACE_DEFINITIONS(UF_DEFINE_ROW) } uf_definition_kind;
#undef UF_DEFINE_ROW
#define UF_CELL_FIRST_DEFINITION 64

/* The number of cells of a definition with this many bytes after its first cell. */
#define UF_DEFINITION_CELLS(length) (1 + ((length) + sizeof(uf_trace_cell) - 1) / sizeof(uf_trace_cell))

/* What a flow does now: its last STARTED, STEP or ENDED, and its wait. So a reader knows it even if the ring
 * has lost these events. In an image, the words change; `version` is odd meanwhile. A stream has the states of all
 * flows where events before it are missing. A state counts if it is not newer than the event that follows it. */
typedef struct uf_trace_state {
    uint32_t version; /* Atomic, as all words of it */
    uint32_t what;    /* kind of the event; 0: not known. UF_STATE_CELL_...; arms << 16, 0: it does not wait */
    uint32_t entered, entered_high; /* time of the event */
    uint32_t since, since_high;     /* of the wait */
    uint32_t a, b;                  /* of the event */
    /* Two words per arm: a and b of its WAIT. */
} uf_trace_state;

#define UF_STATE_CELL_KIND(what)    ((what)&UINT32_C(0xff))
#define UF_STATE_CELL_EARLY         UINT32_C(0x100) /* older than the recorder: the event was never in the ring */
#define UF_STATE_CELL_PAUSED        UINT32_C(0x200) /* the flow stands; since when is not known */
#define UF_STATE_CELL_KEEPING_AT    10
#define UF_STATE_CELL_KEEPING_MASK  UINT32_C(0x1c00) /* a uf_keeping; since when is not known */
#define UF_STATE_CELL_KEEPING(what) (((what)&UF_STATE_CELL_KEEPING_MASK) >> UF_STATE_CELL_KEEPING_AT)
#define UF_STATE_CELL_ARMS(what)    (UF_AS(uint32_t, what) >> 16)
#define UF_STATE_CELL_MOST          130 /* arms */

/* An arm of a wait: a: its kind, UF_ARM_CELL_FAILED, UF_ARM_CELL_FIRST, its index << 8, UF_ARM_CELL_LAST, and bits
 * 32 to 47 of the operand << 16; b: the lower half of the operand. The operand of a deadline is the time that is left;
 * the largest: never or longer. A wait without arms, and one that also polls, has a row UF_ARM_CELL_CONDITION. A ring
 * may have lost the first arms of a wait: then the others are no event. */
#define UF_ARM_CELL_KIND(a)  ((a)&UINT32_C(0x3f))
#define UF_ARM_CELL_FAILED   UINT32_C(0x40) /* of WOKEN: it has failed */
#define UF_ARM_CELL_FIRST    UINT32_C(0x80)
#define UF_ARM_CELL_INDEX(a) ((a) >> 8 & UINT32_C(0x7f)) /* 127: that or more */
#define UF_ARM_CELL_LAST     UINT32_C(0x8000)
#define UF_ARM_CELL_MOST     UINT64_C(0x0000ffffffffffff)

/* The kinds and their operands are in arm_kinds.h. Handlers and companions of the task and its flow are part of each
 * wait; one that decides is a WOKEN, with or without a wait. Their index is that of their HANDLER. */
#define UF_ARM_CELL_CONDITION UF_ARM_UNUSED
#define UF_ARM_CELL_UNKNOWN   UF_ARM_OPERAND /* of WOKEN: a condition, or a failure */

UF_C_END
#endif
