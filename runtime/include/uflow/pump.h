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

#include "uflow/priv/pump.h" /* struct uf_pump */

#endif
