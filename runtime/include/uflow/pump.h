/* pump.h - a pump drives flows in rounds, on one thread, without locks.
 *
 * A round: (1) real time is taken over, once for everything in it, except that a runtime reads its clock again where a
 * duration begins and where it is asked for the time; (2) the pre-round hook runs; (3) what other threads have sent is
 * delivered: starts, cancels, posts, fires, jobs that have ended; (4) timers that are due fire, in deadline order, ties
 * as they were set; (5) every flow that was runnable when the round began runs exactly one step, first come first
 * served; (6) then those that poll, in their order. What becomes runnable in a round runs in the next. */
#ifndef UFLOW_PUMP_H
#define UFLOW_PUMP_H

#include "uflow/base.h"
#include "uflow/clock.h"
#include "uflow/flow.h"
#include "uflow/job.h"
#include "uflow/observer.h"
#include "uflow/wheel.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct uf_pump_config {
    uf_time start;         /* real time at init, also a negative one; 0 is as good as any */
    uf_time stay_interval; /* real time between rounds while flows only poll; 0: the default of 20 ms */
    uf_time step_interval; /* real time between rounds in which something advanced; 0, the default: none */
    /* Real time now, for observers that ask how long a body or a round took; NULL: they are not timed. Not called without
     * observers. */
    uf_time (*monotonic)(void *context);
    /* Limits in real time, beyond which observers are told; 0: none. The first two need `monotonic`. */
    uf_time slow_step;  /* of one run of a body */
    uf_time slow_round; /* of all that is done in a round */
    uf_time slow_job;   /* of a job, from its submit until its worker has returned */
    /* At the top of each round, also of one without flows: before anything that other threads have sent is delivered,
     * before timers and steps. It may start and cancel flows, and see the round's time. NULL: nothing. */
    void (*pre_round)(void *context);
    /* There is something to be done from now on: a signal was fired that its flows wait for, or a worker of a pool has
     * returned. Called by whoever brings that: a worker's thread, any that fires, an interrupt, or a step of the pump's
     * own. It may end a sleep (write to a descriptor, give a semaphore), and do nothing else with the pump. With no hook,
     * NULL, rounds find it by themselves. Not for a runtime's pump, which sleeps and wakes by itself. */
    void (*wake)(void *context);
    void *context;
    uf_pool *pool;          /* where jobs are worked on (pool.h); NULL: submits are rejected */
    uint32_t jobs_per_flow; /* how many of one flow's may be in flight; 0: 64; UINT32_MAX: no limit */
} uf_pump_config;

/* Something that another thread wants of a pump. */
typedef struct uf_message {
    uf_link link; /* first; `prev` is not NULL, which is what makes it no flow that starts */
    void (*deliver)(uf_pump *pump, struct uf_message *message);
} uf_message;

/* Lists for the arms of flows that wait for a signal whose home is another pump: of how many one is looked through when
 * such a signal fires. */
#define UF_GUEST_LISTS 8

struct uf_pump {
    uf_clock clock;
    uf_link ready;   /* run in the next round, first come first served */
    uf_link polling; /* run in each round after those */
    uf_link flows;   /* all attached ones, in order */
    uf_observer *observers;
    const struct ufi_telling *tell; /* how they are told; NULL: there never was one */
    void *current;                  /* the flow whose turn it is, or was the last in this round; NULL. A word */
    uint32_t measured_runs;         /* that observers have given room for */
    struct ufi_cursor *cursor;      /* how far it is, while observers are told of something */
    uint64_t round;                 /* number of the current or last round, from 1 */
    uf_time rounded;                /* logical time of that round */
    uf_link *next;                  /* where the round goes on, if the flow whose turn it is has left the list; NULL */
    uint32_t running;               /* flows that are not idle and that the pump knows of */
    uint32_t alone;                 /* rounds that the only flow on `ready` may still have at a stretch */
    bool in_round;
    bool walks_ready; /* what becomes ready is put before the flow whose turn it is, otherwise at the end */
    bool advanced;    /* in the last round, and nothing has come from outside since */
    bool measured;    /* observers want to know how long this round takes */
    uf_pump_config config;
    uf_pool *pool;    /* that it uses; NULL: none yet */
    uf_link works;    /* records of jobs in flight */
    uf_link timed;    /* of those, the jobs with a timeout that are pending, the first deadline first */
    uf_link *lasting; /* of `works`, which are in the order of their submits: the first that is not known to be slow */
    uint32_t works_in_flight;
    const struct ufi_jobs
        *jobs; /* what is done about them; NULL: nothing was ever submitted here, and those lists are not there */
    /* What a runtime adds, and other threads touch; all NULL and 0 in a pump that is driven by hand. */
    const struct ufi_host *host;
    void *thread;        /* that drives it at the moment */
    void *inbox;         /* the last message sent, and from there back to the first */
    uf_link *messages;   /* taken out of it in this round, in order, not delivered yet */
    uint32_t abroad;     /* starts and posts that others have begun and the pump has not finished with */
    uint32_t watched;    /* threads that wait for a flow, or for all of them */
    uint32_t inside;     /* other threads that are still using the pump; see ufi_go_inside() */
    uint32_t stopping;   /* a stop has begun: nothing new is accepted ... */
    uint32_t refused;    /* ... and so much was refused */
    uint32_t body_began; /* real time in ms, odd, if this body is timed; 0 */
    /* Signals that have fired. */
    uf_message look;           /* "look at what has fired" */
    uint32_t told;             /* it is on its way */
    uint32_t fired_guests;     /* a bit for each list of guests to be looked through */
    uint32_t guests_in_use;    /* a bit for each one that is not empty */
    uint32_t guest_count;      /* arms on them */
    uf_link fired;             /* signals whose home this is */
    struct uf_pump *next_told; /* of those that a firing thread is about to tell */
    struct uf_pump *other;     /* the next of all pumps */
    uf_arm *guests[UF_GUEST_LISTS];
    /* What is done about arms for a signal, and where a flow stands at checkpoints; NULL: there never was one. */
    void (*leave_signal)(uf_flow *flow, uf_arm *arm);
    bool (*stand)(uf_flow *flow);
    /* An ordered stop (stop.h). */
    struct uf_stop *stop;  /* from its first round on */
    uf_arm *stop_waiters;  /* arms `stopping`: the last of a circular list */
    const uf_flow *joined; /* an await is about to run it: no stop refuses that */
    uf_time round_began;   /* if it is measured; and by whom it was taken so far: */
    uf_slow_round slow;
    uf_wheel wheel;
    /* What a pool of threads leaves for the next submits, and for the end of the round. */
    uf_link *spare;    /* records of jobs that have ended in this round, for the next submits, linked by `next` */
    uf_link submitted; /* places of jobs of this round that the pool has not been given yet */
};

