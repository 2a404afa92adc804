/* SPDX-License-Identifier: MIT */
/* hand_lowered.c - the generated C of a flow, written by hand. It uses the whole interface of generated.h, and tests
 * core without ufc.
 *
 *   flow Motor {
 *       double at = 0;
 *       task Move(double to) -> double {
 *           on exit { exits++; }
 *           step Go { if (self->to < 0) fail "%g is behind the wall", self->to; await 10ms -> Arrive; }
 *           step Arrive { flow->at = self->to; done flow->at; }
 *       }
 *   }
 *   flow Crane {
 *       flow Motor motor;
 *       task Lift(double to) {
 *           int looks = 0;
 *           on enter { enters++; }
 *           on exit { exits++; last_exit = outcome; }
 *           step Wait {
 *               self->looks++;
 *               if (!gate_open) stay every 3ms timeout 20ms -> fail "the gate stayed shut";
 *               next Run;
 *           }
 *           step Run {
 *               await {
 *                   until (stop_asked) for 2ms        -> become Park;
 *                   run Motor.Move(&flow->motor, self->to) -> Report(result);
 *                   timeout 50ms                      -> fail "too slow";
 *               }
 *           }
 *           step Report(double at) { describe "at %d", (int)at; reached = at; done; }
 *       }
 *       task Park { step Rest { done; } }
 *   }
 */
#include "../cases.h"

#include "uflow/generated.h"
#include "uflow/simulate.h"

static bool gate_open, stop_asked;
static int enters, exits, stop_polls;
static uf_outcome last_exit;
static double reached;

/* -- Motor --------------------------------------------------------------------------------------------------------- */

typedef struct Motor_Move {
    double to;
} Motor_Move;

typedef struct Motor {
    uf_flow uf;
    double at;
    union {
        Motor_Move Move;
    } uf_task;
    union {
        double Move;
    } uf_result;
    uf_arm uf_arms[1];
    char uf_reason[UF_REASON_SIZE];
} Motor;

enum Motor_state {
    Motor_enter_Move = UF_ENTRY,
    Motor_at_Move_Go = 0,
    Motor_at_Move_Go_wait = UF_WAIT(1),
    Motor_at_Move_Arrive = 1
};

static uf_intent Motor_Move_done(Motor *flow, double value)
{
    if (!uf_leave(&flow->uf, UF_DONE)) return uf_stay();
    flow->uf_result.Move = value;
    return uf_intent_of(UF_INTENT_DONE);
}

static uf_intent Motor_Move_Go_wait(Motor *flow)
{
    if (uf_ready(&flow->uf_arms[0])) return uf_next(&flow->uf, Motor_at_Move_Arrive);
    return uf_park(&flow->uf, Motor_at_Move_Go_wait);
}

static uf_intent Motor_Move_Go_await(Motor *flow, uf_time after0)
{
    uf_arm_timeout(&flow->uf, &flow->uf_arms[0], after0);
    return Motor_Move_Go_wait(flow);
}

static uf_intent Motor_Move_Go(Motor *flow, Motor_Move *self)
{
    if (self->to < 0) return uf_fail_real(&flow->uf, "%g is behind the wall", self->to);
    return Motor_Move_Go_await(flow, UF_MS(10));
}

static uf_intent Motor_Move_Arrive(Motor *flow, Motor_Move *self)
{
    flow->at = self->to;
    return Motor_Move_done(flow, flow->at);
}

static uf_intent Motor_turn(uf_flow *uf, uint32_t now)
{
    Motor *const flow = (Motor *)uf;
    switch ((enum Motor_state)now) {
    case Motor_enter_Move:
    case Motor_at_Move_Go: return Motor_Move_Go(flow, &flow->uf_task.Move);
    case Motor_at_Move_Go_wait: return Motor_Move_Go_wait(flow);
    case Motor_at_Move_Arrive: return Motor_Move_Arrive(flow, &flow->uf_task.Move);
    }
    return uf_stay();
}

static void Motor_on_exit(uf_flow *uf, uf_outcome outcome)
{
    (void)uf;
    (void)outcome;
    exits++;
}

static const uf_task_info Motor_tasks[] = {{"Move", 3, 0, 1, UF_TASK_PLAIN, 0, 0}};
static const uf_step_info Motor_steps[] = {{"Go", 5, 0}, {"Arrive", 6, 0}};
static const uf_edge_info Motor_edges[] = {
    {0, UF_NO_STEP, UF_EDGE_FAIL, 5}, {0, 1, UF_EDGE_AWAIT, 5}, {1, UF_NO_STEP, UF_EDGE_DONE, 6}};
