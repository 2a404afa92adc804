/* SPDX-License-Identifier: MIT */
/* cycles.c - flows of a snapshot that wait for each other, as uf_pump_dump() finds them in the pump.
 *
 * A cycle leads along the first arm of each flow that waits for another one; in one flow it may lead along a later arm.
 * The parts of a snapshot are of different rounds. So a flow counts only if it has been in its step since the first
 * part: the cycle existed at that moment. */
#include "inspecting.h"

#define LONGEST 64 /* of a cycle with a later arm */

static const ufi_seen *awaited(const ufi_snapshot *snapshot, const ufi_wait *wait)
{
    return wait ? ufi_snapshot_find(snapshot, wait->flow) : NULL;
}

/* The first wait from number `i` on for another flow that is in the snapshot. */
static const ufi_wait *awaiting(const ufi_snapshot *snapshot, const ufi_seen *seen, unsigned i)
{
    if (uf_time_add(seen->now, -seen->view.elapsed) > snapshot->pump.now) return NULL;
    for (; i < seen->wait_count; i++) {
        ufi_wait const *const wait = ufi_waits_of(snapshot, seen) + i;
        if (awaited(snapshot, wait)) return wait;
    }
    return NULL;
}

static const ufi_seen *next_awaited(const ufi_snapshot *snapshot, const ufi_seen *seen)
{
    return awaited(snapshot, awaiting(snapshot, seen, 0));
}

/* Reports the cycle that begins with this wait of a flow. */
static void report(const ufi_snapshot *snapshot, const ufi_seen *first, const ufi_wait *wait, ufi_in_cycle *member,
                   void *context)
{
    ufi_seen const *at = first;

    do {
        if (member) member(context, at == first, at, wait);
        at = awaited(snapshot, wait);
        wait = awaiting(snapshot, at, 0);
    } while (at != first);
}

/* Cycles that begin with a wait of this flow that is not its first one. */
static uint32_t later_cycles(const ufi_snapshot *snapshot, const ufi_seen *first, ufi_in_cycle *member, void *context)
{
    ufi_wait const *wait = awaiting(snapshot, first, 0);
    uint32_t cycles = 0;

    while (wait && (wait = awaiting(snapshot, first, (unsigned)(wait - ufi_waits_of(snapshot, first)) + 1)) != NULL) {
        ufi_seen const *at = awaited(snapshot, wait);
        for (unsigned steps = 0; at && at != first && steps < LONGEST; steps++) at = next_awaited(snapshot, at);
        if (at != first) continue;
        cycles++;
        report(snapshot, first, wait, member, context);
    }
    return cycles;
}

/* Each flow is visited once. `walks` has the number of the walk that has visited it; 0: none. A walk that meets itself
 * has found a cycle. */
uint32_t ufi_cycles(const ufi_snapshot *snapshot, ufi_in_cycle *member, void *context)
{
    uint32_t *const walks = ufp_allocate((snapshot->count + 1) * sizeof *walks), cycles = 0;

    for (uint32_t i = 0; walks && i < snapshot->count; i++) {
        ufi_seen const *at = &snapshot->flows[i];
        cycles += later_cycles(snapshot, at, member, context);
        while (at && walks[at - snapshot->flows] == 0) {
            walks[at - snapshot->flows] = i + 1;
            at = next_awaited(snapshot, at);
        }
        if (!at || walks[at - snapshot->flows] != i + 1) continue;
        cycles++;
        report(snapshot, at, awaiting(snapshot, at, 0), member, context);
    }
    ufp_free(walks);
    return cycles;
}
