/* timer.h - a stopwatch on the logical clock of a pump. It wakes nobody: steps ask it. */
#ifndef UFLOW_TIMER_H
#define UFLOW_TIMER_H

#include "uflow/base.h"
#include "uflow/flow.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct uf_timer {
    const uf_clock *clock;
    const uf_flow *flow; /* re-armed by itself at each step change of this flow, or NULL */
    uf_time started;
    uf_time held_since; /* UF_FOREVER: the condition was false at the last look */
    uint32_t run, ordinal;
} uf_timer;

/* All from the pump's own thread. Starts at the clock's now; the clock must outlive the timer. */
void uf_timer_init(uf_timer *timer, const uf_clock *clock);

/* The same, on the clock of the flow's pump, and re-armed at every step change of the flow (not by `stay`). */
void uf_timer_init_step(uf_timer *timer, const uf_flow *flow);

/* Starts again, both parts: the elapsed time and the held condition. */
void uf_timer_restart(uf_timer *timer);

uf_time uf_timer_elapsed(uf_timer *timer);

/* True from `duration` after the start on; a duration of 0 or less is true at once. */
bool uf_timer_passed(uf_timer *timer, uf_time duration);

/* True once `condition` has been true at every call for `duration`, and as long as it stays true; a call
 * with false begins anew. 0 is true at once. Independent of uf_timer_passed(). */
bool uf_timer_held_for(uf_timer *timer, bool condition, uf_time duration);

#ifdef __cplusplus
}
#endif
#endif
