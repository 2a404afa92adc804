/* jobs.c - jobs without threads: in the submit, when a seed says so, or when a pool of the test's own does. */
#include "harness.h"

#include "uflow/console.h"

#include <stdlib.h>
#include <string.h>

#include "jobs.h"

int jobs_worker_runs(void);

static Lab lab;

/* -- a pool of one's own: jobs wait until the test has them run --------------------------------------------------------- */

typedef struct hand_pool {
    uf_pool pool;
    uf_work works[8];
    int used, queued, taken, given_back, opened;
    uf_work *queue[8];
} hand_pool;

static hand_pool hand;

static uf_work *hand_take(uf_pool *pool)
{
    hand_pool *const h = (hand_pool *)pool;
    h->taken++;
    return h->used < 8 ? &h->works[h->used++] : NULL;
}

static void hand_run(uf_pool *pool, uf_work *work)
{
    hand_pool *const h = (hand_pool *)pool;
    h->queue[h->queued++] = work;
}

static bool hand_withdraw(uf_pool *pool, uf_work *work)
{
    hand_pool *const h = (hand_pool *)pool;
    for (int i = 0; i < h->queued; i++) {
        if (h->queue[i] != work) continue;
        for (h->queued--; i < h->queued; i++) h->queue[i] = h->queue[i + 1];
        return true;
    }
    return false;
}

static void hand_put(uf_pool *pool, uf_work *work)
{
    (void)work;
    ((hand_pool *)pool)->given_back++;
}

static void hand_open(uf_pool *pool, uf_pump *of)
{
    (void)of;
    ((hand_pool *)pool)->opened++;
}

static void hand_close(uf_pool *pool, uf_pump *of)
{
    (void)of;
    ((hand_pool *)pool)->opened--;
}

static const uf_pool_kind hand_kind = {
    .open = hand_open,
    .close = hand_close,
    .take = hand_take,
    .run = hand_run,
    .withdraw = hand_withdraw,
    .put = hand_put,
};

/* The first in the queue has begun: it cannot be withdrawn any more. */
static uf_work *hand_begin(void)
{
    uf_work *const work = hand.queue[0];
    assert_true(hand.queued > 0);
    assert_true(hand_withdraw(&hand.pool, work));
    return work;
}

static void hand_finish(uf_time took)
{
    uf_work *const work = hand_begin();
    uf_work_run(work);
    uf_work_over(work, took);
}

/* -- fixtures ------------------------------------------------------------------------------------------------------- */

static void begin_with(uf_pool *pool, uint32_t per_flow)
{
    uf_pump_config const config = {.pool = pool, .jobs_per_flow = per_flow};
    log_clear();
    assert_int_equal(uf_pump_init(&pump, &config), UF_OK);
    assert_int_equal(Lab_init(&lab, &pump, "lab"), UF_OK);
}

static void begin_by_hand(uint32_t per_flow)
{
    hand = (hand_pool){.pool.kind = &hand_kind};
    begin_with(&hand.pool, per_flow);
    assert_int_equal(hand.opened, 1);
}

static void finish(void)
{
    assert_int_equal(Lab_destroy(&lab), UF_OK);
    assert_int_equal(uf_pump_destroy(&pump), UF_OK);
    assert_int_equal(hand.opened, 0);
}

static void note_job(const char *what, const uf_flow *flow, const uf_job_event *event)
{
    log_note("%s:%s/%s:%s%s%s@%s#%u", what, event->job, event->worker, uf_job_status_text(event->status),
             event->reason[0] ? "," : "", event->reason, event->step, (unsigned)event->in_flight);
    (void)flow;
}
static void note_submitted(void *context, const uf_flow *flow, const uf_job_event *event)
{
    (void)context;
    note_job("submitted", flow, event);
}
static void note_completed(void *context, const uf_flow *flow, const uf_job_event *event)
{
    (void)context;
    note_job("completed", flow, event);
}
static void note_abandoned(void *context, const uf_flow *flow, const uf_job_event *event)
{
    (void)context;
    note_job("abandoned", flow, event);
    assert_int_equal(uf_job_clear((uf_flow *)(uintptr_t)flow, &lab.uf_task.Clear.a.job), UF_INVALID); /* not in here */
}
static void note_rejected(void *context, const uf_flow *flow, const uf_job_event *event)
{
    (void)context;
    note_job("rejected", flow, event);
}

