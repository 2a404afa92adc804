/* SPDX-License-Identifier: MIT */
/* test_launch.c - starting, waiting and cancelling from any thread. */
#include "host_test.h"

static int started, ended, refused, accepted;

static void note_started(void *context, const uf_flow *flow)
{
    (void)context;
    (void)flow;
    COUNT(started);
}

static void note_ended(void *context, const uf_flow *flow, const uf_flow_end *end)
{
    (void)context;
    (void)end;
    assert_true(uf_flow_running(flow)); /* becoming idle is its last change */
    COUNT(ended);
}

static uf_observer counter = {.flow_started = note_started, .flow_ended = note_ended};

static void watch(void)
{
    started = ended = refused = accepted = 0;
    assert_int_equal(uf_runtime_add_observer(runtime, &counter), UF_OK);
}

static void *start_125(void *argument)
{
    (void)argument;
    for (int i = 0; i < 125; i++) {
        uf_status const status = Worker_start_Count(&workers[0], 3);
        if (status == UF_OK) COUNT(accepted);
        else if (status == UF_BUSY) COUNT(refused);
    }
    return NULL;
}

TEST(C1_thousand_starts_from_8_threads)
{
    threads crowd;
    watch();
    crowd_start(&crowd, 8, start_125);
    crowd_join(&crowd);
    assert_int_equal(uf_runtime_wait(runtime, LONG), UF_OK);
    assert_int_equal(accepted + refused, 1000);
    assert_true(accepted >= 1);
    assert_int_equal(started, accepted);
    assert_int_equal(ended, accepted);
    assert_int_equal(workers[0].enters, accepted);
    assert_int_equal(workers[0].bodies, 3 * accepted);
}

static uint64_t rounds_seen[2];
static uf_status own_start;

static void start_peer(Worker *flow)
{
    own_start = Worker_start_Count(flow, 1);
    rounds_seen[0] = uf_pump_rounds(flow->uf.pump);
    (void)Worker_start_Count(&workers[1], 1);
}

static void note_round(Worker *flow)
{
    rounds_seen[1] = uf_pump_rounds(flow->uf.pump);
}

TEST(C2_a_peer_from_a_step_and_not_oneself)
{
    workers[0].body = start_peer;
    workers[1].body = note_round;
    assert_int_equal(Worker_start_Count(&workers[0], 1), UF_OK);
    assert_int_equal(uf_runtime_wait(runtime, LONG), UF_OK);
    assert_int_equal(own_start, UF_BUSY);
    assert_int_equal(rounds_seen[1], rounds_seen[0] + 1);
}

static uf_status waits[3];

static void wait_in_a_step(Worker *flow)
{
    waits[0] = uf_flow_wait(&flow->uf, UF_FOREVER, NULL);
    waits[1] = uf_flow_wait(&workers[1].uf, UF_FOREVER, NULL);
    waits[2] = uf_runtime_wait(runtime, UF_FOREVER);
}

TEST(C3_waiting_for_a_flow)
{
    uf_call_info info;
    assert_int_equal(uf_flow_wait(&workers[0].uf, 0, NULL), UF_OK); /* idle: at once */
    assert_int_equal(Worker_start_Rest(&workers[0], UF_FOREVER), UF_OK);
    assert_int_equal(uf_flow_wait(&workers[0].uf, 0, NULL), UF_TIMED_OUT);
    assert_int_equal(uf_flow_wait(&workers[0].uf, UF_MS(20), NULL), UF_TIMED_OUT);
    assert_int_equal(Worker_start_Fail(&workers[1], 5), UF_OK);
    assert_int_equal(uf_flow_wait(&workers[1].uf, LONG, &info), UF_OK);
    assert_int_equal(info.outcome, UF_FAILED);
    assert_string_equal(info.reason, "code 5");
    workers[2].body = wait_in_a_step;
    assert_int_equal(Worker_start_Count(&workers[2], 1), UF_OK);
    assert_int_equal(uf_flow_wait(&workers[2].uf, LONG, NULL), UF_OK);
    for (int i = 0; i < 3; i++) assert_int_equal(waits[i], UF_DEADLOCK);
}

