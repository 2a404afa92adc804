/* SPDX-License-Identifier: MIT */
/* test_signals.c - a thousand SIGALRM per second: every interrupted call is repeated or continues. */
#include "host_test.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/time.h>

static int alarms, posts;

static void note_alarm(int signal)
{
    int const kept = errno;
    (void)signal;
    COUNT(alarms);
    errno = kept;
}

static void storm(bool on)
{
    struct sigaction const action = {.sa_handler = note_alarm}; /* no SA_RESTART */
    struct itimerval const every = {.it_interval = {.tv_usec = on ? 1000 : 0}, .it_value = {.tv_usec = on ? 1000 : 0}};
    assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
    assert_int_equal(setitimer(ITIMER_REAL, &every, NULL), 0);
}

static void count_post(void *argument)
{
    (void)argument;
    posts++;
}

static void *call_and_post(void *argument)
{
    int const own = (int)(intptr_t)argument;
    for (int i = 0; i < 100; i++) {
        int result = 0;
        assert_int_equal(Worker_call_Count(&workers[own], 5, LONG, &result, NULL), UF_OK);
        assert_int_equal(result, 5);
        assert_int_equal(uf_post_wait(runtime, count_post, NULL), UF_OK);
        assert_int_equal(Worker_call_Rest(&workers[own], UF_MS(2), LONG, NULL), UF_OK);
    }
    return NULL;
}

TEST(threads_in_the_storm)
{
    threads crowd;
    alarms = posts = 0;
    storm(true);
    crowd_start(&crowd, 4, call_and_post);
    crowd_join(&crowd);
    storm(false);
    assert_int_equal(posts, 400);
    assert_true(READ(alarms) > 50);
}

CASE(a_loop_in_the_storm)
{
    uf_runtime_config const config = {.embedded = true};
    alarms = 0;
    begin_with(&config);
    storm(true);
    assert_int_equal(Worker_start_Rest(&workers[0], UF_MS(300)), UF_OK);
    while (uf_flow_running(&workers[0].uf)) {
        struct pollfd waiting = {.fd = uf_runtime_fd(runtime), .events = POLLIN};
        (void)poll(&waiting, 1, uf_runtime_poll_timeout(runtime));
        assert_int_equal(uf_runtime_poll(runtime), UF_OK);
    }
    storm(false);
    assert_true(READ(alarms) > 50);
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
}
