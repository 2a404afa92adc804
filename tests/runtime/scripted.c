/* SPDX-License-Identifier: MIT */
/* scripted.c - descriptors of a caller-driven pump: uf_pump_ready(), uf_pump_descriptors() and the hook `poll`; and
 * uf_simulate_until_end(). */
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness.h"

#include "scripted.h"
#include "scripted_hooks.h"

enum { MANY = 10000, QUEUE = 16 };

static Peer a, b, c;

static struct {
    int messages[QUEUE], count;
} queue; /* of descriptor 7 */

int scripted_receive(int fd)
{
    if (fd != 7 || !queue.count) return -1;
    int const message = queue.messages[0];
    memmove(queue.messages, queue.messages + 1, (size_t)--queue.count * sizeof(int));
    return message;
}

static void put(int message)
{
    queue.messages[queue.count++] = message;
}

static int setup(void **state)
{
    queue.count = 0;
    int const failed = begin(state);
    return failed || Peer_init(&a, &pump, "a") != UF_OK || Peer_init(&b, &pump, "b") != UF_OK ||
           Peer_init(&c, &pump, "c") != UF_OK;
}

static void ready(int fd, int events)
{
    assert_int_equal(uf_pump_ready(&pump, fd, events), UF_OK);
}

static void assert_ended(const Peer *peer, uf_outcome outcome, const char *reason)
{
    assert_int_equal(uf_flow_outcome(&peer->uf), outcome);
    assert_string_equal(uf_flow_reason(&peer->uf), reason);
}

/* -- events -------------------------------------------------------------------------------------------------------- */

CASE_WITH(an_event_releases_the_arms_that_wait_for_it, setup, NULL)
{
    (void)Peer_start_Once(&a, 7);
    (void)Peer_start_Once(&b, 7);
    (void)Peer_start_Once(&c, 8);
    assert_int_equal(uf_simulate_until(&pump, UF_S(3)), UF_OK);
    ready(7, UF_READABLE);
    rounds(1);
    assert_ended(&a, UF_DONE, "");
    assert_ended(&b, UF_DONE, "");
    assert_ended(&c, UF_RUNNING, "");
}

CASE_WITH(each_direction_has_its_own_events, setup, NULL)
{
    (void)Peer_start_Once(&a, 7);
    (void)Peer_start_Write(&b, 7);
    rounds(1);
    ready(7, UF_WRITABLE);
    rounds(1);
    assert_ended(&a, UF_RUNNING, "");
    assert_ended(&b, UF_DONE, "");
    ready(7, UF_READABLE);
    rounds(1);
    assert_ended(&a, UF_DONE, "");
}

CASE_WITH(one_event_may_be_both, setup, NULL)
{
    int which;
    (void)Peer_start_Once(&a, 7);
    (void)Peer_start_Write(&b, 7);
    (void)Peer_start_Both(&c, 9, 7);
    rounds(1);
    ready(7, UF_READABLE | UF_WRITABLE);
    rounds(1);
    assert_ended(&a, UF_DONE, "");
    assert_ended(&b, UF_DONE, "");
    assert_true(Peer_result_Both(&c, &which));
    assert_int_equal(which, 2);
}

CASE_WITH(a_timeout_counts_in_virtual_time, setup, NULL)
{
    (void)Peer_start_Read(&a, 7);
    run_until_idle();
    assert_ended(&a, UF_FAILED, "nothing came");
    assert_int_equal(now_ms(), 10000);
}

CASE_WITH(an_event_is_kept_until_a_flow_waits_for_it, setup, NULL)
{
    (void)Peer_start_Late(&a, 7);
    ready(7, UF_READABLE); /* twice is one event */
    ready(7, UF_READABLE);
    run_until_idle();
    assert_ended(&a, UF_DONE, "");
    assert_int_equal(now_ms(), 1000);
    (void)Peer_start_Late(&a, 7);
    run_until_idle();
    assert_ended(&a, UF_FAILED, "lost");
}

CASE_WITH(a_kept_event_belongs_to_one_direction, setup, NULL)
{
    ready(7, UF_WRITABLE);
    (void)Peer_start_Late(&a, 7);
    run_until_idle();
    assert_ended(&a, UF_FAILED, "lost");
    (void)Peer_start_Write(&a, 7);
    run_until_idle();
    assert_ended(&a, UF_DONE, "");
}

