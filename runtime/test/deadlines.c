/* SPDX-License-Identifier: MIT */
/* deadlines.c - the timers of a pump's wheel. */
#include "deadlines.h"

#include "basics/wheel.h"

#include "uflow/priv/pump.h"

/* Each slot is the last timer of a ring. */
#if UF_WHEEL_BITS == 0
#define SLOTS 1u
#else
#define SLOTS (1u * UF_WHEEL_LEVELS * UF_WHEEL_SLOTS)
#endif

/* The first slot from `at` on that has timers. Returns: SLOTS: there is none. */
static uint32_t used_slot(const uf_wheel *wheel, uint32_t at)
{
#if UF_WHEEL_BITS == 0
    return wheel->timers ? at : SLOTS;
#else
    while (at < SLOTS) {
        unsigned const level = at >> UF_WHEEL_BITS;
        bool const is_used = wheel->levels_in_use >> level & 1;
        uf_wheel_slots const slots = is_used ? wheel->slots_in_use[level] >> (at & (UF_WHEEL_SLOTS - 1u)) : 0;
        if (slots) return at + (uint32_t)__builtin_ctzll(slots);
        at = (level + 1) << UF_WHEEL_BITS;
    }
    return SLOTS;
#endif
}

static uf_arm *slot_at(const uf_wheel *wheel, uint32_t at)
{
#if UF_WHEEL_BITS == 0
    (void)at;
    return wheel->timers;
#else
    return wheel->slot[at];
#endif
}

void uft_add_deadline(uft_deadlines *found, uf_time deadline)
{
    uint32_t place = found->count;

    while (place > 0 && found->at[place - 1] >= deadline) place--;
    if (place == TEST_DEADLINES || (place < found->count && found->at[place] == deadline)) return;
    if (found->count < TEST_DEADLINES) found->count++;
    for (uint32_t i = found->count - 1; i > place; i--) found->at[i] = found->at[i - 1];
    found->at[place] = deadline;
}

void uft_find_deadlines(uft_deadlines *found, const uf_pump *pump, const uf_flow *but, uf_time after, uf_time last)
{
    found->count = 0;
    if (pump->wheel.soonest > last) return;
    for (uint32_t i = 0; (i = used_slot(&pump->wheel, i)) < SLOTS; i++) {
        uf_arm const *const end = slot_at(&pump->wheel, i), *arm = end;
        do {
            arm = arm->next;
            if (arm->owner != but && arm->on.deadline > after && arm->on.deadline <= last)
                uft_add_deadline(found, arm->on.deadline);
        } while (arm != end);
    }
}

static uf_arm *find_timer(const uf_pump *pump, const uf_flow *flow)
{
    for (uint32_t i = 0; (i = used_slot(&pump->wheel, i)) < SLOTS; i++) {
        uf_arm *const last = slot_at(&pump->wheel, i), *arm = last;
        do {
            arm = arm->next;
            if (arm->owner == flow) return arm;
        } while (arm != last);
    }
    return NULL;
}

void uft_move_deadlines(uf_pump *pump, const uf_flow *flow, uf_time delay)
{
    uf_arm *taken = NULL, **end = &taken;

    for (uf_arm *arm; (arm = find_timer(pump, flow)) != NULL; end = &arm->next) {
        ufi_wheel_cancel(&pump->wheel, arm);
        *end = arm;
        arm->next = NULL;
    }
    while (taken) {
        uf_arm *const arm = taken;
        taken = arm->next;
        arm->on.deadline = uf_time_add(arm->on.deadline, delay);
        ufi_wheel_set(&pump->wheel, arm);
    }
}
