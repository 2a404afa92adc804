/* SPDX-License-Identifier: MIT */
/* awaits.c - each arm of each await becomes ready, alone, and must lead to its target. Neither earlier steps of the
 * flow nor the order of the arms may matter. awaits.py writes the awaits. With GUARDED, each arm has a condition: arms
 * that the await lacks must not matter either. */
#include "harness.h"

#include "awaits.h"

static Waiter waiter;
static Visitor visitor;

/* -- a pool whose job ends when the test says so ------------------------------------------------------------------- */

static uf_work work;
static bool at_work;

static uf_work *take(uf_pool *pool)
{
    (void)pool;
    return at_work ? NULL : &work;
}

static void run(uf_pool *pool, uf_work *given)
{
    (void)pool, (void)given;
    at_work = true;
}

static bool withdraw(uf_pool *pool, uf_work *given)
{
    (void)pool, (void)given;
    at_work = false;
    return true;
}

static void put(uf_pool *pool, uf_work *given)
{
    (void)pool, (void)given;
    at_work = false;
}

static const uf_pool_kind kind = {.take = take, .run = run, .withdraw = withdraw, .put = put};
static uf_pool pool = {&kind};

/* -- one await ---------------------------------------------------------------------------------------------------- */

static void set_up(void)
{
    at_work = false;
    assert_int_equal(uf_pump_init(&pump, &(uf_pump_config){.pool = &pool}), UF_OK);
    assert_int_equal(Waiter_init(&waiter, &pump, "waiter"), UF_OK);
    assert_int_equal(Visitor_init(&visitor, &pump, "visitor"), UF_OK);
    assert_int_equal(Child_start_Work(&waiter.other), UF_OK);
    assert_int_equal(Child_start_Work(&waiter.busy), UF_OK);
    assert_int_equal(Child_start_Work(&waiter.never), UF_OK);
    assert_int_equal(uf_checkpoint_try_arm(&waiter.gate), UF_OK);
    assert_int_equal(uf_checkpoint_try_arm(&door), UF_OK);
}

static void pass(uf_time time)
{
    assert_int_equal(uf_simulate_until(&pump, uf_pump_now(&pump) + time), UF_OK);
}

static void tear_down(void)
{
    uf_pump_cancel_all(&pump);
    pass(UF_S(1));
    (void)uf_checkpoint_disarm(&door);
    assert_int_equal(Visitor_destroy(&visitor), UF_OK);
    assert_int_equal(Waiter_destroy(&waiter), UF_OK);
    assert_int_equal(uf_pump_destroy(&pump), UF_OK);
}

static void make_ready(arm which)
{
    switch (which) {
    case RUN: (void)uf_signal_fire(&waiter.child.go); break;
    case RESULT: (void)uf_signal_fire(&waiter.valued.go); break;
    case UNTIL: waiter.is_true = true; break;
    case HELD: waiter.is_held = true; break;
    case SIGNAL: (void)uf_signal_fire(&waiter.alarm); break;
    case FIRED: (void)uf_signal_fire(&waiter.bell); break;
    case TIMEOUT: pass(UF_S(7200)); break;
    case IDLE: (void)uf_flow_cancel(&waiter.other.uf); break;
    case MAIL: assert_int_equal(Waiter_box_send(&waiter, 1), UF_OK); break;
    case JOB:
        uf_work_run(&work);
        uf_work_over(&work, 0);
        break;
    case STOP: (void)uf_checkpoint_resume(&waiter.gate); break;
    case ARRIVED: assert_int_equal(Visitor_start_Visit(&visitor), UF_OK); break;
    case BUSY:
    case NONE:
    case ARMS: break;
    }
}

/* The arm can be ready when the flow reaches the await. */
static bool is_level(arm which)
{
    return which == UNTIL || which == IDLE || which == MAIL || which == STOP || which == ARRIVED;
}

static bool has(const combination *await, arm which)
{
    return await->arms[0] == which || await->arms[1] == which || await->arms[2] == which;
}

#ifdef GUARDED
static bool there[] = {true, true};
#define START(which, before) Waiter_start_Begin(&waiter, which, before, there[0], there[1])
#else
#define START(which, before) Waiter_start_Begin(&waiter, which, before)
#endif

static void reach(unsigned which, past before)
{
    assert_int_equal(START(which, before), UF_OK);
    pass(UF_MS(100));
    (void)uf_signal_fire(&waiter.early);
    pass(UF_S(1));
}

