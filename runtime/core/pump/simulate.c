/* SPDX-License-Identifier: MIT */
/* simulate.c - virtual time. */
#include "basics/wheel.h"
#include "jobs/work.h"
#include "pump/rounds.h"

#include "uflow/simulate.h"

/* The logical time of the next round: now, a poll, a deadline, or UF_FOREVER. It may lie in the past. */
static uf_time next_round(uf_pump *pump)
{
    if (!ufi_list_empty(&pump->ready) || ufi_has_news(pump)) return pump->clock.logical;

    uf_time const deadline = ufi_wheel_next(&pump->wheel);
    uf_time const poll = !ufi_is_polling(pump)
                             ? UF_FOREVER
                             : uf_time_add(pump->rounded, UFI_SETTING(POLLS, pump->config, stay_interval));
    return poll < deadline ? poll : deadline;
}

/* How many rounds may follow each other: a pre-round hook needs its call before each. */
static uint64_t at_most(const uf_pump *pump)
{
    return ufi_pre_round_of(pump) ? 1 : UINT64_MAX;
}

/* Moves to the next event of real time, of a job or a timer, if that is before logical time `next`. If the clock stands
 * still, flows poll until then, in intervals of real time. */
UF_NOINLINE static bool move_to_real(uf_pump *pump, uf_time next)
{
    uf_time moment = pump->real->next_deadline(pump);
    if (moment == UF_FOREVER) return false;

    uf_time const wait = uf_clock_real_until(&pump->clock, next);
    uf_time const poll = uf_time_add(ufi_real_time(pump), UFI_SETTING(POLLS, pump->config, stay_interval));
    if (wait != UF_FOREVER && moment >= uf_time_add(ufi_real_time(pump), wait)) return false;
    if (wait == UF_FOREVER && moment > poll && ufi_is_polling(pump)) moment = poll;
    (void)uf_clock_advance(&pump->clock, moment);
    return true;
}

/* Moves to logical time `next`, or to an earlier event of real time, which comes even while the clock is frozen.
 * Returns: false if neither ever comes. */
static inline bool move_to(uf_pump *pump, uf_time next)
{
    if (ufi_real_events(pump) && move_to_real(pump, next)) return true;
    return next != UF_FOREVER && ufi_clock_move_to(&pump->clock, next);
}

/* The clock stands still, and nothing will happen in real time: polls once more, for what the caller has changed.
 * Returns: false if that caused nothing. */
UFI_COLD static bool poll_once(uf_pump *pump)
{
    if (!ufi_is_polling(pump)) return false;
    ufi_rounds(pump, 1);
    return pump->advanced || next_round(pump) <= pump->clock.logical || ufi_next_real(pump) != UF_FOREVER;
}

/* May the caller simulate this pump now? */
static uf_status check(const uf_pump *pump)
{
    if (!ufi_is_pump(pump)) return UF_INVALID;
    if (ufi_host(pump)) return UF_UNSUPPORTED;
    return pump->in_round ? UF_INVALID : UF_OK;
}

uf_status uf_simulate_until(uf_pump *pump, uf_time until)
{
    uf_status const status = check(pump);
    if (status != UF_OK) return status;
    while (pump->clock.logical < until) {
        uf_time const next = next_round(pump);
        if (!move_to(pump, next < until ? next : until)) {
            if (!poll_once(pump)) return UF_BLOCKED;
        } else if (pump->clock.logical < until) ufi_rounds(pump, at_most(pump));
    }
    return UF_OK;
}

/* Runs the next rounds, unless they are at `limit` or later. Returns: UF_OK, UF_TIMED_OUT or UF_BLOCKED. */
static inline uf_status run_next(uf_pump *pump, uf_time limit, uint64_t rounds)
{
    uf_time const next = next_round(pump);

    if (pump->clock.logical >= limit) return UF_TIMED_OUT;
    if (next == UF_FOREVER && ufi_next_real(pump) == UF_FOREVER) return UF_BLOCKED;
    if (!move_to(pump, next < limit ? next : limit)) return poll_once(pump) ? UF_OK : UF_BLOCKED;
    if (pump->clock.logical >= limit) return UF_TIMED_OUT;
    ufi_rounds(pump, rounds);
    return UF_OK;
}

uf_status uf_simulate_until_idle(uf_pump *pump, uf_time limit)
{
    uf_status status = check(pump);

    while (status == UF_OK && pump->running > 0) status = run_next(pump, limit, at_most(pump));
    return status;
}

uf_status uf_simulate_until_end(uf_pump *pump, uf_run run, uf_time limit)
{
    uf_status status = check(pump);

    if (status == UF_OK && (!run.flow || !run.flow->pump || run.number == 0)) return UF_INVALID;
    if (status == UF_OK && run.flow->pump != pump) return UF_OTHER_PUMP;
    if (status == UF_OK && uf_run_outcome(run) == UF_NEVER_RAN) return UF_STALE;
    while (status == UF_OK && uf_run_outcome(run) == UF_RUNNING) status = run_next(pump, limit, 1);
    return status;
}

/* After this many rounds at one time, assume that they repeat forever. */
#define ENDLESS 10000

uf_status uf_simulate_stop(uf_pump *pump, uf_time grace, uf_stop_report *report)
{
    uf_stop stop;
    unsigned rounds_at_once = 0;

    uf_status status = check(pump);
    if (status == UF_OK) status = uf_pump_stop(pump, &stop, grace);
    if (status != UF_OK) return status;
    while (stop.phase != UF_STOP_OVER) {
        (void)ufi_round(pump, ufi_real_time(pump));
        (void)ufi_wheel_next(&pump->wheel); /* exact, so that no round depends on how the wheel stores its timers */
        uf_time wait = uf_pump_timeout(pump);
        if (stop.phase == UF_STOP_OVER || (wait == 0 && ++rounds_at_once < ENDLESS)) continue;
        if (wait == 0) wait = stop.limit == UF_FOREVER ? UF_FOREVER : ufi_time_sub(stop.limit, ufi_real_time(pump));
        rounds_at_once = 0;
        if (wait == UF_FOREVER) { /* no further event can happen */
            stop.limit = ufi_real_time(pump);
            continue;
        }
        (void)uf_clock_advance(&pump->clock, uf_time_add(ufi_real_time(pump), wait));
    }
    if (report) *report = stop.report;
    if (pump->stop == &stop) pump->stop = NULL; /* it is on this stack; the pump remains stopped */
    return ufi_stop_status(&stop.report);
}
