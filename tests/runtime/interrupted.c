/* interrupted.c - a signal cuts every wait of a runtime short, and only when its time is over and the descriptor is
 * ready, as if the process had been stopped meanwhile. The first arm that is ready decides all the same. The functions
 * of the C library with which the runtime waits are replaced here. */
#include <errno.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "uflow/runtime.h"

#include "interrupted.h"

enum { LIMIT_MS = 10 };

static uf_runtime *runtime;
static Reader reader;
static int ends[2];
static bool interrupts;    /* waits with a limit */
static int interruptions;  /* so far */
static bool lacks_pwait2;  /* the kernel is an old one */
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

/* In place of a wait: makes the socket readable and writable, lets the time pass, and says that a signal came. */
static int interrupt(const struct timespec *time)
{
    (void)__atomic_add_fetch(&interruptions, 1, __ATOMIC_SEQ_CST);
    drain();
    (void)send(ends[1], "x", 1, MSG_DONTWAIT);
    (void)syscall(SYS_nanosleep, time, NULL);
    (void)syscall(SYS_nanosleep, &(struct timespec){.tv_nsec = 2000000}, NULL);
    errno = EINTR;
    return -1;
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
    if (is_cut(timeout)) return interrupt(timeout);
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

static void check(bool is_linked, bool keeps_watches)
{
    uf_runtime *driver;

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    assert_int_equal(uf_runtime_new(&driver, NULL), UF_OK);
    assert_int_equal(uf_runtime_new(&runtime, &(uf_runtime_config){.keep_watches = keeps_watches}), UF_OK);
    if (is_linked) assert_int_equal(uf_runtime_link(driver, runtime), UF_OK);
    assert_int_equal(Reader_init(&reader, uf_runtime_pump(runtime), "reader"), UF_OK);
    for (int i = 0; i < 3; i++) {
        wait_once(Reader_start_Read);
        wait_once(Reader_start_Write);
    }
    if (is_linked) assert_int_equal(uf_runtime_unlink(runtime), UF_OK);
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
    assert_int_equal(uf_runtime_free(driver), UF_OK);
    close(ends[0]);
    close(ends[1]);
}

static void the_first_arm_decides(void **state)
{
    (void)state;
    for (int i = 0; i < 8; i++) {
        lacks_pwait2 = i & 4;
        check(i & 1, i & 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_first_arm_decides)};
    return cmocka_run_group_tests_name("runtime.interrupted", tests, NULL, NULL);
}
