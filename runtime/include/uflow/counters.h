/* SPDX-License-Identifier: MIT */
/* counters.h - an observer that counts runs, steps, jobs, rounds and posts, for a monitor on another thread.
 *
 *   static uf_flow_counts flows[16];                     room for 16 flows; NULL and 0: only the totals
 *   static uf_counters counters;
 *   uf_counters_attach(&counters, &pump, flows, 16);
 *   ...
 *   uf_counters_flow(&counters, &picker.uf, &counts);    any thread, while the pump runs
 */
#ifndef UFLOW_COUNTERS_H
#define UFLOW_COUNTERS_H

#include "uflow/pump.h"

UF_C_BEGIN

/* The counts of one flow, or of all flows together. Counts only grow: subtract two readings. Times are real time
 * in bodies, where bodies are timed (see body_ran in observer.h). */
typedef struct uf_flow_counts {
    void *flow;      /* the address of the flow; NULL: all flows */
    int64_t started; /* runs */
    int64_t done, failed, cancelled;
    int64_t last_length; /* steps of the last run that was done, each entry counted; 0: there was none */
    int64_t max_length;  /* steps of the longest run that was done */
    int64_t transitions; /* steps left, the last step of a run included */
    int64_t jobs;        /* submits; those neither done nor failed are in flight, or were abandoned */
    int64_t jobs_done;
    int64_t jobs_failed; /* failed, timed out or rejected */
    uf_time busy;        /* in bodies */
    uf_time longest;     /* in one body */
    uint32_t next;       /* private */
} uf_flow_counts;

/* The counts of rounds that did some work, in real time. They need a pump with a monotonic clock, or a
 * runtime that times bodies (see round_ran in observer.h). */
typedef struct uf_round_counts {
    int64_t count;
    uf_time min, max, mean, last; /* 0 if there was no round */
} uf_round_counts;

/* The counts of posts, in real time. */
typedef struct uf_post_counts {
    int64_t count;
    int64_t blocking;             /* posts of uf_post_wait() */
    uf_time waited, longest_wait; /* from the call until the function began: the sum, and the longest */
    uf_time took, longest;        /* in the function: the sum, and the longest */
} uf_post_counts;

/* Counters. `observer` is public, the other members are private.
 * Lifetime: you own them. They must stay valid until they are detached. */
typedef struct uf_counters {
    uf_observer observer;
    uf_flow_counts *flows; /* a hash table by address; free where `flow` is NULL */
    size_t capacity;
    size_t unfilled; /* no row from this one on is free */
    /* Read by other threads. */
    uint32_t sequence; /* odd while the members below change */
    uint32_t reset;    /* forget the rounds before the next one */
    int64_t rounds;
    uf_time rounds_took, min, max, last;
    uf_flow_counts all;
    uf_post_counts posts;
} uf_counters;

/* Initialises counters with room for `capacity` flows, without adding them to a pump. Add `counters->observer`
 * with uf_runtime_add_observer(), or with `observers` of a runtime's configuration. Flows without room are counted
 * in the totals only. A flow is identified by its address. The members of a pool share a row: see uf_flow_row().
 * Thread: one at a time, while they are not attached.
 * Returns: UF_OK; UF_INVALID: `counters` is NULL, or `flows` is NULL with a capacity above 0.
 * Lifetime: `flows` must stay valid until the counters are detached, and while you read them. */
uf_status uf_counters_init(uf_counters *counters, uf_flow_counts *flows, size_t capacity);

/* Initialises counters and adds them to a pump.
 * Thread: the pump's.
 * Returns: UF_OK; UF_BUSY: they are attached already; UF_INVALID: as uf_counters_init(), or the pump was never
 * initialised.
 * Lifetime: as uf_counters_init(). */
uf_status uf_counters_attach(uf_counters *counters, uf_pump *pump, uf_flow_counts *flows, size_t capacity);

/* Detaches counters. They can still be read.
 * Thread: the pump's.
 * Returns: UF_OK; UF_INVALID: they are not attached to this pump. */
uf_status uf_counters_detach(uf_counters *counters, uf_pump *pump);

/* Reads the counts of a flow, or of all flows with NULL for `flow`. The pump never waits for the reader, and all values
 * are of the same moment. The flow need not exist when you read. For members of a pool, pass uf_flow_row() of one.
 * Thread: any, with every pump; not in an interrupt handler.
 * Returns: true; false, and every count is 0: the flow was not seen, or there was no room for it. */
bool uf_counters_flow(const uf_counters *counters, const uf_flow *flow, uf_flow_counts *counts);

/* Reads the counts of rounds since the last reset.
 * Thread: any, with every pump; not in an interrupt handler. */
void uf_counters_rounds(const uf_counters *counters, uf_round_counts *rounds);

/* Reads the counts of posts.
 * Thread: any, with every pump; not in an interrupt handler. */
void uf_counters_posts(const uf_counters *counters, uf_post_counts *posts);

/* Forgets the rounds so far. A round in progress counts as the first new one.
 * Thread: any, with every pump. */
void uf_counters_reset_rounds(uf_counters *counters);

UF_C_END
#endif
