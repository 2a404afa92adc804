/* SPDX-License-Identifier: MIT */
/* fixture.c - a runtime with a line and a socket, and steps that do not return. */
#include "fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "viewer.h"

uf_runtime *runtime;
uf_inspect *inspect;
Line line;
uf_recorder recorder;
static unsigned char memory[1 << 20];

pthread_mutex_t blocker = PTHREAD_MUTEX_INITIALIZER;
atomic_int blocks;

void line_block(void)
{
    blocks++;
    pthread_mutex_lock(&blocker);
    pthread_mutex_unlock(&blocker);
}

static void ignore(void *context, const uf_flow *flow, const uf_failure *failure)
{
    (void)context;
    (void)flow;
    (void)failure;
}

void begin_with(bool embedded, const uf_inspect_config *config)
{
    uf_runtime_config const as = {.name = "line", .embedded = embedded, .on_failure = ignore};

    assert_int_equal(uf_runtime_new(&runtime, &as), UF_OK);
    assert_int_equal(uf_inspect_listen(&inspect, runtime, socket_path(), config), UF_OK);
    assert_int_equal(Line_init(&line, uf_runtime_pump(runtime), "line"), UF_OK);
}

int setup(void **state)
{
    (void)state;
    begin_with(false, NULL);
    return 0;
}

int setup_recorded(void **state)
{
    (void)state;
    assert_int_equal(uf_runtime_new(&runtime, &(uf_runtime_config){.name = "line", .on_failure = ignore}), UF_OK);
    assert_int_equal(uf_recorder_init(&recorder, uf_runtime_pump(runtime), memory, sizeof memory, 1000), UF_OK);
    assert_int_equal(uf_runtime_add_observer(runtime, &recorder.observer), UF_OK);
    assert_int_equal(uf_inspect_listen(&inspect, runtime, socket_path(), &(uf_inspect_config){.recorder = &recorder}),
                     UF_OK);
    assert_int_equal(Line_init(&line, uf_runtime_pump(runtime), "line"), UF_OK);
    return 0;
}

int teardown(void **state)
{
    (void)state;
    if (inspect) assert_int_equal(uf_inspect_close(inspect), UF_OK);
    inspect = NULL;
    assert_int_equal(access(socket_path(), F_OK), -1);
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
    return 0;
}

double number_of(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

void fail_axis(Axis *axis)
{
    assert_int_equal(Axis_start_Fail(axis), UF_OK);
    assert_int_equal(uf_flow_wait(&axis->uf, LONG, NULL), UF_OK);
}

void waits_of(const json_t *flow, char *text, size_t size)
{
    size_t i;
    json_t *wait;

    text[0] = '\0';
    json_array_foreach(json_object_get(flow, "waits"), i, wait)
    {
        size_t const length = strlen(text);
        snprintf(text + length, size - length, "%s%s", i ? ", " : "", text_of(wait, "text"));
    }
}

void await_waits(const char *path, const char *step, const char *expected)
{
    char waits[256];
    bool waits_so = false;

    while (!waits_so) {
        json_t *const document = ask_json();
        json_t const *const flow = flow_of(document, path);
        waits_of(flow, waits, sizeof waits);
        waits_so = strcmp(text_of(flow, "step"), step) == 0 && strcmp(waits, expected) == 0;
        if (!waits_so)
            print_message("%s in %s: %s, not yet %s: %s\n", path, text_of(flow, "step"), waits, step, expected);
        json_decref(document);
    }
}
