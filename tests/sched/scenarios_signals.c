/* SPDX-License-Identifier: MIT */
/* scenarios_signals.c - firing, waiting, leaving, destroying, callbacks, interruption at a step boundary. */
#include "listening.h"

/* -- one fire releases all, on every pump -------------------------------------------------------------------------- */

static void signal_all(void)
{
    begin_listening();
    MUST(Listener_start_Listen(&here[0], 1, UF_FOREVER) == UF_OK);
    MUST(Listener_start_Listen(&there, 1, UF_FOREVER) == UF_OK);
    MUST(Listener_start_Listen(&here[1], 1, UF_FOREVER) == UF_OK);
    spawn(wait_thread, NULL);
    wait_until_waiting(4);
    MUST(uf_signal_fire(notifier) == 4);
    both_are_idle();
    join();
    MUST(here[0].heard + here[1].heard + there.heard + woken == 4);
    end_listening();
}

/* A counted waiter can already be found. */
static void signal_one(void)
{
    begin_listening();
    MUST(Listener_start_Listen(&there, 1, UF_FOREVER) == UF_OK);
    wait_until_waiting(1);
    MUST(uf_signal_fire(notifier) == 1);
    both_are_idle();
    MUST(there.heard == 1);
    end_listening();
}

/* One thread fires while others begin to wait. A waiter whose body has begun receives the fire uncounted, and so does
 * every counted waiter. No waiter receives more fires than there were. */
static void signal_count(void)
{
    begin_listening();
    MUST(Listener_start_Listen(&here[0], 2, UF_FOREVER) == UF_OK);
    MUST(Listener_start_Listen(&there, 2, UF_FOREVER) == UF_OK);
    spawn(fire_twice, NULL);
    while (uf_flow_running(&here[0].uf) || uf_flow_running(&there.uf)) {
        fire_once(NULL);
        MUST((uint32_t)here[0].heard <= uf_signal_epoch(notifier) &&
             (uint32_t)there.heard <= uf_signal_epoch(notifier));
        schedule_pause();
    }
    both_are_idle();
    join();
    MUST(released <= 4 && here[0].heard == 2 && there.heard == 2);
    end_listening();
}

/* Two signals, two firing threads, and one pump that both notify. */
static uf_signal chime;

static void begin_two(void)
{
    begin_listening();
    uf_signal_init(&chime, "chime");
    MUST(Listener_destroy(&here[1]) == UF_OK);
    MUST(Listener_init(&here[1], uf_runtime_pump(runtime), "here", &chime, point) == UF_OK);
    MUST(Listener_start_Listen(&here[0], 1, UF_FOREVER) == UF_OK);
    MUST(Listener_start_Listen(&here[1], 1, UF_FOREVER) == UF_OK);
    wait_until_waiting(1);
    while (ufi_waiting_of(ufp_load_wide_seq_cst(&chime.word)) < 1) schedule_pause();
}

static void end_two(void)
{
    both_are_idle();
    join();
    MUST(here[0].heard == 1 && here[1].heard == 1);
    is_unused(&chime);
    end_listening();
}

static void fire_one(void *signal)
{
    MUST(uf_signal_fire(signal) == 1);
}

static void signal_two(void)
{
    begin_two();
    spawn(fire_one, &chime);
    fire_one(notifier);
    end_two();
}

/* Both fire in one round, so the pump takes two signals off its stack at once. */
static uint32_t fires_in_round;

static void wait_for_two_fires(void *argument)
{
    (void)argument;
    while (ufp_load_seq_cst(&fires_in_round) < 2) schedule_pause();
}

static void fire_in_round(void *signal)
{
    fire_one(signal);
    (void)ufp_add_fetch_seq_cst(&fires_in_round, 1);
}

static void signal_two_in_a_round(void)
{
    fires_in_round = 0;
    begin_two();
    MUST(uf_post(runtime, wait_for_two_fires, NULL) == UF_OK);
    spawn(fire_in_round, &chime);
    fire_in_round(notifier);
    end_two();
}

/* -- leaving ------------------------------------------------------------------------------------------------------ */

static void signal_cancel(void)
{
    begin_listening();
    MUST(Listener_start_Listen(&here[0], 1, UF_FOREVER) == UF_OK);
    MUST(Listener_start_Listen(&there, 1, UF_FOREVER) == UF_OK);
    MUST(Listener_start_Listen(&here[1], 1, UF_FOREVER) == UF_OK);
    wait_until_waiting(3);
    spawn(cancel_first, NULL);
    spawn(fire_once, NULL);
    join();
    both_are_idle();
    MUST(released >= 1 && here[1].heard == 1); /* no cancel, no missed fire */
    MUST(here[0].heard + there.heard + here[1].heard <= released);
    end_listening();
}

