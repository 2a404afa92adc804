/* SPDX-License-Identifier: MIT */
/* Checkpoints and mailboxes: flows that are held, threads that arm and resume, senders and a receiver. */
#include "listening.h"

/* -- checkpoints -------------------------------------------------------------------------------------------------- */

static uint32_t stops; /* as observers see them */

static void note_stop(void *context, const uf_flow *flow, const char *name)
{
    (void)context, (void)flow, (void)name;
    ufp_add_fetch_seq_cst(&stops, 1);
}

static uf_observer stop_observers[2];

static void observe_stops(void)
{
    stops = 0;
    for (int i = 0; i < 2; i++) {
        stop_observers[i] = (uf_observer){.checkpoint_parked = note_stop};
        MUST(uf_runtime_add_observer(i ? second : runtime, &stop_observers[i]) == UF_OK);
    }
}

/* One arms, one is held, and no flow moves until the resume; in different loops. */
static void checkpoint_cycle(void)
{
    begin_listening();
    MUST(Listener_start_Pass(&there, 6, UF_FOREVER) == UF_OK);
    for (int i = 0; i < 2 && uf_flow_running(&there.uf); i++) {
        uf_status const status = uf_checkpoint_arm(point, UF_MS(1));
        MUST(status == UF_OK || status == UF_TIMED_OUT);
        if (status == UF_TIMED_OUT) continue;
        int const passed = there.passed;
        MUST(uf_checkpoint_state(point) == UF_CHECKPOINT_HELD && uf_checkpoint_try_arm(point) == UF_BUSY);
        schedule_pause();
        MUST(there.passed == passed);
        MUST(uf_checkpoint_resume(point) == 1);
    }
    both_are_idle();
    MUST(there.passed == 6 && uf_checkpoint_state(point) == UF_CHECKPOINT_UNARMED);
    end_listening();
}

static void resume_some(void *argument)
{
    (void)argument;
    for (int i = 0; i < 2; i++) {
        released += (int)uf_checkpoint_resume(point);
        schedule_pause();
    }
}

static void arm_some(void *argument)
{
    (void)argument;
    for (int i = 0; i < 2; i++) {
        uf_status const status = uf_checkpoint_arm(point, UF_MS(1));
        MUST(status == UF_OK || status == UF_TIMED_OUT || status == UF_DISARMED || status == UF_BUSY);
        woken += status == UF_OK;
    }
}

/* Two arm and two resume: exactly one of them resumes each held flow, and no flow stays held. */
static void checkpoint_rivals(void)
{
    begin_listening();
    observe_stops();
    MUST(Listener_start_Pass(&here[0], 3, UF_FOREVER) == UF_OK);
    MUST(Listener_start_Pass(&there, 3, UF_FOREVER) == UF_OK);
    spawn(arm_some, NULL);
    spawn(arm_some, NULL);
    spawn(resume_some, NULL);
    while (uf_flow_running(&here[0].uf) || uf_flow_running(&there.uf)) {
        released += (int)uf_checkpoint_resume(point);
        schedule_pause();
    }
    join();
    released += (int)uf_checkpoint_resume(point);
    both_are_idle();
    MUST(here[0].passed == 3 && there.passed == 3 && (uint32_t)released == stops && (uint32_t)woken <= stops);
    end_listening();
}

/* A controller gives up just when a flow arrives: either the flow is held, or no flow is at the checkpoint. */
static void checkpoint_timeout(void)
{
    begin_listening();
    MUST(Listener_start_Pass(&here[0], 2, UF_FOREVER) == UF_OK);
    uf_status const status = uf_checkpoint_arm(point, UF_MS(1));
    if (status == UF_OK) {
        MUST(uf_checkpoint_parked(point) == 1);
        MUST(uf_checkpoint_resume(point) == 1);
    } else {
        MUST(status == UF_TIMED_OUT && uf_checkpoint_state(point) == UF_CHECKPOINT_UNARMED);
    }
    both_are_idle();
    MUST(here[0].passed == 2);
    end_listening();
}

/* The held flow is cancelled or times out while it is resumed. */
static void checkpoint_cancel(void)
{
    begin_listening();
    MUST(uf_checkpoint_try_arm(point) == UF_OK);
    MUST(Listener_start_Pass(&here[0], 1, UF_MS(1)) == UF_OK);
    MUST(Listener_start_Pass(&there, 1, UF_FOREVER) == UF_OK);
    spawn(cancel_first, NULL);
    spawn(resume_some, NULL);
    both_are_idle();
    join();
    end_listening();
}

static void hold_body(Listener *flow)
{
    MUST(ufi_waiting_of(flow->point->held.word) >= 1);
}

/* A flow is the controller of a flow on another pump. */
static void checkpoint_flow(void)
{
    begin_listening();
    here[0].body = hold_body;
    MUST(Listener_start_Hold(&here[0], 1) == UF_OK);
    while (uf_checkpoint_state(point) != UF_CHECKPOINT_ARMED) schedule_pause();
    MUST(Listener_start_Pass(&there, 1, UF_FOREVER) == UF_OK);
    both_are_idle();
    MUST(here[0].let_go == 1 && there.passed == 1);
    end_listening();
}

