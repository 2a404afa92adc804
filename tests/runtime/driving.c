/* SPDX-License-Identifier: MIT */
/* driving.c - a pump driven round by round, its waits, and observers that are added, removed and interfere. */
#include "harness.h"

#include "driving.h"

TEST(test_init_refuses_negative_intervals)
{
    uf_pump other;
    assert_int_equal(uf_pump_init(&other, &(uf_pump_config){.stay_interval = -1}), UF_INVALID);
    assert_int_equal(uf_pump_init(&other, &(uf_pump_config){.step_interval = -1}), UF_INVALID);
    assert_int_equal(uf_pump_init(&other, &(uf_pump_config){0}), UF_OK);
    assert_int_equal(uf_pump_destroy(&other), UF_OK);
}

TEST(test_the_waits_are_as_configured)
{
    Walker w, other;
    assert_int_equal(
        uf_pump_init(&pump, &(uf_pump_config){.start = 1000, .stay_interval = UF_MS(3), .step_interval = UF_MS(2)}),
        UF_OK);
    assert_int_equal(uf_pump_now(&pump), 1000);
    Walker_init(&w, &pump, "w");
    Walker_init(&other, &pump, "other");
    assert_int_equal(uf_pump_timeout(&pump), UF_FOREVER);
    Walker_start_Walk(&w, 3);
    assert_int_equal(uf_pump_timeout(&pump), 0); /* a start ends every wait */
    assert_int_equal(uf_pump_round(&pump, 1000), UF_MS(2));
    assert_int_equal(uf_pump_round(&pump, 1000), UF_MS(2));
    Walker_start_Walk(&other, 1);
    assert_int_equal(uf_pump_timeout(&pump), 0); /* also that interval */
    assert_int_equal(uf_pump_round(&pump, 1000), UF_MS(2));
    assert_int_equal(uf_pump_round(&pump, 1000), UF_FOREVER);
    Walker_start_Stay(&w);
    assert_int_equal(uf_pump_round(&pump, 1000), UF_MS(3));
    uf_flow_cancel(&w.uf);
    assert_int_equal(uf_pump_timeout(&pump), 0);
    uf_pump_round(&pump, 1000);
    Walker_start_Sleep(&w, 50);
    assert_int_equal(uf_pump_round(&pump, 1000), UF_MS(50));
    assert_int_equal(uf_pump_next_deadline(&pump), 1000 + UF_MS(50));
    assert_int_equal(uf_pump_set_scale(&pump, 2), UF_OK);
    assert_int_equal(uf_pump_timeout(&pump), UF_MS(25)); /* computed again after a change of the clock */
    uf_pump_freeze(&pump);
    assert_int_equal(uf_pump_timeout(&pump), UF_FOREVER);
}

TEST(test_time_never_runs_backwards)
{
    Walker w;
    Walker_init(&w, &pump, "w");
    Walker_start_Sleep(&w, 50);
    uf_pump_round(&pump, UF_MS(30));
    uf_pump_round(&pump, UF_MS(10)); /* changes nothing */
    assert_int_equal(uf_pump_now(&pump), UF_MS(30));
    assert_int_equal(uf_pump_round(&pump, UF_MS(79)), UF_MS(1)); /* it slept from 30 on */
}

TEST(test_a_run_counts_from_its_first_turn)
{
    Walker w;
    Walker_init(&w, &pump, "w");
    Walker_start_Stay(&w);
    uf_pump_round(&pump, UF_MS(30));
    assert_int_equal(uf_flow_step_elapsed(&w.uf), 0);
    uf_pump_round(&pump, UF_MS(40));
    assert_int_equal(uf_flow_step_elapsed(&w.uf), UF_MS(10));
}

TEST(test_a_simulation_inside_of_a_round_is_refused)
{
    Nester n;
    Nester_init(&n, &pump, "n");
    Nester_start_Nest(&n);
    run_until_idle();
    assert_log("invalid invalid");
    assert_int_equal(now_ms(), 0);
}

/* -- observers ----------------------------------------------------------------------------------------------------- */

typedef struct meddler {
    uf_observer observer;
    const char *name;
    uf_observer *remove; /* at the next event */
    uf_observer *add;
    Walker *start;
} meddler;

static void meddle(void *context, const uf_flow *flow, const uf_step_change *change)
{
    meddler *const m = context;
    (void)flow;
    log_note("%s%u", m->name, (unsigned)change->ordinal);
    if (m->remove) assert_int_equal(uf_pump_remove_observer(&pump, m->remove), UF_OK);
    if (m->add) assert_int_equal(uf_pump_add_observer(&pump, m->add), UF_OK);
    if (m->start) assert_int_equal(Walker_start_Walk(m->start, 1), UF_OK);
    m->remove = m->add = NULL;
    m->start = NULL;
}

static meddler make(const char *name)
{
    return (meddler){.observer = {.step_changed = meddle}, .name = name};
}

