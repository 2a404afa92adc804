/* SPDX-License-Identifier: MIT */
/* early_parts.c - a part of a flow refuses every call until its own init, whatever its storage held before. */
#include "harness.h"

#include <string.h>

#include "uflow/simulate.h"

#include "early_parts.h"

static int of_leaf(Leaf *leaf)
{
    return (Leaf_start_Go(leaf) != UF_INVALID) + (uf_flow_cancel(&leaf->uf) == UF_OK) +
           (Leaf_destroy(leaf) != UF_INVALID);
}

static int of_hub(Hub *hub)
{
    int item;
    return of_leaf(&hub->one) + (Hub_start_Run(hub) != UF_INVALID) + (uf_flow_cancel(&hub->uf) == UF_OK) +
           (Hub_leaves_spawn_Go(hub) != UF_INVALID) + (Hub_leaves_busy(hub) != 0) +
           (Hub_leaves_limit(hub, 1) != UF_INVALID) + (Hub_leaves_cancel_all(hub) != UF_INVALID) +
           (Hub_leaves_at(hub, 0) != NULL) + (Hub_box_send(hub, 1) != UF_INVALID) + Hub_box_receive(hub, &item) +
           (Hub_destroy(hub) != UF_INVALID);
}

static int of_hall(Hall *hall)
{
    return of_hub(&hall->hub) + of_hub(&hall->hubs[0]) + of_hub(&hall->hubs[1]) + (Hall_start_Run(hall) != UF_INVALID) +
           (Hall_leaves_spawn_Go(hall) != UF_INVALID) + (Hall_leaves_busy(hall) != 0) +
           (Hall_destroy(hall) != UF_INVALID);
}

int accepted_early(struct Top *top)
{
    return of_hall(&top->hall) + of_hall(&top->halls[0]) + of_hall(&top->halls[1]) + of_hub(&top->hub) +
           of_leaf(&top->plain);
}

TEST(test_parts_are_used_before_their_init)
{
    static Top top;
    for (int use = 0; use < 2; use++) { /* fresh storage, then that of a destroyed flow */
        if (use == 0) memset(&top, 0xa5, sizeof top);
        assert_int_equal(Top_init(&top, &pump, "top"), UF_OK);
        assert_int_equal(top.early, 0);
        assert_string_equal(uf_flow_name(&top.hall.hubs[1].uf), "hubs[1]");
        assert_string_equal(uf_flow_name(&top.halls[1].uf), "halls[1]");
        assert_int_equal(Top_start_Run(&top), UF_OK);
        run_until_idle();
        assert_int_equal(uf_flow_outcome(&top.uf), UF_DONE);
        assert_int_equal(Top_destroy(&top), UF_OK);
    }
}

TEST(test_parts_are_used_after_an_init_that_failed)
{
    static Top top;
    static uf_pump no_pump;
    assert_int_equal(Top_init(NULL, &pump, "top"), UF_INVALID);
    memset(&top, 0xa5, sizeof top);
    assert_int_equal(Top_init(&top, NULL, "top"), UF_INVALID);
    assert_int_equal(accepted_early(&top), 0);
    memset(&top, 0xa5, sizeof top);
    assert_int_equal(Top_init(&top, &no_pump, "top"), UF_INVALID);
    assert_int_equal(accepted_early(&top), 0);
    assert_int_equal(Top_start_Run(&top), UF_INVALID);
    assert_int_equal(Top_destroy(&top), UF_INVALID);
}
