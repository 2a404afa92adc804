/* SPDX-License-Identifier: MIT */
/* observers.c - rules of observers, one test for each; slow steps and counts are in slow.c and counters.c. */
#include "harness.h"

#include "uflow/pool.h"

#include <string.h>

#include "observers.h"

static Lab lab;

/* -- all events ---------------------------------------------------------------------------------------------------- */

/* There is no other event: the other pump has the same flow. An observer without callbacks receives nothing. */
TEST(G1_an_observer_sees_all_of_its_pump)
{
    uf_observer silent = {.context = NULL};
    static uf_pump other;
    Lab there;
    assert_int_equal(uf_pump_init(&other, NULL), UF_OK);
    assert_int_equal(Lab_init(&lab, &pump, "here"), UF_OK);
    assert_int_equal(Lab_init(&there, &other, "there"), UF_OK);
    assert_int_equal(uf_pump_add_observer(&pump, &silent), UF_OK);
    note_events();
    assert_int_equal(Lab_start_Count(&lab, 1), UF_OK);
    assert_int_equal(Lab_start_Count(&there, 3), UF_OK);
    assert_int_equal(uf_simulate_until_idle(&other, UF_S(1)), UF_OK);
    assert_log("");
    run_until_idle();
    assert_log("started:here here:Go>Go here:Go> ended:here(done)");
    assert_int_equal(uf_pump_remove_observer(&pump, &silent), UF_OK);
    assert_int_equal(uf_pump_remove_observer(&pump, &silent), UF_INVALID);
}

/* -- starts -------------------------------------------------------------------------------------------------------- */

/* Before anything else of the run, also of one that is cancelled before its first turn. A refused start has none. */
TEST(G2_each_accepted_start_is_told_exactly_once)
{
    assert_int_equal(Lab_init(&lab, &pump, "lab"), UF_OK);
    note_events();
    assert_int_equal(Lab_start_Count(&lab, 0), UF_OK);
    assert_int_equal(Lab_start_Count(&lab, 0), UF_BUSY);
    run_until_idle();
    assert_log("started:lab lab:Go> ended:lab(done)");
    log_clear();
    assert_int_equal(Lab_start_Count(&lab, 9), UF_OK);
    assert_int_equal(uf_flow_cancel(&lab.uf), UF_OK);
    run_until_idle();
    assert_log("started:lab lab:Go> ended:lab(cancelled)cancelled");
    log_clear();
    assert_int_equal(Lab_start_Break(&lab, 1), UF_OK);
    rounds(1);
    assert_log("started:lab lab:Try!broken at 1 lab:Try> ended:lab(failed)broken at 1");
}

/* -- failures ------------------------------------------------------------------------------------------------------ */

static void note_where(void *context, const uf_flow *flow, const char *step, const char *reason)
{
    uf_flow_view view;
    (void)context;
    uf_flow_view_of(flow, &view);
    assert_true(view.running);
    log_note("%s %s #%d: %s", view.task, step, (int)view.ordinal, reason);
}

static void note_ticks(void *context, const uf_flow *flow, const uf_step_change *change)
{
    (void)context;
    (void)flow;
    log_note("tick x%u", (unsigned)change->ticks);
}

/* The step change follows. `fail` is no such failure: it is the end of the run. */
TEST(G4_a_step_that_was_failed_is_told_before_its_end)
{
    uf_observer observer = {.step_failed = note_where, .step_changed = note_ticks};
    assert_int_equal(Lab_init(&lab, &pump, "lab"), UF_OK);
    assert_int_equal(uf_pump_add_observer(&pump, &observer), UF_OK);
    assert_int_equal(Lab_start_Break(&lab, 3), UF_OK);
    run_until_idle();
    assert_log("Break Try #0: broken at 3 tick x3");
}

/* -- jobs ---------------------------------------------------------------------------------------------------------- */

typedef struct job_counts {
    int submitted, completed, abandoned, rejected;
} job_counts;

static void note_submitted(void *context, const uf_flow *flow, const uf_job_event *event)
{
    (void)flow;
    ((job_counts *)context)->submitted++;
    assert_true(strcmp(event->job, "a") == 0 || strcmp(event->job, "b") == 0);
    assert_int_equal(event->status, UF_JOB_PENDING);
}

static void note_completed(void *context, const uf_flow *flow, const uf_job_event *event)
{
    (void)flow;
    ((job_counts *)context)->completed++;
    assert_int_equal(event->status, UF_JOB_DONE);
}

static void note_abandoned(void *context, const uf_flow *flow, const uf_job_event *event)
{
    (void)flow;
    (void)event;
    ((job_counts *)context)->abandoned++;
}

