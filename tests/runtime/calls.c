/* SPDX-License-Identifier: MIT */
/* calls.c - Flow_call_Task() from a plain thread, through a runtime with a thread of its own. */
#include "../cases.h"

#include "calls.h"
#include "uflow/runtime.h"

#define LONG UF_S(60)

static uf_runtime *runtime;
static Desk desk;

static int begin(void **state)
{
    (void)state;
    if (uf_runtime_new(&runtime, NULL) != UF_OK) return 1;
    return Desk_init(&desk, uf_runtime_pump(runtime), "desk") == UF_OK ? 0 : 1;
}

static int end(void **state)
{
    (void)state;
    return uf_runtime_free(runtime) == UF_OK ? 0 : 1;
}

CASE_WITH(test_J2_arguments_go_there_and_the_result_comes_back, begin, end)
{
    long sum = 0;
    uf_call_info info;
    for (int i = 1; i <= 200; i++) {
        assert_int_equal(Desk_call_Add(&desk, i, -2 * i, LONG, &sum, &info), UF_OK);
        assert_int_equal(sum, -i);
        assert_int_equal(info.outcome, UF_DONE);
        assert_string_equal(info.reason, "");
    }
}

CASE_WITH(test_J2_structs_pointers_and_padding, begin, end)
{
    spot const from = {1, 2}, to = {3, 6};
    spot middle = {0, 0};
    const char *name = NULL;
    assert_int_equal(Desk_call_Middle(&desk, 'm', from, &to, LONG, &middle, NULL), UF_OK);
    assert_true(middle.x > 1.9 && middle.x < 2.1 && middle.y > 3.9 && middle.y < 4.1);
    assert_int_equal(Desk_call_Name(&desk, LONG, &name, NULL), UF_OK);
    assert_string_equal(name, "desk");
}

CASE_WITH(test_J2_nothing_needs_to_be_wanted, begin, end)
{
    assert_int_equal(Desk_call_Add(&desk, 1, 2, LONG, NULL, NULL), UF_OK);
    assert_int_equal(Desk_call_Reset(&desk, LONG, NULL), UF_OK);
    assert_int_equal(desk.runs, 0);
}

CASE_WITH(test_J2_a_failure_says_why_and_leaves_the_result_alone, begin, end)
{
    uf_call_info info;
    long sum = 7;
    assert_int_equal(Desk_call_Refuse(&desk, 42, LONG, &info), UF_NOT_DONE);
    assert_int_equal(info.outcome, UF_FAILED);
    assert_string_equal(info.reason, "code 42");
    assert_int_equal(Desk_call_Turn(&desk, 43, LONG, &sum, &info), UF_NOT_DONE); /* ended in another task */
    assert_string_equal(info.reason, "code 43");
    assert_int_equal(sum, 7);
}

CASE_WITH(test_J2_a_timeout_cancels_what_it_started, begin, end)
{
    uf_call_info info;
    assert_int_equal(Desk_call_Hang(&desk, UF_MS(5), &info), UF_TIMED_OUT);
    assert_true(info.outcome == UF_CANCELLED || info.outcome == UF_RUNNING); /* on a slow machine, before the answer */
    assert_int_equal(Desk_call_Reset(&desk, LONG, NULL), UF_OK);             /* the flow is free again */
}
