/* stop.h - the ordered end of all that a pump runs: five phases, and a report of what became of everything.
 *
 *   1, 2  ending         nothing new is accepted: starts, posts, calls and mail are refused; arms `stopping` are ready. Tasks end
 *                        by themselves, in half of the grace at most. Those that are `forever` are not waited for.
 *   3     shutting down  what still runs is cancelled, its `on exit` runs; then the flow's `shutdown` task does, that of a flow
 *                        before those of the flows in it. A running task may still `run` others. Logical time runs at
 *                        scale 1 from here on. All of the time that is left; half of it if workers are at their jobs.
 *   4     jobs           jobs that wait have been dropped with their tasks; workers that run are waited for, then left behind
 *   5     over           nothing runs, and the thread ends
 *
 * A phase is over as soon as there is nothing more to wait for, so a stop takes no longer than it has to. The grace is real
 * time: a clock that is frozen does not hold it up. What had to be cut off or left behind is counted and named.
 * With a runtime: uf_runtime_stop() (runtime.h). In virtual time: uf_simulate_stop() (simulate.h). */
#ifndef UFLOW_STOP_H
#define UFLOW_STOP_H

#include "uflow/base.h"
#include "uflow/flow.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum uf_stop_phase {
    UF_STOP_NONE = 0,
    UF_STOP_ENDING,
    UF_STOP_SHUTTING_DOWN,
    UF_STOP_JOBS,
    UF_STOP_OVER
} uf_stop_phase;

/* A constant, lower-case text for a phase ("shutting down"). Any thread. */
const char *uf_stop_phase_text(uf_stop_phase phase);

/* So many things are named in a report, the first ones; each name is cut to this size. */
#define UF_STOP_NAMES     8
#define UF_STOP_NAME_SIZE 96

typedef struct uf_stop_report {
    uf_stop_phase phase;   /* that it has come to */
    uf_time took;          /* real time since it began */
    uint32_t refused;      /* starts, calls, posts, mail */
    uint32_t ended;        /* tasks that ended by themselves */
    uint32_t cancelled;    /* tasks that did not */
    uint32_t shut_down;    /* `shutdown` tasks that were done */
    uint32_t failed;       /* `shutdown` tasks that failed; named */
    uint32_t cut_off;      /* `shutdown` tasks that had no time, or not enough; named */
    uint32_t jobs_dropped; /* that no worker had begun */
    uint32_t jobs_ended;   /* whose workers were waited for, and returned */
    uint32_t jobs_left;    /* whose workers had not returned; named */
    uint32_t stuck; /* flows that still run, because a step, a hook or a post does not return; named, as is the step */
    uint32_t named; /* how many `names` there are */
    char names[UF_STOP_NAMES][UF_STOP_NAME_SIZE]; /* "line.link: Close: cut off" */
} uf_stop_report;

/* A stop of a pump that is driven by hand; its members are the runtime's. */
typedef struct uf_stop {
    const struct ufi_stop_hooks *hooks;
    uf_stop_phase phase;
    bool pass;            /* tasks have had a round to see `stopping` */
    bool cut;             /* no more time for `shutdown` tasks */
    uint32_t finite;      /* tasks that run and are not `forever` */
    uf_time began, until; /* real time of the pump's clock; `until`: the end of all of the grace */
    uf_time limit;        /* of this phase */
    uint32_t jobs;        /* in flight when they were waited for */
    uf_stop_report report;
} uf_stop;

/* Begins a stop; rounds carry it on, until it is over. `stop` is the caller's and must stay until uf_pump_restart(). UF_BUSY, and
 * nothing happens, if one has begun; UF_INVALID for a NULL; UF_UNSUPPORTED: the pump is a runtime's. */
uf_status uf_pump_stop(uf_pump *pump, uf_stop *stop, uf_time grace);

/* Has it come to its end? Its report is whole then. */
bool uf_pump_stopped(const uf_pump *pump);

/* After a stop: starts are accepted again. UF_BUSY: it is not over; UF_INVALID: there was none. */
uf_status uf_pump_restart(uf_pump *pump);

/* Has one begun? What the arm `stopping` is about. Any thread; also from a step. */
bool uf_pump_stopping(const uf_pump *pump);

#ifdef __cplusplus
}
#endif
#endif
