/* SPDX-License-Identifier: MIT */
/* listener.h - a flow that waits for signals, checkpoints and messages of other threads, as ufc would lower it. It is
 * hand-written, so that the tests need only the runtime.
 *
 *   flow Listener {
 *       signal alarm, stop;
 *       mailbox int orders[4];
 *       on alarm -> become Flee;
 *       task Listen(int times, uf_time limit) {
 *           on stop -> Stopped;
 *           step Hear    { body(flow); await { *flow->signal -> Heard; timeout self->limit -> Late; } }
 *           step Heard   { flow->heard++; body(flow); if (--self->times == 0) done; next Hear; }
 *           step Late    { fail "late"; }
 *           step Stopped { flow->stopped++; done; }
 *       }
 *       task Pass(int times, uf_time limit) {
 *           step Reach   { body(flow); await { *flow->point -> Through; timeout self->limit -> Late; } }
 *           step Through { flow->passed++; if (--self->times == 0) done; next Reach; }
 *           step Late    { fail "late"; }
 *       }
 *       task Hold(int times) {
 *           step Arm  { if (uf_checkpoint_try_arm(flow->point) != UF_OK) fail "busy";
 *                       await arrived(*flow->point) -> Held; }
 *           step Held { body(flow); flow->let_go += resume(); if (--self->times == 0) done; next Arm; }
 *       }
 *       task Serve(int times) {
 *           step Wait { await orders -> Take; }
 *           step Take { if (!receive(&flow->order)) next Wait; body(flow); if (--self->times == 0) done; next Take; }
 *       }
 *       task Flee { step Run { flow->fled++; done; } }
 *       task Send(int times) {
 *           step Offer { await room(flow->target) -> Put; }            // 0 times: `-> done`
 *           step Put   { if (send(flow->order) == UF_FULL) next Offer; if (--self->times == 0) done; next Offer; }
 *       }
 *   }
 */
#ifndef LISTENER_H
#define LISTENER_H

#include "uflow/generated.h"

typedef struct Listener {
    uf_flow uf;
    uf_signal *signal;
    uf_checkpoint *point;
    void (*body)(struct Listener *flow);
    void *context;
    int enters, exits, bodies, heard, stopped, passed, let_go, fled, order;
    uf_outcome last_exit;
    uf_signal alarm, stop;
    uf_mailbox *target; /* of Send */
    uf_mailbox orders;
    int uf_items_of_orders[4];
    uint8_t uf_turns_of_orders[4];
    struct {
        int times;
        uf_time limit;
    } uf_task;
    uf_arm uf_arms[2];
    uf_arm uf_preempts[2];
    char uf_reason[UF_REASON_SIZE];
} Listener;

uf_status Listener_init(Listener *flow, uf_pump *pump, const char *name, uf_signal *signal, uf_checkpoint *point);
uf_status Listener_destroy(Listener *flow);
uf_status Listener_start_Listen(Listener *flow, int times, uf_time limit);
uf_status Listener_start_Pass(Listener *flow, int times, uf_time limit);
uf_status Listener_start_Hold(Listener *flow, int times);
uf_status Listener_start_Serve(Listener *flow, int times);
uf_status Listener_start_Send(Listener *flow, int times);
uf_status Listener_orders_send(Listener *flow, int uf_item);
bool Listener_orders_receive(Listener *flow, int *uf_item);

#endif
