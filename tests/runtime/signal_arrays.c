/* SPDX-License-Identifier: MIT */
/* signal_arrays.c - arrays of signals and checkpoints: an arm and a handler wait for one element. */
#include "harness.h"

#include "uflow/simulate.h"

#include "signal_arrays.h"

static Lane lane;
static Handled handled;
static Held held, watcher;

static void lane_waits(int which)
{
    assert_int_equal(Lane_init(&lane, &pump, "lane", which), UF_OK);
    note_events();
}

static void lane_is_destroyed(const char *log)
{
    assert_log(log);
    assert_int_equal(Lane_destroy(&lane), UF_OK);
}

TEST(test_an_arm_waits_for_its_element_alone)
{
    assert_int_equal(Lane_init(&lane, &pump, "lane", 2), UF_OK);
    assert_int_equal(Lane_start_Wait(&lane), UF_OK);
    rounds(1);
    assert_int_equal(uf_signal_fire(&go[0]) + uf_signal_fire(&go[1]), 0);
    rounds(2);
    assert_log("");
    assert_int_equal(uf_signal_fire(&go[2]), 1);
    rounds(2);
    lane_is_destroyed("2");
}

TEST(test_a_fire_since_the_body_began_counts)
{
    assert_int_equal(Lane_init(&lane, &pump, "lane", 1), UF_OK);
    assert_int_equal(Lane_start_Late(&lane), UF_OK);
    run_until_idle();
    lane_is_destroyed("went");
}

TEST(test_a_fire_of_another_element_does_not_count)
{
    assert_int_equal(Lane_init(&lane, &pump, "lane", 2), UF_OK);
    assert_int_equal(Lane_start_Late(&lane), UF_OK);
    run_until_idle();
    lane_is_destroyed("late");
}

TEST(test_a_fire_before_the_body_does_not_count)
{
    assert_int_equal(Lane_init(&lane, &pump, "lane", 1), UF_OK);
    uf_signal_fire(&go[1]);
    assert_int_equal(Lane_start_Wait(&lane), UF_OK);
    rounds(3);
    assert_log("");
    uf_signal_fire(&go[1]);
    rounds(2);
    lane_is_destroyed("1");
}

TEST(test_the_index_is_evaluated_once_per_await)
{
    assert_int_equal(Lane_init(&lane, &pump, "lane", 0), UF_OK);
    assert_int_equal(Lane_start_Each(&lane), UF_OK);
    rounds(1);
    uf_signal_fire(&go[0]);
    rounds(3);
    run_until_idle();
    lane_is_destroyed("next 2");
}

TEST(test_an_index_out_of_range_fails_the_task)
{
    lane_waits(7);
    assert_int_equal(Lane_start_Wait(&lane), UF_OK);
    rounds(2);
    lane_is_destroyed("started:lane lane:Begin!go[7]: there are 3 lane:Begin> ended:lane(failed)go[7]: there are 3");
}

TEST(test_a_negative_index_fails_the_task)
{
    lane_waits(-1);
    assert_int_equal(Lane_start_Both(&lane), UF_OK);
    rounds(2);
    lane_is_destroyed("started:lane lane:Begin!go[-1]: there are 3 lane:Begin> ended:lane(failed)go[-1]: there are 3");
}

TEST(test_the_index_of_an_arm_that_is_not_there_is_not_evaluated)
{
    assert_int_equal(Lane_init(&lane, &pump, "lane", 7), UF_OK);
    assert_int_equal(Lane_start_Chosen(&lane), UF_OK);
    run_until_idle();
    lane_is_destroyed("nothing");
}

TEST(test_all_takes_elements)
{
    assert_int_equal(Lane_init(&lane, &pump, "lane", 2), UF_OK);
    assert_int_equal(Lane_start_Both(&lane), UF_OK);
    rounds(1);
    uf_signal_fire(&go[2]);
    rounds(2);
    assert_log("");
    uf_signal_fire(&go[0]);
    rounds(2);
    lane_is_destroyed("both");
}

TEST(test_fired_takes_the_address_of_an_element)
{
    assert_int_equal(Lane_init(&lane, &pump, "lane", 1), UF_OK);
    assert_int_equal(Lane_start_Fired(&lane), UF_OK);
    rounds(1);
    uf_signal_fire(&go[1]);
    rounds(2);
    lane_is_destroyed("fired");
}

TEST(test_a_handler_is_of_one_element)
{
    assert_int_equal(Handled_init(&handled, &pump, "handled"), UF_OK);
    assert_int_equal(Handled_start_Main(&handled), UF_OK);
    rounds(1);
    uf_signal_fire(&handled.stop[0]);
    uf_signal_fire(&handled.stop[2]);
    rounds(2);
    assert_log("");
    uf_signal_fire(&handled.stop[3]);
    rounds(2);
    uf_signal_fire(&go[0]);
    rounds(2);
    uf_signal_fire(&handled.stop[1]);
    rounds(3);
    assert_log("third zero parked");
    assert_int_equal(Handled_destroy(&handled), UF_OK);
}

TEST(test_all_elements_have_the_name_of_the_array)
{
    assert_int_equal(Handled_init(&handled, &pump, "handled"), UF_OK);
    for (int i = 0; i < 4; i++) assert_string_equal(handled.stop[i].name, "stop");
    for (int i = 0; i < LANES; i++) assert_string_equal(go[i].name, "go");
    assert_int_equal(sizeof go / sizeof *go, 3);
    assert_int_equal(Handled_destroy(&handled), UF_OK);
}

TEST(test_a_flow_is_held_at_its_checkpoint_alone)
{
    assert_int_equal(Held_init(&held, &pump, "held", 1), UF_OK);
    assert_int_equal(Held_init(&watcher, &pump, "watcher", 1), UF_OK);
    uf_checkpoint_try_arm(&gate[1]);
    assert_int_equal(Held_start_Watch(&watcher), UF_OK);
    assert_int_equal(Held_start_Pass(&held), UF_OK);
    rounds(3);
    assert_log("seen");
    assert_int_equal(uf_checkpoint_resume(&gate[1]), 1);
    rounds(2);
    assert_log("seen passed 1");
    held.which = 0;
    assert_int_equal(Held_start_Pass(&held), UF_OK);
    rounds(2);
    assert_log("seen passed 1 passed 0");
    assert_int_equal(Held_destroy(&held), UF_OK);
    assert_int_equal(Held_destroy(&watcher), UF_OK);
}

TEST(test_arrived_takes_a_pointer_of_c_too)
{
    assert_int_equal(Held_init(&held, &pump, "held", 0), UF_OK);
    assert_int_equal(Held_init(&watcher, &pump, "watcher", 0), UF_OK);
    uf_checkpoint_try_arm(&gate[0]);
    assert_int_equal(Held_start_Pass(&held), UF_OK);
    assert_int_equal(Held_start_Pointed(&watcher), UF_OK);
    rounds(3);
    assert_log("pointed");
    uf_checkpoint_resume(&gate[0]);
    rounds(2);
    assert_int_equal(Held_destroy(&held), UF_OK);
    assert_int_equal(Held_destroy(&watcher), UF_OK);
}

TEST(test_checkpoints_of_a_flow)
{
    assert_int_equal(Held_init(&held, &pump, "held", 0), UF_OK);
    assert_int_equal(Held_start_Own(&held), UF_OK);
    rounds(2);
    assert_log("passed own");
    assert_int_equal(Held_destroy(&held), UF_OK);
}
