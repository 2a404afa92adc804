/* observer.h - optional callbacks that see everything a pump does.
 *
 * Called on the pump's thread, with no lock held, in the order of the observers. They may call the read-only
 * functions of flow.h, and start or cancel flows; with none attached a transition pays one predictable branch. Texts
 * and structs are valid during the call only. Idle is the last thing that a flow becomes: in flow_ended it still
 * counts as running.
 *
 * How long runs, tasks, steps and bodies take is measured if an observer gives room for it: see uf_run_times. */
#ifndef UFLOW_OBSERVER_H
#define UFLOW_OBSERVER_H

#include "uflow/base.h"
#include "uflow/flow.h"
#include "uflow/job.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bodies that were timed, as body_ran tells; each run of a body counts. All 0: none was. */
typedef struct uf_body_times {
    uint32_t count;
    uf_time min, max, mean, total;
} uf_body_times;

/* What was measured of a run so far. In real time, which is uf_pump_real_now(), unless it says more. */
typedef struct uf_run_times {
    uf_time wall;                        /* since its first turn */
    uf_time elapsed;                     /* the same in logical time */
    uf_time in_task;                     /* since its task was entered: by the start, or by `become` */
    uf_time in_step;                     /* since the step was entered */
    uf_time in_jobs;                     /* of all jobs that were completed, each from its submit on */
    uf_body_times step;                  /* the bodies of the step; */
    uf_body_times all;                   /* ... of all steps; */
    uf_body_times worst;                 /* ... of that step, of those that were left, in which the longest one ran: */
    const char *worst_task, *worst_step; /* "": none was timed */
} uf_run_times;

/* Room for one flow, all zero at first; its members are the runtime's. */
typedef struct uf_run_record {
    void *flow; /* NULL: it is free */
    uint32_t run;
    bool running;
    uf_time began;            /* real time */
    uf_time task_at, step_at; /* after it */
    uf_time logical_began;
    uf_run_times times;
} uf_run_record;

typedef struct uf_step_change {
    const char *task;          /* of the step that is left */
    const char *from;          /* the step that is left */
    const char *to;            /* the step entered, of this task or, after `become`, of the next one; "" at the end */
    const char *to_task;       /* "" at the end */
    const char *description;   /* what `describe` said, or "" */
    uint32_t ordinal;          /* of the step that is left */
    uf_time elapsed;           /* logical time since it was entered */
    uint32_t ticks;            /* how often its body ran: 1 and once more for each `stay` */
    const uf_run_times *times; /* to the end of the step that is left; NULL: it was not measured */
} uf_step_change;

typedef struct uf_flow_end {
    const char *task; /* in which it ended */
    uf_outcome outcome;
    const char *reason;        /* "" unless failed or cancelled */
    uint32_t ordinal;          /* of its last step */
    const uf_run_times *times; /* of all of it; NULL: it was not measured */
} uf_flow_end;

typedef struct uf_post_event {
    const char *file; /* the place of the call; "" and 0 if none was given */
    int line;
    const char *caller;
    uf_time waited; /* real time from the call until it was run */
    uf_time took;   /* ... and until it had returned */
    bool blocking;  /* uf_post_wait() */
} uf_post_event;

typedef struct uf_job_event {
    const char *job; /* its name in the task */
    const char *worker;
    const char *step;     /* in which the flow is */
    uf_job_status status; /* what became of it; UF_JOB_PENDING if it was submitted, or abandoned */
    const char *reason;   /* "" if there is none; of one that was rejected: why */
    uf_time waited;       /* real time since the submit */
    uint32_t in_flight;   /* of this flow, this one included if it still is */
} uf_job_event;

typedef struct uf_slow_step {
    const char *task;
    const char *step;
    uint32_t line;
    uf_time took; /* real time */
} uf_slow_step;

typedef struct uf_slow_round {
    uint64_t number;     /* of the round, as uf_pump_rounds() counts */
    uf_time took;        /* real time, with everything in it */
    uf_time steps;       /* of that, in steps: the rest was posts, hooks, observers and the pump's own */
    uint32_t turns;      /* how many steps ran */
    uint32_t posts;      /* how many posts */
    uf_time longest;     /* of one step, or one post, which was: */
    const uf_flow *flow; /* NULL: a post, or its flow is gone */
    const char *task;    /* "": a post */
    const char *step;
    const char *file; /* of a post: the place of the call; "" and 0 if none was given */
    int line;
    const char *caller;
} uf_slow_round;

