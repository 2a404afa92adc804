/* SPDX-License-Identifier: MIT */
/* kept_watches.h - the part of descriptors.c for runtimes that keep watches. */
#ifndef KEPT_WATCHES_H
#define KEPT_WATCHES_H

static void receive(int byte)
{
    int got = 0;
    until_waiting(&readers[0]);
    send_byte(ends[1], (char)byte);
    assert_int_equal(uf_flow_wait(&readers[0].uf, LONG, NULL), UF_OK);
    assert_true(Reader_result_Read(&readers[0], &got));
    assert_int_equal(got, byte);
}

TEST(a_kept_watch_costs_no_call)
{
    unsigned before = 0;
    for (int i = 0; i < 20; i++) {
        if (i == 1) before = controls;
        assert_int_equal(Reader_start_Read(&readers[0], ends[0], 100000), UF_OK);
        receive(i);
    }
    assert_int_equal(controls, before);
}

/* Data and then a hang-up, while no flow waits for them, and one for another descriptor. */
TEST(nothing_spins)
{
    int byte = 0, other[2];
    assert_int_equal(pipe(other), 0);
    assert_int_equal(Reader_start_Check(&readers[1], other[0]), UF_OK);
    assert_int_equal(Reader_start_Read(&readers[0], ends[0], 100000), UF_OK);
    receive(1);
    send_byte(ends[1], 2);
    assert_quiet();
    close(ends[1]);
    ends[1] = dup(ends[0]); /* for the end of the test */
    assert_quiet();
    for (int i = 0; i < 2; i++) {
        assert_int_equal(Reader_call_Read(&readers[0], ends[0], 1000, LONG, &byte, NULL), UF_OK);
        assert_int_equal(byte, i == 0 ? 2 : -1);
    }
    assert_quiet();
    assert_int_equal(uf_fd_close(uf_runtime_pump(runtime), other[0]), UF_OK);
    close(other[1]);
}

TEST(the_other_direction_and_back)
{
    for (int i = 0; i < 5; i++) {
        assert_int_equal(Reader_call_Write(&readers[0], ends[0], LONG, NULL), UF_OK);
        assert_int_equal(Reader_start_Read(&readers[0], ends[0], 100000), UF_OK);
        receive(i);
        assert_int_equal(Reader_start_Read(&readers[0], ends[0], 100000), UF_OK);
        until_waiting(&readers[0]);
        assert_int_equal(Reader_call_Write(&readers[1], ends[0], LONG, NULL), UF_OK);
        receive(i);
        assert_quiet();
    }
}

TEST(a_number_after_its_close)
{
    for (int i = 0; i < 5; i++) {
        int const old = ends[0];
        assert_int_equal(Reader_start_Read(&readers[0], ends[0], 100000), UF_OK);
        receive(i);
        assert_int_equal(uf_fd_close(uf_runtime_pump(runtime), ends[0]), UF_OK);
        close(ends[1]);
        open_pair();
        assert_int_equal(ends[0], old);
    }
}

/* -- a duplicate of a descriptor lives on, as in a child process --------------------------------------------------- */

typedef enum fate { FREE, REUSED, AWAITED, FATES } fate; /* of the number of the closed descriptor */

/* The program closes a descriptor by itself, and its old watch reports all the time. Another flow waits meanwhile. */
static void close_with_a_duplicate(fate number)
{
    int const old = ends[0], copy = dup(ends[0]), peer = ends[1];
    int other[2], byte = 0;

    assert_int_equal(pipe(other), 0);
    assert_int_equal(Reader_start_Read(&readers[1], other[0], 100000), UF_OK);
    assert_int_equal(Reader_start_Read(&readers[0], ends[0], 100000), UF_OK);
    receive(1);
    close(ends[0]);
    if (number != FREE) {
        open_pair();
        assert_int_equal(ends[0], old);
    }
    if (number == AWAITED) assert_int_equal(Reader_start_Check(&readers[2], ends[0]), UF_OK);
    send_byte(peer, 2);
    assert_quiet();
    send_byte(other[1], 3);
    assert_int_equal(uf_flow_wait(&readers[1].uf, LONG, NULL), UF_OK);
    assert_true(Reader_result_Read(&readers[1], &byte));
    assert_int_equal(byte, 3);
    if (number != FREE) {
        assert_int_equal(uf_fd_close(uf_runtime_pump(runtime), ends[0]), UF_OK);
        close(ends[1]);
    }
    assert_int_equal(uf_flow_wait(&readers[2].uf, LONG, NULL), UF_OK);
    assert_int_equal(uf_fd_close(uf_runtime_pump(runtime), other[0]), UF_OK);
    close(other[1]);
    close(copy);
    close(peer);
    open_pair();
}

