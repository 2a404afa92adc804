/* SPDX-License-Identifier: MIT */
/* recorder_states.h - what a recorder knows of a flow apart from its ring of events. */
#ifndef UFLOW_OBSERVE_RECORDER_STATES_H
#define UFLOW_OBSERVE_RECORDER_STATES_H

#include "uflow/trace_format.h"

typedef struct ufi_state_copy {
    uf_trace_state state;
    uint32_t arms[2 * UF_STATE_CELL_MOST];
} ufi_state_copy;

/* Copies a state that another thread may be changing, and its arms. Returns: false if the state is still being changed:
 * its event is then in the ring, after the events that were read. */
bool ufi_copy_state(const uf_trace_state *state, ufi_state_copy *copy);

#endif
