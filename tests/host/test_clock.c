/* SPDX-License-Identifier: MIT */
/* test_clock.c - each change of logical time, on each kind of pump, from each place where it is allowed. A change takes
 * effect at once: queries show it, and so does a flow that sleeps. */
#include "host_test.h"

#include "uflow/simulate.h"
#include "uflow/timer.h"

typedef enum change { FREEZE, RESUME, FASTER, SLOWER, CHANGES } change;
typedef enum kind { OWN_THREAD, EMBEDDED, LINKED, BY_HAND, SIMULATED, KINDS } kind;
typedef enum place { IN_STEP, IN_POST, IN_OBSERVER, OUTSIDE, BETWEEN_ROUNDS, PLACES } place;

static const char *const changes[] = {"freeze", "resume", "faster", "slower"};
static const char *const kinds[] = {"own thread", "embedded", "linked", "by hand", "simulated"};
static const char *const places[] = {"step", "post", "observer", "another thread", "between rounds"};

#define FAST   1000000.0
#define SLOW   (1 / FAST)
#define LATER  UF_S(1000) /* comes at once if time is fast */
#define SOON   UF_MS(20)
#define REALLY 60 /* ms of real time, during which the event does not come if time is frozen or slow */

static uf_runtime *driver;
static uf_pump own_pump, *pump;
static uf_time real; /* of a caller-driven pump */
static uf_observer observer;

static struct {
    change what;
    place where;
    int made; /* NOT_YET, or whether the query after the change showed it */
} now;

enum { NOT_YET, UNSEEN, SEEN };

static void make_change(void)
{
    bool done = false;
    switch (now.what) {
    case FREEZE: uf_pump_freeze(pump); break;
    case RESUME: uf_pump_resume(pump); break;
    case FASTER: done = uf_pump_set_scale(pump, FAST) == UF_OK; break;
    case SLOWER: done = uf_pump_set_scale(pump, SLOW) == UF_OK; break;
    case CHANGES: break;
    }
    double const scale = uf_pump_scale(pump);
    if (now.what == FREEZE) done = uf_pump_frozen(pump);
    if (now.what == RESUME) done = !uf_pump_frozen(pump);
    if (now.what == FASTER) done = done && scale == FAST;
    if (now.what == SLOWER) done = done && scale > 0 && scale < 2 * SLOW;
    SET(now.made, done ? SEEN : UNSEEN);
}

static void change_at(place where)
{
    if (now.where == where && !READ(now.made)) make_change();
}

static void in_step(Worker *flow)
{
    (void)flow;
    change_at(IN_STEP);
}

static void in_observer(void *context, const uf_flow *flow, const uf_step_change *step)
{
    (void)context;
    (void)step;
    if (flow == &workers[1].uf) change_at(IN_OBSERVER);
}

static void in_post(void *argument)
{
    (void)argument;
    change_at(IN_POST);
}

static void *on_another_thread(void *argument)
{
    (void)argument;
    change_at(OUTSIDE);
    return NULL;
}

/* Runs a round, or waits for one if the pump has a thread. */
static void go_on(kind on)
{
    if (on == EMBEDDED) assert_int_equal(uf_runtime_poll(runtime), UF_OK);
    if (on == BY_HAND || on == SIMULATED) (void)uf_pump_round(pump, real);
    else sleep_ms(1);
    if (on == BY_HAND) real += UF_MS(1);
}

static void begin_on(kind on)
{
    memset(&own_pump, 0, sizeof own_pump);
    real = 0;
    if (on == BY_HAND || on == SIMULATED) {
        uf_pump_config const config = {.pre_round = now.where == IN_POST ? in_post : NULL};
        assert_int_equal(uf_pump_init(&own_pump, &config), UF_OK);
        pump = &own_pump;
    } else {
        uf_runtime_config const config = {.embedded = on == EMBEDDED};
        assert_int_equal(uf_runtime_new(&runtime, &config), UF_OK);
        pump = uf_runtime_pump(runtime);
        if (on == EMBEDDED) assert_int_equal(uf_runtime_poll(runtime), UF_OK);
    }
    if (on == LINKED) {
        assert_int_equal(uf_runtime_new(&driver, NULL), UF_OK);
        assert_int_equal(uf_runtime_link(driver, runtime), UF_OK);
    }
    for (int i = 0; i < 2; i++) assert_int_equal(Worker_init(&workers[i], pump, i ? "changer" : "rest"), UF_OK);
    workers[1].body = in_step;
    observer = (uf_observer){.step_changed = in_observer};
    if (on == BY_HAND || on == SIMULATED) assert_int_equal(uf_pump_add_observer(pump, &observer), UF_OK);
    else assert_int_equal(uf_runtime_add_observer(runtime, &observer), UF_OK);
}

static void end_on(kind on)
{
    if (on == BY_HAND || on == SIMULATED) {
        uf_pump_cancel_all(pump);
        go_on(on);
        for (int i = 0; i < 2; i++) assert_int_equal(Worker_destroy(&workers[i]), UF_OK);
        assert_int_equal(uf_pump_destroy(pump), UF_OK);
        return;
    }
    if (on == LINKED) assert_int_equal(uf_runtime_unlink(runtime), UF_OK);
    if (on == LINKED) assert_int_equal(uf_runtime_free(driver), UF_OK);
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
}

static void bring_about(kind on)
{
    bool const runtimes = on != BY_HAND && on != SIMULATED;

    if (now.where == IN_STEP || now.where == IN_OBSERVER) assert_int_equal(Worker_start_Count(&workers[1], 2), UF_OK);
    if (now.where == IN_POST && runtimes) assert_int_equal(uf_post(runtime, in_post, NULL), UF_OK);
    if (now.where == OUTSIDE) {
        pthread_t other;
        assert_int_equal(pthread_create(&other, NULL, on_another_thread, NULL), 0);
        pthread_join(other, NULL);
    }
    change_at(BETWEEN_ROUNDS);
    for (int64_t const limit = real_now() + LONG; !READ(now.made) && real_now() < limit;) go_on(on);
    assert_int_equal(READ(now.made), SEEN);
}

