/* SPDX-License-Identifier: MIT */
/* test_broadcast.c - signals, checkpoints and mailboxes between runtimes and threads. */
#include "host_test.h"

#include <sched.h>

#include "listener.h"

enum { RUNTIMES = 3, FLOWS = 9, WAITERS = 8, FIRERS = 8, RELAYS = 4 };

static uf_runtime *loops[RUNTIMES];
static Listener flows[FLOWS]; /* i is on loops[i % 3] */
static uf_signal notifier;
static uf_checkpoint point;

static int begin_loops(void **state)
{
    (void)state;
    uf_signal_init(&notifier, "notifier");
    uf_checkpoint_init(&point, "point");
    for (int i = 0; i < RUNTIMES; i++) assert_int_equal(uf_runtime_new(&loops[i], NULL), UF_OK);
    for (int i = 0; i < FLOWS; i++) {
        uf_pump *const pump = uf_runtime_pump(loops[i % RUNTIMES]);
        assert_int_equal(Listener_init(&flows[i], pump, "listener", &notifier, &point), UF_OK);
        flows[i].context = loops[i % RUNTIMES];
    }
    return 0;
}

static int end_loops(void **state)
{
    (void)state;
    for (int i = 0; i < RUNTIMES; i++) assert_int_equal(uf_runtime_free(loops[i]), UF_OK);
    for (int i = 0; i < FLOWS; i++) assert_int_equal(flows[i].enters, flows[i].exits);
    uf_signal_destroy(&notifier);
    uf_checkpoint_destroy(&point);
    return 0;
}

#undef TEST

static uint32_t waiting(void)
{
    return (uint32_t)__atomic_load_n(&notifier.word, __ATOMIC_SEQ_CST);
}

static void all_idle(void)
{
    for (int i = 0; i < RUNTIMES; i++) assert_int_equal(uf_runtime_wait(loops[i], LONG), UF_OK);
}

static void listen(int count, int times)
{
    for (int i = 0; i < count; i++) assert_int_equal(Listener_start_Listen(&flows[i], times, UF_FOREVER), UF_OK);
}

/* -- signals ------------------------------------------------------------------------------------------------------- */

static int heard_by_threads;

static void *wait_once(void *argument)
{
    (void)argument;
    assert_int_equal(uf_signal_wait(&notifier, LONG), UF_OK);
    COUNT(heard_by_threads);
    return NULL;
}

static void check_thread(Listener *flow)
{
    assert_true(uf_runtime_is_own_thread(flow->context));
}

#define TEST(name) CASE_WITH(name, begin_loops, end_loops)

TEST(H1_H2_three_runtimes_and_two_threads_hear_one_fire)
{
    threads crowd;
    SET(heard_by_threads, 0);
    for (int i = 0; i < 3; i++) flows[i].body = check_thread; /* each continues on its own pump */
    listen(3, 1);
    crowd_start(&crowd, 2, wait_once);
    UNTIL(waiting() == 5);
    assert_int_equal(uf_signal_fire(&notifier), 5);
    crowd_join(&crowd);
    all_idle();
    assert_int_equal(READ(heard_by_threads), 2);
    for (int i = 0; i < 3; i++) assert_int_equal(flows[i].heard, 1);
}

TEST(H4_threads_do_not_remember_a_fire_either)
{
    assert_int_equal(uf_signal_fire(&notifier), 0);
    assert_int_equal(uf_signal_wait(&notifier, UF_MS(5)), UF_TIMED_OUT);
    assert_int_equal(waiting(), 0);
}

/* A fire by another thread wakes a loop that is idle. */
TEST(D1_an_idle_loop_wakes_when_another_thread_fires)
{
    listen(FLOWS, 1);
    UNTIL(waiting() == FLOWS);
    sleep_ms(20); /* they sleep */
    int64_t const began = real_now();
    assert_int_equal(uf_signal_fire(&notifier), FLOWS);
    all_idle();
    assert_true(real_now() - began < LONG / 2);
    for (int i = 0; i < FLOWS; i++) assert_int_equal(flows[i].heard, 1);
}

static void *wait_briefly(void *argument)
{
    (void)argument;
    assert_int_equal(uf_signal_wait(&notifier, UF_MS(5)), UF_TIMED_OUT);
    return NULL;
}

