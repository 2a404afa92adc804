/* SPDX-License-Identifier: MIT */
/* test_inspect.c - what the socket for viewers shows, and that the runtime does not notice. */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../cases.h"

#include "fixture.h"
#include "uflow/counters.h"
#include "viewer.h"

#define MANY_FLOWS 700

/* -- allocations of the runtime's thread --------------------------------------------------------------------------- */

#if COUNTS_ALLOCATIONS
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void __libc_free(void *memory);

static _Thread_local bool is_watched;
static uint32_t allocations; /* of the watched thread */

void *malloc(size_t size)
{
    allocations += is_watched;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    allocations += is_watched;
    return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    allocations += is_watched;
    return __libc_realloc(old, size);
}

void free(void *old)
{
    allocations += is_watched && old;
    __libc_free(old);
}

static void watch(void *on)
{
    is_watched = *(bool *)on;
}
#endif

/* -- what it shows ------------------------------------------------------------------------------------------------- */

/* The visits of a step that have not ended. */
static int visits_now(const json_t *steps, const char *name)
{
    size_t i;
    json_t *step;

    json_array_foreach(steps, i, step)
    {
        if (strcmp(text_of(step, "step"), name) == 0) return (int)number_of(step, "running");
    }
    return -1;
}

CASE_WITH(shows_flows, setup, teardown)
{
    char waits[256];

    int const before = blocks;
    pthread_mutex_lock(&blocker); /* the job does not end */
    assert_int_equal(Line_start_Work(&line), UF_OK);
    while (blocks == before) usleep(1000);
    await_waits("line.y", "Look", "timeout, a condition");
    json_t *const document = ask_json();
    pthread_mutex_unlock(&blocker);
    assert_non_null(document);
    assert_int_equal(json_array_size(json_object_get(document, "flows")), 4);
    assert_int_equal(number_of(json_object_get(document, "runtime"), "running"), 4);
    assert_int_equal(number_of(json_object_get(document, "pool"), "in_flight"), 1);

    json_t const *const all = flow_of(document, "line");
    waits_of(all, waits, sizeof waits);
    assert_non_null(strstr(waits, "run line.x, run line.y, job scale (weigh, runs, submitted "));
    assert_non_null(strstr(waits, " ago), mailbox parts, signal estop, stopping, timeout"));
    assert_null(json_object_get(all, "waits_cut"));
    json_t const *const steps = json_object_get(document, "steps");
    assert_int_equal(visits_now(steps, "Begin"), 1);
    assert_int_equal(visits_now(steps, "Look"), 1);
    assert_int_equal(visits_now(steps, "Stop"), 2);
    assert_string_equal(text_of(flow_of(document, "line.carts[0]"), "parent"), "line");
    json_t const *const pool = json_array_get(json_object_get(all, "pools"), 0);
    assert_string_equal(text_of(pool, "name"), "carts");
    assert_int_equal(number_of(pool, "busy"), 1);
    json_decref(document);
    uf_signal_fire(&line.estop);
    assert_int_equal(uf_flow_wait(&line.uf, LONG, NULL), UF_OK);
    assert_int_equal(Line_carts_cancel_all(&line), UF_OK);
    assert_int_equal(uf_runtime_wait(runtime, LONG), UF_OK);
}

/* The handlers of the flow and of its task, beside each kind of wait. */
CASE_WITH(shows_handlers, setup, teardown)
{
    static Guarded guarded;

    assert_int_equal(Guarded_init(&guarded, uf_runtime_pump(runtime), "guarded"), UF_OK);
    assert_int_equal(Guarded_start_Watch(&guarded), UF_OK);
    while (!uf_flow_running(&guarded.helper.uf)) usleep(1000);
    await_waits("guarded", "Sit", "signal resume, on pause, on timeout, with run guarded.helper, on halt");
    uf_signal_fire(&guarded.resume);
    await_waits("guarded", "Look", "on pause, on timeout, with run guarded.helper, on halt, a condition");
    uf_signal_fire(&guarded.pause);
    assert_int_equal(uf_flow_wait(&guarded.uf, LONG, NULL), UF_OK);
    await_waits("guarded", "", "");
    assert_int_equal(Guarded_start_Plain(&guarded), UF_OK);
    await_waits("guarded", "Sit", "timeout, on halt");
    uf_signal_fire(&guarded.halt);
    assert_int_equal(uf_flow_wait(&guarded.uf, LONG, NULL), UF_OK);
    assert_int_equal(Guarded_destroy(&guarded), UF_OK);
}

