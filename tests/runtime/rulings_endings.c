/* SPDX-License-Identifier: MIT */
/* rulings_endings.c - how runs and tasks end, and declarations; semantics 18 to 27. Semantics 26 is a warning and an
 * order that ufc ensures: tests/golden covers them. */
#include "harness.h"

#include "rulings.h"

#include <string.h>

TEST(test_18_values_first_then_children_then_on_exit_then_stored)
{
    Ending e;
    int value = 99;
    Ending_init(&e, &pump, "e");
    Ending_start_Value(&e);
    run_until_idle();
    assert_log("child exit:done");
    assert_true(Ending_result_Value(&e, &value));
    assert_int_equal(value, 0); /* on exit made it 1 */
    assert_int_equal(e.exits, 1);
    log_clear();
    Ending_start_Text(&e);
    run_until_idle();
    assert_log("child exit:failed");
    assert_string_equal(uf_flow_reason(&e.uf), "exits 1");
    log_clear();
    Ending_start_Became(&e);
    run_until_idle();
    assert_log("child exit:became next:2");
}

TEST(test_19_a_cancel_comes_before_arms_and_body)
{
    Job job;
    Log log;
    Job_init(&job, &pump, "job");
    Log_init(&log, &pump, "L");
    Job_start_Sleep(&job, 10);
    Log_start_Chain(&log, 3);
    rounds(1);
    uf_flow_cancel(&job.uf);
    uf_flow_cancel(&log.uf);
    uf_pump_round(&pump, UF_MS(10)); /* its timeout is due as well */
    assert_int_equal(uf_flow_outcome(&job.uf), UF_CANCELLED);
    assert_log("L3");
}

TEST(test_19_a_pending_cancel_survives_become)
{
    Cancelling c;
    Cancelling_init(&c, &pump, "c");
    Cancelling_start_OverBecome(&c);
    run_until_idle();
    assert_log("exit:became");
    assert_int_equal(uf_flow_outcome(&c.uf), UF_CANCELLED);
}

TEST(test_20_a_cancel_by_a_step_is_taken_at_the_victims_next_turn)
{
    Cancelling c;
    Job victim;
    Cancelling_init(&c, &pump, "c");
    Job_init(&victim, &pump, "v");
    c.victim = &victim.uf;
    Job_start_Noisy(&victim);
    rounds(1);
    Cancelling_start_Strike(&c);
    rounds(1);
    assert_log("v+ struck");
    rounds(1);
    assert_log("v+ struck v-cancelled");

    log_clear();
    Cancelling_start_SelfStrike(&c);
    run_until_idle();
    assert_log("one exit:cancelled");

    Cancelling_start_EndsFirst(&c);
    run_until_idle();
    assert_int_equal(uf_flow_outcome(&c.uf), UF_DONE);

    Cancelling_start_SelfPark(&c);
    rounds(2);
    assert_int_equal(uf_flow_outcome(&c.uf), UF_CANCELLED);
}

TEST(test_21_never_entered_means_no_on_enter_and_no_on_exit)
{
    Job job;
    Cancelling c;
    note_events();
    Job_init(&job, &pump, "j");
    Cancelling_init(&c, &pump, "c");
    Job_start_Noisy(&job);
    uf_flow_cancel(&job.uf);
    run_until_idle();
    assert_log("started:j j:Wait> ended:j(cancelled)cancelled");
    log_clear();
    Cancelling_start_OverBecome(&c);
    run_until_idle();
    assert_log("started:c exit:became c:S>S c:S> ended:c(cancelled)cancelled");
}

TEST(test_22_a_failure_from_below_wins_over_the_intent)
{
    FailingBelow f;
    int value = 99;
    FailingBelow_init(&f, &pump, "f");

    FailingBelow_start_Next(&f);
    run_until_idle();
    assert_log("rest"); /* the step runs to its end, the next one does not begin */
    assert_string_equal(uf_flow_reason(&f.uf), "from below");

    log_clear();
    FailingBelow_start_Done(&f);
    run_until_idle();
    assert_log("exit:failed");
    assert_int_equal(uf_flow_outcome(&f.uf), UF_FAILED);
    assert_false(FailingBelow_result_Done(&f, &value));

    log_clear();
    FailingBelow_start_Become(&f);
    run_until_idle();
    assert_log("exit:failed");

    FailingBelow_start_Fail(&f);
    run_until_idle();
    assert_string_equal(uf_flow_reason(&f.uf), "from below");
    FailingBelow_start_Stay(&f);
    run_until_idle();
    assert_string_equal(uf_flow_reason(&f.uf), "from below");
    FailingBelow_start_Twice(&f); /* the first one is kept */
    run_until_idle();
    assert_string_equal(uf_flow_reason(&f.uf), "from below");

    log_clear();
    FailingBelow_start_Wait(&f);
    run_until_idle();
    assert_string_equal(uf_flow_reason(&f.uf), "from below");
    assert_log("");
    assert_int_equal(uf_flow_outcome(&f.child.uf), UF_NEVER_RAN); /* not even started */
}