/* A flow is held and resumed before the controller checks: the controller must still learn that it came. */
static void resume_when_held(void *argument)
{
    (void)argument;
    while (uf_checkpoint_state(point) != UF_CHECKPOINT_ARMED) schedule_pause();
    MUST(Listener_start_Pass(&here[0], 1, UF_FOREVER) == UF_OK);
    while (!uf_checkpoint_parked(point)) schedule_pause();
    MUST(uf_checkpoint_resume(point) == 1);
}

static void checkpoint_seen_late(void)
{
    begin_listening();
    spawn(resume_when_held, NULL);
    MUST(uf_checkpoint_arm(point, UF_FOREVER) == UF_OK);
    join();
    both_are_idle();
    end_listening();
}

/* The controller learns that it was resumed before any flow came, and frees the checkpoint at once. */
static void resume_once(void *argument)
{
    (void)argument;
    MUST(uf_checkpoint_resume(point) == 0);
}

/* Destroys the checkpoint while other threads may still use it, then everything else. */
static void destroy_under_others(void)
{
    uf_checkpoint_destroy(point);
    ufp_free(point);
    join();
    free_runtimes();
    uf_signal_destroy(notifier);
    ufp_free(notifier);
}

static void checkpoint_freed(void)
{
    begin_listening();
    if (schedule_draw(2)) {
        spawn(resume_once, NULL);
        if (uf_checkpoint_arm(point, UF_MS(1)) == UF_TIMED_OUT) join(); /* else the resume may not have returned */
    } else {
        MUST(uf_checkpoint_try_arm(point) == UF_OK);
        spawn(resume_once, NULL);
        while (uf_checkpoint_state(point) != UF_CHECKPOINT_UNARMED) schedule_pause();
    }
    destroy_under_others();
}

static void arm_until_destroyed(void *argument)
{
    (void)argument;
    uf_status const status = uf_checkpoint_arm(point, UF_FOREVER);
    MUST(status == UF_OK || status == UF_CLOSED);
}

/* The checkpoint is destroyed under its controller, just when a flow has arrived. */
static void checkpoint_destroyed_under_arm(void)
{
    begin_listening();
    spawn(arm_until_destroyed, NULL);
    while (!ufi_waiting_of(ufp_load_wide_seq_cst(&point->arrived.word))) schedule_pause();
    if (schedule_draw(2)) {
        MUST(Listener_start_Pass(&here[0], 1, UF_FOREVER) == UF_OK);
        while (!uf_checkpoint_parked(point)) schedule_pause();
    }
    destroy_under_others();
}

/* -- mailboxes ---------------------------------------------------------------------------------------------------- */

static int last_of[2], received;

static void note_item(Listener *flow)
{
    int const sender = flow->order / 10, number = flow->order % 10;
    MUST(sender < 2 && number == last_of[sender] + 1);
    last_of[sender] = number;
    received++;
}

static void send_some(void *argument)
{
    int const sender = (int)(intptr_t)argument;
    for (int i = 1; i <= 3; i++) {
        uf_status status;
        while ((status = Listener_orders_send(&there, sender * 10 + i)) == UF_FULL) schedule_pause();
        MUST(status == UF_OK);
    }
}

static void mailbox_order(void)
{
    begin_listening();
    last_of[0] = last_of[1] = received = 0;
    there.body = note_item;
    spawn(send_some, (void *)0);
    spawn(send_some, (void *)1);
    MUST(Listener_start_Serve(&there, 6) == UF_OK);
    both_are_idle();
    join();
    MUST(received == 6 && uf_mailbox_count(&there.orders) == 0);
    end_listening();
}

static void send_until_closed(void *argument)
{
    uf_status status;
    (void)argument;
    do {
        status = Listener_orders_send(&there, 1);
        MUST(status == UF_OK || status == UF_FULL || status == UF_STOPPING || status == UF_CLOSED);
        schedule_pause();
    } while (status != UF_CLOSED);
}

/* The runtime is freed under the senders: it waits for messages in transit. */
static void mailbox_free(void)
{
    begin_listening();
    spawn(send_until_closed, NULL);
    spawn(send_until_closed, NULL);
    MUST(uf_runtime_free(second) == UF_OK);
    second = NULL;
    join();
    end_listening();
}

const scenario checkpoint_scenarios[] = {
    {"checkpoint_cycle", checkpoint_cycle},
    {"checkpoint_rivals", checkpoint_rivals},
    {"checkpoint_timeout", checkpoint_timeout},
    {"checkpoint_cancel", checkpoint_cancel},
    {"checkpoint_flow", checkpoint_flow},
    {"checkpoint_seen_late", checkpoint_seen_late},
    {"checkpoint_freed", checkpoint_freed},
    {"checkpoint_destroyed_under_arm", checkpoint_destroyed_under_arm},
    {"mailbox_order", mailbox_order},
    {"mailbox_free", mailbox_free},
    {0},
};
