/* SPDX-License-Identifier: MIT */
/* wheel.h - operations of the timing wheel; see uflow/priv/wheel.h for its structure. wheel.c implements them, and
 * wheel_list.c for UF_WHEEL_BITS=0. */
#ifndef UFLOW_CORE_WHEEL_H
#define UFLOW_CORE_WHEEL_H

#include "basics/lists.h"

void ufi_wheel_init(uf_wheel *wheel, uf_time now);

/* Arms a timer: the arm is on no list, and its on.deadline is in the future and not UF_FOREVER. */
void ufi_wheel_set(uf_wheel *wheel, uf_arm *arm);
void ufi_wheel_cancel(uf_wheel *wheel, uf_arm *arm);

/* A lower bound of the earliest deadline; UF_FOREVER: no timers. */
static inline uf_time ufi_wheel_soonest(const uf_wheel *wheel)
{
#if UF_WHEEL_BITS == 0
    return wheel->timers ? wheel->timers->next->on.deadline : UF_FOREVER;
#else
    return wheel->soonest;
#endif
}

/* Removes the next timer that is due at `now` and marks it ready: in the order of deadlines, then of setting. `now`
 * must not decrease. Returns: NULL if none is due. */
uf_arm *ufi_wheel_take(uf_wheel *wheel, uf_time now);
static inline uf_arm *ufi_wheel_pop(uf_wheel *wheel, uf_time now)
{
    return UF_WHEEL_BITS == 0 || ufi_wheel_soonest(wheel) <= now ? ufi_wheel_take(wheel, now) : NULL;
}

/* The earliest deadline; UF_FOREVER: none. Searches one slot, and caches the result. */
uf_time ufi_wheel_next(uf_wheel *wheel);

/* A lower bound of the earliest deadline. If all timers due at `now` were taken, it is later than `now`. It is exact
 * unless the first slot holds many timers. If you sleep until the bound, you wake up early at most once per level of
 * the wheel. */
uf_time ufi_wheel_bound(uf_wheel *wheel, uf_time now);

#endif
