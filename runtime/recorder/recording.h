/* SPDX-License-Identifier: MIT */
/* recording.h - how a flight recorder stores events. */
#ifndef UFLOW_RECORDING_H
#define UFLOW_RECORDING_H

#include "basics/format.h"
#include "flows/flows.h"

#include "uflow/recorder.h"

/* The number of a flow or name that found no room, and of none. */
#define UFI_NO_OBJECT UINT32_C(0)

/* A flow with its type and name, a type, or a name. It has a number. */
typedef struct uf_recorder_slot {
    const void *key; /* NULL: the slot is free, and so are all probes after it */
    const uf_flow_type *type;
    const char *name;
    uint32_t object;
    uint32_t state; /* of a flow: index of its uf_trace_state among the definitions; 0: no room */
} uf_recorder_slot;

/* The slot of a flow; if there is no room for the flow, a slot of zeros. The numbers of a flow and of a name, which its
 * address identifies. All are defined at their first use. `name` may be NULL. */
const uf_recorder_slot *ufi_slot_of(uf_recorder *recorder, const uf_flow *flow);
uint32_t ufi_number_of(uf_recorder *recorder, const uf_flow *flow);
uint32_t ufi_number_of_name(uf_recorder *recorder, const char *name);

/* Stores an event at the time that the pump has read last. */
void ufi_record(uf_recorder *recorder, uint32_t kind, uint32_t object, uint32_t a, uint32_t b);

/* Stores the text of the next event, as one cell per 8 bytes. */
void ufi_record_text(uf_recorder *recorder, uint32_t kind, uint32_t object, const char *text);

/* The state of a flow; NULL: there is no room for it. */
uf_trace_state *ufi_state_of(const uf_recorder *recorder, const uf_recorder_slot *slot);

/* Change a state, which may be NULL. Record the event of a step or an end first: a reader that misses the new state
 * reads on to the event. The arms of a wait are added one by one, and count from ufi_state_arms_end() on. */
void ufi_state_step(uf_trace_state *state, uint32_t what, uf_time entered, uint32_t a, uint32_t b);
void ufi_state_wait(uf_trace_state *state, uf_time since);
void ufi_state_add_arm(uf_trace_state *state, uint32_t a, uint32_t b);
void ufi_state_arms_end(uf_trace_state *state);
void ufi_state_woken(uf_trace_state *state);
void ufi_state_pause(uf_trace_state *state, bool is_paused);
void ufi_state_keeping(uf_trace_state *state, uf_keeping keeping);

/* The operand of an arm as its wait began. Returns: 0 (no name) if the state does not have the arm. */
uint64_t ufi_state_operand(const uf_trace_state *state, uint32_t kind, uint32_t index);

/* Notes the step and the wait of a flow that has had no event yet, if it runs. */
void ufi_note_flow(uf_recorder *recorder, const uf_flow *flow);

/* Does the pump use the times of the machine's clock? Noted for threads that write the trace. */
void ufi_note_clock(uf_recorder *recorder);

extern const uf_observer ufi_recorder_callbacks;

#endif
