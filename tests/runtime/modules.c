/* SPDX-License-Identifier: MIT */
/* modules.c - modules, tasks and steps. */
#include "harness.h"

#include "modules.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

TEST(test_A1_flows_run_in_the_order_of_their_start)
{
    Ticker a, b, c;
    assert_int_equal(Ticker_init(&a, &pump, "a"), UF_OK);
    assert_int_equal(Ticker_init(&b, &pump, "b"), UF_OK);
    assert_int_equal(Ticker_init(&c, &pump, "c"), UF_OK);
    assert_false(uf_flow_running(&a.uf)); /* starts nothing */
    Ticker_start_Tick(&a, 3);
    Ticker_start_Tick(&b, 3);
    Ticker_start_Tick(&c, 3);
    run_until_idle();
    assert_log("a b c a b c a b c");
    assert_ptr_equal(uf_pump_next_flow(&pump, NULL), &a.uf);
    assert_ptr_equal(uf_pump_next_flow(&pump, &a.uf), &b.uf);
    assert_ptr_equal(uf_pump_next_flow(&pump, &c.uf), NULL);
}

TEST(test_A2_nothing_runs_after_construction)
{
    Ticker a;
    Ticker_init(&a, &pump, "a");
    rounds(3);
    assert_log("");
    assert_int_equal(uf_pump_running(&pump), 0);
}

TEST(test_A3_a_second_launch_is_busy_and_changes_nothing)
{
    Ticker a;
    Ticker_init(&a, &pump, "a");
    assert_int_equal(Ticker_start_Tick(&a, 2), UF_OK);
    assert_int_equal(Ticker_start_Tick(&a, 99), UF_BUSY);
    run_until_idle();
    assert_log("a a");
    assert_int_equal(a.uf.run, 1);
}

TEST(test_A4_the_entry_runs_in_a_round_after_the_launch)
{
    Ticker a;
    Ticker_init(&a, &pump, "a");
    Ticker_start_Tick(&a, 3);
    assert_log(""); /* not in the call that starts it */
    rounds(1);
    assert_log("a");
    rounds(1); /* it stayed: again in each round */
    assert_log("a a");
    rounds(1);
    assert_false(uf_flow_running(&a.uf));
}

TEST(test_A5_on_enter_once_per_entry_not_per_stay)
{
    Entering e;
    Entering_init(&e, &pump, "e");
    for (int i = 0; i < 3; i++) {
        assert_int_equal(Entering_start_Look(&e), UF_OK);
        run_until_idle();
    }
    assert_int_equal(e.enters, 3);
    assert_int_equal(e.looks, 3 * 6);
}

TEST(test_A6_arguments_of_next_are_bound_by_value)
{
    ByValue v;
    ByValue_init(&v, &pump, "v");
    ByValue_start_Hand(&v);
    rounds(1);
    v.source = 2;
    rounds(1);
    assert_log("1");
}

TEST(test_A8_flow_state_is_durable_task_state_is_of_a_run)
{
    Durable d;
    Durable_init(&d, &pump, "d");
    Durable_start_Count(&d);
    run_until_idle();
    Durable_start_Count(&d);
    run_until_idle();
    assert_log("run 1, steps 2 run 2, steps 2");
}

static void note_description(void *context, const uf_flow *flow, const uf_step_change *change)
{
    (void)context;
    (void)flow;
    log_note("%s'%s'", change->from, change->description);
}

TEST(test_A9_the_last_describe_is_shown_once)
{
    uf_observer observer = {.step_changed = note_description};
    Talker t;
    assert_int_equal(uf_pump_add_observer(&pump, &observer), UF_OK);
    Talker_init(&t, &pump, "t");
    Talker_start_Talk(&t);
    assert_string_equal(uf_flow_description(&t.uf), "");
    run_until_idle();
    assert_log("One'second 2' Two'' Three'third' Four''");
    assert_string_equal(uf_flow_description(&t.uf), "");
}

/* By a peer, a post or the program itself, between the turns of the flow that it describes. */
TEST(A9_another_flow_is_described)
{
    uf_observer observer = {.step_changed = note_description};
    Talker talker;
    Ticker mute;
    uf_pump_add_observer(&pump, &observer);
    Talker_init(&talker, &pump, NULL);
    Ticker_init(&mute, &pump, "mute");
    assert_int_equal(uf_flow_describe(&talker.uf, "%d", 0), UF_STALE); /* idle */
    assert_int_equal(uf_flow_describe(&mute.uf, "no room"), UF_INVALID);
    assert_int_equal(uf_flow_describe(NULL, "no flow"), UF_INVALID);
    Talker_start_Talk(&talker);
    rounds(1);
    assert_int_equal(uf_flow_describe(&talker.uf, "%s %.1f", "by a peer", 2.5), UF_OK);
    assert_string_equal(uf_flow_description(&talker.uf), "by a peer 2.5");
    run_until_idle();
    assert_log("One'second 2' Two'by a peer 2.5' Three'third' Four''");
    assert_int_equal(uf_flow_describe(&talker.uf, "late"), UF_STALE);
}