TEST(D2_a_wait_whose_time_is_over_takes_only_itself)
{
    threads brief, patient;
    SET(heard_by_threads, 0);
    crowd_start(&brief, 2, wait_briefly);
    crowd_start(&patient, 2, wait_once);
    listen(2, 1);
    crowd_join(&brief);
    assert_int_equal(uf_flow_cancel(&flows[0].uf), UF_OK);
    assert_int_equal(uf_flow_wait(&flows[0].uf, LONG, NULL), UF_OK);
    UNTIL(waiting() == 3);
    assert_int_equal(READ(heard_by_threads), 0);
    assert_int_equal(uf_signal_fire(&notifier), 3);
    crowd_join(&patient);
    all_idle();
    assert_int_equal(flows[0].heard, 0);
    assert_int_equal(flows[1].heard, 1);
}

TEST(D3_between_check_and_wait_nothing_is_lost)
{
    uint32_t const since = uf_signal_epoch(&notifier);
    assert_int_equal(uf_signal_fire(&notifier), 0);
    assert_int_equal(uf_signal_wait_since(&notifier, since, UF_FOREVER), UF_OK);
    assert_int_equal(uf_signal_wait_since(&notifier, since + 1, UF_MS(1)), UF_TIMED_OUT);
}

static void *wait_until_closed(void *argument)
{
    (void)argument;
    assert_int_equal(uf_signal_wait(&notifier, LONG), UF_CLOSED);
    return NULL;
}

TEST(D3_destroying_wakes_all_with_closed)
{
    threads crowd;
    crowd_start(&crowd, 4, wait_until_closed);
    listen(FLOWS, 1);
    UNTIL(waiting() == FLOWS + 4);
    uf_signal_destroy(&notifier);
    uf_signal_init(&notifier, "notifier"); /* the test owns the memory */
    crowd_join(&crowd);
    all_idle();
    for (int i = 0; i < FLOWS; i++) {
        uf_call_info end;
        assert_int_equal(uf_flow_wait(&flows[i].uf, LONG, &end), UF_OK);
        assert_string_equal(end.reason, "closed");
    }
}

static void wait_on_pump(void *argument)
{
    uf_status *const status = argument;
    status[0] = uf_signal_wait(&notifier, UF_FOREVER);
    status[1] = uf_checkpoint_arm(&point, UF_FOREVER);
}

TEST(a_pumps_own_thread_may_not_wait)
{
    uf_status status[2];
    assert_int_equal(uf_post_wait(loops[1], wait_on_pump, status), UF_OK);
    assert_int_equal(status[0], UF_DEADLOCK);
    assert_int_equal(status[1], UF_DEADLOCK);
    assert_int_equal(uf_checkpoint_state(&point), UF_CHECKPOINT_UNARMED);

    uf_runtime *embedded;
    uf_runtime_config const config = {.embedded = true};
    assert_int_equal(uf_runtime_new(&embedded, &config), UF_OK);
    wait_on_pump(status); /* the thread of its loop, between two polls */
    assert_int_equal(status[0], UF_DEADLOCK);
    assert_int_equal(uf_runtime_free(embedded), UF_OK);
}

/* Between two polls of an external loop, its thread may destroy a signal that its flows wait for. */
TEST(a_loops_thread_destroys_between_polls)
{
    uf_runtime *embedded;
    uf_runtime_config const config = {.embedded = true};
    static Listener flow;
    assert_int_equal(uf_runtime_new(&embedded, &config), UF_OK);
    assert_int_equal(Listener_init(&flow, uf_runtime_pump(embedded), "embedded", &notifier, &point), UF_OK);
    listen(2, 1);
    UNTIL(waiting() == 2);
    assert_int_equal(Listener_start_Listen(&flow, 1, UF_FOREVER), UF_OK); /* a foreign waiter */
    assert_int_equal(uf_runtime_poll(embedded), UF_OK);
    assert_int_equal(waiting(), 3);
    uf_signal_destroy(&notifier);
    uf_signal_init(&notifier, "notifier");
    assert_int_equal(uf_runtime_poll(embedded), UF_OK);
    assert_string_equal(uf_flow_reason(&flow.uf), "closed");
    assert_int_equal(uf_runtime_free(embedded), UF_OK);
}

/* -- all at once --------------------------------------------------------------------------------------------------- */

static int turns[WAITERS], go[FIRERS], fired[FIRERS], leave_now;

