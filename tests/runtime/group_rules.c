/* SPDX-License-Identifier: MIT */
/* group_rules.c - handlers, timeouts and companions of groups. */
#include "harness.h"

#include "group_rules.h"

/* -- handlers ------------------------------------------------------------------------------------------------------ */

static Order order;

TEST(one_signal_in_several_places_goes_to_the_innermost)
{
    uf_status (*const starts[])(Order *) = {Order_start_Own, Order_start_Bare, Order_start_Middle, Order_start_Outside};

    assert_int_equal(Order_init(&order, &pump, "order"), UF_OK);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(starts[i](&order), UF_OK);
        rounds(2);
        (void)uf_signal_fire(&order.common);
        rounds(5);
    }
    assert_log("1 2 3 4");
    assert_int_equal(Order_destroy(&order), UF_OK);
}

TEST(due_in_one_round_the_inner_place_comes_first)
{
    assert_int_equal(Order_init(&order, &pump, "order"), UF_OK);
    assert_int_equal(Order_start_Own(&order), UF_OK);
    rounds(2);
    (void)uf_signal_fire(&order.of_outer);
    (void)uf_signal_fire(&order.of_inner);
    rounds(5);
    assert_int_equal(Order_start_Own(&order), UF_OK);
    rounds(2);
    (void)uf_signal_fire(&order.of_inner);
    (void)uf_signal_fire(&order.of_task);
    rounds(5);
    assert_log("2 1");
    assert_int_equal(Order_destroy(&order), UF_OK);
}

static Guarded guarded;

static void begin_guarded(void)
{
    assert_int_equal(Guarded_init(&guarded, &pump, "guarded"), UF_OK);
    assert_int_equal(Guarded_start_One(&guarded), UF_OK);
}

static void end_guarded(void)
{
    rounds(5);
    assert_int_equal(uf_flow_outcome(&guarded.uf), UF_DONE);
    assert_int_equal(Guarded_destroy(&guarded), UF_OK);
}

TEST(a_handler_counts_from_the_start_and_before_the_entry)
{
    begin_guarded();
    (void)uf_signal_fire(&guarded.halt);
    end_guarded();
    assert_log("halted:a"); /* never entered: neither `on enter` nor `on exit` */
}

TEST(a_handler_of_the_next_group_prevents_its_entry)
{
    begin_guarded();
    guarded.fire_at_exit = true; /* B counts from the become, and this is before it */
    rounds(2);
    (void)uf_signal_fire(&guarded.go);
    rounds(1);
    (void)uf_signal_fire(&guarded.alarm);
    end_guarded();
    assert_log("+a +one -one -a:became halted:b");
}

/* -- timeouts and companions --------------------------------------------------------------------------------------- */

static Timed timed;

static void begin_timed(void)
{
    assert_int_equal(Timed_init(&timed, &pump, "timed"), UF_OK);
    assert_int_equal(Timed_start_First(&timed), UF_OK);
}

static void after(uf_time time, uf_signal *signal)
{
    (void)uf_simulate_until(&pump, uf_pump_now(&pump) + time);
    if (signal) (void)uf_signal_fire(signal);
    rounds(3);
}

TEST(a_timeout_counts_from_the_entry_of_the_group)
{
    begin_timed();
    after(UF_S(4), &timed.move);
    after(UF_S(4), &timed.move);
    after(UF_S(4), NULL);
    assert_log("+busy !aide:cancelled -busy:became: late@10");
    assert_int_equal(Timed_destroy(&timed), UF_OK);
}

TEST(a_group_that_is_entered_again_begins_anew)
{
    begin_timed();
    after(UF_S(4), &timed.leave);
    after(UF_S(4), &timed.move);
    after(UF_S(9), &timed.move);
    after(UF_S(2), NULL);
    assert_log("+busy !aide:cancelled -busy:became: +busy !aide:cancelled -busy:became: late@18");
    assert_int_equal(Timed_destroy(&timed), UF_OK);
}

TEST(a_companion_outlives_a_become_and_may_fail_the_flow)
{
    begin_timed();
    after(UF_S(1), &timed.move);
    assert_true(uf_flow_running(&timed.aide.uf));
    (void)uf_signal_fire(&timed.aide.give_up);
    rounds(3);
    assert_log("+busy !aide:failed -busy:failed:aide.Help: gave up");
    assert_string_equal(uf_flow_reason(&timed.uf), "aide.Help: gave up");
    assert_int_equal(Timed_destroy(&timed), UF_OK);
}

/* -- subtasks, pools and stops ------------------------------------------------------------------------------------- */

static Parent parent;

#define CHILD_CANCELLED "!aide:cancelled -run:cancelled !aide:cancelled -work:cancelled"

static void begin_parent(void)
{
    assert_int_equal(Parent_init(&parent, &pump, "parent"), UF_OK);
    assert_int_equal(Parent_start_Wait(&parent), UF_OK);
    rounds(3);
}

TEST(a_subtask_that_is_cancelled_leaves_its_groups)
{
    begin_parent();
    after(UF_S(5), NULL);
    after(0, NULL);
    assert_log(CHILD_CANCELLED " -watch:slow");
    assert_int_equal(Parent_destroy(&parent), UF_OK);
}

TEST(a_member_of_a_pool_begins_outside_of_its_groups)
{
    assert_int_equal(Parent_init(&parent, &pump, "parent"), UF_OK);
    for (int i = 0; i < 3; i++) {
        log_clear();
        assert_int_equal(Parent_children_spawn_Run(&parent), UF_OK);
        rounds(3);
        assert_int_equal(Parent_children_cancel_all(&parent), UF_OK);
        rounds(3);
        assert_log(CHILD_CANCELLED);
    }
    assert_int_equal(Parent_destroy(&parent), UF_OK);
}

TEST(a_member_that_is_cancelled_at_once_has_entered_its_groups)
{
    assert_int_equal(Parent_init(&parent, &pump, "parent"), UF_OK);
    assert_int_equal(Parent_children_spawn_Run(&parent), UF_OK);
    assert_int_equal(Parent_children_cancel_all(&parent), UF_OK);
    rounds(3);
    assert_log("-run:cancelled -work:cancelled"); /* no companion has started */
    assert_int_equal(Parent_destroy(&parent), UF_OK);
}

TEST(a_stop_leaves_the_groups_before_the_shutdown_task)
{
    static uf_stop stop;
    begin_parent();
    assert_int_equal(uf_pump_stop(&pump, &stop, UF_S(1)), UF_OK);
    for (int i = 0; i < 50 && !uf_pump_stopped(&pump); i++) after(UF_MS(100), NULL);
    assert_log(CHILD_CANCELLED " -watch: park");
}

TEST(a_group_of_handlers_alone_costs_no_storage)
{
    assert_int_equal(sizeof(Grouped), sizeof(Alone));
}
