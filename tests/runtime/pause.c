/* SPDX-License-Identifier: MIT */
/* pause.c - pauses of flows, in virtual time, as far as pause.uflow has no test of them. */
#include "harness.h"

#include <stdio.h>
#include <string.h>

#include "uflow/dump.h"

#include "pause.h"

static Waiter one, two;
static Tree tree;
static uf_pause hold, second;

static int begin_one(void **state)
{
    hold = second = (uf_pause){0};
    if (begin(state) != 0) return 1;
    assert_int_equal(Waiter_init(&one, &pump, "one"), UF_OK);
    assert_int_equal(Waiter_init(&two, &pump, "two"), UF_OK);
    assert_int_equal(Tree_init(&tree, &pump, "tree"), UF_OK);
    return 0;
}

/* Rounds before this time, and at it. */
static void to(int ms)
{
    assert_int_equal(uf_simulate_until(&pump, UF_MS(ms)), UF_OK);
    rounds(2);
}

static void pause_at(int ms)
{
    to(ms);
    assert_int_equal(uf_flow_pause(&one.uf, &hold), UF_OK);
}

static void resume_at(int ms)
{
    to(ms);
    assert_int_equal(uf_flow_resume(&hold), UF_OK);
}

/* -- what stands --------------------------------------------------------------------------------------------------- */

#define IN_TIME(name) CASE_WITH(name, begin_one, NULL)

IN_TIME(a_timer_that_is_due_at_the_pause_decides_after_the_resume)
{
    Waiter_start_Time(&one);
    rounds(1);
    assert_int_equal(uf_simulate_until(&pump, UF_MS(100)), UF_OK);
    assert_int_equal(uf_flow_pause(&one.uf, &hold), UF_OK);
    to(300);
    assert_log("");
    assert_int_equal(uf_flow_resume(&hold), UF_OK);
    rounds(1);
    assert_log("one:late@300");
}

IN_TIME(real_timeouts_go_on)
{
    Waiter_start_Reals(&one);
    Waiter_start_GuardedReal(&two);
    to(50);
    assert_int_equal(uf_flow_pause(&two.uf, &second), UF_OK);
    pause_at(50);
    to(300);
    assert_log("");
    assert_int_equal(uf_flow_resume(&second), UF_OK);
    resume_at(300);
    to(2000);
    assert_log("two:real@300 one:real@300");
}

/* -- what goes on -------------------------------------------------------------------------------------------------- */

IN_TIME(a_message_that_is_kept_stays_kept)
{
    int value;
    assert_int_equal(Waiter_mail_send(&one, 1), UF_OK);
    Waiter_start_Both(&one);
    rounds(1);
    assert_int_equal(uf_flow_pause(&one.uf, &hold), UF_OK);
    to(500);
    assert_false(Waiter_mail_receive(&one, &value));
    assert_int_equal(uf_flow_resume(&hold), UF_OK);
    to(1000);
    assert_log("one:took@500");
}

IN_TIME(a_flow_that_is_held_at_a_checkpoint_stands_there)
{
    assert_int_equal(uf_checkpoint_try_arm(&one.gate), UF_OK);
    Waiter_start_Stops(&one);
    pause_at(10);
    assert_int_equal(uf_checkpoint_state(&one.gate), UF_CHECKPOINT_HELD);
    uf_checkpoint_resume(&one.gate);
    to(20);
    assert_log("");
    resume_at(30);
    to(40);
    assert_log("one:passed@30");
}

IN_TIME(a_job_goes_on)
{
    static uf_seeded_pool workers;
    static uf_work works[2];
    uf_pump_config const config = {.pool = &workers.pool};
    assert_int_equal(uf_pool_seeded(&workers, works, 2, 1, UF_MS(10)), UF_OK);
    assert_int_equal(uf_pump_init(&pump, &config), UF_OK);
    assert_int_equal(Tree_init(&tree, &pump, "tree"), UF_OK);
    Tree_start_Works(&tree);
    rounds(1);
    assert_int_equal(uf_flow_pause(&tree.uf, &hold), UF_OK);
    to(400);
    assert_log("");
    resume_at(500);
    to(600);
    assert_log("result7 tree:worked@500");
}

