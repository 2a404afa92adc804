/* SPDX-License-Identifier: MIT */
/* wheel_list.c - one sorted list instead of the timing wheel, for UF_WHEEL_BITS=0. To set a timer takes a step for each
 * timer that is due earlier, and no memory for slots. */
#include "basics/wheel.h"

#if UF_WHEEL_BITS == 0

void ufi_wheel_init(uf_wheel *wheel, uf_time now)
{
    (void)now;
    wheel->timers = NULL;
}

/* Inserts after the timers of the same deadline. */
void ufi_wheel_set(uf_wheel *wheel, uf_arm *arm)
{
    uf_arm const *const last = wheel->timers;

    if (last && arm->on.deadline < last->on.deadline) {
        uf_arm *before = wheel->timers; /* the last of a ring is before the first */
        while (before->next->on.deadline <= arm->on.deadline) before = before->next;
        ufi_arms_append(&before, arm);
    } else {
        ufi_arms_append(&wheel->timers, arm);
    }
}

void ufi_wheel_cancel(uf_wheel *wheel, uf_arm *arm)
{
    ufi_arms_remove(&wheel->timers, arm);
}

uf_arm *ufi_wheel_take(uf_wheel *wheel, uf_time now)
{
    if (!wheel->timers || wheel->timers->next->on.deadline > now) return NULL;
    uf_arm *const first = wheel->timers->next;
    ufi_wheel_cancel(wheel, first);
    first->state = UF_ARM_READY;
    return first;
}

uf_time ufi_wheel_next(uf_wheel *wheel)
{
    return ufi_wheel_soonest(wheel);
}

uf_time ufi_wheel_bound(uf_wheel *wheel, uf_time now)
{
    (void)now;
    return ufi_wheel_soonest(wheel);
}

#endif
