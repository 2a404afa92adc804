/* SPDX-License-Identifier: MIT */
/* test_link.c - one thread for two runtimes. */
#include "host_test.h"

static uf_runtime *other;
static Worker guest;
static pthread_t driver_thread, seen;
static int events, wrong, shared;
static char driven_by[32];

static void note_thread(void *argument)
{
    *(pthread_t *)argument = pthread_self();
}

static void note_ended(void *context, const uf_flow *flow, const uf_flow_end *end)
{
    (void)context;
    (void)end;
    wrong += flow != &guest.uf; /* an observer of one runtime gets no events of the other */
    events++;
}

static void note_linked(void *context, const char *driver)
{
    (void)context;
    snprintf(driven_by, sizeof driven_by, "[%s]", driver);
}

static uf_observer observer = {.flow_ended = note_ended, .linked = note_linked};

static int setup_two(void **state)
{
    uf_runtime_config const config = {.name = "other", .observers = &observer};
    setup(state);
    events = wrong = shared = 0;
    driven_by[0] = '\0';
    assert_int_equal(uf_runtime_new(&other, &config), UF_OK);
    assert_int_equal(Worker_init(&guest, uf_runtime_pump(other), "guest"), UF_OK);
    assert_int_equal(uf_post_wait(runtime, note_thread, &driver_thread), UF_OK);
    return 0;
}

static int teardown_two(void **state)
{
    assert_int_equal(uf_runtime_free(other), UF_OK);
    return teardown(state);
}

static bool other_is_driven(void)
{
    assert_int_equal(uf_post_wait(other, note_thread, &seen), UF_OK);
    return pthread_equal(seen, driver_thread);
}

#define TEST_TWO(name) CASE_WITH(name, setup_two, teardown_two)

TEST_TWO(F7_the_drivers_thread)
{
    assert_false(other_is_driven());
    assert_int_equal(uf_runtime_driver_index(other), uf_runtime_index(other));
    assert_int_equal(uf_runtime_link(runtime, other), UF_OK);
    assert_true(other_is_driven());
    assert_int_equal(uf_runtime_driver_index(other), uf_runtime_index(runtime));
    assert_int_equal(uf_runtime_driver_index(runtime), uf_runtime_index(runtime));
    assert_string_equal(driven_by, "[uflow]");
    assert_int_equal(Worker_call_Count(&guest, 3, LONG, NULL, NULL), UF_OK);
    assert_int_equal(Worker_call_Count(&workers[0], 3, LONG, NULL, NULL), UF_OK);
    assert_int_equal(uf_runtime_unlink(other), UF_OK);
    assert_string_equal(driven_by, "[]");
    assert_false(other_is_driven());
    assert_int_equal(uf_runtime_driver_index(other), uf_runtime_index(other));
    assert_int_equal(uf_runtime_driver_index(NULL), 0);
    assert_int_equal(Worker_call_Count(&guest, 3, LONG, NULL, NULL), UF_OK);
    assert_int_equal(events, 2);
    assert_int_equal(wrong, 0);
}

TEST_TWO(F7_its_own_clock_and_configuration)
{
    assert_int_equal(uf_runtime_link(runtime, other), UF_OK);
    uf_pump_freeze(uf_runtime_pump(runtime));
    assert_false(uf_pump_frozen(uf_runtime_pump(other)));
    assert_string_equal(uf_runtime_configuration(other)->name, "other");
    assert_int_equal(Worker_call_Rest(&guest, UF_MS(5), LONG, NULL), UF_OK); /* the driver sleeps no longer than that */
    uf_pump_resume(uf_runtime_pump(runtime));
}

TEST_TWO(F7_what_is_on_its_way_arrives)
{
    for (int i = 0; i < 50; i++) {
        assert_int_equal(Worker_start_Count(&guest, 3), UF_OK);
        assert_int_equal(i % 2 ? uf_runtime_unlink(other) : uf_runtime_link(runtime, other), UF_OK);
        assert_int_equal(uf_flow_wait(&guest.uf, LONG, NULL), UF_OK);
    }
    assert_int_equal(guest.exits, 50);
}

TEST_TWO(F7_what_is_refused)
{
    uf_runtime_config const config = {.embedded = true};
    uf_runtime *third;
    assert_int_equal(uf_runtime_link(runtime, runtime), UF_INVALID);
    assert_int_equal(uf_runtime_link(NULL, runtime), UF_INVALID);
    assert_int_equal(uf_runtime_unlink(other), UF_INVALID);
    assert_int_equal(uf_runtime_link(runtime, other), UF_OK);
    assert_int_equal(uf_runtime_link(runtime, other), UF_BUSY);
    assert_int_equal(uf_runtime_free(runtime), UF_BUSY);
    assert_int_equal(uf_runtime_new(&third, NULL), UF_OK);
    assert_int_equal(uf_runtime_link(other, third), UF_BUSY); /* flat */
    assert_int_equal(uf_runtime_link(third, runtime), UF_BUSY);
    assert_int_equal(uf_runtime_free(third), UF_OK);
    assert_int_equal(uf_runtime_new(&third, &config), UF_OK);
    assert_int_equal(uf_runtime_link(runtime, third), UF_UNSUPPORTED);
    assert_int_equal(uf_runtime_free(third), UF_OK);
}

static uf_status in_a_step[3];

