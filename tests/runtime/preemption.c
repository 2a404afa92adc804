/* SPDX-License-Identifier: MIT */
/* preemption.c - handlers `on SIGNAL`, and signal events of observers, in virtual time. The flows are those of
 * tests/host/listener.h. */
#include "signals_fixture.h"

static int calls;

/* -- preemption ---------------------------------------------------------------------------------------------------- */

TEST(preempts_a_parked_flow_and_runs_on_exit)
{
    Listener_start_Listen(&flows[0], 1, UF_FOREVER);
    settle();
    assert_int_equal(uf_signal_fire(&flows[0].alarm), 1);
    uf_pump_round(&pump, 0); /* leaves Listen, and enters Flee in the same slot */
    assert_int_equal(flows[0].fled, 1);
    assert_int_equal(flows[0].enters, 2);
    assert_int_equal(flows[0].exits, 2);
    assert_int_equal(uf_flow_outcome(&flows[0].uf), UF_DONE);
    assert_int_equal(uf_signal_fire(&bell), 0);
}

TEST(the_tasks_own_before_the_flows)
{
    Listener_start_Listen(&flows[0], 1, UF_FOREVER);
    settle();
    uf_signal_fire(&flows[0].alarm);
    uf_signal_fire(&flows[0].stop);
    settle();
    assert_int_equal(flows[0].stopped, 1);
    assert_int_equal(flows[0].fled, 0);
}

static void destroy_stop(Listener *flow)
{
    uf_signal_destroy(&flow->stop);
}

static void nobody_waits_for_stop(void *context, const uf_flow *flow, const uf_flow_end *end)
{
    (void)context, (void)flow, (void)end;
    assert_null(flows[1].stop.waiters);
    calls++;
}

/* The signal fires and is destroyed before the turn that it preempts. No flow waits for it any more. */
TEST(a_preemption_by_what_was_destroyed)
{
    uf_observer observer = {.flow_ended = nobody_waits_for_stop};
    calls = 0;
    flows[0].body = destroy_stop;
    Listener_start_Listen(&flows[0], 1, UF_FOREVER);
    settle(); /* destroyed in the body */
    assert_true(uf_flow_running(&flows[0].uf));
    assert_null(flows[0].stop.waiters);
    Listener_start_Listen(&flows[1], 1, UF_FOREVER);
    settle();
    uf_pump_add_observer(&pump, &observer);
    uf_signal_fire(&flows[1].stop);
    uf_signal_destroy(&flows[1].stop);
    settle();
    assert_int_equal(flows[1].stopped, 1);
    assert_int_equal(calls, 1);
    uf_pump_remove_observer(&pump, &observer);
}

TEST(a_cancel_before_a_preemption)
{
    Listener_start_Listen(&flows[0], 1, UF_FOREVER);
    settle();
    uf_signal_fire(&flows[0].alarm);
    uf_flow_cancel(&flows[0].uf);
    settle();
    assert_int_equal(flows[0].fled, 0);
    assert_int_equal(uf_flow_outcome(&flows[0].uf), UF_CANCELLED);
}

TEST(a_preemption_before_the_arms)
{
    Listener_start_Listen(&flows[0], 1, UF_FOREVER);
    settle();
    uf_signal_fire(&bell);
    uf_signal_fire(&flows[0].stop);
    settle();
    assert_int_equal(flows[0].heard, 0);
    assert_int_equal(flows[0].stopped, 1);
}

TEST(the_flows_applies_before_the_first_turn)
{
    Listener_start_Listen(&flows[0], 1, UF_FOREVER);
    uf_signal_fire(&flows[0].alarm);
    settle();
    assert_int_equal(flows[0].bodies, 0);
    assert_int_equal(flows[0].enters, 1); /* of Flee; Listen has neither */
    assert_int_equal(flows[0].exits, 1);
    assert_int_equal(flows[0].fled, 1);
}

TEST(before_the_first_turn_a_tasks_own_keeps_its_entry_step_from_running)
{
    Listener_start_Listen(&flows[0], 1, UF_FOREVER);
    uf_signal_fire(&flows[0].stop);
    settle();
    assert_int_equal(flows[0].enters, 1);
    assert_int_equal(flows[0].bodies, 0);
    assert_int_equal(flows[0].stopped, 1);
}

TEST(a_tasks_own_dies_with_it)
{
    Listener_start_Listen(&flows[0], 1, UF_FOREVER);
    settle();
    uf_signal_fire(&flows[0].stop);
    uf_signal_fire(&flows[0].alarm); /* not in this turn: the task's handler comes first and ends the run */
    settle();
    assert_int_equal(flows[0].stopped, 1);
    Listener_start_Serve(&flows[0], 1); /* another task and another run: no effect left */
    settle();
    assert_int_equal(uf_signal_fire(&flows[0].stop), 0);
    assert_true(uf_flow_running(&flows[0].uf));
    assert_int_equal(flows[0].fled, 0);
}

TEST(an_idle_flow_is_left_alone)
{
    assert_int_equal(uf_signal_fire(&flows[0].alarm), 0);
    Listener_start_Listen(&flows[0], 1, UF_FOREVER);
    settle();
    assert_int_equal(flows[0].fled, 0);
}

TEST(steps_pass_and_the_preemption_stays_set)
{
    Listener_start_Listen(&flows[0], 100, UF_FOREVER);
    settle();
    for (int i = 0; i < 10; i++) {
        uf_signal_fire(&bell);
        settle();
    }
    assert_int_equal(flows[0].heard, 10);
    uf_signal_fire(&flows[0].stop);
    settle();
    assert_int_equal(flows[0].stopped, 1);
}

