/* SPDX-License-Identifier: MIT */
/* interrupted.c - the thread of a runtime does not run from the moment at which a descriptor is ready until the time of
 * a limit is over. A signal cuts its wait short; or it is woken and not scheduled; or it runs a step of another
 * runtime. The first arm that is ready decides all the same. The functions of the C library with which the runtime
 * waits are replaced here. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "../cases.h"

#include "uflow/runtime.h"

#include "interrupted.h"

enum { LIMIT_MS = 10, LONG_LIMIT_MS = 300 };

static uf_runtime *runtime, *driver; /* `driver` may drive both */
static Reader reader;
static int ends[2];
static bool interrupts;    /* waits with a limit */
static int interruptions;  /* so far */
static bool lacks_pwait2;  /* the kernel is an old one */
static bool is_woken;      /* no signal comes: the wait ends without an event, and the thread is not scheduled */
static bool fires;         /* a handler of the signal that comes fires the flow's, and no time passes */
static char filling[4096]; /* what a full socket holds */

static void fill(void)
{
    while (send(ends[0], filling, sizeof filling, MSG_DONTWAIT) > 0) {}
}

static void drain(void)
{
    static char bytes[sizeof filling];
    while (recv(ends[1], bytes, sizeof bytes, MSG_DONTWAIT) > 0) {}
}

/* Makes the socket readable and writable, and waits a bit longer than the time. */
static void miss(const struct timespec *time)
{
    (void)__atomic_add_fetch(&interruptions, 1, __ATOMIC_SEQ_CST);
    drain();
    (void)send(ends[1], "x", 1, MSG_DONTWAIT);
    if (fires) {
        __atomic_store_n(&interrupts, false, __ATOMIC_SEQ_CST);
        (void)uf_signal_fire(&reader.bell);
        return;
    }
    (void)syscall(SYS_nanosleep, time, NULL);
    (void)syscall(SYS_nanosleep, &(struct timespec){.tv_nsec = 2000000}, NULL);
}

/* Replaces a wait. */
static int interrupt(const struct timespec *time)
{
    miss(time);
    errno = EINTR;
    return is_woken ? 0 : -1;
}

static bool is_cut(const struct timespec *time)
{
    bool const has_limit = time && (time->tv_sec || time->tv_nsec);
    return has_limit && __atomic_load_n(&interrupts, __ATOMIC_SEQ_CST);
}

static struct timespec time_of(int ms)
{
    return (struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L};
}

int epoll_wait(int epoll, struct epoll_event *events, int most, int timeout)
{
    struct timespec const time = time_of(timeout < 0 ? 0 : timeout);
    if (is_cut(&time)) return interrupt(&time);
    return (int)syscall(SYS_epoll_pwait, epoll, events, most, timeout, NULL, 8);
}

int epoll_pwait2(int epoll, struct epoll_event *events, int most, const struct timespec *timeout, const sigset_t *mask)
{
    if (lacks_pwait2) {
        errno = ENOSYS;
        return -1;
    }
    if (is_cut(timeout)) return interrupt(timeout);
    return (int)syscall(SYS_epoll_pwait2, epoll, events, most, timeout, mask, 8);
}

int ppoll(struct pollfd *fds, nfds_t number, const struct timespec *timeout, const sigset_t *mask)
{
    struct timespec copy = timeout ? *timeout : (struct timespec){0};
    if (is_cut(timeout)) {
        for (nfds_t i = 0; i < number; i++) fds[i].revents = 0;
        return interrupt(timeout);
    }
    return (int)syscall(SYS_ppoll, fds, number, timeout ? &copy : NULL, mask, 8);
}

int poll(struct pollfd *fds, nfds_t number, int timeout)
{
    struct timespec const time = time_of(timeout < 0 ? 0 : timeout);
    return ppoll(fds, number, timeout < 0 ? NULL : &time, NULL);
}

/* -- tests --------------------------------------------------------------------------------------------------------- */

static void wait_once(uf_status (*start)(Reader *flow, int fd, int ms))
{
    uf_call_info end;

    fill();
    interruptions = 0;
    __atomic_store_n(&interrupts, true, __ATOMIC_SEQ_CST);
    assert_int_equal(start(&reader, ends[0], LIMIT_MS), UF_OK);
    assert_int_equal(uf_flow_wait(&reader.uf, UF_S(60), &end), UF_OK);
    __atomic_store_n(&interrupts, false, __ATOMIC_SEQ_CST);
    assert_true(interruptions > 0);
    assert_string_equal(end.reason, "");
    char byte;
    while (recv(ends[0], &byte, 1, MSG_DONTWAIT) > 0) {}
}

