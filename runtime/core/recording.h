/* recording.h - how a flight recorder stores events. */
#ifndef UFLOW_RECORDING_H
#define UFLOW_RECORDING_H

#include "uflow/recorder.h"

#include "flows.h"
#include "format.h"

/* The number of a flow or name that found no room, and of none. */
#define UFI_NO_OBJECT UINT32_C(0)

/* The numbers of a flow and of a name, which is told apart by its address. Defines them at their first use. `name` may
 * be NULL. */
uint32_t ufi_number_of(uf_recorder *recorder, const uf_flow *flow);
uint32_t ufi_number_of_name(uf_recorder *recorder, const char *name);

/* Stores an event at the time that the pump has read last. */
void ufi_record(uf_recorder *recorder, uint32_t kind, uint32_t object, uint32_t a, uint32_t b);

/* Stores the text of the next event, as one cell per 8 bytes. */
void ufi_record_text(uf_recorder *recorder, uint32_t kind, uint32_t object, const char *text);

extern const uf_observer ufi_recorder_callbacks;

#endif
