/* SPDX-License-Identifier: MIT */
/* clock.h - a clock of your own that maps real time to logical time.
 *
 *   uf_clock clock;
 *   uf_clock_init(&clock, 0);
 *   uf_clock_set_scale(&clock, 0.5);
 *   uf_clock_advance(&clock, UF_S(10));             logical time is now 5 s
 *
 * A pump has its own clock: see uf_pump_now(), uf_pump_set_scale() and uf_pump_freeze() in pump.h. */
#ifndef UFLOW_CLOCK_H
#define UFLOW_CLOCK_H

#include "uflow/base.h"

UF_C_BEGIN

/* How a clock runs. The members are private. */
typedef struct uf_speed {
    uint64_t scale;   /* logical nanoseconds per real nanosecond, as Q32.32 fixed point */
    uint64_t residue; /* logical time not yet counted, as Q32.32 nanoseconds: mostly a fraction of 1 ns */
    const struct ufi_scaling *scaling; /* NULL: the scale was never changed, so that other programs do not link it */
    bool frozen;
} uf_speed;

/* A clock. Logical time is real time, scaled; it stops while frozen, never runs backwards, and never jumps.
 * A zeroed clock has scale 0 and does not advance. */
typedef struct uf_clock {
    UF_WITH(UF_USES_SCALE, uf_time real;)   /* real time of the last advance; without scales it is `logical` */
    uf_time logical;                        /* logical time at that moment */
    UF_WITH(UF_USES_SCALE, uf_speed speed;) /* its scale, and whether it is frozen */
} uf_clock;

/* Starts a clock: logical time equals `real`, the scale is 1, and it is not frozen.
 * Thread: one at a time. */
void uf_clock_init(uf_clock *clock, uf_time real);

/* Advances the clock to real time `real`. An earlier time than that of the last advance changes nothing.
 * Thread: one at a time.
 * Returns: logical time after the advance. */
uf_time uf_clock_advance(uf_clock *clock, uf_time real);

/* Reads logical time.
 * Thread: one at a time.
 * Returns: logical time of the last advance. */
uf_time uf_clock_now(const uf_clock *clock);

#if !defined(UF_NO_FLOAT)
/* Sets how many logical seconds pass per real second, from the last advance on. 0 stops time without freezing it.
 * The scale is rounded to a multiple of 2^-32. A frozen clock keeps it for later.
 * Thread: one at a time.
 * Returns: UF_OK; UF_INVALID, and nothing changes: `scale` is negative, NaN or above 2^31, or positive and
 * rounded to 0, or `clock` is NULL. */
uf_status uf_clock_set_scale(uf_clock *clock, double scale);

/* Reads the scale.
 * Thread: one at a time.
 * Returns: logical seconds per real second. */
double uf_clock_scale(const uf_clock *clock);
#endif

/* Sets the scale without floating point, in units of 2^-32: UINT64_C(1) << 32 is real time.
 * Thread: one at a time.
 * Returns: UF_OK; UF_INVALID, and nothing changes: the scale is above 2^31, or `clock` is NULL. */
uf_status uf_clock_set_scale_fixed(uf_clock *clock, uint64_t scale);

/* Stops logical time from the last advance on. Freezing is a flag, not a count.
 * Thread: one at a time. */
void uf_clock_freeze(uf_clock *clock);

/* Lets logical time continue after uf_clock_freeze().
 * Thread: one at a time. */
void uf_clock_resume(uf_clock *clock);

/* Tells whether the clock is frozen.
 * Thread: one at a time.
 * Returns: true between uf_clock_freeze() and uf_clock_resume(). */
bool uf_clock_frozen(const uf_clock *clock);

/* Computes the real time from the last advance until logical time reaches `deadline`.
 * Thread: one at a time.
 * Returns: a duration, rounded up; 0 if the deadline has passed; UF_FOREVER if the clock never reaches it. */
uf_time uf_clock_real_until(const uf_clock *clock, uf_time deadline);

UF_GUARDED(SCALE, uf_clock_set_scale_fixed)
UF_GUARDED(SCALE, uf_clock_freeze)
UF_GUARDED(SCALE, uf_clock_resume)
#if !defined(UF_NO_FLOAT)
UF_GUARDED(SCALE, uf_clock_set_scale)
#endif

UF_C_END
#endif