static const uf_flow_type Motor_type = {
    .abi = UF_ABI,
    .size = sizeof(Motor),
    .name = "Motor",
    .source = "crane.uflow",
    .turn = Motor_turn,
    .on_exit = Motor_on_exit,
    .tasks = Motor_tasks,
    .steps = Motor_steps,
    .edges = Motor_edges,
    .task_count = 1,
    .step_count = 2,
    .edge_count = 3,
    .arm_count = 1,
    .arms_offset = offsetof(Motor, uf_arms),
    .reason_offset = offsetof(Motor, uf_reason),
};

static uf_status Motor_start_Move(Motor *flow, double to)
{
    uf_status const claimed = uf_start_claim(&flow->uf);
    if (claimed != UF_OK) return claimed;
    flow->uf_task.Move.to = to;
    uf_start_commit(&flow->uf, Motor_enter_Move, NULL);
    return UF_OK;
}

/* -- Crane --------------------------------------------------------------------------------------------------------- */

typedef struct Crane_Lift {
    double to;
    int looks;
    union {
        struct {
            double at;
        } Report;
    } uf_args;
} Crane_Lift;

typedef struct Crane {
    uf_flow uf;
    Motor motor;
    union {
        Crane_Lift Lift;
    } uf_task;
    uf_arm uf_arms[3];
    char uf_reason[UF_REASON_SIZE];
    char uf_description[UF_DESCRIPTION_SIZE];
} Crane;

enum Crane_state {
    Crane_enter_Lift = UF_ENTRY,
    Crane_at_Lift_Wait = 0,
    Crane_at_Lift_Wait_stay = UF_WAIT(1),
    Crane_at_Lift_Run = 1,
    Crane_at_Lift_Run_wait = UF_WAIT(1) + 1,
    Crane_at_Lift_Report = 2,
    Crane_enter_Park = UF_ENTRY + 3,
    Crane_at_Park_Rest = 3
};

static uf_intent Crane_Lift_to_Report(Crane *flow, double at)
{
    flow->uf_task.Lift.uf_args.Report.at = at;
    return uf_next(&flow->uf, Crane_at_Lift_Report);
}

static uf_intent Crane_become_Park(Crane *flow)
{
    if (!uf_leave(&flow->uf, UF_BECAME)) return uf_stay();
    return uf_become(&flow->uf, Crane_enter_Park);
}

static uf_intent Crane_Lift_Wait_timeout(Crane *flow)
{
    return uf_fail(&flow->uf, "the gate stayed shut");
}

static uf_intent Crane_Lift_Wait(Crane *flow, Crane_Lift *self)
{
    self->looks++;
    if (!gate_open) {
        if (uf_stay_timed_out(&flow->uf, &flow->uf_arms[1], UF_MS(20))) return Crane_Lift_Wait_timeout(flow);
        return uf_stay_every(&flow->uf, &flow->uf_arms[0], UF_MS(3), Crane_at_Lift_Wait_stay);
    }
    return uf_next(&flow->uf, Crane_at_Lift_Run);
}

static bool stop_polled(void)
{
    stop_polls++;
    return stop_asked;
}

static uf_intent Crane_Lift_Run_wait(Crane *flow)
{
    if (!uf_polled(&flow->uf) && uf_held(&flow->uf, &flow->uf_arms[0], stop_polled(), UF_MS(2)))
        return Crane_become_Park(flow);
    if (uf_ready(&flow->uf_arms[1])) {
        return Crane_Lift_to_Report(flow, ((Motor *)uf_child(&flow->uf_arms[1]))->uf_result.Move);
    }
    if (uf_failed(&flow->uf_arms[1])) return uf_arm_failure(&flow->uf, &flow->uf_arms[1], "Motor.Move");
    if (uf_ready(&flow->uf_arms[2])) return uf_fail(&flow->uf, "too slow");
    return uf_poll(&flow->uf, Crane_at_Lift_Run_wait);
}

static uf_intent Crane_Lift_Run_await(Crane *flow, Motor *run0, double run0_to, uf_time after0)
{
    uf_arm_held(&flow->uf, &flow->uf_arms[0]);
    uf_arm_timeout(&flow->uf, &flow->uf_arms[2], after0);
    uf_intent const at_once = Crane_Lift_Run_wait(flow);
    if (at_once.bits != UF_INTENT_POLL) return at_once;
    if (uf_arm_run(&flow->uf, &flow->uf_arms[1], &run0->uf, 1))
        uf_arm_started(&flow->uf, &flow->uf_arms[1], Motor_start_Move(run0, run0_to));
    return Crane_Lift_Run_wait(flow);
}