static void note_jobs(void)
{
    static uf_observer observer;
    observer = (uf_observer){
        .flow_ended = note_ended,
        .job_submitted = note_submitted,
        .job_completed = note_completed,
        .job_abandoned = note_abandoned,
        .job_rejected = note_rejected,
    };
    assert_int_equal(uf_pump_add_observer(&pump, &observer), UF_OK);
}

/* Called by a step after its submit. */
static uf_job_status status_after_submit;
void jobs_look(const uf_job *job)
{
    status_after_submit = uf_job_status_of(job);
}

/* -- one job --------------------------------------------------------------------------------------------------------- */

static void D1_arguments_are_copied(void **state)
{
    (void)state;
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

static void D1_a_submit_is_a_steps(void **state)
{
    static const uf_worker none = {.name = "none"};
    (void)state;
    begin_by_hand(0);
    note_jobs();
    uf_submit(&lab.uf, &lab.uf_task.Ask.a.job, &none, NULL, UF_FOREVER); /* in nobody's step */
    assert_int_equal(uf_job_status_of(&lab.uf_task.Ask.a.job), UF_JOB_NONE);
    assert_int_equal(uf_job_clear(&lab.uf, &lab.uf_task.Ask.a.job), UF_INVALID); /* and idle */
    assert_int_equal(hand.taken, 0);
    assert_log("");
    finish();
}

static void D4_every_state(void **state)
{
    (void)state;
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

static void a_failure_is_handed_on_with_the_jobs_name(void **state)
{
    (void)state;
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

static void D5_pending_until_the_pump_has_seen_it(void **state)
{
    (void)state;
    begin_by_hand(0);
    assert_int_equal(Lab_start_Poll(&lab, 4), UF_OK);
    rounds(3);
    hand_finish(0);
    assert_int_equal(uf_job_status_of(&lab.uf_task.Poll.a.job), UF_JOB_PENDING);
    assert_int_equal(lab.uf_jobs, 1);
    assert_int_equal(uf_pump_timeout(&pump), 0); /* it ends the nap */
    rounds(1);
    assert_int_equal(hand.given_back, 1);
    assert_log("twice(4) saw 8");
    finish();
}

static void D8_completed_is_told_before_the_step_sees_it(void **state)
{
    (void)state;
    begin_by_hand(0);
    note_jobs();
    assert_int_equal(Lab_start_Poll(&lab, 4), UF_OK);
    rounds(2);
    hand_finish(0);
    rounds(1);
    assert_log("submitted:a/twice:pending@Go#1 twice(4) completed:a/twice:done@Look#0 saw 8 ended:lab(done)");
    finish();
}

/* -- time ------------------------------------------------------------------------------------------------------------- */

static void D2_a_timeout_counts_the_queue_and_takes_the_job_out_of_it(void **state)
{
    int const before = jobs_worker_runs();
    (void)state;
    begin_by_hand(0);
    assert_int_equal(Lab_start_Ask(&lab, 1, 500), UF_OK);
    run_until_idle();
    assert_int_equal(now_ms(), 500);
    assert_string_equal(uf_flow_reason(&lab.uf), "no answer: timed out");
    assert_int_equal(hand.queued, 0);
    assert_int_equal(hand.given_back, 1);
    assert_int_equal(lab.uf_jobs, 0);
    assert_int_equal(jobs_worker_runs(), before); /* d7: the original ran it later all the same */
    finish();
}

static void D2_one_that_has_begun_is_told_and_counts_until_it_returns(void **state)
{
    (void)state;
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
        "no answer: rejected: too many of this flow are in flight"); /* d7: the original's cap ignored it */
    uf_work_run(work);
    uf_work_over(work, UF_S(9));
    rounds(1);
    assert_int_equal(lab.uf_jobs, 0);
    assert_log("twice(1) for nobody");
    finish();
}

static void D2_a_result_is_stamped_when_the_worker_ends(void **state)
{
    (void)state;
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

static void D2_a_timeout_of_nothing_is_up_at_once(void **state)
{
    int const before = jobs_worker_runs();
    (void)state;
    begin_with(uf_pool_inline(), 0);
    note_jobs();
    assert_int_equal(Lab_start_Ask(&lab, 1, 0), UF_OK);
    rounds(1);
    assert_int_equal(status_after_submit, UF_JOB_TIMED_OUT);
    assert_int_equal(jobs_worker_runs(), before);
    assert_log("submitted:a/twice:pending@Go#0 completed:a/twice:timed out,timed out@Go#0 "
               "ended:lab(failed)no answer: timed out");
    finish();
}

static void E4_timeouts_are_real_time(void **state)
{
    (void)state;
    begin_by_hand(0);
    uf_pump_freeze(&pump);
    assert_int_equal(Lab_start_Ask(&lab, 1, 500), UF_OK);
    assert_int_equal(uf_pump_round(&pump, 0), UF_MS(500));
    assert_int_equal(uf_pump_round(&pump, UF_MS(100)), UF_MS(400));
    assert_int_equal(uf_pump_round(&pump, UF_MS(500)), 0);
    assert_string_equal(uf_flow_reason(&lab.uf), "no answer: timed out");
    assert_int_equal(uf_pump_now(&pump), 0);
    assert_int_equal(Lab_start_Ask(&lab, 1, 500), UF_OK); /* also when that time is virtual */
    run_until_idle();
    assert_int_equal(pump.clock.real, UF_MS(1000));
    assert_int_equal(uf_pump_now(&pump), 0);
    assert_int_equal(Lab_start_HandOn(&lab, 1), UF_OK); /* without one there is nothing to come */
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

static void the_first_deadline_comes_first(void **state)
{
    static Lab labs[6];
    static int const limits[6] = {300, 100, 200, 100, 400, 50};
    (void)state;
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

/* -- several jobs ------------------------------------------------------------------------------------------------------- */

static void D3_over_the_cap_is_rejected_and_nothing_queued(void **state)
{
    (void)state;
    begin_by_hand(1);
    note_jobs();
    assert_int_equal(Lab_start_Both(&lab, 1, 2), UF_OK);
    rounds(1);
    assert_int_equal(hand.queued, 0); /* the first was abandoned when the flow failed, and taken out */
    assert_log("submitted:a/twice:pending@Go#1 rejected:b/twice:rejected,too many of this flow are in flight@Go#1 "
               "abandoned:a/twice:pending@Go#0 ended:lab(failed)one: rejected: too many of this flow are in flight");
    finish();
}

static void all_fails_as_soon_as_one_has(void **state)
{
    (void)state;
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

static void D10_submitted_in_one_step_and_read_in_another(void **state)
{
    int result = 0;
    (void)state;
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

static void D6_clear_drops_what_is_pending(void **state)
{
    (void)state;
    begin_by_hand(0);
    note_jobs();
    assert_int_equal(Lab_start_Clear(&lab), UF_OK);
    rounds(1);
    uf_work *const first = hand_begin(); /* `a` is with a worker */
    rounds(1);
    assert_int_equal(hand.queued, 2); /* b anew, and c */
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

static void somebody_else_clears_what_a_flow_waits_for(void **state)
{
    (void)state;
    begin_by_hand(0);
    assert_int_equal(Lab_start_HandOn(&lab, 1), UF_OK);
    rounds(2);
    assert_int_equal(uf_job_clear(&lab.uf, &lab.uf_task.HandOn.weigh.job), UF_OK);
    rounds(1);
    assert_string_equal(uf_flow_reason(&lab.uf), "weigh: cleared");
    finish();
}

/* -- leaving -------------------------------------------------------------------------------------------------------------- */

static void D7_a_task_is_left_after_its_on_exit(void **state)
{
    (void)state;
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

static void d5_a_late_value_goes_to_no_other_run(void **state)
{
    (void)state;
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

static void a_flow_goes_before_its_worker_returns(void **state)
{
    Lab *const other = malloc(sizeof *other);
    (void)state;
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

static void a_pump_goes_before_its_worker_returns(void **state)
{
    (void)state;
    begin_by_hand(0);
    assert_int_equal(Lab_start_Ladder(&lab), UF_OK);
    rounds(1);
    uf_work *const work = hand_begin(), *const sent = hand_begin();
    uf_flow_cancel(&lab.uf);
    rounds(1);
    uf_work_run(sent);
    uf_work_over(sent, 0); /* one is with a worker, one on its way, one was in the queue */
    assert_int_equal(hand.given_back, 1);
    finish();
    assert_int_equal(hand.given_back, 2);
    memset(&pump, 0xa5, sizeof pump);
    uf_work_run(work);
    uf_work_over(work, 0);
    assert_int_equal(hand.given_back, 3);
}

/* -- pools without threads -------------------------------------------------------------------------------------------------- */

static void D11_inline_is_over_when_submit_returns(void **state)
{
    int result = 0;
    (void)state;
    begin_with(uf_pool_inline(), 0);
    note_jobs();
    assert_int_equal(Lab_start_Ask(&lab, 3, 10), UF_OK);
    uf_pump_round(&pump, 0);
    assert_int_equal(status_after_submit, UF_JOB_DONE);
    assert_true(Lab_result_Ask(&lab, &result));
    assert_int_equal(result, 6);
    assert_log("submitted:a/twice:pending@Go#0 twice(3) completed:a/twice:done@Go#0 ended:lab(done)");
    finish();
}

static void D11_a_pool_of_ones_own(void **state)
{
    (void)state;
    begin_by_hand(0);
    assert_int_equal(Lab_start_Ladder(&lab), UF_OK);
    rounds(1);
    assert_int_equal(hand.taken, 3);
    assert_int_equal(hand.queued, 3);
    hand.queue[0]->dropped = true; /* it need not run them */
    uf_work_over(hand_begin(), 0);
    rounds(2);
    assert_string_equal(uf_flow_reason(&lab.uf), "a: rejected: the pool has ended");
    hand.used = 8; /* nor have room */
    assert_int_equal(Lab_start_HandOn(&lab, 1), UF_OK);
    run_until_idle();
    assert_string_equal(uf_flow_reason(&lab.uf), "weigh: rejected: the pool is full, or has ended");
    finish();
}

static uf_seeded_pool seeded;
static uf_work works[8];

static void run_seed(uint64_t seed, char trace[2048])
{
    static Lab others[3];
    assert_int_equal(uf_pool_seeded(&seeded, works, 8, seed, UF_MS(40)), UF_OK);
    begin_with(&seeded.pool, 0);
    note_jobs();
    for (int i = 0; i < 3; i++) {
        assert_int_equal(Lab_init(&others[i], &pump, "other"), UF_OK);
        assert_int_equal(Lab_start_Ask(&others[i], i, 20), UF_OK);
    }
    assert_int_equal(Lab_start_Ladder(&lab), UF_OK);
    assert_int_equal(uf_simulate_until_idle(&pump, UF_S(10)), UF_OK);
    log_note("at %lld", (long long)uf_pump_now(&pump));
    assert_true(strlen(log_text()) < 2048);
    strcpy(trace, log_text());
    for (int i = 0; i < 3; i++) assert_int_equal(Lab_destroy(&others[i]), UF_OK);
    finish();
}

static void the_same_seed_is_the_same_trace(void **state)
{
    static char first[2048], again[2048], last[2048];
    int different = 0, late = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        run_seed(seed, first);
        run_seed(seed, again);
        assert_string_equal(first, again);
        different += strcmp(first, last) != 0;
        late += strstr(first, "for nobody") != NULL;
        strcpy(last, first);
    }
    assert_int_equal(different, 200);
    assert_true(late > 20 && late < 180); /* workers that nobody waits for any more, and others that never began */
}

static void seeded_jobs_end_in_a_later_round(void **state)
{
    (void)state;
    assert_int_equal(uf_pool_seeded(&seeded, works, 2, 1, 0), UF_OK);
    begin_with(&seeded.pool, 0);
    assert_int_equal(Lab_start_Poll(&lab, 4), UF_OK);
    rounds(1);
    assert_int_equal(uf_job_status_of(&lab.uf_task.Poll.a.job), UF_JOB_PENDING);
    assert_int_equal(uf_pump_timeout(&pump), 0);
    rounds(1);
    assert_log("twice(4) saw 8");
    assert_int_equal(Lab_start_Ladder(&lab), UF_OK); /* three jobs, two records */
    run_until_idle();
    assert_string_equal(uf_flow_reason(&lab.uf), "c: rejected: the pool is full, or has ended");
    finish();
    assert_int_equal(uf_pool_seeded(&seeded, works, 0, 1, 0), UF_INVALID);
    assert_int_equal(uf_pool_seeded(&seeded, NULL, 1, 1, 0), UF_INVALID);
    assert_int_equal(uf_pool_seeded(NULL, works, 1, 1, 0), UF_INVALID);
    assert_int_equal(uf_pool_seeded(&seeded, works, 1, 1, -1), UF_INVALID);
}

/* Two pumps of one thread share a seeded pool; one goes while its jobs are under way. */
static void two_pumps_and_one_seed(void **state)
{
    static uf_pump second;
    static Lab other;
    (void)state;
    assert_int_equal(uf_pool_seeded(&seeded, works, 8, 3, UF_MS(10)), UF_OK);
    begin_with(&seeded.pool, 0);
    uf_pump_config const config = {.pool = &seeded.pool};
    assert_int_equal(uf_pump_init(&second, &config), UF_OK);
    assert_int_equal(Lab_init(&other, &second, "other"), UF_OK);
    assert_int_equal(Lab_start_Ladder(&lab), UF_OK);
    assert_int_equal(Lab_start_Ladder(&other), UF_OK);
    rounds(1);
    uf_pump_round(&second, 0);
    uf_flow_cancel(&other.uf);
    uf_pump_round(&second, UF_MS(5));
    assert_int_equal(Lab_destroy(&other), UF_OK);
    assert_int_equal(uf_pump_destroy(&second), UF_OK);
    run_until_idle();
    assert_int_equal(uf_flow_outcome(&lab.uf), UF_DONE);
    finish();
    int free_works = 0;
    for (uf_link *link = seeded.free.next; link != &seeded.free; link = link->next) free_works++;
    assert_int_equal(free_works, 8);
}

static void d6_a_million_jobs_through_two_records(void **state)
{
    int result = 0;
    (void)state;
    assert_int_equal(uf_pool_seeded(&seeded, works, 2, 1, UF_MS(1)), UF_OK);
    begin_with(&seeded.pool, 0);
    assert_int_equal(Lab_start_Many(&lab, 500000), UF_OK);
    assert_int_equal(uf_simulate_until_idle(&pump, UF_FOREVER), UF_OK);
    assert_true(Lab_result_Many(&lab, &result));
    assert_int_equal(result, 3000000);
    finish();
}

/* -- what is shown ------------------------------------------------------------------------------------------------------ */

static void G14_lines_of_jobs(void **state)
{
    static const char expected[] =
        "[lab]            FLOW START  Both  at=0.00ms\n"
        "[lab]            ASYNC SUBMIT  a\n"
        "[lab]            [ASYNC HIGHWATER]  b rejected, inflight=1  reason=too many of this flow are in flight\n"
        "[lab]            [ASYNC ABANDONED]  a\n"
        "[lab]            Go -> (end)                                                 #00 elapsed=0.00ms tick x1\n"
        "[lab]            FLOW END  Fail  steps=#00 wall=0.00ms  reason=one: rejected: too many of this flow are in "
        "flight\n"
        "[lab]            FLOW START  Ask  at=0.00ms\n"
        "[lab]            ASYNC SUBMIT  a\n"
        "[lab]            ASYNC DONE    a  wait=7.00ms\n"
        "[lab]            Go -> (end)                                                 #00 elapsed=7.00ms tick x1\n"
        "[lab]            FLOW END  Done  steps=#00 wall=7.00ms  async=7.00ms\n"
        "[lab]            FLOW START  Ask  at=7.00ms\n"
        "[lab]            ASYNC SUBMIT  a\n"
        "[lab]            ASYNC DONE    a  wait=0.00ms [ERROR]  reason=-1 is negative\n"
        "[lab]            Go -> (end)                                                 #00 elapsed=0.00ms tick x1\n"
        "[lab]            FLOW END  Fail  steps=#00 wall=0.00ms  reason=no answer: -1 is negative\n"
        "[lab]            FLOW START  Ask  at=7.00ms\n"
        "[lab]            ASYNC SUBMIT  a\n"
        "[lab]            ASYNC DONE    a  wait=30.00ms [TIMEOUT]\n"
        "[lab]            Go -> (end)                                                 #00 elapsed=30.00ms tick x1\n"
        "[lab]            FLOW END  Fail  steps=#00 wall=30.00ms  async=30.00ms  reason=no answer: timed out\n";
    static uf_console console;
    static char shown[4096];
    FILE *const out = tmpfile();
    (void)state;
    begin_by_hand(1);
    assert_int_equal(uf_console_attach(&console, &pump, out), UF_OK);
    assert_int_equal(Lab_start_Both(&lab, 1, 2), UF_OK);
    rounds(1);
    assert_int_equal(Lab_start_Ask(&lab, 1, 30), UF_OK);
    rounds(1);
    hand_finish(UF_MS(6));
    uf_pump_round(&pump, UF_MS(7));
    assert_int_equal(Lab_start_Ask(&lab, -1, 30), UF_OK);
    rounds(1);
    hand_finish(0);
    rounds(1);
    assert_int_equal(Lab_start_Ask(&lab, 1, 30), UF_OK);
    run_until_idle();
    rewind(out);
    shown[fread(shown, 1, sizeof shown - 1, out)] = '\0';
    assert_string_equal(shown, expected);
    fclose(out);
    assert_int_equal(uf_console_detach(&console, &pump), UF_OK);
    finish();
}

static void G11_completions_in_the_trajectory(void **state)
{
    static uf_trace trace;
    uf_trace_entry entries[8];
    (void)state;
    begin_by_hand(0);
    assert_int_equal(uf_trace_attach(&trace, &pump, &lab.uf, entries, 8), UF_OK);
    assert_int_equal(Lab_start_Ladder(&lab), UF_OK);
    rounds(2);
    hand_finish(0);
    rounds(2);
    hand_finish(0);
    hand_finish(0);
    uf_pump_round(&pump, UF_MS(5));
    rounds(1);
    static const struct {
        const char *step, *job;
        uint32_t ordinal;
        uf_outcome outcome;
    } expected[] = {
        {"A", NULL, 0, UF_RUNNING},  {"B", NULL, 1, UF_RUNNING},  {"C", "a", 2, UF_NEVER_RAN},
        {"C", "b", 2, UF_NEVER_RAN}, {"C", "c", 2, UF_NEVER_RAN}, {"C", NULL, 2, UF_RUNNING},
        {"D", NULL, 3, UF_DONE},
    };
    assert_int_equal(uf_trace_count(&trace), 7);
    for (size_t i = 0; i < 7; i++) {
        uf_trace_entry const *const entry = uf_trace_at(&trace, i);
        assert_string_equal(entry->step, expected[i].step);
        assert_string_equal(entry->task, "Ladder");
        assert_int_equal(entry->ordinal, expected[i].ordinal);
        assert_int_equal(entry->outcome, expected[i].outcome);
        if (expected[i].job) assert_string_equal(entry->job, expected[i].job);
        else assert_null(entry->job);
        if (entry->job) assert_int_equal(entry->status, UF_JOB_DONE);
    }
    assert_int_equal(uf_trace_at(&trace, 4)->elapsed, UF_MS(5));
    assert_int_equal(uf_trace_detach(&trace, &pump), UF_OK);
    finish();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(D1_arguments_are_copied),
        cmocka_unit_test(D1_a_submit_is_a_steps),
        cmocka_unit_test(D4_every_state),
        cmocka_unit_test(a_failure_is_handed_on_with_the_jobs_name),
        cmocka_unit_test(D5_pending_until_the_pump_has_seen_it),
        cmocka_unit_test(D8_completed_is_told_before_the_step_sees_it),
        cmocka_unit_test(D2_a_timeout_counts_the_queue_and_takes_the_job_out_of_it),
        cmocka_unit_test(D2_one_that_has_begun_is_told_and_counts_until_it_returns),
        cmocka_unit_test(D2_a_result_is_stamped_when_the_worker_ends),
        cmocka_unit_test(D2_a_timeout_of_nothing_is_up_at_once),
        cmocka_unit_test(E4_timeouts_are_real_time),
        cmocka_unit_test(the_first_deadline_comes_first),
        cmocka_unit_test(D3_over_the_cap_is_rejected_and_nothing_queued),
        cmocka_unit_test(all_fails_as_soon_as_one_has),
        cmocka_unit_test(D10_submitted_in_one_step_and_read_in_another),
        cmocka_unit_test(D6_clear_drops_what_is_pending),
        cmocka_unit_test(somebody_else_clears_what_a_flow_waits_for),
        cmocka_unit_test(D7_a_task_is_left_after_its_on_exit),
        cmocka_unit_test(d5_a_late_value_goes_to_no_other_run),
        cmocka_unit_test(a_flow_goes_before_its_worker_returns),
        cmocka_unit_test(a_pump_goes_before_its_worker_returns),
        cmocka_unit_test(D11_inline_is_over_when_submit_returns),
        cmocka_unit_test(D11_a_pool_of_ones_own),
        cmocka_unit_test(the_same_seed_is_the_same_trace),
        cmocka_unit_test(seeded_jobs_end_in_a_later_round),
        cmocka_unit_test(two_pumps_and_one_seed),
        cmocka_unit_test(d6_a_million_jobs_through_two_records),
        cmocka_unit_test(G14_lines_of_jobs),
        cmocka_unit_test(G11_completions_in_the_trajectory),
    };
    return cmocka_run_group_tests_name("runtime.jobs", tests, NULL, NULL);
}