/* Either the deadline or the fire decides, and the other leaves no trace. */
static void signal_timeout(void)
{
    begin_listening();
    MUST(Listener_start_Listen(&here[0], 1, UF_MS(1)) == UF_OK);
    MUST(Listener_start_Listen(&there, 1, UF_MS(1)) == UF_OK);
    spawn(fire_once, NULL);
    both_are_idle();
    join();
    MUST(strcmp(uf_flow_reason(&here[0].uf), here[0].heard ? "" : "late") == 0);
    MUST(strcmp(uf_flow_reason(&there.uf), there.heard ? "" : "late") == 0);
    end_listening();
}

static void wait_briefly(void *argument)
{
    (void)argument;
    uf_status const status = uf_signal_wait(notifier, UF_MS(1));
    MUST(status == UF_OK || status == UF_TIMED_OUT);
    woken += status == UF_OK;
}

static void signal_threads(void)
{
    begin_listening();
    spawn(wait_briefly, NULL);
    spawn(wait_briefly, NULL);
    spawn(fire_twice, NULL);
    join();
    MUST(woken >= released); /* a waiter that was not counted may have found the signal fired */
    end_listening();
}

/* The runtimes are freed under the firing threads. */
static void signal_free(void)
{
    begin_listening();
    MUST(Listener_start_Listen(&here[0], 1, UF_FOREVER) == UF_OK);
    MUST(Listener_start_Listen(&there, 1, UF_FOREVER) == UF_OK);
    wait_until_waiting(2);
    spawn(fire_twice, NULL);
    MUST(uf_runtime_free(second) == UF_OK);
    second = NULL;
    MUST(uf_runtime_free(runtime) == UF_OK);
    join();
    is_unused(notifier);
    uf_signal_destroy(notifier);
    ufp_free(notifier);
    ufp_free(point);
}

/* -- destroying --------------------------------------------------------------------------------------------------- */

static void destroy_bell(void *argument)
{
    (void)argument;
    uf_signal_destroy(notifier);
    ufp_free(notifier);
    notifier = NULL;
}

static void wait_until_closed(void *argument)
{
    (void)argument;
    MUST(uf_signal_wait(notifier, UF_FOREVER) == UF_CLOSED);
    woken++;
}

static void free_all_but_bell(void)
{
    free_runtimes();
    uf_checkpoint_destroy(point);
    ufp_free(point);
}

static void signal_destroy(void)
{
    begin_listening();
    MUST(Listener_start_Listen(&here[0], 1, UF_FOREVER) == UF_OK);
    MUST(Listener_start_Listen(&there, 1, UF_FOREVER) == UF_OK);
    spawn(wait_until_closed, NULL);
    wait_until_waiting(3);
    destroy_bell(NULL);
    both_are_idle();
    join();
    MUST(strcmp(uf_flow_reason(&here[0].uf), "closed") == 0 && strcmp(uf_flow_reason(&there.uf), "closed") == 0);
    free_all_but_bell();
}

/* A waiter that begins during or after the destruction is released as well, as long as its memory exists. */
static void signal_destroyed_at_the_door(void)
{
    begin_listening();
    MUST(Listener_start_Listen(&here[0], 1, UF_FOREVER) == UF_OK);
    MUST(Listener_start_Listen(&there, 1, UF_FOREVER) == UF_OK);
    spawn(wait_until_closed, NULL);
    uf_signal_destroy(notifier);
    both_are_idle();
    join();
    MUST(strcmp(uf_flow_reason(&here[0].uf), "closed") == 0 && strcmp(uf_flow_reason(&there.uf), "closed") == 0);
    MUST(!notifier->home && !notifier->waiters && !notifier->callbacks && notifier->others == 0 &&
         notifier->firing == UFI_CLOSED);
    free_all_but_bell();
    ufp_free(notifier);
}

/* A released waiter may destroy the signal at once, while the fire is still notifying others. */
static void destroy_when_heard(Listener *flow)
{
    if (flow->heard) destroy_bell(NULL);
}

static void signal_destroyed_by_the_released(void)
{
    begin_listening();
    there.body = destroy_when_heard;
    MUST(Listener_start_Listen(&here[0], 1, UF_FOREVER) == UF_OK);
    MUST(Listener_start_Listen(&there, 1, UF_FOREVER) == UF_OK);
    wait_until_waiting(2);
    spawn(fire_once, NULL);
    both_are_idle();
    join();
    MUST(released == 2 && here[0].heard == 1 && there.heard == 1);
    free_all_but_bell();
}