/* The wait of an axis that is stopped at the checkpoint. */
static void assert_stopped(const char *armer)
{
    json_t const *wait;

    assert_int_equal(Axis_start_Stand(&line.y), UF_OK);
    while (uf_checkpoint_parked(&gate) == 0) usleep(1000);
    json_t *const document = ask_json();
    wait = json_array_get(json_object_get(flow_of(document, "line.y"), "waits"), 0);
    assert_string_equal(text_of(wait, "text"), "checkpoint gate (1 stopped; who resumes it is not known)");
    assert_string_equal(text_of(wait, "armed_by"), armer);
    json_decref(document);
    assert_int_equal(uf_checkpoint_resume(&gate), 1);
    assert_int_equal(uf_flow_wait(&line.y.uf, LONG, NULL), UF_OK);
}

/* The recorder knows the flow that armed it. If a thread armed it, the recorder does not know that thread. */
CASE_WITH(shows_who_armed_a_checkpoint, setup_recorded, teardown)
{
    assert_int_equal(Axis_start_Arm(&line.x), UF_OK);
    assert_int_equal(uf_flow_wait(&line.x.uf, LONG, NULL), UF_OK);
    assert_stopped("line.x");
    assert_int_equal(uf_checkpoint_try_arm(&gate), UF_OK);
    assert_stopped("");
}

/* Any text is valid JSON. */
CASE_WITH(shows_failures, setup_recorded, teardown)
{
    fail_axis(&line.x);
    fail_axis(&line.x);
    json_t *const document = ask_json();
    json_t const *const flow = flow_of(document, "line.x"), *const failure = json_object_get(flow, "last_failure");
    assert_string_equal(text_of(flow, "outcome"), "failed");
    assert_string_equal(text_of(flow, "reason"), "axis \"x\"\t\\ \xef\xbf\xbd\xef\xbf\xbd");
    assert_int_equal(number_of(flow, "runs"), 2);
    assert_int_equal(number_of(flow, "failed"), 2);
    assert_string_equal(text_of(failure, "reason"), text_of(flow, "reason"));
    assert_string_equal(text_of(failure, "task"), "Fail");
    assert_string_equal(text_of(failure, "step"), "Break");
    json_decref(document);
    char *const metrics = ask("prometheus\n", NULL);
    assert_non_null(strstr(metrics, "\nuflow_flows_failed 1\n"));
    assert_non_null(strstr(metrics, "\nuflow_failures_recorded 2\n"));
    free(metrics);
}

/* Steps are counted exactly, also those before the viewer came. */
CASE_WITH(counts_steps, setup_recorded, teardown)
{
    assert_int_equal(Axis_start_Move(&line.x, 99), UF_OK);
    assert_int_equal(uf_flow_wait(&line.x.uf, LONG, NULL), UF_OK);
    json_t *const document = ask_json();
    json_t const *const step = json_array_get(json_object_get(document, "steps"), 0);
    assert_string_equal(text_of(step, "step"), "Go");
    assert_int_equal(number_of(step, "visits"), 100);
    assert_int_equal(number_of(step, "ticks"), 100);
    assert_int_equal(number_of(flow_of(document, "line.x"), "done"), 1);
    json_decref(document);
}

CASE_WITH(shows_many_flows, setup, teardown)
{
    static Axis axes[MANY_FLOWS];
    char names[MANY_FLOWS][8];
    size_t i;
    json_t *flow;
    bool seen[MANY_FLOWS] = {false};

    for (i = 0; i < MANY_FLOWS; i++) {
        snprintf(names[i], sizeof names[i], "%zu", i);
        assert_int_equal(Axis_init(&axes[i], uf_runtime_pump(runtime), names[i]), UF_OK);
    }
    json_t *const document = ask_json();
    assert_int_equal(json_array_size(json_object_get(document, "flows")), MANY_FLOWS + 3);
    json_array_foreach(json_object_get(document, "flows"), i, flow)
    {
        long const number = strtol(text_of(flow, "path"), NULL, 10);
        if (i < 3) continue;
        assert_false(seen[number]);
        seen[number] = true;
    }
    assert_null(json_object_get(document, "is_cut"));
    json_decref(document);
    for (i = 0; i < MANY_FLOWS; i++) assert_int_equal(Axis_destroy(&axes[i]), UF_OK);
}

