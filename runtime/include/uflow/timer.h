/* timer.h - a stopwatch on the logical clock of a flow's pump. It wakes nobody: steps ask it.
 *
 *   uf_timer spinning;                                  a field of the flow or of a task
 *   uf_timer_start(&self->spinning, &flow->uf);         starts it, or starts it again
 *   if (uf_timer_passed(&self->spinning, UF_S(2))) ...
 *
 * Zeroed, as a field without an initialiser is, it has not started: its elapsed time is 0 and nothing has passed. All
 * functions are for the thread that drives the flow's pump: steps, posts, observers. `on init` may start one too,
 * whatever thread that runs on. */
#ifndef UFLOW_TIMER_H
#define UFLOW_TIMER_H

#include "uflow/base.h"
#include "uflow/flow.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The caller's; its members are the runtime's. */
typedef struct uf_timer {
    const uf_flow *flow; /* NULL: it has not started */
    uf_time started;
    uf_time held_since;
    uint32_t run, ordinal; /* of the step that it was started in or for */
    bool follows_steps;
    bool held; /* the condition was true at the last look, and has been since `held_since` */
} uf_timer;

/* Starts it at the present logical time of the flow's pump, both parts: the elapsed time and the held condition. The
 * flow must outlive the timer. Nothing happens if the flow is not attached to a pump, or is NULL. */
void uf_timer_start(uf_timer *timer, const uf_flow *flow);

/* The same, and it starts again by itself, at the moment of entry, with every step that the flow enters (not with
 * `stay`). */
void uf_timer_start_step(uf_timer *timer, const uf_flow *flow);

/* Logical time since the start; 0 if it has not started. */
uf_time uf_timer_elapsed(uf_timer *timer);

/* True from `duration` after the start on; a duration of 0 or less has passed with the start. */
bool uf_timer_passed(uf_timer *timer, uf_time duration);

/* True once `condition` has been true at every call for `duration`, and as long as it stays true; a call
 * with false begins anew. 0 is true at once. Independent of uf_timer_passed(). False if it has not started. */
bool uf_timer_held_for(uf_timer *timer, bool condition, uf_time duration);

#ifdef __cplusplus
}
#endif
#endif
