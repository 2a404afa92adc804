/* SPDX-License-Identifier: MIT */
/* clock.c - real time to logical time, in exact fixed point.
 *
 * The product of real time and scale is Q32.32. Whole nanoseconds go to `logical`, the fraction stays in `residue`.
 * Nothing is rounded away, so changes of the scale never make the clock drift. */
#include "basics/clocks.h"

#include "flows/flows.h"

#define ONE         (UINT64_C(1) << 32)
#define SCALE_LIMIT (UINT64_C(1) << 63) /* 2^31 as Q32.32 */

static uint64_t add_saturating(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* real * scale + residue in whole nanoseconds, saturating, and the remaining fraction. Small machines have no
 * 128-bit type, so it multiplies halves. */
static uint64_t scaled(uint64_t real, uint64_t scale, uint64_t residue, uint32_t *fraction)
{
    if (scale == ONE && residue == 0) {
        *fraction = 0;
        return real;
    }
    uint64_t const real_low = (uint32_t)real, real_high = real >> 32;
    uint64_t const scale_low = (uint32_t)scale, scale_high = scale >> 32;
    uint64_t const high = real_high * scale_high;
    uint64_t const low = real_low * scale_low;
    uint64_t const sum = (uint64_t)(uint32_t)low + (uint32_t)residue;
    uint64_t whole = high >> 32 ? UINT64_MAX : high << 32;

    whole = add_saturating(whole, real_high * scale_low);
    whole = add_saturating(whole, real_low * scale_high);
    whole = add_saturating(whole, (low >> 32) + (residue >> 32) + (sum >> 32));
    *fraction = (uint32_t)sum;
    return whole;
}

static void advance(uf_clock *clock, uint64_t real)
{
    uf_speed *const speed = ufi_speed(clock);
    uint32_t fraction;

    if (speed->scale == 0) return; /* the fraction stays, too */
    uf_time const sum = (uf_time)((uint64_t)clock->logical + scaled(real, speed->scale, speed->residue, &fraction));
    speed->residue = fraction;
    clock->logical = sum < clock->logical ? INT64_MAX : sum;
}

static bool is_stopped(const uf_clock *clock)
{
    return UF_USES_SCALE && (ufi_speed_of(clock)->frozen || ufi_speed_of(clock)->scale == 0);
}

/* The shortest real time in which `need` logical nanoseconds pass; UF_FOREVER: none that fits. */
static uf_time real_for(const uf_clock *clock, uint64_t need)
{
    const uf_speed *const speed = ufi_speed_of(clock);
    uint32_t fraction;
    uint64_t low = 0, high = (uint64_t)UF_FOREVER;

    if (speed->scale == ONE) {
        uint64_t const ahead = speed->residue >> 32;
        if (need <= ahead) return 0;
        return need - ahead < high ? (uf_time)(need - ahead) : UF_FOREVER;
    }
    if (scaled(high, speed->scale, speed->residue, &fraction) < need) return UF_FOREVER;
    while (low < high) {
        uint64_t const middle = low + (high - low) / 2;
        if (scaled(middle, speed->scale, speed->residue, &fraction) >= need) high = middle;
        else low = middle + 1;
    }
    return (uf_time)low;
}

void uf_clock_init(uf_clock *clock, uf_time real)
{
    if (clock) *clock = (uf_clock){.logical = real UF_WITH(UF_USES_SCALE, , .real = real, .speed = {.scale = ONE})};
}

uf_time uf_clock_advance(uf_clock *clock, uf_time real)
{
    if (!clock) return 0;
    if (!UF_USES_SCALE || ufi_speed(clock)->scale > 0) ufi_clock_advance(clock, real);
    else if (real > *ufi_real(clock)) *ufi_real(clock) = real;
    return clock->logical;
}

/* At any scale. A scale above 1 may overshoot; the excess goes to the residue, and counts in the next advance. */
UF_NOINLINE static bool move_scaled(uf_clock *clock, uf_time logical)
{
    uf_speed *const speed = ufi_speed(clock);

    if (is_stopped(clock)) return false;
    uint64_t const need = (uint64_t)logical - (uint64_t)clock->logical;
    uf_time const real = real_for(clock, need);
    if (real == UF_FOREVER) return false;

    uint32_t fraction;
    uint64_t const whole = scaled((uint64_t)real, speed->scale, speed->residue, &fraction);
    *ufi_real(clock) = uf_time_add(*ufi_real(clock), real);
    speed->residue = ((whole - need) << 32) | fraction;
    clock->logical = logical;
    return true;
}

bool ufi_clock_move_to(uf_clock *clock, uf_time logical)
{
    if (logical <= clock->logical) return true;

    uint64_t const need = (uint64_t)logical - (uint64_t)clock->logical;
    const uf_speed *const speed = ufi_speed(clock);
    bool const plain = !UF_USES_SCALE || (speed->scale == ONE && !(speed->residue | speed->frozen));
    bool const is_late = need >= (uint64_t)UF_FOREVER - (uint64_t)*ufi_real(clock);
    if (!plain || is_late) return UF_USES_SCALE && move_scaled(clock, logical);
    if (UF_USES_SCALE) *ufi_real(clock) = (uf_time)((uint64_t)*ufi_real(clock) + need);
    clock->logical = logical;
    return true;
}

uf_time uf_clock_now(const uf_clock *clock)
{
    return clock ? clock->logical : 0;
}

static const struct ufi_scaling scaling = {.advance = advance, .real_for = real_for};

uf_status uf_clock_set_scale_fixed(uf_clock *clock, uint64_t scale)
{
    if (!clock || scale > SCALE_LIMIT) return UF_INVALID;
    ufi_speed(clock)->scale = scale;
    ufi_speed(clock)->scaling = &scaling;
    return UF_OK;
}

#if !defined(UF_NO_FLOAT)
uf_status uf_clock_set_scale(uf_clock *clock, double scale)
{
    if (!(scale >= 0 && scale <= 2147483648.0)) return UF_INVALID; /* NaN too */
    uint64_t const fixed = (uint64_t)(scale * 4294967296.0 + 0.5);
    return fixed == 0 && scale > 0 ? UF_INVALID : uf_clock_set_scale_fixed(clock, fixed);
}

double uf_clock_scale(const uf_clock *clock)
{
    return !clock ? 0 : UF_USES_SCALE ? (double)ufi_speed_of(clock)->scale / 4294967296.0 : 1;
}
#endif

void uf_clock_freeze(uf_clock *clock)
{
    if (clock) ufi_speed(clock)->frozen = true;
}
void uf_clock_resume(uf_clock *clock)
{
    if (clock) ufi_speed(clock)->frozen = false;
}
bool uf_clock_frozen(const uf_clock *clock)
{
    return UF_USES_SCALE && clock && ufi_speed_of(clock)->frozen;
}

uf_time uf_clock_real_until(const uf_clock *clock, uf_time deadline)
{
    if (!clock) return 0;
    if (deadline == UF_FOREVER) return UF_FOREVER;
    if (deadline <= clock->logical) return 0;
    if (is_stopped(clock)) return UF_FOREVER;
    uint64_t const need = (uint64_t)deadline - (uint64_t)clock->logical;
    if (UF_USES_SCALE && ufi_speed_of(clock)->scaling) return ufi_speed_of(clock)->scaling->real_for(clock, need);
    return need < (uint64_t)UF_FOREVER ? (uf_time)need : UF_FOREVER;
}
