/* SPDX-License-Identifier: MIT */
/* listener.c - see listener.h. */
#include "listener.h"

enum Listener_task { LISTEN, PASS, HOLD, SERVE, FLEE, SEND };

enum Listener_step {
    Listen_Hear,
    Listen_Heard,
    Listen_Late,
    Listen_Stopped,
    Pass_Reach,
    Pass_Through,
    Pass_Late,
    Hold_Arm,
    Hold_Held,
    Serve_Wait,
    Serve_Take,
    Flee_Run,
    Send_Offer,
    Send_Put
};

enum Listener_state {
    Listener_enter_Listen = UF_ENTRY,
    Listener_at_Listen_Hear = 0,
    Listener_at_Listen_Hear_wait = UF_WAIT(1),
    Listener_at_Listen_Heard = 1,
    Listener_at_Listen_Late = 2,
    Listener_at_Listen_Stopped = 3,
    Listener_enter_Pass = UF_ENTRY + 4,
    Listener_at_Pass_Reach = 4,
    Listener_at_Pass_Reach_wait = UF_WAIT(1) + 4,
    Listener_at_Pass_Through = 5,
    Listener_at_Pass_Late = 6,
    Listener_enter_Hold = UF_ENTRY + 7,
    Listener_at_Hold_Arm = 7,
    Listener_at_Hold_Arm_wait = UF_WAIT(1) + 7,
    Listener_at_Hold_Held = 8,
    Listener_enter_Serve = UF_ENTRY + 9,
    Listener_at_Serve_Wait = 9,
    Listener_at_Serve_Wait_wait = UF_WAIT(1) + 9,
    Listener_at_Serve_Take = 10,
    Listener_enter_Flee = UF_ENTRY + 11,
    Listener_at_Flee_Run = 11,
    Listener_enter_Send = UF_ENTRY + 12,
    Listener_at_Send_Offer = 12,
    Listener_at_Send_Offer_wait = UF_WAIT(1) + 12,
    Listener_at_Send_Put = 13
};

static void body(Listener *flow)
{
    __atomic_add_fetch(&flow->bodies, 1, __ATOMIC_RELAXED);
    if (flow->body) flow->body(flow);
}

/* -- Listen -------------------------------------------------------------------------------------------------------- */

static uf_intent Listen_Hear_wait(Listener *flow)
{
    if (uf_evaluate(&flow->uf, &flow->uf_arms[0])) return uf_next(&flow->uf, Listener_at_Listen_Heard);
    if (uf_ready(&flow->uf_arms[1])) return uf_next(&flow->uf, Listener_at_Listen_Late);
    return uf_park(&flow->uf, Listener_at_Listen_Hear_wait);
}

static uf_intent Hear(Listener *flow)
{
    uint32_t const since = uf_signal_now(flow->signal);
    body(flow);
    uf_arm_signal(&flow->uf, &flow->uf_arms[0], flow->signal, since);
    uf_arm_timeout(&flow->uf, &flow->uf_arms[1], flow->uf_task.limit);
    return Listen_Hear_wait(flow);
}

static uf_intent Heard(Listener *flow)
{
    __atomic_add_fetch(&flow->heard, 1, __ATOMIC_SEQ_CST);
    body(flow);
    if (--flow->uf_task.times == 0) return uf_done(&flow->uf);
    return uf_next(&flow->uf, Listener_at_Listen_Hear);
}

/* -- Pass ---------------------------------------------------------------------------------------------------------- */

static uf_intent Pass_Reach_wait(Listener *flow)
{
    if (uf_evaluate(&flow->uf, &flow->uf_arms[0])) return uf_next(&flow->uf, Listener_at_Pass_Through);
    if (uf_ready(&flow->uf_arms[1])) return uf_next(&flow->uf, Listener_at_Pass_Late);
    return uf_park(&flow->uf, Listener_at_Pass_Reach_wait);
}

static uf_intent Reach(Listener *flow)
{
    body(flow);
    uf_arm_checkpoint(&flow->uf, &flow->uf_arms[0], flow->point);
    uf_arm_timeout(&flow->uf, &flow->uf_arms[1], flow->uf_task.limit);
    return Pass_Reach_wait(flow);
}

static uf_intent Through(Listener *flow)
{
    __atomic_add_fetch(&flow->passed, 1, __ATOMIC_SEQ_CST);
    if (--flow->uf_task.times == 0) return uf_done(&flow->uf);
    return uf_next(&flow->uf, Listener_at_Pass_Reach);
}

/* -- Hold ---------------------------------------------------------------------------------------------------------- */

static uf_intent Hold_Arm_wait(Listener *flow)
{
    if (uf_evaluate(&flow->uf, &flow->uf_arms[0])) return uf_next(&flow->uf, Listener_at_Hold_Held);
    return uf_park(&flow->uf, Listener_at_Hold_Arm_wait);
}

static uf_intent Arm(Listener *flow)
{
    if (uf_checkpoint_try_arm(flow->point) != UF_OK) return uf_fail(&flow->uf, "busy");
    uf_arm_arrived(&flow->uf, &flow->uf_arms[0], flow->point);
    return Hold_Arm_wait(flow);
}

