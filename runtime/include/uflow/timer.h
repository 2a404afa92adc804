/* SPDX-License-Identifier: MIT */
/* timer.h - a stopwatch on the logical time of a flow's pump, or on real time. It causes no wake-up: steps read it.
 *
 *   uf_timer spinning;                                  a field of the flow or of a task
 *   uf_timer_start(&self->spinning, &flow->uf);         starts it, or starts it again
 *   if (uf_timer_passed(&self->spinning, UF_S(2))) ...
 */
#ifndef UFLOW_TIMER_H
#define UFLOW_TIMER_H

#include "uflow/flow.h"

UF_C_BEGIN

/* A stopwatch. A zeroed timer, such as a field without an initialiser, has not started. The members are private.
 * Lifetime: you own it. The flow it was started with must outlive it. */
typedef struct uf_timer {
    union {
        const uf_flow *flow; /* NULL: it has not started */
        uf_time (*clock)(void);
    };
    uf_time started;
    uf_time held_since;
    uint32_t run, ordinal; /* the step in which it was started */
    bool follows_steps;
    bool has_clock; /* it uses `clock` */
    bool held;      /* the condition was true at the last call, and has been since `held_since` */
} uf_timer;

/* Starts or restarts a timer at the present logical time of the flow's pump. Both parts restart: the elapsed time
 * and the held condition. Nothing happens if the flow is not attached to a pump.
 * Thread: the pump's; also `on init`, on any thread. */
void uf_timer_start(uf_timer *timer, const uf_flow *flow);

/* Starts a timer that restarts by itself each time the flow enters a step. A `stay` does not restart it.
 * Thread: the pump's; also `on init`, on any thread. */
void uf_timer_start_step(uf_timer *timer, const uf_flow *flow);

/* Starts or restarts a timer on the clock of uf_real_now(), without a flow: no scale and no freeze changes it, and it
 * runs on in a simulation. It needs the library with threads.
 * Thread: any. Afterwards any thread may use the timer, one at a time. */
void uf_timer_start_real(uf_timer *timer);

/* Reads a timer.
 * Thread: the pump's.
 * Returns: time since the start, by the clock with which it was started; 0 if it has not started. */
uf_time uf_timer_elapsed(uf_timer *timer);

/* Tells whether `duration` has passed since the start.
 * Thread: the pump's.
 * Returns: true from that moment on; at once for a duration of 0 or less; false if the timer has not started. */
bool uf_timer_passed(uf_timer *timer, uf_time duration);

/* Tells whether `condition` has been true at every call for `duration`. A call with false restarts the measurement.
 * This part does not depend on uf_timer_passed().
 * Thread: the pump's.
 * Returns: true while the condition has held that long; at once for a duration of 0; false if the timer has not
 * started. */
bool uf_timer_held_for(uf_timer *timer, bool condition, uf_time duration);

UF_GUARDED(TIMES, uf_timer_start)
UF_GUARDED(TIMES, uf_timer_start_step)

UF_C_END
#endif