static int links_left;

static void start_next(Worker *flow)
{
    if (links_left == 0) return;
    links_left--;
    (void)Worker_start_Count(flow == &workers[0] ? &workers[1] : &workers[0], 1);
}

TEST(C4_a_chain_is_never_idle_midway)
{
    workers[0].body = workers[1].body = start_next;
    for (int i = 0; i < 50; i++) {
        links_left = 100;
        assert_int_equal(Worker_start_Count(&workers[0], 1), UF_OK);
        assert_int_equal(uf_runtime_wait(runtime, LONG), UF_OK);
        assert_int_equal(links_left, 0);
    }
}

static void post_next(void *argument)
{
    (void)argument;
    if (links_left-- > 0) assert_int_equal(uf_post(runtime, post_next, NULL), UF_OK);
}

TEST(D9_posts_are_waited_for_as_well)
{
    links_left = 1000;
    assert_int_equal(uf_post(runtime, post_next, NULL), UF_OK);
    assert_int_equal(uf_runtime_wait(runtime, LONG), UF_OK);
    assert_int_equal(links_left, -1);
}

static void *wait_for_worker(void *argument)
{
    uf_call_info info;
    (void)argument;
    if (uf_flow_wait(&workers[0].uf, LONG, &info) == UF_OK && info.outcome == UF_CANCELLED) COUNT(accepted);
    return NULL;
}

TEST(C5_cancel_ends_it_and_releases_its_waiters)
{
    threads crowd;
    watch();
    assert_int_equal(uf_flow_cancel(&workers[0].uf), UF_OK); /* idle: no effect */
    assert_int_equal(Worker_start_Rest(&workers[0], UF_FOREVER), UF_OK);
    crowd_start(&crowd, 4, wait_for_worker);
    UNTIL(READ(workers[0].bodies) == 1);
    sleep_ms(20);
    assert_int_equal(uf_flow_cancel(&workers[0].uf), UF_OK);
    crowd_join(&crowd);
    assert_int_equal(accepted, 4);
    assert_int_equal(uf_flow_outcome(&workers[0].uf), UF_CANCELLED);
    assert_string_equal(uf_flow_reason(&workers[0].uf), "cancelled");
    assert_int_equal(workers[0].last_exit, UF_CANCELLED);
    assert_int_equal(started, 1);
    assert_int_equal(ended, 1);
}

static int gate;

static void wait_for_gate(Worker *flow)
{
    (void)flow;
    SET(accepted, 1);
    while (READ(gate) == 0) sleep_ms(1);
}

/* A step that runs when its run is cancelled does not affect the next run. */
TEST(D4_cancel_while_a_step_runs)
{
    watch();
    gate = 0;
    workers[0].body = wait_for_gate;
    assert_int_equal(Worker_start_Count(&workers[0], 2), UF_OK);
    UNTIL(READ(accepted) == 1);
    assert_int_equal(uf_flow_cancel(&workers[0].uf), UF_OK);
    assert_int_equal(Worker_start_Rest(&workers[0], 0), UF_BUSY); /* not idle before its run has ended */
    SET(gate, 1);
    uf_call_info info;
    assert_int_equal(uf_flow_wait(&workers[0].uf, LONG, &info), UF_OK);
    assert_int_equal(info.outcome, UF_CANCELLED);
    assert_int_equal(workers[0].bodies, 1);
    workers[0].body = NULL;
    assert_int_equal(Worker_start_Rest(&workers[0], 0), UF_OK);
    assert_int_equal(uf_flow_wait(&workers[0].uf, LONG, &info), UF_OK);
    assert_int_equal(info.outcome, UF_DONE);
    assert_int_equal(workers[0].enters, 2); /* on enter is not skipped */
    assert_int_equal(started, 2);
    assert_int_equal(ended, 2);
}

static void hold(void *argument)
{
    (void)argument;
    SET(accepted, 1);
    while (READ(gate) == 0) sleep_ms(1);
}