/* Threads that wait repeatedly. */
static void *wait_again(void *argument)
{
    intptr_t const own = (intptr_t)argument;
    while (uf_signal_wait(&notifier, UF_FOREVER) == UF_OK) COUNT(turns[own]);
    return NULL;
}

/* Threads that fire in turns. Each fire releases all counted waiters. */
static void *fire_in_turn(void *argument)
{
    intptr_t const own = (intptr_t)argument;
    for (int done = 0; !READ(leave_now);) {
        if (READ(go[own]) == done) {
            sched_yield();
            continue;
        }
        done++;
        SET(fired[own], (int)uf_signal_fire(&notifier));
    }
    return NULL;
}

TEST(H3_ten_thousand_cycles_nobody_missed_nobody_twice)
{
    threads waiters, firers;
    int const cycles = MANY(10000);
    memset(turns, 0, sizeof turns);
    memset(go, 0, sizeof go);
    SET(leave_now, 0);
    listen(FLOWS, 0); /* for ever */
    crowd_start(&waiters, WAITERS, wait_again);
    crowd_start(&firers, FIRERS, fire_in_turn);
    for (int cycle = 1; cycle <= cycles; cycle++) {
        int const own = cycle % FIRERS;
        while (waiting() != FLOWS + WAITERS) sched_yield(); /* for ever, if a fire was missed */
        for (int i = 0; i < FLOWS; i++) assert_int_equal(READ(flows[i].heard), cycle - 1);
        for (int i = 0; i < WAITERS; i++) assert_int_equal(READ(turns[i]), cycle - 1);
        SET(fired[own], -1);
        COUNT(go[own]);
        while (READ(fired[own]) < 0) sched_yield();
        assert_int_equal(READ(fired[own]), FLOWS + WAITERS);
    }
    SET(leave_now, 1);
    crowd_join(&firers);
    while (waiting() != FLOWS + WAITERS) sched_yield();
    uf_signal_destroy(&notifier); /* while all of them wait */
    crowd_join(&waiters);
    all_idle();
    uf_signal_init(&notifier, "notifier");
    for (int i = 0; i < FLOWS; i++) assert_int_equal(flows[i].heard, cycles);
}

static int storm_total, storm_over;

static void *fire_all_the_time(void *argument)
{
    int total = 0;
    (void)argument;
    while (!READ(storm_over)) {
        total += (int)uf_signal_fire(&notifier);
        sched_yield();
    }
    __atomic_add_fetch(&storm_total, total, __ATOMIC_SEQ_CST);
    return NULL;
}

static uf_signal echo = UF_SIGNAL("echo");

/* Workers in between: they pass on the signals that they hear. */
static void *relay(void *argument)
{
    (void)argument;
    while (uf_signal_wait(&notifier, UF_FOREVER) == UF_OK) uf_signal_fire(&echo);
    return NULL;
}

TEST(a_storm_of_fires_cancels_and_timeouts)
{
    threads waiters, firers, relays;
    int const times = MANY(2000);
    memset(turns, 0, sizeof turns);
    SET(storm_total, 0);
    SET(storm_over, 0);
    for (int i = 6; i < FLOWS; i++) flows[i].signal = &echo;
    listen(FLOWS, times);
    crowd_start(&waiters, WAITERS, wait_again);
    crowd_start(&relays, RELAYS, relay);
    crowd_start(&firers, FIRERS, fire_all_the_time);
    for (int i = 0; i < MANY(500); i++) {
        Listener *const flow = &flows[i % 3];
        (void)uf_flow_cancel(&flow->uf);
        assert_int_equal(uf_flow_wait(&flow->uf, LONG, NULL), UF_OK);
        assert_int_equal(Listener_start_Listen(flow, times, i % 2 ? UF_US(200) : UF_FOREVER), UF_OK);
    }
    for (int i = 3; i < FLOWS; i++) assert_int_equal(uf_flow_wait(&flows[i].uf, LONG, NULL), UF_OK);
    for (int i = 3; i < FLOWS; i++) assert_int_equal(flows[i].heard, times);
    for (int i = 0; i < 3; i++) (void)uf_flow_cancel(&flows[i].uf);
    SET(storm_over, 1);
    crowd_join(&firers);
    all_idle();
    int64_t const limit = real_now() + LONG;
    while (waiting() != WAITERS + RELAYS) assert_true(real_now() < limit);
    uf_signal_destroy(&notifier);
    crowd_join(&waiters);
    crowd_join(&relays);
    uf_signal_init(&notifier, "notifier");
    uf_signal_destroy(&echo);
    uf_signal_init(&echo, "echo");
}

