/* SPDX-License-Identifier: MIT */
/* The locks and writes of operations: at home no lock, and runtimes that share nothing write nothing in common. */
#include "counted.h"
#include "listening.h"

static counted used_since(counted before)
{
    counted const now = *fiber_counts();
    return (counted){now.locks - before.locks, now.read_modify_writes - before.read_modify_writes};
}

static void at_most(counted used, uint32_t read_modify_writes)
{
    MUST(used.locks == 0 && used.read_modify_writes <= read_modify_writes);
}

/* -- at home ------------------------------------------------------------------------------------------------------- */

static void wait_until_held(void)
{
    while (uf_checkpoint_state(point) != UF_CHECKPOINT_HELD) schedule_pause();
}

/* Called in a step of the runtime whose flows wait, while other threads do nothing. */
static void fire_counted(Listener *flow)
{
    counted const before = *fiber_counts();
    (void)flow;
    MUST(uf_signal_fire(notifier) == 1);
    at_most(used_since(before), 1);
}

static void counted_fire(void)
{
    begin_listening();
    MUST(Listener_start_Listen(&here[0], 1, UF_FOREVER) == UF_OK);
    wait_until_waiting(1);
    here[1].body = fire_counted;
    MUST(Listener_start_Pass(&here[1], 1, UF_FOREVER) == UF_OK);
    both_are_idle();
    MUST(here[0].heard == 1);
    end_listening();
}

static void resume_counted(Listener *flow)
{
    counted const before = *fiber_counts();
    (void)flow;
    MUST(uf_checkpoint_resume(point) == 1);
    at_most(used_since(before), 1);
}

static void counted_resume(void)
{
    begin_listening();
    MUST(uf_checkpoint_try_arm(point) == UF_OK);
    MUST(Listener_start_Pass(&here[0], 1, UF_FOREVER) == UF_OK);
    wait_until_held();
    here[1].body = resume_counted;
    MUST(Listener_start_Serve(&here[1], 1) == UF_OK);
    MUST(Listener_orders_send(&here[1], 1) == UF_OK);
    both_are_idle();
    MUST(here[0].passed == 1);
    end_listening();
}

/* A send takes a cell, and fires if the receiver waits: see uf_mailbox_send(). */
static void send_counted(Listener *flow)
{
    counted const before = *fiber_counts();
    (void)flow;
    MUST(Listener_orders_send(&here[0], 1) == UF_OK);
    at_most(used_since(before), 2);
}

static void counted_send(void)
{
    begin_listening();
    MUST(Listener_start_Serve(&here[0], 1) == UF_OK);
    while (!ufi_waiting_of(ufp_load_wide_seq_cst(&here[0].orders.filled.word))) schedule_pause();
    here[1].body = send_counted;
    MUST(Listener_start_Pass(&here[1], 1, UF_FOREVER) == UF_OK);
    both_are_idle();
    end_listening();
}

/* A failure stores its reason. */
static void fail_counted(Listener *flow)
{
    counted const before = *fiber_counts();
    (void)uf_fail(&flow->uf, "%s", "counted");
    at_most(used_since(before), 0);
}

static void counted_fail(void)
{
    begin_listening();
    here[1].body = fail_counted;
    MUST(Listener_start_Pass(&here[1], 1, UF_FOREVER) == UF_OK);
    both_are_idle();
    MUST(strcmp(uf_flow_reason(&here[1].uf), "counted") == 0);
    end_listening();
}

/* -- apart --------------------------------------------------------------------------------------------------------- */

/* Two flows of one runtime, which use signals, checkpoints, mailboxes with room, and timers among themselves. */
typedef struct couple {
    Listener one, other;
    uf_signal bell;
    uf_checkpoint gate;
    uf_runtime *runtime;
} couple;
static couple couples[2];

static void use_everything(Listener *flow)
{
    couple *const own = flow->context;
    int item;

    uf_signal_fire(&own->bell);
    if (uf_checkpoint_try_arm(&own->gate) == UF_OK) uf_checkpoint_resume(&own->gate);
    (void)Listener_orders_send(&own->other, 1);
    while (Listener_orders_receive(flow, &item)) {}
    (void)uf_flow_running(&own->other.uf);
}

static void begin_couple(couple *own)
{
    MUST(uf_runtime_new(&own->runtime, NULL) == UF_OK);
    uf_signal_init(&own->bell, "bell");
    uf_checkpoint_init(&own->gate, "gate");
    MUST(Listener_init(&own->one, uf_runtime_pump(own->runtime), "one", &own->bell, &own->gate) == UF_OK);
    MUST(Listener_init(&own->other, uf_runtime_pump(own->runtime), "other", &own->bell, &own->gate) == UF_OK);
    own->one.body = use_everything;
    own->one.context = own;
    own->one.target = &own->other.orders;
    while (!ufp_load_pointer_seq_cst(&own->runtime->pump.thread)) schedule_pause();
}

static void start_couple(couple *own)
{
    MUST(Listener_start_Listen(&own->other, 2, UF_US(1)) == UF_OK);
    MUST(Listener_start_Pass(&own->one, 2, UF_FOREVER) == UF_OK);
}

static void start_mail(couple *own)
{
    MUST(Listener_start_Send(&own->one, 6) == UF_OK);
    MUST(Listener_start_Serve(&own->other, 6) == UF_OK);
}

static void are_idle(void)
{
    for (int i = 0; i < 2; i++) MUST(uf_runtime_wait(couples[i].runtime, UF_FOREVER) == UF_OK);
}

static void counted_apart(void)
{
    for (int i = 0; i < 2; i++) begin_couple(&couples[i]);
    counted_begin(couples[0].runtime->pump.thread, couples[1].runtime->pump.thread);
    for (int i = 0; i < 2; i++) start_couple(&couples[i]);
    are_idle();
    for (int i = 0; i < 2; i++) {
        while (uf_mailbox_count(&couples[i].other.orders)) {
            MUST(Listener_start_Serve(&couples[i].other, 1) == UF_OK);
            MUST(uf_runtime_wait(couples[i].runtime, UF_FOREVER) == UF_OK);
        }
        start_mail(&couples[i]);
    }
    are_idle();
    void const *const common = counted_end();
    if (common) schedule_fail("both runtimes have written or locked %p", common);
    for (int i = 0; i < 2; i++) {
        MUST(uf_runtime_free(couples[i].runtime) == UF_OK);
        is_unused(&couples[i].bell);
        uf_signal_destroy(&couples[i].bell);
        uf_checkpoint_destroy(&couples[i].gate);
    }
}

const scenario counted_scenarios[] = {
    {"counted_fire", counted_fire}, {"counted_resume", counted_resume}, {"counted_send", counted_send},
    {"counted_fail", counted_fail}, {"counted_apart", counted_apart},   {0},
};
