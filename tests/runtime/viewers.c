/* SPDX-License-Identifier: MIT */
/* viewers.c - a thread views flows that fail for each cause, and are started again at once. It reads each reason as a
 * whole; ThreadSanitizer sees that no byte of one is written behind its back. */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "../cases.h"

#include "uflow/runtime.h"

#include "log.h"
#include "reasons.h"

#define LIMIT UF_S(60)
enum { LAPS = 10 };

static Machine machine;
static atomic_bool over;
static atomic_int strange, failures;

static bool ends_with(const char *text, const char *end)
{
    size_t const length = strlen(text), most = strlen(end);
    return length >= most && strcmp(text + length - most, end) == 0;
}

static void view(const uf_flow *flow)
{
    static const char *const ends[] = {
        "code 1",
        "code 2",
        "code 3",
        "code 11",
        "code 12",
        "code 13",
        "ended in Elsewhere",
        "cancelled",
        "busy",
        "broken",
        "Bad file descriptor",
    };
    uf_flow_view seen;

    uf_flow_view_of(flow, &seen);
    if (seen.reason[0] == '\0') return;
    failures++;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        if (ends_with(seen.reason, ends[i])) return;
    }
    strange++;
}

static void *view_all(void *unused)
{
    (void)unused;
    while (!over) {
        view(&machine.uf);
        view(&machine.first.uf);
        view(&machine.second.uf);
    }
    return NULL;
}

static void run(uf_status status, uf_outcome wanted)
{
    uf_call_info info;

    assert_int_equal(status, UF_OK);
    assert_int_equal(uf_flow_wait(&machine.uf, LIMIT, &info), UF_OK);
    assert_int_equal(info.outcome, wanted);
}

static void ignore_failure(void *context, const uf_flow *flow, const uf_failure *failure)
{
    (void)context, (void)flow, (void)failure;
}

CASE(reasons_are_viewed_as_a_whole)
{
    uf_runtime *runtime;
    pthread_t viewer;

    assert_int_equal(uf_runtime_new(&runtime, &(uf_runtime_config){.on_failure = ignore_failure}), UF_OK);
    assert_int_equal(Machine_init(&machine, uf_runtime_pump(runtime), "machine"), UF_OK);
    assert_int_equal(Part_start_Hold(&machine.busy), UF_OK);
    assert_int_equal(pthread_create(&viewer, NULL, view_all, NULL), 0);
    for (int lap = 0; lap < LAPS || failures == 0; lap++) {
        for (int one = 0; one < CAUSES; one++) {
            run(Machine_start_Fail(&machine, (cause)one), UF_FAILED);
            for (int other = 0; one < OF_RUNS && other < CAUSES; other++) {
                log_clear();
                run(Machine_start_Run(&machine, (cause)one, (cause)other), UF_DONE);
            }
        }
    }
    over = true;
    assert_int_equal(pthread_join(viewer, NULL), 0);
    assert_int_equal(strange, 0);
    assert_int_equal(uf_runtime_stop(runtime, 0, NULL), UF_OK);
    assert_int_equal(Machine_destroy(&machine), UF_OK);
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
}
