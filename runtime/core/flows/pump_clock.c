/* SPDX-License-Identifier: MIT */
/* pump_clock.c - queries and changes of a pump's logical time.
 *
 * A caller-driven pump has one clock, and one thread that uses it. The clock of a runtime is the host's, and any
 * thread may change it. The pump has a copy, which its thread advances. */
#include "basics/clocks.h"
#include "flows/flows.h"

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
    if (ufi_host(pump)) return ufi_host(pump)->real();
    return ufi_monotonic_of(pump) ? ufi_monotonic_of(pump)(pump->config.context) : ufi_real_time(pump);
}

/* -- changes ------------------------------------------------------------------------------------------------------- */

/* Locks and returns the authoritative clock. */
static uf_clock *lock_clock(uf_pump *pump)
{
    return ufi_host(pump) ? ufi_host(pump)->take_clock(pump) : &pump->clock;
}

static void unlock_clock(uf_pump *pump, bool changed)
{
    if (ufi_host(pump)) ufi_host(pump)->give_clock(pump, changed);
}

uf_status uf_pump_set_scale_fixed(uf_pump *pump, uint64_t scale)
{
    if (!ufi_is_pump(pump)) return UF_INVALID;
    uf_status const status = uf_clock_set_scale_fixed(lock_clock(pump), scale);
    unlock_clock(pump, status == UF_OK);
    return status;
}

static void set_frozen(uf_pump *pump, bool frozen)
{
    if (!ufi_is_pump(pump)) return;
    ufi_speed(lock_clock(pump))->frozen = frozen;
    unlock_clock(pump, true);
}

void uf_pump_freeze(uf_pump *pump)
{
    set_frozen(pump, true);
}

void uf_pump_resume(uf_pump *pump)
{
    set_frozen(pump, false);
}

/* The scale is only stored, so a program that never changes it does not link the arithmetic. */
void ufi_pump_end_scaling(uf_pump *pump)
{
    uf_clock *const clock = lock_clock(pump);
    if (UF_USES_SCALE) ufi_speed(clock)->scale = UINT64_C(1) << 32;
    if (UF_USES_SCALE) ufi_speed(clock)->frozen = false;
    unlock_clock(pump, true);
}

/* A copy of its speed. Something that is no pump has a clock with scale 0. */
static uf_speed copy_speed(const uf_pump *pump)
{
    uf_pump *const asked = (uf_pump *)(uintptr_t)pump;

    if (!ufi_is_pump(pump)) return (uf_speed){.scale = 0};
    uf_speed const speed = *ufi_speed(lock_clock(asked));
    unlock_clock(asked, false);
    return speed;
}

bool uf_pump_frozen(const uf_pump *pump)
{
    return UF_USES_SCALE && copy_speed(pump).frozen;
}

#if !defined(UF_NO_FLOAT)
uf_status uf_pump_set_scale(uf_pump *pump, double scale)
{
    if (!ufi_is_pump(pump)) return UF_INVALID;
    uf_status const status = uf_clock_set_scale(lock_clock(pump), scale);
    unlock_clock(pump, status == UF_OK);
    return status;
}

double uf_pump_scale(const uf_pump *pump)
{
    return UF_USES_SCALE ? (double)copy_speed(pump).scale / 4294967296.0 : ufi_is_pump(pump) ? 1 : 0;
}
#endif
