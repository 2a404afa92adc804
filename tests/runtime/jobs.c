/* SPDX-License-Identifier: MIT */
/* jobs.c - jobs without threads: their states, timeouts, and flows that abandon them. */
#include "jobs_fixture.h"

#include <stdlib.h>
#include <string.h>

/* -- one job ------------------------------------------------------------------------------------------------------ */

CASE(D1_arguments_are_copied)
{
    begin_by_hand(0);
    assert_int_equal(Lab_start_Ask(&lab, 21, 1000), UF_OK);
    rounds(1);
    assert_int_equal(status_after_submit, UF_JOB_PENDING);
    assert_int_equal(lab.uf_task.Ask.x, 1000); /* changed after the submit */
    hand_finish(0);
    rounds(1);
    int result;
    assert_true(Lab_result_Ask(&lab, &result));
    assert_int_equal(result, 42);
    assert_log("twice(21)");
    finish();
}

CASE(D1_a_submit_is_a_steps)
{
    static const uf_worker none = {.name = "none"};
    begin_by_hand(0);
    note_jobs();
    uf_submit(&lab.uf, &lab.uf_task.Ask.a.job, &none, NULL, UF_FOREVER); /* outside of any step */
    assert_int_equal(uf_job_status_of(&lab.uf_task.Ask.a.job), UF_JOB_NONE);
    assert_int_equal(uf_job_clear(&lab.uf, &lab.uf_task.Ask.a.job), UF_INVALID); /* and idle */
    assert_int_equal(hand.taken, 0);
    assert_log("");
    finish();
}

CASE(D4_every_state)
{
    begin_by_hand(0);
    note_jobs();
    assert_int_equal(Lab_start_Ask(&lab, -3, 1000), UF_OK);
    rounds(1);
    hand_finish(0);
    rounds(1);
    assert_string_equal(uf_flow_reason(&lab.uf), "no answer: -3 is negative");
    assert_int_equal(Lab_start_Ask(&lab, 13, 1000), UF_OK); /* `fail;` */
    rounds(1);
    hand_finish(0);
    rounds(1);
    assert_string_equal(uf_flow_reason(&lab.uf), "no answer: ");
    assert_int_equal(Lab_start_Never(&lab), UF_OK);
    rounds(2);
    assert_log("submitted:a/twice:pending@Go#1 twice(-3) completed:a/twice:failed,-3 is negative@Go#0 "
               "ended:lab(failed)no answer: -3 is negative "
               "submitted:a/twice:pending@Go#1 twice(13) completed:a/twice:failed@Go#0 ended:lab(failed)no answer:  "
               "why: not submitted ended:lab(done)");
    finish();
    assert_string_equal(uf_job_status_text(UF_JOB_NONE), "none");
    assert_string_equal(uf_job_status_text((uf_job_status)77), "unknown status");
}

CASE(a_failure_is_handed_on_with_the_jobs_name)
{
    begin_with(uf_pool_inline(), 0);
    assert_int_equal(Lab_start_HandOn(&lab, -1), UF_OK);
    run_until_idle();
    assert_string_equal(uf_flow_reason(&lab.uf), "weigh: -1 is negative");
    finish();
    begin_with(NULL, 0);
    note_jobs();
    assert_int_equal(Lab_start_HandOn(&lab, 1), UF_OK);
    run_until_idle();
    assert_string_equal(uf_flow_reason(&lab.uf), "weigh: rejected: no pool");
    assert_log("rejected:weigh/twice:rejected,no pool@Go#0 ended:lab(failed)weigh: rejected: no pool");
    finish();
}

CASE(D5_pending_until_the_pump_has_seen_it)
{
    begin_by_hand(0);
    assert_int_equal(Lab_start_Poll(&lab, 4), UF_OK);
    rounds(3);
    hand_finish(0);
    assert_int_equal(uf_job_status_of(&lab.uf_task.Poll.a.job), UF_JOB_PENDING);
    assert_int_equal(lab.uf_jobs, 1);
    assert_int_equal(uf_pump_timeout(&pump), 0); /* ends the sleep */
    rounds(1);
    assert_int_equal(hand.given_back, 1);
    assert_log("twice(4) saw 8");
    finish();
}

