/* SPDX-License-Identifier: MIT */
/* stop.h - graceful shutdown of everything that a pump runs, in phases, with a report.
 *
 *   uf_stop stop;
 *   uf_pump_stop(&pump, &stop, UF_S(2));                a caller-driven pump: rounds carry the stop on
 *   while (!uf_pump_stopped(&pump)) board_sleep(uf_pump_round(&pump, board_now()));
 *
 * A runtime is stopped by uf_runtime_stop() (runtime.h), a simulation by uf_simulate_stop() (simulate.h). */
#ifndef UFLOW_STOP_H
#define UFLOW_STOP_H

#include "uflow/flow.h"

UF_C_BEGIN

/* The phases of a stop. Each ends as soon as nothing is left to wait for. The grace period is real time. */
typedef enum uf_stop_phase {
    UF_STOP_NONE = 0,
    /* Starts, posts, calls and mail are refused, and arms `stopping` are ready. Tasks may end by themselves, for
     * half of the grace period. `forever` tasks are not waited for. */
    UF_STOP_ENDING,
    /* Running tasks are cancelled and their `on exit` runs. Then the `shutdown` task of each flow runs, if its init
     * has ended. The task of a flow runs before the tasks of its sub-flows. Logical time runs at scale 1 from here on.
     * The phase may use all remaining time, or half of it while jobs are running. */
    UF_STOP_SHUTTING_DOWN,
    /* Queued jobs were dropped with their tasks. The stop waits for running jobs, and abandons them after the
     * grace period. */
    UF_STOP_JOBS,
    /* Nothing runs. */
    UF_STOP_OVER
} uf_stop_phase;

/* The lower-case text of a phase, such as "shutting down".
 * Thread: any, with every pump.
 * Returns: a constant text; "unknown phase" for any other number. */
const char *uf_stop_phase_text(uf_stop_phase phase);

/* How many names a report has at most, and the size of each in bytes; longer names are truncated. */
#define UF_STOP_NAMES     8
#define UF_STOP_NAME_SIZE 96

/* The result of a stop. `names` lists the first UF_STOP_NAMES flows, tasks or worker functions that failed, were
 * cut off or were left behind. It also lists `shutdown` tasks that did not run, since the init of their flow had not
 * ended. */
typedef struct uf_stop_report {
    uf_stop_phase phase;   /* the phase that the stop has reached */
    uf_time took;          /* real time since it began */
    uint32_t refused;      /* starts, calls, posts and items of mail */
    uint32_t ended;        /* tasks that ended by themselves */
    uint32_t cancelled;    /* tasks that were cancelled */
    uint32_t shut_down;    /* `shutdown` tasks that were done */
    uint32_t failed;       /* `shutdown` tasks that failed; named */
    uint32_t cut_off;      /* `shutdown` tasks that had no time, or not enough; named */
    uint32_t jobs_dropped; /* jobs that had not begun */
    uint32_t jobs_ended;   /* running jobs that returned in UF_STOP_JOBS */
    uint32_t jobs_left;    /* running jobs that did not; named */
    uint32_t suspended;    /* runs of durable flows that go on when their store is restored */
    uint32_t stuck; /* flows still running because a step, a hook or a post does not return; named with the step */
    uint32_t named; /* how many `names` there are */
    char names[UF_STOP_NAMES][UF_STOP_NAME_SIZE]; /* such as "line.link: Close: cut off" */
} uf_stop_report;

/* A stop of a caller-driven pump. Only `report` is for you, once uf_pump_stopped() is true; the other members are
 * private.
 * Lifetime: you own it; see uf_pump_stop(). */
typedef struct uf_stop {
    const struct ufi_stop_hooks *hooks;
    uf_stop_phase phase;
    bool pass;            /* tasks have had a round to see `stopping` */
    bool cut;             /* no more time for `shutdown` tasks */
    uint32_t finite;      /* running tasks that are not `forever` */
    uf_time began, until; /* real time: the beginning and the end of the grace period */
    uf_time limit;        /* real time: the end of this phase */
    uf_time told;         /* real time: observers were notified of the phase */
    uint32_t jobs;        /* in flight when the phase UF_STOP_JOBS began */
    uf_stop_report report;
} uf_stop;

/* Begins a graceful shutdown of a caller-driven pump, with `grace` of real time. Rounds carry it on.
 * Thread: the pump's.
 * Returns: UF_OK: it has begun; UF_BUSY, and nothing happens: a stop has begun before; UF_INVALID: an argument is
 * NULL, or the pump was never initialised; UF_UNSUPPORTED: the pump belongs to a runtime.
 * Lifetime: `stop` must stay valid until uf_pump_restart(), or until the pump is destroyed. */
uf_status uf_pump_stop(uf_pump *pump, uf_stop *stop, uf_time grace);

/* Tells whether the stop of a caller-driven pump has ended. Its report is complete then.
 * Thread: the pump's.
 * Returns: true from the phase UF_STOP_OVER until uf_pump_restart(). */
bool uf_pump_stopped(const uf_pump *pump);

/* Makes a stopped, caller-driven pump accept starts again. A runtime uses uf_runtime_start().
 * Thread: the pump's.
 * Returns: UF_OK; UF_BUSY: the stop has not ended; UF_INVALID: no stop has begun. */
uf_status uf_pump_restart(uf_pump *pump);

/* Tells whether a stop has begun, which is what the arm `stopping` waits for.
 * Thread: any, with every pump.
 * Returns: true from the beginning of the stop until the restart. */
bool uf_pump_stopping(const uf_pump *pump);

UF_GUARDED(STOP, uf_pump_restart)
UF_GUARDED(STOP, uf_pump_stop)

UF_C_END
#endif
