/* SPDX-License-Identifier: MIT */
/* kept_ends.c - ends of members that an arm `ended(POOL)` of a durable flow takes.
 *
 * The record of a member that has ended names the run of the owner that is to take the end. When that has taken it and
 * leaves the step, the record also names the step that follows: they are put together. So after a crash, the step that
 * was left or is repeated takes the end again, or the one behind it finds the result where it was. The place is free
 * when that step's body begins. */
#include "durable/store.h"

static uf_member *member_at(const uf_link *link)
{
    const uf_durable *const durable = (const uf_durable *)((uintptr_t)link - offsetof(uf_durable, started));
    return ufi_member_of(ufi_flow_of_durable(durable));
}

static uf_durable *durable_of(const uf_member *member)
{
    return ufi_durable(ufi_member_flow(member->pool->owner, member->pool->info, member->index));
}

uint32_t ufi_ends_taker(const uf_flow *flow)
{
    if (!UF_USES_POOLS || !(flow->rare_flags & UFI_MEMBER)) return 0;
    uf_members const *const pool = ufi_member_of(flow)->pool;
    const uf_flow *const owner = pool->owner;
    bool const is_kept = pool->info->pooling->kept && ufi_is_kept(owner) && uf_flow_running(owner);
    return is_kept && ufi_durable(owner)->outcome == UF_RUNNING ? owner->run : 0;
}

bool ufi_ends_hold(uf_flow *flow)
{
    if (!ufi_is_durable(flow) || !ufi_durable(flow)->store || !ufi_ends_taker(flow)) return false;
    ufi_durable(flow)->taken = 0;
    ufi_list_insert(&ufi_durable(ufi_member_of(flow)->pool->owner)->taken_ends, &ufi_durable(flow)->started);
    return true;
}

void ufi_ends_put(const uf_flow *owner)
{
    const uf_link *const ends = &ufi_durable(owner)->taken_ends;

    for (const uf_link *link = ends->next; link != ends; link = link->next) {
        uf_durable *const durable = durable_of(member_at(link));
        if (durable->taken) continue;
        durable->taken = owner->ordinal;
        (void)ufi_store_put(ufi_flow_of_durable(durable), false, false);
    }
}

void ufi_ends_free(const uf_flow *owner, bool all)
{
    const uf_link *const ends = &ufi_durable(owner)->taken_ends;

    for (const uf_link *link = ends->next; link != ends;) {
        uf_member *const member = member_at(link);
        link = link->next;
        if (!all && !durable_of(member)->taken) continue; /* this body has taken it */
        ufi_list_remove(&durable_of(member)->started);
        member->pool->info->pooling->free_taken(member->pool, member);
    }
}

void ufi_ends_restore(uf_flow *flow)
{
    uf_member *const member = ufi_member_of(flow);
    uf_members *const pool = member->pool;
    uf_durable *const durable = ufi_durable(flow);
    const uf_flow *const owner = pool->owner;

    if (!member->is_attached || uf_flow_running(flow)) return;
    bool const is_theirs = durable->untaken && pool->info->pooling->keep_end && ufi_is_durable(owner) &&
                           uf_flow_running(owner) && owner->run == durable->untaken;
    bool const is_there = is_theirs && (!durable->taken || durable->taken == owner->ordinal);

    ufi_index_remove(flow);
    ufi_member_end_run(flow);
    if (is_there) pool->info->pooling->keep_end(pool, member, durable->taken != 0);
    else ufi_member_free(pool, member);
    if (is_there && durable->taken) ufi_list_insert(&ufi_durable(owner)->taken_ends, &durable->started);
}
