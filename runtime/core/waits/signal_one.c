/* SPDX-License-Identifier: MIT */
/* signal_one.c - signals in a core without UF_USES_PUMPS, instead of most of signal.c and fired.c: all waiters of a
 * signal are flows of one pump, and the next round of that pump releases them.
 *
 * A fire in an interrupt handler, another thread or a step changes the epoch and, if there are waiters, pushes the
 * signal on the stack `fired_elsewhere` of their pump. One critical section, for all signals, protects their members
 * and the stacks. Only the pump's thread changes the list of waiters, so it reads that without the section. */
#include "waits/signals.h"

#if !UF_USES_PUMPS

#define CLOSED UINT32_MAX /* uf_signal.waiting: the signal was destroyed */

static const char section;

uint32_t uf_signal_epoch(const uf_signal *signal)
{
    return signal ? ufi_epoch_now(signal) : 0;
}

void uf_signal_init(uf_signal *signal, const char *name)
{
    if (!signal) return;
    (void)memset(signal, 0, UF_SIGNAL_SIZE);
    signal->name = name;
}

uint32_t uf_signal_fire(uf_signal *signal)
{
    uf_pump *pump = NULL;

    if (!signal) return 0;
    ufp_critical_enter(&section);
    uint32_t const released = signal->waiting;
    signal->fires++;
    signal->waiting = 0;
    if (released && !signal->queued) {
        pump = signal->waiters->owner->pump;
        void *const below = ufp_load_pointer(&pump->fired_elsewhere);
        ufp_store_pointer(&signal->queued, below ? below : UFI_EMPTY_STACK);
        ufp_store_pointer(&pump->fired_elsewhere, signal);
    }
    ufp_critical_leave(&section);
    if (pump) ufi_wake_driver(pump);
    return released;
}

/* -- waits --------------------------------------------------------------------------------------------------------- */

/* The last waiter has left: the signal may be gone in the next round. */
static void take_off_stack(uf_pump *pump, uf_signal *signal)
{
    void **at = &pump->fired_elsewhere;

    while (*at && *at != UFI_EMPTY_STACK && *at != signal) at = &((uf_signal *)*at)->queued;
    if (*at == signal) *at = signal->queued;
    if (pump->fired_elsewhere == UFI_EMPTY_STACK) pump->fired_elsewhere = NULL;
    signal->queued = NULL;
}

/* Afterwards the signal may be gone. */
static void take_off(uf_pump *pump, uf_arm *arm)
{
    uf_signal *const signal = arm->on.signal;

    ufp_critical_enter(&section);
    if (arm->state == UF_ARM_PENDING && signal->fires == arm->since) signal->waiting--;
    ufi_arms_remove(&signal->waiters, arm);
    if (!signal->waiters && signal->queued) take_off_stack(pump, signal);
    ufp_critical_leave(&section);
}

void ufi_signal_dequeue(uf_flow *flow, uf_arm *arm)
{
    if (arm->on_list) take_off(flow->pump, arm);
}

void ufi_signal_enqueue(uf_flow *flow, uf_arm *arm, uf_signal *signal, uint32_t since)
{
    uf_arm const *const other = signal->waiters;

    if (other && other->owner->pump != flow->pump)
        ufp_abort(ufi_name_of(flow), "set UF_USES_PUMPS to 1 in uf_config.h");
    arm->on.signal = signal;
    arm->since = since;
    arm->state = UF_ARM_READY;
    ufp_critical_enter(&section);
    if (signal->fires == since && signal->waiting == CLOSED) {
        arm->state = UF_ARM_FAILED;
    } else if (signal->fires == since) {
        arm->state = UF_ARM_PENDING;
        ufi_arms_append(&signal->waiters, arm);
        signal->waiting++;
    }
    ufp_critical_leave(&section);
}

bool ufi_signal_has_fired(const uf_arm *arm)
{
    return arm->state == UF_ARM_READY || (arm->on_list && ufi_epoch_now(arm->on.signal) != arm->since);
}

/* -- processing fires ---------------------------------------------------------------------------------------------- */

/* Releases the arms that have waited for a fire, in FIFO order; with `closed` all. Handlers stay on the list. After
 * the last arm has left, the signal may be gone. */
static void release(uf_pump *pump, const uf_signal *signal, bool closed)
{
    uint32_t const epoch = ufi_epoch_now(signal);
    const char *const name = signal->name;
    uf_arm const *const last = signal->waiters;
    uf_arm *next = last ? last->next : NULL;
    uint32_t released = 0;

    for (bool more = next != NULL; more;) {
        uf_arm *const arm = next;
        bool const pending = arm->state == UF_ARM_PENDING, fired = epoch != arm->since;
        next = arm->next;
        more = arm != last;
        if (!closed && !(pending && fired)) continue;
        if (pending) arm->state = fired ? UF_ARM_READY : UF_ARM_FAILED;
        if (closed || arm->kind == UF_ARM_SIGNAL) take_off(pump, arm);
        if (closed) arm->on.signal = NULL;
        if (pending) ufi_wake_waiter(arm);
        released += pending && fired;
    }
    if (ufi_is_observed(pump) && released && name) pump->notify->signal_fired(pump, name, released);
}

/* The stack has the newest signal on top. */
void ufi_signals_process(uf_pump *pump)
{
    uf_signal *node, *oldest = UFI_EMPTY_STACK;

    ufp_critical_enter(&section);
    node = ufp_load_pointer(&pump->fired_elsewhere);
    ufp_store_pointer(&pump->fired_elsewhere, NULL);
    ufp_critical_leave(&section);
    while (node && (void *)node != UFI_EMPTY_STACK) {
        uf_signal *const below = ufp_load_pointer(&node->queued);
        ufp_store_pointer(&node->queued, oldest);
        oldest = node;
        node = below;
    }
    while (oldest && (void *)oldest != UFI_EMPTY_STACK) { /* NULL: an observer has destroyed it */
        uf_signal *const signal = oldest;
        oldest = ufp_load_pointer(&signal->queued);
        ufp_store_pointer(&signal->queued, NULL); /* before the epoch is read: a later fire pushes it again */
        release(pump, signal, false);
    }
}

void uf_signal_destroy(uf_signal *signal)
{
    if (!signal) return;
    uf_pump *const pump = signal->waiters ? signal->waiters->owner->pump : NULL;

    if (pump) ufi_signals_process(pump);
    if (pump && signal->waiters) release(pump, signal, true);
    signal->waiting = CLOSED;
}

#endif
