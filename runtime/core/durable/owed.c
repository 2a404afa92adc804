/* SPDX-License-Identifier: MIT */
/* owed.c - the runs that steps of durable flows have begun: the end of such a run is owed to the arm that waits for it.
 *
 * The record of the child names the owner, its run and step, and the arm. So after a restart the same arm takes that
 * run, or its end. The debt lasts until the owner's step has been left in the store: up to then, the child is busy for
 * everybody else.
 *
 * An owner that leaves its await cancels the child at once. The record of that is put together with the owner's next
 * one. So after a crash between the two, the child goes on, and the repeated step takes it. */
#include "durable/store.h"

#include "runs/runs.h"

static uf_flow *child_of(const uf_link *link)
{
    return ufi_flow_of_durable((const uf_durable *)((uintptr_t)link - offsetof(uf_durable, owed)));
}

/* -- lists of children --------------------------------------------------------------------------------------------- */

static uf_link *debts_of(const uf_flow *owner)
{
    return &ufi_durable(owner)->debts;
}

void ufi_owed_link(uf_flow *child, uf_flow *owner)
{
    uf_durable *const durable = ufi_durable(child);

    durable->owner = owner;
    ufi_list_insert(debts_of(owner), &durable->owed);
}

static void forget_debt(uf_flow *child)
{
    uf_durable *const durable = ufi_durable(child);

    ufi_list_remove(&durable->owed);
    durable->owner = NULL;
    durable->is_untaken = durable->is_deferred = false;
}

/* Flows that wait until the child is idle, and a call of another thread. */
static void wake_waiters(uf_flow *child)
{
    uf_arm *const last = ufi_waiters(child), *arm = last;

    if (ufi_host(child->pump) && ufp_load(&child->pump->watched)) ufi_host(child->pump)->kept(child);
    if (!arm) return;
    do {
        arm = arm->next;
        if (arm->kind == UF_ARM_IDLE) ufi_wake(arm->owner);
    } while (arm != last);
}

/* The child is free. */
static void settle(uf_flow *child)
{
    uf_durable *const durable = ufi_durable(child);

    forget_debt(child);
    if (!durable->is_owed) return;
    ufp_store(&durable->is_owed, 0);
    wake_waiters(child);
}

/* -- the first life ------------------------------------------------------------------------------------------------ */

/* The arm of an await by its index; a companion by a negative number. */
static int32_t number_of(const uf_flow *owner, const uf_arm *arm)
{
    ptrdiff_t const index = arm - ufi_arms(owner);

    if (index >= 0 && index < owner->type->arm_count) return (int32_t)index;
    return -1 - (int32_t)(arm - ufi_preempts(owner));
}

void ufi_owed_begin(uf_flow *child)
{
    uf_durable *const durable = ufi_durable(child);
    uf_arm const *const arm = UF_USES_RUNS ? ufi_arm_run_for(child) : NULL;

    if (durable->owner) settle(child); /* by a run before, whose owner has not been committed */
    ufp_store(&durable->is_lost, 0);
    durable->is_lent = arm && !ufi_is_kept(arm->owner);
    if (!arm || durable->is_lent) return;
    durable->owner_run = arm->owner->run;
    durable->owner_ordinal = arm->owner->ordinal;
    durable->owner_arm = number_of(arm->owner, arm);
    ufi_owed_link(child, arm->owner);
}

void ufi_owed_end(uf_flow *child)
{
    if (ufi_durable(child)->owner) ufp_store(&ufi_durable(child)->is_owed, 1);
}

void ufi_owed_leave(uf_flow *flow)
{
    uf_link *const debts = debts_of(flow);
    uf_flow *const owner = ufi_durable(flow)->owner;

    while (!ufi_list_empty(debts)) {
        uf_flow *const child = child_of(debts->next);
        bool const is_deferred = ufi_durable(child)->is_deferred;
        if (!owner) {
            settle(child);
            continue;
        }
        forget_debt(child);
        ufi_durable(child)->is_deferred = is_deferred;
        ufi_owed_link(child, owner);
    }
}

/* Does an arm of the owner still wait for the child, or hold its end? */
static bool is_held_by(const uf_flow *child, const uf_flow *owner)
{
    uf_arm *const last = ufi_waiters(child), *arm = last;

    if (!arm) return false;
    do {
        arm = arm->next;
        if (ufi_is_run(arm) && arm->owner == owner) return true;
    } while (arm != last);
    return false;
}

