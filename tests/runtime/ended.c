/* SPDX-License-Identifier: MIT */
/* ended.c - the ends of a pool's members: in their order, kept until they are taken, and what counts them. */
#include "harness.h"

#include "uflow/simulate.h"

#include "ended.h"

static Boss boss;

static void pass(int ms)
{
    uf_simulate_until(&pump, uf_pump_now(&pump) + UF_MS(1) * ms);
}

static void spawn(int ms)
{
    assert_int_equal(Boss_kids_spawn_Work(&boss, ms), UF_OK);
}

static void starts(uf_status (*start)(Boss *flow))
{
    assert_int_equal(Boss_init(&boss, &pump, "boss"), UF_OK);
    assert_int_equal(start(&boss), UF_OK);
    rounds(2);
}

static void finish(const char *log)
{
    assert_log(log);
    uf_flow_cancel(&boss.uf);
    Boss_kids_cancel_all(&boss);
    run_until_idle();
    assert_int_equal(Boss_destroy(&boss), UF_OK);
}

TEST(test_each_end_is_reported_with_its_result)
{
    starts(Boss_start_Watch);
    spawn(4);
    spawn(7);
    pass(20);
    finish("0:done::40 1:failed:odd 7:-1");
}

TEST(test_a_cancelled_member_is_reported)
{
    starts(Boss_start_Watch);
    spawn(40);
    pass(5);
    uf_flow_cancel(&Boss_kids_at(&boss, 0)->uf);
    pass(5);
    finish("0:cancelled:cancelled:-1");
}

TEST(test_ends_are_taken_in_their_order)
{
    starts(Boss_start_Watch);
    spawn(9);
    spawn(4);
    pass(20);
    spawn(2);
    pass(20);
    finish("1:done::40 0:failed:odd 9:-1 0:done::20");
}

TEST(test_ends_are_kept_until_they_are_taken)
{
    starts(Boss_start_Later);
    spawn(4);
    spawn(3);
    pass(20);
    assert_log("");
    assert_int_equal(Boss_kids_spawn_Work(&boss, 4), UF_FULL);
    uf_signal_fire(&boss.go);
    pass(5);
    assert_int_equal(Boss_kids_spawn_Work(&boss, 4), UF_OK);
    finish("failed done none");
}

TEST(test_kept_places_are_not_vacant_but_idle)
{
    starts(Boss_start_Fill);
    for (int i = 0; i < PLACES + 1; i++) {
        uf_signal_fire(&boss.go);
        rounds(3);
    }
    assert_int_equal(Boss_kids_busy(&boss), 2);
    pass(20);
    assert_int_equal(Boss_kids_busy(&boss), 0);
    assert_null(Boss_kids_at(&boss, 0));
    assert_log("spawned spawned full idle, 0 busy");
    uf_signal_fire(&boss.quit);
    rounds(3);
    finish("spawned spawned full idle, 0 busy 0:done: 1:done: spawned");
}

TEST(test_a_limit_counts_kept_places)
{
    uf_member_end end;
    starts(Boss_start_Later);
    assert_int_equal(Boss_kids_limit(&boss, 1), UF_OK);
    spawn(4);
    pass(10);
    assert_int_equal(Boss_kids_spawn_Work(&boss, 4), UF_FULL);
    assert_true(Boss_kids_reap(&boss, &end));
    assert_int_equal(end.outcome, UF_DONE);
    assert_false(Boss_kids_reap(&boss, &end));
    spawn(4);
    finish("");
}

TEST(test_nothing_is_kept_while_the_flow_is_idle)
{
    uf_member_end end;
    assert_int_equal(Boss_init(&boss, &pump, "boss"), UF_OK);
    for (int i = 0; i < 3; i++) {
        spawn(4);
        spawn(3);
        pass(10);
    }
    assert_false(Boss_kids_reap(&boss, &end));
    finish("");
}

TEST(test_what_is_kept_is_dropped_with_the_run)
{
    int value;
    starts(Boss_start_Later);
    spawn(4);
    spawn(6);
    pass(10);
    assert_int_equal(Boss_kids_spawn_Work(&boss, 4), UF_FULL);
    uf_flow_cancel(&boss.uf);
    rounds(2);
    assert_true(Boss_kids_result_Work(&boss, 0, &value));
    assert_int_equal(value, 40);
    spawn(8);
    assert_int_equal(Boss_start_Watch(&boss), UF_OK);
    rounds(2);
    assert_log("");
    pass(20);
    finish("1:done::80");
}

TEST(test_kept_places_do_not_hinder_a_destroy)
{
    starts(Boss_start_Later);
    spawn(4);
    pass(10);
    uf_flow_cancel(&boss.uf);
    rounds(2);
    assert_int_equal(Boss_destroy(&boss), UF_OK);
}

TEST(test_a_result_is_that_of_the_last_use)
{
    int value = 0;
    starts(Boss_start_Watch);
    assert_false(Boss_kids_result_Work(&boss, 0, &value));
    assert_false(Boss_kids_result_Work(&boss, 99, &value));
    spawn(4);
    pass(10);
    assert_true(Boss_kids_result_Work(&boss, 0, &value));
    assert_int_equal(Boss_kids_spawn_Rest(&boss), UF_OK);
    assert_false(Boss_kids_result_Work(&boss, 0, &value));
    finish("0:done::40");
}

TEST(test_an_end_without_its_bindings)
{
    starts(Boss_start_Count);
    spawn(4);
    pass(10);
    uf_signal_fire(&boss.quit);
    pass(1);
    finish("one");
}
