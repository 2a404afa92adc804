/* SPDX-License-Identifier: MIT */
/* endings.c - `on end`, and `reason` in `on exit`: the texts, the order, and what `on end` may not do. */
#include "harness.h"

#include "endings.h"

static Ending ending;

static void run_ending(int end)
{
    log_clear();
    assert_int_equal(Ending_init(&ending, &pump, "ending", end), UF_OK);
    assert_int_equal(Ending_start_Run(&ending), UF_OK);
    rounds(5);
    if (uf_flow_running(&ending.uf)) uf_flow_cancel(&ending.uf);
    rounds(1);
    assert_int_equal(Ending_destroy(&ending), UF_OK);
}

TEST(the_reason_is_that_of_the_failure)
{
    run_ending(0);
    assert_log("enter exit(done|) end(done|) runs");
    run_ending(1);
    assert_log("enter exit(failed|no bread left) end(failed|no bread left) runs");
    run_ending(2);
    assert_log("enter exit(failed|) end(failed|) runs");
    run_ending(3);
    assert_log("enter exit(became|) exit-next(done|) end(done|) runs");
    run_ending(4);
    assert_log("enter leaf-exit leaf-end(cancelled) exit(cancelled|) end(cancelled|) runs");
    run_ending(5);
    assert_log("enter exit(done|) end(failed|while closing) runs");
    run_ending(6);
    assert_log("enter leaf-end(failed) exit(failed|leaf.Break: leaf 3) end(failed|leaf.Break: leaf 3) runs");
    run_ending(7);
    assert_log("enter exit(cancelled|) end(cancelled|)");
}

TEST(a_run_that_was_never_entered_ends_too)
{
    assert_int_equal(Ending_init(&ending, &pump, "ending", 7), UF_OK);
    assert_int_equal(Ending_start_Run(&ending), UF_OK);
    uf_flow_cancel(&ending.uf);
    assert_log("");
    rounds(1);
    assert_log("end(cancelled|)");
    assert_int_equal(Ending_destroy(&ending), UF_OK);
    assert_log("end(cancelled|)");
}

TEST(each_run_ends_once)
{
    assert_int_equal(Ending_init(&ending, &pump, "ending", 7), UF_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(Ending_start_Next(&ending), UF_OK);
        rounds(3);
    }
    assert_log("exit-next(done|) end(done|) exit-next(done|) end(done|)");
    assert_int_equal(Ending_destroy(&ending), UF_OK);
}

TEST(a_local_may_be_named_reason)
{
    static Local local;

    assert_int_equal(Local_init(&local, &pump, "local"), UF_OK);
    assert_int_equal(Local_start_Run(&local), UF_OK);
    rounds(1);
    assert_log("done");
    assert_int_equal(Local_destroy(&local), UF_OK);
}

TEST(it_can_neither_fail_nor_start_the_flow)
{
    static Bold bold;

    assert_int_equal(Bold_init(&bold, &pump, "bold"), UF_OK);
    assert_int_equal(Bold_start_Run(&bold), UF_OK);
    rounds(3);
    assert_log("fail:invalid start:busy destroy:busy cancel:ok");
    assert_int_equal(uf_flow_outcome(&bold.uf), UF_DONE);
    assert_int_equal(uf_pump_running(&pump), 0);
    assert_int_equal(Bold_destroy(&bold), UF_OK);
}

TEST(it_comes_before_observers_and_those_who_wait)
{
    static Parent parent;

    note_events();
    assert_int_equal(Parent_init(&parent, &pump, "parent"), UF_OK);
    assert_int_equal(Parent_start_Run(&parent), UF_OK);
    rounds(5);
    assert_log("started:parent started:leaf leaf-end(failed) leaf:Begin> ended:leaf(failed)leaf 3 parent:Begin>Failed "
               "parent(leaf 3) parent:Failed> ended:parent(done)");
    assert_int_equal(Parent_destroy(&parent), UF_OK);
}

TEST(a_shutdown_task_ends_as_well)
{
    static Closer closer;
    uf_stop stop;

    assert_int_equal(Closer_init(&closer, &pump, "closer"), UF_OK);
    assert_int_equal(Closer_start_Serve(&closer), UF_OK);
    rounds(2);
    assert_int_equal(uf_pump_stop(&pump, &stop, UF_S(2)), UF_OK);
    for (int i = 0; i < 9; i++) uf_pump_round(&pump, UF_MS(i));
    assert_true(uf_pump_stopped(&pump));
    assert_log("close(1) flush close(0)");
    assert_int_equal(Closer_destroy(&closer), UF_OK);
}

TEST(end_stays_a_name)
{
    static Names names;

    assert_int_equal(Names_init(&names, &pump, "names"), UF_OK);
    assert_int_equal(Names_start_Run(&names), UF_OK);
    rounds(2);
    uf_signal_fire(&names.end);
    rounds(2);
    assert_int_equal(names.ends, 1);
    assert_int_equal(Names_destroy(&names), UF_BUSY);
    uf_flow_cancel(&names.uf);
    rounds(1);
    assert_log("ended");
    assert_int_equal(Names_destroy(&names), UF_OK);
}