TEST(without_a_name_it_has_that_of_its_type)
{
    Talker talker;
    assert_int_equal(Talker_init(&talker, &pump, NULL), UF_OK);
    assert_string_equal(uf_flow_name(&talker.uf), "Talker");
    assert_int_equal(Talker_init(&talker, NULL, NULL), UF_INVALID);
}

TEST(test_A9_a_description_is_cleared_also_if_nobody_looks_on)
{
    Talker t;
    Talker_init(&t, &pump, "t");
    Talker_start_Talk(&t);
    rounds(3);
    assert_string_equal(uf_flow_step(&t.uf), "Four");
    assert_string_equal(uf_flow_description(&t.uf), "");
}

TEST(test_A10_introspection)
{
    Path p;
    Path_init(&p, &pump, "walker");
    assert_string_equal(uf_flow_name(&p.uf), "walker");
    assert_false(uf_flow_running(&p.uf));
    assert_string_equal(uf_flow_task(&p.uf), "");
    assert_string_equal(uf_flow_step(&p.uf), "");
    assert_int_equal(uf_flow_ordinal(&p.uf), -1);
    assert_int_equal(uf_flow_line(&p.uf), 0);

    Path_start_Walk(&p); /* from the start on */
    assert_true(uf_flow_running(&p.uf));
    assert_string_equal(uf_flow_task(&p.uf), "Walk");
    assert_string_equal(uf_flow_step(&p.uf), "A");
    assert_int_equal(uf_flow_ordinal(&p.uf), 0);
    assert_true(uf_flow_line(&p.uf) > 0);
    rounds(1);
    assert_string_equal(uf_flow_step(&p.uf), "B");
    assert_int_equal(uf_flow_ordinal(&p.uf), 1);
    rounds(2);
    assert_string_equal(uf_flow_step(&p.uf), "B");
    assert_int_equal(uf_flow_ordinal(&p.uf), 1);
    rounds(1);
    assert_string_equal(uf_flow_step(&p.uf), "C");
    assert_int_equal(uf_flow_ordinal(&p.uf), 2);
    rounds(1);
    assert_string_equal(uf_flow_step(&p.uf), "");
    assert_int_equal(uf_flow_ordinal(&p.uf), -1);
}

TEST(test_A11_trajectory_of_a_run)
{
    uf_trace_entry entries[8];
    uf_trace trace;
    Path p, other;
    Path_init(&p, &pump, "p");
    Path_init(&other, &pump, "other");
    assert_int_equal(uf_trace_attach(&trace, &pump, &p.uf, entries, 8), UF_OK);
    assert_int_equal(uf_trace_attach(&trace, &pump, &p.uf, entries, 8), UF_BUSY);
    for (int run = 0; run < 2; run++) { /* the second one starts from zero */
        Path_start_Walk(&p);
        Path_start_Walk(&other);
        run_until_idle();
        assert_int_equal(uf_trace_count(&trace), 3);
        assert_string_equal(uf_trace_at(&trace, 0)->step, "A");
        assert_int_equal(uf_trace_at(&trace, 0)->ticks, 1);
        assert_string_equal(uf_trace_at(&trace, 1)->step, "B");
        assert_int_equal(uf_trace_at(&trace, 1)->ticks, 3);
        assert_int_equal(uf_trace_at(&trace, 1)->elapsed, UF_MS(40)); /* two stays */
        assert_int_equal(uf_trace_at(&trace, 1)->wall, UF_MS(40));
        assert_string_equal(uf_trace_at(&trace, 2)->step, "C");
        assert_int_equal(uf_trace_at(&trace, 2)->ticks, 1);
        assert_int_equal(uf_trace_at(&trace, 2)->ordinal, 2);
        assert_null(uf_trace_at(&trace, 3));
    }
    assert_int_equal(uf_trace_detach(&trace, &pump), UF_OK);
    assert_int_equal(uf_trace_detach(&trace, &pump), UF_INVALID);
    assert_string_equal(uf_trace_at(&trace, 2)->step, "C");
}

TEST(test_A11_a_full_trace_keeps_the_latest_steps)
{
    uf_trace_entry entries[4];
    uf_trace trace;
    Path p, q;
    Path_init(&p, &pump, "p");
    Path_init(&q, &pump, "q");
    assert_int_equal(uf_trace_attach(&trace, &pump, NULL, entries, 4), UF_OK);
    Path_start_Walk(&p);
    Path_start_Walk(&q);
    run_until_idle();
    assert_int_equal(uf_trace_count(&trace), 4);
    assert_int_equal(uf_trace_lost(&trace), 2);
    assert_string_equal(uf_trace_at(&trace, 0)->step, "B");
    assert_ptr_equal(uf_trace_at(&trace, 0)->flow, &p.uf);
    assert_string_equal(uf_trace_at(&trace, 3)->step, "C");
    assert_ptr_equal(uf_trace_at(&trace, 3)->flow, &q.uf);
    assert_int_equal(uf_trace_detach(&trace, &pump), UF_OK);
}

