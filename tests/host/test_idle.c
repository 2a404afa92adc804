/* SPDX-License-Identifier: MIT */
/* test_idle.c - waiting costs nothing: 100 000 parked flows cause no wake-ups, as the kernel counts them. */
#include "host_test.h"

#include "port_host.h"

#include <stdlib.h>
#include <sys/resource.h>

enum { FLOWS = 100000 };

static struct rusage usage;

static void note_usage(void *argument)
{
    (void)argument;
    getrusage(RUSAGE_THREAD, &usage);
}

static long switches(void)
{
    assert_int_equal(uf_post_wait(runtime, note_usage, NULL), UF_OK);
    return usage.ru_nvcsw;
}

static int64_t cpu(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

CASE(D22_parked_flows_cause_no_wake_ups)
{
    Worker *const crowd = calloc(FLOWS, sizeof *crowd);
    assert_non_null(crowd);
    assert_int_equal(uf_runtime_new(&runtime, NULL), UF_OK);
    for (int i = 0; i < FLOWS; i++) {
        assert_int_equal(Worker_init(&crowd[i], uf_runtime_pump(runtime), "parked"), UF_OK);
        assert_int_equal(Worker_start_Rest(&crowd[i], i % 2 ? UF_S(100000) : UF_FOREVER), UF_OK);
    }
    UNTIL(READ(crowd[FLOWS - 1].bodies) == 1);
    for (int i = 0; i < 3; i++) (void)switches(); /* it sleeps from here on */
    long const before = switches();
    int64_t const cpu_before = cpu();
    sleep_ms(2000);
    int64_t const cpu_after = cpu();
    long const after = switches();
    /* Each of the two posts ends one sleep. A post that finds the thread about to sleep adds one. */
    assert_true(after - before <= 2);
    assert_true(cpu_after - cpu_before < UF_MS(100));
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
    for (int i = 0; i < FLOWS; i++) assert_int_equal(crowd[i].exits, 1);
    free(crowd);
}

/* A thread that spins counts as awake, so no sender would wake it. */
CASE(pauses_and_yields_are_no_sleeps)
{
    note_usage(NULL);
    long const before = usage.ru_nvcsw;
    for (int i = 0; i < 100000; i++) ufp_cpu_pause();
    for (int i = 0; i < 1000; i++) ufp_yield();
    note_usage(NULL);
    assert_int_equal(usage.ru_nvcsw, before);
}