/* Also where a path has no UTF-8, or is cut within a character. */
CASE_WITH(labels_are_utf_8, setup, teardown)
{
    static Axis axes[2];
    char longer[200] = "", *metrics;

    while (strlen(longer) < 190) strcat(longer, longer[0] ? "\xc3\xa9" : "x");
    assert_int_equal(Axis_init(&axes[0], uf_runtime_pump(runtime), longer), UF_OK);
    assert_int_equal(Axis_init(&axes[1], uf_runtime_pump(runtime), "\"\\\n\xff"), UF_OK);
    metrics = ask("prometheus\n", NULL);
    json_t *const text = json_string(metrics);
    assert_non_null(text); /* it is UTF-8 */
    assert_non_null(strstr(metrics, "{flow=\"\\\"\\\\\\n\xef\xbf\xbd\"}"));
    json_decref(text);
    free(metrics);
    for (size_t i = 0; i < 2; i++) assert_int_equal(Axis_destroy(&axes[i]), UF_OK);
}

static void do_nothing(void *argument)
{
    (void)argument;
}

/* More waits than one part has room for: a flow whose waits do not fit begins the next part. */
CASE_WITH(shows_many_waits, setup, teardown)
{
    static Listener listeners[MANY_FLOWS / 4];
    char const *const heard[] = {"signal a", "signal b", "signal c", "signal d", "signal e", "signal f", "signal g"};
    size_t i, j, seen = 0;
    json_t *flow, *wait;

    for (i = 0; i < MANY_FLOWS / 4; i++) {
        assert_int_equal(Listener_init(&listeners[i], uf_runtime_pump(runtime), "listener"), UF_OK);
        assert_int_equal(Listener_start_Hear(&listeners[i]), UF_OK);
    }
    for (i = 0; i < 2; i++) assert_int_equal(uf_post_wait(runtime, do_nothing, NULL), UF_OK); /* a round between them */
    json_t *const document = ask_json();
    json_array_foreach(json_object_get(document, "flows"), i, flow)
    {
        if (strcmp(text_of(flow, "path"), "listener") != 0) continue;
        json_t const *const waits = json_object_get(flow, "waits");
        seen++;
        assert_int_equal(json_array_size(waits), 7);
        json_array_foreach(waits, j, wait) assert_string_equal(text_of(wait, "text"), heard[j]);
        assert_null(json_object_get(flow, "waits_cut"));
    }
    assert_int_equal(seen, MANY_FLOWS / 4);
    json_decref(document);
    for (i = 0; i < MANY_FLOWS / 4; i++) uf_signal_fire(&listeners[i].g);
    assert_int_equal(uf_runtime_wait(runtime, LONG), UF_OK);
    for (i = 0; i < MANY_FLOWS / 4; i++) assert_int_equal(Listener_destroy(&listeners[i]), UF_OK);
}

CASE_WITH(is_cut, setup, teardown)
{
    assert_int_equal(uf_inspect_close(inspect), UF_OK);
    for (uint32_t most = 1; most <= 4; most++) {
        assert_int_equal(uf_inspect_listen(&inspect, runtime, socket_path(), &(uf_inspect_config){.flows = most}),
                         UF_OK);
        json_t *const document = ask_json();
        assert_int_equal(json_array_size(json_object_get(document, "flows")), most < 3 ? most : 3);
        assert_int_equal(json_is_true(json_object_get(document, "is_cut")), most < 3);
        json_decref(document);
        assert_int_equal(uf_inspect_close(inspect), UF_OK);
    }
    inspect = NULL;
}

/* Flows come and go while they are shown. */
CASE_WITH(flows_come_and_go, setup, teardown)
{
    static Axis axes[300];

    for (int round = 0; round < 20; round++) {
        int const fd = connect_to(socket_path());
        send_text(fd, "json\n");
        for (size_t i = 0; i < 300; i++) {
            assert_int_equal(Axis_init(&axes[i], uf_runtime_pump(runtime), "axis"), UF_OK);
            assert_int_equal(Axis_start_Move(&axes[i], 1), UF_OK);
        }
        assert_int_equal(uf_runtime_wait(runtime, LONG), UF_OK);
        for (size_t i = 0; i < 300; i++) assert_int_equal(Axis_destroy(&axes[i]), UF_OK);
        size_t length;
        char *const text = read_all(fd, &length);
        json_t *const document = json_loadb(text, length, 0, NULL);
        assert_non_null(document);
        assert_non_null(flow_of(document, "line.x"));
        json_decref(document);
        free(text);
    }
}