struct uf_stop_report; /* stop.h */

typedef struct uf_observer {
    void *context; /* handed to each callback */
    /* At the first turn of a run (or its cancelling before it): exactly one for every successful start. */
    void (*flow_started)(void *context, const uf_flow *flow);
    /* At each next, become and end; `stay` is no change. */
    void (*step_changed)(void *context, const uf_flow *flow, const uf_step_change *change);
    /* uf_flow_fail() or UF_CHECK() failed a step; before its step_changed. */
    void (*step_failed)(void *context, const uf_flow *flow, const char *step, const char *reason);
    void (*flow_ended)(void *context, const uf_flow *flow, const uf_flow_end *end);
    /* One run of a body, in real time: only where the pump was given a monotonic clock. With a runtime: where `time_bodies`,
     * `slow_step` or `slow_round` is set. */
    void (*body_ran)(void *context, const uf_flow *flow, const char *step, uf_time took);
    /* A post has been run. */
    void (*posted)(void *context, const uf_post_event *post);
    /* The runtime is driven by the thread of another one, of this name, from now on; "": by its own again. */
    void (*linked)(void *context, const char *driver);
    /* A signal with a name has fired, or a checkpoint was resumed, and so many flows of this pump go on. */
    void (*signal_fired)(void *context, const char *name, uint32_t released);
    /* A flow stands at an armed checkpoint. */
    void (*checkpoint_parked)(void *context, const uf_flow *flow, const char *name);
    /* A job was handed to the pool. */
    void (*job_submitted)(void *context, const uf_flow *flow, const uf_job_event *event);
    /* Its flow knows what became of it: done, failed, timed out, or rejected by the pool after all. */
    void (*job_completed)(void *context, const uf_flow *flow, const uf_job_event *event);
    /* Cleared, submitted anew, or its task left, while it was pending. */
    void (*job_abandoned)(void *context, const uf_flow *flow, const uf_job_event *event);
    /* It was not handed to the pool. */
    void (*job_rejected)(void *context, const uf_flow *flow, const uf_job_event *event);
    /* A step has run for longer than the configured limit, each time; one that failed is told by step_failed alone. Also one
     * that only had its wait looked at: conditions are code as well. Before what comes of the step. */
    void (*slow_step)(void *context, const uf_flow *flow, const uf_slow_step *slow);
    /* A job has been in flight for longer than the limit, once for each: as soon as that is so (UF_JOB_PENDING), or when
     * its worker has returned, if nobody could look before. One that nobody waits for any more while its worker is still
     * at it has UF_JOB_NONE, no name, and its flow's present step. */
    void (*slow_job)(void *context, const uf_flow *flow, const uf_job_event *event);
    /* One round in which something was done, in real time and with everything in it: a step has run or its wait was looked
     * at, a run has ended, or a post was run. At its end; only where body_ran is told. */
    void (*round_ran)(void *context, uf_time took);
    /* A round has taken longer than the limit. At its end. */
    void (*slow_round)(void *context, const uf_slow_round *round);
    /* An ordered stop has come to a phase. */
    void (*stopping)(void *context, const struct uf_stop_report *so_far);
    struct uf_observer *next; /* the pump's: zero before it is added */
    /* Room in which runs are measured that begin from now on, for all observers: zeroed, and there until this one is removed.
     * NULL and 0: none. A flow keeps its place after its run, until there is no other one for a flow that begins; one that
     * finds none is not measured. Where several give room, the first one that has some. */
    uf_run_record *runs;
    size_t run_capacity;
    const uf_flow *runs_of; /* it is for this flow alone; NULL: for any */
} uf_observer;

/* What was measured of the flow's current run, up to now, or of its last one. False, and nothing is filled in: it was not.
 * On the pump's thread. */
bool uf_flow_times(const uf_flow *flow, uf_run_times *times);

#ifdef __cplusplus
}
#endif
#endif