static void fire_own_alarm(Listener *flow)
{
    if (flow->bodies == 1) uf_signal_fire(&flow->alarm);
}

TEST(a_step_may_preempt_its_own_flow)
{
    flows[0].body = fire_own_alarm;
    Listener_start_Listen(&flows[0], 1, UF_FOREVER);
    settle();
    assert_int_equal(flows[0].fled, 1);
}

TEST(a_destroyed_signal_preempts_nobody)
{
    Listener_start_Listen(&flows[0], 1, UF_FOREVER);
    settle();
    uf_signal_destroy(&flows[0].stop);
    settle();
    assert_true(uf_flow_running(&flows[0].uf));
    uf_signal_fire(&bell);
    settle();
    assert_int_equal(uf_flow_outcome(&flows[0].uf), UF_DONE);
    uf_signal_init(&flows[0].stop, "stop");
}

/* -- observers ----------------------------------------------------------------------------------------------------- */

static char seen[200];

static void see_fired(void *context, const char *name, uint32_t released)
{
    char line[40];
    (void)context;
    snprintf(line, sizeof line, "%s %u;", name, (unsigned)released);
    strcat(seen, line);
}

static void see_started(void *context, const uf_flow *flow)
{
    (void)context, (void)flow;
    strcat(seen, "start;");
}

static void see_changed(void *context, const uf_flow *flow, const uf_step_change *change)
{
    (void)context, (void)flow;
    strcat(seen, change->to[0] ? change->to : "end");
    strcat(seen, ";");
}

static void destroy_when_others_go_on(void *context, const uf_flow *flow, const uf_step_change *change)
{
    (void)context, (void)change;
    if (flow != &flows[1].uf || (bell.firing >> 31)) return;
    uf_signal_fire(&bell);
    uf_signal_destroy(&bell);
}

static void remove_oneself(void *context, const char *name, uint32_t released)
{
    (void)name, (void)released;
    calls++;
    uf_pump_remove_observer(&pump, context);
}

static void note_change(void *context, const uf_flow *flow, const uf_step_change *change)
{
    (void)flow, (void)change;
    ++*(int *)context;
}

/* An observer makes the pump process a second fire before all observers have been notified of the first one. */
TEST(an_observer_may_destroy_a_signal)
{
    int changes = 0;
    static uf_observer destroyer = {.step_changed = destroy_when_others_go_on};
    static uf_observer leaver = {.signal_fired = remove_oneself, .step_changed = NULL};
    uf_observer counter = {.step_changed = note_change, .context = &changes};
    calls = 0;
    Listener_start_Listen(&flows[0], 1, UF_FOREVER);
    settle();
    leaver.context = &leaver;
    uf_pump_add_observer(&pump, &destroyer);
    uf_pump_add_observer(&pump, &leaver); /* the next one, when it removes itself */
    uf_pump_add_observer(&pump, &counter);
    Listener_start_Pass(&flows[1], 1, UF_FOREVER);
    settle();
    assert_int_equal(flows[0].heard, 1);
    assert_int_equal(flows[1].passed, 1);
    assert_int_equal(calls, 1);
    assert_true(changes > 1);
    assert_int_equal(uf_pump_remove_observer(&pump, &leaver), UF_INVALID);
    assert_int_equal(uf_pump_remove_observer(&pump, &destroyer), UF_OK);
    assert_int_equal(uf_pump_remove_observer(&pump, &counter), UF_OK);
}

TEST(observers_are_told)
{
    uf_observer observer = {.signal_fired = see_fired, .flow_started = see_started, .step_changed = see_changed};
    uf_pump_add_observer(&pump, &observer);
    seen[0] = '\0';
    Listener_start_Listen(&flows[0], 1, UF_FOREVER);
    Listener_start_Listen(&flows[1], 1, UF_FOREVER);
    settle();
    uf_signal_fire(&bell);
    settle();
    assert_string_equal(seen, "start;start;bell 2;Heard;end;Heard;end;");
    seen[0] = '\0';
    Listener_start_Listen(&flows[0], 1, UF_FOREVER);
    uf_signal_fire(&flows[0].alarm);
    settle();
    assert_string_equal(seen, "alarm 1;start;Run;end;");
    uf_pump_remove_observer(&pump, &observer);
}

TEST(the_console_shows_fires_and_who_stops)
{
    static uf_console console;
    char text[1000] = {0};
    FILE *const out = tmpfile();
    assert_non_null(out);
    assert_int_equal(uf_console_attach(&console, &pump, out), UF_OK);
    Listener_start_Listen(&flows[0], 1, UF_FOREVER);
    assert_int_equal(uf_checkpoint_try_arm(&point), UF_OK);
    Listener_start_Pass(&flows[1], 1, UF_FOREVER);
    settle();
    uf_signal_fire(&bell);
    uf_checkpoint_resume(&point);
    settle();
    assert_int_equal(uf_console_detach(&console, &pump), UF_OK);
    rewind(out);
    assert_true(fread(text, 1, sizeof text - 1, out) > 0);
    assert_non_null(strstr(text, "\n[listener]       CHECKPOINT    point parked\n"));
    assert_non_null(strstr(text, "\n                 SIGNAL FIRED  bell released=1\n"));
    assert_non_null(strstr(text, "\n                 SIGNAL FIRED  point released=1\n"));
    fclose(out);
}
