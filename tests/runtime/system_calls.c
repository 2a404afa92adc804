/* SPDX-License-Identifier: MIT */
/* system_calls.c - the system calls with which a runtime waits for descriptors are counted. The functions of the C
 * library are replaced here, and count the calls of the runtime's thread; the test itself uses none of them. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "../cases.h"

#include "uflow/runtime.h"

#include "system_calls.h"

enum { MOST = 100 };

typedef struct counts {
    int control, wait, timed_wait, poll;
} counts;

static counts calls;
static int refusal; /* errno of epoll_pwait2(); 0: the kernel's */

static void count(int *which)
{
    __atomic_add_fetch(which, 1, __ATOMIC_SEQ_CST);
}

int epoll_ctl(int epoll, int operation, int fd, struct epoll_event *event)
{
    count(&calls.control);
    return (int)syscall(SYS_epoll_ctl, epoll, operation, fd, event);
}

int epoll_wait(int epoll, struct epoll_event *events, int most, int timeout)
{
    count(&calls.wait);
    return (int)syscall(SYS_epoll_pwait, epoll, events, most, timeout, NULL, 8);
}

int epoll_pwait2(int epoll, struct epoll_event *events, int most, const struct timespec *timeout, const sigset_t *mask)
{
    count(&calls.timed_wait);
    if (refusal) {
        errno = refusal;
        return -1;
    }
    return (int)syscall(SYS_epoll_pwait2, epoll, events, most, timeout, mask, 8);
}

int poll(struct pollfd *fds, nfds_t number, int timeout)
{
    struct timespec const time = {.tv_sec = timeout / 1000, .tv_nsec = timeout % 1000 * 1000000L};
    count(&calls.poll);
    return (int)syscall(SYS_ppoll, fds, number, timeout < 0 ? NULL : &time, NULL, 8);
}

int ppoll(struct pollfd *fds, nfds_t number, const struct timespec *timeout, const sigset_t *mask)
{
    struct timespec copy = timeout ? *timeout : (struct timespec){0};
    count(&calls.poll);
    return (int)syscall(SYS_ppoll, fds, number, timeout ? &copy : NULL, mask, 8);
}

/* -- an echo server ------------------------------------------------------------------------------------------------ */

static uf_runtime *runtime;
static Echo echoes[MOST];
static int ends[MOST][2];

static void nothing(void *unused)
{
    (void)unused;
}

/* Takes the counts when the thread is about to sleep. */
static counts counts_now(void)
{
    for (int i = 0; i < 3; i++) assert_int_equal(uf_post_wait(runtime, nothing, NULL), UF_OK);
    return calls;
}

static void begin(int connections)
{
    assert_int_equal(uf_runtime_new(&runtime, NULL), UF_OK);
    for (int i = 0; i < connections; i++) {
        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends[i]), 0);
        assert_int_equal(Echo_init(&echoes[i], uf_runtime_pump(runtime), "echo", ends[i][0]), UF_OK);
    }
}

static void end(int connections)
{
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
    for (int i = 0; i < connections; i++) {
        close(ends[i][0]);
        close(ends[i][1]);
    }
}

static void ask(int connection)
{
    assert_int_equal(send(ends[connection][1], "ping", 4, MSG_NOSIGNAL), 4);
}

static void receive(int connection)
{
    char text[4];
    assert_int_equal(recv(ends[connection][1], text, 4, MSG_WAITALL), 4);
}

/* Asks each of the connections `times` times. One at a time: all at once would need fewer calls. Returns the cost of
 * the requests. */
static counts cost_of(int connections, int times)
{
    for (int i = 0; i < connections; i++) {
        assert_int_equal(Echo_start_Serve(&echoes[i]), UF_OK);
        ask(i);
        receive(i);
    }
    counts const before = counts_now();
    for (int n = 0; n < times; n++) {
        for (int i = 0; i < connections; i++) {
            ask(i);
            receive(i);
        }
    }
    counts const after = counts_now();
    return (counts){.control = after.control - before.control,
                    .wait = after.wait - before.wait,
                    .timed_wait = after.timed_wait - before.timed_wait,
                    .poll = after.poll - before.poll};
}

/* -- tests --------------------------------------------------------------------------------------------------------- */

/* A request costs one call that renews the watch, and one sleep, which may have been interrupted. */
CASE(two_calls_per_wait)
{
    static const int crowds[] = {1, 10, MOST};
    for (size_t i = 0; i < sizeof crowds / sizeof *crowds; i++) {
        int const requests = crowds[i] * (MOST * 10 / crowds[i]);
        begin(crowds[i]);
        counts const cost = cost_of(crowds[i], requests / crowds[i]);
        print_message("%d connections: %d requests, %d epoll_ctl, %d epoll_pwait2, %d epoll_wait, %d poll\n", crowds[i],
                      requests, cost.control, cost.timed_wait, cost.wait, cost.poll);
        assert_int_equal(cost.poll, 0);
        assert_true(cost.control <= requests + 10);
        assert_true(cost.wait + cost.timed_wait <= requests + requests / 2 + 20);
        end(crowds[i]);
    }
}

/* The kernel is too old, or a filter forbids the call: it is tried once. */
CASE(without_epoll_pwait2)
{
    static const int refusals[] = {ENOSYS, EPERM};
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        int const before = calls.timed_wait;
        refusal = refusals[i];
        begin(1);
        counts const cost = cost_of(1, 100);
        assert_true(cost.poll > 0 && cost.wait > 0);
        assert_int_equal(calls.timed_wait - before, 1);
        end(1);
    }
    refusal = 0;
}

/* An await that another arm decides at once looks at the descriptor first. */
CASE(a_look_polls_once)
{
    bool is_readable;
    begin(1);
    for (int i = 0; i < 3; i++) {
        if (i == 1) ask(0);
        int const before = calls.poll;
        assert_int_equal(Echo_call_Look(&echoes[0], UF_S(10), &is_readable, NULL), UF_OK);
        assert_int_equal(is_readable, i > 0);
        assert_int_equal(calls.poll - before, i ? 1 : 2); /* the first one also checks the descriptor */
    }
    end(1);
}