/* -- checkpoints --------------------------------------------------------------------------------------------------- */

TEST(I1_arm_returns_when_a_flow_has_stopped)
{
    assert_int_equal(Listener_start_Pass(&flows[0], 0, UF_FOREVER), UF_OK); /* in a circle */
    for (int i = 0; i < MANY(200); i++) {
        assert_int_equal(uf_checkpoint_arm(&point, LONG), UF_OK);
        assert_int_equal(uf_checkpoint_parked(&point), 1);
        int const passed = READ(flows[0].passed);
        if (i % 50 == 0) sleep_ms(2);
        assert_int_equal(READ(flows[0].passed), passed);
        assert_int_equal(uf_checkpoint_resume(&point), 1);
        UNTIL(READ(flows[0].passed) > passed + 1);
    }
}

static void *arm_in_vain(void *argument)
{
    *(uf_status *)argument = uf_checkpoint_arm(&point, LONG);
    return NULL;
}

TEST(I2_arming_twice_is_busy)
{
    pthread_t first;
    uf_status status = UF_OK;
    assert_int_equal(pthread_create(&first, NULL, arm_in_vain, &status), 0);
    UNTIL(uf_checkpoint_state(&point) == UF_CHECKPOINT_ARMED);
    assert_int_equal(uf_checkpoint_arm(&point, LONG), UF_BUSY);
    assert_int_equal(uf_checkpoint_resume(&point), 0);
    pthread_join(first, NULL);
    assert_int_equal(status, UF_DISARMED); /* it does not hang */
    assert_string_equal(uf_status_text(status), "disarmed");
}

TEST(I4_I5_several_stop_and_all_are_resumed_once)
{
    assert_int_equal(uf_checkpoint_try_arm(&point), UF_OK);
    for (int i = 0; i < FLOWS; i++) assert_int_equal(Listener_start_Pass(&flows[i], 1, UF_FOREVER), UF_OK);
    UNTIL(uf_checkpoint_parked(&point) == FLOWS);
    assert_int_equal(uf_checkpoint_resume(&point), FLOWS);
    assert_int_equal(uf_checkpoint_resume(&point), 0);
    all_idle();
    for (int i = 0; i < FLOWS; i++) assert_int_equal(flows[i].passed, 1);
}

TEST(I6_a_thousand_cycles)
{
    for (int i = 0; i < 3; i++) assert_int_equal(Listener_start_Pass(&flows[i], 0, UF_FOREVER), UF_OK);
    for (int i = 0; i < MANY(1000); i++) {
        assert_int_equal(uf_checkpoint_arm(&point, LONG), UF_OK);
        assert_true(uf_checkpoint_resume(&point) >= 1);
        assert_int_equal(uf_checkpoint_state(&point), UF_CHECKPOINT_UNARMED);
    }
}

/* The controller arms in one loop, and the worker passes the checkpoint in another. The worker may come first and pass;
 * the controller must then see its next arrival. */
TEST(I7_D1_the_articles_example_in_two_loops)
{
    Listener *const controller = &flows[0], *const worker = &flows[1];
    assert_int_equal(Listener_start_Pass(worker, 1, UF_FOREVER), UF_OK); /* before it is armed */
    assert_int_equal(uf_flow_wait(&worker->uf, LONG, NULL), UF_OK);
    assert_int_equal(worker->passed, 1);
    assert_int_equal(Listener_start_Hold(controller, 1), UF_OK);
    UNTIL(uf_checkpoint_state(&point) == UF_CHECKPOINT_ARMED);
    sleep_ms(20); /* both loops are idle */
    assert_int_equal(Listener_start_Pass(worker, 1, UF_FOREVER), UF_OK);
    assert_int_equal(uf_flow_wait(&controller->uf, LONG, NULL), UF_OK);
    assert_int_equal(uf_flow_wait(&worker->uf, LONG, NULL), UF_OK);
    assert_int_equal(controller->let_go, 1);
    assert_int_equal(worker->passed, 2);
}

TEST(D3_an_arm_whose_time_is_over_leaves_no_trap)
{
    assert_int_equal(uf_checkpoint_arm(&point, UF_MS(2)), UF_TIMED_OUT);
    assert_int_equal(uf_checkpoint_state(&point), UF_CHECKPOINT_UNARMED);
    assert_int_equal(Listener_start_Pass(&flows[0], 1, UF_FOREVER), UF_OK);
    assert_int_equal(uf_flow_wait(&flows[0].uf, LONG, NULL), UF_OK);
    assert_int_equal(flows[0].passed, 1);
}

