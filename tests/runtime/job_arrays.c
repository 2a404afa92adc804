/* SPDX-License-Identifier: MIT */
/* Arrays of jobs, `result` of a job, and values that are dropped: one test per rule, in virtual time. */
#include <stdio.h>
#include <string.h>

#include "hand_pool.h"

#include "job_arrays.h"

#include "uflow/dump.h"

static Lab lab;

extern void (*when_freed)(void); /* called by the drop function of the values */
void (*when_freed)(void);

static void begin_with(uf_pool *pool)
{
    uf_pump_config const config = {.pool = pool};
    log_clear();
    assert_int_equal(uf_pump_init(&pump, &config), UF_OK);
    assert_int_equal(Lab_init(&lab, &pump, "lab"), UF_OK);
}

static void start_by_hand(void)
{
    hand = (hand_pool){.pool.kind = &hand_kind};
    begin_with(&hand.pool);
}

static void finish(void)
{
    assert_int_equal(Lab_destroy(&lab), UF_OK);
    assert_int_equal(uf_pump_destroy(&pump), UF_OK);
}

static void ends_with(uf_outcome outcome, const char *reason)
{
    assert_false(uf_flow_running(&lab.uf));
    assert_int_equal(uf_flow_outcome(&lab.uf), outcome);
    assert_string_equal(uf_flow_reason(&lab.uf), reason);
    finish();
}

CASE(R1_an_arm_of_a_job_binds_its_result)
{
    int result = 0;
    begin_with(uf_pool_inline());
    assert_int_equal(Lab_start_One(&lab, 21), UF_OK);
    rounds(3);
    assert_true(Lab_result_One(&lab, &result));
    assert_int_equal(result, 84);
    ends_with(UF_DONE, "");
}

CASE(R2_an_element_is_waited_for_by_its_index)
{
    int result = 0;
    begin_with(uf_pool_inline());
    assert_int_equal(Lab_start_Element(&lab, 2, 2), UF_OK);
    rounds(3);
    assert_true(Lab_result_Element(&lab, &result));
    assert_int_equal(result, 6);
    ends_with(UF_DONE, "");
}

