/* runs.h - the begin and the cancellation of runs. */
#ifndef UFLOW_RUNS_H
#define UFLOW_RUNS_H

#include "flows/inbox.h"
#include "flows/ready.h"

/* Begins a run of an idle flow at an entry, even while a stop refuses starts. Returns: false if the flow was not
 * idle. */
bool ufi_begin_run_at(uf_flow *flow, uint32_t entry);

/* Cancels one specific run, on the pump's thread. Nothing happens unless that run is running or its start is in the
 * inbox. */
void ufi_cancel_run(uf_run run);

/* Detaches one flow, which is idle, without the flows inside it. */
void ufi_detach(uf_flow *flow);

#endif
