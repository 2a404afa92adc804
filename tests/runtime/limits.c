/* SPDX-License-Identifier: MIT */
/* limits.c - `limit N` of a worker function in a seeded pool and in the inline pool; tests/host/test_limits.c has
 * threads. */
#include "harness.h"

#include <string.h>

#include "limits.h"

enum { CLIENTS = 12, RECORDS = 24, KINDS = 3 };

static uf_seeded_pool pool;
static uf_work records[RECORDS];
static Client clients[CLIENTS];
static uf_time const latency = UF_MS(10);

static void begin_with_pool(uf_pool *with)
{
    assert_int_equal(uf_pump_init(&pump, &(uf_pump_config){.pool = with}), UF_OK);
    for (int i = 0; i < CLIENTS; i++) assert_int_equal(Client_init(&clients[i], &pump, "client", i), UF_OK);
}

static void begin_with_seed(uint64_t seed)
{
    assert_int_equal(uf_pool_seeded(&pool, records, RECORDS, seed, latency), UF_OK);
    begin_with_pool(&pool.pool);
}

static void finish(void)
{
    for (int i = 0; i < CLIENTS; i++) assert_int_equal(Client_destroy(&clients[i]), UF_OK);
    assert_int_equal(uf_pump_destroy(&pump), UF_OK);
}

static void start(int client, int kind, uf_time within)
{
    assert_int_equal(Client_start_Work(&clients[client], kind, within), UF_OK);
}

/* -- rules --------------------------------------------------------------------------------------------------------- */

CASE(a_job_over_the_limit_lets_others_pass)
{
    int late = 0;
    for (uint64_t seed = 0; seed < 100; seed++) {
        begin_with_seed(seed);
        for (int i = 0; i < 6; i++) start(i, 0, UF_FOREVER);
        start(6, 2, UF_FOREVER);
        assert_int_equal(uf_simulate_until_idle(&pump, UF_S(1)), UF_OK);
        assert_true(clients[6].ended_at <= latency);
        late += clients[5].ended_at > latency;
        finish();
    }
    assert_true(late > 90); /* six runs one after another */
}

/* Each of them begins when its predecessor has ended, and takes up to the whole latency from then on. */
CASE(the_latency_counts_from_when_a_job_may_begin)
{
    bool longer = false;
    for (uint64_t seed = 0; seed < 100; seed++) {
        begin_with_seed(seed);
        for (int i = 0; i < CLIENTS; i++) start(i, 0, UF_FOREVER);
        assert_int_equal(uf_simulate_until_idle(&pump, UF_S(1)), UF_OK);
        for (int i = 1; i < CLIENTS; i++) {
            uf_time const gap = clients[i].ended_at - clients[i - 1].ended_at;
            assert_true(gap >= 0 && gap <= latency); /* and in the order of their submits */
            longer = longer || gap > latency * 9 / 10;
        }
        finish();
    }
    assert_true(longer);
}

CASE(the_timeout_of_a_job_that_waits_counts)
{
    begin_with_seed(1);
    start(0, 0, UF_FOREVER);
    start(1, 0, UF_US(1));
    start(2, 0, UF_FOREVER);
    assert_int_equal(uf_simulate_until_idle(&pump, UF_S(1)), UF_OK);
    assert_int_equal(clients[1].ended_at, UF_US(1));
    assert_string_equal(uf_flow_reason(&clients[1].uf), "timed out in the queue");
    assert_true(clients[2].ended_at > clients[0].ended_at); /* nobody waits for what has left the queue */
    finish();
}

CASE(an_abandoned_run_counts_until_it_returns)
{
    int overtaken = 0;
    for (uint64_t seed = 0; seed < 100; seed++) {
        begin_with_seed(seed);
        start(0, 0, UF_FOREVER);
        start(1, 0, UF_FOREVER);
        assert_int_equal(uf_simulate_until(&pump, 1), UF_OK);
        uf_work const *const first = (uf_work *)(void *)pool.running.next;
        uf_time const begins = first->begins, ends = first->ends;
        assert_int_equal(uf_simulate_until(&pump, begins + 1), UF_OK);
        (void)uf_flow_cancel(&clients[0].uf); /* the job runs, unless it has ended just now */
        assert_int_equal(uf_simulate_until_idle(&pump, UF_S(1)), UF_OK);
        overtaken += clients[1].ended_at < ends;
        finish();
    }
    assert_int_equal(overtaken, 0);
}

