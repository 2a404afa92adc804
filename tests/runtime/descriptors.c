/* SPDX-License-Identifier: MIT */
/* descriptors.c - waiting for file descriptors: ready, not ready, closed, invalid and reused, and without busy
 * loops. With KEEP_WATCHES the runtimes keep watches, and the tests that close a descriptor unseen are left out. */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "../cases.h"

#include "uflow/runtime.h"

#include "descriptors.h"

#define LONG UF_S(60)

#if defined(__linux__) && !defined(UFP_POLL)
#define WITH_EPOLL
#include <errno.h>
#include <sys/epoll.h>
#include <sys/syscall.h>

/* Replaces the C library's function: counts the calls; the system has no more descriptors. */
static unsigned controls;
static bool no_room;

int epoll_ctl(int epoll, int operation, int fd, struct epoll_event *event)
{
    (void)__atomic_add_fetch(&controls, 1, __ATOMIC_SEQ_CST);
    if (operation == EPOLL_CTL_ADD && __atomic_load_n(&no_room, __ATOMIC_SEQ_CST)) {
        errno = ENOSPC;
        return -1;
    }
    return (int)syscall(SYS_epoll_ctl, epoll, operation, fd, event);
}
#endif

static uf_runtime *runtime;
static Reader readers[4];
static int ends[2]; /* bytes written to ends[1] can be read from ends[0] */

static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void sleep_ms(int ms)
{
    struct timespec const t = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L};
    nanosleep(&t, NULL);
}

static void open_pair(void)
{
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    for (int i = 0; i < 2; i++) assert_int_equal(fcntl(ends[i], F_SETFL, O_NONBLOCK), 0);
}

static void begin_with(const uf_runtime_config *config)
{
    uf_runtime_config own = config ? *config : (uf_runtime_config){.embedded = false};
#if defined(KEEP_WATCHES)
    own.keep_watches = true;
#endif
    assert_int_equal(uf_runtime_new(&runtime, &own), UF_OK);
    for (int i = 0; i < 3; i++) assert_int_equal(Reader_init(&readers[i], uf_runtime_pump(runtime), "reader"), UF_OK);
    open_pair();
}

static int setup(void **state)
{
    (void)state;
    begin_with(NULL);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
    close(ends[0]);
    close(ends[1]);
    return 0;
}

static void send_byte(int fd, char byte)
{
    assert_int_equal(write(fd, &byte, 1), 1);
}

static void nothing(void *unused)
{
    (void)unused;
}

/* Waits until the flow sleeps in its await. When the second post runs, the round of the first post and its step are
 * over. */
static void until_waiting_in(uf_runtime *its, const Reader *reader)
{
    uf_flow_view view;
    do {
        sleep_ms(1);
        uf_flow_view_of(&reader->uf, &view);
    } while (view.running && strcmp(view.step, "Wait") != 0);
    for (int i = 0; i < 2; i++) assert_int_equal(uf_post_wait(its, nothing, NULL), UF_OK);
}

static void until_waiting(const Reader *reader)
{
    until_waiting_in(runtime, reader);
}

static uint64_t rounds_made;
static void note_rounds(void *argument)
{
    (void)argument;
    rounds_made = uf_pump_rounds(uf_runtime_pump(runtime));
}
static uint64_t rounds(void)
{
    assert_int_equal(uf_post_wait(runtime, note_rounds, NULL), UF_OK);
    return rounds_made;
}

/* Checks that the pump stays idle for a while. A query takes a round, or two if its post is seen before its wakeup;
 * earlier events take a few more, and more on a busy machine. A pump that spins makes thousands. */
static void assert_quiet(void)
{
    (void)rounds();
    uint64_t const before = rounds();
    sleep_ms(100);
    assert_true(rounds() - before <= 20);
}

#define TEST(name) CASE_WITH(name, setup, teardown)

TEST(ready_at_once)
{
    int byte = 0;
    send_byte(ends[1], 'x');
    assert_int_equal(Reader_call_Read(&readers[0], ends[0], 0, LONG, &byte, NULL), UF_OK); /* before the timeout of 0 */
    assert_int_equal(byte, 'x');
    assert_int_equal(Reader_call_Write(&readers[0], ends[0], LONG, NULL), UF_OK);
}

