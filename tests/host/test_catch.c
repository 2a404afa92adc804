/* SPDX-License-Identifier: MIT */
/* test_catch.c - signals of the system that fire signals: who hears of them, and what they do before and after. */
#include "host_test.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "listener.h"

/* ThreadSanitizer takes signals for the program, delays them, and loses some in the child of a fork(). */
#if defined(__SANITIZE_THREAD__)
#define DELAYS_SIGNALS 1
#elif defined(__has_feature)
#define DELAYS_SIGNALS __has_feature(thread_sanitizer)
#else
#define DELAYS_SIGNALS 0
#endif

static uf_signal quit = UF_SIGNAL("quit");
static int handled, awake, over;

static void send(int number)
{
    assert_int_equal(kill(getpid(), number), 0);
}

static void wait_for_fire(uint32_t since)
{
    assert_int_equal(uf_signal_wait_since(&quit, since, LONG), UF_OK);
}

static void nothing(void *argument)
{
    (void)argument;
}

/* -- in a process of its own, because it ends ---------------------------------------------------------------------- */

/* These tests are the first ones, while there is one thread. Returns: the status of waitpid(). */
static int in_a_process(void (*run)(void))
{
    int status;
    pid_t const child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        run();
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void hang(void *argument)
{
    (void)argument;
    SET(awake, 1);
    while (!READ(over)) sleep_ms(1);
}

/* The runtime's thread is in a post that does not return. */
static void send_thrice_to_a_stuck_runtime(int number)
{
    awake = over = 0;
    begin_with(NULL);
    if (uf_runtime_catch(runtime, number, &quit) != UF_OK || uf_post(runtime, hang, NULL) != UF_OK) abort();
    UNTIL(READ(awake));
    (void)kill(getpid(), number);
    (void)kill(getpid(), number); /* a copy */
    sleep_ms(200);
    (void)kill(getpid(), number);
    sleep_ms(10); /* perhaps another thread takes it */
    SET(over, 1);
    if (uf_signal_wait_since(&quit, 0, LONG) != UF_OK || uf_runtime_free(runtime) != UF_OK) abort();
}

static void interrupt_a_stuck_runtime(void)
{
    send_thrice_to_a_stuck_runtime(SIGINT);
}

static void terminate_a_stuck_runtime(void)
{
    send_thrice_to_a_stuck_runtime(SIGTERM);
}

CASE(an_unanswered_interrupt_ends_the_program)
{
    int const interrupted = in_a_process(interrupt_a_stuck_runtime);
    assert_true(WIFSIGNALED(interrupted) && WTERMSIG(interrupted) == SIGINT);
    int const terminated = in_a_process(terminate_a_stuck_runtime);
    assert_true(WIFEXITED(terminated) && WEXITSTATUS(terminated) == 0);
}

static void interrupt_often(void)
{
    begin_with(NULL);
    if (uf_runtime_catch(runtime, SIGINT, &quit) != UF_OK) abort();
    for (uint32_t i = 0; i < 3; i++) {
        (void)kill(getpid(), SIGINT);
        if (uf_signal_wait_since(&quit, i, LONG) != UF_OK) abort();
        sleep_ms(110);
    }
    if (uf_runtime_free(runtime) != UF_OK) abort();
}

CASE(an_answered_interrupt_does_not)
{
    int const status = in_a_process(interrupt_often);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

#if !DELAYS_SIGNALS
static void fork_and_terminate(void)
{
    int status;
    begin_with(NULL);
    if (uf_runtime_catch(runtime, SIGTERM, &quit) != UF_OK) abort();
    pid_t const child = fork();
    if (child < 0) abort();
    while (child == 0) sleep_ms(1);
    (void)kill(child, SIGTERM);
    if (waitpid(child, &status, 0) != child || !WIFSIGNALED(status) || WTERMSIG(status) != SIGTERM) abort();
    if (uf_signal_epoch(&quit) != 0 || uf_runtime_free(runtime) != UF_OK) abort();
}

CASE(in_a_child_it_does_what_it_did)
{
    int const status = in_a_process(fork_and_terminate);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
#endif

/* -- in this one --------------------------------------------------------------------------------------------------- */

/* After the second post, the round of the first is over: the flow listens. */
TEST(a_flow_hears_of_it)
{
    Listener listener;
    assert_int_equal(Listener_init(&listener, uf_runtime_pump(runtime), "listener", &quit, NULL), UF_OK);
    assert_int_equal(uf_runtime_catch(runtime, SIGTERM, &quit), UF_OK);
    for (int i = 1; i <= MANY(100); i++) {
        assert_int_equal(Listener_start_Listen(&listener, 1, LONG), UF_OK);
        for (int round = 0; round < 2; round++) assert_int_equal(uf_post_wait(runtime, nothing, NULL), UF_OK);
        send(SIGTERM);
        assert_int_equal(uf_flow_wait(&listener.uf, LONG, NULL), UF_OK);
        assert_int_equal(listener.heard, i);
    }
    assert_int_equal(uf_runtime_uncatch(runtime, SIGTERM), UF_OK);
    assert_int_equal(Listener_destroy(&listener), UF_OK);
}

#if !DELAYS_SIGNALS
static void *read_a_byte(void *end)
{
    char byte;
    SET(awake, 1);
    return (void *)(intptr_t)read(*(int *)end, &byte, 1);
}

TEST(calls_that_it_interrupts_go_on)
{
    sigset_t blocked;
    int ends[2];
    pthread_t reader;
    void *count;
    assert_int_equal(uf_runtime_catch(runtime, SIGTERM, &quit), UF_OK);
    assert_int_equal(pthread_sigmask(SIG_BLOCK, NULL, &blocked), 0);
    assert_int_equal(sigismember(&blocked, SIGTERM), 0);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(pthread_create(&reader, NULL, read_a_byte, &ends[0]), 0);
    UNTIL(READ(awake));
    for (int i = 0; i < 20; i++) {
        uint32_t const since = uf_signal_epoch(&quit);
        assert_int_equal(pthread_kill(reader, SIGTERM), 0);
        wait_for_fire(since);
    }
    assert_int_equal(write(ends[1], "x", 1), 1);
    assert_int_equal(pthread_join(reader, &count), 0);
    assert_int_equal((intptr_t)count, 1);
    close(ends[0]);
    close(ends[1]);
}
#endif

static void count_it(int number)
{
    (void)number;
    COUNT(handled);
}

TEST(an_uncatch_restores_what_was_before)
{
    struct sigaction const action = {.sa_handler = count_it};
    struct sigaction now;
    handled = 0;
    assert_int_equal(sigaction(SIGUSR1, &action, NULL), 0);
    assert_int_equal(uf_runtime_catch(runtime, SIGUSR1, &quit), UF_OK);
    assert_int_equal(uf_runtime_catch(runtime, SIGUSR2, &quit), UF_OK);
    uint32_t const since = uf_signal_epoch(&quit);
    errno = ERANGE;
    send(SIGUSR1);
    assert_int_equal(errno, ERANGE);
    wait_for_fire(since);
    assert_int_equal(handled, 0);
    assert_int_equal(uf_runtime_uncatch(runtime, SIGUSR1), UF_OK);
    send(SIGUSR1);
    assert_int_equal(handled, 1);
    assert_int_equal(uf_signal_epoch(&quit), since + 1);
    assert_int_equal(uf_runtime_free(runtime), UF_OK); /* it still has SIGUSR2 */
    assert_int_equal(sigaction(SIGUSR2, NULL, &now), 0);
    assert_true(now.sa_handler == SIG_DFL);
    begin_with(NULL);
}

TEST(one_runtime_has_it_at_a_time)
{
    uf_runtime *other;
    int const never[] = {SIGKILL, SIGSTOP, SIGSEGV, SIGBUS, SIGFPE, SIGILL, 0, -1, 65, 1 << 30};
    assert_int_equal(uf_runtime_new(&other, NULL), UF_OK);
    for (size_t i = 0; i < sizeof never / sizeof *never; i++)
        assert_int_equal(uf_runtime_catch(runtime, never[i], &quit), UF_INVALID);
    assert_int_equal(uf_runtime_catch(NULL, SIGTERM, &quit), UF_INVALID);
    assert_int_equal(uf_runtime_catch(runtime, SIGTERM, NULL), UF_INVALID);
    assert_int_equal(uf_runtime_uncatch(NULL, SIGTERM), UF_INVALID);
    assert_int_equal(uf_runtime_uncatch(runtime, SIGTERM), UF_INVALID);
    assert_int_equal(uf_runtime_catch(runtime, SIGTERM, &quit), UF_OK);
    assert_int_equal(uf_runtime_catch(runtime, SIGTERM, &quit), UF_BUSY);
    assert_int_equal(uf_runtime_catch(other, SIGTERM, &quit), UF_BUSY);
    assert_int_equal(uf_runtime_uncatch(other, SIGTERM), UF_INVALID);
    assert_int_equal(uf_runtime_uncatch(runtime, SIGTERM), UF_OK);
    assert_int_equal(uf_runtime_catch(other, SIGTERM, &quit), UF_OK);
    assert_int_equal(uf_runtime_free(other), UF_OK);
}

TEST(a_stopped_runtime_fires_when_it_starts)
{
    assert_int_equal(uf_runtime_catch(runtime, SIGTERM, &quit), UF_OK);
    assert_int_equal(uf_runtime_stop(runtime, LONG, NULL), UF_OK);
    uint32_t const since = uf_signal_epoch(&quit);
    send(SIGTERM);
    assert_int_equal(uf_signal_wait_since(&quit, since, UF_MS(20)), UF_TIMED_OUT);
    assert_int_equal(uf_runtime_start(runtime), UF_OK);
    wait_for_fire(since);
}

static void *stop_runtime(void *argument)
{
    (void)argument;
    SET(awake, uf_runtime_stop(runtime, LONG, NULL) == UF_OK);
    return NULL;
}

/* The stop waits for the run that a signal of the system ends. */
TEST(it_comes_during_a_stop)
{
    Listener listener;
    assert_int_equal(Listener_init(&listener, uf_runtime_pump(runtime), "listener", &quit, NULL), UF_OK);
    for (int i = 1; i <= MANY(30); i++) {
        threads crowd;
        awake = 0;
        assert_int_equal(uf_runtime_catch(runtime, SIGTERM, &quit), UF_OK);
        assert_int_equal(Listener_start_Listen(&listener, 1, LONG), UF_OK);
        for (int round = 0; round < 2; round++) assert_int_equal(uf_post_wait(runtime, nothing, NULL), UF_OK);
        crowd_start(&crowd, 1, stop_runtime);
        UNTIL(uf_runtime_stopping(runtime));
        assert_int_equal(uf_runtime_catch(runtime, SIGUSR1, &quit), UF_OK);
        send(i % 2 ? SIGTERM : SIGUSR1);
        crowd_join(&crowd);
        assert_int_equal(awake, 1);
        assert_int_equal(listener.heard, i);
        assert_int_equal(uf_runtime_uncatch(runtime, SIGTERM), UF_OK);
        assert_int_equal(uf_runtime_start(runtime), UF_OK);
        assert_int_equal(uf_runtime_uncatch(runtime, SIGUSR1), UF_OK);
    }
    assert_int_equal(Listener_destroy(&listener), UF_OK);
}

TEST(a_linked_runtime_fires)
{
    uf_runtime *driver;
    assert_int_equal(uf_runtime_new(&driver, NULL), UF_OK);
    assert_int_equal(uf_runtime_link(driver, runtime), UF_OK);
    assert_int_equal(uf_runtime_catch(runtime, SIGTERM, &quit), UF_OK);
    uint32_t const since = uf_signal_epoch(&quit);
    send(SIGTERM);
    wait_for_fire(since);
    assert_int_equal(uf_runtime_unlink(runtime), UF_OK);
    assert_int_equal(uf_runtime_free(driver), UF_OK);
}

CASE(a_loop_polls_and_fires)
{
    uf_runtime_config const config = {.embedded = true};
    begin_with(&config);
    assert_int_equal(uf_runtime_catch(runtime, SIGTERM, &quit), UF_OK);
    uint32_t const since = uf_signal_epoch(&quit);
    send(SIGTERM);
    while (uf_signal_epoch(&quit) == since) {
        struct pollfd waiting = {.fd = uf_runtime_fd(runtime), .events = POLLIN};
        (void)poll(&waiting, 1, uf_runtime_poll_timeout(runtime));
        assert_int_equal(uf_runtime_poll(runtime), UF_OK);
    }
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
}

static void *storm(void *argument)
{
    (void)argument;
    while (!READ(over)) (void)kill(getpid(), SIGUSR1);
    return NULL;
}

/* Catches end and begin, and runtimes go, while handlers run on other threads. */
CASE(catches_come_and_go_in_a_storm)
{
    threads crowd;
    assert_true(signal(SIGUSR1, SIG_IGN) != SIG_ERR);
    over = 0;
    crowd_start(&crowd, 2, storm);
    for (int i = 0; i < MANY(200); i++) {
        begin_with(NULL);
        assert_int_equal(uf_runtime_catch(runtime, SIGUSR1, &quit), UF_OK);
        if (i % 2 == 0) wait_for_fire(uf_signal_epoch(&quit));
        if (i % 3 == 0) assert_int_equal(uf_runtime_uncatch(runtime, SIGUSR1), UF_OK);
        assert_int_equal(uf_runtime_free(runtime), UF_OK);
    }
    SET(over, 1);
    crowd_join(&crowd);
}
