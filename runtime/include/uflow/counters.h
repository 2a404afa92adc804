/* counters.h - an observer that counts: how runs ended and how many steps they took, what flows and rounds have done.
 *
 *   static uf_flow_counts flows[16];                     for so many flows one by one; NULL and 0: for none
 *   static uf_counters counters;
 *   uf_counters_attach(&counters, &pump, flows, 16);
 *   ...
 *   uf_counters_flow(&counters, &picker.uf, &counts);    any thread, also while the pump runs
 *
 * Who asks never makes the pump wait, and gets figures that are all of one moment. In an interrupt nobody may ask. What
 * is counted only grows: what happened meanwhile is the difference of two looks. */
#ifndef UFLOW_COUNTERS_H
#define UFLOW_COUNTERS_H

#include "uflow/observer.h"
#include "uflow/pump.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What was seen of one flow, or of all together. Times are real, of bodies that were timed (observer.h: body_ran). */
typedef struct uf_flow_counts {
    void *flow;      /* which one, by its address; NULL: all */
    int64_t started; /* runs; of these ... */
    int64_t done, failed, cancelled;
    int64_t last_length; /* how many steps the last run took that was done, each entry counted; 0: none was */
    int64_t max_length;  /* ... the longest one that was done */
    int64_t transitions; /* steps that were left, the last one of a run included */
    int64_t jobs;        /* submits; what is neither of the next two is in flight, or was abandoned */
    int64_t jobs_done;
    int64_t jobs_failed; /* or timed out, or rejected */
    uf_time busy;        /* in bodies */
    uf_time longest;     /* of one body */
} uf_flow_counts;

/* Rounds in which something was done, in real time: where the pump has a monotonic clock (observer.h: round_ran). */
typedef struct uf_round_counts {
    int64_t count;
    uf_time min, max, mean, last; /* 0 if there was none */
} uf_round_counts;

/* Posts that were run (observer.h: posted), and what they took in real time. */
typedef struct uf_post_counts {
    int64_t count;
    int64_t blocking;             /* of these, by uf_post_wait() */
    uf_time waited, longest_wait; /* from the call until it was run: together, and one */
    uf_time took, longest;        /* until it had returned: together, and one */
} uf_post_counts;

typedef struct uf_counters {
    uf_observer observer;
    uf_flow_counts *flows; /* the caller's: a table by address; free where `flow` is NULL */
    size_t capacity;
    /* What follows is read by other threads. */
    uint32_t sequence; /* odd while the rest changes */
    uint32_t reset;    /* the rounds are to be counted from here on */
    int64_t rounds;
    uf_time rounds_took, min, max, last;
    uf_flow_counts all;
    uf_post_counts posts;
} uf_counters;

/* Makes the struct, which is the caller's, one that counts, and adds it nowhere: that is done by
 * uf_runtime_add_observer(runtime, &counters.observer), from any thread, or by `observers` of the runtime's
 * configuration. Not while it is attached. `flows` is zeroed. Flows for which it has no room are counted among all only,
 * and each of their events looks through it. A flow is known by its address: one that is made in the place of another goes
 * on with its counts. UF_INVALID for a NULL. */
uf_status uf_counters_init(uf_counters *counters, uf_flow_counts *flows, size_t capacity);

/* Both at once: adds it to the pump's observers. The struct and `flows` must stay until it is detached. UF_INVALID for a
 * NULL; UF_BUSY if it is attached already. On the pump's thread, as is detaching. */
uf_status uf_counters_attach(uf_counters *counters, uf_pump *pump, uf_flow_counts *flows, size_t capacity);

/* UF_INVALID if it is not attached to this pump. What was counted can still be asked for. */
uf_status uf_counters_detach(uf_counters *counters, uf_pump *pump);

/* What was seen of this flow, which need not exist any more; NULL: of all. False, and everything is 0: nothing was, or
 * there was no room for it. Any thread. */
bool uf_counters_flow(const uf_counters *counters, const uf_flow *flow, uf_flow_counts *counts);

/* Any thread. */
void uf_counters_rounds(const uf_counters *counters, uf_round_counts *rounds);

void uf_counters_posts(const uf_counters *counters, uf_post_counts *posts);

/* From now on, what was of rounds is forgotten; a round under way will be the first. Any thread. */
void uf_counters_reset_rounds(uf_counters *counters);

#ifdef __cplusplus
}
#endif
#endif
