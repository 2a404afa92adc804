/* SPDX-License-Identifier: MIT */
/* test_faults.c - the system runs out of threads, locks, descriptors or memory, at each point of each call: once, and
 * from there on. The call returns an error with its reason and leaks nothing. Everything works again when resources
 * return. */
#include "host_test.h"

#include <errno.h>

#include "port_host.h"

bool ufp_fault(void);

static int countdown = -1; /* how many requests still succeed; -1: all */
static bool for_good, hit;

/* A test build of the port calls it before each request to the system. Only one thread makes requests here. */
bool ufp_fault(void)
{
    if (READ(countdown) < 0) return false;
    if (READ(countdown) > 0) {
        __atomic_sub_fetch(&countdown, 1, __ATOMIC_SEQ_CST);
        return false;
    }
    hit = true;
    if (!for_good) SET(countdown, -1);
    return true;
}

static void out_of_it(int after, bool from_there_on)
{
    hit = false;
    for_good = from_there_on;
    SET(countdown, after);
}

static bool was_hit(void)
{
    SET(countdown, -1);
    return hit;
}

static int descriptors(void)
{
    int const next = dup(0);
    close(next);
    return next;
}

static void new_at_each_point(const uf_runtime_config *config, int points)
{
    int const before = descriptors();
    for (int sticky = 0; sticky < 2; sticky++) {
        for (int point = 0;; point++) {
            uf_runtime *made = NULL;
            errno = 0;
            out_of_it(point, sticky);
            uf_status const status = uf_runtime_new(&made, config);
            int const reason = errno;
            if (!was_hit()) {
                assert_int_equal(status, UF_OK);
                assert_int_equal(uf_runtime_free(made), UF_OK);
                assert_int_equal(point, points);
                break;
            }
            assert_null(made);
            assert_int_equal(status, point == 0 ? UF_NO_MEMORY : UF_NO_THREAD);
            if (point > 0) assert_true(reason == EAGAIN || reason == EMFILE || reason == ENOMEM);
        }
    }
    assert_int_equal(descriptors(), before);
}

CASE(a_runtime_with_a_thread)
{
    new_at_each_point(NULL, 7);
}

CASE(an_embedded_runtime)
{
    uf_runtime_config const config = {.embedded = true};
    new_at_each_point(&config, 9);
}

static int posts;

static void count_post(void *argument)
{
    (void)argument;
    posts++;
}

TEST(posts_and_cancels)
{
    posts = 0;
    out_of_it(0, true);
    assert_int_equal(uf_post(runtime, count_post, NULL), UF_NO_MEMORY);
    assert_int_equal(uf_post_wait(runtime, count_post, NULL), UF_NO_THREAD);
    assert_int_equal(Worker_start_Rest(&workers[0], UF_FOREVER), UF_OK); /* needs no resources */
    assert_int_equal(uf_flow_cancel(&workers[0].uf), UF_NO_MEMORY);
    assert_int_equal(uf_runtime_cancel_all(runtime), UF_NO_MEMORY);
    assert_int_equal(uf_flow_wait(&workers[0].uf, 0, NULL), UF_NO_THREAD);
    assert_true(was_hit());
    assert_true(uf_flow_running(&workers[0].uf));
    assert_int_equal(uf_flow_cancel(&workers[0].uf), UF_OK);
    assert_int_equal(uf_post(runtime, count_post, NULL), UF_OK);
    assert_int_equal(uf_runtime_wait(runtime, LONG), UF_OK);
    assert_int_equal(posts, 1);
}

TEST(calls_at_each_point)
{
    for (int sticky = 0; sticky < 2; sticky++) {
        for (int point = 0;; point++) {
            int result = 0;
            uf_call_info info;
            out_of_it(point, sticky);
            uf_status const status = Worker_call_Count(&workers[0], 2, LONG, &result, &info);
            if (!was_hit()) {
                assert_int_equal(status, UF_OK);
                assert_int_equal(point, 2);
                break;
            }
            assert_int_equal(status, point == 0 ? UF_NO_THREAD : UF_NO_MEMORY);
            assert_string_equal(info.reason, uf_status_text(status));
            assert_false(uf_flow_running(&workers[0].uf));
            assert_int_equal(uf_runtime_wait(runtime, LONG), UF_OK); /* it does not count as pending */
        }
    }
}

