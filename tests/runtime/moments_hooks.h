/* SPDX-License-Identifier: MIT */
/* moments_hooks.h - what flows of moments.uflow tell of the moments of their lives. */
#ifndef MOMENTS_HOOKS_H
#define MOMENTS_HOOKS_H

#include "uflow/uflow.h"

/* Moments on the pump's thread, in which a program may call functions of the runtime. */
#define MOMENTS(X)                                                                                                                   \
    /* C code of flows */                                                                                                            \
    X(BODY)                                                                                                                          \
    X(ON_INIT) X(ON_END) X(ON_ENTER) X(ON_EXIT) X(ON_SUSPEND) X(ON_RESTORE) X(ON_PAUSE) X(ON_RESUME) X(CONDITION)                    \
        X(TARGET) X(ARGUMENT) X(HANDLER) X(WORKER) X(DROP) /* observers; OVER: the step change at the end of a run */                \
        X(STARTED) X(RESTORED) X(REQUESTED) X(CHANGED) X(OVER) X(STEP_FAILED) X(WAIT_BEGAN) X(WAIT_ENDED) X(DECIDED)                 \
            X(PAUSED) X(RESUMED) X(KEEPING) X(ENDED) X(BODY_RAN) X(FIRED) X(PARKED) X(SUBMITTED) X(COMPLETED)                        \
                X(ABANDONED) X(STOPPING) X(ROUND_RAN) /* callbacks of a signal and of the pump */                                    \
        X(CALLBACK) X(                                                                                                               \
            PRE_ROUND) /* outside of rounds: between a start and its first turn, between the restore and the release, at any time */ \
        X(CLAIMED) X(HELD) X(OUTSIDE)

#define ENUMERATE(name) AT_##name,
typedef enum moment { MOMENTS(ENUMERATE) MOMENT_COUNT } moment;
#undef ENUMERATE

/* A moment in the life of a flow; NULL: of none. */
void world_moment(const uf_flow *flow, moment at);

/* A body of a step, which has ended with what it did. */
void world_body(uf_flow *flow);

/* Conditions and values, between other things that C may call. */
bool world_asks(const uf_flow *flow);
int world_value(const uf_flow *flow, moment at, int value);

void drop_note(int *note);

#endif
