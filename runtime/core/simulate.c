/* simulate.c - virtual time. */
#include "stopping.h"
#include "work.h"

#include "uflow/simulate.h"

/* Logical time of the next round: now, a poll, a deadline, or UF_FOREVER. It may have passed. */
static inline uf_time next_round_time(uf_pump *pump)
{
    if (!ufi_list_empty(&pump->ready) || ufp_load_pointer(&pump->inbox)) return pump->clock.logical;

    uf_time const deadline = ufi_wheel_next(&pump->wheel);
    uf_time const poll =
        ufi_list_empty(&pump->polling) ? UF_FOREVER : uf_time_add(pump->rounded, pump->config.stay_interval);
    return poll < deadline ? poll : deadline;
}

/* The hook must run before each round, so with a hook runs one round at a time. */
static void run_due_rounds(uf_pump *pump)
{
    ufi_rounds(pump, pump->config.pre_round ? 1 : UINT64_MAX);
}

/* Advances the clock to the next event of a job. Returns false if logical time `next` comes first. */
UF_NOINLINE static bool advance_to_job(uf_pump *pump, uf_time next)
{
    uf_time const job = pump->jobs->next(pump);
    if (job == UF_FOREVER) return false;

    uf_time const wait = uf_clock_real_until(&pump->clock, next);
    if (wait != UF_FOREVER && job >= uf_time_add(pump->clock.real, wait)) return false;
    uf_clock_advance(&pump->clock, job);
    return true;
}

/* Advances the clock to logical time `next` or to the next event of a job, whichever comes first. Jobs use real time,
 * so their events come even while the clock is frozen. Returns false if neither ever comes. */
static inline bool advance_to(uf_pump *pump, uf_time next)
{
    if (pump->works_in_flight && advance_to_job(pump, next)) return true;
    return next != UF_FOREVER && ufi_clock_move_to(&pump->clock, next);
}

uf_status uf_simulate_until(uf_pump *pump, uf_time until)
{
    if (!ufi_is_pump(pump)) return UF_INVALID;
    if (pump->host) return UF_UNSUPPORTED;
    if (pump->in_round) return UF_INVALID;
    while (pump->clock.logical < until) {
        uf_time const next = next_round_time(pump);
        if (!advance_to(pump, next < until ? next : until)) return UF_BLOCKED;
        if (pump->clock.logical < until) run_due_rounds(pump);
    }
    return UF_OK;
}

uf_status uf_simulate_until_idle(uf_pump *pump, uf_time limit)
{
    if (!ufi_is_pump(pump)) return UF_INVALID;
    if (pump->host) return UF_UNSUPPORTED;
    if (pump->in_round) return UF_INVALID;
    while (pump->running > 0) {
        uf_time const next = next_round_time(pump);
        if (pump->clock.logical >= limit) return UF_TIMED_OUT;
        if (next == UF_FOREVER && ufi_next_job(pump) == UF_FOREVER) return UF_BLOCKED;
        if (!advance_to(pump, next < limit ? next : limit)) return UF_BLOCKED;
        if (pump->clock.logical < limit) run_due_rounds(pump);
    }
    return UF_OK;
}

/* After this many rounds at one moment the stop advances time: the rounds would never end. */
#define MAX_ROUNDS_AT_ONCE 10000

uf_status uf_simulate_stop(uf_pump *pump, uf_time grace, uf_stop_report *report)
{
    uf_stop stop;
    unsigned at_once = 0;

    if (!ufi_is_pump(pump)) return UF_INVALID;
    if (pump->host) return UF_UNSUPPORTED;
    if (pump->in_round) return UF_INVALID;
    uf_status const status = uf_pump_stop(pump, &stop, grace);
    if (status != UF_OK) return status;
    while (stop.phase != UF_STOP_OVER) {
        uf_time wait = ufi_round(pump, pump->clock.real);
        if (stop.phase == UF_STOP_OVER || (wait == 0 && ++at_once < MAX_ROUNDS_AT_ONCE)) continue;
        if (wait == 0) wait = stop.limit == UF_FOREVER ? UF_FOREVER : ufi_time_sub(stop.limit, pump->clock.real);
        at_once = 0;
        if (wait == UF_FOREVER) { /* nothing will ever happen: end the phase */
            stop.limit = pump->clock.real;
            continue;
        }
        uf_clock_advance(&pump->clock, uf_time_add(pump->clock.real, wait));
    }
    if (report) *report = stop.report;
    pump->stop = NULL; /* it is on this stack; the pump stays stopped */
    return ufi_stop_status(&stop.report);
}