static void link_in_a_step(Worker *flow)
{
    (void)flow;
    in_a_step[0] = uf_runtime_link(other, runtime); /* this would end the calling thread */
    in_a_step[1] = uf_runtime_link(runtime, other);
    in_a_step[2] = uf_runtime_unlink(other);
}

TEST_TWO(F7_from_a_step)
{
    workers[0].body = link_in_a_step;
    assert_int_equal(Worker_call_Count(&workers[0], 1, LONG, NULL, NULL), UF_OK);
    assert_int_equal(in_a_step[0], UF_DEADLOCK);
    assert_int_equal(in_a_step[1], UF_OK); /* the driver's own thread may */
    assert_int_equal(in_a_step[2], UF_DEADLOCK);
    assert_true(other_is_driven());
}

static int bumps;

static void bump(Worker *flow) /* on both, without a lock: ThreadSanitizer checks it */
{
    (void)flow;
    shared++;
    bumps++;
}

TEST_TWO(F7_flows_of_both_share_without_a_lock)
{
    bumps = 0;
    assert_int_equal(uf_runtime_link(runtime, other), UF_OK);
    guest.body = workers[0].body = bump;
    assert_int_equal(Worker_start_Count(&guest, 1000), UF_OK);
    assert_int_equal(Worker_start_Count(&workers[0], 1000), UF_OK);
    assert_int_equal(uf_runtime_wait(runtime, LONG), UF_OK);
    assert_int_equal(uf_runtime_wait(other, LONG), UF_OK);
    assert_int_equal(shared, 2000);
}

static Worker victim;
static bool is_cancel;

/* Called in a step after which its own pump has no more work. */
static void see_to_victim(Worker *flow)
{
    (void)flow;
    (void)(is_cancel ? uf_flow_cancel(&victim.uf) : Worker_start_Count(&victim, 1));
}

/* On one thread no message is sent, and the round of the affected pump may be over. */
TEST_TWO(a_step_starts_and_cancels_flows_of_all_that_its_thread_drives)
{
    uf_runtime *third;
    Worker starter;
    assert_int_equal(uf_runtime_new(&third, NULL), UF_OK);
    assert_int_equal(uf_runtime_link(runtime, other), UF_OK);
    assert_int_equal(uf_runtime_link(runtime, third), UF_OK);
    uf_runtime *const all[] = {runtime, other, third};
    for (int i = 0; i < 18; i++) {
        uf_runtime *const from = all[i % 3], *const to = all[i / 3 % 3];
        is_cancel = i >= 9;
        assert_int_equal(Worker_init(&victim, uf_runtime_pump(to), "victim"), UF_OK);
        assert_int_equal(Worker_init(&starter, uf_runtime_pump(from), "starter"), UF_OK);
        starter.body = see_to_victim;
        if (is_cancel) {
            assert_int_equal(Worker_start_Rest(&victim, UF_FOREVER), UF_OK);
            UNTIL(READ(victim.bodies) == 1);
        }
        assert_int_equal(Worker_start_Rest(&starter, UF_FOREVER), UF_OK);
        UNTIL(uf_flow_outcome(&victim.uf) == (is_cancel ? UF_CANCELLED : UF_DONE)); /* without a check that wakes it */
        assert_int_equal(uf_flow_cancel(&starter.uf), UF_OK);
        assert_int_equal(uf_flow_wait(&starter.uf, LONG, NULL), UF_OK);
        assert_int_equal(Worker_destroy(&starter), UF_OK);
        assert_int_equal(Worker_destroy(&victim), UF_OK);
    }
    assert_int_equal(uf_runtime_free(third), UF_OK);
}

CASE_WITH(free_while_linked, setup_two, teardown_two)
{
    assert_int_equal(Worker_start_Rest(&guest, UF_FOREVER), UF_OK);
    assert_int_equal(uf_runtime_link(runtime, other), UF_OK);
    assert_int_equal(uf_runtime_free(other), UF_OK);
    assert_int_equal(guest.exits, guest.enters);
    assert_int_equal(Worker_call_Count(&workers[0], 1, LONG, NULL, NULL), UF_OK);
    assert_int_equal(uf_runtime_new(&other, NULL), UF_OK); /* for the teardown */
}

/* Messages and wake-ups while it is linked and unlinked; mainly for ThreadSanitizer. */
static int stop;

static void count_up(void *argument)
{
    (void)argument;
    shared++;
}

static void *post_all_the_time(void *argument)
{
    (void)argument;
    for (int i = 0; !READ(stop); i++) {
        if (uf_post(other, count_up, NULL) == UF_OK) COUNT(bumps);
        uf_runtime_wake(other);
        if (i % 16 == 0) (void)uf_post_wait(other, count_up, NULL), COUNT(bumps);
    }
    return NULL;
}

TEST_TWO(D20_link_while_others_post)
{
    threads crowd;
    stop = bumps = 0;
    crowd_start(&crowd, 3, post_all_the_time);
    for (int i = 0; i < MANY(100); i++) {
        assert_int_equal(uf_runtime_link(runtime, other), UF_OK);
        assert_int_equal(uf_runtime_unlink(other), UF_OK);
    }
    SET(stop, 1);
    crowd_join(&crowd);
    assert_int_equal(uf_runtime_wait(other, LONG), UF_OK);
    assert_int_equal(shared, bumps);
}
