/* turn.c - what the thread of a runtime is at, as others see it: for those who find that it does not go on.
 *
 * The flow whose turn it is, is a word that the pump stores before each turn, and clears at the end of a round. It is
 * attached: none is detached in its own turn, and who detaches one on the pump's thread does so in the turn of another one,
 * or out of all rounds, after that word has changed, in a section like these. */
#include "host.h"

const uf_flow *ufh_at(const uf_pump *pump, const uf_step_info **step)
{
    uf_flow const *const flow = ufp_load_pointer_seq_cst(&pump->current);
    uint32_t const state = flow ? ufp_load_acquire(&flow->state) : UF_STATE_IDLE;

    if (state & (UF_STATE_IDLE | UF_STATE_CLAIMED)) return NULL; /* its turn is over */
    *step = ufi_step_of(flow, ufi_step_state(state));
    return flow;
}

static bool look(const uf_pump *pump, uf_turn *turn)
{
    uf_step_info const *step;

    ufp_critical_enter();
    uf_flow const *const flow = ufh_at(pump, &step);
    if (flow) {
        *turn = (uf_turn){.task = flow->type->tasks[step->task].name, .step = step->name, .line = step->line};
        uf_flow_path(flow, turn->flow, sizeof turn->flow);
    }
    ufp_critical_leave();
    return flow != NULL;
}

bool uf_runtime_turn(const uf_runtime *runtime, uf_turn *turn)
{
    if (!runtime || !turn) return false;
    uf_pump const *const pump = &runtime->pump;
    uint32_t began;
    bool found;

    /* If that is the same before and after, it was this flow's; where stores are swapped the last one's, for a moment. */
    do {
        began = ufp_load_acquire(&pump->body_began);
        found = look(pump, turn);
    } while (ufp_load(&pump->body_began) != began);
    if (!found) return false;
    int32_t const ms = (int32_t)((uint32_t)(ufp_monotonic_now() / UF_MS(1)) - began);
    if (began && ms > 0) turn->lasts = UF_MS(ms);
    return true;
}