/* A thread sees that the signal has fired before it is notified. */
static void signal_destroyed_at_sight(void)
{
    begin_listening();
    MUST(Listener_start_Listen(&here[0], 1, UF_FOREVER) == UF_OK);
    wait_until_waiting(1);
    spawn(fire_once, NULL);
    while (uf_signal_epoch(notifier) == 0) schedule_pause();
    destroy_bell(NULL);
    both_are_idle();
    join();
    MUST(released == 1 && here[0].heard == 1);
    free_all_but_bell();
}

/* Two steps destroy signals that flows of each other's pump wait for. */
static uf_signal *pair[2];

static void destroy_its(Listener *flow)
{
    uf_signal_destroy(flow->context);
}

static void signal_destroy_mutual(void)
{
    begin_listening();
    uf_signal own[2];
    for (int i = 0; i < 2; i++) {
        uf_signal_init(&own[i], "own");
        pair[i] = &own[i];
    }
    Listener killer;
    MUST(Listener_init(&killer, uf_runtime_pump(second), "killer", notifier, point) == UF_OK);
    here[0].signal = &own[0];
    there.signal = &own[1];
    MUST(Listener_start_Listen(&here[0], 1, UF_FOREVER) == UF_OK);
    MUST(Listener_start_Listen(&there, 1, UF_FOREVER) == UF_OK);
    while (!ufi_waiting_of(ufp_load_wide_seq_cst(&own[0].word)) || !ufi_waiting_of(ufp_load_wide_seq_cst(&own[1].word)))
        schedule_pause();
    here[1].body = killer.body = destroy_its;
    here[1].context = &own[1];
    killer.context = &own[0];
    MUST(Listener_start_Pass(&here[1], 1, UF_FOREVER) == UF_OK);
    MUST(Listener_start_Pass(&killer, 1, UF_FOREVER) == UF_OK);
    both_are_idle();
    MUST(strcmp(uf_flow_reason(&here[0].uf), "closed") == 0 && strcmp(uf_flow_reason(&there.uf), "closed") == 0);
    end_listening();
}

/* A step destroys a signal that a flow of the second runtime waits for. A step of that runtime waits for the thread of
 * the first one. */
static void destroy_against(void (*wait)(Listener *flow))
{
    begin_listening();
    Listener waiter;
    MUST(Listener_init(&waiter, uf_runtime_pump(second), "waiter", notifier, point) == UF_OK);
    MUST(Listener_start_Listen(&there, 1, UF_FOREVER) == UF_OK);
    wait_until_waiting(1);
    here[1].body = destroy_its;
    here[1].context = notifier;
    waiter.body = wait;
    MUST(Listener_start_Pass(&here[1], 1, UF_FOREVER) == UF_OK);
    MUST(Listener_start_Pass(&waiter, 1, UF_FOREVER) == UF_OK);
    both_are_idle();
    MUST(strcmp(uf_flow_reason(&there.uf), "closed") == 0);
    MUST(waiter.passed == 1);
    ufp_free(notifier);
    notifier = NULL;
    free_all_but_bell();
}

static void destroy_one_of_the_first(Listener *flow)
{
    (void)flow;
    MUST(Listener_destroy(&here[0]) == UF_OK);
}

static void signal_destroy_into_detach(void)
{
    destroy_against(destroy_one_of_the_first);
}

static void wait_for_the_destroyer(Listener *flow)
{
    (void)flow;
    MUST(uf_flow_wait(&here[1].uf, UF_FOREVER, NULL) == UF_OK);
}

static void signal_destroy_into_wait(void)
{
    destroy_against(wait_for_the_destroyer);
}

/* -- callbacks ---------------------------------------------------------------------------------------------------- */

static void note_call(void *argument, uf_status status)
{
    MUST(status == UF_OK);
    ufp_add_fetch_seq_cst(argument, 1);
}

/* The data of a callback is freed as soon as the callback is unsubscribed. */
static void signal_forget(void)
{
    begin_listening();
    uf_signal_callback callback;
    uint32_t *const calls = ufp_allocate(sizeof *calls);
    MUST(calls);
    uf_signal_subscribe(notifier, &callback, note_call, calls);
    spawn(fire_once, NULL);
    schedule_pause();
    bool const forgotten = uf_signal_unsubscribe(notifier, &callback);
    MUST(*calls == !forgotten);
    ufp_free(calls);
    join();
    MUST(released <= 1 && (forgotten || released == 1));
    end_listening();
}

