/* SPDX-License-Identifier: MIT */
/* test_hangs.c - what the socket for viewers shows of a runtime that does not answer. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../cases.h"

#include "fixture.h"
#include "viewer.h"

static void hang_in(Axis *axis)
{
    uf_turn now;

    assert_int_equal(Axis_start_Block(axis), UF_OK);
    while (!uf_runtime_turn(runtime, &now) || strcmp(now.step, "Hang") != 0 || now.in_step < UF_MS(1)) usleep(1000);
}

static void begin_hanging(void)
{
    pthread_mutex_lock(&blocker);
    hang_in(&line.y);
}

static void end_hanging(void)
{
    pthread_mutex_unlock(&blocker);
    assert_int_equal(uf_flow_wait(&line.y.uf, LONG, NULL), UF_OK);
    json_decref(ask_json());
}

/* A step that does not return: viewers learn which one, and the state before it. */
CASE_WITH(names_stuck_step, setup, teardown)
{
    json_decref(ask_json());
    begin_hanging();
    json_t *document = ask_json_once();
    json_t const *const turn = json_object_get(json_object_get(document, "runtime"), "turn");
    assert_false(responds(document));
    assert_string_equal(text_of(turn, "flow"), "line.y");
    assert_string_equal(text_of(turn, "step"), "Hang");
    assert_non_null(flow_of(document, "line.x"));
    json_decref(document);
    end_hanging();
}

/* A viewer that comes later learns which step, since when, and nothing that is not known. */
CASE_WITH(knows_no_more_than_it_can, setup, teardown)
{
    static const char *const unknown[] = {"time", "day", "age", "scale", "round", "running", "refused", "stopping"};

    begin_hanging();
    json_t *const document = ask_json_once(), *const now = json_object_get(document, "runtime");
    json_t const *const turn = json_object_get(now, "turn");
    char *const metrics = ask("prometheus\n", NULL);
    end_hanging();
    assert_false(responds(document));
    assert_string_equal(text_of(turn, "step"), "Hang");
    assert_true(number_of(turn, "in_step") >= 0.5);
    assert_true(number_of(now, "silent") >= 0.5);
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) assert_null(json_object_get(now, unknown[i]));
    assert_null(json_object_get(document, "flows"));
    assert_null(json_object_get(document, "cycles"));
    assert_null(json_object_get(json_object_get(document, "pool"), "in_flight"));
    json_decref(document);
    assert_non_null(strstr(metrics, "\nuflow_responds 0\n"));
    assert_non_null(strstr(metrics, "\nuflow_turn_seconds{flow=\"line.y\",task=\"Block\",step=\"Hang\"} "));
    assert_null(strstr(metrics, "uflow_flows"));
    assert_null(strstr(metrics, "uflow_rounds_total"));
    free(metrics);
}

static bool has_same_text(const json_t *one, const json_t *other, const char *key)
{
    return strcmp(text_of(one, key), text_of(other, key)) == 0;
}

/* But for what the longer one says in parentheses, which a recorder does not know. */
static bool has_same_beginning(const char *one, const char *other)
{
    size_t const length = strlen(other);
    return strncmp(one, other, length) == 0 && (one[length] == '\0' || strncmp(one + length, " (", 2) == 0);
}

static void assert_same_waits(const json_t *live, const json_t *recorded)
{
    size_t i;
    json_t *wait;

    assert_int_equal(json_array_size(live), json_array_size(recorded));
    json_array_foreach(live, i, wait)
    {
        json_t const *const other = json_array_get(recorded, i);
        if (!has_same_text(wait, other, "for") || !has_same_text(wait, other, "flow") ||
            !has_same_beginning(text_of(wait, "text"), text_of(other, "text")))
            fail_msg("%s of %s, but %s", text_of(wait, "for"), text_of(wait, "text"), text_of(other, "text"));
        assert_int_equal(json_object_get(wait, "in") != NULL, json_object_get(other, "in") != NULL);
        if (json_object_get(wait, "in")) assert_true(number_of(wait, "in") >= number_of(other, "in"));
        if (json_object_get(wait, "in")) assert_true(number_of(wait, "in") < number_of(other, "in") + 60);
    }
}

/* A flow of each kind of wait, and flows that have ended. */
static void begin_waits(Guarded *guarded)
{
    int const before = blocks;

    pthread_mutex_lock(&blocker); /* the job does not end */
    assert_int_equal(Guarded_init(guarded, uf_runtime_pump(runtime), "guarded"), UF_OK);
    assert_int_equal(Line_start_Work(&line), UF_OK);
    assert_int_equal(Guarded_start_Watch(guarded), UF_OK);
    while (blocks == before) usleep(1000);
    await_waits("line.y", "Look", "timeout, a condition");
    await_waits("guarded", "Sit", "signal resume, on pause, on timeout, with run guarded.helper, on halt");
}

/* A runtime hangs before the first viewer: the recorder shows the same flows and waits as the runtime would. */
CASE_WITH(shows_what_the_recorder_knows, setup_recorded, teardown)
{
    static Axis stuck, failed;
    static Guarded guarded;
    size_t i;
    json_t *flow;

    assert_int_equal(Axis_init(&stuck, uf_runtime_pump(runtime), "stuck"), UF_OK);
    assert_int_equal(Axis_init(&failed, uf_runtime_pump(runtime), "failed"), UF_OK);
    fail_axis(&failed);
    begin_waits(&guarded);
    json_t *const live = ask_json();
    assert_int_equal(uf_inspect_close(inspect), UF_OK);
    hang_in(&stuck);
    assert_int_equal(uf_inspect_listen(&inspect, runtime, socket_path(), &(uf_inspect_config){.recorder = &recorder}),
                     UF_OK);
    json_t *const document = ask_json_once();
    pthread_mutex_unlock(&blocker);
    assert_false(responds(document));
    assert_true(json_is_true(json_object_get(document, "is_recorded")));
    assert_string_equal(text_of(flow_of(document, "stuck"), "step"), "Hang");
    json_array_foreach(json_object_get(live, "flows"), i, flow)
    {
        char const *const path = text_of(flow, "path");
        json_t const *const recorded = flow_of(document, path);
        if (strcmp(text_of(flow, "outcome"), "never ran") == 0 || strcmp(path, "stuck") == 0) continue;
        if (!recorded) fail_msg("%s is missing", path);
        static const char *const keys[] = {"parent", "flow", "source", "outcome", "reason", "task", "step"};
        for (size_t key = 0; key < sizeof keys / sizeof *keys; key++)
            if (!has_same_text(flow, recorded, keys[key])) fail_msg("%s: another %s", path, keys[key]);
        assert_int_equal(number_of(flow, "line"), number_of(recorded, "line"));
        assert_true(number_of(flow, "in_step") <= number_of(recorded, "in_step"));
        assert_int_equal(number_of(flow, "failed"), number_of(recorded, "failed"));
        assert_true(number_of(flow, "ended_at") == number_of(recorded, "ended_at"));
        assert_same_waits(json_object_get(flow, "waits"), json_object_get(recorded, "waits"));
    }
    json_decref(live);
    json_decref(document);
    uf_signal_fire(&line.estop);
    uf_signal_fire(&guarded.halt);
    assert_int_equal(Line_carts_cancel_all(&line), UF_OK);
    assert_int_equal(uf_runtime_wait(runtime, LONG), UF_OK);
    assert_int_equal(Guarded_destroy(&guarded), UF_OK);
    assert_int_equal(Axis_destroy(&stuck), UF_OK);
    assert_int_equal(Axis_destroy(&failed), UF_OK);
}
