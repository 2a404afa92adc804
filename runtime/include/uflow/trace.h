/* trace.h - an observer that keeps the trajectory of runs: which steps were taken, how long and how often each ran, and
 * which jobs were completed, signals fired, and what else happened meanwhile.
 * The storage is the caller's; when it is full the oldest steps make room. */
#ifndef UFLOW_TRACE_H
#define UFLOW_TRACE_H

#include "uflow/observer.h"
#include "uflow/pump.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What an entry is of, and what its members are then. Of a flow: `flow`, `task`, `step` and `ordinal` are where it is;
 * otherwise they are NULL, "" and 0. */
typedef enum uf_trace_kind {
    UF_TRACE_STEP,       /* a step was left */
    UF_TRACE_JOB,        /* a job was completed: `job`, `status`; `elapsed` is the real time since the submit */
    UF_TRACE_CHECKPOINT, /* the flow stands at `name` */
    UF_TRACE_SLOW_STEP,  /* `elapsed` is what its body took, in real time */
    UF_TRACE_SLOW_JOB, /* `job` or, if nobody waits for it, "", `status`; `name` is its worker; `elapsed`: since the submit */
    UF_TRACE_SIGNAL,   /* of no flow: `name` has fired, or was resumed, and `ticks` flows go on */
    UF_TRACE_STOPPING, /* of no flow: a stop has come to the phase `name`, `elapsed` in real time after it began */
    UF_TRACE_SLOW_ROUND /* where the longest step was, if it was one; `elapsed` is what the round took, `ticks` its turns */
} uf_trace_kind;

typedef struct uf_trace_entry {
    const uf_flow *flow;
    const char *task;
    const char *step;
    uint32_t ordinal;
    uint32_t ticks;       /* of a step: how often its body ran */
    uf_time elapsed;      /* of a step: logical time since it was entered; */
    uf_time wall;         /* ... the same in real time; */
    uf_body_times bodies; /* ... how long its bodies ran. All 0 of a flow that is not measured: see below */
    uf_time left;         /* logical time of the event: of leaving the step */
    const char *job;      /* NULL: none */
    const char *name;     /* "": none */
    uf_job_status status;
    uf_outcome outcome; /* of a step: how the run ended with it; UF_RUNNING: it went on */
    uf_trace_kind kind;
} uf_trace_entry;

typedef struct uf_trace {
    uf_observer observer;
    const uf_pump *pump;
    const uf_flow *flow;
    uf_trace_entry *entries;
    size_t capacity;
    size_t total; /* entries seen, those that were lost included */
    uf_run_record
        run; /* of the flow: a trace of all gives no room to be measured in (observer.h), another observer may */
} uf_trace;

/* Makes the struct a trace, and adds it nowhere: that is done by uf_runtime_add_observer(runtime, &trace.observer), from any
 * thread. Not while it is attached. The pump and the flow are only noted here, and may be initialised later. For the
 * rest see below. */
uf_status uf_trace_init(uf_trace *trace, uf_pump *pump, const uf_flow *flow, uf_trace_entry *entries, size_t capacity);

/* Both at once: adds the trace to the pump's observers. With a `flow`: it is that flow's trajectory, which begins anew with each
 * run and stands after its end. With NULL: all that happens from now on, in its order, also what is no flow's. Texts stay
 * the owners': the names of flows, signals and checkpoints have to be there as long as entries are read.
 * The struct and `entries` must stay until it is detached. UF_INVALID for no storage; UF_BUSY if it is attached
 * already. On the pump's thread, as all of this. */
uf_status uf_trace_attach(uf_trace *trace, uf_pump *pump, const uf_flow *flow, uf_trace_entry *entries,
                          size_t capacity);

/* UF_INVALID if it is not attached to this pump. What was seen can still be read. */
uf_status uf_trace_detach(uf_trace *trace, uf_pump *pump);

/* How many entries are there to read, and how many more were seen before those. */
size_t uf_trace_count(const uf_trace *trace);
size_t uf_trace_lost(const uf_trace *trace);

/* The entry of that index, the oldest being 0; NULL from uf_trace_count() on. Valid until the next event of those
 * traced. */
const uf_trace_entry *uf_trace_at(const uf_trace *trace, size_t index);

#ifdef __cplusplus
}
#endif
#endif