/* One of two callbacks unsubscribes the other, perhaps too late, and another thread does so too. */
static uf_signal_callback two[2];
static uint32_t *two_calls;

static void forget_the_other(void *argument, uf_status status)
{
    (void)status;
    ufp_add_fetch_seq_cst(&two_calls[0], 1);
    (void)uf_signal_unsubscribe(notifier, argument);
}

static void signal_forget_two(void)
{
    begin_listening();
    two_calls = ufp_allocate(2 * sizeof *two_calls);
    uf_signal_subscribe(notifier, &two[0], forget_the_other, &two[1]);
    uf_signal_subscribe(notifier, &two[1], note_call, &two_calls[1]);
    spawn(fire_once, NULL);
    schedule_pause();
    bool const second_forgotten = uf_signal_unsubscribe(notifier, &two[1]);
    bool const first_forgotten = uf_signal_unsubscribe(notifier, &two[0]);
    MUST(two_calls[0] == !first_forgotten && two_calls[1] <= !second_forgotten);
    MUST(two_calls[0] || two_calls[1] == !second_forgotten); /* no other thread unsubscribed it */
    ufp_free(two_calls);
    join();
    end_listening();
}

/* -- preemption ---------------------------------------------------------------------------------------------------- */

/* A fire after a start has returned preempts that run. */
static void start_and_alarm(void *argument)
{
    (void)argument;
    MUST(Listener_start_Listen(&here[0], 1, UF_FOREVER) == UF_OK);
    uf_signal_fire(&here[0].alarm);
}

static void preempt_start(void)
{
    begin_listening();
    spawn(start_and_alarm, NULL);
    join();
    both_are_idle();
    MUST(here[0].fled == 1);
    is_unused(&here[0].alarm);
    is_unused(&here[0].stop);
    end_listening();
}

/* A counted waiter can already be found. */
static void preempt_one(void)
{
    begin_listening();
    MUST(Listener_start_Listen(&there, 1, UF_FOREVER) == UF_OK);
    while (!ufi_waiting_of(ufp_load_wide_seq_cst(&there.alarm.word))) schedule_pause();
    MUST(uf_signal_fire(&there.alarm) == 1);
    both_are_idle();
    MUST(there.fled == 1);
    end_listening();
}

static void sound_the_alarm(void *argument)
{
    (void)argument;
    uf_signal_fire(&here[0].alarm);
}

/* One fire decides an await and preempts the flow. The step that the await leads to never runs, even in a turn caused
 * by the await's timeout. */
static void preempt_before_arms(void)
{
    begin_listening();
    here[0].signal = &here[0].alarm;
    MUST(Listener_start_Listen(&here[0], 1, 300) == UF_OK);
    spawn(sound_the_alarm, NULL);
    both_are_idle();
    join();
    MUST(here[0].heard == 0);
    end_listening();
}

static void stop_it(void *argument)
{
    (void)argument;
    uf_signal_fire(&here[0].stop);
}

static void preempt_release(void)
{
    begin_listening();
    MUST(Listener_start_Listen(&here[0], 2, UF_FOREVER) == UF_OK);
    wait_until_waiting(1);
    spawn(stop_it, NULL);
    spawn(fire_once, NULL);
    both_are_idle();
    join();
    MUST(here[0].stopped == 1 && here[0].heard <= 1);
    end_listening();
}

const scenario signal_scenarios[] = {
    {"signal_all", signal_all},
    {"signal_one", signal_one},
    {"signal_count", signal_count},
    {"signal_two", signal_two},
    {"signal_two_in_a_round", signal_two_in_a_round},
    {"signal_cancel", signal_cancel},
    {"signal_timeout", signal_timeout},
    {"signal_threads", signal_threads},
    {"signal_free", signal_free},
    {"signal_destroy", signal_destroy},
    {"signal_destroyed_at_the_door", signal_destroyed_at_the_door},
    {"signal_destroyed_by_the_released", signal_destroyed_by_the_released},
    {"signal_destroyed_at_sight", signal_destroyed_at_sight},
    {"signal_destroy_mutual", signal_destroy_mutual},
    {"signal_destroy_into_detach", signal_destroy_into_detach},
    {"signal_destroy_into_wait", signal_destroy_into_wait},
    {"signal_forget", signal_forget},
    {"signal_forget_two", signal_forget_two},
    {"preempt_start", preempt_start},
    {"preempt_one", preempt_one},
    {"preempt_before_arms", preempt_before_arms},
    {"preempt_release", preempt_release},
    {0},
};