CASE_WITH(events_of_few_descriptors_are_kept, setup, NULL)
{
    for (int fd = 0; fd < UF_UNCLAIMED_DESCRIPTORS; fd++) ready(fd, UF_READABLE);
    assert_int_equal(uf_pump_ready(&pump, 100, UF_READABLE), UF_FULL);
    ready(3, UF_WRITABLE); /* one more of a descriptor that has its place */
    for (int fd = 0; fd < UF_UNCLAIMED_DESCRIPTORS; fd++) {
        (void)Peer_start_Once(&a, (fd + 5) % UF_UNCLAIMED_DESCRIPTORS);
        rounds(1);
        assert_ended(&a, UF_DONE, "");
    }
    (void)Peer_start_Write(&a, 3);
    rounds(1);
    assert_ended(&a, UF_DONE, "");
    for (int fd = 100; fd < 100 + UF_UNCLAIMED_DESCRIPTORS; fd++) ready(fd, UF_READABLE);
}

CASE_WITH(a_closed_descriptor_fails_its_arms, setup, NULL)
{
    (void)Peer_start_Once(&a, 7);
    (void)Peer_start_Write(&b, 7);
    (void)Peer_start_Once(&c, 7);
    rounds(1);
    ready(7, UF_READABLE); /* a and c are ready, and have not had their turn */
    ready(7, UF_DESCRIPTOR_CLOSED);
    rounds(1);
    assert_ended(&a, UF_FAILED, "bare closed");
    assert_ended(&b, UF_FAILED, "bare closed");
    assert_ended(&c, UF_FAILED, "bare closed");
}

CASE_WITH(a_closed_descriptor_loses_what_was_kept, setup, NULL)
{
    ready(7, UF_READABLE);
    ready(7, UF_DESCRIPTOR_CLOSED);
    (void)Peer_start_Once(&a, 7);
    rounds(2);
    assert_ended(&a, UF_RUNNING, "");
}

CASE_WITH(a_number_that_is_no_descriptor, setup, NULL)
{
    static const int wrong[] = {-1, INT32_MIN, UF_DESCRIPTOR_MAX + 1, INT32_MAX};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(uf_pump_ready(&pump, wrong[i], UF_READABLE), UF_INVALID);
        (void)Peer_start_Once(&a, wrong[i]);
        rounds(1);
        assert_ended(&a, UF_FAILED, "bare Bad file descriptor");
    }
    ready(UF_DESCRIPTOR_MAX, UF_READABLE);
}

CASE_WITH(a_cancelled_wait_is_gone, setup, NULL)
{
    (void)Peer_start_Once(&a, 7);
    rounds(1);
    (void)uf_flow_cancel(&a.uf);
    rounds(1);
    (void)Peer_start_Once(&b, 7);
    rounds(1);
    ready(7, UF_READABLE);
    rounds(1);
    assert_ended(&a, UF_CANCELLED, "cancelled");
    assert_ended(&b, UF_DONE, "");
}

CASE_WITH(a_step_may_report, setup, NULL)
{
    (void)Peer_start_Once(&a, 7);
    rounds(1);
    (void)Peer_start_Tell(&b, 7);
    run_until_idle();
    assert_ended(&a, UF_DONE, "");
    assert_int_equal(now_ms(), 0);
}

CASE_WITH(another_arm_discards_the_event, setup, NULL)
{
    int how;
    (void)Peer_start_Hurried(&a, 7);
    rounds(1);
    ready(7, UF_READABLE);
    (void)uf_signal_fire(&a.hurry);
    run_until_idle();
    assert_true(Peer_result_Hurried(&a, &how));
    assert_int_equal(how, 3);
}

/* -- the hook `poll` ----------------------------------------------------------------------------------------------- */

static int poll_queue(void *context, int fd, int events)
{
    if (fd == 9) return UF_DESCRIPTOR_CLOSED;
    assert_ptr_equal(context, &queue);
    assert_true(events == UF_READABLE || events == UF_WRITABLE);
    return UF_WRITABLE | (queue.count ? UF_READABLE : 0); /* may return more than was requested */
}

