/* SPDX-License-Identifier: MIT */
/* pump.h - a pump drives flows in rounds, on one thread, without locks.
 *
 *   uf_pump pump;
 *   uf_pump_init(&pump, NULL);
 *   for (;;) board_sleep(uf_pump_round(&pump, board_now()));       your clock and your sleep
 *
 * A round has six phases:
 *   1. it takes over the real time that you pass in;
 *   2. it calls the hook `pre_round`;
 *   3. it delivers what other threads have sent: starts, cancels, posts, fires, and jobs that have ended;
 *   4. it fires the timers that are due, in deadline order, ties in the order in which they were set;
 *   5. every flow that was runnable when the round began runs exactly one step, in FIFO order;
 *   6. the flows that poll run, in their order.
 * A flow that becomes runnable in a round runs in the next. */
#ifndef UFLOW_PUMP_H
#define UFLOW_PUMP_H

#include "uflow/observer.h"

UF_C_BEGIN

/* The configuration of a caller-driven pump. A zeroed member selects its default. With a config file (features.h), it
 * has only the members for what core has. */
typedef struct uf_pump_config {
    UF_WITH(UF_USES_PACE, uf_time start;)          /* real time at init; any value, also a negative one */
    UF_WITH(UF_USES_POLLS, uf_time stay_interval;) /* real time between rounds while flows only poll; 0: 20 ms */
    /* real time between rounds in which a flow advanced; 0: none */
    UF_WITH(UF_USES_PACE, uf_time step_interval;)
    /* Returns real time now. The pump calls it only while it has observers. NULL: bodies and rounds are not timed. */
    UF_WITH(UF_USES_OBSERVERS, uf_time (*monotonic)(void *context);)
    /* Limits of real time, beyond which observers are notified; 0: no limit. The first two need `monotonic`. */
    UF_WITH(UF_USES_OBSERVERS, uf_time slow_step;)  /* of one run of a body */
    UF_WITH(UF_USES_OBSERVERS, uf_time slow_round;) /* of everything in a round */
    UF_WITH(UF_USES_JOBS, uf_time slow_job;) /* of a job, from its submit until its worker function has returned */
    /* Called at the top of each round, before messages, timers and steps. It may start and cancel flows. NULL: no
     * hook. */
    UF_WITH(UF_USES_PACE, void (*pre_round)(void *context);)
    /* Called by the thread or interrupt that brings new work: a fire of a signal that flows of this pump wait for,
     * or the end of a job. Use it to end your sleep, and call nothing of the pump in it. NULL: the next round
     * finds the work. A runtime's pump does not use it. */
    void (*wake)(void *context);
    /* Tells which of these events of a descriptor are ready, or UF_DESCRIPTOR_CLOSED; 0: none. Called when a flow
     * reaches `readable` or `writable`; see uf_pump_ready(). NULL: such an arm always waits for that function. */
    UF_WITH(UF_USES_DESCRIPTORS, int (*poll)(void *context, int fd, int events);)
    void *context;                        /* the argument of the four hooks */
    UF_WITH(UF_USES_JOBS, uf_pool *pool;) /* runs the jobs (pool.h); NULL: submits are rejected */
    UF_WITH(UF_USES_JOBS,
            uint32_t jobs_per_flow;) /* the most jobs of one flow in flight; 0: 64; UINT32_MAX: no limit */
} uf_pump_config;

/* A pump. The members are private. */
typedef struct uf_pump uf_pump;

/* Initialises a pump with a copy of `config`. NULL means the defaults.
 * Thread: the one that will drive it.
 * Returns: UF_OK; UF_INVALID: an interval or limit is negative, a limit needs `monotonic`, the pool was not
 * initialised, or `pump` is NULL.
 * Lifetime: you own the pump. It must not move, and must outlive its flows. */
uf_status uf_pump_init(uf_pump *pump, const uf_pump_config *config);

/* Ends a caller-driven pump. The call waits for threads that have fired a signal for it, or are in the hook `wake`.
 * Thread: the pump's.
 * Returns: UF_OK: you may free its memory; UF_BUSY, and nothing happens: flows are attached; UF_INVALID: it is not a
 * pump, was destroyed before, or belongs to a runtime. */