CASE(D8_completed_is_told_before_the_step_sees_it)
{
    begin_by_hand(0);
    note_jobs();
    assert_int_equal(Lab_start_Poll(&lab, 4), UF_OK);
    rounds(2);
    hand_finish(0);
    rounds(1);
    assert_log("submitted:a/twice:pending@Go#1 twice(4) completed:a/twice:done@Look#0 saw 8 ended:lab(done)");
    finish();
}

/* -- time --------------------------------------------------------------------------------------------------------- */

CASE(D2_a_timeout_counts_the_queue_and_takes_the_job_out_of_it)
{
    int const before = jobs_worker_runs();
    begin_by_hand(0);
    assert_int_equal(Lab_start_Ask(&lab, 1, 500), UF_OK);
    run_until_idle();
    assert_int_equal(now_ms(), 500);
    assert_string_equal(uf_flow_reason(&lab.uf), "no answer: timed out in the queue");
    assert_int_equal(hand.queued, 0);
    assert_int_equal(hand.given_back, 1);
    assert_int_equal(lab.uf_jobs, 0);
    assert_int_equal(jobs_worker_runs(), before); /* the worker never runs after a timeout */
    finish();
}

CASE(D2_one_that_has_begun_is_told_and_counts_until_it_returns)
{
    begin_by_hand(1);
    assert_int_equal(Lab_start_Ask(&lab, 1, 500), UF_OK);
    rounds(1);
    uf_work *const work = hand_begin();
    run_until_idle();
    assert_int_equal(now_ms(), 500);
    assert_int_equal(lab.uf_jobs, 1);
    assert_int_equal(Lab_start_Ask(&lab, 2, 500), UF_OK);
    run_until_idle();
    assert_string_equal(
        uf_flow_reason(&lab.uf),
        "no answer: rejected: too many of this flow are in flight"); /* the timeout applies although the job never
                                                                      * began */
    uf_work_run(work);
    uf_work_over(work, UF_S(9));
    rounds(1);
    assert_int_equal(lab.uf_jobs, 0);
    assert_log("twice(1) for nobody");
    finish();
}

CASE(D2_a_result_is_stamped_when_the_worker_ends)
{
    begin_by_hand(0);
    for (int late = 0; late < 2; late++) {
        assert_int_equal(Lab_start_Ask(&lab, 5, 500), UF_OK);
        rounds(1);
        hand_finish(UF_MS(500) + late);
        uf_pump_round(&pump, pump.clock.real + UF_S(2)); /* the pump was busy for longer than that */
        assert_int_equal(uf_flow_outcome(&lab.uf), late ? UF_FAILED : UF_DONE);
    }
    assert_string_equal(uf_flow_reason(&lab.uf), "no answer: timed out");
    finish();
}

CASE(D2_a_timeout_of_nothing_is_up_at_once)
{
    int const before = jobs_worker_runs();
    begin_with(uf_pool_inline(), 0);
    note_jobs();
    assert_int_equal(Lab_start_Ask(&lab, 1, 0), UF_OK);
    rounds(1);
    assert_int_equal(status_after_submit, UF_JOB_TIMED_OUT);
    assert_int_equal(jobs_worker_runs(), before);
    assert_log("submitted:a/twice:pending@Go#0 completed:a/twice:timed out,timed out in the queue@Go#0 "
               "ended:lab(failed)no answer: timed out in the queue");
    finish();
}