TEST(ready_later)
{
    int byte = 0;
    for (int i = 0; i < 50; i++) {
        assert_int_equal(Reader_start_Read(&readers[0], ends[0], 100000), UF_OK);
        if (i % 2) until_waiting(&readers[0]);
        send_byte(ends[1], (char)i);
        assert_int_equal(uf_flow_wait(&readers[0].uf, LONG, NULL), UF_OK);
        assert_true(Reader_result_Read(&readers[0], &byte));
        assert_int_equal(byte, i);
    }
    assert_int_equal(readers[0].reads, 50);
}

TEST(nothing_comes)
{
    uf_call_info info;
    int64_t const began = now();
    assert_int_equal(Reader_call_Read(&readers[0], ends[0], 20, LONG, NULL, &info), UF_NOT_DONE);
    assert_string_equal(info.reason, "nothing came");
    assert_true(now() - began >= UF_MS(20));
    send_byte(ends[1], 'x'); /* no flow waits for it any more */
    assert_quiet();
}

TEST(end_of_file_and_hang_up)
{
    int byte = 0;
    assert_int_equal(Reader_start_Read(&readers[0], ends[0], 100000), UF_OK);
    until_waiting(&readers[0]);
    assert_int_equal(shutdown(ends[1], SHUT_RDWR), 0);
    assert_int_equal(uf_flow_wait(&readers[0].uf, LONG, NULL), UF_OK);
    assert_true(Reader_result_Read(&readers[0], &byte));
    assert_int_equal(byte, -1);
    assert_int_equal(Reader_call_Write(&readers[0], ends[0], LONG, NULL), UF_OK); /* a write will fail */
}

TEST(no_descriptor)
{
    static const int wrong[] = {-1, 1000000, INT32_MIN};
    uf_call_info info;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(Reader_call_Read(&readers[0], wrong[i], 1000, LONG, NULL, &info), UF_NOT_DONE);
        assert_string_equal(info.reason, "readable: Bad file descriptor");
        assert_int_equal(Reader_call_Write(&readers[0], wrong[i], LONG, &info), UF_NOT_DONE);
        assert_string_equal(info.reason, "writable: Bad file descriptor");
        assert_int_equal(Reader_call_Check(&readers[0], wrong[i], LONG, &info), UF_NOT_DONE);
        assert_string_equal(info.reason, "bare Bad file descriptor");
    }
    assert_quiet();
}

TEST(a_file_is_always_ready)
{
    int byte = 0;
    FILE *const file = tmpfile();
    assert_non_null(file);
    fputs("f", file);
    rewind(file);
    assert_int_equal(Reader_call_Read(&readers[0], fileno(file), 1000, LONG, &byte, NULL), UF_OK);
    assert_int_equal(byte, 'f');
    fclose(file);
}

TEST(closed_by_another_thread)
{
    uf_call_info info;
    for (int i = 0; i < 20; i++) {
        assert_int_equal(Reader_start_Check(&readers[0], ends[0]), UF_OK);
        assert_int_equal(Reader_start_Write(&readers[1], ends[0]), UF_OK);
        if (i % 2) until_waiting(&readers[0]);
        assert_int_equal(uf_fd_close(uf_runtime_pump(runtime), ends[0]), UF_OK);
        assert_int_equal(uf_flow_wait(&readers[0].uf, LONG, &info), UF_OK);
        assert_int_equal(info.outcome, UF_FAILED);
        assert_true(strcmp(info.reason, "bare closed") == 0 || strcmp(info.reason, "bare Bad file descriptor") == 0);
        assert_int_equal(uf_flow_wait(&readers[1].uf, LONG, NULL), UF_OK);
        assert_int_equal(uf_fd_close(uf_runtime_pump(runtime), ends[0]), UF_INVALID);
        close(ends[1]);
        open_pair();
    }
    assert_int_equal(uf_fd_close(NULL, 0), UF_INVALID);
}

TEST(closed_by_a_step)
{
    uf_call_info info;
    assert_int_equal(Reader_start_Check(&readers[0], ends[0]), UF_OK);
    until_waiting(&readers[0]);
    assert_int_equal(Reader_call_Close(&readers[1], ends[0], LONG, NULL), UF_OK);
    assert_int_equal(uf_flow_wait(&readers[0].uf, LONG, &info), UF_OK);
    assert_string_equal(info.reason, "bare closed");
    ends[0] = dup(ends[1]); /* for the end of the test */
}

