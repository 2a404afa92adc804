/* SPDX-License-Identifier: MIT */
/* Fires at a signal's home, what other pumps do meanwhile, and the stacks on which fires arrive. */
#include "listening.h"

/* If both waiters were counted, the one of the other pump receives this fire, and needs no later one. */
static void fire_in_step(Listener *flow)
{
    int const before = there.heard;
    (void)flow;
    if (uf_signal_fire(notifier) < 2) return;
    while (there.heard == before) schedule_pause();
}

/* Steps of the home fire while a flow of another pump repeatedly begins to wait. Each waiter that a fire counts is
 * released. */
static void signal_home_and_away(void)
{
    begin_listening();
    MUST(Listener_start_Listen(&here[0], 4, UF_FOREVER) == UF_OK);
    wait_until_waiting(1);
    MUST(notifier->home == uf_runtime_pump(runtime));
    here[1].body = fire_in_step;
    MUST(Listener_start_Listen(&there, 4, UF_FOREVER) == UF_OK);
    MUST(Listener_start_Pass(&here[1], 8, UF_FOREVER) == UF_OK);
    while (uf_flow_running(&there.uf) || uf_flow_running(&here[0].uf)) {
        if (!uf_flow_running(&here[1].uf)) fire_once(NULL);
        schedule_pause();
    }
    both_are_idle();
    MUST(here[0].heard == 4 && there.heard == 4);
    end_listening();
}

/* Two threads fire two signals whose waiters are foreign and on one pump, which is freed. */
static uf_signal chime;

static void fire_chime(void *argument)
{
    (void)argument;
    uf_signal_fire(&chime);
}

static void two_foreign_on_second(Listener *other)
{
    begin_listening();
    uf_signal_init(&chime, "chime");
    MUST(Listener_init(other, uf_runtime_pump(second), "other", &chime, point) == UF_OK);
    here[1].signal = &chime;
    MUST(Listener_start_Listen(&here[0], 1, UF_FOREVER) == UF_OK);
    MUST(Listener_start_Listen(&here[1], 1, UF_FOREVER) == UF_OK);
    wait_until_waiting(1);
    while (ufi_waiting_of(ufp_load_wide_seq_cst(&chime.word)) < 1) schedule_pause();
    MUST(Listener_start_Listen(&there, 1, UF_FOREVER) == UF_OK);
    MUST(Listener_start_Listen(other, 1, UF_FOREVER) == UF_OK);
    wait_until_waiting(2);
    while (ufi_waiting_of(ufp_load_wide_seq_cst(&chime.word)) < 2) schedule_pause();
}

static void signal_free_two(void)
{
    static Listener other;

    two_foreign_on_second(&other);
    spawn(fire_chime, NULL);
    spawn(fire_once, NULL);
    MUST(uf_runtime_free(second) == UF_OK);
    second = NULL;
    join();
    MUST(uf_runtime_wait(runtime, UF_FOREVER) == UF_OK);
    is_unused(&chime);
    end_listening();
}

/* One of the waiters leaves, so that its pump takes the stack before the message arrives, and then both fire. */
static void signal_leave_two(void)
{
    static Listener other;

    two_foreign_on_second(&other);
    spawn(fire_once, NULL);
    spawn(fire_chime, NULL);
    MUST(uf_flow_cancel(&there.uf) == UF_OK);
    both_are_idle();
    join();
    MUST(other.heard == 1 && here[0].heard == 1 && here[1].heard == 1);
    is_unused(&chime);
    MUST(Listener_destroy(&other) == UF_OK);
    end_listening();
}

/* The flow that a thread fires for leaves, and one of another pump begins to wait while that thread has claimed the
 * signal. The next fire is left to that thread. */
static void signal_homes_change(void)
{
    begin_listening();
    MUST(Listener_start_Listen(&here[0], 1, UF_FOREVER) == UF_OK);
    wait_until_waiting(1);
    spawn(fire_once, NULL);
    MUST(uf_flow_cancel(&here[0].uf) == UF_OK);
    for (int i = 0; i < 40; i++) {
        if (ufp_load_pointer_seq_cst(&notifier->queued) && !ufp_load_pointer_seq_cst(&notifier->home)) break;
        schedule_pause();
    }
    MUST(Listener_start_Listen(&there, 1, UF_FOREVER) == UF_OK);
    wait_until_waiting(1);
    while (uf_flow_running(&there.uf)) {
        if (ufi_waiting_of(ufp_load_wide_seq_cst(&notifier->word))) fire_once(NULL);
        schedule_pause();
    }
    join();
    both_are_idle();
    MUST(there.heard == 1);
    end_listening();
}

/* A change wakes a flow that waits for an arrival, and the flow waits again. Meanwhile the checkpoint is
 * destroyed and its memory reused. */
static void fire_arrived(void *argument)
{
    (void)argument;
    uf_signal_fire(&point->arrived);
}

static void checkpoint_destroyed_under_arrival(void)
{
    begin_listening();
    MUST(Listener_start_Hold(&there, 1) == UF_OK);
    while (!ufi_waiting_of(ufp_load_wide_seq_cst(&point->arrived.word))) schedule_pause();
    spawn(fire_arrived, NULL);
    while (uf_signal_epoch(&point->arrived) == 0) schedule_pause();
    uf_checkpoint_destroy(point);
    memset(point, 0x5a, sizeof *point);
    join();
    both_are_idle();
    MUST(uf_flow_outcome(&there.uf) == UF_FAILED && strcmp(uf_flow_reason(&there.uf), "closed") == 0);
    for (size_t i = 0; i < sizeof *point; i++) MUST(((unsigned char *)point)[i] == 0x5a);
    ufp_free(point);
    free_runtimes();
    uf_signal_destroy(notifier);
    ufp_free(notifier);
}

const scenario home_scenarios[] = {
    {"signal_home_and_away", signal_home_and_away},
    {"signal_free_two", signal_free_two},
    {"signal_leave_two", signal_leave_two},
    {"signal_homes_change", signal_homes_change},
    {"checkpoint_destroyed_under_arrival", checkpoint_destroyed_under_arrival},
    {0},
};