static uf_intent Crane_Lift_Run(Crane *flow, Crane_Lift *self)
{
    return Crane_Lift_Run_await(flow, &flow->motor, self->to, UF_MS(50));
}

static uf_intent Crane_Lift_Report(Crane *flow, double const at)
{
    uf_describe(&flow->uf, "at %d", (int)at);
    reached = at;
    return uf_done(&flow->uf);
}

static uf_intent Crane_turn(uf_flow *uf, uint32_t now)
{
    Crane *const flow = (Crane *)uf;
    Crane_Lift *const lift = &flow->uf_task.Lift;
    switch ((enum Crane_state)now) {
    case Crane_enter_Lift:
        lift->looks = 0;
        enters++;
        if (uf_failing(uf)) return uf_stay();
        return Crane_Lift_Wait(flow, lift);
    case Crane_at_Lift_Wait: return Crane_Lift_Wait(flow, lift);
    case Crane_at_Lift_Wait_stay: return Crane_Lift_Wait_timeout(flow);
    case Crane_at_Lift_Run: return Crane_Lift_Run(flow, lift);
    case Crane_at_Lift_Run_wait: return Crane_Lift_Run_wait(flow);
    case Crane_at_Lift_Report: return Crane_Lift_Report(flow, lift->uf_args.Report.at);
    case Crane_enter_Park:
    case Crane_at_Park_Rest: return uf_done(uf);
    }
    return uf_stay();
}

static void Crane_on_exit(uf_flow *uf, uf_outcome outcome)
{
    if ((uf->state & UF_STATE_STEP) == Crane_at_Park_Rest) return;
    exits++;
    last_exit = outcome;
}

static const uf_task_info Crane_tasks[] = {{"Lift", 11, 0, 0, UF_TASK_PLAIN, 0, 0},
                                           {"Park", 31, 3, 0, UF_TASK_PLAIN, 0, 0}};
static const uf_step_info Crane_steps[] = {{"Wait", 15, 0}, {"Run", 20, 0}, {"Report", 28, 0}, {"Rest", 31, 1}};
static const uf_flow_type Crane_type = {
    .abi = UF_ABI,
    .size = sizeof(Crane),
    .name = "Crane",
    .source = "crane.uflow",
    .turn = Crane_turn,
    .on_exit = Crane_on_exit,
    .tasks = Crane_tasks,
    .steps = Crane_steps,
    .task_count = 2,
    .step_count = 4,
    .arm_count = 3,
    .arms_offset = offsetof(Crane, uf_arms),
    .reason_offset = offsetof(Crane, uf_reason),
    .description_offset = offsetof(Crane, uf_description),
};

static void Crane_init(Crane *flow, uf_pump *pump, const char *name)
{
    assert_int_equal(uf_flow_init(&flow->uf, &Crane_type, pump, name), UF_OK);
    assert_int_equal(uf_flow_init(&flow->motor.uf, &Motor_type, pump, "motor"), UF_OK);
    uf_flow_set_parent(&flow->motor.uf, &flow->uf);
}

static uf_status Crane_start_Lift(Crane *flow, double to)
{
    uf_status const claimed = uf_start_claim(&flow->uf);
    if (claimed != UF_OK) return claimed;
    flow->uf_task.Lift.to = to;
    uf_start_commit(&flow->uf, Crane_enter_Lift, NULL);
    return UF_OK;
}

/* -- the tests ----------------------------------------------------------------------------------------------------- */

static uf_pump pump;
static Crane crane;

static int setup(void **state)
{
    (void)state;
    gate_open = stop_asked = false;
    enters = exits = stop_polls = 0;
    reached = 0;
    assert_int_equal(uf_pump_init(&pump, NULL), UF_OK);
    Crane_init(&crane, &pump, "crane");
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    assert_int_equal(uf_pump_destroy(&pump), UF_BUSY);
    assert_int_equal(uf_flow_detach(&crane.uf), UF_OK); /* and its motor */
    assert_int_equal(uf_pump_destroy(&pump), UF_OK);
    assert_int_equal(uf_pump_destroy(&pump), UF_INVALID); /* it is no longer a pump */
    return 0;
}