/* The descriptor was ready for both flows, and the first one closed it before the second one's turn. */
TEST(closed_when_it_was_ready)
{
    uf_call_info info;
    assert_int_equal(Reader_start_HangUp(&readers[0], ends[0]), UF_OK);
    until_waiting(&readers[0]);
    assert_int_equal(Reader_start_Check(&readers[1], ends[0]), UF_OK);
    until_waiting(&readers[1]);
    send_byte(ends[1], 'x');
    assert_int_equal(uf_flow_wait(&readers[1].uf, LONG, &info), UF_OK);
    assert_string_equal(info.reason, "bare closed");
    assert_int_equal(uf_flow_wait(&readers[0].uf, LONG, NULL), UF_OK);
    ends[0] = dup(ends[1]); /* for the end of the test */
}

/* Two runtimes have awaited a descriptor. One forgets it, the other closes it, and its number is used again. */
TEST(forgotten_and_closed)
{
    uf_runtime *first;
    Reader reader;
    uf_call_info info;
    assert_int_equal(uf_runtime_new(&first, uf_runtime_configuration(runtime)), UF_OK);
    assert_int_equal(Reader_init(&reader, uf_runtime_pump(first), "reader"), UF_OK);
    for (int i = 0; i < 3; i++) {
        int const old = ends[0];
        int byte = 0;
        send_byte(ends[1], 'a');
        assert_int_equal(Reader_call_Read(&reader, old, 100000, LONG, &byte, NULL), UF_OK);
        assert_int_equal(Reader_start_Check(&reader, old), UF_OK);
        until_waiting_in(first, &reader);
        assert_int_equal(uf_fd_forget(uf_runtime_pump(first), old), UF_OK);
        assert_int_equal(uf_flow_wait(&reader.uf, LONG, &info), UF_OK);
        assert_string_equal(info.reason, "bare closed");
        send_byte(ends[1], 'b');
        assert_int_equal(Reader_call_Read(&readers[0], old, 100000, LONG, &byte, NULL), UF_OK);
        assert_int_equal(byte, 'b');
        assert_int_equal(uf_fd_close(uf_runtime_pump(runtime), old), UF_OK);
        close(ends[1]);
        open_pair();
        assert_int_equal(ends[0], old);
    }
    assert_int_equal(uf_fd_forget(uf_runtime_pump(first), -1), UF_INVALID);
    assert_int_equal(uf_fd_forget(uf_runtime_pump(first), 500), UF_OK);
    assert_int_equal(uf_runtime_free(first), UF_OK);
}

#if !defined(KEEP_WATCHES)
static void close_unseen(void *fd)
{
    close(*(int *)fd);
}

/* Closes the descriptor without telling the runtime. Its number now belongs to another file. */
TEST(a_number_that_is_used_again)
{
    uf_call_info info;
    int byte = 0;
    for (int i = 0; i < 20; i++) {
        int const old = ends[0];
        assert_int_equal(Reader_start_Check(&readers[0], ends[0]), UF_OK);
        until_waiting(&readers[0]);
        assert_int_equal(uf_post_wait(runtime, close_unseen, &ends[0]), UF_OK);
        close(ends[1]);
        open_pair();
        assert_int_equal(ends[0], old);
        assert_int_equal(Reader_start_Read(&readers[1], ends[0], 100000), UF_OK);
        until_waiting(&readers[1]);
        send_byte(ends[1], 'n');
        assert_int_equal(uf_flow_wait(&readers[1].uf, LONG, NULL), UF_OK);
        assert_true(Reader_result_Read(&readers[1], &byte));
        assert_int_equal(byte, 'n');
        (void)uf_flow_cancel(&readers[0].uf);
        assert_int_equal(uf_flow_wait(&readers[0].uf, LONG, &info), UF_OK); /* with epoll the runtime was notified */
    }
    assert_quiet();
}

#endif

#if defined(KEEP_WATCHES)
#include "kept_watches.h"
#elif defined(WITH_EPOLL)
static void set_no_room(bool is)
{
    __atomic_store_n(&no_room, is, __ATOMIC_SEQ_CST);
}

/* The number now belongs to a file that cannot be polled. Flows that waited for the old file are still released. */
TEST(no_room_for_a_number_that_is_used_again)
{
    uf_call_info info;
    assert_int_equal(Reader_start_Check(&readers[0], ends[0]), UF_OK);
    until_waiting(&readers[0]);
    int const duplicate = dup(ends[0]), other_end = ends[1];
    assert_int_equal(uf_post_wait(runtime, close_unseen, &ends[0]), UF_OK);
    open_pair();
    set_no_room(true);
    assert_int_equal(Reader_call_Check(&readers[1], ends[0], LONG, &info), UF_NOT_DONE);
    assert_string_equal(info.reason, "bare No space left on device");
    set_no_room(false);
    assert_int_equal(uf_flow_wait(&readers[0].uf, UF_S(10), &info), UF_OK);
    assert_string_equal(info.reason, "bare closed");
    send_byte(other_end, 'd');
    assert_quiet();
    close(duplicate);
    close(other_end);
}

