/* SPDX-License-Identifier: MIT */
/* launch.c - starting, waiting and cancelling, from one thread. */
#include "harness.h"

#include "launch.h"

static int started, ended;

static void count_started(void *context, const uf_flow *flow)
{
    (void)context;
    (void)flow;
    started++;
}

static void count_ended(void *context, const uf_flow *flow, const uf_flow_end *end)
{
    (void)context;
    (void)flow;
    (void)end;
    ended++;
}

TEST(test_C1_every_launch_that_is_ok_starts_and_ends_once)
{
    uf_observer counter = {.flow_started = count_started, .flow_ended = count_ended};
    Quick q;
    int ok = 0, busy = 0;
    started = ended = 0;
    uf_pump_add_observer(&pump, &counter);
    Quick_init(&q, &pump, "q");
    for (int i = 0; i < 1000; i++) {
        uf_status const status = Quick_start_Go(&q);
        if (status == UF_OK) ok++;
        else if (status == UF_BUSY) busy++;
        if (i % 3 == 0) rounds(1);
        if (i % 50 == 0) uf_flow_cancel(&q.uf);
    }
    run_until_idle();
    assert_int_equal(ok + busy, 1000);
    assert_true(ok >= 333 && busy > 0);
    assert_int_equal(started, ok);
    assert_int_equal(ended, ok);
    assert_int_equal(q.uf.run, ok);
}

TEST(test_C1_a_start_hands_out_the_handle_of_that_run)
{
    uf_run first, second;
    Quick q;
    Quick_init(&q, &pump, "q");
    assert_int_equal(Quick_start_run_Go(&q, &first), UF_OK);
    assert_int_equal(uf_run_outcome(first), UF_RUNNING);
    run_until_idle();
    assert_int_equal(uf_run_outcome(first), UF_DONE);
    assert_int_equal(uf_run_cancel(first), UF_STALE);
    assert_int_equal(Quick_start_run_Go(&q, &second), UF_OK);
    assert_int_equal(uf_run_outcome(first), UF_NEVER_RAN);
    assert_int_equal(uf_run_cancel(first), UF_STALE); /* no effect on the next run */
    run_until_idle();
    assert_int_equal(uf_run_outcome(second), UF_DONE);
    assert_int_equal(uf_run_outcome((uf_run){0}), UF_NEVER_RAN);
    assert_int_equal(uf_run_cancel((uf_run){0}), UF_INVALID);
}

TEST(test_zeroed_storage_is_an_idle_flow_that_never_ran)
{
    static Quick q;
    uf_flow_view view;
    char path[8] = "old";
    uf_flow_view_of(&q.uf, &view);
    assert_false(view.running);
    assert_int_equal(view.outcome, UF_NEVER_RAN);
    assert_int_equal(view.ordinal, -1);
    assert_string_equal(view.task, "");
    assert_string_equal(view.step, "");
    assert_string_equal(view.reason, "");
    assert_string_equal(view.description, "");
    assert_false(uf_flow_running(&q.uf));
    assert_int_equal(uf_flow_outcome(&q.uf), UF_NEVER_RAN);
    assert_string_equal(uf_flow_task(&q.uf), "");
    assert_string_equal(uf_flow_step(&q.uf), "");
    assert_int_equal(uf_flow_line(&q.uf), 0);
    assert_int_equal(uf_flow_ordinal(&q.uf), -1);
    assert_string_equal(uf_flow_reason(&q.uf), "");
    assert_string_equal(uf_flow_description(&q.uf), "");
    assert_string_equal(uf_flow_name(&q.uf), "");
    assert_int_equal(uf_flow_path(&q.uf, path, sizeof path), 0);
    assert_string_equal(path, "");
    assert_int_equal(uf_flow_step_elapsed(&q.uf), 0);
    assert_int_equal(uf_flow_cancel(&q.uf), UF_INVALID);
    assert_int_equal(uf_run_outcome(uf_flow_this_run(&q.uf)), UF_NEVER_RAN);
    assert_int_equal(uf_flow_fail(&q.uf, "no"), UF_INVALID);
    assert_int_equal(Quick_start_Go(&q), UF_INVALID);
    assert_int_equal(uf_flow_detach(&q.uf), UF_INVALID);
}

