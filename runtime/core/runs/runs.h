/* SPDX-License-Identifier: MIT */
/* runs.h - the begin and the cancellation of runs; turns of flows: one step each, and the effects of its intent. */
#ifndef UFLOW_RUNS_H
#define UFLOW_RUNS_H

#include "flows/inbox.h"
#include "waits/arms.h"

/* Begins a run of an idle flow at an entry, even while a stop refuses starts. Returns: false if the flow was not
 * idle. */
bool ufi_begin_run_at(uf_flow *flow, uint32_t entry);

/* Cancels one specific run, on the pump's thread. Nothing happens unless that run is running or its start is in the
 * inbox. */
void ufi_cancel_run(uf_run run);

/* Attaches a flow, idle: UF_STATE_IDLE or UFI_STATE_NEW. Detaches one, which is idle, without the flows inside it. */
uf_status ufi_attach(uf_flow *flow, const uf_flow_type *type, uf_pump *pump, const char *name, uint32_t state);
void ufi_detach(uf_flow *flow);

/* -- turn.c -------------------------------------------------------------------------------------------------------- */

/* With one of these flags, a `next` does more than change the step. */
#define UFI_NOT_JUST_NEXT                                                                                              \
    (UF_FLAG_ARMED | UF_FLAG_POLLED | UFI_FAILING | UFI_DESCRIBED | UF_FLAG_POLLING | UFI_WOKEN | UFI_OBSERVED)

/* With one of these, a turn does more than run a body or decide a wait. */
#define UFI_NOT_JUST_BODY (UFI_CANCEL | UFI_ENTERING | UFI_STAYING | UFI_PREEMPTED)

/* With one of these, a flow leaves the loop of a lone flow. */
#define UFI_NOT_LONE (UFI_NOT_JUST_NEXT | UFI_NOT_JUST_BODY | UFI_HAS_JOBS)

static inline bool ufi_is_next(uf_intent intent)
{
    return intent.bits <= UF_INTENT_STATE;
}

/* Runs the user's part of a turn in `state`: a body, a decision, or an entry and the entry step. */
static inline uf_intent ufi_run(uf_flow *flow, uint32_t state)
{
    uf_intent const intent = flow->type->turn(flow, state);

    if (!uf_intent_is(intent, UF_INTENT_ENTERED)) return intent;
    return flow->flags & UFI_FAILING ? uf_stay() : flow->type->turn(flow, state & UF_STATE_STEP);
}

/* Gives a turn to each ready flow; to each polling flow that had none in this round. */
void ufi_run_ready(uf_pump *pump);
void ufi_run_polling(uf_pump *pump);

/* Runs up to `at_most` rounds of the only ready flow, as long as it does nothing but `next`. No flow polls. Runs no
 * round if the next turn needs the general path. */
void ufi_run_lone(uf_pump *pump, uint32_t at_most);

/* Carries out the intent of a turn that ran in `state`, and runs the steps that follow in this turn. */
void ufi_finish_turn(uf_pump *pump, uf_flow *flow, uint32_t state, uf_intent intent);

/* Publishes a step, for observer.c. */
void ufi_enter_step(uf_flow *flow, uint32_t state);

/* Counts a run of the body. The count saturates below the mark. */
static inline void ufi_count_tick(uf_flow *flow)
{
    if (!UF_USES_TIMES) return;
    uint32_t const ticks = flow->ticks + 1;
    if (!(ticks & UFI_CHANGING)) ufp_store(&flow->ticks, ticks);
}

/* -- groups.c: a place is a task or group, its index in the table of tasks, from 1. 0: none ------------------------ */

static inline uint16_t ufi_place_around(const uf_flow *flow, uint16_t place)
{
    return flow->type->tasks[place - 1].group;
}

/* The innermost group around the first place that is the second one or around it; 0: none. */
uint16_t ufi_common_group(const uf_flow *flow, uint16_t place, uint16_t other);

/* -- pools: what all of them do, members of uf_pooling ------------------------------------------------------------- */

/* The flow of a member, whether it was used or not. */
static inline uf_flow *ufi_member_flow(const uf_flow *owner, const uf_members_info *info, uint32_t index)
{
    return (uf_flow *)((uintptr_t)owner + info->first + index * info->stride);
}

/* The ends of a pool that keeps some: pooling->kept is not NULL. */
static inline uf_ends *ufi_ends_of(const uf_members *pool)
{
    return (uf_ends *)((uintptr_t)pool + sizeof *pool);
}

uf_status ufi_init_part(uf_pump *pump, uf_flow *part, const uf_flow_type *type, const char *name);
bool ufi_take_reserved(uf_flow *flow);
bool ufi_begin_member(uf_flow *flow);
void ufi_enter_used(uf_flow *flow);
bool ufi_is_pool_busy(const uf_flow *owner);
void ufi_stop_pools(uf_flow *owner);

/* The run of a member has ended: in two halves, between which its place may be kept. */
void ufi_member_end_run(uf_flow *flow);
void ufi_member_free(uf_members *pool, uf_member *member);

#endif