TEST(test_A12_a_failed_check_ends_its_flow_and_no_other)
{
    Checked bad, good;
    note_events();
    Checked_init(&bad, &pump, "bad");
    Checked_init(&good, &pump, "good");
    Checked_start_Check(&bad, 0);
    Checked_start_Check(&good, 1);
    run_until_idle();
    assert_int_equal(uf_flow_outcome(&bad.uf), UF_FAILED);
    assert_non_null(strstr(uf_flow_reason(&bad.uf), "check failed: value > 0"));
    assert_int_equal(uf_flow_outcome(&good.uf), UF_DONE);
    /* thrown, then changed, then ended: the intent has no effect */
    char const *const thrown = strstr(log_text(), "bad:Act!"), *const changed = strstr(log_text(), "bad:Act> ");
    assert_true(thrown && changed && strstr(log_text(), "ended:bad(failed)"));
    assert_true(thrown < changed && changed < strstr(log_text(), "ended:bad(failed)"));
    assert_null(strstr(log_text(), "bad:Act>After"));
    assert_non_null(strstr(log_text(), "good:Act>After"));
}

TEST(test_A12_the_abort_policy_ends_the_process)
{
    Checked bad;
    int status = 0;
    Checked_init(&bad, &pump, "bad");
    uf_flow_set_failure_policy(&bad.uf, UF_FAIL_ABORT);
    pid_t const child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGABRT, SIG_DFL);
        (void)!freopen("/dev/null", "w", stderr);
        Checked_start_Check(&bad, 0);
        uf_simulate_until_idle(&pump, UF_S(1));
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGABRT);
}

TEST(test_A12_from_outside_of_a_step_nothing_can_be_failed)
{
    Checked c;
    Checked_init(&c, &pump, "c");
    assert_int_equal(uf_flow_fail(&c.uf, "no"), UF_INVALID);
    Checked_start_Check(&c, 1);
    assert_int_equal(uf_flow_fail(&c.uf, "no"), UF_INVALID);
    rounds(1);
    assert_int_equal(uf_flow_fail(&c.uf, "no"), UF_INVALID);
    run_until_idle();
    assert_int_equal(uf_flow_outcome(&c.uf), UF_DONE);
}

TEST(test_A13_the_outcome_stands_until_the_next_start)
{
    Failing f;
    Failing_init(&f, &pump, "f");
    assert_int_equal(uf_flow_outcome(&f.uf), UF_NEVER_RAN);
    assert_string_equal(uf_flow_reason(&f.uf), "");
    Failing_start_Fail(&f, 7);
    assert_int_equal(uf_flow_outcome(&f.uf), UF_RUNNING);
    run_until_idle();
    assert_int_equal(uf_flow_outcome(&f.uf), UF_FAILED);
    assert_string_equal(uf_flow_reason(&f.uf), "code 7");
    Failing_start_Fail(&f, 0);
    assert_int_equal(uf_flow_outcome(&f.uf), UF_RUNNING);
    assert_string_equal(uf_flow_reason(&f.uf), "");
    run_until_idle();
    assert_int_equal(uf_flow_outcome(&f.uf), UF_DONE);
    assert_string_equal(uf_flow_reason(&f.uf), "");
}

TEST(test_A14_a_busy_flow_is_not_destroyed)
{
    Ticker a;
    Ticker_init(&a, &pump, "a");
    Ticker_start_Tick(&a, 2);
    assert_int_equal(Ticker_destroy(&a), UF_BUSY);
    run_until_idle(); /* the flow still works */
    assert_log("a a");
    assert_int_equal(uf_pump_destroy(&pump), UF_BUSY);
    assert_int_equal(Ticker_destroy(&a), UF_OK);
    assert_int_equal(uf_pump_destroy(&pump), UF_OK);
    assert_int_equal(Ticker_start_Tick(&a, 2), UF_INVALID);
    assert_int_equal(Ticker_init(&a, &pump, "a"), UF_INVALID);
    assert_int_equal(uf_pump_init(&pump, NULL), UF_OK);
    assert_int_equal(Ticker_init(&a, &pump, "a"), UF_OK); /* both can be used again */
    assert_int_equal(Ticker_start_Tick(&a, 1), UF_OK);
    run_until_idle();
}

TEST(test_init_refuses_nulls_and_another_abi)
{
    uf_flow_type other = Ticker_type;
    Ticker a = {0};
    assert_int_equal(uf_flow_init(&a.uf, &Ticker_type, NULL, "a"), UF_INVALID);
    assert_int_equal(uf_flow_init(&a.uf, NULL, &pump, "a"), UF_INVALID);
    other.abi = UF_ABI + 1;
    assert_int_equal(uf_flow_init(&a.uf, &other, &pump, "a"), UF_ABI_MISMATCH);
    assert_null(uf_pump_next_flow(&pump, NULL));
}