/* The driver checks at intervals what it cannot wait for, and sleeps in between. */
TEST(no_room_for_one_that_is_driven)
{
    uf_runtime *driver;
    assert_int_equal(uf_runtime_new(&driver, NULL), UF_OK);
    assert_int_equal(Reader_start_Read(&readers[0], ends[0], 100000), UF_OK);
    until_waiting(&readers[0]);
    assert_int_equal(Reader_init(&readers[3], uf_runtime_pump(driver), "reader"), UF_OK);
    assert_int_equal(Reader_start_Check(&readers[3], ends[1]), UF_OK);
    until_waiting_in(driver, &readers[3]); /* so that there is a poller */
    set_no_room(true);
    assert_int_equal(uf_runtime_link(driver, runtime), UF_OK);
    uint64_t const before = rounds();
    sleep_ms(200);
    assert_true(rounds() - before <= 40);
    send_byte(ends[1], 'l');
    assert_int_equal(uf_flow_wait(&readers[0].uf, LONG, NULL), UF_OK);
    set_no_room(false);
    assert_int_equal(uf_runtime_unlink(runtime), UF_OK);
    assert_int_equal(uf_runtime_free(driver), UF_OK);
}
#else
/* poll() reports it, and the wait has failed. */
TEST(closed_unseen)
{
    uf_call_info info;
    assert_int_equal(Reader_start_Check(&readers[0], ends[0]), UF_OK);
    assert_int_equal(Reader_start_Write(&readers[1], ends[1]), UF_OK);
    until_waiting(&readers[0]);
    assert_int_equal(uf_post_wait(runtime, close_unseen, &ends[0]), UF_OK);
    assert_int_equal(uf_flow_wait(&readers[0].uf, LONG, &info), UF_OK);
    assert_string_equal(info.reason, "bare closed");
    assert_quiet();
    ends[0] = dup(ends[1]); /* for the end of the test */
}

/* The process is no longer allowed as many descriptors as it has, so poll() refuses all of them. */
TEST(fewer_than_there_are)
{
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    assert_int_equal(Reader_start_Check(&readers[0], ends[0]), UF_OK);
    until_waiting(&readers[0]);
    struct rlimit const one = {.rlim_cur = 1, .rlim_max = before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &one), 0);
    uint64_t const rounds_before = rounds();
    sleep_ms(200);
    assert_true(rounds() - rounds_before <= 40);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    send_byte(ends[1], 'x');
    assert_int_equal(uf_flow_wait(&readers[0].uf, LONG, NULL), UF_OK);
}
#endif

#if !defined(KEEP_WATCHES)
/* A duplicate keeps the watched file open: it causes at most one more event. */
TEST(a_duplicate_that_lives_on)
{
    assert_int_equal(Reader_start_Check(&readers[0], ends[0]), UF_OK);
    until_waiting(&readers[0]);
    int const duplicate = dup(ends[0]);
    int const other_end = ends[1];
    assert_int_equal(uf_post_wait(runtime, close_unseen, &ends[0]), UF_OK);
    assert_int_equal(uf_flow_cancel(&readers[0].uf), UF_OK);
    assert_int_equal(uf_flow_wait(&readers[0].uf, LONG, NULL), UF_OK);
    open_pair(); /* the same number again */
    assert_int_equal(Reader_start_Read(&readers[1], ends[0], 100000), UF_OK);
    until_waiting(&readers[1]);
    send_byte(other_end, 'd'); /* belongs to no file */
    assert_quiet();
    send_byte(ends[1], 'y');
    assert_int_equal(uf_flow_wait(&readers[1].uf, LONG, NULL), UF_OK);
    assert_int_equal(readers[1].reads, 1);
    close(duplicate);
    close(other_end);
}
#endif

