/* SPDX-License-Identifier: MIT */
/* test_keepers.c - durable flows in a store in memory, which threads start, call, cancel, keep and ask about. */
#include "host_test.h"

#include "keepers.h"
#include "uflow/store.h"

enum { STARTERS = 3, ROUNDS = MANY(300) };

static House house;
static Keeper keeper;

static void keep_one(void *status)
{
    *(uf_status *)status = uf_flow_keep(&keeper.uf);
}

static void start_one(int us)
{
    uf_run run;
    uf_status const status = Keeper_start_run_Keep(&keeper, &run, us);

    if (status != UF_OK) return;
    uf_status const kept = uf_run_wait_kept(run, LONG);
    assert_true(kept == UF_OK || kept == UF_STALE);
}

static void *use_keeper(void *argument)
{
    uf_status status = UF_INVALID;

    for (int i = (int)(intptr_t)argument; i < ROUNDS; i++) {
        if (i % 5 == 0) start_one(i % 7);
        if (i % 5 == 1) (void)Keeper_call_Keep(&keeper, i % 7, LONG, NULL);
        if (i % 5 == 2) (void)uf_flow_cancel(&keeper.uf);
        if (i % 5 == 3) (void)House_keepers_spawn_Keep(&house, i % 7);
        if (i % 5 != 4) continue;
        assert_int_equal(uf_post_wait(runtime, keep_one, &status), UF_OK);
        assert_true(status == UF_OK || status == UF_BUSY);
    }
    return NULL;
}

CASE(threads_use_durable_flows)
{
    threads crowd;
    uf_store *store;

    assert_int_equal(uf_store_memory_open(&store, NULL), UF_OK);
    assert_int_equal(uf_runtime_new(&runtime, &(uf_runtime_config){.store = store}), UF_OK);
    assert_int_equal(House_init(&house, uf_runtime_pump(runtime), "house"), UF_OK);
    assert_int_equal(Keeper_init(&keeper, uf_runtime_pump(runtime), "keeper"), UF_OK);
    assert_int_equal(uf_store_restore(store, NULL), UF_OK);
    assert_int_equal(House_start_Open(&house), UF_OK);
    crowd_start(&crowd, STARTERS, use_keeper);
    crowd_join(&crowd);
    assert_true(uf_flow_running(&house.uf));
    assert_int_equal(uf_runtime_stop(runtime, LONG, NULL), UF_OK);
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
    assert_int_equal(uf_store_close(store), UF_OK);
}
