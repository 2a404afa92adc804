/* SPDX-License-Identifier: MIT */
/* real_time.c - `timeout real D` and `on timeout real D`: timers of real time, which no scale and no freeze reaches.
 *
 * `pump->real_timers` is the earliest one, and its link `next` the root of a tree of all others. From the root, the
 * bits of a timer's deadline and then of its number choose the way, the highest bit first: 0 leads to `next`, 1 to
 * `prev`. So to set or to remove a timer takes at most 96 steps. Timers of one deadline are due in the order of their
 * numbers.
 *
 * A pump looks at its timers where it looks at its jobs, so a pump without either does not pay for them. */
#include "waits/arms.h"

static bool is_earlier(const uf_arm *one, const uf_arm *other)
{
    if (one->on.deadline != other->on.deadline) return one->on.deadline < other->on.deadline;
    return one->since < other->since;
}

/* The way to `arm` below a timer of this level of the tree. */
static uf_arm **way_to(const uf_arm *arm, uf_arm *below, unsigned level)
{
    uint64_t const deadline = (uint64_t)arm->on.deadline ^ UINT64_C(1) << 63; /* negative ones are the smallest */
    uint64_t const bits = level < 64 ? deadline << level : (uint64_t)arm->since << (level - 32);
    return bits >> 63 ? &below->prev : &below->next;
}

static void insert(uf_arm **place, uf_arm *arm)
{
    for (unsigned level = 0; *place; level++) place = way_to(arm, *place, level);
    arm->next = arm->prev = NULL;
    *place = arm;
}

/* A leaf below the timer takes its place. */
static void take_out(uf_arm **place)
{
    uf_arm *const arm = *place;
    uf_arm **at = place;

    while ((*at)->next || (*at)->prev) at = (*at)->next ? &(*at)->next : &(*at)->prev;
    uf_arm *const leaf = *at;
    *at = NULL;
    if (leaf == arm) return;
    leaf->next = arm->next;
    leaf->prev = arm->prev;
    *place = leaf;
}

/* Where the earliest timer of a tree is: on the way of zeros. */
static uf_arm **place_of_earliest(uf_arm **root)
{
    uf_arm **earliest = root;

    for (uf_arm **at = root; *at; at = (*at)->next ? &(*at)->next : &(*at)->prev) {
        if (is_earlier(*at, *earliest)) earliest = at;
    }
    return earliest;
}

static void remove_first(uf_pump *pump)
{
    uf_arm *const first = pump->real_timers;
    uf_arm **const place = place_of_earliest(&first->next);
    uf_arm *const second = *place;

    if (second) {
        take_out(place);
        second->next = first->next;
    } else {
        pump->real_events--;
    }
    pump->real_timers = second;
}

static void remove_timer(uf_pump *pump, uf_arm *arm)
{
    uf_arm **place = &pump->real_timers->next;

    arm->on_list = 0;
    if (arm == pump->real_timers) {
        remove_first(pump);
        return;
    }
    for (unsigned level = 0; *place != arm; level++) place = way_to(arm, *place, level);
    take_out(place);
}

/* A handler counts like a companion that has failed: it must be taken. */
static void become_due(uf_arm *arm)
{
    arm->state = arm->kind == UF_ARM_ON_TIMEOUT_REAL ? UF_ARM_FAILED : UF_ARM_READY;
}

static void begin_round(uf_pump *pump)
{
    if (ufi_works_in_flight(pump)) pump->jobs->real.begin_round(pump);
    for (uf_arm *arm; (arm = pump->real_timers) != NULL && arm->on.deadline <= ufi_real_time(pump);) {
        remove_timer(pump, arm);
        become_due(arm);
        if (!UF_USES_DURABLE || arm->owner) ufi_wake(arm->owner);
        else ufi_store_hooks(pump)->due(pump, arm);
    }
}

static uf_time next_deadline(const uf_pump *pump)
{
    uf_time const job = ufi_works_in_flight(pump) ? pump->jobs->real.next_deadline(pump) : UF_FOREVER;
    uf_time const timer = pump->real_timers ? pump->real_timers->on.deadline : UF_FOREVER;
    return job < timer ? job : timer;
}

static const struct ufi_real_hooks hooks = {
    .begin_round = begin_round, .next_deadline = next_deadline, .remove = remove_timer};

static void set(uf_pump *pump, uf_arm *arm)
{
    uf_arm *const first = pump->real_timers;

    arm->since = pump->real_timeouts++;
    arm->on_list = 1;
    if (first && is_earlier(first, arm)) {
        insert(&first->next, arm);
        return;
    }
    arm->next = first ? first->next : NULL;
    if (first) insert(&arm->next, first);
    else pump->real_events++;
    pump->real_timers = arm;
    pump->real = &hooks;
}

void ufi_store_timer(uf_pump *pump, uf_arm *arm, uf_time after)
{
    *arm = (uf_arm){.kind = UF_ARM_TIMEOUT_REAL};
    arm->on.deadline = uf_time_add(uf_pump_real_now(pump), after);
    set(pump, arm);
}

/* Returns: false if it is due at once. */
static bool begin(uf_flow *flow, uf_arm *arm, uf_time after)
{
    arm->on.deadline = uf_time_add(uf_pump_real_now(flow->pump), after > 0 ? after : 0);
    if (after <= 0) become_due(arm);
    else if (arm->on.deadline != UF_FOREVER) set(flow->pump, arm);
    return after > 0;
}

bool uf_arm_timeout_real(uf_flow *flow, uf_arm *arm, uf_time after)
{
    ufi_set_arm(flow, arm, UF_ARM_TIMEOUT_REAL);
    return begin(flow, arm, after);
}

void uf_on_timeout_real(uf_flow *flow, uf_arm *arm, uf_time after)
{
    *arm = (uf_arm){.owner = flow, .kind = UF_ARM_ON_TIMEOUT_REAL};
    ufi_rare_flag_put(flow, UFI_GUARDED, true);
    if (!begin(flow, arm, after)) ufi_flag_set(flow, UFI_PREEMPTED);
}
