/* wheel.c - the timing wheel; see wheel.h for how it is built.
 *
 * Times are looked at as unsigned numbers of the same order, so that every int64_t has its slot. A level's slots lie
 * behind the wheel's time in that digit (on level 0: at it or behind), and a lower level's all lie before a higher
 * one's: the first timers are in the first slot of the lowest level in use.
 *
 * The first one of a slot is its earliest: who is earlier is put before it. Where the first one has left, the earliest of the
 * rest takes its place when it is asked for, and until then the first one bears a mark. A slot of a higher level whose time has
 * come is emptied like that, one after the other, if it holds few: to find the earliest of a few costs less than to move
 * them down. Only if it holds more the wheel's time comes to its start, and they move down. */
#include "core.h"

#define SLOT_MASK ((uint64_t)UF_WHEEL_SLOTS - 1)
#define SIGN      (UINT64_C(1) << 63)
#define FEW       8
#define UNSORTED  0x8000u /* in the place of a slot's first timer: another one may be earlier */

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

static unsigned lowest_bit(uf_wheel_slots word)
{
    return (unsigned)(sizeof word > sizeof(unsigned) ? __builtin_ctzll(word) : __builtin_ctz((unsigned)word));
}
static unsigned highest_bit(uint64_t word)
{
    return (unsigned)__builtin_clzll(word) ^ 63u;
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
    wheel->soonest = UF_FOREVER;
}

/* Behind those that are in its slot, or, if it is the earliest, before them. */
static inline void put(uf_wheel *wheel, uf_arm *arm)
{
    uf_time const deadline = arm->on.deadline;
    uint64_t const differs = (uint64_t)deadline ^ (uint64_t)wheel->now;
    unsigned const level = highest_bit(differs | 1) / UF_WHEEL_BITS;
    unsigned const slot = (unsigned)(digits_of(deadline) >> (level * UF_WHEEL_BITS) & SLOT_MASK);
    unsigned const place = level << UF_WHEEL_BITS | slot;
    uf_arm *const last = wheel->slot[place];

    arm->place = (uint16_t)place;
    arm->on_list = 1;
    if (!last) {
        arm->next = arm->prev = wheel->slot[place] = arm;
        wheel->slots_in_use[level] |= (uf_wheel_slots)1 << slot;
        wheel->levels_in_use |= UINT32_C(1) << level;
        return;
    }
    uf_arm *const first = last->next;
    arm->next = first;
    arm->prev = last;
    last->next = first->prev = arm;
    if (deadline >= first->on.deadline || first->place & UNSORTED) wheel->slot[place] = arm;
}

void ufi_wheel_set(uf_wheel *wheel, uf_arm *arm)
{
    put(wheel, arm);
    if (arm->on.deadline < wheel->soonest) wheel->soonest = arm->on.deadline;
}

/* No timer stands there any more. */
static inline void leave_slot(uf_wheel *wheel, unsigned place)
{
    unsigned const level = level_of(place);

    wheel->slot[place] = NULL;
    wheel->slots_in_use[level] &= ~((uf_wheel_slots)1 << slot_of(place));
    if (!wheel->slots_in_use[level]) wheel->levels_in_use &= ~(UINT32_C(1) << level);
}

void ufi_wheel_cancel(uf_wheel *wheel, uf_arm *arm)
{
    unsigned const place = arm->place & ~UNSORTED;
    uf_arm *const last = wheel->slot[place], *const next = arm->next, *const before = arm->prev;

    if (arm->on.deadline == wheel->soonest) wheel->soonest = UFI_WHEEL_UNKNOWN;
    arm->on_list = 0;
    if (next == arm) {
        leave_slot(wheel, place);
        return;
    }
    before->next = next;
    next->prev = before;
    if (arm == last) wheel->slot[place] = before;
    else if (before == last && level_of(place) > 0) next->place |= UNSORTED;
}

/* The place of the first slot in use; there is one. */
static inline unsigned first_place(const uf_wheel *wheel)
{
    unsigned const level = (unsigned)__builtin_ctz(wheel->levels_in_use);
    return level << UF_WHEEL_BITS | lowest_bit(wheel->slots_in_use[level]);
}

/* The first moment that belongs to a slot. */
static uf_time start_of(const uf_wheel *wheel, unsigned place)
{
    unsigned const shift = level_of(place) * UF_WHEEL_BITS;
    uint64_t const above = digits_of(wheel->now) >> shift & ~SLOT_MASK;
    return time_of((above | slot_of(place)) << shift);
}