static bool rests(void)
{
    return uf_flow_running(&workers[0].uf);
}

/* Virtual time is exact: the deadline comes at its logical moment, and real time follows through the scale. */
static void judge_simulated(uf_time nap)
{
    uf_time const began = pump->clock.real;
    uf_status const status = uf_simulate_until_idle(pump, UF_FOREVER);
    uf_time const took = pump->clock.real - began;
    if (now.what == FREEZE) assert_int_equal(status, UF_BLOCKED);
    else assert_int_equal(status, UF_OK);
    if (now.what == RESUME) assert_true(took == nap);
    if (now.what == FASTER) assert_true(took == nap / (uf_time)FAST);
    if (now.what == SLOWER) assert_true(took > nap * (uf_time)(FAST / 2));
}

static bool comes(void)
{
    return now.what == RESUME || now.what == FASTER;
}

static void judge(kind on)
{
    int64_t const real_limit = real_now() + (comes() ? LONG : UF_MS(REALLY));
    uf_time const limit = real + UF_MS(REALLY);

    while (rests() && (on == BY_HAND ? real < limit : real_now() < real_limit)) go_on(on);
    assert_int_equal(rests(), !comes());
    if (now.what != FREEZE) return;
    uf_time const stands = uf_pump_now(pump);
    for (int i = 0; i < 5; i++) go_on(on);
    assert_true(uf_pump_now(pump) == stands);
}

static void rest(kind on, uf_time nap)
{
    assert_int_equal(Worker_start_Rest(&workers[0], nap), UF_OK);
    for (int64_t const limit = real_now() + LONG; !READ(workers[0].bodies) && real_now() < limit;) go_on(on);
    assert_true(READ(workers[0].bodies));
}

static void one(change what, kind on, place where)
{
    uf_time const nap = what == FASTER ? LATER : SOON;

    print_message("%s, %s: %s\n", kinds[on], places[where], changes[what]);
    now.what = what;
    now.where = where;
    bool const rests_before = comes() || on == BY_HAND || on == SIMULATED; /* in real time the sleep might be over */
    now.made = SEEN; /* the hook of a caller-driven pump changes nothing before the flow sleeps */
    begin_on(on);
    if (what == RESUME) uf_pump_freeze(pump);
    if (rests_before) rest(on, nap);
    SET(now.made, NOT_YET);
    bring_about(on);
    if (!rests_before) rest(on, nap);
    if (on == SIMULATED) judge_simulated(nap);
    else judge(on);
    end_on(on);
}

/* The hook of a caller-driven pump runs like a post. Other threads must not use such a pump. */
CASE(every_change_on_every_pump_from_every_place)
{
    for (int on = 0; on < KINDS; on++) {
        for (int where = 0; where < PLACES; where++) {
            if ((on == BY_HAND || on == SIMULATED) && where == OUTSIDE) continue;
            for (int what = 0; what < CHANGES; what++) one((change)what, (kind)on, (place)where);
        }
    }
}

CASE(what_is_refused_changes_nothing)
{
    static const double refused[] = {-1, -1e-300, 2147483649.0};
    for (int on = 0; on < KINDS; on++) {
        begin_on((kind)on);
        assert_int_equal(uf_pump_set_scale(pump, 2), UF_OK);
        for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
            assert_int_equal(uf_pump_set_scale(pump, refused[i]), UF_INVALID);
        }
        assert_int_equal(uf_pump_set_scale_fixed(pump, UINT64_MAX), UF_INVALID);
        assert_true(uf_pump_scale(pump) == 2);
        end_on((kind)on);
    }
}

/* -- timers -------------------------------------------------------------------------------------------------------- */

typedef struct Timed {
    uf_timer plain, step;
    uf_time first, later;
    bool passed;
} Timed;

static Timed timed;

static void look_at_timers(Worker *flow)
{
    uf_time const elapsed = uf_timer_elapsed(&timed.plain);

    (void)flow;
    if (flow->bodies == 1) timed.first = elapsed;
    else timed.later = elapsed;
    timed.passed = uf_timer_passed(&timed.plain, UF_MS(20));
    (void)uf_timer_elapsed(&timed.step);
}

/* Like `on init` on another thread than the pump's, while the pump works. There is no race, and the start has the
 * present time: neither that of an old round nor a future one. */
CASE(a_timer_may_be_started_on_any_thread_before_its_flow_runs)
{
    begin_with(NULL);
    sleep_ms(50); /* its last round is old */
    assert_int_equal(Worker_start_Poll(&workers[1]), UF_OK);
    workers[0].body = look_at_timers;
    int64_t const before = real_now();
    uf_timer_start(&timed.plain, &workers[0].uf);
    uf_timer_start_step(&timed.step, &workers[0].uf);
    assert_int_equal(Worker_call_Rest(&workers[0], UF_MS(20), LONG, NULL), UF_OK);
    assert_true(timed.first >= 0 && timed.first <= real_now() - before);
    assert_true(timed.later >= 0 && timed.later <= real_now() - before);
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
}

CASE(asked_on_any_thread_time_goes_on)
{
    begin_with(NULL);
    uf_time const before = uf_flow_now(&workers[0].uf);
    sleep_ms(5); /* without a round */
    assert_true(uf_flow_now(&workers[0].uf) >= before + UF_MS(5));
    assert_ptr_equal(uf_flow_pump(&workers[0].uf), uf_runtime_pump(runtime));
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
}