uf_status uf_pump_destroy(uf_pump *pump);

/* Runs one round at real time `real`. It does nothing for a runtime's pump, which the runtime drives.
 *   `real` must not run backwards: while it is less than before, logical time stands still. Extend a counter of 32
 * bits, which wraps, to 64 bits first.
 *   No exception and no longjmp() may leave a step, a handler or a callback: the next round aborts, with the name of
 * the flow on stderr. So does a round inside a round.
 * Thread: the pump's.
 * Returns: how long you may sleep; 0: call again at once, or the round has ended a stop; UF_FOREVER: only a start, a
 * cancel, a fire or a clock change brings new work, or the pump belongs to a runtime or was never initialised. */
uf_time uf_pump_round(uf_pump *pump, uf_time real);

/* Computes again how long you may sleep. Ask after a start or a clock change outside a round. If interrupts or
 * other threads fire signals, ask just before a sleep that they can end.
 * Thread: the pump's.
 * Returns: as uf_pump_round(). */
uf_time uf_pump_timeout(uf_pump *pump);

/* Finds the earliest timer.
 * Thread: the pump's.
 * Returns: its logical time; UF_FOREVER if no timer is set, or the pump was never initialised. */
uf_time uf_pump_next_deadline(uf_pump *pump);

/* Counts the flows that are not idle.
 * Thread: any.
 * Returns: their number. A start from another thread counts once its message is delivered. */
size_t uf_pump_running(const uf_pump *pump);

/* Counts rounds.
 * Thread: the pump's.
 * Returns: the number of the current or last round, from 1; 0 before the first. */
uint64_t uf_pump_rounds(const uf_pump *pump);

/* Calls uf_flow_cancel() for every running flow. Other threads use uf_runtime_cancel_all().
 * Thread: the pump's. */
void uf_pump_cancel_all(uf_pump *pump);

/* -- logical time -------------------------------------------------------------------------------------------------- */

/* Reads logical time.
 * Thread: any.
 * Returns: logical time at this moment on a runtime's pump; on any other, that of the current or last round. */
uf_time uf_pump_now(const uf_pump *pump);

/* Reads real time, which is neither scaled nor frozen.
 * Thread: any.
 * Returns: uf_real_now() on a runtime's pump; on any other, the result of `monotonic` or, without one, the time
 * passed to the last round. */
uf_time uf_pump_real_now(const uf_pump *pump);

#if !defined(UF_NO_FLOAT)
/* Sets how many logical seconds pass per real second. 0 stops time without freezing it. The scale is rounded to a
 * multiple of 2^-32. A frozen pump keeps it for later.
 *   On a runtime's pump the change takes effect at once. On any other pump it counts from the last round: call
 * uf_pump_round() first if it has to count from a later moment.
 * Thread: any.
 * Returns: UF_OK; UF_INVALID, and nothing changes: `scale` is negative, NaN or above 2^31, or positive and
 * rounded to 0, or `pump` is not a pump. */
uf_status uf_pump_set_scale(uf_pump *pump, double scale);

/* Reads the scale.
 * Thread: any.
 * Returns: logical seconds per real second. */
double uf_pump_scale(const uf_pump *pump);
#endif

/* Sets the scale without floating point, in units of 2^-32: UINT64_C(1) << 32 is real time.
 * Thread: any.
 * Returns: UF_OK; UF_INVALID, and nothing changes: the scale is above 2^31, or `pump` is not a pump. */
uf_status uf_pump_set_scale_fixed(uf_pump *pump, uint64_t scale);

/* Stops logical time. No timer becomes due, and none is lost. A timer that is due already fires in the next round.
 * Flows that wait for other events go on. Freezing is a flag, not a count. The change takes effect as with
 * uf_pump_set_scale().
 * Thread: any. */
void uf_pump_freeze(uf_pump *pump);

/* Lets logical time continue after uf_pump_freeze().
 * Thread: any. */
void uf_pump_resume(uf_pump *pump);

/* Tells whether logical time is frozen.
 * Thread: any.
 * Returns: true between uf_pump_freeze() and uf_pump_resume(). */
