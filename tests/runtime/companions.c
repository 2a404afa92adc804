/* SPDX-License-Identifier: MIT */
/* companions.c - `on timeout` and `with run`, in virtual time. */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

#include "uflow/dump.h"

#include "companions.h"

static Timed timed;
static Host host;

static void make_timed(uf_time limit)
{
    assert_int_equal(Timed_init(&timed, &pump, "timed", limit), UF_OK);
}

static void simulate(uf_time until)
{
    assert_int_equal(uf_simulate_until(&pump, until), UF_OK);
}

static void destroy_timed(void)
{
    (void)uf_flow_cancel(&timed.uf);
    rounds(1);
    assert_int_equal(Timed_destroy(&timed), UF_OK);
}

/* -- on timeout ---------------------------------------------------------------------------------------------------- */

TEST(it_counts_from_the_entry_over_all_steps)
{
    make_timed(UF_MS(10));
    simulate(UF_MS(3));
    assert_int_equal(Timed_start_Run(&timed), UF_OK);
    simulate(UF_MS(13));
    assert_log("D enter begin third"); /* after the fields, before `on enter` */
    simulate(UF_MS(13) + 1);
    assert_log("D enter begin third late");
    simulate(UF_S(60)); /* a step as target does not re-arm it */
    assert_log("D enter begin third late");
    destroy_timed();
}

TEST(a_handler_between_does_not_disturb_it)
{
    make_timed(UF_MS(10));
    assert_int_equal(Timed_start_Run(&timed), UF_OK);
    simulate(UF_MS(5));
    uf_signal_fire(&timed.nudge);
    simulate(UF_MS(10) + 1);
    assert_log("D enter begin nudged late");
    destroy_timed();
}

TEST(become_of_the_same_task_arms_it_again)
{
    make_timed(UF_MS(10));
    assert_int_equal(Timed_start_Run(&timed), UF_OK);
    simulate(UF_MS(7));
    uf_signal_fire(&timed.again);
    simulate(UF_MS(17));
    assert_log("D enter begin exit D enter begin third");
    simulate(UF_MS(17) + 1);
    assert_log("D enter begin exit D enter begin third late");
    destroy_timed();
}

TEST(one_of_nothing_comes_at_the_next_turn)
{
    for (int i = 0; i < 2; i++) {
        log_clear();
        make_timed(-i);
        assert_int_equal(Timed_start_Run(&timed), UF_OK);
        rounds(1);
        assert_log("D enter begin");
        rounds(1);
        assert_log("D enter begin late");
        destroy_timed();
    }
}

TEST(it_comes_before_the_arms_of_the_same_time)
{
    make_timed(0);
    assert_int_equal(Timed_start_At(&timed), UF_OK);
    run_until_idle();
    assert_log("late");
    destroy_timed();
}

TEST(a_task_that_never_waits_is_interrupted)
{
    make_timed(0);
    assert_int_equal(Timed_start_Walk(&timed), UF_OK);
    for (int i = 0; i < 9 && uf_flow_running(&timed.uf); i++) uf_pump_round(&pump, UF_MS(i));
    assert_int_equal(uf_pump_rounds(&pump), 4);
    assert_string_equal(uf_flow_reason(&timed.uf), "still walking in Two");
    assert_int_equal(Timed_start_Stand(&timed), UF_OK);
    run_until_idle();
    assert_int_equal(uf_flow_outcome(&timed.uf), UF_DONE);
    destroy_timed();
}

TEST(it_ends_with_its_task)
{
    make_timed(0);
    assert_int_equal(Timed_start_Leave(&timed), UF_OK);
    simulate(UF_S(60));
    assert_string_equal(uf_flow_task(&timed.uf), "Rest");
    assert_true(uf_pump_next_deadline(&pump) > UF_S(60)); /* that of Rest alone */
    destroy_timed();
    assert_true(uf_pump_next_deadline(&pump) == UF_FOREVER);
}

