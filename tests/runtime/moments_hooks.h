/* SPDX-License-Identifier: MIT */
/* moments_hooks.h - what flows of moments.uflow tell of the moments of their lives. */
#ifndef MOMENTS_HOOKS_H
#define MOMENTS_HOOKS_H

#include "uflow/uflow.h"

/* C code in flows. */
#define MOMENTS_OF_HOOKS(X)  X(ON_INIT), X(ON_END), X(ON_ENTER), X(ON_EXIT)
#define MOMENTS_OF_STATES(X) X(ON_SUSPEND), X(ON_RESTORE), X(ON_PAUSE), X(ON_RESUME)
#define MOMENTS_OF_VALUES(X) X(CONDITION), X(TARGET), X(ARGUMENT), X(HANDLER), X(WORKER), X(DROP)
#define MOMENTS_OF_FLOWS(X)  X(BODY), MOMENTS_OF_HOOKS(X), MOMENTS_OF_STATES(X), MOMENTS_OF_VALUES(X)

/* Observers. OVER is the step change at the end of a run. */
#define MOMENTS_OF_STEPS(X) X(STARTED), X(RESTORED), X(REQUESTED), X(CHANGED), X(OVER), X(STEP_FAILED)
#define MOMENTS_OF_WAITS(X) X(WAIT_BEGAN), X(WAIT_ENDED), X(DECIDED), X(PAUSED), X(RESUMED), X(KEEPING), X(ENDED)
#define MOMENTS_OF_JOBS(X)  X(BODY_RAN), X(FIRED), X(PARKED), X(SUBMITTED), X(COMPLETED), X(ABANDONED)
#define MOMENTS_OF_PUMP(X)  X(STOPPING), X(ROUND_RAN)
#define MOMENTS_OBSERVED(X) MOMENTS_OF_STEPS(X), MOMENTS_OF_WAITS(X), MOMENTS_OF_JOBS(X), MOMENTS_OF_PUMP(X)

/* Callbacks of a signal and of the pump. */
#define MOMENTS_OF_CALLBACKS(X) X(CALLBACK), X(PRE_ROUND)

/* Outside of rounds: between a start and its first turn, between the restore and the release, at any time. */
#define MOMENTS_OUTSIDE(X) X(CLAIMED), X(HELD), X(OUTSIDE)

/* Moments on the pump's thread, in which a program may call functions of the runtime. */
#define MOMENTS(X)             MOMENTS_OF_FLOWS(X), MOMENTS_OBSERVED(X), MOMENTS_OF_CALLBACKS(X), MOMENTS_OUTSIDE(X)

#define ENUMERATE_MOMENT(name) AT_##name
typedef enum moment { MOMENTS(ENUMERATE_MOMENT), MOMENT_COUNT } moment;

/* A moment in the life of a flow; NULL: of none. */
void world_moment(const uf_flow *flow, moment at);

/* A body of a step, which has ended with what it did. */
void world_body(uf_flow *flow);

/* Conditions and values, between other things that C may call. */
bool world_asks(const uf_flow *flow);
int world_value(const uf_flow *flow, moment at, int value);

void drop_note(int *note);

#endif
