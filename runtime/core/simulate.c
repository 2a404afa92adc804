/* simulate.c - virtual time. */
#include "core.h"

#include "uflow/simulate.h"

/* When the next round has to be, as things stand: now, at a poll or a deadline, or UF_FOREVER. A time that has passed
 * is now as well. */
static uf_time next_round(uf_pump *pump)
{
    if (!ufi_list_empty(&pump->ready) || ufp_load_pointer(&pump->inbox)) return pump->clock.logical;

    uf_time const deadline = ufi_wheel_next(&pump->wheel);
    uf_time const poll =
        ufi_list_empty(&pump->polling) ? UF_FOREVER : uf_time_add(pump->rounded, pump->config.stay_interval);
    return poll < deadline ? poll : deadline;
}

uf_status uf_simulate_until(uf_pump *pump, uf_time until)
{
    if (pump->in_round) return UF_INVALID;
    while (pump->clock.logical < until) {
        uf_time const next = next_round(pump);
        if (next == UF_FOREVER && until == UF_FOREVER) return UF_BLOCKED;
        if (!ufi_clock_move_to(&pump->clock, next < until ? next : until)) return UF_BLOCKED;
        if (next < until) ufi_rounds(pump);
    }
    return UF_OK;
}

uf_status uf_simulate_until_idle(uf_pump *pump, uf_time limit)
{
    if (pump->in_round) return UF_INVALID;
    while (pump->running > 0) {
        uf_time const next = next_round(pump);
        if (pump->clock.logical >= limit) return UF_TIMED_OUT;
        if (next == UF_FOREVER) return UF_BLOCKED;
        if (!ufi_clock_move_to(&pump->clock, next < limit ? next : limit)) return UF_BLOCKED;
        if (next < limit) ufi_rounds(pump);
    }
    return UF_OK;
}
