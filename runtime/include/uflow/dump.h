/* SPDX-License-Identifier: MIT */
/* dump.h - prints the position and the waits of every flow, to diagnose a hang. Needs stdio.
 *
 *   uf_runtime_dump(runtime, UF_S(1), stderr);
 *
 *   line.picker  Pick.Grip:12  #03  for 20.00ms  slot 7
 *       waits: timeout in 30.00ms
 *       waits: signal estop
 *       waits: job weigh (weigh_part, runs, submitted 20.05ms ago)
 *   line.lamp  idle, cancelled
 *   these 2 flows wait for each other:
 *       line.left  Clear.Wait:31  idle line.right
 *       line.right  Clear.Wait:31  idle line.left
 */
#ifndef UFLOW_DUMP_H
#define UFLOW_DUMP_H

#include "uflow/pump.h"

#include <stdio.h>

UF_C_BEGIN

/* Writes all attached flows to `out`, in the order of attachment. A running flow has a line with its task, step
 * and source line. The number of the step in this run, the logical time in the step, how long the flow has been paused,
 * and the description follow.
 * The lines below name the arms of its await that are not ready; conditions are not shown. At the end, flows that wait
 * for each other are named. Each waits for a run, a mailbox or a checkpoint of the next one. It may also wait for all
 * members of a pool, or for any of them if all wait for flows. At most 1000 members of a pool are examined. A cycle
 * of more than 64 flows is found if each of them waits by its first such arm. A timeout or another arm may still end
 * such a wait. Then come worker functions that still run although their jobs were abandoned or have timed out: they
 * hold threads of the pool. The text is for people and may change.
 * Thread: the pump's; the loop's between two polls.
 * Returns: UF_OK; UF_INVALID: an argument is NULL, or the pump was never initialised. */
uf_status uf_pump_dump(uf_pump *pump, FILE *out);

struct uf_runtime;

/* Writes the same for a runtime, at the top of its next round, or at once on its own thread. If no round begins
 * within `timeout` of real time, it writes the step that has not returned instead. On the loop's thread no round
 * can begin between two polls: call uf_pump_dump() there.
 * Thread: any.
 * Returns: UF_OK; UF_TIMED_OUT: no round began in time; UF_CLOSED: the runtime is being stopped or freed;
 * UF_NO_MEMORY: an allocation failed; UF_DEADLOCK: this thread drives another runtime; UF_NO_THREAD: no condition
 * variable; UF_INVALID: an argument is NULL.
 * Lifetime: `out` is not used after the call. */
uf_status uf_runtime_dump(struct uf_runtime *runtime, uf_time timeout, FILE *out);

UF_C_END
#endif