/* -- what ends a pause --------------------------------------------------------------------------------------------- */

IN_TIME(a_handler_of_the_flow_ends_the_pause)
{
    Waiter_start_Guarded(&one);
    pause_at(50);
    uf_signal_fire(&one.go); /* waits, and is left with its task */
    to(100);
    uf_signal_fire(&one.quit);
    rounds(1);
    assert_log("one:exit@100 one:halt@100");
    assert_int_equal(uf_flow_resume(&hold), UF_STALE);
    assert_int_equal(uf_flow_pause(&one.uf, &hold), UF_OK); /* the record is free */
    assert_int_equal(uf_flow_paused_for(&one.uf), 0);
}

IN_TIME(a_handler_whose_signal_fired_before_the_pause_ends_it)
{
    Waiter_start_Guarded(&one);
    to(50);
    uf_signal_fire(&one.quit);
    assert_int_equal(uf_flow_pause(&one.uf, &hold), UF_OK);
    rounds(1);
    assert_log("one:exit@50 one:halt@50");
    assert_int_equal(uf_flow_resume(&hold), UF_STALE);
}

IN_TIME(a_cancel_ends_the_pause)
{
    Waiter_start_Guarded(&one);
    pause_at(50);
    to(100);
    uf_flow_cancel(&one.uf);
    rounds(1);
    assert_log("one:exit@100");
    assert_int_equal(uf_flow_outcome(&one.uf), UF_CANCELLED);
    assert_int_equal(uf_flow_resume(&hold), UF_STALE);
    Waiter_start_Time(&one); /* a new run does not stand */
    to(300);
    assert_log("one:exit@100 one:late@200");
}

IN_TIME(a_stop_does_not_wait_for_a_run_that_stands)
{
    uf_stop_report report;
    Waiter_start_Guarded(&one);
    pause_at(50);
    assert_int_equal(uf_simulate_stop(&pump, UF_S(10), &report), UF_OK);
    assert_log("one:exit@50");
    assert_int_equal(report.cancelled, 1);
    assert_int_equal(uf_flow_resume(&hold), UF_STALE);
}

IN_TIME(a_stop_does_not_wait_for_what_is_paused_later)
{
    uf_stop stop;
    Waiter_start_Guarded(&one);
    Tree_start_Run(&tree);
    to(50);
    assert_int_equal(uf_pump_stop(&pump, &stop, UF_S(10)), UF_OK);
    rounds(2);
    assert_true(uf_flow_running(&one.uf));
    assert_int_equal(uf_flow_pause(&one.uf, &hold), UF_OK);
    assert_int_equal(uf_flow_pause(&tree.uf, &second), UF_OK);
    rounds(5);
    assert_true(uf_pump_stopped(&pump));
    assert_int_equal(stop.report.cut_off, 0);
}

IN_TIME(a_stop_waits_for_a_run_that_was_resumed)
{
    uf_stop stop;
    Waiter_start_Time(&one);
    Waiter_start_Both(&two);
    pause_at(50);
    assert_int_equal(uf_pump_stop(&pump, &stop, UF_S(10)), UF_OK);
    assert_int_equal(uf_flow_resume(&hold), UF_OK);
    to(160);
    assert_log("two:late@100 one:late@100");
    assert_true(uf_pump_stopped(&pump));
}

/* -- subtrees ------------------------------------------------------------------------------------------------------ */

IN_TIME(what_a_flow_runs_stands_with_it)
{
    Tree_start_Run(&tree);
    to(50);
    assert_int_equal(uf_flow_pause(&tree.uf, &hold), UF_OK);
    to(500);
    assert_log("aside:beat@0");
    assert_int_equal(uf_flow_paused_for(&tree.first.uf), UF_MS(450));
    assert_int_equal(uf_flow_paused_for(&tree.aside.uf), UF_MS(450));
    assert_int_equal(uf_flow_paused_for(&Tree_others_at(&tree, 0)->uf), UF_MS(450));
    assert_int_equal(uf_flow_paused_for(&one.uf), -1);
    resume_at(500);
    assert_int_equal(uf_flow_paused_for(&tree.first.uf), -1);
    to(551);
    assert_log("aside:beat@0 first:late@550 second:late@550 second:exit@550 aside:beat@550 others[0]:late@550 "
               "tree:end@550 tree:exit@550");
}