TEST(a_frozen_clock_holds_it)
{
    make_timed(UF_MS(10));
    assert_int_equal(Timed_start_Run(&timed), UF_OK);
    rounds(2);
    uf_pump_freeze(&pump);
    uf_pump_round(&pump, UF_S(1));
    assert_log("D enter begin");
    uf_pump_resume(&pump);
    assert_int_equal(uf_pump_set_scale(&pump, 0.5), UF_OK);
    uf_pump_round(&pump, UF_S(1) + UF_MS(19));
    rounds(3);
    assert_log("D enter begin");
    uf_pump_round(&pump, UF_S(1) + UF_MS(20));
    assert_log("D enter begin late");
    destroy_timed();
}

TEST(that_of_a_subtask_is_taken_away_with_it)
{
    static Outer outer;

    assert_int_equal(Outer_init(&outer, &pump, "outer"), UF_OK);
    assert_int_equal(Outer_start_Run(&outer), UF_OK);
    simulate(UF_MS(2));
    uf_flow_cancel(&outer.uf);
    rounds(1);
    assert_int_equal(uf_pump_running(&pump), 0);
    assert_true(uf_pump_next_deadline(&pump) == UF_FOREVER);
    assert_int_equal(Outer_start_Run(&outer), UF_OK);
    run_until_idle();
    assert_string_equal(uf_flow_reason(&outer.uf), "timed.Inner: inner");
    assert_int_equal(Outer_destroy(&outer), UF_OK);
}

TEST(a_shutdown_task_may_have_one)
{
    static Flusher flusher;
    uf_stop stop;

    assert_int_equal(Flusher_init(&flusher, &pump, "flusher"), UF_OK);
    assert_int_equal(Flusher_start_Serve(&flusher), UF_OK);
    rounds(2);
    assert_int_equal(uf_pump_stop(&pump, &stop, UF_S(2)), UF_OK);
    for (int i = 0; i < 40; i++) uf_pump_round(&pump, UF_MS(i));
    assert_true(uf_pump_stopped(&pump));
    assert_log("gave up");
    assert_int_equal(stop.report.shut_down, 1);
    assert_int_equal(Flusher_destroy(&flusher), UF_OK);
}

/* -- with run ------------------------------------------------------------------------------------------------------ */

static void make_host(void)
{
    assert_int_equal(Host_init(&host, &pump, "host"), UF_OK);
}

static void destroy_host(void)
{
    (void)uf_flow_cancel(&host.uf);
    rounds(2);
    assert_int_equal(Host_destroy(&host), UF_OK);
    assert_int_equal(uf_pump_running(&pump), 0);
}

static void host_runs(void)
{
    make_host();
    assert_int_equal(Host_start_Run(&host), UF_OK);
    rounds(3);
    assert_log("enter arg1 arg2 first(1) second(2)");
    log_clear();
}

TEST(they_end_before_on_exit)
{
    host_runs();
    uf_signal_fire(&host.quit);
    rounds(3);
    assert_log("-first first-end(cancelled) -second second-end(cancelled) exit(done)");
    destroy_host();
}

TEST(they_end_with_a_cancel)
{
    host_runs();
    uf_flow_cancel(&host.uf);
    rounds(1);
    assert_log("-first first-end(cancelled) -second second-end(cancelled) exit(cancelled)");
    destroy_host();
}

TEST(become_starts_them_again)
{
    host_runs();
    uf_signal_fire(&host.restart);
    rounds(5);
    assert_log("-first first-end(cancelled) -second second-end(cancelled) exit(became) "
               "enter arg1 arg2 first(1) second(2)");
    destroy_host();
}

TEST(a_failure_preempts_the_task)
{
    host_runs();
    uf_signal_fire(&host.first.give_up);
    rounds(5);
    assert_log("-first first-end(failed) lost(gave up after 1)"); /* the other one continues */
    assert_true(uf_flow_running(&host.second.uf));
    log_clear();
    uf_signal_fire(&host.second.give_up);
    rounds(5);
    assert_log("-second second-end(failed) exit(failed)");
    assert_string_equal(uf_flow_reason(&host.uf), "second.Hold: gave up after 2");
    destroy_host();
}

