/* SPDX-License-Identifier: MIT */
/* ends.c - pools whose flow takes the ends of members: `ended(POOL)`. The place of a member is kept until its end is
 * taken, while the run of the flow lasts in which the member ended. Kept places count as busy, so spawns and `vacant`
 * pass over them. */
#include "runs/runs.h"
#include "waits/room.h"

/* Call it in the critical section of the pool. Arms read the count without it. */
static void count_end(uf_ends *ends, uint32_t change)
{
    ufp_store_seq_cst(&ends->count, ends->count + change);
}

/* In the critical section of the pool: is this the run of the owner in which the kept members ended? */
static bool is_their_run(const uf_members *pool)
{
    return uf_flow_running(pool->owner) && ufp_load_acquire(&pool->owner->run) == ufi_ends_of(pool)->run;
}

/* In the critical section of the pool: the first end that was not taken; NULL: there is none. */
static uf_member *take_first(uf_members *pool)
{
    uf_ends *const ends = ufi_ends_of(pool);
    uf_member *const first = ends->first;

    if (!first) return NULL;
    ends->first = first->next;
    if (!ends->first) ends->last = NULL;
    count_end(ends, UINT32_MAX);
    return first;
}

static uint32_t kept(uf_members *pool)
{
    while (ufi_ends_of(pool)->first && !is_their_run(pool)) {
        uf_member *const member = take_first(pool);
        member->next = pool->free;
        pool->free = member;
        ufp_store_seq_cst(&pool->busy, pool->busy - 1);
    }
    return ufi_ends_of(pool)->count;
}

static void keep(uf_members *pool, uf_member *member)
{
    uf_ends *const ends = ufi_ends_of(pool);

    ufp_critical_enter(pool);
    (void)kept(pool);
    ends->run = pool->owner->run;
    member->next = NULL;
    if (ends->last) ends->last->next = member;
    else ends->first = member;
    ends->last = member;
    count_end(ends, 1);
    bool const is_last = pool->busy == ends->count;
    ufp_critical_leave(pool);
    if (is_last) ufi_room_freed(&pool->empty);
    if (ends->arm && ends->arm->kind == UF_ARM_ENDED && ends->arm->on.room == &pool->empty) ufi_wake(pool->owner);
}

static void ended(uf_flow *flow)
{
    uf_member *const member = ufi_member_of(flow);

    ufi_member_end_run(flow);
    if (uf_flow_running(member->pool->owner)) keep(member->pool, member);
    else ufi_member_free(member->pool, member);
}

/* The place counts as that of an end until it is free. */
static void count_taken(uf_members *pool)
{
    ufp_critical_enter(pool);
    count_end(ufi_ends_of(pool), 1);
    ufp_critical_leave(pool);
}

/* Frees the place last: another thread may spawn there at once. */
static bool take(uf_members *pool, uf_taken_end *end)
{
    ufp_critical_enter(pool);
    (void)kept(pool);
    uf_member *const member = take_first(pool);
    ufp_critical_leave(pool);
    if (!member) return false;
    uf_flow *const flow = ufi_member_flow(pool->owner, pool->info, member->index);
    *end = (uf_taken_end){uf_flow_reason(flow), (int)member->index, uf_flow_outcome(flow)};
    if (ufi_store_hooks(flow->pump) && ufi_store_hooks(flow->pump)->hold_end(flow)) count_taken(pool);
    else ufi_member_free(pool, member);
    return true;
}

static void free_taken(uf_members *pool, uf_member *member)
{
    ufp_critical_enter(pool);
    count_end(ufi_ends_of(pool), UINT32_MAX);
    ufp_critical_leave(pool);
    ufi_member_free(pool, member);
}

/* After a restart, before other threads may spawn: the ends in the order of their times. */
static void keep_end(uf_members *pool, uf_member *member, bool is_taken)
{
    uf_ends *const ends = ufi_ends_of(pool);
    uf_time const time = ufi_member_flow(pool->owner, pool->info, member->index)->entered;
    uf_member **place = &ends->first;

    ends->run = pool->owner->run;
    count_end(ends, 1);
    if (is_taken) return;
    while (*place && ufi_member_flow(pool->owner, pool->info, (*place)->index)->entered < time) place = &(*place)->next;
    member->next = *place;
    *place = member;
    if (!member->next) ends->last = member;
}

/* The end that an arm has decided to take stays for it. */
bool uf_members_reap(uf_members *pool, uf_member_end *end)
{
    if (!pool || !end || !pool->info || !pool->owner->pump || !ufi_on_pump_thread(pool->owner->pump)) return false;
    if (pool->owner->rare_flags & UFI_HAS_ITEM) return false;
    uf_taken_end taken;
    if (!take(pool, &taken)) return false;
    *end = (uf_member_end){.index = (uint32_t)taken.index, .outcome = taken.outcome};
    (void)ufi_join(end->reason, sizeof end->reason,
                   UFI_PARTS(taken.reason)); /* it does not change before the next run */
    return true;
}

const uf_flow *uf_members_last(const uf_members *pool, uint32_t index)
{
    if (!pool || !pool->info || index >= ufp_load_acquire(&pool->used)) return NULL;
    return ufi_member_flow(pool->owner, pool->info, index);
}

/* -- arms ---------------------------------------------------------------------------------------------------------- */

/* The arm is on no list: its pool lies in the same flow. */
void uf_arm_ended(uf_flow *flow, uf_arm *arm, uf_members *pool)
{
    ufi_set_arm(flow, arm, UF_ARM_ENDED);
    ufi_set_arm(flow, arm + 1, UF_ARM_OPERAND);
    arm->on.room = &pool->empty;
    arm[1].on.name = pool->info->name;
    ufi_ends_of(pool)->arm = arm;
}

bool uf_has_end(uf_members *pool, uf_arm *arm)
{
    ufp_critical_enter(pool);
    (void)kept(pool);
    bool const has_one = ufi_ends_of(pool)->first != NULL;
    ufp_critical_leave(pool);
    arm->state = has_one ? UF_ARM_READY : UF_ARM_PENDING;
    return has_one;
}

uf_taken_end uf_take_end(uf_members *pool)
{
    uf_taken_end end = {"", -1, UF_NEVER_RAN};

    (void)take(pool, &end);
    return end;
}

const struct uf_pooling uf_pooling_with_ends = {
    .init_part = ufi_init_part,
    .take_reserved = ufi_take_reserved,
    .begin = ufi_begin_member,
    .enter = ufi_enter_used,
    .ended = ended,
    .is_busy = ufi_is_pool_busy,
    .stop_begins = ufi_stop_pools,
    .kept = kept,
    .keep_end = keep_end,
    .free_taken = free_taken,
};