CASE(E4_timeouts_are_real_time)
{
    begin_by_hand(0);
    uf_pump_freeze(&pump);
    assert_int_equal(Lab_start_Ask(&lab, 1, 500), UF_OK);
    assert_int_equal(uf_pump_round(&pump, 0), UF_MS(500));
    assert_int_equal(uf_pump_round(&pump, UF_MS(100)), UF_MS(400));
    assert_int_equal(uf_pump_round(&pump, UF_MS(500)), 0);
    assert_string_equal(uf_flow_reason(&lab.uf), "no answer: timed out in the queue");
    assert_int_equal(uf_pump_now(&pump), 0);
    assert_int_equal(Lab_start_Ask(&lab, 1, 500), UF_OK); /* also in virtual time */
    run_until_idle();
    assert_int_equal(pump.clock.real, UF_MS(1000));
    assert_int_equal(uf_pump_now(&pump), 0);
    assert_int_equal(Lab_start_HandOn(&lab, 1), UF_OK); /* without one there is no next event */
    assert_int_equal(uf_simulate_until_idle(&pump, UF_FOREVER), UF_BLOCKED);
    uf_pump_resume(&pump);
    assert_int_equal(uf_flow_cancel(&lab.uf), UF_OK);
    assert_int_equal(uf_pump_set_scale(&pump, 10), UF_OK);
    run_until_idle();
    assert_int_equal(Lab_start_Ask(&lab, 1, 500), UF_OK);
    run_until_idle();
    assert_int_equal(pump.clock.real, UF_MS(1500));
    assert_int_equal(uf_pump_now(&pump), UF_S(5));
    finish();
}

CASE(the_first_deadline_comes_first)
{
    static Lab labs[6];
    static int const limits[6] = {300, 100, 200, 100, 400, 50};
    begin_by_hand(0);
    for (int i = 0; i < 6; i++) {
        assert_int_equal(Lab_init(&labs[i], &pump, "another"), UF_OK);
        assert_int_equal(Lab_start_Ask(&labs[i], i, limits[i]), UF_OK);
    }
    static int const order[6] = {5, 1, 3, 2, 0, 4};
    static int const at[6] = {50, 100, 100, 200, 300, 400};
    for (int i = 0; i < 6; i++) {
        assert_int_equal(uf_simulate_until(&pump, UF_MS(at[i])), UF_OK);
        if (i != 2) assert_true(uf_flow_running(&labs[order[i]].uf));
        uf_pump_round(&pump, UF_MS(at[i]));
        assert_false(uf_flow_running(&labs[order[i]].uf));
    }
    for (int i = 0; i < 6; i++) assert_int_equal(Lab_destroy(&labs[i]), UF_OK);
    finish();
}

/* -- several jobs ------------------------------------------------------------------------------------------------- */

CASE(D3_over_the_cap_is_rejected_and_nothing_queued)
{
    begin_by_hand(1);
    note_jobs();
    assert_int_equal(Lab_start_Both(&lab, 1, 2), UF_OK);
    rounds(1);
    assert_int_equal(hand.queued, 0); /* the first was abandoned when the flow failed, and withdrawn */
    assert_log("submitted:a/twice:pending@Go#1 rejected:b/twice:rejected,too many of this flow are in flight@Go#1 "
               "abandoned:a/twice:pending@Go#0 ended:lab(failed)one: rejected: too many of this flow are in flight");
    finish();
}

CASE(all_fails_as_soon_as_one_has)
{
    begin_by_hand(0);
    assert_int_equal(Lab_start_Both(&lab, 1, -2), UF_OK);
    rounds(1);
    uf_work *const first = hand_begin();
    hand_finish(0);
    rounds(1);
    assert_string_equal(uf_flow_reason(&lab.uf), "one: -2 is negative");
    assert_int_equal(first->cancelled, 1);
    uf_work_over(first, 0);
    rounds(1);
    assert_int_equal(lab.uf_jobs, 0);
    finish();
}

CASE(D10_submitted_in_one_step_and_read_in_another)
{
    int result = 0;
    begin_by_hand(0);
    assert_int_equal(Lab_start_Ladder(&lab), UF_OK);
    rounds(3);
    assert_int_equal(hand.queued, 3);
    for (int i = 0; i < 3; i++) hand_finish(0);
    rounds(2);
    assert_true(Lab_result_Ladder(&lab, &result));
    assert_int_equal(result, 6);
    assert_log("twice(1) twice(2) bob");
    finish();
}

