/* SPDX-License-Identifier: MIT */
/* test_embedded.c - a runtime in external-loop mode, with poll(2); docs/guides/event-loops.md has other loops. */
#include "host_test.h"

#include <poll.h>

static int posts, wrong;

static int setup_embedded(void **state)
{
    uf_runtime_config const config = {.embedded = true};
    (void)state;
    posts = wrong = 0;
    begin_with(&config);
    return 0;
}

/* The loop of docs/guides/event-loops.md. */
static void loop_until(bool (*done)(void))
{
    while (!done()) {
        struct pollfd waiting = {.fd = uf_runtime_fd(runtime), .events = POLLIN};
        (void)poll(&waiting, 1, uf_runtime_poll_timeout(runtime));
        assert_int_equal(uf_runtime_poll(runtime), UF_OK);
    }
}

static bool all_idle(void)
{
    for (int i = 0; i < 4; i++) {
        if (uf_flow_running(&workers[i].uf)) return false;
    }
    return true;
}

#define TEST_EMBEDDED(name) CASE_WITH(name, setup_embedded, teardown)

TEST_EMBEDDED(timers_and_steps)
{
    int64_t const began = real_now();
    assert_int_equal(Worker_start_Rest(&workers[0], UF_MS(30)), UF_OK);
    assert_int_equal(Worker_start_Count(&workers[1], 1000), UF_OK);
    loop_until(all_idle);
    assert_true(real_now() - began >= UF_MS(30));
    assert_int_equal(workers[1].bodies, 1000);
}

static void note_here(void *argument)
{
    (void)argument;
    wrong += !uf_runtime_is_own_thread(runtime);
    posts++;
}

static void *post_50(void *argument)
{
    (void)argument;
    for (int i = 0; i < 50; i++) {
        if ((i % 10 ? uf_post(runtime, note_here, NULL) : uf_post_wait(runtime, note_here, NULL)) != UF_OK)
            COUNT(wrong);
    }
    return NULL;
}

static bool all_posted(void)
{
    return posts == 200;
}

TEST_EMBEDDED(other_threads_wake_the_loop)
{
    threads crowd;
    crowd_start(&crowd, 4, post_50);
    loop_until(all_posted);
    crowd_join(&crowd);
    assert_int_equal(wrong, 0);
}

TEST_EMBEDDED(idle_means_no_timeout)
{
    assert_int_equal(uf_runtime_poll(runtime), UF_OK);
    assert_int_equal(uf_runtime_poll_timeout(runtime), -1);
    assert_true(uf_runtime_next_deadline(runtime) == UF_FOREVER);
    struct pollfd waiting = {.fd = uf_runtime_fd(runtime), .events = POLLIN};
    assert_int_equal(poll(&waiting, 1, 0), 0);
    assert_int_equal(Worker_start_Rest(&workers[0], UF_S(1000)),
                     UF_OK); /* on the loop's own thread, between two polls */
    assert_int_equal(poll(&waiting, 1, 0), 1);
    assert_int_equal(uf_runtime_poll(runtime), UF_OK);
    assert_int_equal(poll(&waiting, 1, 0), 0);
    int const timeout = uf_runtime_poll_timeout(runtime);
    assert_true(timeout > 900000 && timeout <= 1000000);
}

static uf_status nested[3];

static void poll_in_a_step(Worker *flow)
{
    (void)flow;
    nested[0] = uf_runtime_poll(runtime);
    nested[1] = uf_runtime_free(runtime);
}

TEST_EMBEDDED(what_would_wait_for_itself)
{
    workers[0].body = poll_in_a_step;
    assert_int_equal(Worker_start_Count(&workers[0], 1), UF_OK);
    loop_until(all_idle);
    assert_int_equal(nested[0], UF_DEADLOCK);
    assert_int_equal(nested[1], UF_DEADLOCK);
    assert_int_equal(Worker_start_Rest(&workers[0], UF_FOREVER), UF_OK);
    assert_int_equal(uf_flow_wait(&workers[0].uf, UF_FOREVER, NULL), UF_DEADLOCK); /* no thread would poll */
    assert_int_equal(Worker_call_Fail(&workers[1], 1, UF_FOREVER, NULL), UF_DEADLOCK);
    assert_int_equal(uf_post_wait(runtime, note_here, NULL), UF_DEADLOCK);
    assert_int_equal(Worker_destroy(&workers[2]), UF_OK); /* but this can be done at once */
    assert_int_equal(Worker_init(&workers[2], uf_runtime_pump(runtime), "worker"), UF_OK);
}

/* The loop makes progress under any load: a poll runs a limited number of rounds. */
TEST_EMBEDDED(a_poll_ends)
{
    assert_int_equal(Worker_start_Count(&workers[0], 1000), UF_OK);
    int polls = 0;
    for (; uf_flow_running(&workers[0].uf); polls++) assert_int_equal(uf_runtime_poll(runtime), UF_OK);
    assert_true(polls >= 1000 / 64 && polls <= 1000);
}

static void take_a_millisecond(Worker *flow)
{
    (void)flow;
    sleep_ms(1);
}

/* Also if a round takes long. */
TEST_EMBEDDED(a_poll_of_slow_rounds_ends_sooner)
{
    assert_int_equal(uf_runtime_poll(runtime), UF_OK);
    workers[0].body = take_a_millisecond;
    assert_int_equal(Worker_start_Count(&workers[0], 4), UF_OK);
    for (int polls = 1; polls <= 4; polls++) {
        assert_int_equal(uf_runtime_poll(runtime), UF_OK);
        assert_int_equal(workers[0].bodies, polls);
        assert_int_equal(uf_runtime_poll_timeout(runtime), 0);
    }
    assert_false(uf_flow_running(&workers[0].uf));
}

static int stopped, wakes_seen;

static void *stop_and_wake(void *argument)
{
    (void)argument;
    wrong += uf_runtime_stop(runtime, LONG, NULL) != UF_OK;
    SET(stopped, 1);
    uf_runtime_wake(runtime);
    return NULL;
}

/* Waits at most a minute; only the wake-up can end the wait. */
static void wait_to_be_woken(void)
{
    struct pollfd waiting = {.fd = uf_runtime_fd(runtime), .events = POLLIN};
    int const timeout = uf_runtime_poll_timeout(runtime);
    wakes_seen += poll(&waiting, 1, timeout < 0 ? 60000 : timeout) == 1 || timeout >= 0;
}

TEST_EMBEDDED(a_wake_after_the_stop_is_not_lost)
{
    pthread_t other;
    stopped = wakes_seen = 0;
    assert_int_equal(uf_runtime_poll(runtime), UF_OK);
    assert_int_equal(pthread_create(&other, NULL, stop_and_wake, NULL), 0);
    for (int waits = 0; !READ(stopped); waits++) {
        wait_to_be_woken();
        assert_int_equal(wakes_seen, waits + 1);
        assert_int_equal(uf_runtime_poll(runtime), UF_OK);
    }
    pthread_join(other, NULL);
    assert_int_equal(wrong, 0);
    for (int i = 0; i < 3; i++) { /* and neither are later ones */
        assert_int_equal(uf_runtime_poll(runtime), UF_OK);
        assert_int_equal(uf_runtime_poll_timeout(runtime), -1);
        uf_runtime_wake(runtime);
        struct pollfd waiting = {.fd = uf_runtime_fd(runtime), .events = POLLIN};
        assert_int_equal(poll(&waiting, 1, 0), 1);
    }
}