TEST(test_22_in_on_enter_and_on_exit)
{
    FailingBelow f;
    FailingBelow_init(&f, &pump, "f");
    FailingBelow_start_Enter(&f);
    run_until_idle();
    assert_log("exit:failed"); /* without the entry step */
    assert_string_equal(uf_flow_reason(&f.uf), "from below");

    log_clear();
    FailingBelow_start_Exit(&f);
    run_until_idle();
    assert_log("exit:done"); /* once, with the final outcome */
    assert_int_equal(uf_flow_outcome(&f.uf), UF_FAILED);
    assert_string_equal(uf_flow_reason(&f.uf), "from below");

    log_clear();
    FailingBelow_start_ExitBecome(&f);
    run_until_idle();
    assert_log("exit:became");
    assert_string_equal(uf_flow_reason(&f.uf), "from below");

    FailingBelow_start_ExitFailed(&f);
    run_until_idle();
    assert_string_equal(uf_flow_reason(&f.uf), "from above");
}

TEST(test_22_a_childs_on_exit_can_fail_its_parent)
{
    Ending e;
    int value = 99;
    Ending_init(&e, &pump, "e");
    e.child.parent = &e.uf;
    Ending_start_Value(&e);
    run_until_idle();
    assert_log("child exit:failed"); /* the values were computed, but are not stored */
    assert_false(Ending_result_Value(&e, &value));
    assert_string_equal(uf_flow_reason(&e.uf), "from below");
}

TEST(test_22_the_step_that_failed_is_the_one_that_is_reported)
{
    FailingBelow f;
    note_events();
    FailingBelow_init(&f, &pump, "f");
    FailingBelow_start_Next(&f);
    run_until_idle();
    assert_log("started:f rest f:S!from below f:S> ended:f(failed)from below");
}

TEST(test_23_on_exit_knows_the_outcome)
{
    Ending e;
    Ending_init(&e, &pump, "e");
    for (int how = 1; how <= 4; how++) {
        Ending_start_Outcome(&e, how);
        rounds(1);
        if (how == 3) uf_flow_cancel(&e.uf);
        run_until_idle();
    }
    assert_log("1 2 3 4 next:0");
}

TEST(test_23_running_from_the_start_on_and_busy_in_its_own_on_exit)
{
    Ending e;
    Ending_init(&e, &pump, "e");
    Ending_start_Again(&e);
    assert_true(uf_flow_running(&e.uf));
    assert_int_equal(uf_flow_outcome(&e.uf), UF_RUNNING);
    run_until_idle();
    assert_log("own busy");
    assert_int_equal(uf_flow_outcome(&e.uf), UF_DONE);
}

TEST(test_24_order_of_initialisation)
{
    Whole w;
    memset(&w, 0xA5, sizeof w);
    assert_int_equal(Whole_init(&w, &pump, "w", 5), UF_OK);
    assert_log("part:60 part:70 whole:0 63");
    assert_int_equal(w.list[1], 2);
    log_clear();
    Whole_start_Run(&w);
    w.last = 8; /* task state is initialised at the first turn */
    run_until_idle();
    assert_log("enter:8");
}

TEST(test_25_next_with_and_without_parentheses)
{
    uf_trace_entry entries[4];
    uf_trace trace;
    Whole w;
    Whole_init(&w, &pump, "w", 5);
    uf_trace_attach(&trace, &pump, &w.uf, entries, 4);
    Whole_start_Run(&w);
    run_until_idle();
    assert_int_equal(uf_trace_count(&trace), 3);
    assert_string_equal(uf_trace_at(&trace, 2)->step, "U");
}

TEST(test_27_accessors)
{
    Ending e;
    Whole w;
    int value = 99;
    Ending_init(&e, &pump, "e");
    Whole_init(&w, &pump, "w", 5);
    assert_false(Whole_result_Other(&w, &value));
    Whole_start_Other(&w);
    assert_false(Whole_result_Other(&w, &value)); /* not while it runs */
    assert_int_equal(Whole_destroy(&w), UF_BUSY);
    run_until_idle();
    assert_true(Whole_result_Other(&w, &value));
    assert_int_equal(value, 5);
    Whole_start_Run(&w);
    run_until_idle();
    assert_false(Whole_result_Other(&w, &value)); /* not the task of the last run */

    Ending_start_Value(&e);
    rounds(2);
    assert_int_equal(Ending_destroy(&e), UF_BUSY); /* a sub-flow runs too */
    uf_flow_cancel(&e.uf);
    run_until_idle();
    assert_int_equal(Ending_destroy(&e), UF_OK);
    assert_int_equal(Whole_destroy(&w), UF_OK);
    assert_int_equal(uf_pump_destroy(&pump), UF_OK); /* the sub-flows ended with them */
}
