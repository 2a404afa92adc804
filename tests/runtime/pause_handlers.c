/* SPDX-License-Identifier: MIT */
/* pause_handlers.c - `on pause` and `on resume`, in virtual time. */
#include "harness.h"

#include "pause_handlers.h"

static Washer washer;
static Drum drum;
static Line line;
static uf_pause hold, second;

static int begin_flows(void **state)
{
    hold = second = (uf_pause){0};
    if (begin(state) != 0) return 1;
    assert_int_equal(Washer_init(&washer, &pump, "washer"), UF_OK);
    assert_int_equal(Drum_init(&drum, &pump, "drum"), UF_OK);
    assert_int_equal(Line_init(&line, &pump, "line"), UF_OK);
    return 0;
}

static void to(int ms)
{
    assert_int_equal(uf_simulate_until(&pump, UF_MS(ms)), UF_OK);
    rounds(2);
}

static void pause_drum_at(int ms)
{
    to(ms);
    assert_int_equal(uf_flow_pause(&drum.uf, &hold), UF_OK);
}

#define HANDLED(name) CASE_WITH(name, begin_flows, NULL)

HANDLED(they_run_at_the_pause_and_at_the_resume)
{
    Drum_start_Spin(&drum);
    pause_drum_at(30);
    assert_log("drum:stop");
    to(530);
    assert_int_equal(uf_flow_resume(&hold), UF_OK);
    assert_log("drum:stop drum:go(500)");
    to(600);
    assert_log("drum:stop drum:go(500) drum:exit(done)");
}

HANDLED(each_of_them_may_stand_alone)
{
    Drum_start_Brief(&drum);
    pause_drum_at(10);
    to(30);
    assert_int_equal(uf_flow_resume(&hold), UF_OK);
    assert_log("brief:20");
    uf_flow_cancel(&drum.uf);
    rounds(1);
    Drum_start_Silent(&drum);
    pause_drum_at(40);
    assert_int_equal(uf_flow_resume(&hold), UF_OK);
    assert_log("brief:20 silent");
}

HANDLED(a_task_that_was_not_entered_has_none)
{
    Drum_start_Spin(&drum);
    assert_int_equal(uf_flow_pause(&drum.uf, &hold), UF_OK);
    to(30);
    assert_int_equal(uf_flow_resume(&hold), UF_OK);
    assert_log("");
    to(140);
    assert_log("drum:exit(done)");
}

HANDLED(a_handler_of_the_task_is_taken_after_on_resume)
{
    Drum_start_Spin(&drum);
    pause_drum_at(30);
    uf_signal_fire(&drum.bump);
    to(100);
    assert_int_equal(uf_flow_resume(&hold), UF_OK);
    rounds(1);
    assert_log("drum:stop drum:go(70) drum:bumped");
}

HANDLED(a_cancel_has_no_on_resume)
{
    Drum_start_Spin(&drum);
    pause_drum_at(30);
    uf_flow_cancel(&drum.uf);
    rounds(1);
    assert_log("drum:stop drum:exit(cancelled)");
}

HANDLED(a_resume_after_a_cancel_has_none_either)
{
    Drum_start_Spin(&drum);
    pause_drum_at(30);
    uf_flow_cancel(&drum.uf);
    assert_int_equal(uf_flow_resume(&hold), UF_OK);
    rounds(1);
    assert_log("drum:stop drum:exit(cancelled)");
}

HANDLED(a_stop_has_no_on_resume)
{
    Washer_start_Wash(&washer);
    to(30);
    assert_int_equal(uf_flow_pause(&washer.uf, &hold), UF_OK);
    log_clear();
    assert_int_equal(uf_simulate_stop(&pump, UF_S(1), NULL), UF_OK);
    assert_log("drum:exit(cancelled) drain:exit(cancelled) washer:exit extra[0]:exit(cancelled)");
}

HANDLED(a_handler_of_the_flow_leaves_the_task_without_on_resume)
{
    Drum_start_Spin(&drum);
    pause_drum_at(30);
    uf_signal_fire(&drum.estop);
    rounds(1);
    assert_log("drum:stop drum:exit(became) drum:halt");
}

HANDLED(children_before_parents_and_parents_before_children)
{
    Washer_start_Wash(&washer);
    to(30);
    assert_int_equal(uf_flow_pause(&washer.uf, &hold), UF_OK);
    to(50);
    assert_int_equal(uf_flow_resume(&hold), UF_OK);
    assert_log("drum:stop drain:stop extra[0]:stop washer:stop washer:go(20) drum:go(20) drain:go(20) extra[0]:go(20)");
}