IN_TIME(a_member_that_is_spawned_meanwhile_stands)
{
    Tree_start_Run(&tree);
    to(50);
    assert_int_equal(uf_flow_pause(&tree.uf, &hold), UF_OK);
    assert_int_equal(Tree_others_spawn_Times(&tree), UF_OK);
    to(200);
    assert_string_equal(uf_flow_step(&Tree_others_at(&tree, 1)->uf), "Begin");
    assert_int_equal(uf_flow_paused_for(&Tree_others_at(&tree, 1)->uf), UF_MS(150));
    resume_at(200);
    to(220);
    assert_int_equal(uf_flow_step_elapsed(&Tree_others_at(&tree, 1)->uf), UF_MS(20));
}

IN_TIME(a_flow_stands_until_both_pauses_are_over)
{
    Tree_start_Run(&tree);
    to(50);
    assert_int_equal(uf_flow_pause(&tree.uf, &hold), UF_OK);
    assert_int_equal(uf_flow_pause(&tree.first.uf, &second), UF_OK);
    resume_at(500);
    to(600);
    assert_log("aside:beat@0 second:late@550 second:exit@550 aside:beat@550 others[0]:late@550");
    assert_int_equal(uf_flow_paused_for(&tree.first.uf), UF_MS(550));
    assert_int_equal(uf_flow_resume(&second), UF_OK);
    to(651);
    assert_log("aside:beat@0 second:late@550 second:exit@550 aside:beat@550 others[0]:late@550 aside:beat@650 "
               "first:late@650 tree:end@650 tree:exit@650");
}

IN_TIME(the_inner_pause_may_end_first)
{
    Tree_start_Run(&tree);
    to(50);
    assert_int_equal(uf_flow_pause(&tree.first.uf, &second), UF_OK);
    to(60);
    assert_int_equal(uf_flow_pause(&tree.uf, &hold), UF_OK);
    assert_int_equal(uf_flow_resume(&second), UF_OK);
    assert_int_equal(uf_flow_pause(&tree.first.uf, &second), UF_OK); /* again */
    assert_int_equal(uf_flow_resume(&second), UF_OK);
    to(300);
    assert_log("aside:beat@0");
    assert_int_equal(uf_flow_step_elapsed(&tree.first.uf), UF_MS(50));
    resume_at(300);
    to(500);
    assert_log("aside:beat@0 second:late@340 second:exit@340 aside:beat@340 others[0]:late@340 first:late@350 "
               "tree:end@350 tree:exit@350");
}

IN_TIME(a_handler_of_a_subtask_ends_the_pause_of_all)
{
    Tree_start_Run(&tree);
    to(50);
    assert_int_equal(uf_flow_pause(&tree.uf, &hold), UF_OK);
    to(100);
    uf_signal_fire(&tree.second.quit);
    to(120);
    assert_log("aside:beat@0 second:exit@100 second:halt@100");
    assert_int_equal(uf_flow_resume(&hold), UF_STALE);
    assert_int_equal(uf_flow_paused_for(&tree.first.uf), -1);
    to(160);
    assert_log("aside:beat@0 second:exit@100 second:halt@100 first:late@150 aside:beat@150 others[0]:late@150");
}

IN_TIME(a_handler_of_the_root_leaves_its_subtasks)
{
    Tree_start_Run(&tree);
    to(50);
    assert_int_equal(uf_flow_pause(&tree.second.uf, &second), UF_OK);
    assert_int_equal(uf_flow_pause(&tree.uf, &hold), UF_OK);
    to(100);
    uf_signal_fire(&tree.quit);
    to(200);
    assert_log("aside:beat@0 second:exit@100 tree:exit@100 tree:over@100 others[0]:late@150");
    assert_int_equal(uf_flow_resume(&hold), UF_STALE);
    assert_int_equal(uf_flow_resume(&second), UF_STALE);
}

