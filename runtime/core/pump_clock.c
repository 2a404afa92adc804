/* pump_clock.c - the logical time of a pump: asked for, and changed.
 *
 * A pump that is driven by hand has one clock, and one thread that uses it. A runtime's pump has a copy, which its thread
 * advances; what any thread may change is the host's. */
#include "core.h"

uf_time uf_pump_now(const uf_pump *pump)
{
    return ufi_is_pump(pump) ? ufi_read_time(pump) : 0;
}

uf_time uf_flow_now(const uf_flow *flow)
{
    return flow && flow->pump ? ufi_read_time(flow->pump) : 0;
}

uf_time uf_pump_real_now(const uf_pump *pump)
{
    if (!ufi_is_pump(pump)) return 0;
    if (pump->host) return pump->host->real();
    return pump->config.monotonic ? pump->config.monotonic(pump->config.context) : pump->clock.real;
}

/* -- changes ------------------------------------------------------------------------------------------------------- */

/* The clock that counts, which is this thread's until it gives it back. */
static uf_clock *take(uf_pump *pump)
{
    return pump->host ? pump->host->take_clock(pump) : &pump->clock;
}

static void give_back(uf_pump *pump, bool changed)
{
    if (pump->host) pump->host->give_clock(pump, changed);
}

uf_status uf_pump_set_scale_fixed(uf_pump *pump, uint64_t scale)
{
    if (!ufi_is_pump(pump)) return UF_INVALID;
    uf_status const status = uf_clock_set_scale_fixed(take(pump), scale);
    give_back(pump, status == UF_OK);
    return status;
}

static void set_frozen(uf_pump *pump, bool frozen)
{
    if (!ufi_is_pump(pump)) return;
    take(pump)->frozen = frozen;
    give_back(pump, true);
}

void uf_pump_freeze(uf_pump *pump)
{
    set_frozen(pump, true);
}

void uf_pump_resume(uf_pump *pump)
{
    set_frozen(pump, false);
}

/* The clock at this moment; a pump that is none has one that stands. */
static uf_clock look(const uf_pump *pump)
{
    uf_pump *const asked = (uf_pump *)(uintptr_t)pump;

    if (!ufi_is_pump(pump)) return (uf_clock){.scale = 0};
    uf_clock const clock = *take(asked);
    give_back(asked, false);
    return clock;
}

bool uf_pump_frozen(const uf_pump *pump)
{
    return look(pump).frozen;
}

#if !defined(UF_NO_FLOAT)
uf_status uf_pump_set_scale(uf_pump *pump, double scale)
{
    if (!ufi_is_pump(pump)) return UF_INVALID;
    uf_status const status = uf_clock_set_scale(take(pump), scale);
    give_back(pump, status == UF_OK);
    return status;
}

double uf_pump_scale(const uf_pump *pump)
{
    uf_clock const clock = look(pump);
    return uf_clock_scale(&clock);
}
#endif