TEST(a_duplicate_that_reports)
{
    uf_runtime *driver;
    assert_int_equal(uf_runtime_new(&driver, NULL), UF_OK);
    for (int is_linked = 0; is_linked < 2; is_linked++) {
        if (is_linked) assert_int_equal(uf_runtime_link(driver, runtime), UF_OK);
        for (fate number = FREE; number < FATES; number++) close_with_a_duplicate(number);
        if (is_linked) assert_int_equal(uf_runtime_unlink(runtime), UF_OK);
    }
    assert_int_equal(uf_runtime_free(driver), UF_OK);
}

/* The loop knows the runtime by a descriptor, which must stay the same. */
static bool loop_is_quiet(int loop)
{
    struct epoll_event event;
    int polls = 0;

    while (epoll_wait(loop, &event, 1, 50) > 0 && polls < 20) {
        assert_int_equal(uf_runtime_poll(runtime), UF_OK);
        polls++;
    }
    return polls < 20;
}

CASE(a_duplicate_that_reports_to_a_loop)
{
    uf_runtime_config const config = {.embedded = true};
    struct epoll_event event = {.events = EPOLLIN};
    int const loop = epoll_create1(0);
    begin_with(&config);
    assert_int_equal(epoll_ctl(loop, EPOLL_CTL_ADD, uf_runtime_fd(runtime), &event), 0);
    for (int i = 0; i < 3; i++) {
        int const copy = dup(ends[0]), peer = ends[1];
        assert_int_equal(Reader_start_Read(&readers[0], ends[0], 100000), UF_OK);
        assert_true(loop_is_quiet(loop));
        send_byte(peer, 1);
        assert_true(loop_is_quiet(loop));
        assert_false(uf_flow_running(&readers[0].uf));
        close(ends[0]);
        send_byte(peer, 2);
        assert_true(loop_is_quiet(loop));
        close(copy);
        close(peer);
        open_pair();
    }
    teardown(NULL);
    close(loop);
}

/* Three descriptors report in one batch. The last report is of a duplicate, and renews all watches. The flow of the
 * second descriptor is ready then, and the flow of the first one has its turn before. */
static void renew_before_a_turn(bool closes)
{
    int first[2], stale[2];

    begin_with(&(uf_runtime_config){.embedded = true});
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, first), 0);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, stale), 0);
    assert_int_equal(Reader_start_Read(&readers[2], stale[0], 100000), UF_OK);
    assert_int_equal(uf_runtime_poll(runtime), UF_OK);
    send_byte(stale[1], 1);
    while (uf_flow_running(&readers[2].uf)) assert_int_equal(uf_runtime_poll(runtime), UF_OK);
    int const copy = dup(stale[0]);
    close(stale[0]);

    assert_int_equal(Reader_start_Check(&readers[0], ends[0]), UF_OK);
    assert_int_equal(Reader_start_Meddle(&readers[1], first[0], ends[0], closes), UF_OK);
    for (int i = 0; i < 3; i++) assert_int_equal(uf_runtime_poll(runtime), UF_OK);
    send_byte(first[1], 1);
    send_byte(ends[1], 1);
    send_byte(stale[1], 1);
    for (int i = 0; i < 5; i++) assert_int_equal(uf_runtime_poll(runtime), UF_OK);
    assert_string_equal(uf_flow_reason(&readers[0].uf), closes ? "bare closed" : "");
    for (int i = 0; i < 2; i++) assert_false(uf_flow_running(&readers[i].uf));
    assert_int_equal(uf_flow_outcome(&readers[1].uf), UF_DONE);
    if (closes) ends[0] = dup(ends[1]); /* for the end of the test */
    close(copy);
    close(stale[1]);
    close(first[0]);
    close(first[1]);
    teardown(NULL);
}

CASE(renewed_before_a_turn)
{
    renew_before_a_turn(false);
    renew_before_a_turn(true);
}

#endif
