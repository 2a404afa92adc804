/* SPDX-License-Identifier: MIT */
/* pause.h - time that stands still for one flow, and for those that it runs.
 *
 *   uf_pause hold;                                      in a .uflow file: a field of the flow that pauses another one
 *   uf_flow_pause(&flow->washer.uf, &flow->hold);       the washer stands, with all that it runs
 *   ...                                                 its timeouts keep what remains of them
 *   uf_flow_resume(&flow->hold);                        it goes on
 *
 * A flow stands while it is paused, or while a flow that runs it stands: as a subtask, as a companion, or as a member
 * of a pool. A flow that stands takes no turn. Logical time stands still for `timeout`, `on timeout` and `stay`;
 * `until ... for D` begins anew. Everything else goes on: `deadline(T)`, `timeout` of a job, a uf_timer, jobs,
 * descriptors and senders. What came meanwhile decides after the resume, in the order of the arms.
 *
 * `on pause` of tasks and groups runs at the pause, children before parents. `on resume` runs at the resume, parents
 * before children. Then each of these flows has one turn.
 *
 * Three events end a pause before its resume. A handler of a flow that stands, or of a group, ends it; handlers of
 * tasks wait for the resume. A cancel ends the run with its `on exit`. A graceful shutdown cancels the runs that stand
 * together with the `forever` tasks. After the last two, `on resume` does not run. */
#ifndef UFLOW_PAUSE_H
#define UFLOW_PAUSE_H

#include "uflow/flow.h"
#include "uflow/priv/pause.h" /* struct uf_pause */

UF_C_BEGIN

/* The record of one pause of one flow. All zero is valid and not in use. The members are private. It may pause another
 * flow later, and threads may share it, if all these flows are of one pump.
 * Lifetime: you own it. It must stay valid while it is in use: until the pump has carried out the resume, or until the
 * paused run has ended. What another thread has asked for may still be on its way then: before you free the record,
 * wait for a post to that runtime as well, see uf_post_wait(). On the pump's thread, both calls take effect before they
 * return. The exceptions are a step that pauses its own flow, or a flow that runs it, and a run that is just leaving
 * its task: the pause begins with the next round, if the run goes on then. A run of a durable flow that only waits
 * until its end is kept does not stand. */
typedef struct uf_pause uf_pause;

/* Pauses the current run of a flow, and all flows that it runs. It takes time for each of these flows, and for each
 * record in use on the pump.
 * Thread: any.
 * Returns: UF_OK; UF_STALE: the flow is idle; UF_BUSY: the record is in use, or another record pauses the flow;
 * UF_INVALID: an argument is NULL, or the flow is not attached; UF_UNSUPPORTED: called in an interrupt handler on bare
 * metal. Nothing happens unless it is UF_OK.
 * Lifetime: see uf_pause. */
uf_status uf_flow_pause(uf_flow *flow, uf_pause *hold);

/* Ends a pause. A flow that another record also makes stand goes on standing.
 * Thread: any.
 * Returns: UF_OK; UF_STALE, and nothing happens: the record is not in use, or the pause is over; UF_INVALID: `hold` is
 * NULL; UF_UNSUPPORTED: called in an interrupt handler on bare metal. */
uf_status uf_flow_resume(uf_pause *hold);

/* Measures how long a flow has been standing.
 * Thread: the pump's.
 * Returns: the logical time of the pump since then; -1: the flow does not stand. */
uf_time uf_flow_paused_for(const uf_flow *flow);

UF_GUARDED(PAUSES, uf_flow_pause)
UF_GUARDED(PAUSES, uf_flow_resume)

UF_C_END
#endif
