/* SPDX-License-Identifier: MIT */
/* clocks.h - arithmetic on time, and a clock's move to a given logical time. */
#ifndef UFLOW_CLOCKS_H
#define UFLOW_CLOCKS_H

#include "basics/core.h"

/* a - b, saturating. */
uf_time ufi_time_sub(uf_time a, uf_time b);

/* How the clock runs, in a core with scales. In others nothing asks. */
static inline uf_speed *ufi_speed(uf_clock *clock)
{
    (void)clock;
    return UF_WITH(UF_USES_SCALE, &clock->speed) UF_WITHOUT(UF_USES_SCALE, NULL);
}
static inline const uf_speed *ufi_speed_of(const uf_clock *clock)
{
    (void)clock;
    return UF_WITH(UF_USES_SCALE, &clock->speed) UF_WITHOUT(UF_USES_SCALE, NULL);
}

/* Real time of the last advance. */
static inline uf_time *ufi_real(uf_clock *clock)
{
    return UF_WITH(UF_USES_SCALE, &clock->real) UF_WITHOUT(UF_USES_SCALE, &clock->logical);
}

/* How real time is scaled. The first change of a scale links it in. */
struct ufi_scaling {
    /* Advances logical time by this real time, and keeps the fraction. */
    void (*advance)(uf_clock *clock, uint64_t real);
    uf_time (*real_for)(const uf_clock *clock, uint64_t need);
};

/* uf_clock_advance(), inline: each round begins with it. Not for a zeroed clock. A clock that was never scaled is not
 * ahead of real time, so it cannot overflow. */
static inline void ufi_clock_advance(uf_clock *clock, uf_time real)
{
    if (real <= *ufi_real(clock)) return;

    uint64_t const passed = (uint64_t)real - (uint64_t)*ufi_real(clock);
    *ufi_real(clock) = real;
    if (!UF_USES_SCALE || ufi_speed(clock)->frozen) return;
    if (ufi_speed(clock)->scaling) ufi_speed(clock)->scaling->advance(clock, passed);
    else clock->logical = (uf_time)((uint64_t)clock->logical + passed);
}

/* Moves logical time forward to exactly `logical`, and real time as far as that takes.
 * Returns: false, and nothing changes, if the clock is frozen or its scale is 0. */
bool ufi_clock_move_to(uf_clock *clock, uf_time logical);

#endif
