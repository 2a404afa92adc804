/* SPDX-License-Identifier: MIT */
/* ready.c - the lists of flows that take turns. */
#include "flows/ready.h"

#include "basics/wheel.h"

static void unlink_flow(uf_pump *pump, uf_flow *flow)
{
    if (ufi_walk_position(pump) == &flow->link) pump->walk_next = flow->link.next;
    ufi_list_remove(&flow->link);
    ufi_flag_clear(flow, UF_FLAG_POLLING);
}

/* A flow that is ready already keeps its place. */
static inline void enqueue_ready(uf_pump *pump, uf_flow *flow, uf_link *before)
{
    if (flow->flags & UF_FLAG_POLLING) unlink_flow(pump, flow);
    else if (!ufi_list_empty(&flow->link)) return;
    ufi_list_insert(before, &flow->link);
}

void ufi_make_ready(uf_pump *pump, uf_flow *flow)
{
    enqueue_ready(pump, flow, ufi_ready_tail(pump));
}

/* A flow that polls already keeps its place: its turn in this round is over. */
void ufi_make_polling(uf_pump *pump, uf_flow *flow)
{
    if (!(flow->flags & UF_FLAG_POLLING)) {
        unlink_flow(pump, flow);
        ufi_list_insert(&pump->polling, &flow->link);
        ufi_flag_set(flow, UF_FLAG_POLLING);
    }
    ufi_rare_flag_put(flow, UFI_POLLED_ODD, pump->round & 1);
}

void ufi_make_parked(uf_pump *pump, uf_flow *flow)
{
    unlink_flow(pump, flow);
    ufi_list_init(&flow->link);
}

void ufi_wake(uf_flow *flow)
{
    uf_pump *const pump = flow->pump;

    if (!pump->in_round) {
        pump->advanced = false; /* the next round must not wait for the step interval */
    } else if (flow == pump->current) {
        ufi_flag_set(flow, UFI_WOKEN); /* the end of its turn decides where it goes */
        return;
    } else if (ufi_polls_in_this_round(pump, flow)) {
        return;
    }
    ufi_make_ready(pump, flow);
}

void ufi_wake_due(uf_pump *pump)
{
    uf_time const now = pump->clock.logical;

    for (uf_arm const *arm = ufi_wheel_take(&pump->wheel, now); arm; arm = ufi_wheel_pop(&pump->wheel, now)) {
        enqueue_ready(pump, arm->owner, &pump->ready); /* the walk has not begun */
    }
}
