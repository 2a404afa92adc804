/* turn.h - turns of flows: one step each, and the effects of its intent. */
#ifndef UFLOW_TURN_H
#define UFLOW_TURN_H

#include "arms.h"

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

/* Runs up to `at_most` rounds of the only ready flow, as long as it does nothing but `next`. There are no observers
 * and no polling flows. Runs no round if the next turn needs the general path. */
void ufi_run_lone(uf_pump *pump, uint32_t at_most);

/* Publishes a step, for observer.c. */
void ufi_enter_step(uf_flow *flow, uint32_t state);

#endif
