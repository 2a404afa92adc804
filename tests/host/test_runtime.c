/* SPDX-License-Identifier: MIT */
/* test_runtime.c - creating, driving and freeing a runtime. */
#include "host_test.h"

#include <errno.h>
#include <sched.h>

#include "uflow/console.h"
#include "uflow/simulate.h"
#include "uflow/trace.h"

static pthread_t seen[2];
static int thread_changes;

static void note_thread(Worker *flow)
{
    if (flow->bodies == 1) seen[0] = pthread_self();
    else thread_changes += !pthread_equal(seen[0], pthread_self());
}

TEST(F1_one_thread_for_all_steps)
{
    thread_changes = 0;
    workers[0].body = note_thread;
    for (int i = 0; i < 20; i++) assert_int_equal(Worker_call_Count(&workers[0], 10, LONG, NULL, NULL), UF_OK);
    assert_int_equal(thread_changes, 0);
    assert_false(pthread_equal(seen[0], pthread_self()));
}

#if !defined(_WIN32) /* whose functions for that are unrelated to those of POSIX */
static char thread_name[32];

static void note_name(void *argument)
{
    (void)argument;
    pthread_getname_np(pthread_self(), thread_name, sizeof thread_name);
}

TEST(threads_have_names)
{
    uf_runtime_config const config = {.name = "a name that is longer than 15"};
    uf_runtime *named;
    assert_int_equal(uf_post_wait(runtime, note_name, NULL), UF_OK);
    assert_string_equal(thread_name, "uflow");
    assert_int_equal(uf_runtime_new(&named, &config), UF_OK);
    assert_int_equal(uf_post_wait(named, note_name, NULL), UF_OK);
    assert_string_equal(thread_name, "a name that is ");
    assert_int_equal(uf_runtime_free(named), UF_OK);
}
#endif

#if defined(__linux__) && defined(__GLIBC__)
static cpu_set_t thread_cpus;

static void note_cpus(void *argument)
{
    (void)argument;
    (void)sched_getaffinity(0, sizeof thread_cpus, &thread_cpus);
}

TEST(a_thread_keeps_to_its_cpu)
{
    cpu_set_t usable;
    assert_int_equal(sched_getaffinity(0, sizeof usable, &usable), 0);
    for (uint32_t cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        uf_runtime *pinned;
        if (!CPU_ISSET(cpu, &usable)) continue;
        assert_int_equal(uf_runtime_new(&pinned, &(uf_runtime_config){.cpu = cpu + 1}), UF_OK);
        assert_int_equal(uf_post_wait(pinned, note_cpus, NULL), UF_OK);
        assert_int_equal(uf_runtime_free(pinned), UF_OK);
        assert_int_equal(CPU_COUNT(&thread_cpus), 1);
        assert_true(CPU_ISSET(cpu, &thread_cpus));
    }
    assert_int_equal(uf_post_wait(runtime, note_cpus, NULL), UF_OK);
    assert_true(CPU_EQUAL(&thread_cpus, &usable));
}

TEST(a_cpu_that_is_not_there)
{
    static uint32_t const cpus[] = {CPU_SETSIZE, CPU_SETSIZE + 1, UINT32_MAX};
    for (size_t i = 0; i < sizeof cpus / sizeof cpus[0]; i++) {
        uf_runtime *none = runtime;
        errno = 0;
        assert_int_equal(uf_runtime_new(&none, &(uf_runtime_config){.cpu = cpus[i]}), UF_NO_THREAD);
        assert_int_equal(errno, EINVAL);
        assert_null(none);
    }
}
#endif

TEST(F8_an_index_and_a_thread_of_its_own)
{
    uf_runtime *other;
    assert_int_equal(uf_runtime_new(&other, NULL), UF_OK);
    assert_int_equal(uf_runtime_index(other), uf_runtime_index(runtime) + 1);
    assert_false(uf_runtime_is_own_thread(other));
    assert_int_equal(uf_runtime_free(other), UF_OK);
}

/* Its thread drives it, in real time. */
TEST(nobody_else_drives_its_pump)
{
    uf_pump *const pump = uf_runtime_pump(runtime);
    assert_int_equal(Worker_start_Rest(&workers[0], UF_FOREVER), UF_OK);
    assert_int_equal(uf_simulate_until(pump, UF_FOREVER), UF_UNSUPPORTED);
    assert_int_equal(uf_simulate_until_idle(pump, UF_FOREVER), UF_UNSUPPORTED);
    assert_int_equal(uf_simulate_stop(pump, UF_S(1), NULL), UF_UNSUPPORTED);
    assert_true(uf_pump_round(pump, UF_S(1)) == UF_FOREVER);
    assert_int_equal(uf_pump_destroy(pump), UF_INVALID);
    assert_true(uf_flow_running(&workers[0].uf));
}

/* In external-loop mode only uf_runtime_poll() runs bodies. */
CASE(a_loops_pump_has_no_rounds_by_hand)
{
    uf_runtime_config const config = {.embedded = true};
    begin_with(&config);
    assert_int_equal(Worker_start_Count(&workers[0], 1), UF_OK);
    for (int i = 0; i < 5; i++) assert_true(uf_pump_round(uf_runtime_pump(runtime), UF_S(i)) == UF_FOREVER);
    assert_int_equal(workers[0].bodies, 0);
    assert_int_equal(uf_runtime_poll(runtime), UF_OK);
    assert_int_equal(workers[0].bodies, 1);
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
}