/* Observers also see a run that is cancelled before its first turn. */
TEST(D4_cancel_before_the_first_turn)
{
    watch();
    gate = 0;
    assert_int_equal(uf_post(runtime, hold, NULL), UF_OK);
    UNTIL(READ(accepted) == 1);
    assert_int_equal(Worker_start_Count(&workers[0], 1), UF_OK);
    assert_int_equal(uf_flow_cancel(&workers[0].uf), UF_OK);
    SET(gate, 1);
    assert_int_equal(uf_runtime_wait(runtime, LONG), UF_OK);
    assert_int_equal(uf_flow_outcome(&workers[0].uf), UF_CANCELLED);
    assert_int_equal(workers[0].enters, 0);
    assert_int_equal(started, 1);
    assert_int_equal(ended, 1);
}

TEST(C6_cancel_all)
{
    for (int i = 0; i < 3; i++) assert_int_equal(Worker_start_Rest(&workers[i], UF_FOREVER), UF_OK);
    assert_int_equal(uf_runtime_cancel_all(runtime), UF_OK);
    assert_int_equal(uf_runtime_wait(runtime, LONG), UF_OK);
    for (int i = 0; i < 3; i++) assert_int_equal(uf_flow_outcome(&workers[i].uf), UF_CANCELLED);
}

TEST(C7_a_flag_a_wake_and_a_wait)
{
    uf_runtime_config const slow = {.stay_interval = UF_S(1000)};
    uf_runtime *const usual = runtime;
    static Worker poller;
    assert_int_equal(uf_runtime_new(&runtime, &slow), UF_OK);
    assert_int_equal(Worker_init(&poller, uf_runtime_pump(runtime), "poller"), UF_OK);
    assert_int_equal(Worker_start_Poll(&poller), UF_OK);
    UNTIL(READ(poller.bodies) > 0);
    __atomic_store_n(&poller.release, true, __ATOMIC_SEQ_CST);
    uf_runtime_wake(runtime);
    int64_t const began = real_now();
    while (uf_flow_running(&poller.uf)) assert_true(real_now() - began < LONG); /* the sleep takes a thousand seconds */
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
    runtime = usual;
}

static void restart(void *context, const uf_flow *flow, const uf_flow_end *end)
{
    (void)context;
    (void)flow;
    (void)end;
    COUNT(ended);
}

static void *restart_often(void *argument)
{
    (void)argument;
    while (READ(gate) == 0) (void)Worker_start_Count(&workers[0], 1);
    return NULL;
}

/* A thread that waits for a run returns after that run and its observers, however often the flow is started again. */
TEST(D8_a_waiter_does_not_wait_through_relaunches)
{
    uf_observer observer = {.flow_ended = restart};
    threads crowd;
    gate = ended = 0;
    assert_int_equal(uf_runtime_add_observer(runtime, &observer), UF_OK);
    crowd_start(&crowd, 2, restart_often);
    for (int i = 0; i < 200; i++) {
        uf_status const status = uf_flow_wait(&workers[0].uf, LONG, NULL);
        assert_true(status == UF_OK || status == UF_STALE);
    }
    SET(gate, 1);
    crowd_join(&crowd);
    assert_int_equal(uf_runtime_wait(runtime, LONG), UF_OK);
    assert_int_equal(ended, workers[0].exits);
    assert_int_equal(uf_runtime_remove_observer(runtime, &observer), UF_OK);
}

TEST(D8_a_waiter_never_reports_another_run)
{
    for (int i = 1; i < 300; i++) {
        uf_run run;
        uf_call_info info;
        assert_int_equal(Worker_start_run_Count(&workers[0], &run, 1), UF_OK);
        uf_status status = uf_run_wait(run, LONG, &info);
        assert_int_equal(status, UF_OK);
        assert_int_equal(info.outcome, UF_DONE);
        assert_int_equal(Worker_start_Fail(&workers[0], i), UF_OK);
        status = uf_run_wait(run, LONG, &info); /* its outcome is available until the next run has begun on the pump */
        assert_true(status == UF_STALE || (status == UF_OK && info.outcome == UF_DONE));
        assert_int_equal(uf_run_cancel(run), UF_STALE);
        assert_int_equal(uf_flow_wait(&workers[0].uf, LONG, &info), UF_OK);
        assert_int_equal(info.outcome, UF_FAILED);
    }
}