/* The wheel's time comes to the start of a slot: its timers move down, in their order. They leave it all at once. */
UF_NOINLINE static void move_down(uf_wheel *wheel, unsigned place)
{
    uf_arm *const last = wheel->slot[place];
    uf_arm *arm = last->next, *next;

    wheel->now = start_of(wheel, place);
    leave_slot(wheel, place);
    for (bool more = true; more; arm = next) {
        next = arm->next;
        more = arm != last;
        PREFETCH(arm->owner);
        put(wheel, arm);
    }
}

/* The earliest of a slot becomes its first one. False: there are more than so many behind the first, and nothing happens. */
static bool sort(uf_wheel *wheel, unsigned place, unsigned at_most)
{
    uf_arm *const last = wheel->slot[place], *const first = last->next;
    uf_arm *earliest = first;

    for (uf_arm *arm = first; arm != last;) {
        if (at_most-- == 0) return false;
        arm = arm->next;
        if (arm->on.deadline < earliest->on.deadline) earliest = arm;
    }
    first->place = (uint16_t)place;
    if (earliest == first) return true;
    if (earliest == last) {
        wheel->slot[place] = last->prev;
        return true;
    }
    earliest->prev->next = earliest->next;
    earliest->next->prev = earliest->prev;
    earliest->next = first;
    earliest->prev = last;
    last->next = first->prev = earliest;
    return true;
}

/* When the soonest one is due, from the first slot. False: that would have to be sorted. */
static inline bool learn(uf_wheel *wheel)
{
    uf_time soonest = UF_FOREVER;

    if (wheel->levels_in_use) {
        uf_arm const *const first = wheel->slot[first_place(wheel)]->next;
        soonest = first->place & UNSORTED ? UFI_WHEEL_UNKNOWN : first->on.deadline;
    }
    wheel->soonest = soonest;
    return soonest != UFI_WHEEL_UNKNOWN;
}

/* The same with slots that have come, one after the other, if they have to be sorted. */
UF_NOINLINE static bool learn_due(uf_wheel *wheel, uf_time now)
{
    while (!learn(wheel)) {
        unsigned const place = first_place(wheel);
        if (start_of(wheel, place) > now) return false;
        if (!sort(wheel, place, FEW)) move_down(wheel, place);
    }
    return wheel->soonest <= now;
}

UF_NOINLINE static uf_arm *look_and_take(uf_wheel *wheel, uf_time now)
{
    return learn_due(wheel, now) ? ufi_wheel_take(wheel, now) : NULL;
}

/* The slot that the first one has left holds too many. */
UF_NOINLINE static uf_arm *taken_from_many(uf_wheel *wheel, unsigned place, uf_arm *first)
{
    move_down(wheel, place);
    (void)learn(wheel);
    return first;
}

uf_arm *ufi_wheel_take(uf_wheel *wheel, uf_time now)
{
    if (wheel->soonest == UFI_WHEEL_UNKNOWN) return look_and_take(wheel, now);
    if (!wheel->levels_in_use) return NULL; /* `now` is for ever */

    unsigned const place = first_place(wheel);
    uf_arm *const last = wheel->slot[place], *const first = last->next;
    first->on_list = 0;
    first->state = UF_ARM_READY;
    if (first == last) {
        leave_slot(wheel, place);
        (void)learn(wheel);
        return first;
    }
    last->next = first->next;
    first->next->prev = last;
    if (level_of(place) > 0 && !sort(wheel, place, FEW)) return taken_from_many(wheel, place, first);
    wheel->soonest = wheel->slot[place]->next->on.deadline;
    return first;
}

uf_time ufi_wheel_search(uf_wheel *wheel)
{
    if (!learn(wheel)) {
        (void)sort(wheel, first_place(wheel), ~0u);
        (void)learn(wheel);
    }
    return wheel->soonest;
}

uf_time ufi_wheel_bound(uf_wheel *wheel)
{
    if (wheel->soonest == UFI_WHEEL_UNKNOWN && !learn(wheel)) {
        unsigned const place = first_place(wheel);
        if (!sort(wheel, place, FEW)) return start_of(wheel, place);
        (void)learn(wheel);
    }
    return wheel->soonest;
}
