/* SPDX-License-Identifier: MIT */
/* pause_rules.c - corners of pauses and cancels, in virtual time. */
#include "harness.h"

#include "uflow/simulate.h"

#include "pause_rules.h"

static Machine machine;
static uf_pause hold;

static void begin_machine(void)
{
    hold = (uf_pause){0};
    assert_int_equal(Machine_init(&machine, &pump, "machine"), UF_OK);
}

static void pass(int ms)
{
    (void)uf_simulate_until(&pump, uf_pump_now(&pump) + UF_MS(1) * ms);
}

/* Pauses the machine when it has left this task, and has not entered the next one. */
static void pause_between(uf_status (*start)(Machine *))
{
    begin_machine();
    assert_int_equal(start(&machine), UF_OK);
    rounds(1);
    uf_signal_fire(&machine.go);
    rounds(1);
    assert_int_equal(uf_flow_pause(&machine.uf, &hold), UF_OK);
    pass(50);
}

TEST(a_pause_between_two_tasks_calls_no_handler)
{
    pause_between(Machine_start_Last);
    assert_log("-shared:became");
    assert_int_equal(uf_flow_resume(&hold), UF_OK);
    pass(50);
    assert_log("-shared:became enters");
}

TEST(a_pause_between_two_tasks_of_a_group_begins_after_the_entry)
{
    pause_between(Machine_start_Before);
    assert_log("enters second shared");
    assert_int_equal(uf_flow_resume(&hold), UF_OK);
    pass(50);
    assert_log("enters second shared +shared +second -shared:done");
}

TEST(a_cancel_whose_on_exit_fails_stays_a_cancel)
{
    begin_machine();
    assert_int_equal(Machine_start_First(&machine), UF_OK);
    rounds(1);
    assert_int_equal(uf_flow_cancel(&machine.uf), UF_OK);
    rounds(1);
    assert_log("-first:cancelled -shared:cancelled");
    assert_int_equal(uf_flow_outcome(&machine.uf), UF_CANCELLED);
    assert_string_equal(uf_flow_reason(&machine.uf), "cancelled");
}

/* The next run in the place finds the record of the run before, which still pauses the machine. */
TEST(a_record_in_a_member_of_a_pool_outlives_its_run)
{
    static Crew crew;

    begin_machine();
    assert_int_equal(Crew_init(&crew, &pump, "crew", &machine), UF_OK);
    assert_int_equal(Machine_start_First(&machine), UF_OK);
    rounds(1);
    assert_int_equal(Crew_start_Work(&crew), UF_OK);
    pass(10);
    assert_int_equal(uf_flow_outcome(&crew.uf), UF_DONE);
    assert_log("first shared pauses:0 pauses:1 +shared +first resumes:0 pauses:0 first shared pauses:0");
}