TEST(a_link_can_be_undone_when_there_is_a_thread)
{
    uf_runtime *other;
    assert_int_equal(uf_runtime_new(&other, NULL), UF_OK);
    out_of_it(0, true);
    assert_int_equal(uf_runtime_link(runtime, other), UF_OK); /* needs no resources */
    assert_int_equal(uf_runtime_unlink(other), UF_NO_THREAD);
    assert_true(was_hit());
    assert_int_equal(errno, EAGAIN);
    assert_int_equal(uf_post_wait(other, count_post, NULL), UF_OK); /* it is driven as before */
    assert_int_equal(uf_runtime_unlink(other), UF_OK);
    assert_int_equal(uf_runtime_free(other), UF_OK);
}

/* Neither has begun, and both can be tried again. */
CASE(a_stop_and_a_start)
{
    uf_stop_report report;
    int result = 0;
    begin_with(NULL);
    errno = 0;
    out_of_it(0, true);
    assert_int_equal(uf_runtime_stop(runtime, LONG, &report), UF_NO_THREAD);
    assert_true(was_hit());
    assert_int_equal(errno, EAGAIN);
    assert_false(uf_runtime_stopping(runtime));
    assert_int_equal(Worker_call_Count(&workers[0], 2, LONG, &result, NULL), UF_OK);
    assert_int_equal(uf_runtime_stop(runtime, LONG, &report), UF_OK);
    for (int sticky = 0; sticky < 2; sticky++) {
        errno = 0;
        out_of_it(0, sticky);
        assert_int_equal(uf_runtime_start(runtime), UF_NO_THREAD);
        assert_true(was_hit());
        assert_int_equal(errno, EAGAIN);
        assert_true(uf_runtime_stopping(runtime));
        assert_int_equal(Worker_start_Count(&workers[0], 2), UF_STOPPING);
        assert_int_equal(uf_runtime_stop(runtime, LONG, &report), UF_OK);
    }
    assert_int_equal(uf_runtime_start(runtime), UF_OK);
    assert_int_equal(Worker_call_Count(&workers[0], 3, LONG, &result, NULL), UF_OK);
    assert_int_equal(result, 3);
    assert_int_equal(uf_runtime_stop(runtime, LONG, NULL), UF_OK);
    out_of_it(0, true);
    assert_int_equal(uf_runtime_start(runtime), UF_NO_THREAD);
    (void)was_hit();
    assert_int_equal(uf_runtime_free(runtime), UF_OK); /* it is still stopped */
}

CASE(the_end_needs_nothing)
{
    begin_with(NULL);
    assert_int_equal(Worker_start_Rest(&workers[0], UF_FOREVER), UF_OK);
    out_of_it(0, true);
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
    (void)was_hit();
    assert_int_equal(workers[0].enters, workers[0].exits);
}

/* A wait without resources returns an error, leaves no waiter registered, and leaves no checkpoint armed. */
TEST(waits_for_signals)
{
    uf_signal notifier = UF_SIGNAL("notifier");
    uf_checkpoint point = UF_CHECKPOINT("point");
    for (int at = 0; at < 2; at++) {
        errno = 0;
        out_of_it(at, false);
        assert_int_equal(uf_signal_wait(&notifier, UF_FOREVER), UF_NO_THREAD);
        assert_int_equal(errno, EAGAIN);
        assert_true(was_hit());
        out_of_it(at, true);
        assert_int_equal(uf_checkpoint_arm(&point, UF_FOREVER), UF_NO_THREAD);
        assert_true(was_hit());
        assert_int_equal(uf_checkpoint_state(&point), UF_CHECKPOINT_UNARMED);
    }
    assert_int_equal(uf_signal_fire(&notifier), 0);
    assert_int_equal(uf_signal_wait(&notifier, UF_MS(1)), UF_TIMED_OUT);
}
