/* SPDX-License-Identifier: MIT */
/* example.c - the example of the language reference, in virtual time with a simulated machine. A pool without threads
 * reads the scale, within the submit or later. */
#include "harness.h"

#include "uflow/pool.h"

#include "example.h"

static Line line;
static bool scale_answers;
static unsigned worked;

void hal_grip(int force)
{
    log_note("grip %d", force);
}

bool scale_read(int channel, double *grams)
{
    worked++;
    *grams = channel * 10.0;
    return scale_answers;
}

static int begin_with(uf_pool *pool)
{
    log_clear();
    scale_answers = true;
    worked = 0;
    if (uf_pump_init(&pump, &(uf_pump_config){.pool = pool}) != UF_OK) return 1;
    if (Line_init(&line, &pump, "line") != UF_OK) return 1;
    return Line_start_Serve(&line) == UF_OK ? 0 : 1;
}

static int begin_inline(void **state)
{
    (void)state;
    return begin_with(uf_pool_inline());
}

static int begin_later(void **state)
{
    static uf_seeded_pool pool;
    static uf_work works[4];
    (void)state;
    if (uf_pool_seeded(&pool, works, 4, 42, UF_MS(100)) != UF_OK) return 1;
    return begin_with(&pool.pool);
}

static int end(void **state)
{
    (void)state;
    uf_flow_cancel(&line.uf);
    if (uf_simulate_until_idle(&pump, UF_S(1000)) != UF_OK) return 1;
    return Line_destroy(&line) == UF_OK ? 0 : 1;
}

static void advance(int seconds)
{
    uf_simulate_until(&pump, uf_pump_now(&pump) + UF_S(seconds));
}

static bool total_is(double grams)
{
    return line.total > grams - 0.5 && line.total < grams + 0.5;
}

/* -- with either pool --------------------------------------------------------------------------------------------- */

CASE_WITH(orders_are_picked_and_weighed, begin_inline, end)
{
    for (int slot = 1; slot <= 3; slot++) assert_int_equal(Line_orders_send(&line, slot), UF_OK);
    advance(30);
    assert_log("grip 1 grip 2 grip 3 grip 1 grip 2 grip 3 grip 1 grip 2 grip 3");
    assert_int_equal(worked, 3);
    assert_true(total_is(210));
    assert_string_equal(uf_flow_step(&line.uf), "Wait");
}
CASE_ALSO(orders_are_picked_and_weighed, begin_later, end)

CASE_WITH(a_scale_that_does_not_answer, begin_inline, end)
{
    scale_answers = false;
    Line_orders_send(&line, 1);
    advance(10);
    assert_int_equal(uf_flow_outcome(&line.picker.uf), UF_FAILED);
    assert_string_equal(uf_flow_reason(&line.picker.uf), "no weight: scale 7 does not answer");
    scale_answers = true;
    Line_orders_send(&line, 1);
    advance(10);
    assert_true(total_is(70)); /* the line continues */
}
CASE_ALSO(a_scale_that_does_not_answer, begin_later, end)

CASE_WITH(an_emergency_stop_parks_it, begin_inline, end)
{
    line.picker.z.stuck = true;
    Line_orders_send(&line, 2);
    advance(2); /* it lifts, and waits for z */
    assert_string_equal(uf_flow_step(&line.picker.uf), "Lift");
    line.picker.x.at = 500;
    assert_int_equal(uf_signal_fire(&estop), 1);
    rounds(1);
    assert_string_equal(uf_flow_task(&line.picker.uf), "Park");
    assert_false(uf_flow_running(&line.picker.z.uf)); /* leaving the await cancelled the run */
    advance(5);
    assert_int_equal(uf_flow_outcome(&line.picker.uf), UF_DONE);
    assert_true(axis_in_position(&line.picker.x));
    assert_true(total_is(0)); /* ended in Park: lost, not counted */
    assert_string_equal(uf_flow_step(&line.uf), "Wait");
}
CASE_ALSO(an_emergency_stop_parks_it, begin_later, end)

CASE_WITH(it_is_held_before_it_grips, begin_inline, end)
{
    assert_int_equal(uf_checkpoint_try_arm(&line.picker.before_grip), UF_OK);
    Line_orders_send(&line, 1);
    advance(20);
    assert_log("");
    assert_int_equal(uf_checkpoint_parked(&line.picker.before_grip), 1);
    assert_int_equal(uf_checkpoint_resume(&line.picker.before_grip), 1);
    advance(20);
    assert_log("grip 1 grip 2 grip 3");
    assert_true(total_is(70));
}
CASE_ALSO(it_is_held_before_it_grips, begin_later, end)

CASE_WITH(timeouts_and_tries, begin_inline, end)
{
    line.picker.z.stuck = true;
    Line_orders_send(&line, 1);
    advance(10);
    assert_string_equal(uf_flow_reason(&line.picker.uf), "z is slow");
    line.picker.x.stuck = true;
    line.picker.x.at = 0;
    Line_orders_send(&line, 4);
    advance(10);
    assert_string_equal(uf_flow_reason(&line.picker.uf), "axis x did not arrive after 3 tries");
}
CASE_ALSO(timeouts_and_tries, begin_later, end)

/* -- with one of them ---------------------------------------------------------------------------------------------- */

CASE_WITH(an_inline_job_is_over_when_it_was_submitted, begin_inline, end)
{
    line.picker.z.stuck = true;
    Line_orders_send(&line, 1);
    advance(2);
    assert_string_equal(uf_flow_step(&line.picker.uf), "Lift");
    assert_int_equal(worked, 1);
    assert_int_equal(uf_job_status_of(&line.picker.uf_task.Pick.weigh.job), UF_JOB_DONE);
    assert_true(line.picker.uf_task.Pick.weigh.value > 69);
}

CASE_WITH(a_job_left_behind_touches_nothing, begin_later, end)
{
    Line_orders_send(&line, 1);
    for (int i = 0; i < 10000 && !line.picker.uf_jobs; i++) uf_simulate_until(&pump, uf_pump_now(&pump) + UF_MS(1));
    assert_int_equal(line.picker.uf_jobs, 1);
    uf_signal_fire(&estop);
    advance(10);
    assert_int_equal(uf_flow_outcome(&line.picker.uf), UF_DONE);
    assert_int_equal(line.picker.uf_jobs, 0);
    Line_orders_send(&line, 1);
    advance(10);
    assert_true(total_is(70));
}