static int setup_with_poll(void **state)
{
    queue.count = 0;
    log_clear();
    (void)state;
    return uf_pump_init(&pump, &(uf_pump_config){.poll = poll_queue, .context = &queue}) != UF_OK ||
           Peer_init(&a, &pump, "a") != UF_OK;
}

CASE_WITH(two_messages_with_one_event, setup_with_poll, NULL)
{
    (void)Peer_start_Read(&a, 7);
    assert_int_equal(uf_simulate_until(&pump, UF_S(2)), UF_OK);
    put(1), put(2), put(0);
    ready(7, UF_READABLE);
    run_until_idle();
    assert_log("a:1 a:2 a:0");
    assert_int_equal(now_ms(), 2000);
}

CASE_WITH(what_is_there_needs_no_event, setup_with_poll, NULL)
{
    int how;
    put(0);
    (void)Peer_start_Read(&a, 7);
    run_until_idle();
    assert_ended(&a, UF_DONE, "");
    (void)Peer_start_Write(&a, 7);
    run_until_idle();
    put(1);
    (void)uf_signal_fire(&a.hurry);
    (void)Peer_start_Hurried(&a, 7);
    run_until_idle();
    assert_true(Peer_result_Hurried(&a, &how));
    assert_int_equal(how, 1);
}

CASE_WITH(no_event_is_kept, setup_with_poll, NULL)
{
    ready(7, UF_READABLE);
    (void)Peer_start_Read(&a, 7);
    run_until_idle();
    assert_ended(&a, UF_FAILED, "nothing came");
    assert_int_equal(a.taken, 0);
}

CASE_WITH(poll_tells_that_it_is_closed, setup_with_poll, NULL)
{
    (void)Peer_start_Once(&a, 9);
    run_until_idle();
    assert_ended(&a, UF_FAILED, "bare closed");
}

/* -- many ---------------------------------------------------------------------------------------------------------- */

static Peer *peers;
static int *expected; /* by descriptor: the arms that wait for reading, and 1000 for each that waits for writing */
static size_t visits;

static void see(void *context, int fd, int event)
{
    assert_null(context);
    expected[fd] -= event == UF_READABLE ? 1 : 1000;
    visits++;
}

static void assert_visits_are_exact(size_t count)
{
    visits = 0;
    uf_pump_descriptors(&pump, see, NULL);
    assert_int_equal(visits, count);
    for (int fd = 0; fd < MANY; fd++) assert_int_equal(expected[fd], 0);
}

static int setup_many(void **state)
{
    if (setup(state)) return 1;
    peers = calloc(MANY, sizeof *peers);
    expected = calloc(MANY, sizeof *expected);
    for (int i = 0; peers && i < MANY; i++) assert_int_equal(Peer_init(&peers[i], &pump, "peer"), UF_OK);
    return !peers || !expected;
}

static int teardown_many(void **state)
{
    (void)state;
    free(peers);
    free(expected);
    return 0;
}

static uint32_t next_random(void)
{
    static uint32_t random = 1;
    random = random * 1664525 + 1013904223;
    return random >> 8;
}

/* Random starts, events and cancels, compared with what they must leave. The numbers are few, so that many flows wait
 * for one descriptor, or many. */
CASE_WITH(as_in_a_table, setup_many, teardown_many)
{
    enum { PEERS = 200 };
    struct {
        int fd;
        bool writes, waits;
    } model[PEERS] = {0};

    for (int turn = 0; turn < 20000; turn++) {
        int const numbers = turn < 10000 ? 8 : MANY, i = (int)(next_random() % PEERS);
        int const fd = (int)(next_random() % (unsigned)numbers), event = next_random() % 2 ? UF_READABLE : UF_WRITABLE;
        if (model[i].waits && next_random() % 4 == 0) {
            (void)uf_flow_cancel(&peers[i].uf);
            model[i].waits = false;
        } else if (!model[i].waits) {
            model[i].fd = fd;
            model[i].writes = event == UF_WRITABLE;
            model[i].waits = true;
            (void)(model[i].writes ? Peer_start_Write(&peers[i], fd) : Peer_start_Once(&peers[i], fd));
        } else {
            int const known = model[i].fd;
            ready(known, event);
            for (int k = 0; k < PEERS; k++) {
                if (model[k].fd == known && model[k].writes == (event == UF_WRITABLE)) model[k].waits = false;
            }
        }
        rounds(1);
        size_t waiting = 0;
        for (int k = 0; k < PEERS; k++) {
            assert_int_equal(uf_flow_running(&peers[k].uf), model[k].waits);
            if (model[k].waits) expected[model[k].fd] += model[k].writes ? 1000 : 1;
            waiting += model[k].waits;
        }
        memset(pump.unclaimed, 0, sizeof pump.unclaimed); /* nothing is kept, so that the model stays simple */
        if (turn % 16 == 0) assert_visits_are_exact(waiting);
        else memset(expected, 0, MANY * sizeof *expected);
    }
}

