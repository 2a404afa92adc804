/* SPDX-License-Identifier: MIT */
/* alone.c - an await of one signal, as ufc generates it. It parks without evaluating the arm again, and needs no
 * clean-up after the release. It follows the same rules as other waits, even beside them at the same signal. */
#include "harness.h"

#include <string.h>

#include "uflow/simulate.h"

#include "alone.h"

static Alone alone[3];
static Either either;
static Left left;
static Twice twice;

static int begin_waiting(void **state)
{
    if (begin(state)) return 1;
    uf_signal_init(&go, "go");
    for (int i = 0; i < 3; i++)
        assert_int_equal(Alone_init(&alone[i], &pump, (const char *[]){"a", "b", "c"}[i]), UF_OK);
    assert_int_equal(Either_init(&either, &pump, "either"), UF_OK);
    assert_int_equal(Left_init(&left, &pump, "left"), UF_OK);
    assert_int_equal(Twice_init(&twice, &pump, "twice"), UF_OK);
    return 0;
}

/* a, either, b, left, c: in this order. */
static void all_wait(int times)
{
    assert_int_equal(Alone_start_Wait(&alone[0], times), UF_OK);
    assert_int_equal(Either_start_Wait(&either), UF_OK);
    assert_int_equal(Alone_start_Wait(&alone[1], times), UF_OK);
    assert_int_equal(Left_start_Wait(&left), UF_OK);
    assert_int_equal(Alone_start_Wait(&alone[2], times), UF_OK);
    rounds(2);
}

static void nobody_waits(void)
{
    assert_null(go.home);
    assert_null(go.waiters);
    assert_int_equal((uint32_t)go.word, 0);
}

#define TEST_ALONE(name) CASE_WITH(name, begin_waiting, NULL)

TEST_ALONE(test_in_the_order_of_waiting)
{
    all_wait(2);
    assert_int_equal(uf_signal_fire(&go), 5);
    rounds(3);
    assert_log("a either b stayed c");
    assert_int_equal(uf_signal_fire(&go), 3);
    rounds(3);
    assert_log("a either b stayed c a b c");
    nobody_waits();
}

TEST_ALONE(test_who_leaves_is_not_counted)
{
    all_wait(1);
    assert_int_equal(uf_signal_fire(&leave), 1);
    assert_int_equal(uf_signal_fire(&other), 1);
    assert_int_equal(uf_flow_cancel(&alone[1].uf), UF_OK);
    rounds(2);
    assert_int_equal(uf_signal_fire(&go), 2);
    rounds(3);
    assert_log("a c");
    nobody_waits();
}

TEST_ALONE(test_a_cancel_after_the_fire)
{
    all_wait(1);
    assert_int_equal(uf_signal_fire(&go), 5);
    assert_int_equal(uf_flow_cancel(&alone[1].uf), UF_OK);
    assert_int_equal(uf_signal_fire(&leave), 1);
    rounds(3);
    assert_log("a either c");
    assert_int_equal(uf_flow_outcome(&alone[1].uf), UF_CANCELLED);
    assert_int_equal(uf_flow_outcome(&left.uf), UF_DONE);
    nobody_waits();
}

TEST_ALONE(test_who_was_released_needs_the_signal_no_more)
{
    all_wait(1);
    assert_int_equal(uf_signal_fire(&go), 5);
    uf_signal_destroy(&go);
    memset(&go, 0xa5, sizeof go);
    assert_int_equal(uf_flow_cancel(&alone[1].uf), UF_OK);
    rounds(3);
    assert_log("a either stayed c");
}

TEST_ALONE(test_destroying_fails_those_who_wait)
{
    all_wait(1);
    uf_signal_destroy(&go);
    memset(&go, 0xa5, sizeof go);
    rounds(3);
    assert_log("");
    for (int i = 0; i < 3; i++) assert_int_equal(uf_flow_outcome(&alone[i].uf), UF_FAILED);
    assert_int_equal(uf_flow_outcome(&left.uf), UF_FAILED);
}

/* A flow does not wait for a fire of its own body. Flows that waited before continue in the next round. Flows that join
 * after the fire wait for the next one, on the same list. */
TEST_ALONE(test_what_fired_since_the_body_began)
{
    assert_int_equal(Alone_start_Wait(&alone[0], 1), UF_OK);
    rounds(2);
    assert_int_equal(Alone_start_Fire(&alone[1]), UF_OK);
    assert_int_equal(Alone_start_Wait(&alone[2], 1), UF_OK);
    rounds(3);
    assert_log("own a");
    assert_int_equal(uf_signal_fire(&go), 1);
    rounds(3);
    assert_log("own a c");
    nobody_waits();
}

TEST_ALONE(test_no_signal_fails)
{
    assert_int_equal(Alone_start_Pass(&alone[0], NULL), UF_OK);
    assert_int_equal(Alone_start_Pass(&alone[1], &go), UF_OK);
    rounds(2);
    assert_int_equal(uf_flow_outcome(&alone[0].uf), UF_FAILED);
    assert_int_equal(uf_signal_fire(&go), 1);
    rounds(2);
    assert_int_equal(uf_flow_outcome(&alone[1].uf), UF_DONE);
}

/* An arm that was ready is as unused as one that was disarmed: a run that was not started is not done. */
TEST_ALONE(test_the_arm_is_used_again)
{
    assert_int_equal(Twice_start_AfterSignal(&twice), UF_OK);
    rounds(2);
    assert_int_equal(uf_signal_fire(&go), 1);
    rounds(5);
    assert_log("worked");
    assert_int_equal(uf_flow_outcome(&twice.uf), UF_DONE);
    assert_int_equal(Twice_start_AfterTime(&twice), UF_OK);
    assert_int_equal(uf_simulate_until_idle(&pump, UF_S(60)), UF_OK);
    assert_log("worked worked");
}
