/* SPDX-License-Identifier: MIT */
/* turn.c - which step the driving thread of a runtime is in, for threads that find it stuck.
 *
 * The pump stores the flow in `current` before each turn, and clears it at the end of a round. In the critical section
 * of the pump, that flow is attached: no flow is detached in its own turn. If another flow's turn or code outside of
 * rounds detaches a flow, `current` has changed before, and the detaching takes the critical section. */
#include "host.h"

const uf_flow *ufh_current_step(const uf_pump *pump, const uf_step_info **step)
{
    uf_flow const *const flow = ufp_load_pointer_seq_cst(&pump->current);
    uint32_t const state = flow ? ufp_load_acquire(&flow->state) : UF_STATE_IDLE;

    /* The turn is over, or it is that of a paused flow, which runs no step. */
    if (state & (UF_STATE_IDLE | UF_STATE_CLAIMED | UFI_STATE_PAUSED)) return NULL;
    *step = ufi_step_of(flow, ufi_step_state(state));
    return flow;
}

/* The time of entry may be torn on a 32-bit machine, so it counts only if a second load gives the same value. The
 * driving thread counts the runs of the body after each of them. */
static uf_time time_in_step(const uf_flow *flow, uf_time now)
{
    uf_time const entered = ufp_load_time_acquire(&flow->entered);
    bool const is_known = ufp_load_acquire(&flow->ticks) == 0 && entered == ufp_load_time_acquire(&flow->entered);
    return is_known && now > entered ? ufi_time_sub(now, entered) : 0;
}

static bool copy_turn(const uf_pump *pump, uf_turn *turn)
{
    uf_time const now = ufi_read_time(pump); /* takes a lock that comes before the critical section */
    uf_step_info const *step;

    ufp_critical_enter(pump);
    uf_flow const *const flow = ufh_current_step(pump, &step);
    if (flow) {
        *turn = (uf_turn){.task = flow->type->tasks[step->task].name, .step = step->name, .line = step->line};
        uf_flow_path(flow, turn->flow, sizeof turn->flow);
        turn->in_step = time_in_step(flow, now);
    }
    ufp_critical_leave(pump);
    return flow != NULL;
}

bool uf_runtime_turn(const uf_runtime *runtime, uf_turn *turn)
{
    if (!runtime || !turn) return false;
    uf_pump const *const pump = &runtime->pump;
    uint32_t began;
    bool found;

    /* Read the time at which the body began before and after: it is this turn's if it has not changed. The stores are
     * relaxed, so for a moment it may be the previous turn's. */
    do {
        began = ufp_load_acquire(&pump->body_began);
        found = copy_turn(pump, turn);
    } while (ufp_load(&pump->body_began) != began);
    if (!found) return false;
    int32_t const ms = (int32_t)((uint32_t)(ufp_monotonic_now() / UF_MS(1)) - began);
    if (began && ms > 0) turn->lasts = UF_MS(ms);
    return true;
}