TEST(test_observers_are_told_in_order_and_may_come_and_go)
{
    meddler a = make("a"), b = make("b"), c = make("c");
    Walker w;
    a.observer.context = &a, b.observer.context = &b, c.observer.context = &c;
    Walker_init(&w, &pump, "w");
    assert_int_equal(uf_pump_add_observer(&pump, NULL), UF_INVALID);
    assert_int_equal(uf_pump_add_observer(&pump, &a.observer), UF_OK);
    assert_int_equal(uf_pump_add_observer(&pump, &b.observer), UF_OK);
    assert_int_equal(uf_pump_add_observer(&pump, &a.observer), UF_BUSY);
    assert_int_equal(uf_pump_remove_observer(&pump, &c.observer), UF_INVALID);
    Walker_start_Walk(&w, 6);
    rounds(1);
    b.add = &c.observer; /* notified from the next event on */
    rounds(1);
    a.remove = &b.observer; /* the next one: no longer notified */
    rounds(1);
    a.remove = &a.observer; /* itself */
    rounds(1);
    rounds(1);
    assert_int_equal(uf_pump_remove_observer(&pump, &c.observer), UF_OK);
    rounds(1);
    assert_log("a0 b0 a1 b1 a2 c2 a3 c3 c4");
    assert_false(uf_flow_running(&w.uf));
}

TEST(test_an_observer_may_move_itself_to_the_end)
{
    meddler a = make("a"), b = make("b");
    Walker w;
    a.observer.context = &a, b.observer.context = &b;
    Walker_init(&w, &pump, "w");
    uf_pump_add_observer(&pump, &a.observer);
    uf_pump_add_observer(&pump, &b.observer);
    a.remove = a.add = &a.observer;
    Walker_start_Walk(&w, 2);
    run_until_idle();
    assert_log("a0 b0 b1 a1");
}

static void come_back(void *context, const uf_flow *flow, const uf_step_change *change)
{
    uf_observer *const self = context;
    log_note("again%u", (unsigned)change->ordinal);
    (void)flow;
    assert_int_equal(uf_pump_remove_observer(&pump, self), UF_OK);
    assert_int_equal(uf_pump_add_observer(&pump, self), UF_OK);
}

TEST(test_an_observer_that_always_comes_back_is_told_once)
{
    uf_observer self = {.step_changed = come_back};
    meddler a = make("a"), b = make("b"), c = make("c");
    Walker w;
    self.context = &self;
    a.observer.context = &a, b.observer.context = &b, c.observer.context = &c;
    Walker_init(&w, &pump, "w");
    uf_pump_add_observer(&pump, &self);
    uf_pump_add_observer(&pump, &a.observer);
    uf_pump_add_observer(&pump, &b.observer);
    a.remove = &b.observer; /* the last to be notified, when `self` has been added again after it */
    a.add = &c.observer;
    Walker_start_Walk(&w, 2);
    run_until_idle();
    assert_log("again0 a0 a1 again1 c1");
}

TEST(test_an_observer_may_start_flows)
{
    meddler a = make("a");
    Walker w, other;
    a.observer.context = &a;
    Walker_init(&w, &pump, "w");
    Walker_init(&other, &pump, "other");
    uf_pump_add_observer(&pump, &a.observer);
    Walker_start_Walk(&w, 1);
    a.start = &other;
    run_until_idle();
    assert_log("a0 a0");
    assert_int_equal(uf_flow_outcome(&other.uf), UF_DONE);
}

/* -- effects of a body that paces itself --------------------------------------------------------------------------- */

void (*driving_between)(uf_pump *pump);

static void look_on(uf_pump *of)
{
    static uf_observer observer;
    observer = (uf_observer){.step_changed = note_changed};
    assert_int_equal(uf_pump_add_observer(of, &observer), UF_OK);
}

static void stop(uf_pump *of)
{
    static uf_stop stopping;
    assert_int_equal(uf_pump_stop(of, &stopping, UF_S(1)), UF_OK);
}

static void run_paced(void (*between)(uf_pump *pump))
{
    Paced p;
    driving_between = between;
    Paced_init(&p, &pump, "p");
    Paced_start_Walk(&p, 3);
    for (uf_time real = 0; uf_flow_running(&p.uf); real += UF_MS(5)) uf_pump_round(&pump, real);
}

TEST(test_who_begins_to_look_on_does_not_shorten_a_pause)
{
    run_paced(look_on);
    assert_log("5 15 25 p:Go>");
}

/* The pacer's turn comes first, so its effects are visible to the later flows of this round. */
TEST(test_who_begins_to_look_on_in_a_pacer_sees_the_next_flow)
{
    Paced p;
    Walker w;
    driving_between = look_on;
    Paced_init(&p, &pump, "p");
    Walker_init(&w, &pump, "w");
    Paced_start_Walk(&p, 3);
    Walker_start_Walk(&w, 3);
    rounds(2);
    assert_log("0 w:Go>Go");
    rounds(1);
    assert_log("0 w:Go>Go w:Go>");
    assert_int_equal(uf_flow_cancel(&p.uf), UF_OK);
    rounds(1);
}

