/* dump.h - what every flow is at, and what it waits for: where something hangs, this says who waits for whom.
 *
 *   line.picker  Pick.Grip:12  #03  for 20.00ms  slot 7
 *       waits: deadline in 30.00ms
 *       waits: signal estop
 *       waits: job weigh (pending)
 *   line.lamp  idle, cancelled
 *
 * A flow that runs has a line with its task, step and line in the .uflow file, the step's number in this run, the logical
 * time in it, and what it has described; below, what its await waits for, as far as that has not come: an await of conditions
 * shows none. Times are logical. For people: the text may change. Needs stdio. */
#ifndef UFLOW_DUMP_H
#define UFLOW_DUMP_H

#include "uflow/base.h"
#include "uflow/pump.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* All attached flows, in the order of attachment. On the pump's thread; on that of a loop, between two polls as well.
 * UF_INVALID for a NULL. */
uf_status uf_pump_dump(uf_pump *pump, FILE *out);

struct uf_runtime;

/* The same from any thread, at the top of the runtime's next round; on its own, at once. UF_TIMED_OUT: none has come within
 * `timeout` of real time, and instead of the flows the step is written that its thread is in. So it is on the thread of a
 * loop between two polls, where nobody else drives it: see uf_pump_dump(). UF_CLOSED: it is being stopped or freed; UF_NO_MEMORY;
 * UF_INVALID; UF_DEADLOCK on the thread of another runtime, and UF_NO_THREAD, as for uf_signal_wait(). `out` is not written to
 * any more when this returns. */
uf_status uf_runtime_dump(struct uf_runtime *runtime, uf_time timeout, FILE *out);

#ifdef __cplusplus
}
#endif
#endif
