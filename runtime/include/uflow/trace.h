/* SPDX-License-Identifier: MIT */
/* trace.h - an observer that records the steps of runs, and the jobs, signals and other events between them.
 *
 *   static uf_trace_entry entries[256];
 *   static uf_trace trace;
 *   uf_trace_attach(&trace, &pump, &picker.uf, entries, 256);        NULL for the flow: all flows
 *   ...
 *   for (size_t i = 0; i < uf_trace_count(&trace); i++) puts(uf_trace_at(&trace, i)->step);
 */
#ifndef UFLOW_TRACE_H
#define UFLOW_TRACE_H

#include "uflow/pump.h"

UF_C_BEGIN

/* The kind of an entry, and the members that it defines. In an entry of no flow, `flow` is NULL, `task` and `step`
 * are "", and `ordinal` is 0. */
typedef enum uf_trace_kind {
    UF_TRACE_STEP,       /* the flow left a step */
    UF_TRACE_JOB,        /* a job was completed: `job`, `status`; `elapsed` is real time since the submit */
    UF_TRACE_CHECKPOINT, /* the flow was stopped at the checkpoint `name` */
    UF_TRACE_SLOW_STEP,  /* `elapsed` is real time in the body */
    UF_TRACE_SLOW_JOB,   /* `job`, or "" if it was abandoned; `status`; `name`: worker function; `elapsed` as above */
    UF_TRACE_SIGNAL,     /* no flow: the signal `name` fired, or the checkpoint was resumed; `ticks` flows continue */
    UF_TRACE_STOPPING,   /* no flow: a stop has reached the phase `name`, `elapsed` after its beginning */
    UF_TRACE_SLOW_ROUND  /* `flow`, `task`, `step` of the longest step; `elapsed` of the round; `ticks`: its turns */
} uf_trace_kind;

/* An entry: an event, and the position of its flow. */
typedef struct uf_trace_entry {
    const uf_flow *flow;
    const char *task;
    const char *step;
    uint32_t ordinal;
    uint32_t ticks;       /* of a step: how often its body ran */
    uf_time elapsed;      /* of a step: logical time since it was entered */
    uf_time wall;         /* of a step: real time since it was entered; 0 if the flow is not measured */
    uf_body_times bodies; /* of a step: how long its bodies ran; all 0 if the flow is not measured */
    uf_time left;         /* logical time of the event */
    const char *job;      /* NULL: no job */
    int32_t index;        /* of a job that is an element of an array; else -1 */
    const char *name;     /* "": no name */
    uf_job_status status;
    uf_outcome outcome; /* of a step: the outcome of the run that ended in it; UF_RUNNING: the run went on */
    uf_trace_kind kind;
} uf_trace_entry;

/* A trace. A trace of one flow is cleared at the start of each run and keeps the last run; it measures that flow. A
 * trace of all flows records every event in order; it does not measure. The oldest entries make room for new ones.
 * `observer` is public, the other members are private.
 * Lifetime: you own it. It must stay valid until it is detached. */
typedef struct uf_trace {
    uf_observer observer;
    const uf_pump *pump;
    const uf_flow *flow;
    uf_trace_entry *entries;
    size_t capacity;
    size_t total; /* entries seen, including those that were overwritten */
    uf_run_record run;
} uf_trace;

/* Initialises a trace without adding it to a pump. Add `trace->observer` with uf_runtime_add_observer()
 * afterwards. `flow` may be NULL: the trace is of all flows. The pump and the flow may be initialised later.
 * Thread: one at a time, while it is not attached.
 * Returns: UF_OK; UF_INVALID: `trace`, `pump` or `entries` is NULL, or `capacity` is 0.
 * Lifetime: `entries` must stay valid until the trace is detached. */
uf_status uf_trace_init(uf_trace *trace, uf_pump *pump, const uf_flow *flow, uf_trace_entry *entries, size_t capacity);

/* Initialises a trace and adds it to a pump.
 * Thread: the pump's.
 * Returns: UF_OK; UF_BUSY: it is attached already; UF_INVALID: as uf_trace_init(), or the pump was never initialised.
 * Lifetime: `trace` and `entries` must stay valid until it is detached. Names of flows, signals and checkpoints must
 * stay valid while you read the entries. */
uf_status uf_trace_attach(uf_trace *trace, uf_pump *pump, const uf_flow *flow, uf_trace_entry *entries,
                          size_t capacity);

/* Detaches a trace. Its entries can still be read.
 * Thread: the pump's.
 * Returns: UF_OK; UF_INVALID: it is not attached to this pump. */
uf_status uf_trace_detach(uf_trace *trace, uf_pump *pump);

/* Counts the entries that can be read.
 * Thread: the pump's.
 * Returns: a number up to the capacity. */
size_t uf_trace_count(const uf_trace *trace);

/* Counts the entries that were overwritten.
 * Thread: the pump's.
 * Returns: their number. */
size_t uf_trace_lost(const uf_trace *trace);

/* Reads an entry; index 0 is the oldest.
 * Thread: the pump's.
 * Returns: the entry; NULL if `index` is not below uf_trace_count().
 * Lifetime: valid until the next event that the trace records. */
const uf_trace_entry *uf_trace_at(const uf_trace *trace, size_t index);

UF_C_END
#endif
