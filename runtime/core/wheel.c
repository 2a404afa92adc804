/* wheel.c - the timing wheel; see wheel.h for how it is built.
 *
 * Times are looked at as unsigned numbers of the same order, so that every int64_t has its slot. A level's slots lie
 * behind the wheel's time in that digit (on level 0: at it or behind), and a lower level's all lie before a higher
 * one's: the first timers are in the first slot of the lowest level in use. */
#include "core.h"

#define SLOT_MASK ((uint64_t)UF_WHEEL_SLOTS - 1)
#define SIGN      (UINT64_C(1) << 63)

static uint64_t digits_of(uf_time time)
{
    return (uint64_t)time ^ SIGN;
}
static uf_time time_of(uint64_t digits)
{
    return (uf_time)(digits ^ SIGN);
}

static unsigned lowest_bit(uint64_t word)
{
    return (unsigned)__builtin_ctzll(word);
}
static unsigned highest_bit(uint64_t word)
{
    return 63u - (unsigned)__builtin_clzll(word);
}

static unsigned level_of(unsigned place)
{
    return place >> UF_WHEEL_BITS;
}
static unsigned slot_of(unsigned place)
{
    return place & (unsigned)SLOT_MASK;
}

void ufi_wheel_init(uf_wheel *wheel, uf_time now)
{
    memset(wheel, 0, sizeof *wheel);
    wheel->now = now;
}

void ufi_wheel_set(uf_wheel *wheel, uf_arm *arm)
{
    if (arm->on.deadline == UF_FOREVER) return;

    uf_time const due = arm->on.deadline > wheel->now ? arm->on.deadline : wheel->now;
    uint64_t const differs = digits_of(due) ^ digits_of(wheel->now);
    unsigned const level = differs ? highest_bit(differs) / UF_WHEEL_BITS : 0;
    unsigned const slot = (unsigned)(digits_of(due) >> (level * UF_WHEEL_BITS) & SLOT_MASK);

    arm->place = (uint16_t)(level << UF_WHEEL_BITS | slot);
    ufi_arms_append(&wheel->slot[level][slot], arm);
    wheel->slots_in_use[level] |= UINT64_C(1) << slot;
    wheel->levels_in_use |= UINT32_C(1) << level;

    uf_arm const *const soonest = wheel->soonest;
    if (soonest && soonest->place == arm->place && arm->on.deadline < soonest->on.deadline) wheel->soonest = arm;
    if (wheel->bound_place == arm->place && due < wheel->no_sooner) wheel->no_sooner = due;
}

/* No timer stands there any more. */
static void leave_slot(uf_wheel *wheel, unsigned level, unsigned slot)
{
    wheel->slots_in_use[level] &= ~(UINT64_C(1) << slot);
    if (!wheel->slots_in_use[level]) wheel->levels_in_use &= ~(UINT32_C(1) << level);
}

void ufi_wheel_cancel(uf_wheel *wheel, uf_arm *arm)
{
    unsigned const level = level_of(arm->place), slot = slot_of(arm->place);

    if (wheel->soonest == arm) {
        wheel->soonest = NULL;
        wheel->no_sooner = arm->on.deadline;
        wheel->bound_place = arm->place;
    }
    ufi_arms_remove(&wheel->slot[level][slot], arm);
    if (!wheel->slot[level][slot]) leave_slot(wheel, level, slot);
}

/* The place of the first slot in use; there is one. */
static unsigned first_place(const uf_wheel *wheel)
{
    unsigned const level = lowest_bit(wheel->levels_in_use);
    return level << UF_WHEEL_BITS | lowest_bit(wheel->slots_in_use[level]);
}

/* The first moment that belongs to a slot. */
static uf_time start_of(const uf_wheel *wheel, unsigned place)
{
    unsigned const shift = level_of(place) * UF_WHEEL_BITS;
    uint64_t const below = shift + UF_WHEEL_BITS < 64 ? (UINT64_C(1) << (shift + UF_WHEEL_BITS)) - 1 : UINT64_MAX;
    return time_of((digits_of(wheel->now) & ~below) | (uint64_t)slot_of(place) << shift);
}

/* The wheel's time has come to the start of a slot: its timers move down, in their order. They leave it all at once. */
static void cascade(uf_wheel *wheel, unsigned place)
{
    unsigned const level = level_of(place), slot = slot_of(place);
    uf_arm *const last = wheel->slot[level][slot];
    uf_arm *arm = last->next, *next;

    wheel->slot[level][slot] = NULL;
    leave_slot(wheel, level, slot);
    if (wheel->soonest && wheel->soonest->place == place) wheel->soonest = NULL;
    for (bool more = true; more; arm = next) {
        next = arm->next;
        more = arm != last;
        ufi_wheel_set(wheel, arm);
    }
}

uf_arm *ufi_wheel_pop(uf_wheel *wheel, uf_time now)
{
    while (wheel->levels_in_use) {
        unsigned const place = first_place(wheel);
        uf_time const start = start_of(wheel, place);
        if (start > now) break;

        uf_arm *const first = wheel->slot[level_of(place)][slot_of(place)]->next;
        wheel->now = start;
        if (level_of(place) == 0) {
            ufi_wheel_cancel(wheel, first);
            return first;
        }
        if (first->next == first && first->on.deadline <= now) { /* alone in its slot: no need to go down */
            wheel->now = first->on.deadline;
            ufi_wheel_cancel(wheel, first);
            return first;
        }
        cascade(wheel, place);
    }
    if (now > wheel->now) wheel->now = now;
    return NULL;
}

uf_time ufi_wheel_next(uf_wheel *wheel)
{
    if (!wheel->levels_in_use) return UF_FOREVER;

    unsigned const place = first_place(wheel);
    if (level_of(place) == 0) return start_of(wheel, place);
    if (wheel->soonest && wheel->soonest->place == place) return wheel->soonest->on.deadline;

    uf_arm *const last = wheel->slot[level_of(place)][slot_of(place)];
    uf_arm *soonest = last;
    for (uf_arm *arm = last->next; arm != last; arm = arm->next) {
        if (arm->on.deadline < soonest->on.deadline) soonest = arm;
    }
    wheel->soonest = soonest;
    return soonest->on.deadline;
}

uf_time ufi_wheel_bound(uf_wheel *wheel)
{
    if (!wheel->levels_in_use) return UF_FOREVER;

    unsigned const place = first_place(wheel);
    uf_time const start = start_of(wheel, place);
    if (wheel->soonest || wheel->bound_place != place || level_of(place) == 0) return ufi_wheel_next(wheel);
    return wheel->no_sooner > start ? wheel->no_sooner : start;
}
