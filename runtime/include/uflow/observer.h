/* SPDX-License-Identifier: MIT */
/* observer.h - optional callbacks that see everything a pump does.
 *
 *   static void ended(void *context, const uf_flow *flow, const uf_flow_end *end) { ... }
 *   static uf_observer observer = {.flow_ended = ended};
 *   uf_pump_add_observer(&pump, &observer);
 *
 * The runtime calls observers on the pump's thread, in the order in which they were added, with no lock held. They may
 * read, start and cancel flows. They must not destroy the flow of the call, nor an object that it waits for. Texts and
 * structs are valid during the call only. */
#ifndef UFLOW_OBSERVER_H
#define UFLOW_OBSERVER_H

#include "uflow/job.h"

UF_C_BEGIN

/* The times of bodies that were timed, in real time; each run of a body counts. All 0: none was timed. */
typedef struct uf_body_times {
    uint32_t count;
    uf_time min, max, mean, total;
} uf_body_times;

/* The times of a run so far, in real time. Runs are measured while an observer gives room with `runs`. */
typedef struct uf_run_times {
    uf_time wall;                        /* since its first turn */
    uf_time elapsed;                     /* the same in logical time */
    uf_time in_task;                     /* since its task was entered, by the start or by `become` */
    uf_time in_step;                     /* since the step was entered */
    uf_time in_jobs;                     /* in completed jobs, each from its submit on */
    uf_body_times step;                  /* the bodies of the step */
    uf_body_times all;                   /* the bodies of all steps */
    uf_body_times worst;                 /* bodies of the step that had the longest body */
    const char *worst_task, *worst_step; /* that step; "": no body was timed */
} uf_run_times;

/* Room to measure one flow. Zero it before use. The members are private.
 * Lifetime: see `runs` in uf_observer. */
typedef struct uf_run_record {
    void *flow; /* NULL: it is free */
    uint32_t run;
    bool running;
    uf_time began;            /* real time */
    uf_time task_at, step_at; /* since `began` */
    uf_time logical_began;
    uf_run_times times;
} uf_run_record;

/* A transition. */
typedef struct uf_step_change {
    const char *task;          /* of the step left */
    const char *from;          /* the step left */
    const char *to;            /* the step entered; "" at the end of the run */
    const char *to_task;       /* its task: another one after `become`; "" at the end of the run */
    const char *description;   /* the text of `describe`, or "" */
    uint32_t ordinal;          /* number of the step left, from 0 */
    uf_time elapsed;           /* logical time in the step left */
    uint32_t ticks;            /* how often its body ran: 1, and one more per `stay` */
    const uf_run_times *times; /* to the end of the step left; NULL: the run is not measured */
} uf_step_change;

/* The end of a run. The flow still counts as running. */
typedef struct uf_flow_end {
    const char *task; /* the last task */
    uf_outcome outcome;
    const char *reason;        /* "" unless failed or cancelled */
    uint32_t ordinal;          /* number of the last step, from 0 */
    const uf_run_times *times; /* of the whole run; NULL: it was not measured */
} uf_flow_end;

/* A post that runs, or has run. */
typedef struct uf_post_event {
    const char *file; /* the place of the call; "" and 0: not known */
    int line;
    const char *caller;
    uf_time waited; /* real time from the call until the function began */
    uf_time took;   /* real time in the function; 0: it begins */
    bool blocking;  /* posted with uf_post_wait() */
} uf_post_event;

/* An event of a job. */
typedef struct uf_job_event {
    const char *job;      /* its name in the task; "": it was abandoned */
    int32_t index;        /* of an element of an array; -1: it is no array */
    const char *worker;   /* the worker function */
    const char *step;     /* the present step of the flow */
    uf_job_status status; /* UF_JOB_PENDING if it was submitted, abandoned, or is slow; else its result */
    const char *reason;   /* "": there is none */
    uf_time waited;       /* real time since the submit */
    uint32_t in_flight;   /* jobs of this flow in flight, this one included if it still is */
} uf_job_event;