TEST(somebody_elses_cancel_is_a_failure)
{
    host_runs();
    uf_flow_cancel(&host.first.uf);
    rounds(5);
    assert_log("-first first-end(cancelled) lost(cancelled)");
    destroy_host();
}

TEST(the_end_of_a_companion_changes_nothing)
{
    host_runs();
    uint64_t const before = uf_pump_rounds(&pump);
    uf_signal_fire(&host.first.finish);
    simulate(UF_S(1));
    assert_log("-first first-end(done)");
    assert_true(uf_pump_rounds(&pump) <= before + 2);
    assert_string_equal(uf_flow_step(&host.uf), "Begin");
    log_clear();
    uf_signal_fire(&host.nudge);
    rounds(3);
    assert_log("nudged");
    destroy_host();
}

TEST(the_end_of_a_companion_does_not_run_a_body)
{
    make_host();
    assert_int_equal(Host_start_Brief(&host), UF_OK);
    simulate(UF_MS(10));
    assert_log("run1 first-end(done) second-end(done)");
    simulate(UF_MS(11));
    assert_log("run1 first-end(done) second-end(done) run2");
    destroy_host();
}

TEST(a_busy_companion_preempts_the_task)
{
    make_host();
    assert_int_equal(Helper_start_Hold(&host.first, 9), UF_OK);
    assert_int_equal(Host_start_Run(&host), UF_OK);
    rounds(5);
    assert_log("first(9) enter arg1 arg2 second(2) lost(busy)");
    log_clear();
    uf_signal_fire(&host.first.give_up); /* it is none of ours */
    rounds(3);
    assert_log("-first first-end(failed)");
    destroy_host();
}

TEST(the_last_companion_that_is_busy)
{
    make_host();
    assert_int_equal(Helper_start_Hold(&host.second, 9), UF_OK);
    assert_int_equal(Host_start_Run(&host), UF_OK);
    rounds(5);
    assert_log("second(9) enter arg1 arg2 first(1) -first first-end(cancelled) exit(failed)");
    assert_string_equal(uf_flow_reason(&host.uf), "second.Hold: busy");
    uf_flow_cancel(&host.second.uf);
    destroy_host();
}

TEST(after_a_failed_entry_none_starts)
{
    make_host();
    host.break_enter = true;
    assert_int_equal(Host_start_Run(&host), UF_OK);
    rounds(3);
    assert_log("enter exit(failed)");
    destroy_host();
}

TEST(a_run_of_a_companions_flow_is_busy)
{
    make_host();
    assert_int_equal(Host_start_Same(&host), UF_OK);
    rounds(4);
    assert_log("first(3) run:busy");
    uf_signal_fire(&host.first.finish);
    rounds(3);
    assert_log("first(3) run:busy -first first-end(done)");
    assert_true(uf_flow_running(&host.uf));
    destroy_host();
}

TEST(a_companion_that_is_done_can_run_again)
{
    make_host();
    assert_int_equal(Host_start_Reuse(&host), UF_OK);
    run_until_idle();
    assert_log("first-end(done) first-end(done) used5");
    destroy_host();
}

TEST(a_flow_does_not_accompany_itself)
{
    make_host();
    assert_int_equal(Host_start_Itself(&host), UF_OK);
    rounds(3);
    assert_string_equal(uf_flow_reason(&host.uf), "itself: busy");
    assert_int_equal(Host_start_Nobody(&host), UF_OK);
    rounds(3);
    assert_string_equal(uf_flow_reason(&host.uf), "Helper.Hold: invalid");
    destroy_host();
}

TEST(a_failed_companion_waits_for_its_task)
{
    host_runs();
    uf_signal_fire(&host.first.give_up);
    rounds(1);
    assert_log("-first first-end(failed)");
    assert_int_equal(Helper_destroy(&host.first), UF_BUSY); /* its reason has not been read */
    rounds(1);
    assert_log("-first first-end(failed) lost(gave up after 1)");
    destroy_host();
}