CASE(D6_clear_drops_what_is_pending)
{
    begin_by_hand(0);
    note_jobs();
    assert_int_equal(Lab_start_Clear(&lab), UF_OK);
    rounds(1);
    uf_work *const first = hand_begin(); /* `a` is with a worker */
    rounds(1);
    assert_int_equal(hand.queued, 2); /* b again, and c */
    hand_finish(0);                   /* c */
    rounds(1);
    uf_work_run(first);
    uf_work_over(first, 0);
    rounds(1);
    assert_log("submitted:a/twice:pending@Go#1 submitted:b/twice:pending@Go#2 submitted:c/twice:pending@Go#3 "
               "abandoned:a/twice:pending@Drop#3 a none: cleared "
               "abandoned:b/twice:pending@Drop#2 submitted:b/twice:pending@Drop#3 twice(3) "
               "completed:c/twice:done@Drop#2 exit b pending abandoned:b/twice:pending@Again#1 "
               "ended:lab(failed)a: cleared twice(1) for nobody");
    assert_int_equal(lab.uf_jobs, 0);
    finish();
}

CASE(somebody_else_clears_what_a_flow_waits_for)
{
    begin_by_hand(0);
    assert_int_equal(Lab_start_HandOn(&lab, 1), UF_OK);
    rounds(2);
    assert_int_equal(uf_job_clear(&lab.uf, &lab.uf_task.HandOn.weigh.job), UF_OK);
    rounds(1);
    assert_string_equal(uf_flow_reason(&lab.uf), "weigh: cleared");
    finish();
}

/* Of queued jobs, and one that was cleared and is still with a worker. */
CASE(D6_all_jobs_of_a_task_are_cleared)
{
    begin_by_hand(0);
    note_jobs();
    assert_int_equal(uf_flow_jobs_pending(&lab.uf), 0);
    assert_int_equal(uf_flow_jobs_clear(&lab.uf), UF_INVALID); /* idle */
    assert_int_equal(uf_flow_jobs_clear(NULL), UF_INVALID);
    assert_int_equal(uf_flow_jobs_pending(NULL), 0);

    assert_int_equal(Lab_start_Clear(&lab), UF_OK);
    assert_int_equal(uf_flow_jobs_pending(&lab.uf), 0); /* not entered yet */
    assert_int_equal(uf_flow_jobs_clear(&lab.uf), UF_INVALID);
    rounds(1);
    assert_int_equal(uf_flow_jobs_pending(&lab.uf), 3);
    uf_work *const first = hand_begin();
    hand_finish(0); /* b */
    rounds(1);
    assert_int_equal(uf_flow_jobs_pending(&lab.uf), 2); /* the step has cleared a, and submitted b again */
    assert_int_equal(uf_flow_jobs_clear(&lab.uf), UF_OK);
    assert_int_equal(uf_flow_jobs_pending(&lab.uf), 0);
    uf_job *const all[] = {&lab.uf_task.Clear.a.job, &lab.uf_task.Clear.b.job, &lab.uf_task.Clear.c.job};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        assert_int_equal(uf_job_status_of(all[i]), UF_JOB_NONE);
        assert_string_equal(uf_job_reason(all[i]), "cleared");
    }
    assert_int_equal(uf_flow_jobs_clear(&lab.uf), UF_OK); /* there are none */
    rounds(1);
    assert_false(uf_flow_running(&lab.uf)); /* its await on c has failed */
    uf_work_run(first);
    uf_work_over(first, 0);
    rounds(1);
    assert_int_equal(lab.uf_jobs, 0);
    finish();
}

static void note_pending(void *context, const uf_flow *flow, const uf_flow_end *end)
{
    (void)context;
    log_note("%s: %u", uf_outcome_text(end->outcome), (unsigned)uf_flow_jobs_pending(flow));
}

/* Neither `on end` nor an observer reads handles that were never there. */
CASE(D6_a_task_that_was_not_entered_has_none)
{
    static Early early;
    static uf_observer observer;

    begin_by_hand(0);
    assert_int_equal(Early_init(&early, &pump, "early"), UF_OK);
    assert_int_equal(Early_start_Fills(&early), UF_OK);
    rounds(1);
    assert_string_equal(uf_flow_task(&early.uf), "Works");
    observer = (uf_observer){.flow_ended = note_pending};
    assert_int_equal(uf_pump_add_observer(&pump, &observer), UF_OK);
    assert_int_equal(uf_flow_cancel(&early.uf), UF_OK);
    rounds(1);
    assert_log("0 pending, invalid, invalid cancelled: 0");
    assert_int_equal(Early_destroy(&early), UF_OK);
    finish();
}

