/* wheel.c - the timing wheel; see wheel.h for how it is built.
 *
 * Times are looked at as unsigned numbers of the same order, so that every int64_t has its slot. A level's slots lie
 * behind the wheel's time in that digit (on level 0: at it or behind), and a lower level's all lie before a higher
 * one's: the first timers are in the first slot of the lowest level in use. */
#include "core.h"

#define SLOT_MASK ((uint64_t)UF_WHEEL_SLOTS - 1)
#define SIGN      (UINT64_C(1) << 63)

#if defined(__GNUC__) && !defined(__OPTIMIZE_SIZE__)
#define PREFETCH(address) __builtin_prefetch(address, 1)
#else
#define PREFETCH(address) ((void)0)
#endif

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

/* Behind those that are in its slot. `due` has not passed. */
static inline void put(uf_wheel *wheel, uf_arm *arm, uf_time due)
{
    uint64_t const differs = (uint64_t)due ^ (uint64_t)wheel->now;
    unsigned const level = highest_bit(differs | 1) / UF_WHEEL_BITS;
    unsigned const slot = (unsigned)(digits_of(due) >> (level * UF_WHEEL_BITS) & SLOT_MASK);
    unsigned const place = level << UF_WHEEL_BITS | slot;

    arm->place = (uint16_t)place;
    ufi_arms_append(&wheel->slot[place], arm);
    wheel->slots_in_use[level] |= UINT64_C(1) << slot;
    wheel->levels_in_use |= UINT32_C(1) << level;
}

void ufi_wheel_set(uf_wheel *wheel, uf_arm *arm)
{
    uf_time const deadline = arm->on.deadline;
    if (deadline == UF_FOREVER) return;

    uf_time const due = deadline > wheel->now ? deadline : wheel->now;
    put(wheel, arm, due);
    uf_arm const *const soonest = wheel->soonest;
    if (soonest && soonest->place == arm->place && deadline < soonest->on.deadline) wheel->soonest = arm;
    if (wheel->bound_place == arm->place && due < wheel->no_sooner) wheel->no_sooner = due;
}

/* No timer stands there any more. */
static void leave_slot(uf_wheel *wheel, unsigned place)
{
    unsigned const level = level_of(place);
    wheel->slots_in_use[level] &= ~(UINT64_C(1) << slot_of(place));
    if (!wheel->slots_in_use[level]) wheel->levels_in_use &= ~(UINT32_C(1) << level);
}

void ufi_wheel_cancel(uf_wheel *wheel, uf_arm *arm)
{
    if (wheel->soonest == arm) {
        wheel->soonest = NULL;
        wheel->no_sooner = arm->on.deadline;
        wheel->bound_place = arm->place;
    }
    ufi_arms_remove(&wheel->slot[arm->place], arm);
    if (!wheel->slot[arm->place]) leave_slot(wheel, arm->place);
}

/* The place of the first slot in use; there is one. */
static unsigned first_place(const uf_wheel *wheel)
{
    unsigned const level = lowest_bit(wheel->levels_in_use);
    return level << UF_WHEEL_BITS | lowest_bit(wheel->slots_in_use[level]);
}

/* The first moment that belongs to a slot. */
static inline uf_time start_of(const uf_wheel *wheel, unsigned place)
{
    unsigned const shift = level_of(place) * UF_WHEEL_BITS;
    uint64_t const above = digits_of(wheel->now) >> shift & ~SLOT_MASK;
    return time_of((above | slot_of(place)) << shift);
}

/* The wheel's time has come to the start of a slot: its timers move down, in their order. They leave it all at once. None was
 * on a lower level, so what is remembered of one is not true any more. */
UF_APART static void cascade(uf_wheel *wheel, unsigned place)
{
    uf_arm *const last = wheel->slot[place];
    uf_arm *arm = last->next, *next;

    wheel->slot[place] = NULL;
    leave_slot(wheel, place);
    if (wheel->soonest && wheel->soonest->place == place) wheel->soonest = NULL;
    wheel->bound_place = 0;
    for (bool more = true; more; arm = next) {
        next = arm->next;
        more = arm != last;
        PREFETCH(arm->owner);
        put(wheel, arm, arm->on.deadline);
    }
}

/* The first one leaves its slot. */
static inline void take_first(uf_wheel *wheel, unsigned place, uf_arm *last)
{
    uf_arm *const first = last->next;

    if (wheel->soonest == first) wheel->soonest = NULL;
    last->next = first->next;
    first->next->prev = last;
    first->next = first->prev = NULL;
    first->on_list = 0;
    if (first != last) return;
    wheel->slot[place] = NULL;
    leave_slot(wheel, place);
}

uf_arm *ufi_wheel_pop(uf_wheel *wheel, uf_time now)
{
    while (wheel->levels_in_use) {
        unsigned const place = first_place(wheel);
        uf_time const start = start_of(wheel, place);
        if (start > now) break;

        uf_arm *const last = wheel->slot[place];
        uf_arm *const first = last->next;
        bool const alone = first == last && first->on.deadline <= now; /* no need to go down */
        wheel->now = start;
        if (alone || level_of(place) == 0) {
            take_first(wheel, place, last);
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

    uf_arm *const last = wheel->slot[place];
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