TEST(D3_resume_at_once_after_arm)
{
    assert_int_equal(Listener_start_Pass(&flows[0], 0, UF_FOREVER), UF_OK);
    for (int i = 0; i < MANY(500); i++) {
        assert_int_equal(uf_checkpoint_arm(&point, LONG), UF_OK);
        assert_int_equal(uf_checkpoint_resume(&point), 1); /* must neither fail nor hang */
    }
}

TEST(D3_a_destroyed_checkpoint_is_closed)
{
    pthread_t controller;
    uf_status status = UF_OK;
    assert_int_equal(pthread_create(&controller, NULL, arm_in_vain, &status), 0);
    UNTIL((uint32_t)__atomic_load_n(&point.arrived.word, __ATOMIC_SEQ_CST) == 1);
    uf_checkpoint_destroy(&point);
    pthread_join(controller, NULL);
    assert_int_equal(status, UF_CLOSED);
    uf_checkpoint_init(&point, "point");
}

/* -- preemption, mailboxes ----------------------------------------------------------------------------------------- */

TEST(a_fire_after_a_start_preempts_that_run)
{
    for (int i = 0; i < MANY(500); i++) {
        assert_int_equal(Listener_start_Listen(&flows[0], 1, UF_FOREVER), UF_OK);
        uf_signal_fire(&flows[0].alarm);
        assert_int_equal(uf_flow_wait(&flows[0].uf, LONG, NULL), UF_OK);
        assert_int_equal(flows[0].fled, i + 1);
    }
}

enum { SENDERS = 4 };
static int last_of[SENDERS], received;

static void check_order(Listener *flow)
{
    int const sender = flow->order >> 24, number = flow->order & 0xffffff;
    assert_int_equal(number, last_of[sender] + 1);
    last_of[sender] = number;
    received++;
}

static void *send_many(void *argument)
{
    int const own = (int)(intptr_t)argument;
    for (int i = 1; i <= MANY(5000); i++) {
        while (Listener_orders_send(&flows[0], own << 24 | i) == UF_FULL) sched_yield();
    }
    return NULL;
}

TEST(a_mailbox_keeps_the_order_of_each_sender)
{
    threads crowd;
    memset(last_of, 0, sizeof last_of);
    received = 0;
    flows[0].body = check_order;
    assert_int_equal(Listener_start_Serve(&flows[0], SENDERS * MANY(5000)), UF_OK);
    crowd_start(&crowd, SENDERS, send_many);
    crowd_join(&crowd);
    all_idle();
    assert_int_equal(received, SENDERS * MANY(5000));
}

/* Runs on the runtime's thread until another thread ends it. */
static void send_while_it_ends(void *argument)
{
    int const item = 1;
    uf_status status;
    while ((status = uf_mailbox_send(&flows[0].orders, &item)) == UF_OK || status == UF_FULL) sched_yield();
    *(uf_status *)argument = status;
}

TEST(a_mailbox_takes_nothing_while_its_runtime_ends)
{
    uf_status status = UF_OK;
    assert_int_equal(uf_post(loops[0], send_while_it_ends, &status), UF_OK);
    assert_int_equal(uf_runtime_free(loops[0]), UF_OK);
    assert_int_equal(status, UF_STOPPING);
    assert_int_equal(Listener_orders_send(&flows[0], 1), UF_CLOSED);
    assert_int_equal(uf_runtime_new(&loops[0], NULL), UF_OK);
}

/* No fire is lost while other threads begin to drive the runtimes. */
TEST(who_is_driven_by_another_hears_as_well)
{
    listen(FLOWS, 0);
    for (int i = 0; i < MANY(100); i++) {
        UNTIL(waiting() == FLOWS);
        if (i % 2 == 0) assert_int_equal(uf_runtime_link(loops[0], loops[1]), UF_OK);
        assert_int_equal(uf_signal_fire(&notifier), FLOWS);
        if (i % 2 == 1) assert_int_equal(uf_runtime_unlink(loops[1]), UF_OK);
    }
    UNTIL(waiting() == FLOWS);
    for (int i = 0; i < FLOWS; i++) assert_int_equal(READ(flows[i].heard), MANY(100));
}