CASE(D6_an_await_for_all_of_them_fails)
{
    begin_by_hand(0);
    assert_int_equal(Lab_start_Both(&lab, 1, 2), UF_OK);
    rounds(1);
    assert_int_equal(uf_flow_jobs_pending(&lab.uf), 2);
    assert_int_equal(uf_flow_jobs_clear(&lab.uf), UF_OK);
    rounds(1);
    assert_string_equal(uf_flow_reason(&lab.uf), "one: cleared");
    assert_int_equal(hand.queued, 0);
    finish();
}

/* -- abandoned jobs ------------------------------------------------------------------------------------------------ */

CASE(D7_a_task_is_left_after_its_on_exit)
{
    begin_by_hand(0);
    note_jobs();
    assert_int_equal(Lab_start_Leave(&lab, 1), UF_OK);
    rounds(2);
    assert_int_equal(uf_flow_cancel(&lab.uf), UF_OK);
    rounds(1);
    assert_log(
        "submitted:a/twice:pending@Go#1 exit a pending abandoned:a/twice:pending@Go#0 ended:lab(cancelled)cancelled");
    log_clear();
    assert_int_equal(Lab_start_HandOn(&lab, 2), UF_OK);
    rounds(1);
    assert_int_equal(uf_flow_cancel(&lab.uf), UF_OK);
    rounds(1);
    assert_log("submitted:weigh/twice:pending@Go#1 abandoned:weigh/twice:pending@Go#0 ended:lab(cancelled)cancelled");
    finish();
}

CASE(d5_a_late_value_goes_to_no_other_run)
{
    begin_by_hand(0);
    assert_int_equal(Lab_start_HandOn(&lab, 100), UF_OK);
    rounds(1);
    uf_work *const late = hand_begin();
    assert_int_equal(uf_flow_cancel(&lab.uf), UF_OK);
    rounds(1);
    assert_int_equal(Lab_start_HandOn(&lab, 1), UF_OK);
    rounds(1);
    uf_work_run(late);
    uf_work_over(late, 0);
    rounds(2);
    assert_int_equal(uf_job_status_of(&lab.uf_task.HandOn.weigh.job), UF_JOB_PENDING);
    hand_finish(0);
    rounds(1);
    int result = 0;
    assert_true(Lab_result_HandOn(&lab, &result));
    assert_int_equal(result, 2);
    finish();
}

CASE(a_flow_goes_before_its_worker_returns)
{
    Lab *const other = malloc(sizeof *other);
    begin_by_hand(0);
    assert_int_equal(Lab_init(other, &pump, "other"), UF_OK);
    assert_int_equal(Lab_start_HandOn(other, 1), UF_OK);
    rounds(1);
    uf_work *const work = hand_begin();
    uf_flow_cancel(&other->uf);
    rounds(1);
    assert_int_equal(Lab_destroy(other), UF_OK);
    free(other);
    uf_work_run(work);
    uf_work_over(work, 0);
    rounds(1);
    assert_int_equal(hand.given_back, 1);
    finish();
}

CASE(a_pump_goes_before_its_worker_returns)
{
    begin_by_hand(0);
    assert_int_equal(Lab_start_Ladder(&lab), UF_OK);
    rounds(1);
    uf_work *const work = hand_begin(), *const sent = hand_begin();
    uf_flow_cancel(&lab.uf);
    rounds(1);
    uf_work_run(sent);
    uf_work_over(sent, 0); /* one is running, one is on its way back, one was queued */
    assert_int_equal(hand.given_back, 1);
    finish();
    assert_int_equal(hand.given_back, 2);
    memset(&pump, 0xa5, sizeof pump);
    uf_work_run(work);
    uf_work_over(work, 0);
    assert_int_equal(hand.given_back, 3);
}
