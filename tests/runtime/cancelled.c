/* SPDX-License-Identifier: MIT */
/* cancelled.c - a thread is cancelled while it uses a runtime, which must go on. Each operation runs on a thread whose
 * cancellation is pending when it begins, so it would end at the first cancellation point. No function of the runtime
 * contains one. cancelled.py checks that every function for any thread is here. */
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "../cases.h"

#include "uflow/console.h"
#include "uflow/counters.h"
#include "uflow/coverage.h"
#include "uflow/dump.h"
#include "uflow/inspect.h"
#include "uflow/pool.h"
#include "uflow/recorder_file.h"

#include "cancelled.h"

#define LONG  UF_S(60)
#define SHORT UF_MS(5)

static uf_runtime *runtime;
static Reader reader;
static Other other, held; /* `held` runs */
static int ends[2];

static void nothing(void *unused)
{
    (void)unused;
}

/* -- operations ---------------------------------------------------------------------------------------------------- */

static uf_status fires(void)
{
    uf_status const started = Other_start_Hear(&other);
    (void)uf_signal_fire(&other.bell);
    return started;
}

static uf_status waits_for_a_signal(void)
{
    uint32_t const epoch = uf_signal_epoch(&other.bell);
    (void)uf_signal_wait(&other.bell, SHORT);
    return uf_signal_wait_since(&other.bell, epoch, SHORT);
}

static void note_fire(void *argument, uf_status status)
{
    (void)argument;
    (void)status;
    pthread_testcancel();
}

static void be_woken(void *unused)
{
    (void)unused;
    pthread_testcancel();
}

/* Hooks of the program contain cancellation points. */
static uf_status fires_for_a_pump_of_the_caller(void)
{
    static uf_pump pump;
    static Other hearer;
    uf_status status = uf_pump_init(&pump, &(uf_pump_config){.wake = be_woken});
    if (status == UF_OK) status = Other_init(&hearer, &pump, "hearer");
    if (status == UF_OK) status = Other_start_Hear(&hearer);
    for (int i = 0; i < 2; i++) (void)uf_pump_round(&pump, 0);
    (void)uf_signal_fire(&hearer.bell);
    for (int i = 0; i < 2; i++) (void)uf_pump_round(&pump, 0);
    if (status == UF_OK) status = Other_destroy(&hearer);
    return status == UF_OK ? uf_pump_destroy(&pump) : status;
}

static uf_status subscribes(void)
{
    static uf_signal bell;
    static uf_checkpoint stand;
    static uf_signal_callback one, two;
    uf_signal_init(&bell, "bell");
    (void)uf_signal_subscribe(&bell, &one, note_fire, NULL);
    (void)uf_signal_unsubscribe(&bell, &one);
    (void)uf_signal_subscribe_since(&bell, uf_signal_epoch(&bell), &two, note_fire, NULL);
    (void)uf_signal_fire(&bell);
    uf_signal_destroy(&bell);
    uf_checkpoint_init(&stand, "stand");
    uf_checkpoint_destroy(&stand);
    return UF_OK;
}

static uf_status uses_a_checkpoint(void)
{
    uf_status status = uf_checkpoint_try_arm(&other.stand);
    if (status == UF_OK) status = Other_start_Stand(&other);
    while (uf_checkpoint_state(&other.stand) == UF_CHECKPOINT_ARMED) sched_yield();
    (void)uf_checkpoint_parked(&other.stand);
    (void)uf_checkpoint_resume(&other.stand);
    (void)uf_checkpoint_try_arm(&other.stand);
    (void)uf_checkpoint_disarm(&other.stand);
    return status;
}

static uf_status arms_in_vain(void)
{
    return uf_checkpoint_arm(&other.stand, SHORT);
}

static uf_status sends(void)
{
    uf_status const status = Other_start_Take(&other);
    if (Other_box_send(&other, 1) != UF_OK) return UF_FULL;
    (void)uf_mailbox_count(&other.box);
    return status;
}

static uf_status waits_for_room(void)
{
    (void)Other_box_send(&held, 1);
    return Other_box_send_wait(&held, 2, SHORT);
}

static uf_status starts_and_waits(void)
{
    uf_run run;
    uf_status status = Other_start_run_Do(&other, &run);
    if (status == UF_OK) status = uf_run_wait(run, LONG, NULL);
    (void)uf_run_outcome(run);
    return status == UF_OK ? uf_flow_wait(&held.uf, SHORT, NULL) : status;
}

static uf_status calls(void)
{
    int result;
    uf_call_info info;
    return Other_call_Do(&other, LONG, &result, &info);
}

static uf_status calls_for_too_long(void)
{
    uf_call_info info;
    return Other_call_Hold(&other, SHORT, &info);
}

static uf_status cancels(void)
{
    uf_status const status = uf_flow_cancel(&held.uf);
    (void)uf_run_cancel(uf_flow_this_run(&held.uf));
    return status;
}