void ufi_owed_put(uf_flow *owner)
{
    uf_link *const debts = debts_of(owner);

    for (uf_link *link = debts->next; link != debts; link = link->next) {
        if (!ufi_durable(child_of(link))->is_deferred) continue;
        ufi_starts_over(child_of(link));
        ufi_ends_free(child_of(link), true);
        (void)ufi_store_put(child_of(link), false, false);
    }
}

void ufi_owed_settle(uf_flow *owner)
{
    uf_link *const debts = debts_of(owner);

    for (uf_link *link = debts->next, *next; link != debts; link = next) {
        uf_flow *const child = child_of(link);
        next = link->next;
        if (!ufi_durable(child)->is_untaken && !is_held_by(child, owner)) settle(child);
    }
}

void ufi_owed_forget(uf_flow *flow)
{
    uf_durable *const durable = ufi_durable(flow);

    if (durable->owner) forget_debt(flow);
    ufi_owed_leave(flow);
}

/* -- after a restart ----------------------------------------------------------------------------------------------- */

/* Also the run of a child whose owner does not go on. As an operator cancels a run that is held: `on exit` runs, if the
 * task was entered. */
void ufi_owed_lose(uf_flow *child)
{
    ufp_store(&ufi_durable(child)->is_lost, 1);
    ufi_cancel_now(child);
}

bool ufi_owed_is_lost(const uf_flow *flow)
{
    return ufi_is_durable(flow) && ufp_load(&ufi_durable(flow)->is_lost);
}

/* A run that nobody takes is cancelled; an end that nobody takes is past. */
static void drop(uf_flow *child)
{
    bool const runs = uf_flow_running(child), is_ending = ufi_durable(child)->outcome != UF_RUNNING;

    settle(child);
    if (runs && !is_ending) ufi_owed_lose(child);
}

static bool take(const uf_flow *owner, uf_arm *arm)
{
    uf_flow *const child = arm->on.target;
    uf_durable *const durable = ufi_is_durable(child) ? ufi_durable(child) : NULL;

    if (!durable || !durable->is_untaken || durable->owner != owner) return false;
    if (durable->owner_arm != number_of(owner, arm)) {
        drop(child);
        return false;
    }
    durable->is_untaken = false;
    ufi_wait_for_flow(arm);
    if (durable->is_held && !durable->is_released) ufi_store_release(child);
    return true;
}

/* The arm is about to begin a run. Returns: true if it is there already; the arm waits for it, or has its end. */
static bool takes(uf_flow *owner, uf_arm *arm)
{
    uf_flow *const child = arm->on.target;

    if (!ufi_store(owner->pump) || !take(owner, arm)) return false;
    owner->pump->child_to_start = NULL;
    if (!uf_flow_running(child)) owner->pump->subtasks->wake_waiters(child, ufi_step_state(ufp_load(&child->state)));
    return true;
}

bool uf_durable_arm_run(uf_flow *flow, uf_arm *arm, uf_flow *child, uint16_t result_class)
{
    return uf_arm_run(flow, arm, child, result_class) && !takes(flow, arm);
}

bool uf_durable_with_run(uf_flow *flow, uf_arm *arm, uf_flow *child)
{
    if (!uf_with_run(flow, arm, child)) return false;
    if (!takes(flow, arm)) return true;
    if (arm->state == UF_ARM_FAILED) ufi_flag_set(flow, UFI_PREEMPTED);
    return false;
}

void ufi_owed_drop(uf_flow *owner, bool companions)
{
    uf_link *const debts = debts_of(owner);

    for (uf_link *link = debts->next; link != debts;) {
        uf_durable const *const durable = ufi_durable(child_of(link));
        link = link->next;
        if (!durable->is_untaken || (!companions && durable->owner_arm < 0)) continue;
        drop(ufi_flow_of_durable(durable));
        link = debts->next; /* an `on exit` may have done anything */
    }
}

bool ufi_owed_is(const uf_flow *flow)
{
    return ufi_is_durable(flow) && ufp_load(&ufi_durable(flow)->is_owed);
}