/* The same for events that come while nobody waits, of any legal numbers. A flow that waits for another descriptor
 * must not be touched. */
CASE_WITH(kept_as_in_a_table, setup, NULL)
{
    static const int numbers[] = {0,  1,  2,  3,  5,  100, UF_DESCRIPTOR_MAX - 1, UF_DESCRIPTOR_MAX, 10, 11, 12, 13,
                                  14, 15, 16, 17, 18, 19};
    enum { NUMBERS = sizeof numbers / sizeof *numbers };
    static const int events[] = {UF_READABLE, UF_WRITABLE, UF_READABLE | UF_WRITABLE};
    int kept[NUMBERS] = {0}, places = 0;

    (void)Peer_start_Once(&b, 50);
    for (int turn = 0; turn < 20000; turn++) {
        int const which = (int)(next_random() % (turn % 1000 < 200 ? 2 : NUMBERS)), what = events[next_random() % 3];
        int const fd = numbers[which], was = kept[which];
        if (next_random() % 2) {
            bool const fits = was || places < UF_UNCLAIMED_DESCRIPTORS;
            assert_int_equal(uf_pump_ready(&pump, fd, what), fits ? UF_OK : UF_FULL);
            if (fits) kept[which] |= what;
        } else if (next_random() % 16 == 0) {
            ready(fd, UF_DESCRIPTOR_CLOSED);
            kept[which] = 0;
        } else {
            bool const writes = what == UF_WRITABLE;
            int const event = writes ? UF_WRITABLE : UF_READABLE;
            (void)(writes ? Peer_start_Write(&a, fd) : Peer_start_Once(&a, fd));
            rounds(1);
            assert_int_equal(uf_flow_running(&a.uf), !(was & event));
            kept[which] &= ~event;
            (void)uf_flow_cancel(&a.uf);
            rounds(1);
        }
        places += (kept[which] != 0) - (was != 0);
    }
    assert_true(uf_flow_running(&b.uf));
    ready(50, UF_READABLE);
    rounds(1);
    assert_ended(&b, UF_DONE, "");
}

static int depth_of(const uf_arm *arm)
{
    if (!arm) return 0;
    int const one = depth_of(arm->next), other = depth_of(arm->prev);
    return 1 + (one > other ? one : other);
}

CASE_WITH(ten_thousand, setup_many, teardown_many)
{
    for (int step = 1; step <= 1000; step += 333) { /* numbers that follow each other, and multiples */
        for (int i = 0; i < MANY; i++) (void)Peer_start_Once(&peers[i], i * step);
        rounds(1);
        assert_true(depth_of(pump.descriptor_arms) <= 32);
        for (int i = 0; i < MANY; i++) ready(i * step, UF_READABLE);
        rounds(1);
        assert_int_equal(uf_pump_running(&pump), 0);
        assert_null(pump.descriptor_arms);
    }
}

/* -- a loop with real descriptors ---------------------------------------------------------------------------------- */

static void poll_one(void *context, int fd, int event)
{
    struct pollfd one = {.fd = fd, .events = event == UF_READABLE ? POLLIN : POLLOUT};
    (void)context;
    if (poll(&one, 1, 0) == 1) ready(fd, event);
}

CASE_WITH(a_loop_polls_what_is_waited_for, setup, NULL)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    (void)Peer_start_Once(&a, ends[0]);
    (void)Peer_start_Write(&b, ends[1]);
    for (int i = 0; i < 4; i++) {
        rounds(1);
        uf_pump_descriptors(&pump, poll_one, NULL);
    }
    assert_ended(&a, UF_RUNNING, "");
    assert_ended(&b, UF_DONE, "");
    assert_int_equal(write(ends[1], "x", 1), 1);
    uf_pump_descriptors(&pump, poll_one, NULL);
    uf_pump_descriptors(&pump, poll_one, NULL); /* finds nothing any more */
    rounds(1);
    assert_ended(&a, UF_DONE, "");
    close(ends[0]);
    close(ends[1]);
}

