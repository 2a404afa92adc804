/* SPDX-License-Identifier: MIT */
/* test_limits.c - `limit N` of a worker function in a pool of threads; `timeout real` of a runtime. */
#include "host_test.h"

#include "uflow/pause.h"
#include "uflow/pool.h"

#include "limits.h"

#define READ_NOW(word)  __atomic_load_n(&(word), __ATOMIC_SEQ_CST)
#define ADD(word, more) __atomic_add_fetch(&(word), more, __ATOMIC_SEQ_CST)

enum { CLIENTS = 12 };
static Client clients[CLIENTS];

static void enter(Gate *gate)
{
    int const running = ADD(gate->running, 1);
    int most = READ_NOW(gate->most);
    while (running > most &&
           !__atomic_compare_exchange_n(&gate->most, &most, running, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {}
    ADD(gate->came, 1);
}

int pass_gate(Gate *gate)
{
    enter(gate);
    while (!READ_NOW(gate->opened)) sleep_ms(1); /* also after it was abandoned */
    return ADD(gate->running, -1);
}

int pass_soon(Gate *gate)
{
    enter(gate);
    int64_t const until = real_now() + UF_US(30);
    while (real_now() < until) {}
    return ADD(gate->running, -1);
}

static void begin(uf_runtime_config config)
{
    assert_int_equal(uf_runtime_new(&runtime, &config), UF_OK);
    for (int i = 0; i < CLIENTS; i++)
        assert_int_equal(Client_init(&clients[i], uf_runtime_pump(runtime), "client"), UF_OK);
}

static uf_outcome wait_for(Client *client, char *reason)
{
    uf_call_info end;
    assert_int_equal(uf_flow_wait(&client->uf, LONG, &end), UF_OK);
    if (reason) memcpy(reason, end.reason, sizeof end.reason);
    return end.outcome;
}

/* Peers that do not answer take two of the four threads, and the others go on. */
CASE(hanging_runs_leave_threads_to_others)
{
    static Gate g;
    char reason[UF_REASON_SIZE];
    int result = 0;
    g = (Gate){0};
    begin((uf_runtime_config){.workers = 4});
    for (int i = 1; i <= 2; i++) assert_int_equal(Client_start_Hang(&clients[i], &g, UF_FOREVER), UF_OK);
    while (READ_NOW(g.came) < 2) sleep_ms(1);
    for (int i = 1; i <= 2; i++) { /* abandoned runs count until they return */
        (void)uf_flow_cancel(&clients[i].uf);
        assert_int_equal(wait_for(&clients[i], NULL), UF_CANCELLED);
    }
    for (int i = 1; i < CLIENTS; i++) assert_int_equal(Client_start_Hang(&clients[i], &g, UF_MS(20)), UF_OK);
    for (int i = 1; i < CLIENTS; i++) {
        assert_int_equal(wait_for(&clients[i], reason), UF_FAILED);
        assert_string_equal(reason, "timed out in the queue");
    }
    assert_int_equal(Client_call_Ask(&clients[0], 7, LONG, &result, NULL), UF_OK);
    assert_int_equal(result, 7);
    assert_int_equal(READ_NOW(g.came), 2);
    assert_int_equal(Client_start_Hang(&clients[1], &g, UF_FOREVER), UF_OK);
    __atomic_store_n(&g.opened, 1, __ATOMIC_SEQ_CST);
    assert_int_equal(wait_for(&clients[1], NULL), UF_DONE);
    assert_int_equal(g.most, 2);
    assert_int_equal(g.came, 3);
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
}

CASE(a_pool_that_ends_drops_what_waits)
{
    static Gate g;
    uf_pool *pool;
    char reason[UF_REASON_SIZE];
    g = (Gate){0};
    assert_int_equal(uf_pool_new(&pool, &(uf_pool_config){.workers = 4}), UF_OK);
    begin((uf_runtime_config){.pool = pool});
    for (int i = 0; i < CLIENTS; i++) assert_int_equal(Client_start_Hang(&clients[i], &g, UF_FOREVER), UF_OK);
    while (READ_NOW(g.came) < 2) sleep_ms(1);
    assert_int_equal(uf_pool_free(pool, 0), UF_TIMED_OUT);
    int dropped = 0;
    for (int i = 2; i < CLIENTS; i++) {
        assert_int_equal(wait_for(&clients[i], reason), UF_FAILED);
        dropped += strncmp(reason, "rejected: the pool", 18) == 0; /* in the queue, or at its submit */
    }
    assert_int_equal(dropped, CLIENTS - 2);
    __atomic_store_n(&g.opened, 1, __ATOMIC_SEQ_CST);
    assert_int_equal(uf_runtime_wait(runtime, LONG), UF_OK);
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
}

/* Jobs end, time out and are abandoned in all orders; limits hold, and none is forgotten. */
CASE(limits_hold_in_a_crowd)
{
    static Gate alone, paired;
    alone = paired = (Gate){0};
    begin((uf_runtime_config){.workers = 5});
    for (int i = 0; i < CLIENTS; i++)
        assert_int_equal(Client_start_Crowd(&clients[i], &alone, &paired, MANY(200)), UF_OK);
    for (int i = 0; i < CLIENTS; i++) assert_int_equal(wait_for(&clients[i], NULL), UF_DONE);
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
    assert_int_equal(alone.most, 1);
    assert_true(paired.most <= 2 && paired.came > 0);
    assert_int_equal(alone.running + paired.running, 0);
}

/* A limit belongs to the pool, whoever submits. */
CASE(a_limit_holds_for_two_runtimes_together)
{
    static Gate alone, paired;
    uf_pool *pool;
    uf_runtime *other;
    alone = paired = (Gate){0};
    assert_int_equal(uf_pool_new(&pool, &(uf_pool_config){.workers = 5}), UF_OK);
    begin((uf_runtime_config){.pool = pool});
    assert_int_equal(uf_runtime_new(&other, &(uf_runtime_config){.pool = pool}), UF_OK);
    for (int i = 0; i < CLIENTS; i += 2) {
        assert_int_equal(Client_destroy(&clients[i]), UF_OK);
        assert_int_equal(Client_init(&clients[i], uf_runtime_pump(other), "client"), UF_OK);
    }
    for (int i = 0; i < CLIENTS; i++)
        assert_int_equal(Client_start_Crowd(&clients[i], &alone, &paired, MANY(200)), UF_OK);
    for (int i = 0; i < CLIENTS; i += 4) assert_int_equal(uf_flow_cancel(&clients[i].uf), UF_OK);
    for (int i = 0; i < CLIENTS; i++) {
        uf_outcome const outcome = wait_for(&clients[i], NULL);
        assert_true(outcome == UF_DONE || (i % 4 == 0 && outcome == UF_CANCELLED));
    }
    assert_int_equal(uf_runtime_free(other), UF_OK);
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
    assert_int_equal(uf_pool_free(pool, LONG), UF_OK);
    assert_int_equal(alone.most, 1);
    assert_true(paired.most <= 2 && paired.came > 0);
    assert_int_equal(alone.running + paired.running, 0);
}

/* Nothing else wakes the runtime. */
CASE(a_frozen_runtime_wakes_for_a_real_timeout)
{
    begin((uf_runtime_config){0});
    uf_pump_freeze(uf_runtime_pump(runtime));
    int64_t const began = real_now();
    assert_int_equal(Client_call_Wait_real(&clients[0], LONG, NULL), UF_OK);
    assert_true(real_now() - began >= UF_MS(20));
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
}

static void nothing(void *argument)
{
    (void)argument;
}

/* It comes while the flow stands, and decides after the resume, though logical time is frozen. */
CASE(a_real_timeout_comes_during_a_pause)
{
    uf_pause hold = {0};
    begin((uf_runtime_config){0});
    uf_pump_freeze(uf_runtime_pump(runtime));
    assert_int_equal(Client_start_Wait_real(&clients[0]), UF_OK);
    for (int round = 0; round < 2; round++) assert_int_equal(uf_post_wait(runtime, nothing, NULL), UF_OK);
    if (uf_flow_pause(&clients[0].uf, &hold) == UF_OK) { /* not after its end, on a slow machine */
        sleep_ms(25);
        assert_int_equal(uf_post_wait(runtime, nothing, NULL), UF_OK);
        uf_status const status = uf_flow_resume(&hold);
        assert_true(status == UF_OK || status == UF_STALE);
    }
    assert_int_equal(wait_for(&clients[0], NULL), UF_DONE);
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
}