/* Reading a flow does not wait for its step, on any thread. */
TEST(D15_introspection_is_not_blocked_by_a_step)
{
    gate = accepted = 0;
    workers[0].body = wait_for_gate;
    assert_int_equal(Worker_start_Count(&workers[0], 1), UF_OK);
    UNTIL(READ(accepted) == 1);
    for (int i = 0; i < 1000; i++) { /* would hang for ever if it waited */
        uf_flow_view view;
        uf_flow_view_of(&workers[0].uf, &view);
        assert_true(view.running && uf_flow_running(&workers[0].uf));
        assert_string_equal(view.step, "Go");
        assert_string_equal(uf_flow_task(&workers[0].uf), "Count");
        assert_int_equal(uf_flow_ordinal(&workers[0].uf), 0);
        assert_true(uf_flow_step_elapsed(&workers[0].uf) >= 0);
    }
    SET(gate, 1);
    assert_int_equal(uf_flow_wait(&workers[0].uf, LONG, NULL), UF_OK);
    uf_flow_view view;
    uf_flow_view_of(&workers[0].uf, &view);
    assert_false(view.running);
    assert_int_equal(view.ordinal, -1);
    assert_string_equal(view.step, "");
}

/* A snapshot never combines a step with the number or description of another moment. */
static void describe(Worker *flow)
{
    uf_describe(&flow->uf, "at %d of %d", flow->uf_task.at, flow->uf_task.steps);
}

static void *look_often(void *argument)
{
    (void)argument;
    while (READ(gate) == 0) {
        uf_flow_view view;
        char expected[UF_DESCRIPTION_SIZE];
        uf_flow_view_of(&workers[0].uf, &view);
        if (!view.running || view.ordinal < 0) continue;
        snprintf(expected, sizeof expected, "at %d of %d", (int)view.ordinal, MANY(500));
        if (view.description[0] && strcmp(view.description, expected) != 0) COUNT(refused);
        if (strcmp(view.step, "Go") != 0 || view.line != 1) COUNT(refused);
        COUNT(accepted);
    }
    return NULL;
}

TEST(A10_a_look_is_never_torn)
{
    threads crowd;
    gate = refused = accepted = 0;
    workers[0].body = describe;
    crowd_start(&crowd, 2, look_often);
    for (int i = 0; i < MANY(40) || READ(accepted) < MANY(100); i++) {
        assert_int_equal(Worker_start_Count(&workers[0], MANY(500)), UF_OK);
        assert_int_equal(uf_flow_wait(&workers[0].uf, LONG, NULL), UF_OK);
    }
    SET(gate, 1);
    crowd_join(&crowd);
    assert_int_equal(refused, 0);
}

/* Pending starts are ended at the end, and later ones refused, while flows are attached and detached. */
static void *come_and_go(void *argument)
{
    static Worker owns[4];
    Worker *const own = &owns[(intptr_t)argument];
    for (int i = 0; i < MANY(200); i++) {
        if (Worker_init(own, uf_runtime_pump(runtime), "passing") != UF_OK) COUNT(refused);
        if (Worker_start_Count(own, 2) != UF_OK) COUNT(refused);
        if (i % 2) (void)uf_flow_cancel(&own->uf);
        else if (Worker_destroy(own) == UF_OK && READ(own->bodies) == 0)
            COUNT(refused); /* it has not run, so it is busy */
        if (!own->uf.pump) continue;
        if (uf_flow_wait(&own->uf, LONG, NULL) != UF_OK || Worker_destroy(own) != UF_OK) COUNT(refused);
    }
    return NULL;
}

TEST(D18_flows_come_and_go_while_it_runs)
{
    threads crowd;
    refused = 0;
    assert_int_equal(Worker_start_Poll(&workers[0]), UF_OK);
    crowd_start(&crowd, 4, come_and_go);
    crowd_join(&crowd);
    assert_int_equal(refused, 0);
}

