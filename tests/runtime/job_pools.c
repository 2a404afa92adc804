/* SPDX-License-Identifier: MIT */
/* job_pools.c - pools without threads, and the job events that observers receive. */
#include "jobs_fixture.h"

#include "uflow/console.h"

#include <string.h>

/* -- pools without threads ---------------------------------------------------------------------------------------- */

CASE(D11_inline_is_over_when_submit_returns)
{
    int result = 0;
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

CASE(D11_a_pool_of_ones_own)
{
    begin_by_hand(0);
    assert_int_equal(Lab_start_Ladder(&lab), UF_OK);
    rounds(1);
    assert_int_equal(hand.taken, 3);
    assert_int_equal(hand.queued, 3);
    hand.queue[0]->dropped = true; /* the pool need not run its jobs */
    uf_work_over(hand_begin(), 0);
    rounds(2);
    assert_string_equal(uf_flow_reason(&lab.uf), "a: rejected: the pool has ended");
    hand.used = 8; /* or have room */
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

CASE(the_same_seed_is_the_same_trace)
{
    static char first[2048], again[2048], last[2048];
    int different = 0, late = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        run_seed(seed, first);
        run_seed(seed, again);
        assert_string_equal(first, again);
        different += strcmp(first, last) != 0;
        late += strstr(first, "for nobody") != NULL;
        strcpy(last, first);
    }
    assert_int_equal(different, 200);
    assert_true(late > 20 && late < 180); /* abandoned workers, and jobs that never began */
}

CASE(seeded_jobs_end_in_a_later_round)
{
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

/* Two pumps of one thread share a seeded pool. One pump is freed while its jobs are in flight. */
CASE(two_pumps_and_one_seed)
{
    static uf_pump second;
    static Lab other;
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

CASE(d6_a_million_jobs_through_two_records)
{
    int result = 0;
    assert_int_equal(uf_pool_seeded(&seeded, works, 2, 1, UF_MS(1)), UF_OK);
    begin_with(&seeded.pool, 0);
    assert_int_equal(Lab_start_Many(&lab, 500000), UF_OK);
    assert_int_equal(uf_simulate_until_idle(&pump, UF_FOREVER), UF_OK);
    assert_true(Lab_result_Many(&lab, &result));
    assert_int_equal(result, 3000000);
    finish();
}

/* -- events -------------------------------------------------------------------------------------------------------- */

CASE(G14_lines_of_jobs)
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
        "[lab]            FLOW END  Fail  steps=#00 wall=30.00ms  async=30.00ms  reason=no answer: timed out in "
        "the queue\n";
    static uf_console console;
    static char shown[4096];
    FILE *const out = tmpfile();
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

CASE(G11_completions_in_the_trajectory)
{
    static uf_trace trace;
    uf_trace_entry entries[8];
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
