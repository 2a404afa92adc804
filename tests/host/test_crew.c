/* SPDX-License-Identifier: MIT */
/* test_crew.c - `ended` and Flow_pool_reap() of a pool whose members several threads spawn. */
#include "host_test.h"

#include <sched.h>
#include <stdlib.h>

#include "crew.h"

enum { SPAWNERS = 3, TOKENS = MANY(1500) };

static Crew crew;
static int failures[SPAWNERS * TOKENS], others; /* on the runtime's thread */
static int taken;

void told_end(uf_outcome outcome, const char *reason)
{
    if (outcome == UF_FAILED) failures[atoi(reason)]++;
    else others += outcome == UF_DONE;
    COUNT(taken);
}

static void be_silent(void *context, const uf_flow *flow, const uf_failure *failure)
{
    (void)context;
    (void)flow;
    (void)failure;
}

static void begin_crew(void)
{
    assert_int_equal(uf_runtime_new(&runtime, &(uf_runtime_config){.on_failure = be_silent}), UF_OK);
    assert_int_equal(Crew_init(&crew, uf_runtime_pump(runtime), "crew"), UF_OK);
}

static void *spawn_tokens(void *argument)
{
    int const first = (int)(intptr_t)argument * TOKENS;
    for (int token = first; token < first + TOKENS;) {
        uf_status const status = Crew_kids_spawn_Work(&crew, token);
        assert_true(status == UF_OK || status == UF_FULL);
        if (status == UF_OK) token++;
        else sched_yield();
    }
    return NULL;
}

/* Each end is taken once, with the outcome and the reason of its own run: the odd ones fail. */
static void each_end_is_taken_once_by(uf_status (*start)(Crew *crew))
{
    threads crowd;
    taken = others = 0;
    memset(failures, 0, sizeof failures);
    begin_crew();
    assert_int_equal(start(&crew), UF_OK);
    crowd_start(&crowd, SPAWNERS, spawn_tokens);
    crowd_join(&crowd);
    UNTIL(READ(taken) == SPAWNERS * TOKENS);
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
    for (int token = 0; token < SPAWNERS * TOKENS; token++) assert_int_equal(failures[token], token % 2);
    assert_int_equal(others, SPAWNERS * TOKENS / 2);
}

CASE(an_arm_takes_each_end_once)
{
    each_end_is_taken_once_by(Crew_start_Watch);
}

CASE(a_step_takes_each_end_once)
{
    each_end_is_taken_once_by(Crew_start_Look);
}

/* What was kept is dropped with the end of the run, also while threads spawn: no place is lost. */
CASE(no_place_is_lost_when_the_run_ends)
{
    threads crowd;
    begin_crew();
    assert_int_equal(Crew_start_Watch(&crew), UF_OK);
    crowd_start(&crowd, SPAWNERS, spawn_tokens);
    for (int i = 0; i < MANY(100); i++) {
        assert_int_equal(uf_flow_cancel(&crew.uf), UF_OK);
        assert_int_equal(uf_flow_wait(&crew.uf, LONG, NULL), UF_OK);
        assert_int_equal(Crew_start_Watch(&crew), UF_OK);
    }
    crowd_join(&crowd);
    UNTIL(Crew_kids_busy(&crew) == 0);
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
}