static unsigned is_wrong(const combination *await, past before, arm which, const char *when)
{
    int value = 0;

    if (await->result(&waiter, &value) && value == (int)which) return 0;
    print_error("%s, before %d: arm %d became ready %s: %s, %d (%s)\n", await->name, (int)before, (int)which, when,
                uf_outcome_text(uf_flow_outcome(&waiter.uf)), value, uf_flow_reason(&waiter.uf));
    return 1;
}

static unsigned becomes_ready_later(unsigned number, past before, arm which)
{
    combination const *const await = &combinations[number];
    unsigned wrong = 0;

    set_up();
    reach(number, before);
    if (which != BUSY && !uf_flow_running(&waiter.uf)) {
        print_error("%s, before %d: nothing was ready, and it ended\n", await->name, (int)before);
        wrong = 1;
    }
    make_ready(which);
    pass(UF_S(1));
    wrong += is_wrong(await, before, which, "later");
    tear_down();
    return wrong;
}

/* Then no run of the await is started. */
static unsigned is_ready_at_once(unsigned number, past before, arm which)
{
    combination const *const await = &combinations[number];

    set_up();
    make_ready(which);
    reach(number, before);
    unsigned wrong = is_wrong(await, before, which, "before");
    if (uf_flow_outcome(&waiter.child.uf) != UF_NEVER_RAN || uf_flow_outcome(&waiter.valued.uf) != UF_NEVER_RAN) {
        print_error("%s, before %d: a run was started although arm %d was ready\n", await->name, (int)before,
                    (int)which);
        wrong++;
    }
    tear_down();
    return wrong;
}

CASE(test_each_arm_of_each_await)
{
    unsigned wrong = 0, tried = 0;

    for (unsigned i = 0; combinations[i].name; i++) {
        combination const *const await = &combinations[i];
        for (unsigned before = 0; before < BEFORES; before++) {
            for (unsigned j = 0; await->arms[j] != NONE; j++) {
                arm const which = await->arms[j];
                if (is_level(which)) wrong += is_ready_at_once(i, (past)before, which);
                if (has(await, BUSY) && which != BUSY) continue; /* this failure decides at once */
                wrong += becomes_ready_later(i, (past)before, which);
                tried++;
            }
        }
    }
    assert_true(tried > 3000);
    assert_int_equal(wrong, 0);
}

#ifdef GUARDED
/* The arm that is not there becomes ready before or after the flow reaches the await, and then the other arm. */
static unsigned is_absent(unsigned number, past before, unsigned absent, bool is_early)
{
    combination const *const await = &combinations[number];
    arm const none = await->arms[absent], other = await->arms[!absent];
    unsigned wrong = 0;

    set_up();
    if (is_early) make_ready(none);
    reach(number, before);
    bool const has_ended = other == BUSY; /* this failure decides at once */
    if (!is_early && !has_ended) make_ready(none);
    pass(UF_S(1));
    if (!has_ended && !uf_flow_running(&waiter.uf)) {
        print_error("%s, before %d: arm %d is not there, and the flow ended\n", await->name, (int)before, (int)none);
        wrong = 1;
    }
    make_ready(other);
    pass(UF_S(1));
    wrong += is_wrong(await, before, other, "without the other arm");
    tear_down();
    return wrong;
}

CASE(test_arms_that_are_not_there)
{
    unsigned wrong = 0;

    for (unsigned i = 0; combinations[i].name; i++) {
        for (unsigned before = 0; before < BEFORES; before++) {
            for (unsigned absent = 0; absent < 2; absent++) {
                arm const none = combinations[i].arms[absent];
                there[absent] = false;
                if (none != TIMEOUT && none != JOB) wrong += is_absent(i, (past)before, absent, true);
                wrong += is_absent(i, (past)before, absent, false);
                there[absent] = true;
            }
        }
    }
    assert_int_equal(wrong, 0);
}

CASE(test_no_arm_is_there)
{
    there[0] = there[1] = false;
    for (unsigned i = 0; combinations[i].name; i++) {
        set_up();
        reach(i, (past)(i % BEFORES));
        assert_int_equal(uf_flow_outcome(&waiter.uf), UF_FAILED);
        assert_string_equal(uf_flow_reason(&waiter.uf), "nothing to wait for");
        tear_down();
    }
    there[0] = there[1] = true;
}
#endif