TEST(reader_and_writer_and_two_of_a_kind)
{
    char full[4096] = {0};
    int byte;
    while (write(ends[0], full, sizeof full) > 0) {}
    assert_int_equal(Reader_start_Check(&readers[0], ends[0]), UF_OK);
    assert_int_equal(Reader_start_Check(&readers[1], ends[0]), UF_OK);
    assert_int_equal(Reader_start_Write(&readers[2], ends[0]), UF_OK);
    until_waiting(&readers[2]);
    send_byte(ends[1], 'b');
    assert_int_equal(uf_flow_wait(&readers[0].uf, LONG, NULL), UF_OK);
    assert_int_equal(uf_flow_wait(&readers[1].uf, LONG, NULL), UF_OK);
    assert_true(uf_flow_running(&readers[2].uf)); /* is still awaited */
    assert_quiet();
    while (read(ends[1], full, sizeof full) > 0) {}
    assert_int_equal(uf_flow_wait(&readers[2].uf, LONG, NULL), UF_OK);
    assert_int_equal(Reader_call_Read(&readers[0], ends[0], 100, LONG, &byte, NULL), UF_OK);
}

TEST(one_flow_waits_for_several)
{
    char full[4096] = {0};
    int which = 0;
    while (write(ends[1], full, sizeof full) > 0) {}
    while (read(ends[0], full, sizeof full) == (ssize_t)sizeof full && ends[0] < 0) {}
    while (write(ends[1], full, sizeof full) > 0) {}
    assert_int_equal(Reader_start_Either(&readers[0], ends[1], ends[1]), UF_OK);
    until_waiting(&readers[0]);
    send_byte(ends[0], 'a');
    assert_int_equal(uf_flow_wait(&readers[0].uf, LONG, NULL), UF_OK);
    assert_true(Reader_result_Either(&readers[0], &which));
    assert_int_equal(which, 1);
}

TEST(a_busy_pump_looks_as_well)
{
    readers[1].spin = true;
    assert_int_equal(Reader_start_Busy(&readers[1]), UF_OK);
    for (int i = 0; i < 20; i++) {
        assert_int_equal(Reader_start_Read(&readers[0], ends[0], 100000), UF_OK);
        sleep_ms(1);
        send_byte(ends[1], 'b');
        assert_int_equal(uf_flow_wait(&readers[0].uf, LONG, NULL), UF_OK);
    }
    assert_int_equal(uf_flow_cancel(&readers[1].uf), UF_OK);
}

static void take_a_while(void *unused)
{
    (void)unused;
    sleep_ms(2);
}

static void start_it(void *unused)
{
    (void)unused;
    rounds_made = uf_pump_rounds(uf_runtime_pump(runtime));
    assert_int_equal(Reader_start_Read(&readers[0], ends[0], 10), UF_OK);
}

static uint64_t ended_in;

static void note_end(void *context, const uf_flow *flow, const uf_flow_end *end)
{
    (void)context;
    (void)end;
    if (flow == &readers[0].uf) ended_in = uf_pump_rounds(uf_runtime_pump(runtime));
}

/* Ten milliseconds pass in a few rounds if each takes two. */
TEST(a_busy_pump_with_slow_rounds)
{
    uf_observer observer = {.flow_ended = note_end};
    assert_int_equal(uf_runtime_add_observer(runtime, &observer), UF_OK);
    readers[1].spin = true;
    assert_int_equal(Reader_start_Busy(&readers[1]), UF_OK);
    uf_runtime_set_pre_round(runtime, take_a_while, NULL);
    uint64_t const before = rounds();
    while (rounds() - before < 150) {} /* the pump has seen that its rounds are slow */
    for (int i = 0; i < 10; i++) {
        assert_int_equal(uf_post_wait(runtime, start_it, NULL), UF_OK);
        assert_int_equal(uf_flow_wait(&readers[0].uf, LONG, NULL), UF_OK);
        assert_true(ended_in - rounds_made <= 10);
    }
    uf_runtime_set_pre_round(runtime, NULL, NULL);
    assert_int_equal(uf_flow_cancel(&readers[1].uf), UF_OK);
    assert_int_equal(uf_runtime_remove_observer(runtime, &observer), UF_OK);
}

TEST(a_stop_ends_the_wait)
{
    uf_stop_report report;
    assert_int_equal(Reader_start_Check(&readers[0], ends[0]), UF_OK);
    assert_int_equal(Reader_start_Either(&readers[1], ends[0], ends[0]), UF_OK);
    until_waiting(&readers[0]);
    int64_t const began = now();
    assert_int_equal(uf_runtime_stop(runtime, UF_MS(100), &report), UF_OK);
    assert_true(now() - began <= UF_MS(100) + UF_S(1));
    assert_int_equal(report.cancelled, 1);
}