bool uf_pump_frozen(const uf_pump *pump);

/* -- file descriptors ---------------------------------------------------------------------------------------------- */

/* Events of a descriptor. A descriptor that has failed or was hung up is both readable and writable: the next read()
 * or write() says why. */
enum {
    UF_READABLE = 1,
    UF_WRITABLE = 2,
    UF_DESCRIPTOR_CLOSED = 4 /* arms that wait for it fail with "closed" */
};

/* The largest descriptor of a caller-driven pump. */
#define UF_DESCRIPTOR_MAX ((1 << 30) - 1)

/* The number of descriptors whose events a caller-driven pump keeps until a flow waits for them. */
#define UF_UNCLAIMED_DESCRIPTORS 16

/* Reports events of a descriptor to a caller-driven pump, which knows descriptors only as numbers. All arms that wait
 * for these events become ready. An event for which no arm waits is kept until an arm of that descriptor and direction
 * is reached. That arm is ready at once, by one event, however often it was reported. UF_DESCRIPTOR_CLOSED discards the
 * kept events.
 *   An await that another arm decides discards the event that it has received. So if its descriptors hold several
 * messages, a test sets the hook `poll`, which returns the events that are still there. Descriptors then behave as on a
 * runtime, and the pump keeps no events.
 * Thread: the pump's; also steps, observers and hooks.
 * Returns: UF_OK; UF_FULL: no arm waits for the event, and events of 16 other descriptors are kept already; UF_INVALID:
 * `fd` is negative or too large, or `pump` was never initialised; UF_UNSUPPORTED: the pump belongs to a runtime. */
uf_status uf_pump_ready(uf_pump *pump, int fd, int events);

/* Visits the descriptors that flows of a caller-driven pump wait for, in no particular order, so that your loop can
 * poll them. A descriptor appears once for each waiting arm; `event` is UF_READABLE or UF_WRITABLE. `visit` may call
 * uf_pump_ready().
 * Thread: the pump's, between rounds. */
void uf_pump_descriptors(const uf_pump *pump, void (*visit)(void *context, int fd, int event), void *context);

/* -- flows and observers ------------------------------------------------------------------------------------------- */

/* Iterates over the attached flows in the order of attachment. Pass NULL for the first, then the flow returned last.
 * Thread: the pump's.
 * Returns: a flow; NULL after the last. */
uf_flow *uf_pump_next_flow(const uf_pump *pump, const uf_flow *after);

/* Adds an observer after the present ones. Observers are notified in this order. A step or an observer may call this;
 * the new observer then sees events from the next one on.
 * Thread: the pump's; other threads use uf_runtime_add_observer().
 * Returns: UF_OK; UF_BUSY: this pump has it already; UF_INVALID: an argument is NULL, or the pump was never
 * initialised.
 * Lifetime: you own the observer. It must stay valid until it is removed, and can be with one pump at a time. */
uf_status uf_pump_add_observer(uf_pump *pump, uf_observer *observer);

/* Removes an observer. It is not notified again, even of the event in progress.
 * Thread: the pump's; other threads use uf_runtime_remove_observer().
 * Returns: UF_OK; UF_INVALID: this pump does not have it. */
uf_status uf_pump_remove_observer(uf_pump *pump, uf_observer *observer);

UF_GUARDED(COUNTS, uf_pump_running)
UF_GUARDED(COUNTS, uf_pump_rounds)
UF_GUARDED(PARTS, uf_pump_next_flow)
UF_GUARDED(DESCRIPTORS, uf_pump_ready)
UF_GUARDED(CANCEL, uf_pump_cancel_all)
UF_GUARDED(OBSERVERS, uf_pump_add_observer)
UF_GUARDED(SCALE, uf_pump_set_scale_fixed)
UF_GUARDED(SCALE, uf_pump_freeze)
UF_GUARDED(SCALE, uf_pump_resume)
#if !defined(UF_NO_FLOAT)
UF_GUARDED(SCALE, uf_pump_set_scale)
#endif

UF_C_END

#include "uflow/priv/pump.h" /* struct uf_pump */

#endif