static uf_status late_start, late_post;

static void start_late(void *context, const uf_flow *flow, const uf_flow_end *end)
{
    (void)context;
    (void)flow;
    (void)end;
    late_start = Worker_start_Count(&workers[1], 1);
    late_post = uf_post(runtime, hold, NULL);
}

/* Steps of two pumps read the state of both pumps, without a deadlock. */
static void look_around(Worker *flow)
{
    Worker *const peer = flow->context;
    uf_flow_view view;
    if (!uf_flow_running(&flow->uf)) COUNT(refused);
    for (int i = 0; i < 20; i++) {
        uf_flow_view_of(&peer->uf, &view);
        if (view.running && view.ordinal > 0 && strcmp(view.step, "Go") != 0) COUNT(refused);
        if (uf_flow_step_elapsed(&peer->uf) < 0) COUNT(refused);
    }
}

TEST(D15_two_pumps_look_at_each_other)
{
    uf_runtime *other;
    static Worker peer; /* not on the stack: drd confuses variables at the same address */
    refused = 0;
    assert_int_equal(uf_runtime_new(&other, NULL), UF_OK);
    assert_int_equal(Worker_init(&peer, uf_runtime_pump(other), "peer"), UF_OK);
    peer.body = workers[0].body = look_around;
    peer.context = &workers[0];
    workers[0].context = &peer;
    assert_int_equal(Worker_start_Count(&peer, MANY(200)), UF_OK);
    assert_int_equal(Worker_start_Count(&workers[0], MANY(200)), UF_OK);
    assert_int_equal(uf_runtime_wait(runtime, LONG), UF_OK);
    assert_int_equal(uf_runtime_wait(other, LONG), UF_OK);
    assert_int_equal(refused, 0);
    assert_int_equal(uf_runtime_free(other), UF_OK);
}

/* Flows that a step attaches and starts run from the next round on. A detach makes no other flow miss its turn. */
static Worker passing[2];
static uint64_t attached_in, ran_in;

static void note_first_round(Worker *flow)
{
    if (ran_in == 0) ran_in = uf_pump_rounds(flow->uf.pump);
}

static void attach_and_detach(Worker *flow)
{
    uf_pump *const pump = flow->uf.pump;
    if (attached_in) return;
    attached_in = uf_pump_rounds(pump);
    if (Worker_destroy(&passing[0]) != UF_OK) COUNT(refused);
    if (Worker_init(&passing[1], pump, "late") != UF_OK) COUNT(refused);
    passing[1].body = note_first_round;
    if (Worker_start_Count(&passing[1], 1) != UF_OK) COUNT(refused);
}

TEST(D18_attach_and_detach_in_a_step)
{
    attached_in = ran_in = 0;
    refused = 0;
    assert_int_equal(Worker_init(&passing[0], uf_runtime_pump(runtime), "gone"), UF_OK);
    workers[0].body = attach_and_detach;
    assert_int_equal(Worker_start_Count(&workers[0], 5), UF_OK);
    assert_int_equal(Worker_start_Count(&workers[1], 5), UF_OK);
    assert_int_equal(uf_runtime_wait(runtime, LONG), UF_OK);
    assert_int_equal(refused, 0);
    assert_int_equal(ran_in, attached_in + 1);
    assert_int_equal(workers[1].bodies, 5);
    assert_int_equal(Worker_destroy(&passing[1]), UF_OK);
}

CASE(D11_the_end_is_orderly)
{
    uf_observer observer = {.flow_ended = start_late, .flow_started = note_started};
    uf_runtime_config const config = {.observers = &observer};
    started = 0;
    begin_with(&config);
    assert_int_equal(Worker_start_Rest(&workers[0], UF_FOREVER), UF_OK);
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
    assert_int_equal(uf_flow_outcome(&workers[0].uf), UF_CANCELLED);
    assert_int_equal(late_start, UF_STOPPING);
    assert_int_equal(late_post, UF_CLOSED);
    assert_int_equal(Worker_start_Count(&workers[0], 1), UF_INVALID); /* it no longer has a parent */
    assert_int_equal(started, 1);
}