/* A step that took longer than the limit. */
typedef struct uf_slow_step {
    const char *task;
    const char *step;
    uint32_t line;
    uf_time took; /* real time in the body */
} uf_slow_step;

/* A round that took longer than the limit, and its longest step or post. Times are real time. */
typedef struct uf_slow_round {
    uint64_t number;     /* of the round, as uf_pump_rounds() counts */
    uf_time took;        /* in everything */
    uf_time steps;       /* in steps; the rest is posts, hooks, observers and the pump itself */
    uint32_t turns;      /* how many steps ran */
    uint32_t posts;      /* how many posts ran */
    uf_time longest;     /* in the longest step or post, which the members below name */
    const uf_flow *flow; /* NULL: a post, or the flow was detached */
    const char *task;    /* "": a post */
    const char *step;
    const char *file; /* the place of the post; "" and 0: not known, or a step */
    int line;
    const char *caller;
} uf_slow_round;

struct uf_stop_report; /* stop.h */

/* An observer. Every callback may be NULL. With no observer a transition costs one predictable branch.
 * Lifetime: you own it. It must stay valid until it is removed. */
typedef struct uf_observer {
    void *context; /* the first argument of each callback */
    /* A run began: its first turn, or its cancel before that turn. Called exactly once per successful start. */
    void (*flow_started)(void *context, const uf_flow *flow);
    /* The run of a durable flow goes on in this process, in place of flow_started: it is at its step, held until
     * uf_store_release(). `times`: how often it was restored in this step. */
    void (*flow_restored)(void *context, const uf_flow *flow, uint32_t times);
    /* A step of `by` has started a run of `flow`, which begins in a later turn. An await that runs it does so, too. */
    void (*run_requested)(void *context, const uf_flow *by, const uf_flow *flow);
    /* The flow left a step by `next`, `become` or the end of the run. `stay` is no change. */
    void (*step_changed)(void *context, const uf_flow *flow, const uf_step_change *change);
    /* uf_flow_fail() or UF_CHECK() failed a step. Called before step_changed. */
    void (*step_failed)(void *context, const uf_flow *flow, const char *step, const char *reason);
    /* A body ended with an await or a timed `stay`, whose arms are set. `polls`: its conditions are evaluated in each
     * round. */
    void (*wait_began)(void *context, const uf_flow *flow, bool polls);
    /* A wait was decided, or the flow failed in it. The step change follows. The body of a timed `stay` runs again
     * without this call. */
    void (*wait_ended)(void *context, const uf_flow *flow);
    /* A handler of the flow or its task has decided: `on SIGNAL`, `on timeout`, or a failed companion of `with run`. It
     * is flow->type->preempts[handler]; of companions of an array, only the row of the first one is filled in. A wait
     * ends without wait_ended. The step change or the end follows. */
    void (*handler_decided)(void *context, const uf_flow *flow, uint32_t handler);
    /* The flow stands: it is paused, or a flow that runs it is. After its `on pause`; maybe before its first turn. */
    void (*flow_paused)(void *context, const uf_flow *flow);
    /* It goes on, before its `on resume`, or a cancel ends it. */
    void (*flow_resumed)(void *context, const uf_flow *flow);
    /* What the store has of a durable flow: a step or an end waits for a commit, is kept, or cannot be kept; a restored
     * flow is held, in place of flow_started, and a stop has suspended a run. */
    void (*keeping_changed)(void *context, const uf_flow *flow, uf_keeping keeping);
    /* A run ended. */
    void (*flow_ended)(void *context, const uf_flow *flow, const uf_flow_end *end);
    /* A body ran, for `took` of real time. Needs the `monotonic` clock of a pump, or `time_bodies`, `slow_step` or
     * `slow_round` of a runtime. */
    void (*body_ran)(void *context, const uf_flow *flow, const char *step, uf_time took);
    /* A post that was made while the pump had an observer is about to run. If it never returns, this event names it.
     * There is none for the call itself, which is made on another thread, `waited` before. */
    void (*post_began)(void *context, const uf_post_event *post);
    /* The same post has run. */
    void (*posted)(void *context, const uf_post_event *post);
    /* The runtime is now driven by the thread of the runtime `driver`; "": by its own thread again. */
    void (*linked)(void *context, const char *driver);
    /* A signal with a name fired, or a checkpoint was resumed; `released` flows of this pump continue. */
    void (*signal_fired)(void *context, const char *name, uint32_t released);
    /* A step of `by` has fired a signal that flows of its runtime wait for, or sent to a mailbox of `to`. NULL: it is
     * no mailbox. The release follows in a later round. Not called on a caller-driven pump. */
    void (*sent)(void *context, const uf_flow *by, const char *name, const uf_flow *to);
    /* A flow is stopped at an armed checkpoint. */
    void (*checkpoint_parked)(void *context, const uf_flow *flow, const char *name);
    /* A step of `by` has armed a checkpoint with uf_checkpoint_try_arm(). Not called on a caller-driven pump. */
    void (*checkpoint_armed)(void *context, const uf_flow *by, const char *name);
    /* A step of `by` has resumed a checkpoint at which flows of its runtime are stopped. The release follows in a later
     * round. Not called on a caller-driven pump. */
    void (*checkpoint_resumed)(void *context, const uf_flow *by, const char *name);
    /* A job was passed to the pool. */
    void (*job_submitted)(void *context, const uf_flow *flow, const uf_job_event *event);
    /* A job ended for its flow: done, failed, timed out, or rejected after its submit. */
    void (*job_completed)(void *context, const uf_flow *flow, const uf_job_event *event);
    /* A pending job was cleared or submitted again, or its task ended. */
    void (*job_abandoned)(void *context, const uf_flow *flow, const uf_job_event *event);
    /* A job was rejected at its submit. */
    void (*job_rejected)(void *context, const uf_flow *flow, const uf_job_event *event);
    /* A body, or the conditions of a wait, took longer than `slow_step`. Called each time, before the result of
     * the step. Not called for a step that failed. */
    void (*slow_step)(void *context, const uf_flow *flow, const uf_slow_step *slow);
    /* A job is in flight for longer than `slow_job`. Called once per job, with UF_JOB_PENDING; with UF_JOB_NONE
     * and no name if it was abandoned. */
    void (*slow_job)(void *context, const uf_flow *flow, const uf_job_event *event);
    /* A round in which something was done took `took` of real time. Called at its end, where body_ran is called. */
    void (*round_ran)(void *context, uf_time took);
    /* A round took longer than `slow_round`. Called at its end. */
    void (*slow_round)(void *context, const uf_slow_round *round);
    /* A stop has reached another phase, or lasts for another second of real time in this one. */
    void (*stopping)(void *context, const struct uf_stop_report *so_far);
    struct uf_observer *next; /* private; in uf_runtime_config.observers it links the list */
    /* Room to measure runs, for all observers: an array of zeroed records that must stay valid until this observer
     * is removed. NULL and 0: no room. A run that finds no free record when it begins is not measured. If several
     * observers give room, the first one with a free record is used. */
    uf_run_record *runs;
    size_t run_capacity;
    const uf_flow *runs_of; /* the room is for this flow only; NULL: for any */
    /* The observer does not need `elapsed` of a transition. If no observer needs it, a runtime reads no clock for it,
     * and counts from the times at which rounds began. Set it before you add the observer. */
    bool untimed;
} uf_observer;

/* Reads the times of the current run up to now, or of the last run.
 * Thread: the pump's.
 * Returns: true; false, and nothing is filled in: the run was not measured. */
bool uf_flow_times(const uf_flow *flow, uf_run_times *times);

UF_C_END
#endif