/* -- uf_simulate_until_end() --------------------------------------------------------------------------------------- */

CASE_WITH(until_a_run_has_ended, setup, NULL)
{
    (void)Peer_start_Forever(&c);
    (void)Peer_start_Read(&a, 7);
    uf_run const run = uf_flow_this_run(&a.uf);
    assert_int_equal(uf_simulate_until_end(&pump, run, UF_S(4)), UF_TIMED_OUT);
    assert_int_equal(now_ms(), 4000);
    assert_int_equal(uf_simulate_until_end(&pump, run, UF_S(4)), UF_TIMED_OUT);
    put(0);
    ready(7, UF_READABLE);
    assert_int_equal(uf_simulate_until_end(&pump, run, UF_S(4)), UF_TIMED_OUT); /* not even a round: it is the limit */
    assert_int_equal(uf_simulate_until_end(&pump, run, UF_S(5)), UF_OK);
    assert_int_equal(now_ms(), 4000);
    assert_int_equal(uf_run_outcome(run), UF_DONE);
    assert_int_equal(uf_simulate_until_end(&pump, run, 0), UF_OK); /* has ended before */
}

CASE_WITH(until_a_run_fails, setup, NULL)
{
    (void)Peer_start_Read(&a, 7);
    (void)Peer_start_Late(&b, 7);
    assert_int_equal(uf_simulate_until_end(&pump, uf_flow_this_run(&b.uf), UF_FOREVER), UF_OK);
    assert_ended(&b, UF_FAILED, "lost");
    assert_int_equal(now_ms(), 2000);
    assert_true(uf_flow_running(&a.uf));
}

CASE_WITH(a_run_that_nothing_can_end, setup, NULL)
{
    (void)Peer_start_Once(&a, 7);
    assert_int_equal(uf_simulate_until_end(&pump, uf_flow_this_run(&a.uf), UF_S(5)), UF_BLOCKED);
    (void)Peer_start_Forever(&b);
    assert_int_equal(uf_simulate_until_end(&pump, uf_flow_this_run(&a.uf), UF_S(5)), UF_TIMED_OUT);
    uf_pump_freeze(&pump);
    assert_int_equal(uf_simulate_until_end(&pump, uf_flow_this_run(&a.uf), UF_S(9)), UF_BLOCKED);
}

CASE_WITH(in_the_round_of_the_end, setup, NULL)
{
    (void)Peer_start_Once(&c, 7);
    (void)Peer_start_Tell(&a, 7);
    (void)Peer_start_Once(&b, 8);
    uf_run const run = uf_flow_this_run(&a.uf);
    assert_int_equal(uf_simulate_until_end(&pump, run, UF_S(1)), UF_OK);
    assert_int_equal(uf_pump_rounds(&pump), 1);
    assert_true(uf_flow_running(&c.uf)); /* its event came in that round */
    assert_int_equal(uf_simulate_until_end(&pump, uf_flow_this_run(&c.uf), UF_S(1)), UF_OK);
}

CASE_WITH(handles_of_no_such_run, setup, NULL)
{
    uf_pump other;
    Peer stranger = {0};
    assert_int_equal(uf_simulate_until_end(&pump, uf_flow_this_run(&a.uf), UF_S(1)), UF_INVALID); /* never ran */
    assert_int_equal(uf_simulate_until_end(&pump, (uf_run){.flow = NULL}, UF_S(1)), UF_INVALID);
    assert_int_equal(uf_simulate_until_end(&pump, (uf_run){.flow = &stranger.uf, .number = 1}, UF_S(1)), UF_INVALID);
    (void)Peer_start_Tell(&a, 7);
    uf_run const run = uf_flow_this_run(&a.uf);
    rounds(1);
    (void)Peer_start_Once(&a, 9);
    assert_int_equal(uf_simulate_until_end(&pump, run, UF_S(1)), UF_STALE);
    assert_int_equal(uf_pump_init(&other, NULL), UF_OK);
    assert_int_equal(uf_simulate_until_end(&other, run, UF_S(1)), UF_OTHER_PUMP);
}