CASE(R2_an_index_out_of_range_fails_the_task)
{
    static const struct {
        int submitted;
        int64_t waited;
        const char *reason;
    } cases[] = {{3, 0, "fetch[3]: there are 3"},
                 {-1, 0, "fetch[-1]: there are 3"},
                 {0, 3, "fetch[3]: there are 3"},
                 {0, -1, "fetch[-1]: there are 3"},
                 {0, INT64_MAX, "fetch[more than 2147483647]: there are 3"},
                 {0, INT64_MIN, "fetch[less than -2147483648]: there are 3"},
                 {1, 2, "fetch[2]: not submitted"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        begin_with(uf_pool_inline());
        assert_int_equal(Lab_start_Element(&lab, cases[i].submitted, cases[i].waited), UF_OK);
        rounds(3);
        ends_with(UF_FAILED, cases[i].reason);
    }
}

CASE(R3_any_takes_the_first_that_ended)
{
    start_by_hand();
    assert_int_equal(Lab_start_Any(&lab, 3), UF_OK);
    rounds(3);
    uf_work *const first = hand_begin(), *const second = hand_begin(), *const third = hand_begin();
    uf_work *const order[] = {third, second, first};
    for (int i = 0; i < 3; i++) { /* in one round */
        uf_work_run(order[i]);
        uf_work_over(order[i], 0);
    }
    rounds(10);
    assert_log("2=4 1:-1 is negative 0=0 -1:not submitted");
    ends_with(UF_DONE, "");
}

CASE(R3_any_of_an_inline_pool_goes_by_submits)
{
    begin_with(uf_pool_inline());
    assert_int_equal(Lab_start_Any(&lab, 3), UF_OK);
    rounds(10);
    assert_log("0=0 1:-1 is negative 2=4 -1:not submitted");
    ends_with(UF_DONE, "");
}

CASE(R4_any_without_a_submit_fails)
{
    begin_with(uf_pool_inline());
    assert_int_equal(Lab_start_HandOn(&lab, 0), UF_OK);
    rounds(3);
    ends_with(UF_FAILED, "fetch: not submitted");
}

CASE(R4_a_failure_handed_on_names_the_element)
{
    begin_with(uf_pool_inline());
    assert_int_equal(Lab_start_HandOn(&lab, -5), UF_OK);
    rounds(3);
    ends_with(UF_FAILED, "fetch[1]: -5 is negative");
}

CASE(R5_all_waits_for_those_that_were_submitted)
{
    start_by_hand();
    assert_int_equal(Lab_start_All(&lab, 3, -1), UF_OK);
    rounds(3);
    uf_signal_fire(&lab.go);
    for (int i = 0; i < 3; i++) {
        assert_true(uf_flow_running(&lab.uf));
        hand_finish(0);
        rounds(2);
    }
    rounds(3);
    assert_int_equal(lab.sum, 6);
    ends_with(UF_DONE, "");
}

CASE(R5_all_fails_with_the_first_of_the_array)
{
    start_by_hand();
    assert_int_equal(Lab_start_All(&lab, 3, 1), UF_OK);
    rounds(3);
    hand_finish(0);
    hand_finish(0);
    rounds(2);
    ends_with(UF_FAILED, "one: -1 is negative");
}

CASE(R5_all_of_nothing_fails)
{
    begin_with(uf_pool_inline());
    assert_int_equal(Lab_start_All(&lab, 0, -1), UF_OK);
    rounds(3);
    ends_with(UF_FAILED, "one: not submitted");
}

CASE(R6_all_does_not_fail_with_what_any_has_taken)
{
    begin_with(uf_pool_inline());
    assert_int_equal(Lab_start_Rest(&lab), UF_OK);
    rounds(5);
    ends_with(UF_DONE, "");
}

CASE(R7_at_most_n_at_once)
{
    static uf_seeded_pool pool;
    static uf_work works[8];
    for (uint64_t seed = 0; seed < 100; seed++) {
        int result = 0;
        assert_int_equal(uf_pool_seeded(&pool, works, LANES, seed, UF_MS(10)), UF_OK); /* more would be rejected */
        begin_with(&pool.pool);
        assert_int_equal(Lab_start_Load(&lab, (int)seed % 13), UF_OK);
        run_until_idle();
        assert_true(Lab_result_Load(&lab, &result));
        assert_int_equal(result, (int)(seed % 13) * ((int)(seed % 13) - 1));
        ends_with(UF_DONE, "");
    }
}

CASE(R8_a_value_that_no_arm_took_is_dropped)
{
    static const char *const expected[] = {
        "free(10) exit free(11)",          /* cleared; then cancelled */
        "free(10) exit free(20) free(11)", /* submitted again */
        "exit free(10) free(11)",          /* become */
        "exit free(10) free(11)",          /* fail */
        "took(10) exit free(30) free(11)", /* taken, and submitted again */
    };
    for (int what = 0; what < 5; what++) {
        begin_with(uf_pool_inline());
        assert_int_equal(Lab_start_Pages(&lab, what), UF_OK);
        rounds(3);
        uf_pump_round(&pump, UF_MS(10));
        rounds(5);
        if (uf_flow_running(&lab.uf)) assert_int_equal(uf_flow_cancel(&lab.uf), UF_OK);
        rounds(3);
        assert_log(expected[what]);
        finish();
    }
}

CASE(R8_all_takes_every_value)
{
    begin_with(uf_pool_inline());
    assert_int_equal(Lab_start_Pages(&lab, 0), UF_OK);
    rounds(3);
    uf_signal_fire(&lab.go);
    rounds(3);
    assert_log("exit");
    ends_with(UF_DONE, "");
}

CASE(R8_a_value_of_a_cancelled_job_is_dropped_when_it_comes)
{
    start_by_hand();
    assert_int_equal(Lab_start_Single(&lab), UF_OK);
    rounds(2);
    uf_work *const work = hand_begin();
    uf_signal_fire(&lab.go);
    rounds(2);
    assert_false(uf_flow_running(&lab.uf));
    uf_work_run(work);
    uf_work_over(work, 0);
    assert_log("");
    rounds(1);
    assert_log("free(7)");
    finish();
}

CASE(R8_a_value_that_comes_after_the_pump_is_dropped)
{
    start_by_hand();
    assert_int_equal(Lab_start_Single(&lab), UF_OK);
    rounds(2);
    uf_work *const work = hand_begin();
    assert_int_equal(uf_flow_cancel(&lab.uf), UF_OK);
    rounds(2);
    finish();
    uf_work_run(work);
    uf_work_over(work, 0);
    assert_log("free(7)");
    assert_int_equal(hand.given_back, 1);
}

CASE(R8_a_value_that_comes_too_late_is_dropped)
{
    start_by_hand();
    assert_int_equal(Lab_start_Single(&lab), UF_OK);
    rounds(2);
    hand_finish(0);
    rounds(3);
    assert_log("took(7)");
    ends_with(UF_DONE, "");
}

static void clear_again(void)
{
    (void)uf_job_clear(&lab.uf, &lab.uf_task.Pages.fetch[0].job);
    (void)uf_job_clear(&lab.uf, &lab.uf_task.Pages.fetch[1].job);
}

CASE(R8_a_drop_function_may_clear_jobs)
{
    begin_with(uf_pool_inline());
    assert_int_equal(Lab_start_Pages(&lab, 3), UF_OK);
    rounds(3);
    when_freed = clear_again;
    assert_int_equal(uf_flow_cancel(&lab.uf), UF_OK);
    rounds(2);
    when_freed = NULL;
    assert_log("exit free(10) free(11)"); /* each once */
    finish();
}

CASE(R9_names_of_arrays_may_be_words)
{
    begin_with(uf_pool_inline());
    assert_int_equal(Lab_start_Void(&lab), UF_OK);
    rounds(5);
    assert_log("0");
    ends_with(UF_DONE, "");
}

CASE(R10_observers_and_the_dump_name_elements)
{
    static uf_trace trace;
    static uf_trace_entry entries[32];
    static char shown[512];
    FILE *const out = tmpfile();
    start_by_hand();
    assert_int_equal(uf_trace_attach(&trace, &pump, NULL, entries, 32), UF_OK);
    assert_int_equal(Lab_start_Any(&lab, 2), UF_OK);
    rounds(3);
    assert_int_equal(uf_pump_dump(&pump, out), UF_OK);
    rewind(out);
    assert_true(fread(shown, 1, sizeof shown - 1, out) > 0);
    fclose(out);
    assert_non_null(strstr(shown, "waits: any(fetch) (2 pending, 0 of them run)\n"));
    (void)hand_begin();
    hand_finish(0);
    rounds(1);
    bool found = false;
    for (uint32_t i = 0; i < uf_trace_count(&trace); i++) {
        const uf_trace_entry *const entry = uf_trace_at(&trace, i);
        found |= entry->kind == UF_TRACE_JOB && entry->index == 1;
    }
    assert_true(found);
    assert_int_equal(uf_flow_cancel(&lab.uf), UF_OK);
    rounds(2);
    finish();
}