IN_TIME(a_subtask_may_be_cancelled_in_the_pause)
{
    Tree_start_Run(&tree);
    to(50);
    assert_int_equal(uf_flow_pause(&tree.uf, &hold), UF_OK);
    uf_flow_cancel(&tree.second.uf);
    to(100);
    assert_log("aside:beat@0 second:exit@50");
    assert_int_equal(uf_flow_outcome(&tree.second.uf), UF_CANCELLED);
    resume_at(200);
    rounds(2);
    assert_string_equal(uf_flow_reason(&tree.uf), "second.Guarded: cancelled");
}

IN_TIME(members_go_on_without_their_owner)
{
    Tree_start_Run(&tree);
    to(50);
    assert_int_equal(uf_flow_pause(&tree.uf, &hold), UF_OK);
    to(200);
    uf_flow_cancel(&tree.uf);
    to(300);
    assert_log("aside:beat@0 second:exit@200 tree:exit@200 others[0]:late@250");
}

/* -- the functions ------------------------------------------------------------------------------------------------- */

IN_TIME(the_statuses)
{
    uf_pause third = {0};
    assert_int_equal(uf_flow_pause(NULL, &hold), UF_INVALID);
    assert_int_equal(uf_flow_pause(&one.uf, NULL), UF_INVALID);
    assert_int_equal(uf_flow_resume(NULL), UF_INVALID);
    assert_int_equal(uf_flow_pause(&(uf_flow){0}, &hold), UF_INVALID);
    assert_int_equal(uf_flow_pause(&one.uf, &hold), UF_STALE);
    assert_int_equal(uf_flow_resume(&hold), UF_STALE);
    Waiter_start_Time(&one);
    Waiter_start_Time(&two);
    assert_int_equal(uf_flow_pause(&one.uf, &hold), UF_OK); /* before its first turn */
    assert_int_equal(uf_flow_pause(&one.uf, &hold), UF_BUSY);
    assert_int_equal(uf_flow_pause(&two.uf, &hold), UF_BUSY);
    assert_int_equal(uf_flow_pause(&one.uf, &third), UF_BUSY);
    assert_int_equal(uf_flow_resume(&third), UF_STALE);
    assert_int_equal(uf_flow_now(&one.uf), uf_pump_now(&pump));
    assert_int_equal(uf_flow_resume(&hold), UF_OK);
    assert_int_equal(uf_flow_resume(&hold), UF_STALE);
    to(150);
    assert_log("one:late@100 two:late@100");
}

IN_TIME(a_loop_of_steps_stands)
{
    Waiter_start_Loop(&one);
    rounds(2);
    assert_int_equal(uf_flow_pause(&one.uf, &hold), UF_OK);
    rounds(3);
    assert_log("turn1 turn2");
    assert_int_equal(uf_flow_resume(&hold), UF_OK);
    rounds(1);
    assert_log("turn1 turn2 turn3");
}

IN_TIME(a_dump_shows_it)
{
    char text[512] = "";
    FILE *const out = tmpfile();
    Waiter_start_Guarded(&one);
    pause_at(40);
    to(100);
    assert_non_null(out);
    assert_int_equal(uf_pump_dump(&pump, out), UF_OK);
    rewind(out);
    text[fread(text, 1, sizeof text - 1, out)] = '\0';
    fclose(out);
    assert_non_null(strstr(text, "one  Guarded.Wait:55  #00  for 40.00ms  paused for 60.00ms\n"
                                 "    waits: timeout in 960.00ms\n"
                                 "    task: on go\n"
                                 "    task: on timeout in 60.00ms\n"));
}

IN_TIME(a_simulation_of_flows_that_stand_is_blocked)
{
    Waiter_start_Time(&one);
    Waiter_start_Stays(&two);
    pause_at(50);
    assert_int_equal(uf_flow_pause(&two.uf, &second), UF_OK);
    assert_int_equal(uf_simulate_until_idle(&pump, UF_FOREVER), UF_BLOCKED);
    assert_int_equal(uf_simulate_until_end(&pump, uf_flow_this_run(&one.uf), UF_FOREVER), UF_BLOCKED);
    assert_int_equal(uf_flow_resume(&second), UF_OK);
    assert_int_equal(uf_simulate_until_end(&pump, uf_flow_this_run(&two.uf), UF_FOREVER), UF_OK);
}