TEST(test_C2_launched_by_a_step_it_runs_in_the_next_round)
{
    Quick earlier, later;
    Launcher l;
    Quick_init(&earlier, &pump, "earlier");
    Launcher_init(&l, &pump, "l", &earlier, &later);
    Quick_init(&later, &pump, "later");
    Launcher_start_Go(&l);
    rounds(1);
    assert_log("own busy");
    rounds(1);
    assert_log("own busy earlier later");
}

TEST(test_C5_cancel_takes_effect_at_the_next_turn)
{
    Stuck s;
    note_events();
    Stuck_init(&s, &pump, "s");
    uf_flow_cancel(&s.uf); /* idle: no effect */
    rounds(1);
    Stuck_start_Wait(&s);
    rounds(1);
    uf_flow_cancel(&s.uf);
    uf_flow_cancel(&s.uf);
    assert_true(uf_flow_running(&s.uf));
    assert_int_equal(uf_pump_timeout(&pump), 0);
    rounds(1);
    assert_log("started:s exit cancelled s:Hang> ended:s(cancelled)cancelled");
    assert_int_equal(uf_flow_outcome(&s.uf), UF_CANCELLED);
    assert_string_equal(uf_flow_reason(&s.uf), "cancelled");
    assert_int_equal(uf_pump_next_deadline(&pump), UF_FOREVER); /* its timer is disarmed */
    Stuck_start_Poll(&s);                                       /* no effect on the next run */
    rounds(3);
    assert_true(uf_flow_running(&s.uf));
    uf_flow_cancel(&s.uf);
    rounds(1);
    assert_int_equal(s.exits, 2);
}

TEST(test_C5_cancel_ends_the_children_first)
{
    Parent p;
    Parent_init(&p, &pump, "p");
    Parent_start_Run(&p);
    rounds(3);
    assert_true(uf_flow_running(&p.child.uf));
    uf_flow_cancel(&p.uf);
    rounds(1);
    assert_log("exit cancelled parent cancelled");
    assert_int_equal(uf_pump_running(&pump), 0);
}

TEST(test_C5_cancel_by_handle)
{
    uf_run run;
    Stuck s;
    Stuck_init(&s, &pump, "s");
    assert_int_equal(Stuck_start_run_Wait(&s, &run), UF_OK);
    rounds(1);
    assert_int_equal(uf_run_cancel(run), UF_OK);
    rounds(1);
    assert_int_equal(uf_run_outcome(run), UF_CANCELLED);
    assert_int_equal(uf_run_cancel(run), UF_STALE);
}

TEST(test_C6_cancel_all)
{
    Stuck a, b;
    Parent p;
    Stuck_init(&a, &pump, "a");
    Stuck_init(&b, &pump, "b");
    Parent_init(&p, &pump, "p");
    Stuck_start_Wait(&a);
    Stuck_start_Poll(&b);
    Parent_start_Run(&p);
    rounds(2);
    assert_int_equal(uf_pump_running(&pump), 4);
    uf_pump_cancel_all(&pump);
    rounds(1);
    assert_int_equal(uf_pump_running(&pump), 0);
    assert_int_equal(a.exits + b.exits + p.child.exits, 3);
}

TEST(test_C7_a_cooperative_stop_is_seen_at_the_next_poll)
{
    bool stop = false;
    Cooperative a, b;
    Cooperative_init(&a, &pump, "a", &stop);
    Cooperative_init(&b, &pump, "b", &stop);
    Cooperative_start_Work(&a);
    Cooperative_start_Work(&b);
    assert_int_equal(uf_simulate_until(&pump, UF_S(1) + UF_MS(5)), UF_OK);
    stop = true;
    run_until_idle();
    assert_true(uf_pump_now(&pump) <= UF_S(1) + UF_MS(100));
    assert_int_equal(now_ms(), 1020);
}