static uf_status cancels_all(void)
{
    return uf_runtime_cancel_all(runtime);
}

static uf_status waits_for_all(void)
{
    return uf_runtime_wait(runtime, SHORT);
}

static uf_status posts(void)
{
    uf_status const status = uf_post(runtime, nothing, NULL);
    return status == UF_OK ? uf_post_wait(runtime, nothing, NULL) : status;
}

static uf_status looks(void)
{
    char path[64];
    uf_flow_view view;
    uf_turn turn;
    uf_flow_view_of(&held.uf, &view);
    (void)uf_flow_path(&held.uf, path, sizeof path);
    (void)uf_runtime_turn(runtime, &turn);
    (void)uf_pump_now(uf_runtime_pump(runtime));
    (void)uf_pump_running(uf_runtime_pump(runtime));
    return uf_flow_running(&held.uf) ? UF_OK : UF_INVALID;
}

static uf_status changes_the_clock(void)
{
    uf_pump *const pump = uf_runtime_pump(runtime);
    uf_status const status = uf_pump_set_scale(pump, 2);
    (void)uf_pump_set_scale_fixed(pump, UINT64_C(1) << 32);
    uf_pump_freeze(pump);
    uf_pump_resume(pump);
    return status;
}

static uf_status wakes(void)
{
    uf_runtime_wake(runtime);
    uf_runtime_set_pre_round(runtime, nothing, NULL);
    return UF_OK;
}

static uf_status observes(void)
{
    static uf_observer observer;
    uf_status const status = uf_runtime_add_observer(runtime, &observer);
    return status == UF_OK ? uf_runtime_remove_observer(runtime, &observer) : status;
}

static uf_status counts(void)
{
    static uf_counters counters;
    static uf_flow_counts rows[4], row;
    static uf_post_counts of_posts;
    static uf_round_counts of_rounds;
    uf_status const status = uf_counters_init(&counters, rows, 4);
    if (status == UF_OK) (void)uf_runtime_add_observer(runtime, &counters.observer);
    (void)uf_counters_flow(&counters, &held.uf, &row);
    (void)uf_counters_posts(&counters, &of_posts);
    (void)uf_counters_rounds(&counters, &of_rounds);
    uf_counters_reset_rounds(&counters);
    return uf_runtime_remove_observer(runtime, &counters.observer);
}

static uf_status dumps(void)
{
    static FILE *out; /* a buffer in memory, since the C library may be cancelled where it writes */
    static char text[4096];
    if (!out) out = fmemopen(text, sizeof text, "w");
    return uf_runtime_dump(runtime, LONG, out);
}

static uf_status closes(void)
{
    int const fd = dup(ends[0]);
    (void)uf_fd_forget(uf_runtime_pump(runtime), fd);
    return uf_fd_close(uf_runtime_pump(runtime), fd);
}

static uf_status makes_another(void)
{
    uf_runtime *another;
    uf_pool *pool;
    uf_status status = uf_pool_new(&pool, &(uf_pool_config){.workers = 1});
    if (status == UF_OK) status = uf_runtime_new(&another, &(uf_runtime_config){.pool = pool});
    if (status == UF_OK) status = uf_runtime_free(another);
    return status == UF_OK ? uf_pool_free(pool, LONG) : status;
}

static uf_status links(void)
{
    uf_runtime *another;
    uf_status status = uf_runtime_new(&another, NULL);
    if (status == UF_OK) status = uf_runtime_link(runtime, another);
    if (status == UF_OK) status = uf_runtime_unlink(another);
    return status == UF_OK ? uf_runtime_free(another) : status;
}

static uf_status attaches(void)
{
    static Other another;
    uf_status const status = Other_init(&another, uf_runtime_pump(runtime), "another");
    return status == UF_OK ? Other_destroy(&another) : status;
}

static uf_status inspects(void)
{
    char path[64];
    uf_inspect *inspect;
    snprintf(path, sizeof path, "cancelled.%ld.sock", (long)getpid());
    uf_status const status = uf_inspect_listen(&inspect, runtime, path, NULL);
    return status == UF_OK ? uf_inspect_close(inspect) : status;
}

static uf_status stops_and_starts(void)
{
    uf_stop_report report;
    uf_status const status = uf_runtime_stop(runtime, SHORT, &report);
    return status == UF_OK || status == UF_TIMED_OUT ? uf_runtime_start(runtime) : status;
}

static uf_status writes_coverage(void)
{
    (void)uf_coverage_write();
    return UF_OK;
}

