/* SPDX-License-Identifier: MIT */
/* wheel.c - the timing wheel; see uflow/priv/wheel.h for its structure.
 *
 * Times are compared as unsigned numbers of the same order, so that every int64_t has a slot. All slots in use lie
 * after the wheel's time, or at it on level 0. Slots of a lower level lie before those of a higher one. So the earliest
 * timer is in the first slot of the lowest level in use. All timers of a level-0 slot have the same deadline. The
 * timers of a slot on a higher level are in the order in which they were set. They move down when the time has reached
 * the start of their slot, unless it holds only a few. */
#include "basics/wheel.h"

#include "basics/format.h"

#if UF_WHEEL_BITS > 0

#define SLOT_MASK ((uint64_t)UF_WHEEL_SLOTS - 1)
#define SIGN      (UINT64_C(1) << 63)
#define FEW       8

static uint64_t digits_of(uf_time time)
{
    return (uint64_t)time ^ SIGN;
}
static unsigned lowest_bit(uf_wheel_slots word)
{
    return (unsigned)(sizeof word > sizeof(unsigned) ? __builtin_ctzll(word) : __builtin_ctz((unsigned)word));
}
/* A place is the index of a slot: its level above its digit. */
static unsigned level_of(unsigned place)
{
    return place >> UF_WHEEL_BITS;
}
static unsigned digit_of(unsigned place)
{
    return place & (unsigned)SLOT_MASK;
}

void ufi_wheel_init(uf_wheel *wheel, uf_time now)
{
    (void)memset(wheel, 0, sizeof *wheel);
    wheel->now = now;
    wheel->soonest = UF_FOREVER;
    wheel->exact = true;
}

static inline void insert(uf_wheel *wheel, uf_arm *arm)
{
    uint64_t const differs = (uint64_t)arm->on.deadline ^ (uint64_t)wheel->now;
    unsigned const level = ((unsigned)__builtin_clzll(differs | 1) ^ 63u) / UF_WHEEL_BITS; /* of the highest bit */
    unsigned const digit = (unsigned)(digits_of(arm->on.deadline) >> (level * UF_WHEEL_BITS) & SLOT_MASK);
    unsigned const place = level << UF_WHEEL_BITS | digit;

    arm->place = (uint16_t)place;
    ufi_arms_append(&wheel->slot[place], arm);
    wheel->slots_in_use[level] |= (uf_wheel_slots)1 << digit;
    wheel->levels_in_use |= UINT32_C(1) << level;
}

void ufi_wheel_set(uf_wheel *wheel, uf_arm *arm)
{
    insert(wheel, arm);
    if (arm->on.deadline > wheel->soonest) return;
    wheel->soonest = arm->on.deadline;
    wheel->exact = true;
}

static inline void mark_empty(uf_wheel *wheel, unsigned place)
{
    unsigned const level = level_of(place);

    wheel->slots_in_use[level] &= ~((uf_wheel_slots)1 << digit_of(place));
    if (!wheel->slots_in_use[level]) wheel->levels_in_use &= ~(UINT32_C(1) << level);
}

static inline void remove_arm(uf_wheel *wheel, uf_arm *arm)
{
    unsigned const place = arm->place;

    ufi_arms_remove(&wheel->slot[place], arm);
    if (!wheel->slot[place]) mark_empty(wheel, place);
}

void ufi_wheel_cancel(uf_wheel *wheel, uf_arm *arm)
{
    if (arm->on.deadline <= wheel->soonest) wheel->exact = false;
    remove_arm(wheel, arm);
}

/* The place of the first slot in use. There is one. */
static inline unsigned first_place(const uf_wheel *wheel)
{
    unsigned const level = (unsigned)__builtin_ctz(wheel->levels_in_use);
    return level << UF_WHEEL_BITS | lowest_bit(wheel->slots_in_use[level]);
}

/* The earliest time that belongs to a slot. */
static uf_time start_of(const uf_wheel *wheel, unsigned place)
{
    unsigned const shift = level_of(place) * UF_WHEEL_BITS;
    uint64_t const above = digits_of(wheel->now) >> shift & ~SLOT_MASK;
    return (uf_time)((above | digit_of(place)) << shift ^ SIGN);
}

/* Advances the wheel's time to the start of a slot, whose timers move to lower levels in their order. */
UF_NOINLINE static void move_down(uf_wheel *wheel, unsigned place)
{
    uf_arm *const last = wheel->slot[place];
    uf_arm *arm = last->next, *next;

    wheel->now = start_of(wheel, place);
    wheel->slot[place] = NULL;
    mark_empty(wheel, place);
    for (bool more = true; more; arm = next) {
        next = arm->next;
        more = arm != last;
        insert(wheel, arm);
    }
}

/* The earliest timer of a slot. Returns: NULL if the slot holds more than `limit` timers. */
static inline uf_arm *earliest_in(const uf_wheel *wheel, unsigned place, unsigned limit)
{
    uf_arm *const last = wheel->slot[place];
    uf_arm *earliest = last->next;

    if (level_of(place) == 0) return earliest;
    for (uf_arm *arm = earliest; arm != last;) {
        if (--limit == 0) return NULL;
        arm = arm->next;
        if (arm->on.deadline < earliest->on.deadline) earliest = arm;
    }
    return earliest;
}

/* Stores the start of the first slot as the lower bound. */
static inline void bound_by_slot(uf_wheel *wheel)
{
    bool const empty = wheel->levels_in_use == 0;

    wheel->soonest = empty ? UF_FOREVER : start_of(wheel, first_place(wheel));
    wheel->exact = empty;
}

/* Finds the earliest timer and its deadline. Returns: NULL, with a lower bound, if the first slot holds more than
 * `limit` timers. */
static inline uf_arm *find_soonest(uf_wheel *wheel, unsigned limit)
{
    uf_arm *const earliest = wheel->levels_in_use ? earliest_in(wheel, first_place(wheel), limit) : NULL;

    if (earliest) wheel->soonest = earliest->on.deadline;
    else bound_by_slot(wheel);
    wheel->exact = earliest || wheel->exact;
    return earliest;
}

/* The earliest timer; or NULL, with a lower bound after `now`. Timers of slots that have begun move down, unless
 * there are few: to find the earliest of a few costs less. */
static inline uf_arm *advance(uf_wheel *wheel, uf_time now)
{
    uf_arm *earliest;

    while ((earliest = find_soonest(wheel, FEW)) == NULL && wheel->soonest <= now && wheel->levels_in_use) {
        move_down(wheel, first_place(wheel));
    }
    return earliest;
}

uf_arm *ufi_wheel_take(uf_wheel *wheel, uf_time now)
{
    uf_arm *const first = advance(wheel, now);

    if (!first || wheel->soonest > now) return NULL;
    remove_arm(wheel, first);
    first->state = UF_ARM_READY;
    bound_by_slot(wheel);
    return first;
}

uf_time ufi_wheel_next(uf_wheel *wheel)
{
    if (!wheel->exact) (void)find_soonest(wheel, ~0u);
    return wheel->soonest;
}

uf_time ufi_wheel_bound(uf_wheel *wheel, uf_time now)
{
    if (!wheel->exact) (void)advance(wheel, now);
    return wheel->soonest;
}

#endif
