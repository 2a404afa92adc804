/* uflow.h - everything that an application of uflow's core includes.
 *
 * A `.uflow` file describes flows; `ufc` turns it into C; this library runs it. The five-minute tour:
 *
 *   uf_pump pump;                                   the thread of control that drives flows, in rounds
 *   uf_pump_init(&pump, NULL);                      a zeroed or absent configuration means the defaults
 *   Picker_init(&picker, &pump, "picker", 7);       generated: attaches an instance to its pump, starts nothing
 *   Picker_start_Pick(&picker, slot);               generated: UF_OK, UF_BUSY
 *   uf_simulate_until_idle(&pump, UF_FOREVER);      virtual time; or uf_pump_round() from your own loop
 *   uf_flow_outcome(&picker.uf)                     UF_DONE, UF_FAILED, ...; uf_flow_reason() says why
 *
 * With threads, a clock and descriptors: uflow/runtime.h. To see what happens: uflow/console.h, uflow/trace.h; what has
 * been done: uflow/counters.h; what hangs: uflow/dump.h.
 *
 * Nothing here allocates, starts a thread, or reads a clock: storage is the caller's and time is handed in.
 *
 * NULL, and zeroed storage that was never initialised, are refused by every function but those of generated.h: with
 * UF_INVALID or, where no status is returned, with false, 0, NULL or ""; what returns nothing does nothing. A parameter
 * that may be NULL, and a function that answers otherwise, say so.
 */
#ifndef UFLOW_UFLOW_H
#define UFLOW_UFLOW_H

#include "uflow/base.h"       /* status codes, time, version */
#include "uflow/checkpoint.h" /* places where flows can be held */
#include "uflow/clock.h"      /* logical time: scale, freeze, resume */
#include "uflow/flow.h"       /* a flow's life: start, cancel, outcome, introspection */
#include "uflow/job.h"        /* work done on other threads */
#include "uflow/mailbox.h"    /* queues into a flow */
#include "uflow/observer.h"   /* seeing everything that happens */
#include "uflow/pool.h"       /* where that is done */
#include "uflow/pump.h"       /* rounds */
#include "uflow/signal.h"     /* what happened, told to all who wait for it */
#include "uflow/simulate.h"   /* driving a pump in virtual time */
#include "uflow/stop.h"       /* the ordered end */
#include "uflow/timer.h"      /* a stopwatch on logical time */

#endif