TEST(a_stop_lets_them_start)
{
    static Stopper stopper;
    uf_stop stop;

    assert_int_equal(Stopper_init(&stopper, &pump, "stopper"), UF_OK);
    assert_int_equal(Stopper_start_Serve(&stopper), UF_OK);
    rounds(3);
    assert_int_equal(uf_pump_stop(&pump, &stop, UF_S(2)), UF_OK);
    for (int i = 0; i < 40; i++) uf_pump_round(&pump, UF_MS(i));
    assert_true(uf_pump_stopped(&pump));
    assert_log("helper(1) -helper helper-end(cancelled) [stopping] helper(2) -helper helper-end(cancelled)");
    assert_int_equal(stop.report.shut_down, 1);
    assert_int_equal(Stopper_destroy(&stopper), UF_OK);
}

TEST(a_dump_shows_them)
{
    char text[512] = "";
    FILE *const out = tmpfile();

    assert_non_null(out);
    host_runs();
    assert_int_equal(uf_pump_dump(&pump, out), UF_OK);
    rewind(out);
    text[fread(text, 1, sizeof text - 1, out)] = '\0';
    fclose(out);
    assert_non_null(strstr(text, "    task: with run host.first\n"));
    assert_non_null(strstr(text, "    task: with run host.second\n"));
    destroy_host();
    make_timed(UF_MS(10));
    assert_int_equal(Timed_start_Run(&timed), UF_OK);
    rounds(2);
    FILE *const again = tmpfile();
    assert_non_null(again);
    assert_int_equal(uf_pump_dump(&pump, again), UF_OK);
    rewind(again);
    text[fread(text, 1, sizeof text - 1, again)] = '\0';
    fclose(again);
    assert_non_null(strstr(text, "    task: on timeout in 10.00ms\n"));
    destroy_timed();
}

/* -- long chains --------------------------------------------------------------------------------------------------- */

TEST(a_long_chain_ends_without_recursion)
{
    enum { LENGTH = 100000 };
    Link *const links = calloc(LENGTH, sizeof *links);
    int exits = 0;

    assert_non_null(links);
    for (int i = 0; i < LENGTH; i++) {
        assert_int_equal(Link_init(&links[i], &pump, "", i + 1 < LENGTH ? &links[i + 1] : NULL, &exits), UF_OK);
    }
    /* The last one has no companion: the one above it runs another task. */
    assert_int_equal(Link_start_Above_last(&links[LENGTH - 2]), UF_OK);
    rounds(3);
    assert_int_equal(uf_pump_running(&pump), 2);
    uf_flow_cancel(&links[LENGTH - 2].uf);
    rounds(1);
    assert_int_equal(exits, 2);
    exits = 0;
    assert_int_equal(Link_start_Last(&links[LENGTH - 1]), UF_OK); /* busy: the chain fails from its end */
    assert_int_equal(Link_start_Hold(&links[0]), UF_OK);
    rounds(LENGTH / 2);
    assert_int_equal(uf_pump_running(&pump), LENGTH / 2 + 2);
    uf_flow_cancel(&links[0].uf);
    rounds(1);
    assert_int_equal(uf_pump_running(&pump), 1);
    assert_int_equal(uf_flow_outcome(&links[0].uf), UF_CANCELLED);
    assert_true(links[0].left && links[LENGTH / 2 - 2].left);
    uf_flow_cancel(&links[LENGTH - 1].uf);
    rounds(1);
    for (int i = 0; i < LENGTH; i++) assert_int_equal(Link_destroy(&links[i]), UF_OK);
    free(links);
}

TEST(with_and_timeout_stay_names)
{
    static Names names;

    assert_int_equal(Names_init(&names, &pump, "names"), UF_OK);
    assert_int_equal(Names_start_Run(&names), UF_OK);
    rounds(1);
    assert_int_equal(names.with + names.timeout, 2);
    assert_int_equal(Names_destroy(&names), UF_OK);
}