CASE(an_inline_job_runs_at_once)
{
    int result;
    begin_with_pool(uf_pool_inline());
    for (int i = 0; i < CLIENTS; i++) start(i, 0, UF_FOREVER);
    rounds(2);
    for (int i = 0; i < CLIENTS; i++) assert_true(Client_result_Work(&clients[i], &result) && result == i);
    finish();
}

/* Two pumps share the pool. The one that ends gives its places to the other one. */
CASE(a_pump_that_ends_leaves_its_places)
{
    static uf_pump second;
    static Client other;
    for (uint64_t seed = 0; seed < 50; seed++) {
        begin_with_seed(seed);
        assert_int_equal(uf_pump_init(&second, &(uf_pump_config){.pool = &pool.pool}), UF_OK);
        assert_int_equal(Client_init(&other, &second, "other", 99), UF_OK);
        start(0, 0, UF_FOREVER);
        start(1, 0, UF_FOREVER);
        assert_int_equal(uf_simulate_until(&pump, UF_US((uf_time)seed * 100)), UF_OK);
        assert_int_equal(Client_start_Work(&other, 0, UF_FOREVER), UF_OK);
        assert_int_equal(uf_simulate_until(&second, UF_US((uf_time)seed * 100 + 1)), UF_OK);
        (void)uf_pump_cancel_all(&pump);
        rounds(1);
        finish();
        assert_int_equal(uf_simulate_until_idle(&second, UF_S(1)), UF_OK);
        assert_int_equal(Client_destroy(&other), UF_OK);
        assert_int_equal(uf_pump_destroy(&second), UF_OK);
    }
}

/* -- any history --------------------------------------------------------------------------------------------------- */

static unsigned below(uint64_t *random, unsigned count)
{
    *random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)((*random >> 33) % count);
}

static int count_of(const uf_link *list, const char *worker)
{
    int count = 0;
    for (uf_link const *link = list->next; link != list; link = link->next) {
        uf_work const *const work = (uf_work const *)(void const *)link;
        count += !worker || !strcmp(work->worker->name, worker);
    }
    return count;
}

/* No limit is exceeded, nobody waits beside a free place, no record is lost. */
static void check_limits(void)
{
    static const char *const names[KINDS] = {"alone", "paired", "free_one"};
    static int const limits[KINDS] = {1, AT_ONCE, RECORDS};

    for (int kind = 0; kind < KINDS; kind++) {
        int const runs = count_of(&pool.running, names[kind]);
        assert_true(runs <= limits[kind]);
        if (count_of(&pool.held, names[kind])) assert_int_equal(runs, limits[kind]);
    }
    assert_int_equal(count_of(&pool.running, NULL) + count_of(&pool.held, NULL) + count_of(&pool.free, NULL), RECORDS);
    for (uf_link *link = pool.running.next; link != &pool.running; link = link->next)
        assert_true(((uf_work *)(void *)link)->ends <= pump.clock.real + latency);
}

CASE(no_history_exceeds_a_limit_or_forgets_a_job)
{
    int timed_out = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        uint64_t random = seed;
        begin_with_seed(seed);
        for (int i = 0; i < 60; i++) {
            int const client = (int)below(&random, CLIENTS);
            if (uf_flow_running(&clients[client].uf)) {
                if (below(&random, 3) == 0) (void)uf_flow_cancel(&clients[client].uf);
            } else {
                bool const limited = below(&random, 2);
                uf_time const within = limited ? UF_US(1 + below(&random, 20000)) : UF_FOREVER;
                start(client, (int)below(&random, KINDS), within);
            }
            uf_time const until = uf_pump_now(&pump) + UF_US(below(&random, 4000));
            assert_int_equal(uf_simulate_until(&pump, until), UF_OK);
            rounds(1);
            check_limits();
            for (int c = 0; c < CLIENTS; c++) timed_out += !strcmp(clients[c].end, "timed out in the queue");
        }
        assert_int_equal(uf_simulate_until_idle(&pump, UF_S(1)), UF_OK); /* everyone has had his turn */
        assert_int_equal(uf_simulate_until(&pump, uf_pump_now(&pump) + UF_MS(200)), UF_OK);
        check_limits();
        assert_int_equal(count_of(&pool.free, NULL), RECORDS);
        finish();
    }
    assert_true(timed_out > 100);
}