CASE(in_a_loop)
{
    uf_runtime_config const config = {.embedded = true};
    int byte = 0;
    begin_with(&config);
    for (int i = 0; i < 30; i++) {
        assert_int_equal(Reader_start_Read(&readers[0], ends[0], 100000), UF_OK);
        for (int polls = 0; uf_flow_running(&readers[0].uf); polls++) {
            struct pollfd waiting = {.fd = uf_runtime_fd(runtime), .events = POLLIN};
            if (polls == 2) send_byte(ends[1], (char)i);
            (void)poll(&waiting, 1, polls < 2 ? 0 : uf_runtime_poll_timeout(runtime));
            assert_int_equal(uf_runtime_poll(runtime), UF_OK);
            assert_true(polls < 20);
        }
        assert_true(Reader_result_Read(&readers[0], &byte));
        assert_int_equal(byte, i);
    }
    teardown(NULL);
}

/* The loop itself makes the change, and must learn that there is work. */
CASE(closed_between_two_polls)
{
    uf_runtime_config const config = {.embedded = true};
    begin_with(&config);
    assert_int_equal(Reader_start_Check(&readers[0], ends[0]), UF_OK);
    for (int i = 0; i < 3; i++) assert_int_equal(uf_runtime_poll(runtime), UF_OK);
    assert_int_equal(uf_fd_close(uf_runtime_pump(runtime), ends[0]), UF_OK);
    struct pollfd waiting = {.fd = uf_runtime_fd(runtime), .events = POLLIN};
    assert_true(uf_runtime_poll_timeout(runtime) == 0 || poll(&waiting, 1, 0) == 1);
    assert_int_equal(uf_runtime_poll(runtime), UF_OK);
    assert_string_equal(uf_flow_reason(&readers[0].uf), "bare closed");
    ends[0] = dup(ends[1]); /* for the end of the test */
    teardown(NULL);
}

TEST(of_a_runtime_that_is_driven)
{
    uf_runtime *driver;
    assert_int_equal(uf_runtime_new(&driver, NULL), UF_OK);
    for (int i = 0; i < 10; i++) {
        assert_int_equal(Reader_start_Read(&readers[0], ends[0], 100000), UF_OK);
        if (i % 2) until_waiting(&readers[0]);
        assert_int_equal(uf_runtime_link(driver, runtime), UF_OK);
        if (i % 4 == 3) until_waiting(&readers[0]);
        send_byte(ends[1], 'l');
        assert_int_equal(uf_flow_wait(&readers[0].uf, LONG, NULL), UF_OK);
        assert_int_equal(Reader_start_Read(&readers[0], ends[0], 100000), UF_OK);
        until_waiting(&readers[0]);
        assert_int_equal(uf_runtime_unlink(runtime), UF_OK);
        send_byte(ends[1], 'u');
        assert_int_equal(uf_flow_wait(&readers[0].uf, LONG, NULL), UF_OK);
    }
    assert_quiet();
    assert_int_equal(uf_runtime_free(driver), UF_OK);
}

TEST(a_pump_without_a_runtime)
{
    uf_pump pump;
    Reader reader;
    assert_int_equal(uf_pump_init(&pump, NULL), UF_OK);
    assert_int_equal(Reader_init(&reader, &pump, "reader"), UF_OK);
    assert_int_equal(Reader_start_Check(&reader, 0), UF_OK);
    (void)uf_pump_round(&pump, 0);
    assert_true(uf_flow_running(&reader.uf)); /* waits for uf_pump_ready(); see scripted.c */
    assert_int_equal(uf_pump_ready(uf_runtime_pump(runtime), 0, UF_READABLE), UF_UNSUPPORTED);
    assert_int_equal(uf_pump_ready(&pump, 0, UF_READABLE), UF_OK);
    (void)uf_pump_round(&pump, 0);
    assert_int_equal(uf_flow_outcome(&reader.uf), UF_DONE);
    int const fd = dup(0);
    assert_int_equal(Reader_start_Check(&reader, fd), UF_OK);
    (void)uf_pump_round(&pump, 0);
    assert_int_equal(uf_fd_close(&pump, fd), UF_OK);
    (void)uf_pump_round(&pump, 0);
    assert_string_equal(uf_flow_reason(&reader.uf), "bare closed");
    assert_int_equal(uf_fd_close(&pump, fd), UF_INVALID);
    assert_int_equal(Reader_destroy(&reader), UF_OK);
}
