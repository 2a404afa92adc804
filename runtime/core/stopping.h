/* stopping.h - what the rest of core tells an ordered stop; only while there is one (pump->stop). See stop.c. */
#ifndef UFLOW_STOPPING_H
#define UFLOW_STOPPING_H

#include "core.h"

/* In a flow's `policy`: this stop has seen to its `shutdown` task. */
#define UFI_SHUT 0x80u

/* On the pump's thread: the first phase begins, as if at `began` in real time. `at_once`: tasks have no time to end. */
void ufi_stop_begin(uf_pump *pump, uf_stop *stop, uf_time began, uf_time grace, bool at_once);

/* After a stop, which the pump forgets. */
void ufi_stop_forget(uf_pump *pump);

/* What turns and rounds tell it. A stop has it with it, so that programs without one are linked without all this. */
struct ufi_stopping {
    /* At the top of a round: on to the phase that it is time for. */
    void (*round)(uf_pump *pump);
    /* The real time at which there has to be a round at the latest, for the sake of the stop. */
    uf_time (*next)(const uf_pump *pump);
    /* A run has begun in `state`, has become another task, is over. */
    void (*began)(uf_flow *flow, uint32_t state);
    void (*became)(uf_flow *flow, uint32_t from, uint32_t to);
    void (*ended)(uf_flow *flow, uint32_t state, uf_outcome outcome);
};

/* A job was taken out of its queue. */
static inline void ufi_stop_dropped(uf_pump *pump)
{
    pump->stop->report.jobs_dropped++;
}

/* Names something in the report: `name: what`, or `name: task: what`. */
void ufi_stop_name(uf_stop_report *report, const char *name, const char *task, const char *what);

/* What a stop comes to, by its report. */
uf_status ufi_stop_status(const uf_stop_report *report);

/* Something new is refused. */
uf_status ufi_refuse(uf_pump *pump);

/* A flow that is idle begins a run at an entry, although nothing is accepted; false: it was not idle. (flow.c) */
bool ufi_begin_at(uf_flow *flow, uint32_t entry);

/* Do the sub-flows of `whole` include this one? (flow.c) */
bool ufi_lies_inside(const uf_flow *flow, const uf_flow *whole);

#endif