TEST(F10_defaults_can_be_read)
{
    const uf_runtime_config *const config = uf_runtime_configuration(runtime);
    uf_runtime_config const wrong = {.stay_interval = -1};
    uf_runtime *none = runtime;
    assert_string_equal(config->name, "uflow");
    assert_true(config->stay_interval == UF_MS(20));
    assert_true(config->step_interval == 0);
    assert_true(config->spin == UF_US(100));
    assert_false(config->embedded);
    assert_int_equal(uf_runtime_new(&none, &wrong), UF_INVALID);
    assert_null(none);
    assert_int_equal(uf_runtime_new(NULL, NULL), UF_INVALID);
    assert_int_equal(uf_runtime_free(NULL), UF_INVALID);
    assert_int_equal(uf_runtime_fd(runtime), -1);
    assert_int_equal(uf_runtime_poll(runtime), UF_UNSUPPORTED);
}

static int both, timed;

static void meet(Worker *flow) /* each waits for the other, so both must make progress */
{
    (void)flow;
    COUNT(both);
    while (READ(both) < 2) sleep_ms(1);
}

TEST(F12_two_runtimes_run_at_the_same_time)
{
    uf_runtime *other;
    Worker worker;
    both = 0;
    assert_int_equal(uf_runtime_new(&other, NULL), UF_OK);
    assert_int_equal(Worker_init(&worker, uf_runtime_pump(other), "worker"), UF_OK);
    worker.body = workers[0].body = meet;
    assert_int_equal(Worker_start_Count(&worker, 1), UF_OK);
    assert_int_equal(Worker_start_Count(&workers[0], 1), UF_OK);
    assert_int_equal(uf_runtime_wait(other, LONG), UF_OK);
    assert_int_equal(uf_runtime_wait(runtime, LONG), UF_OK);
    assert_int_equal(uf_runtime_free(other), UF_OK);
}

static void free_oneself(void *argument)
{
    *(uf_status *)argument = uf_runtime_free(runtime);
}

TEST(D11_not_freed_on_its_own_thread)
{
    uf_status status = UF_OK;
    assert_int_equal(uf_post_wait(runtime, free_oneself, &status), UF_OK);
    assert_int_equal(status, UF_DEADLOCK);
}

static void note_body(void *context, const uf_flow *flow, const char *step, uf_time took)
{
    (void)context;
    (void)flow;
    (void)step;
    timed += took >= 0;
}

CASE(bodies_are_timed_if_that_is_wanted)
{
    uf_observer observer = {.body_ran = note_body};
    uf_runtime_config const config = {.time_bodies = true, .observers = &observer};
    timed = 0;
    begin_with(&config);
    assert_int_equal(Worker_call_Count(&workers[0], 5, LONG, NULL, NULL), UF_OK);
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
    assert_int_equal(timed, 5);
}

/* A console and a trace of a runtime: attached from this thread, or configured at the start. */
CASE(consoles_and_traces_of_a_runtime)
{
    static uf_console late, early;
    static uf_trace trace;
    static uf_trace_entry entries[8];
    FILE *const outs[2] = {tmpfile(), tmpfile()};
    char line[256];
    assert_int_equal(uf_console_init(&early, NULL), UF_INVALID);
    assert_int_equal(uf_console_init(&early, outs[0]), UF_OK);
    assert_int_equal(uf_console_init(&late, outs[1]), UF_OK);
    uf_runtime_config const config = {.observers = &early.observer};
    begin_with(&config);
    assert_int_equal(uf_trace_init(&trace, NULL, NULL, entries, 8), UF_INVALID);
    assert_int_equal(uf_trace_init(&trace, uf_runtime_pump(runtime), NULL, entries, 8), UF_OK);
    assert_int_equal(uf_runtime_add_observer(runtime, &late.observer), UF_OK);
    assert_int_equal(uf_runtime_add_observer(runtime, &trace.observer), UF_OK);
    assert_int_equal(uf_runtime_add_observer(runtime, &late.observer), UF_BUSY);
    assert_int_equal(Worker_call_Count(&workers[0], 1, LONG, NULL, NULL), UF_OK);
    assert_int_equal(uf_runtime_remove_observer(runtime, &late.observer), UF_OK);
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
    assert_string_equal(uf_trace_at(&trace, 0)->task, "Count");
    for (int i = 0; i < 2; i++) {
        rewind(outs[i]);
        assert_non_null(fgets(line, sizeof line, outs[i]));
        assert_non_null(strstr(line, "[worker]"));
        assert_non_null(strstr(line, "FLOW START  Count  at="));
        fclose(outs[i]);
    }
}

CASE(a_thousand_lives)
{
    for (int i = 0; i < 1000; i++) {
        Worker worker;
        assert_int_equal(uf_runtime_new(&runtime, NULL), UF_OK);
        assert_int_equal(Worker_init(&worker, uf_runtime_pump(runtime), "worker"), UF_OK);
        assert_int_equal(i % 2 ? Worker_start_Rest(&worker, UF_FOREVER) : Worker_start_Count(&worker, 3), UF_OK);
        assert_int_equal(uf_runtime_free(runtime), UF_OK);
        assert_int_equal(worker.enters, worker.exits);
    }
}