static void note_rejected(void *context, const uf_flow *flow, const uf_job_event *event)
{
    (void)flow;
    ((job_counts *)context)->rejected++;
    assert_string_equal(event->job, "c");
    assert_int_equal(event->in_flight, 2);
}

TEST(G5_each_event_of_a_job_is_told_once)
{
    int abandoned = 0;
    for (uint64_t seed = 0; seed < 100; seed++) {
        job_counts seen = {0};
        uf_observer observer = {.context = &seen,
                                .job_submitted = note_submitted,
                                .job_completed = note_completed,
                                .job_abandoned = note_abandoned,
                                .job_rejected = note_rejected};
        uf_seeded_pool pool;
        uf_work works[4];
        assert_int_equal(uf_pool_seeded(&pool, works, 4, seed, UF_MS(50)), UF_OK);
        assert_int_equal(uf_pump_init(&pump, &(uf_pump_config){.pool = &pool.pool, .jobs_per_flow = 2}), UF_OK);
        assert_int_equal(Lab_init(&lab, &pump, "lab"), UF_OK);
        assert_int_equal(uf_pump_add_observer(&pump, &observer), UF_OK);
        assert_int_equal(Lab_start_Weigh(&lab), UF_OK);
        run_until_idle();
        assert_int_equal(seen.submitted, 2);
        assert_int_equal(seen.rejected, 1);
        assert_int_equal(seen.completed + seen.abandoned, 2);
        assert_true(seen.completed > 0);
        abandoned += seen.abandoned;
        assert_int_equal(Lab_destroy(&lab), UF_OK);
        assert_int_equal(uf_pump_destroy(&pump), UF_OK);
    }
    assert_true(abandoned > 0);
}

/* -- what an observer does ----------------------------------------------------------------------------------------- */

static Lab other;

static uf_observer late = {.step_changed = note_changed};

enum { NOTHING, CANCELS, STARTS, ADDS, REMOVES, REMOVES_ALL, ACTIONS };

/* The act of the callback in one of the next changes. */
static struct {
    int action;
    int changes;
    uf_observer self;
} acting;

static void act(void *context, const uf_flow *flow, const uf_step_change *change)
{
    (void)context;
    note_changed(NULL, flow, change);
    log_note("round %d", (int)uf_pump_rounds(&pump));
    if (--acting.changes != 0) return;
    switch (acting.action) {
    case CANCELS: assert_int_equal(uf_flow_cancel(&lab.uf), UF_OK); return;
    case STARTS: assert_int_equal(Lab_start_Count(&other, 2), UF_OK); return;
    case ADDS: assert_int_equal(uf_pump_add_observer(&pump, &late), UF_OK); return;
    case REMOVES_ALL: assert_int_equal(uf_pump_remove_observer(&pump, &late), UF_OK); /* fall through */
    case REMOVES: assert_int_equal(uf_pump_remove_observer(&pump, &acting.self), UF_OK); return;
    default: return;
    }
}

static const char *log_of_run(int action, int changes, bool one_round_at_a_time)
{
    static char logs[2][4096];
    char *const log = logs[one_round_at_a_time];

    acting.action = action;
    acting.changes = changes;
    log_clear();
    assert_int_equal(uf_pump_init(&pump, NULL), UF_OK);
    assert_int_equal(Lab_init(&lab, &pump, "lab"), UF_OK);
    assert_int_equal(Lab_init(&other, &pump, "other"), UF_OK);
    acting.self = (uf_observer){.step_changed = act, .flow_ended = note_ended};
    assert_int_equal(uf_pump_add_observer(&pump, &acting.self), UF_OK);
    if (acting.action == REMOVES_ALL) assert_int_equal(uf_pump_add_observer(&pump, &late), UF_OK);
    assert_int_equal(Lab_start_Count(&lab, 5), UF_OK);
    if (one_round_at_a_time) {
        while (uf_pump_running(&pump) > 0) rounds(1);
    } else {
        run_until_idle();
    }
    log_note("ends in round %d", (int)uf_pump_rounds(&pump));
    assert_int_equal(Lab_destroy(&lab), UF_OK);
    assert_int_equal(Lab_destroy(&other), UF_OK);
    assert_int_equal(uf_pump_destroy(&pump), UF_OK);
    assert_true(strlen(log_text()) < sizeof logs[0]);
    return strcpy(log, log_text());
}

/* Virtual time has a loop of its own for the rounds of one flow. Observers must not notice it. */
TEST(an_observer_may_act_in_every_round)
{
    for (int action = NOTHING; action < ACTIONS; action++) {
        for (int change = 1; change <= 6; change++) {
            const char *const by_round = log_of_run(action, change, true);
            assert_string_equal(log_of_run(action, change, false), by_round);
        }
    }
}
