/* wheel.c - the timing wheel; see uflow/priv/wheel.h for its structure.
 *
 * Times are compared as unsigned numbers of the same order, so that every int64_t has a slot. All slots in use lie after the wheel's
 * time, or at it on level 0, and slots of a lower level lie before those of a higher one. So the earliest timer is in the first slot of
 * the lowest level in use. All timers of a level-0 slot have the same deadline. The timers of a slot on a higher level are in the
 * order in which they were set. They move down when the wheel's time reaches the start of their slot. */
#include "wheel.h"

#include "format.h"

#define SLOT_MASK    ((uint64_t)UF_WHEEL_SLOTS - 1)
#define SIGN         (UINT64_C(1) << 63)
#define SEARCH_LIMIT 8

static uint64_t digits_of(uf_time time)
{
    return (uint64_t)time ^ SIGN;
}
static uf_time time_of(uint64_t digits)
{
    return (uf_time)(digits ^ SIGN);
}

static unsigned lowest_bit(uf_wheel_slots word)
{
    return (unsigned)(sizeof word > sizeof(unsigned) ? __builtin_ctzll(word) : __builtin_ctz((unsigned)word));
}
static unsigned highest_bit(uint64_t word)
{
    return (unsigned)__builtin_clzll(word) ^ 63u;
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
    memset(wheel, 0, sizeof *wheel);
    wheel->now = now;
    wheel->soonest = UF_FOREVER;
    wheel->exact = true;
}

static inline void insert(uf_wheel *wheel, uf_arm *arm)
{
    uint64_t const differs = (uint64_t)arm->on.deadline ^ (uint64_t)wheel->now;
    unsigned const level = highest_bit(differs | 1) / UF_WHEEL_BITS;
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

static inline void remove_arm(uf_wheel *wheel, unsigned place, uf_arm *arm)
{
    ufi_arms_remove(&wheel->slot[place], arm);
    if (!wheel->slot[place]) mark_empty(wheel, place);
}

void ufi_wheel_cancel(uf_wheel *wheel, uf_arm *arm)
{
    if (arm->on.deadline == wheel->soonest) wheel->exact = false;
    remove_arm(wheel, arm->place, arm);
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
    return time_of((above | digit_of(place)) << shift);
}

/* Advances the wheel's time to the start of a slot, whose timers move to lower levels in their order. */
static void move_down(uf_wheel *wheel, unsigned place)
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

uf_arm *ufi_wheel_take(uf_wheel *wheel, uf_time now)
{
    while (wheel->levels_in_use) {
        unsigned const place = first_place(wheel);
        uf_arm *const first = wheel->slot[place]->next;
        bool const is_earliest = level_of(place) == 0 || first->next == first; /* a lone timer need not move down */
        uf_time const bound = is_earliest ? first->on.deadline : start_of(wheel, place);

        if (bound > now) {
            wheel->soonest = bound;
            wheel->exact = is_earliest;
            return NULL;
        }
        if (is_earliest) {
            wheel->exact = false;
            remove_arm(wheel, place, first);
            first->state = UF_ARM_READY;
            return first;
        }
        move_down(wheel, place);
    }
    wheel->soonest = UF_FOREVER;
    wheel->exact = true;
    return NULL;
}

/* Finds the earliest deadline in the first slot, or the start of that slot if it holds more than `limit` timers. */
static void search(uf_wheel *wheel, unsigned limit)
{
    uf_time earliest = UF_FOREVER;

    wheel->exact = true;
    if (wheel->levels_in_use) {
        unsigned const place = first_place(wheel);
        uf_arm const *const last = wheel->slot[place], *arm = last;
        do {
            arm = arm->next;
            if (arm->on.deadline < earliest) earliest = arm->on.deadline;
        } while (arm != last && level_of(place) > 0 && --limit > 0);
        if (limit == 0 && arm != last) {
            earliest = start_of(wheel, place);
            wheel->exact = false;
        }
    }
    wheel->soonest = earliest;
}

uf_time ufi_wheel_next(uf_wheel *wheel)
{
    if (!wheel->exact) search(wheel, ~0u);
    return wheel->soonest;
}

uf_time ufi_wheel_bound(uf_wheel *wheel)
{
    if (!wheel->exact) search(wheel, SEARCH_LIMIT);
    return wheel->soonest;
}