/* The flow continues in the expected round, after the others. */
TEST(test_who_begins_to_look_on_changes_no_order)
{
    Paced p;
    Walker child, w;
    driving_between = look_on;
    Paced_init(&p, &pump, "p");
    Walker_init(&w, &pump, "w");
    Walker_init(&child, &pump, "child");
    Paced_start_Ask(&p, &child);
    Walker_start_Walk(&w, 4);
    run_until_idle();
    assert_log("w:Go>Go child:Go> w:Go>Go p:Go>Over p over p:Over> w:Go>");
}

TEST(test_a_stop_that_a_body_begins_does_not_shorten_its_pause)
{
    run_paced(stop);
    assert_log("5 15 25");
}

static uf_time ticking(void *context)
{
    uf_time *const time = context;
    return *time += UF_MS(1);
}

static void note_body(void *context, const uf_flow *flow, const char *step, uf_time took)
{
    (void)context;
    (void)flow;
    log_note("%s %dms", step, (int)(took / UF_MS(1)));
}

TEST(test_bodies_are_timed_if_there_is_a_clock_and_somebody_who_asks)
{
    uf_time time = 0;
    uf_observer observer = {.body_ran = note_body};
    Walker w;
    assert_int_equal(uf_pump_init(&pump, &(uf_pump_config){.monotonic = ticking, .context = &time}), UF_OK);
    Walker_init(&w, &pump, "w");
    Walker_start_Walk(&w, 1);
    run_until_idle();
    assert_int_equal(time, 0); /* without a request */
    uf_pump_add_observer(&pump, &observer);
    Walker_start_Sleep(&w, 5);
    run_until_idle();
    assert_log("Wait 1ms Over 1ms"); /* the wake-up in between runs no body */
}

TEST(test_an_interval_does_not_outlast_a_deadline)
{
    Walker w, sleeper;
    assert_int_equal(uf_pump_init(&pump, &(uf_pump_config){.step_interval = UF_S(1)}), UF_OK);
    Walker_init(&w, &pump, "w");
    Walker_init(&sleeper, &pump, "sleeper");
    Walker_start_Walk(&w, 3);
    Walker_start_Sleep(&sleeper, 10);
    assert_int_equal(uf_pump_round(&pump, 0), UF_MS(10));
}

static int hooked;

static void count_hook(void *context)
{
    (void)context;
    hooked++;
}

TEST(test_the_hook_is_called_in_every_simulated_round)
{
    Walker w;
    hooked = 0;
    assert_int_equal(uf_pump_init(&pump, &(uf_pump_config){.pre_round = count_hook}), UF_OK);
    Walker_init(&w, &pump, "w");
    Walker_start_Walk(&w, 5);
    run_until_idle();
    assert_int_equal(hooked, uf_pump_rounds(&pump));
    assert_true(hooked >= 5);
}

static void note_hook(void *context)
{
    (void)context;
    log_note("hook:%d", (int)now_ms());
}

static void note_fire(void *context, const char *name, uint32_t released)
{
    (void)context;
    log_note("%s:%d", name, (int)released);
}

TEST(F9_the_hook_comes_first_also_in_rounds_without_flows)
{
    static uf_signal bell = UF_SIGNAL("bell");
    uf_observer observer = {.signal_fired = note_fire, .flow_started = note_started, .flow_ended = note_ended};
    Walker waiter, walker;
    assert_int_equal(uf_pump_init(&pump, &(uf_pump_config){.pre_round = note_hook}), UF_OK);
    assert_int_equal(uf_pump_add_observer(&pump, &observer), UF_OK);
    for (int ms = 1; ms <= 3; ms++) uf_pump_round(&pump, UF_MS(ms));
    assert_log("hook:1 hook:2 hook:3");

    Walker_init(&waiter, &pump, "waiter");
    Walker_init(&walker, &pump, "walker");
    Walker_start_Listen(&waiter, &bell);
    uf_pump_round(&pump, UF_MS(4));
    log_clear();
    uf_signal_fire(&bell); /* new messages and runnable flows come after the hook of the next round */
    Walker_start_Walk(&walker, 1);
    uf_pump_round(&pump, UF_MS(5));
    assert_log("hook:5 bell:1 started:walker ended:walker(done) ended:waiter(done)");
}

TEST(test_a_flow_is_destroyed_with_its_parts_wherever_they_were_attached)
{
    House house;
    assert_int_equal(House_init(&house, &pump, "house"), UF_OK);
    House_start_Open(&house);
    run_until_idle();
    assert_log("0");
    assert_int_equal(House_destroy(&house), UF_OK);
    uf_flow *const left = uf_pump_next_flow(&pump, NULL); /* the guest, and no other flow */
    assert_non_null(left);
    assert_string_equal(uf_flow_name(left), "guest");
    assert_null(uf_pump_next_flow(&pump, left));
}

TEST(test_idle_of_another_pumps_flow_is_a_failure)
{
    uf_pump other;
    Walker elsewhere;
    Watcher watcher;
    assert_int_equal(uf_pump_init(&other, NULL), UF_OK);
    Walker_init(&elsewhere, &other, "elsewhere");
    Watcher_init(&watcher, &pump, "watcher", &elsewhere);
    Watcher_start_Watch(&watcher);
    run_until_idle();
    assert_int_equal(uf_flow_outcome(&watcher.uf), UF_FAILED);
}
