/* simulate.h - drives a pump in virtual time: as fast as the machine can, the same bytes every time.
 *
 * Time advances only when nothing but pollers is runnable: by the stay interval or to the next deadline, whichever is
 * less; with no poller, to the next deadline. It is logical time that is driven: the clock's real time follows it
 * through the scale, and with a frozen clock or scale 0 only what needs no time happens. Two steps that `next` each
 * other for ever never let it advance: then neither call returns, whatever its limit. */
#ifndef UFLOW_SIMULATE_H
#define UFLOW_SIMULATE_H

#include "uflow/pump.h"
#include "uflow/stop.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Runs every round before logical time `until`, after which it is that time; deadlines at exactly `until` are the
 * next call's. UF_OK, also if it is that time already; UF_BLOCKED if the clock stands before that time and nothing
 * is left to do without it; UF_INVALID from inside a round; UF_UNSUPPORTED: the pump is a runtime's. UF_FOREVER is never
 * reached: UF_BLOCKED once nothing is left to wait for. */
uf_status uf_simulate_until(uf_pump *pump, uf_time until);

/* Runs until every flow is idle: UF_OK. UF_TIMED_OUT when logical time `limit` came first; UF_BLOCKED when flows are
 * parked and nothing that is left can wake one; UF_INVALID and UF_UNSUPPORTED as above. */
uf_status uf_simulate_until_idle(uf_pump *pump, uf_time limit);

/* An ordered stop (stop.h) in virtual time, from now to its end; `report` may be NULL. It is real time that is driven here,
 * so that a frozen clock does not hold it up: it ends after `grace` exactly, or sooner. Rounds take no time; where so many
 * follow each other that it must be for ever, or nothing is left to come in a grace of UF_FOREVER, the phase's time is taken to
 * be over. UF_OK: nothing had to be cut off or left behind; UF_TIMED_OUT: something had, see the report; UF_BUSY: one has begun;
 * UF_INVALID from inside a round; UF_UNSUPPORTED: the pump is a runtime's. */
uf_status uf_simulate_stop(uf_pump *pump, uf_time grace, uf_stop_report *report);

#ifdef __cplusplus
}
#endif
#endif