static uf_intent Held(Listener *flow)
{
    body(flow);
    flow->let_go += (int)uf_checkpoint_resume(flow->point);
    if (--flow->uf_task.times == 0) return uf_done(&flow->uf);
    return uf_next(&flow->uf, Listener_at_Hold_Arm);
}

/* -- Serve --------------------------------------------------------------------------------------------------------- */

static uf_intent Serve_Wait_wait(Listener *flow)
{
    if (uf_evaluate(&flow->uf, &flow->uf_arms[0])) return uf_next(&flow->uf, Listener_at_Serve_Take);
    return uf_park(&flow->uf, Listener_at_Serve_Wait_wait);
}

static uf_intent Wait(Listener *flow)
{
    uf_arm_mailbox(&flow->uf, &flow->uf_arms[0], &flow->orders);
    return Serve_Wait_wait(flow);
}

static uf_intent Take(Listener *flow)
{
    if (!Listener_orders_receive(flow, &flow->order)) return uf_next(&flow->uf, Listener_at_Serve_Wait);
    body(flow);
    if (--flow->uf_task.times == 0) return uf_done(&flow->uf);
    return uf_next(&flow->uf, Listener_at_Serve_Take);
}

/* -- Send ---------------------------------------------------------------------------------------------------------- */

static uf_intent Send_Offer_wait(Listener *flow)
{
    if (uf_evaluate(&flow->uf, &flow->uf_arms[0])) {
        return flow->uf_task.times == 0 ? uf_done(&flow->uf) : uf_next(&flow->uf, Listener_at_Send_Put);
    }
    if (uf_failed(&flow->uf_arms[0])) return uf_arm_failure(&flow->uf, &flow->uf_arms[0], "room");
    return uf_park(&flow->uf, Listener_at_Send_Offer_wait);
}

static uf_intent Offer(Listener *flow)
{
    uf_arm_room(&flow->uf, &flow->uf_arms[0], flow->target);
    return Send_Offer_wait(flow);
}

static uf_intent Put(Listener *flow)
{
    uf_status const status = uf_mailbox_send(flow->target, &flow->order);

    if (status == UF_FULL) return uf_next(&flow->uf, Listener_at_Send_Offer);
    if (status != UF_OK) return uf_fail(&flow->uf, "%s", uf_status_text(status));
    flow->passed++;
    if (--flow->uf_task.times == 0) return uf_done(&flow->uf);
    return uf_next(&flow->uf, Listener_at_Send_Offer);
}

/* -- the flow ------------------------------------------------------------------------------------------------------ */

static uf_intent turn(uf_flow *uf, uint32_t now)
{
    Listener *const flow = (Listener *)uf;
    switch ((enum Listener_state)now) {
    case Listener_enter_Listen: flow->enters++; return Hear(flow);
    case Listener_at_Listen_Hear: return Hear(flow);
    case Listener_at_Listen_Hear_wait: return Listen_Hear_wait(flow);
    case Listener_at_Listen_Heard: return Heard(flow);
    case Listener_at_Listen_Late: return uf_fail(uf, "late");
    case Listener_at_Listen_Stopped: flow->stopped++; return uf_done(uf);
    case Listener_enter_Pass: flow->enters++; return Reach(flow);
    case Listener_at_Pass_Reach: return Reach(flow);
    case Listener_at_Pass_Reach_wait: return Pass_Reach_wait(flow);
    case Listener_at_Pass_Through: return Through(flow);
    case Listener_at_Pass_Late: return uf_fail(uf, "late");
    case Listener_enter_Hold: flow->enters++; return Arm(flow);
    case Listener_at_Hold_Arm: return Arm(flow);
    case Listener_at_Hold_Arm_wait: return Hold_Arm_wait(flow);
    case Listener_at_Hold_Held: return Held(flow);
    case Listener_enter_Serve: flow->enters++; return Wait(flow);
    case Listener_at_Serve_Wait: return Wait(flow);
    case Listener_at_Serve_Wait_wait: return Serve_Wait_wait(flow);
    case Listener_at_Serve_Take: return Take(flow);
    case Listener_enter_Flee:
        flow->enters++;
        flow->fled++;
        return uf_done(uf);
    case Listener_at_Flee_Run: flow->fled++; return uf_done(uf);
    case Listener_enter_Send: flow->enters++; return Offer(flow);
    case Listener_at_Send_Offer: return Offer(flow);
    case Listener_at_Send_Offer_wait: return Send_Offer_wait(flow);
    case Listener_at_Send_Put: return Put(flow);
    }
    return uf_stay();
}

static uf_intent preempt(uf_flow *uf, uint16_t which)
{
    if (which == 0) {
        if (uf_state(uf) == Listener_enter_Listen) { /* a step of a task that was not entered */
            uf_enter_task(uf);
            ((Listener *)uf)->enters++;
        }
        return uf_next(uf, Listener_at_Listen_Stopped);
    }
    if (!uf_leave(uf, UF_BECAME)) return uf_stay();
    return uf_become(uf, Listener_enter_Flee);
}