static void begin(bool is_linked, bool keeps_watches)
{
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    assert_int_equal(uf_runtime_new(&driver, NULL), UF_OK);
    assert_int_equal(uf_runtime_new(&runtime, &(uf_runtime_config){.keep_watches = keeps_watches}), UF_OK);
    if (is_linked) assert_int_equal(uf_runtime_link(driver, runtime), UF_OK);
    assert_int_equal(Reader_init(&reader, uf_runtime_pump(runtime), "reader"), UF_OK);
}

static void end(bool is_linked)
{
    if (is_linked) assert_int_equal(uf_runtime_unlink(runtime), UF_OK);
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
    assert_int_equal(uf_runtime_free(driver), UF_OK);
    close(ends[0]);
    close(ends[1]);
}

CASE(the_first_arm_decides)
{
    for (unsigned i = 0; i < 16; i++) {
        bool const is_linked = i & 1, keeps_watches = i & 2;
        lacks_pwait2 = i & 4;
        is_woken = i & 8;
        begin(is_linked, keeps_watches);
        for (int n = 0; n < 3; n++) {
            wait_once(Reader_start_Read);
            wait_once(Reader_start_Write);
        }
        end(is_linked);
    }
}

/* A signal that fires meanwhile is no timer. */
CASE(the_first_arm_decides_before_a_signal)
{
    uf_call_info result;

    fires = true;
    is_woken = false;
    for (unsigned i = 0; i < 8; i++) {
        lacks_pwait2 = i & 4;
        begin(i & 1, i & 2);
        __atomic_store_n(&interrupts, true, __ATOMIC_SEQ_CST);
        assert_int_equal(Reader_start_Hear(&reader, ends[0]), UF_OK);
        assert_int_equal(uf_flow_wait(&reader.uf, UF_S(60), &result), UF_OK);
        assert_string_equal(result.reason, "");
        end(i & 1);
    }
    fires = false;
}

enum { CROWD = 300 };

static Reader crowd[CROWD];
static int events[CROWD + 2]; /* the flow waits for the last one, and then for the first one */

static void make_all_ready(void *unused)
{
    uint64_t const one = 1;
    (void)unused;
    for (int i = 0; i < CROWD + 2; i++) (void)write(events[i], &one, sizeof one);
}

static void nothing(void *unused);

/* More descriptors are ready than the poller asks for at once, and the first arm's was ready last. */
CASE(the_first_arm_of_many_decides)
{
    uf_call_info result;

    lacks_pwait2 = false;
    for (unsigned i = 0; i < 4; i++) {
        begin(i & 1, i & 2);
        for (int k = 0; k < CROWD + 2; k++) assert_true((events[k] = eventfd(0, EFD_NONBLOCK)) >= 0);
        assert_int_equal(Reader_start_Either(&reader, events[CROWD + 1], events[0]), UF_OK);
        for (int k = 0; k < CROWD; k++) {
            assert_int_equal(Reader_init(&crowd[k], uf_runtime_pump(runtime), "one of many"), UF_OK);
            assert_int_equal(Reader_start_Read(&crowd[k], events[k + 1], 60000), UF_OK);
        }
        for (int n = 0; n < 2; n++) assert_int_equal(uf_post_wait(runtime, nothing, NULL), UF_OK);
        assert_int_equal(uf_post(runtime, make_all_ready, NULL), UF_OK);
        for (int k = 0; k < CROWD; k++) assert_int_equal(uf_flow_wait(&crowd[k].uf, UF_S(60), NULL), UF_OK);
        assert_int_equal(uf_flow_wait(&reader.uf, UF_S(60), &result), UF_OK);
        assert_string_equal(result.reason, "");
        end(i & 1);
        for (int k = 0; k < CROWD + 2; k++) close(events[k]);
    }
}

static void be_long(void *unused)
{
    (void)unused;
    miss(&(struct timespec){.tv_nsec = LONG_LIMIT_MS * 1000000L});
}

static void nothing(void *unused)
{
    (void)unused;
}

/* The runtime that drives both is busy while the flow of the other one waits. */
CASE(the_first_arm_decides_after_a_long_step)
{
    uf_call_info result;

    for (int is_write = 0; is_write < 2; is_write++) {
        begin(true, false);
        fill();
        uf_status (*const start)(Reader *, int, int) = is_write ? Reader_start_Write : Reader_start_Read;
        assert_int_equal(start(&reader, ends[0], LONG_LIMIT_MS), UF_OK);
        for (int i = 0; i < 2; i++) assert_int_equal(uf_post_wait(runtime, nothing, NULL), UF_OK);
        assert_int_equal(uf_post(driver, be_long, NULL), UF_OK);
        assert_int_equal(uf_flow_wait(&reader.uf, UF_S(60), &result), UF_OK);
        assert_string_equal(result.reason, "");
        end(true);
    }
}
