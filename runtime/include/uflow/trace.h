/* trace.h - an observer that keeps the trajectory of runs: which steps were taken, how long and how often each ran, and
 * which jobs were completed meanwhile.
 * The storage is the caller's; when it is full the oldest steps make room. */
#ifndef UFLOW_TRACE_H
#define UFLOW_TRACE_H

#include "uflow/observer.h"
#include "uflow/pump.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct uf_trace_entry { /* a step that was left, or a job that was completed in it */
    const uf_flow *flow;
    const char *task;
    const char *step;
    uint32_t ordinal;
    uint32_t ticks;  /* how often its body ran */
    uf_time elapsed; /* logical time since it was entered */
    uf_time left;    /* logical time of leaving it */
    const char *job; /* NULL: it is a step. Else `elapsed` is the real time since the submit, `left` that of its end */
    uf_job_status status;
} uf_trace_entry;

typedef struct uf_trace {
    uf_observer observer;
    const uf_flow *flow;
    uf_trace_entry *entries;
    size_t capacity;
    size_t total; /* entries seen, those that were lost included */
} uf_trace;

/* Adds the trace to the pump's observers. With a `flow`: it is that flow's trajectory, which begins anew with each
 * run and stands after its end. With NULL: every flow's steps, in the order in which they were left, from now on.
 * The struct and `entries` must stay until it is detached. UF_INVALID for no storage; UF_BUSY if it is attached
 * already. On the pump's thread, as all of this. */
uf_status uf_trace_attach(uf_trace *trace, uf_pump *pump, const uf_flow *flow, uf_trace_entry *entries,
                          size_t capacity);

/* UF_INVALID if it is not attached to this pump. What was seen can still be read. */
uf_status uf_trace_detach(uf_trace *trace, uf_pump *pump);

/* How many steps are there to read, and how many more were seen before those. */
size_t uf_trace_count(const uf_trace *trace);
size_t uf_trace_lost(const uf_trace *trace);

/* The step of that index, the oldest being 0; NULL from uf_trace_count() on. Valid until the next step of those
 * traced. */
const uf_trace_entry *uf_trace_at(const uf_trace *trace, size_t index);

#ifdef __cplusplus
}
#endif
#endif