CASE_WITH(shows_counters, setup, teardown)
{
    static uf_flow_counts counts[8];
    static uf_counters counters;

    assert_int_equal(uf_inspect_close(inspect), UF_OK);
    assert_int_equal(uf_counters_init(&counters, counts, 8), UF_OK);
    assert_int_equal(uf_runtime_add_observer(runtime, &counters.observer), UF_OK);
    assert_int_equal(uf_inspect_listen(&inspect, runtime, socket_path(), &(uf_inspect_config){.counters = &counters}),
                     UF_OK);
    fail_axis(&line.y);
    json_t *const document = ask_json();
    assert_int_equal(number_of(json_object_get(flow_of(document, "line.y"), "counts"), "failed"), 1);
    json_decref(document);
    char *const metrics = ask("prometheus\n", NULL);
    assert_non_null(strstr(metrics, "\nuflow_flow_failed_total{flow=\"line.y\"} 1\n"));
    assert_non_null(strstr(metrics, "\nuflow_failed_total 1\n"));
    free(metrics);
    assert_int_equal(uf_runtime_remove_observer(runtime, &counters.observer), UF_OK);
}

/* Reads a line of JSON. */
static json_t *next_event(FILE *in)
{
    char text[1024];
    json_t *const event = fgets(text, sizeof text, in) ? json_loads(text, 0, NULL) : NULL;
    assert_non_null(event);
    return event;
}

static void expect_event(FILE *in, const char *flow, const char *event, const char *step, const char *to)
{
    json_t *const got = next_event(in);

    assert_string_equal(text_of(got, "flow"), flow);
    assert_string_equal(text_of(got, "event"), event);
    assert_string_equal(text_of(got, "step"), step);
    assert_string_equal(text_of(got, "to_step"), to);
    assert_int_equal(strcmp(event, "failed") == 0, json_object_get(got, "reason") != NULL);
    json_decref(got);
}

/* Exactly the transitions of one flow, in order; `[` and `]` in a pattern are characters. */
CASE_WITH(follows, setup, teardown)
{
    char const *const cart = "line.carts[0]";
    int const fd = connect_to(socket_path()), other = connect_to(socket_path());
    FILE *const in = fdopen(fd, "r"), *const carts = fdopen(other, "r");

    send_text(fd, "follow *.x\n");
    send_text(other, "follow l*.c?rts[0]*\n");
    json_decref(ask_json()); /* both requests were read */
    assert_int_equal(Axis_start_Move(&line.y, 5), UF_OK);
    assert_int_equal(Axis_start_Move(&line.x, 2), UF_OK);
    assert_int_equal(uf_runtime_wait(runtime, LONG), UF_OK);
    expect_event(in, "line.x", "started", "", "Go");
    expect_event(in, "line.x", "step", "Go", "Go");
    expect_event(in, "line.x", "step", "Go", "Go");
    expect_event(in, "line.x", "done", "Go", "");
    fail_axis(&line.x);
    expect_event(in, "line.x", "started", "", "Break");
    expect_event(in, "line.x", "failed", "Break", "");
    assert_int_equal(Line_carts_spawn_Wait(&line), UF_OK);
    expect_event(carts, cart, "started", "", "Stop");
    assert_int_equal(Line_carts_cancel_all(&line), UF_OK);
    expect_event(carts, cart, "cancelled", "Stop", "");
    fclose(in);
    fclose(carts);
    assert_int_equal(uf_runtime_wait(runtime, LONG), UF_OK);
}

CASE_WITH(gives_trace, setup_recorded, teardown)
{
    size_t length, saved;
    char path[128];

    fail_axis(&line.x);
    char *const trace = ask("trace\n", &length);
    snprintf(path, sizeof path, "%s.trace", socket_path());
    assert_true(uf_recorder_save(&recorder, path));
    FILE *const file = fopen(path, "rb");
    char *const same = malloc(1 << 20);
    saved = fread(same, 1, 1 << 20, file);
    fclose(file);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(length, saved);
    /* But for the times of the two traces, behind the header and at the end. */
    size_t const now = 2 * sizeof(uf_trace_cell), first = sizeof(uf_trace_header) + now;
    assert_memory_equal(trace, same, sizeof(uf_trace_header));
    assert_memory_equal(trace + first, same + first, length - first - now);
    free(trace);
    free(same);
}

/* -- the state of the runtime -------------------------------------------------------------------------------------- */

CASE_WITH(shows_stopped_runtime, setup, teardown)
{
    for (int i = 0; i < 3; i++) {
        assert_int_equal(uf_runtime_stop(runtime, LONG, NULL), UF_OK);
        json_t *document = ask_json();
        assert_true(json_is_true(json_object_get(json_object_get(document, "runtime"), "stopping")));
        json_decref(document);
        assert_int_equal(uf_runtime_start(runtime), UF_OK);
        document = ask_json();
        assert_false(json_is_true(json_object_get(json_object_get(document, "runtime"), "stopping")));
        json_decref(document);
    }
}