HANDLED(each_flow_has_them_once)
{
    Washer_start_Wash(&washer);
    to(30);
    assert_int_equal(uf_flow_pause(&washer.drum.uf, &second), UF_OK);
    to(40);
    assert_int_equal(uf_flow_pause(&washer.uf, &hold), UF_OK);
    assert_log("drum:stop drain:stop extra[0]:stop washer:stop");
    assert_int_equal(uf_flow_resume(&second), UF_OK); /* it stands with its parent */
    assert_log("drum:stop drain:stop extra[0]:stop washer:stop");
    to(50);
    log_clear();
    assert_int_equal(uf_flow_resume(&hold), UF_OK);
    assert_log("washer:go(10) drum:go(20) drain:go(10) extra[0]:go(10)");
}

HANDLED(the_order_at_a_handler_of_a_subtask)
{
    Washer_start_Wash(&washer);
    to(30);
    assert_int_equal(uf_flow_pause(&washer.uf, &hold), UF_OK);
    log_clear();
    uf_signal_fire(&washer.drum.estop);
    rounds(1);
    assert_log("drum:exit(became) washer:go(0) drain:go(0) extra[0]:go(0) drum:halt");
    assert_int_equal(uf_flow_resume(&hold), UF_STALE);
}

HANDLED(the_order_at_a_handler_of_the_root)
{
    Washer_start_Wash(&washer);
    to(30);
    assert_int_equal(uf_flow_pause(&washer.uf, &hold), UF_OK);
    log_clear();
    uf_signal_fire(&washer.quit);
    rounds(1);
    assert_log("drum:exit(cancelled) drain:exit(cancelled) washer:exit extra[0]:go(0) over");
}

HANDLED(handlers_pause_and_resume)
{
    Washer_start_Acts(&washer);
    to(30);
    assert_int_equal(uf_flow_pause(&washer.uf, &hold), UF_OK);
    to(50);
    assert_int_equal(uf_flow_resume(&hold), UF_OK);
    assert_log("inner:0 end:0");
    rounds(2);
    assert_log("inner:0 end:0 brief:20");
    to(121);
    assert_int_equal(uf_flow_outcome(&washer.uf), UF_DONE);
}

HANDLED(on_pause_cannot_fail_its_flow)
{
    Washer_start_Fails(&washer);
    to(30);
    assert_int_equal(uf_flow_pause(&washer.uf, &hold), UF_OK);
    rounds(1);
    assert_log("fail:3");
    assert_int_equal(uf_flow_outcome(&washer.uf), UF_CANCELLED);
}

/* -- groups -------------------------------------------------------------------------------------------------------- */

static void pause_line_at(int ms)
{
    Line_start_Work(&line);
    to(ms);
    assert_int_equal(uf_flow_pause(&line.uf, &hold), UF_OK);
}

HANDLED(inside_out_at_the_pause_and_outside_in_at_the_resume)
{
    pause_line_at(30);
    assert_log("work:stop inner:stop outer:stop");
    to(50);
    log_clear();
    assert_int_equal(uf_flow_resume(&hold), UF_OK);
    assert_log("outer:go(20) inner:go(20) work:go");
}

HANDLED(the_timeout_of_a_group_keeps_what_remains)
{
    pause_line_at(150);
    to(500);
    assert_int_equal(uf_flow_resume(&hold), UF_OK);
    log_clear();
    to(600);
    assert_log("work:exit inner:exit late@550");
}

HANDLED(a_handler_of_an_outer_group_leaves_the_inner_one)
{
    pause_line_at(30);
    log_clear();
    to(50);
    uf_signal_fire(&line.outer_halt);
    rounds(1);
    assert_log("work:exit inner:exit outer:go(20) rest");
    assert_int_equal(uf_flow_resume(&hold), UF_STALE);
}

HANDLED(a_handler_of_the_inner_group_leaves_the_task)
{
    pause_line_at(30);
    log_clear();
    uf_signal_fire(&line.inner_halt);
    rounds(1);
    assert_log("work:exit outer:go(0) inner:go(0) next");
}

HANDLED(a_handler_of_the_flow_leaves_all_groups)
{
    pause_line_at(30);
    log_clear();
    uf_signal_fire(&line.estop);
    rounds(1);
    assert_log("work:exit inner:exit outer:exit off");
}
