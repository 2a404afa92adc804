/* SPDX-License-Identifier: MIT */
/* ready.h - the two lists of flows that take turns.
 *
 * A running flow is on its pump's ready list, on its polling list, or, when parked, on neither. It stays on its list
 * during its own turn. A round walks the ready list in place. A flow that becomes ready during the walk is enqueued
 * before its position, so it runs in the next round. So flows run in the order in which they became ready, and a `next`
 * touches no list. */
#ifndef UFLOW_READY_H
#define UFLOW_READY_H

#include "basics/lists.h"
#include "flows/flows.h"

/* The position of the round's walk: the current flow or, if that has left the list, its successor. NULL: no walk. */
static inline uf_link *ufi_walk_position(const uf_pump *pump)
{
    return pump->walk_next ? pump->walk_next : (uf_link *)(void *)pump->current;
}

/* The link before which flows are enqueued when they become ready. */
static inline uf_link *ufi_ready_tail(uf_pump *pump)
{
    ufi_end_lone(pump);
    return pump->walking_ready ? ufi_walk_position(pump) : &pump->ready;
}

/* Makes a running flow take a turn: in this round if its turn is still to come, otherwise in the next one. */
void ufi_wake(uf_flow *flow);

/* At the start of a round: wakes the flows whose timers are due. */
void ufi_wake_due(uf_pump *pump);

/* The three places of a flow. Each takes it off the list that it is on. */
void ufi_make_ready(uf_pump *pump, uf_flow *flow);
void ufi_make_polling(uf_pump *pump, uf_flow *flow);
void ufi_make_parked(uf_pump *pump, uf_flow *flow);

static inline bool ufi_is_polling(const uf_pump *pump)
{
    return UF_USES_POLLS && !ufi_list_empty(&pump->polling);
}

/* Is the flow on the polling list, with its turn in this round still to come? */
static inline bool ufi_polls_in_this_round(const uf_pump *pump, const uf_flow *flow)
{
    bool const odd = (flow->rare_flags & UFI_POLLED_ODD) != 0;
    return flow->flags & UF_FLAG_POLLING && odd != (pump->round & 1);
}

#endif