/* `config` may be NULL or zeroed for defaults, is copied. UF_INVALID for negative intervals and limits, for a limit
 * that needs the monotonic clock without it, and for a pool that was not made. The pump is the caller's
 * and must outlive its flows; all functions are for the one thread that drives it, unless they say more.
 *   NULL and zeroed storage are no pump: functions that return a status answer UF_INVALID, times until something are
 * UF_FOREVER, and everything else is 0, NULL or nothing. */
uf_status uf_pump_init(uf_pump *pump, const uf_pump_config *config);

/* UF_BUSY, and nothing happens, while flows are attached. Waits for threads that have fired a signal for one of them, or are
 * in the hook `wake`, and are just leaving the pump: its memory may go only after this. */
uf_status uf_pump_destroy(uf_pump *pump);

/* One round at real time `real`. Returns how long the caller may do something else: 0, call again at once; UF_FOREVER,
 * only when something has happened (a start, a cancel, a clock change). Not from inside a round: returns 0 then. A runtime
 * drives its pump itself (runtime.h): nothing is done then, and UF_FOREVER returned. */
uf_time uf_pump_round(uf_pump *pump, uf_time real);

/* The wait that the last round would return now: to be asked again after a start or a clock change from outside; and where
 * interrupts or other threads fire, in front of a sleep that they end from then on. */
uf_time uf_pump_timeout(uf_pump *pump);

/* Logical time of the earliest timer; UF_FOREVER: none. */
uf_time uf_pump_next_deadline(uf_pump *pump);

/* How many flows are not idle; the number of the current round. */
size_t uf_pump_running(const uf_pump *pump);
uint64_t uf_pump_rounds(const uf_pump *pump);

/* uf_flow_cancel() for every flow that runs. */
void uf_pump_cancel_all(uf_pump *pump);

/* -- logical time: see clock.h -------------------------------------------------------------------------------------- */

/* On a runtime's pump these are for any thread, inside a round and outside, and a change holds from the moment of the call:
 * a pump that sleeps plans anew. A pump that is driven by hand or simulated has the time of its last round, from which a
 * change holds: outside of a round, one that is to hold from a later moment comes after uf_pump_round() at that time. */

/* Of a runtime's pump at this moment; of any other, that of the current or last round. */
uf_time uf_pump_now(const uf_pump *pump);

/* Real time at this moment, which no scale or freeze concerns: of a runtime's pump that of uf_real_now(), for any thread; of
 * any other that of `monotonic` or, without one, the time that the last round was given. */
uf_time uf_pump_real_now(const uf_pump *pump);

/* So many logical seconds pass in a real one from now on, also after uf_pump_resume(). 0 makes time stand without being
 * frozen. UF_INVALID, and nothing changes, for a negative scale, NaN, or more than 2^31. Rounded to 2^-32. */
#if !defined(UF_NO_FLOAT)
uf_status uf_pump_set_scale(uf_pump *pump, double scale);
double uf_pump_scale(const uf_pump *pump);
#endif

/* The same without floating point: in units of 2^-32, so that UINT64_C(1) << 32 is real time. */
uf_status uf_pump_set_scale_fixed(uf_pump *pump, uint64_t scale);

/* Logical time stands from now on, until it is resumed. A flag and not a count: either may be called twice. */
void uf_pump_freeze(uf_pump *pump);
void uf_pump_resume(uf_pump *pump);
bool uf_pump_frozen(const uf_pump *pump);

/* -- flows and observers ------------------------------------------------------------------------------------------ */

/* Attached flows in the order of attachment: the first with `after` NULL, then the one after; NULL after the last. */
uf_flow *uf_pump_next_flow(const uf_pump *pump, const uf_flow *after);

/* Observers see events in the order in which they were added. The struct is the caller's and must stay until removed.
 * Adding one twice is UF_BUSY; it can be with one pump at a time; removing one that is not there is UF_INVALID. May be called
 * by a step or an observer: of the event that observers are just being told of, one that is removed is not told any more,
 * and one that is added, or removed and added again, is not told. */
uf_status uf_pump_add_observer(uf_pump *pump, uf_observer *observer);
uf_status uf_pump_remove_observer(uf_pump *pump, uf_observer *observer);

#ifdef __cplusplus
}
#endif
#endif