CASE_WITH(test_runs_its_child_and_reports, setup, teardown)
{
    assert_int_equal(Crane_start_Lift(&crane, 7), UF_OK);
    assert_int_equal(Crane_start_Lift(&crane, 8), UF_BUSY);
    assert_string_equal(uf_flow_step(&crane.uf), "Wait");
    assert_int_equal(uf_simulate_until(&pump, UF_MS(10)), UF_OK);
    assert_int_equal(crane.uf_task.Lift.looks, 4); /* at 0, 3, 6, 9 */
    gate_open = true;
    assert_int_equal(uf_simulate_until_idle(&pump, UF_S(1)), UF_OK);
    assert_int_equal(uf_flow_outcome(&crane.uf), UF_DONE);
    assert_int_equal(uf_pump_now(&pump), UF_MS(12 + 10));
    assert_true(reached == 7);
    assert_int_equal(enters, 1);
    assert_int_equal(exits, 2);
}

CASE_WITH(test_the_gate_stays_shut, setup, teardown)
{
    Crane_start_Lift(&crane, 7);
    assert_int_equal(uf_simulate_until_idle(&pump, UF_S(1)), UF_OK);
    assert_int_equal(uf_pump_now(&pump), UF_MS(20));
    assert_int_equal(crane.uf_task.Lift.looks, 7); /* 0 to 18 */
    assert_int_equal(uf_flow_outcome(&crane.uf), UF_FAILED);
    assert_string_equal(uf_flow_reason(&crane.uf), "the gate stayed shut");
    assert_int_equal(last_exit, UF_FAILED);
}

CASE_WITH(test_a_failure_is_handed_on, setup, teardown)
{
    gate_open = true;
    Crane_start_Lift(&crane, -3);
    assert_int_equal(uf_simulate_until_idle(&pump, UF_S(1)), UF_OK);
    assert_string_equal(uf_flow_reason(&crane.uf), "Motor.Move: -3 is behind the wall");
    assert_string_equal(uf_flow_reason(&crane.motor.uf), "-3 is behind the wall");
}

CASE_WITH(test_a_busy_child_polls_no_condition_twice, setup, teardown)
{
    gate_open = true;
    Motor_start_Move(&crane.motor, 1);
    Crane_start_Lift(&crane, 7);
    uf_pump_round(&pump, 0);
    uf_pump_round(&pump, 0);
    assert_string_equal(uf_flow_reason(&crane.uf), "Motor.Move: busy");
    assert_int_equal(stop_polls, 1);
    assert_true(uf_flow_running(&crane.motor.uf)); /* it is not ours to cancel */
    assert_int_equal(uf_simulate_until_idle(&pump, UF_S(1)), UF_OK);
}

CASE_WITH(test_leaving_cancels_the_child_before_on_exit, setup, teardown)
{
    gate_open = stop_asked = true;
    Crane_start_Lift(&crane, 7);
    assert_int_equal(uf_simulate_until_idle(&pump, UF_S(1)), UF_OK);
    assert_int_equal(uf_pump_now(&pump), UF_MS(2)); /* held from 0 on */
    assert_int_equal(uf_flow_outcome(&crane.uf), UF_DONE);
    assert_int_equal(uf_flow_outcome(&crane.motor.uf), UF_CANCELLED);
    assert_string_equal(uf_flow_reason(&crane.motor.uf), "cancelled");
    assert_int_equal(last_exit, UF_BECAME);
    assert_int_equal(exits, 2);
}

CASE_WITH(test_introspection, setup, teardown)
{
    char path[32];
    assert_string_equal(uf_flow_task(&crane.uf), "");
    assert_string_equal(uf_flow_step(&crane.uf), "");
    assert_int_equal(uf_flow_ordinal(&crane.uf), -1);
    gate_open = true;
    Crane_start_Lift(&crane, 7);
    assert_int_equal(uf_simulate_until(&pump, UF_MS(5)), UF_OK);
    assert_string_equal(uf_flow_task(&crane.uf), "Lift");
    assert_string_equal(uf_flow_step(&crane.uf), "Run");
    assert_int_equal(uf_flow_line(&crane.uf), 20);
    assert_int_equal(uf_flow_ordinal(&crane.uf), 1);
    assert_int_equal(uf_flow_step_elapsed(&crane.uf), UF_MS(5));
    assert_int_equal(uf_flow_path(&crane.motor.uf, path, sizeof path), 11);
    assert_string_equal(path, "crane.motor");
    assert_int_equal(uf_flow_path(&crane.motor.uf, path, 8), 11);
    assert_string_equal(path, "crane.m");
    assert_int_equal(uf_flow_path(&crane.motor.uf, path, 0), 11);
    uf_flow_cancel(&crane.uf);
    assert_int_equal(uf_simulate_until_idle(&pump, UF_S(1)), UF_OK);
    assert_int_equal(uf_pump_now(&pump), UF_MS(5));
}