static atomic_bool answered;

static void *ask_in_thread(void *argument)
{
    (void)argument;
    json_t *const document = ask_json();
    atomic_store(&answered, true);
    return document;
}

CASE_WITH(shows_embedded_runtime, NULL, teardown)
{
    pthread_t thread;
    void *document;

    begin_with(true, NULL);
    assert_int_equal(pthread_create(&thread, NULL, ask_in_thread, NULL), 0);
    while (!atomic_load(&answered)) {
        assert_int_equal(uf_runtime_poll(runtime), UF_OK);
        usleep(1000);
    }
    assert_int_equal(pthread_join(thread, &document), 0);
    json_decref(document);
}

/* Both runtimes are looked into while one thread drives them. */
CASE_WITH(shows_linked_runtimes, setup, teardown)
{
    uf_runtime *other;
    uf_inspect *inside;
    char path[128];

    snprintf(path, sizeof path, "%s.other", socket_path());
    assert_int_equal(uf_runtime_new(&other, &(uf_runtime_config){.name = "other"}), UF_OK);
    assert_int_equal(uf_inspect_listen(&inside, other, path, NULL), UF_OK);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(i % 2 ? uf_runtime_unlink(other) : uf_runtime_link(runtime, other), UF_OK);
        for (int both = 0; both < 2; both++) {
            int const fd = connect_to(both ? path : socket_path());
            send_text(fd, "json\n");
            char *const text = read_all(fd, NULL);
            json_t *const document = json_loads(text, 0, NULL);
            assert_true(responds(document));
            assert_string_equal(text_of(json_object_get(document, "runtime"), "name"), both ? "other" : "line");
            json_decref(document);
            free(text);
        }
    }
    assert_int_equal(uf_inspect_close(inside), UF_OK);
    assert_int_equal(uf_runtime_free(other), UF_OK);
}

static void close_there(void *status)
{
    *(uf_status *)status = uf_inspect_close(inspect);
}

CASE_WITH(refuses_to_close, setup, teardown)
{
    uf_status status = UF_OK;

    assert_int_equal(uf_post_wait(runtime, close_there, &status), UF_OK);
    assert_int_equal(status, UF_DEADLOCK);
}

/* After the close, the recorder of its own is no longer an observer. */
CASE_WITH(leaves_nothing, setup, teardown)
{
    json_decref(ask_json());
    assert_non_null(uf_runtime_pump(runtime)->observers);
    assert_int_equal(uf_inspect_close(inspect), UF_OK);
    inspect = NULL;
    assert_null(uf_runtime_pump(runtime)->observers);
}

/* -- the runtime does not notice ----------------------------------------------------------------------------------- */

#if COUNTS_ALLOCATIONS
/* Beside viewers that are silent, or that do not read what they asked for. */
CASE_WITH(allocates_nothing, setup, teardown)
{
    static const char *const requests[] = {"", "follow *\n", "json\n", "trace\n"};
    int silent[100];
    bool on = true, off = false;

    for (int i = 0; i < 100; i++) {
        silent[i] = connect_to(socket_path());
        assert_true(silent[i] >= 0);
        send_text(silent[i], requests[i % 4]);
    }
    json_decref(ask_json());
    assert_int_equal(Line_start_Work(&line), UF_OK);
    assert_int_equal(uf_flow_wait(&line.uf, LONG, NULL), UF_OK); /* the pool is there, and the job has ended */
    assert_int_equal(uf_post_wait(runtime, watch, &on), UF_OK);
    uint32_t const before = __atomic_load_n(&allocations, __ATOMIC_SEQ_CST);
    assert_int_equal(Axis_start_Move(&line.x, 50000), UF_OK); /* more than the followers' sockets have room for */
    for (int i = 0; i < 10; i++) {
        json_decref(ask_json());
        free(ask("prometheus\n", NULL));
        free(ask("trace\n", NULL));
    }
    assert_int_equal(__atomic_load_n(&allocations, __ATOMIC_SEQ_CST), before);
    for (int i = 0; i < 2; i++) { /* the runtime keeps one and frees the other: the counting works */
        assert_int_equal(uf_post(runtime, watch, &on), UF_OK);
    }
    assert_int_equal(uf_post_wait(runtime, watch, &off), UF_OK);
    assert_true(__atomic_load_n(&allocations, __ATOMIC_SEQ_CST) > before);
    for (int i = 0; i < 100; i++) close(silent[i]);
    assert_int_equal(Line_carts_cancel_all(&line), UF_OK);
    assert_int_equal(uf_runtime_wait(runtime, LONG), UF_OK);
}
#endif