static const struct operation {
    uf_status (*run)(void);
    uf_status expected;
} operations[] = {
    {fires, UF_OK},
    {fires_for_a_pump_of_the_caller, UF_OK},
    {waits_for_a_signal, UF_TIMED_OUT},
    {subscribes, UF_OK},
    {uses_a_checkpoint, UF_OK},
    {arms_in_vain, UF_TIMED_OUT},
    {sends, UF_OK},
    {waits_for_room, UF_TIMED_OUT},
    {starts_and_waits, UF_TIMED_OUT},
    {calls, UF_OK},
    {calls_for_too_long, UF_TIMED_OUT},
    {cancels, UF_OK},
    {cancels_all, UF_OK},
    {waits_for_all, UF_TIMED_OUT},
    {posts, UF_OK},
    {looks, UF_OK},
    {changes_the_clock, UF_OK},
    {wakes, UF_OK},
    {observes, UF_OK},
    {counts, UF_OK},
    {dumps, UF_OK},
    {closes, UF_OK},
    {makes_another, UF_OK},
    {links, UF_OK},
    {attaches, UF_OK},
    {inspects, UF_OK},
    {stops_and_starts, UF_OK},
    {writes_coverage, UF_OK},
};
enum { OPERATIONS = sizeof operations / sizeof *operations };

/* -- scenes -------------------------------------------------------------------------------------------------------- */

/* Where the runtime sleeps. */
enum { AT_CONDITION, AT_POLLER, IN_LOOP, SCENES };

static pthread_t loop;
static bool polled, over;

static void *run_loop(void *unused)
{
    while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE)) {
        struct pollfd one = {.fd = uf_runtime_fd(runtime), .events = POLLIN};
        int const timeout = uf_runtime_poll_timeout(runtime);
        (void)poll(&one, 1, timeout < 0 || timeout > 10 ? 10 : timeout);
        (void)uf_runtime_poll(runtime);
        __atomic_store_n(&polled, true, __ATOMIC_RELEASE); /* from now on, the loop is this thread's */
    }
    return unused;
}

static void begin(int scene)
{
    assert_int_equal(uf_runtime_new(&runtime, &(uf_runtime_config){.embedded = scene == IN_LOOP, .spin = -1}), UF_OK);
    uf_pump *const pump = uf_runtime_pump(runtime);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(Reader_init(&reader, pump, "reader", ends[0]), UF_OK);
    assert_int_equal(Other_init(&other, pump, "other"), UF_OK);
    assert_int_equal(Other_init(&held, pump, "held"), UF_OK);
    polled = over = false;
    if (scene == IN_LOOP) assert_int_equal(pthread_create(&loop, NULL, run_loop, NULL), 0);
    while (scene == IN_LOOP && !__atomic_load_n(&polled, __ATOMIC_ACQUIRE)) sched_yield();
    if (scene == AT_POLLER) assert_int_equal(Reader_start_Read(&reader), UF_OK);
    assert_int_equal(Other_start_Hold(&held), UF_OK);
    while (uf_flow_ordinal(&held.uf) < 0) {}
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL); /* so that it sleeps */
}

static void end(int scene)
{
    uf_status const stopped = uf_runtime_stop(runtime, UF_MS(1), NULL);
    assert_true(stopped == UF_OK || stopped == UF_TIMED_OUT);
    __atomic_store_n(&over, true, __ATOMIC_RELEASE);
    if (scene == IN_LOOP) assert_int_equal(pthread_join(loop, NULL), 0);
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
    close(ends[0]);
    close(ends[1]);
}

static bool returned;

static void *run_cancelled(void *argument)
{
    struct operation const *const operation = argument;

    (void)pthread_cancel(pthread_self());
    uf_status const status = operation->run();
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    returned = true;
    return (void *)(intptr_t)status;
}

static void the_runtime_lives(void)
{
    int result = 0;
    assert_int_equal(uf_post_wait(runtime, nothing, NULL), UF_OK); /* what was posted before is done */
    (void)uf_flow_cancel(&other.uf);
    assert_int_equal(uf_flow_wait(&other.uf, LONG, NULL), UF_OK);
    assert_int_equal(Other_call_Do(&other, LONG, &result, NULL), UF_OK);
    assert_int_equal(result, 42);
}

CASE(no_operation_is_cut)
{
    for (int scene = AT_CONDITION; scene < SCENES; scene++) {
        for (int i = 0; i < OPERATIONS; i++) {
            pthread_t thread;
            void *status = NULL;
            if (operations[i].run == links && scene == IN_LOOP) continue; /* the loop must be between two polls */
            begin(scene);
            returned = false;
            assert_int_equal(pthread_create(&thread, NULL, run_cancelled, (void *)(uintptr_t)&operations[i]), 0);
            assert_int_equal(pthread_join(thread, &status), 0);
            if (!returned) fail_msg("scene %d: operation %d was cancelled", scene, i);
            if ((uf_status)(intptr_t)status != operations[i].expected)
                fail_msg("scene %d: operation %d: %s", scene, i, uf_status_text((uf_status)(intptr_t)status));
            the_runtime_lives();
            end(scene);
        }
    }
}