static void on_exit_of(uf_flow *uf, uf_outcome outcome)
{
    Listener *const flow = (Listener *)uf;
    flow->exits++;
    flow->last_exit = outcome;
}

static void release(uf_flow *uf)
{
    Listener *const flow = (Listener *)uf;
    uf_signal_destroy(&flow->alarm);
    uf_signal_destroy(&flow->stop);
    uf_mailbox_destroy(&flow->orders);
}

static const uf_task_info tasks[] = {
    [LISTEN] = {.name = "Listen", .line = 5, .entry = Listen_Hear},
    [PASS] = {.name = "Pass", .line = 12, .entry = Pass_Reach},
    [HOLD] = {.name = "Hold", .line = 17, .entry = Hold_Arm},
    [SERVE] = {.name = "Serve", .line = 21, .entry = Serve_Wait},
    [FLEE] = {.name = "Flee", .line = 25, .entry = Flee_Run},
    [SEND] = {.name = "Send", .line = 26, .entry = Send_Offer},
};
static const uf_step_info steps[] = {
    [Listen_Hear] = {"Hear", 7, LISTEN}, [Listen_Heard] = {"Heard", 8, LISTEN},
    [Listen_Late] = {"Late", 9, LISTEN}, [Listen_Stopped] = {"Stopped", 10, LISTEN},
    [Pass_Reach] = {"Reach", 13, PASS},  [Pass_Through] = {"Through", 14, PASS},
    [Pass_Late] = {"Late", 15, PASS},    [Hold_Arm] = {"Arm", 18, HOLD},
    [Hold_Held] = {"Held", 19, HOLD},    [Serve_Wait] = {"Wait", 22, SERVE},
    [Serve_Take] = {"Take", 23, SERVE},  [Flee_Run] = {"Run", 25, FLEE},
    [Send_Offer] = {"Offer", 27, SEND},  [Send_Put] = {"Put", 28, SEND},
};
static const uf_preempt_info preempts[] = {
    {.offset = offsetof(Listener, stop), .line = 6, .task = LISTEN},
    {.offset = offsetof(Listener, alarm), .line = 4, .task = UF_NO_TASK},
};
static const uf_flow_type type = {
    .abi = UF_ABI,
    .size = sizeof(Listener),
    .name = "Listener",
    .source = "listener.uflow",
    .turn = turn,
    .on_exit = on_exit_of,
    .tasks = tasks,
    .steps = steps,
    .task_count = 6,
    .step_count = sizeof steps / sizeof *steps,
    .arm_count = 2,
    .arms_offset = offsetof(Listener, uf_arms),
    .reason_offset = offsetof(Listener, uf_reason),
    .preempts = preempts,
    .preempting = &uf_preempting,
    .preempt_count = 2,
    .preempts_offset = offsetof(Listener, uf_preempts),
    .preempt = preempt,
    .release = release,
};

uf_status Listener_init(Listener *flow, uf_pump *pump, const char *name, uf_signal *signal, uf_checkpoint *point)
{
    uf_status const status = uf_flow_init(&flow->uf, &type, pump, name);
    flow->signal = signal;
    flow->point = point;
    uf_signal_init(&flow->alarm, "alarm");
    uf_signal_init(&flow->stop, "stop");
    uf_mailbox_init(&flow->orders, &flow->uf, "orders", flow->uf_items_of_orders, flow->uf_turns_of_orders, 4,
                    sizeof(int));
    return status;
}

uf_status Listener_destroy(Listener *flow)
{
    return uf_flow_detach(&flow->uf);
}

static uf_status start(Listener *flow, enum Listener_state state, int times, uf_time limit)
{
    uf_status const claimed = uf_start_claim(&flow->uf);
    if (claimed != UF_OK) return claimed;
    flow->uf_task.times = times;
    flow->uf_task.limit = limit;
    uf_start_commit(&flow->uf, state, NULL);
    return UF_OK;
}

uf_status Listener_start_Listen(Listener *flow, int times, uf_time limit)
{
    return start(flow, Listener_enter_Listen, times, limit);
}
uf_status Listener_start_Pass(Listener *flow, int times, uf_time limit)
{
    return start(flow, Listener_enter_Pass, times, limit);
}
uf_status Listener_start_Hold(Listener *flow, int times)
{
    return start(flow, Listener_enter_Hold, times, 0);
}
uf_status Listener_start_Serve(Listener *flow, int times)
{
    return start(flow, Listener_enter_Serve, times, 0);
}
uf_status Listener_start_Send(Listener *flow, int times)
{
    return start(flow, Listener_enter_Send, times, 0);
}

uf_status Listener_orders_send(Listener *flow, int uf_item)
{
    return uf_mailbox_send(&flow->orders, &uf_item);
}
bool Listener_orders_receive(Listener *flow, int *uf_item)
{
    return uf_mailbox_receive(&flow->orders, uf_item);
}
