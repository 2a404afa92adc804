/* SPDX-License-Identifier: MIT */
/* simulate.h - drives a pump in virtual time: as fast as the machine can, and the same way every time.
 *
 *   (void)Picker_start_Pick(&picker, 3);
 *   uf_simulate_until(&pump, UF_S(2));                  runs everything before 2 s
 *   uf_simulate_until_idle(&pump, UF_FOREVER);          runs until no flow runs
 *
 * Flows that wait for descriptors continue when the test calls uf_pump_ready(). */
#ifndef UFLOW_SIMULATE_H
#define UFLOW_SIMULATE_H

#include "uflow/pump.h"
#include "uflow/stop.h"

UF_C_BEGIN

/* Runs every round before logical time `until`, then sets the time to `until`. Timers due exactly at `until` fire
 * in the next call. Time advances only when no flow but pollers is runnable. Two steps that `next` each other
 * forever therefore keep the call from returning.
 *   While the clock stands still, everything happens that needs no logical time: signals, mail, jobs, and timers that
 * were due when it stopped. Flows that poll run again until a round advances none of them.
 * Thread: the pump's.
 * Returns: UF_OK: it is `until`; UF_BLOCKED: the clock stands still before that time, or `until` is UF_FOREVER,
 * and nothing is left to do; UF_INVALID: called inside a round, or `pump` was never initialised; UF_UNSUPPORTED:
 * the pump belongs to a runtime. */
uf_status uf_simulate_until(uf_pump *pump, uf_time until);

/* Runs until every flow is idle, or until logical time `limit`. Time advances as in uf_simulate_until().
 * Thread: the pump's.
 * Returns: UF_OK: every flow is idle; UF_TIMED_OUT: `limit` came first; UF_BLOCKED: flows wait, and nothing that
 * is left can wake one; UF_INVALID: called inside a round, or `pump` was never initialised; UF_UNSUPPORTED: the
 * pump belongs to a runtime. */
uf_status uf_simulate_until_idle(uf_pump *pump, uf_time limit);

/* Runs until a specific run has ended, or until logical time `limit`. It returns right after the round in which the
 * run ends. Time advances as in uf_simulate_until().
 *
 *   uf_run run;
 *   (void)Picker_start_run_Pick(&picker, &run, 3);
 *   uf_simulate_until_end(&pump, run, UF_S(10));
 *   uf_outcome outcome = uf_run_outcome(run);
 *
 * Thread: the pump's.
 * Returns: UF_OK: the run has ended, in this call or before; UF_TIMED_OUT: `limit` came first, and it still runs;
 * UF_BLOCKED: it waits, and nothing that is left can wake it; UF_STALE: another run had begun before the call, and the
 * end of this one is not known any more; UF_INVALID: called inside a round, the handle names no run, or `pump` was
 * never initialised; UF_OTHER_PUMP: the flow is on another pump; UF_UNSUPPORTED: the pump belongs to a runtime. */
uf_status uf_simulate_until_end(uf_pump *pump, uf_run run, uf_time limit);

/* Runs a graceful shutdown (stop.h) in virtual time, from beginning to end. It advances real time, so a frozen
 * clock does not delay it: it takes exactly `grace`, or less. A phase whose rounds would repeat forever is ended
 * early. `report` may be NULL.
 * Thread: the pump's.
 * Returns: UF_OK: everything ended in time; UF_TIMED_OUT: something was cut off or left behind, see the report;
 * UF_BUSY: a stop has begun before; UF_INVALID: called inside a round, or `pump` was never initialised;
 * UF_UNSUPPORTED: the pump belongs to a runtime. */
uf_status uf_simulate_stop(uf_pump *pump, uf_time grace, uf_stop_report *report);

UF_GUARDED(VIRTUAL, uf_simulate_until)
UF_GUARDED(VIRTUAL, uf_simulate_until_idle)
UF_GUARDED(VIRTUAL, uf_simulate_until_end)
UF_GUARDED(STOP, uf_simulate_stop)

UF_C_END
#endif
