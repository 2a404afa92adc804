/* SPDX-License-Identifier: MIT */
/* rooms.c - room in mailboxes of several flows: in conditions, in `all`, and behind each other. */
#include "harness.h"

#include <string.h>

#include "rooms.h"
#include "uflow/simulate.h"

static Shelf shelf;
static Loader loader;

static void fill(Shelf *full)
{
    for (int i = 0; i < 2; i++) assert_int_equal(Shelf_boxes_send(full, 0), UF_OK);
}

static void empty(Shelf *full)
{
    int box;
    while (Shelf_boxes_receive(full, &box)) continue;
}

static void take(Shelf *full)
{
    int box;
    assert_true(Shelf_boxes_receive(full, &box));
}

static int begin_full(void **state)
{
    int const failed = begin(state);
    assert_int_equal(Shelf_init(&shelf, &pump, "shelf"), UF_OK);
    assert_int_equal(Loader_init(&loader, &pump, "loader", &shelf), UF_OK);
    fill(&shelf);
    fill(&loader.left);
    fill(&loader.right);
    return failed;
}

static void nobody_waits(const Shelf *at)
{
    assert_null(at->boxes.room.queue);
    assert_null(at->boxes.room.others);
    assert_int_equal(at->boxes.room.queued + at->boxes.room.woken, 0);
    assert_null(at->boxes.room.hander);
}

#define FULL(name) CASE_WITH(name, begin_full, NULL)

FULL(the_first_room_in_source_order_decides)
{
    Shelf *const shelves[] = {&loader.left, &loader.right, &shelf};
    for (int mask = 1; mask < 8; mask++) {
        assert_int_equal(Loader_start_First(&loader), UF_OK);
        rounds(2);
        for (int i = 0; i < 3; i++) {
            if (mask >> i & 1) take(shelves[i]);
        }
        rounds(3);
        assert_int_equal(uf_flow_outcome(&loader.uf), UF_DONE);
        assert_int_equal(loader.chosen, mask & 1 ? 1 : mask & 2 ? 2 : 3);
        for (int i = 0; i < 3; i++) {
            nobody_waits(shelves[i]);
            empty(shelves[i]);
            fill(shelves[i]);
        }
    }
}

FULL(a_room_without_its_condition_is_not_there)
{
    loader.left_counts = false;
    assert_int_equal(Loader_start_First(&loader), UF_OK);
    rounds(2);
    nobody_waits(&loader.left);
    take(&loader.left);
    rounds(3);
    assert_true(uf_flow_running(&loader.uf));
    take(&loader.right);
    rounds(3);
    assert_int_equal(loader.chosen, 2);
}

FULL(each_room_has_its_own_failure)
{
    assert_int_equal(Loader_start_First(&loader), UF_OK);
    rounds(2);
    assert_int_equal(Shelf_destroy(&shelf), UF_OK);
    rounds(3);
    assert_string_equal(uf_flow_reason(&loader.uf), "3: closed");
    nobody_waits(&loader.left);
    nobody_waits(&loader.right);
    assert_int_equal(Loader_start_Theirs(&loader), UF_OK);
    rounds(2);
    assert_string_equal(uf_flow_reason(&loader.uf), "boxes: closed");
}

/* Also if the pump stops before the await is reached. */
FULL(a_failure_names_the_flow_that_receives)
{
    static const struct {
        uf_status (*start)(Loader *flow);
        const char *reason;
    } ways[] = {
        {Loader_start_Theirs, "shelf.boxes: stopping"},      {Loader_start_Own, "loader.own: stopping"},
        {Loader_start_Both, "loader.left.boxes: stopping"},  {Loader_start_Second, "loader.right.boxes: stopping"},
        {Loader_start_Late, "loader.right.boxes: stopping"},
    };
    uf_stop stop;
    assert_int_equal(Loader_own_send(&loader, 1), UF_OK);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        assert_int_equal(ways[i].start(&loader), UF_OK);
        rounds(2);
        assert_int_equal(uf_pump_stop(&pump, &stop, UF_S(1)), UF_OK);
        rounds(5);
        assert_string_equal(uf_flow_reason(&loader.uf), ways[i].reason);
        nobody_waits(&shelf);
        nobody_waits(&loader.left);
        nobody_waits(&loader.right);
        while (!uf_pump_stopped(&pump)) rounds(1);
        assert_int_equal(uf_pump_restart(&pump), UF_OK);
    }
}

FULL(an_all_joins_the_queue_when_the_events_before_are_ready)
{
    assert_int_equal(Loader_start_Second(&loader), UF_OK);
    rounds(2);
    assert_int_equal(loader.right.boxes.room.queued, 0);
    uf_simulate_until(&pump, UF_S(1) + 1);
    assert_int_equal(loader.right.boxes.room.queued, 1);
    take(&loader.right);
    rounds(2);
    assert_int_equal(uf_flow_outcome(&loader.uf), UF_DONE);
}

FULL(all_rooms_hold_at_one_moment)
{
    assert_int_equal(Loader_start_All(&loader), UF_OK);
    uf_simulate_until(&pump, UF_MS(10));
    take(&loader.left);
    uf_simulate_until(&pump, UF_MS(15));
    assert_int_equal(Shelf_boxes_send(&loader.left, 9), UF_OK); /* gone again */
    take(&loader.right);
    uf_simulate_until(&pump, UF_MS(30));
    assert_true(uf_flow_running(&loader.uf));
    take(&loader.left);
    uf_simulate_until(&pump, UF_MS(31));
    assert_int_equal(uf_flow_outcome(&loader.uf), UF_DONE);
    assert_int_equal(uf_mailbox_count(&loader.left.boxes), 2);
    nobody_waits(&loader.left);
    nobody_waits(&loader.right);
}

FULL(all_fails_with_the_first_room_that_fails)
{
    uf_stop stop;
    assert_int_equal(Loader_start_All(&loader), UF_OK);
    rounds(2);
    assert_int_equal(uf_pump_stop(&pump, &stop, UF_S(1)), UF_OK);
    rounds(3);
    assert_string_equal(uf_flow_reason(&loader.uf), "it is stopping");
}

/* The wake-up reaches the last waiter, whatever earlier waiters did with theirs. */
FULL(an_unused_wake_up_is_handed_on)
{
    enum { WAYS = 7, IDLERS = 3 };
    Idler idlers[IDLERS];
    Filler filler;
    assert_int_equal(Filler_init(&filler, &pump, "filler", &shelf, 5), UF_OK);
    for (int i = 0; i < IDLERS; i++) assert_int_equal(Idler_init(&idlers[i], &pump, "idler", &shelf), UF_OK);
    for (int ways = 0; ways < WAYS * WAYS * WAYS; ways++) {
        for (int i = 0, rest = ways; i < IDLERS; i++, rest /= WAYS) {
            assert_int_equal(Idler_start_Leave(&idlers[i], rest % WAYS), UF_OK);
        }
        rounds(1);
        assert_int_equal(Filler_start_Send(&filler), UF_OK);
        rounds(2);
        assert_int_equal(shelf.boxes.room.queued, IDLERS + 1);
        take(&shelf);
        rounds(3 * IDLERS + 3);
        assert_int_equal(uf_flow_outcome(&filler.uf), UF_DONE);
        nobody_waits(&shelf);
        for (int i = 0; i < IDLERS; i++) (void)uf_flow_cancel(&idlers[i].uf);
        rounds(3);
    }
}

FULL(a_large_message_arrives_whole)
{
    crate it = {.number = 7};
    int number;
    for (unsigned i = 0; i < sizeof it.content; i++) it.content[i] = (char)(it.number + (int)i);
    assert_int_equal(Shelf_start_Check(&shelf), UF_OK);
    rounds(2);
    assert_int_equal(Shelf_crates_send(&shelf, it), UF_OK);
    memset(&it, 0, sizeof it);
    assert_int_equal(Shelf_crates_send(&shelf, it), UF_FULL);
    rounds(2);
    assert_true(Shelf_result_Check(&shelf, &number) && number == 7);
}

/* Room on the same pump and on another one, which has its own rounds. */
FULL(waiters_of_two_pumps_take_turns)
{
    enum { FILLERS = 6 };
    uf_pump other;
    Filler fillers[FILLERS];
    assert_int_equal(uf_pump_init(&other, NULL), UF_OK);
    for (int i = 0; i < FILLERS; i++) {
        assert_int_equal(Filler_init(&fillers[i], i % 2 ? &other : &pump, "filler", &shelf, i + 1), UF_OK);
        assert_int_equal(Filler_start_Send(&fillers[i]), UF_OK);
        rounds(2);
        uf_pump_round(&other, 0);
        uf_pump_round(&other, 0);
    }
    assert_int_equal(Shelf_start_Keep(&shelf, FILLERS + 2), UF_OK);
    for (int i = 0; i < 30; i++) {
        rounds(1);
        uf_pump_round(&other, 0);
    }
    assert_int_equal(uf_flow_outcome(&shelf.uf), UF_DONE);
    nobody_waits(&shelf);
}

TEST(a_slow_stage_holds_up_those_before_it)
{
    static Store store;
    static Packer packer;
    static Maker maker;
    assert_int_equal(Store_init(&store, &pump, "store"), UF_OK);
    assert_int_equal(Packer_init(&packer, &pump, "packer", &store), UF_OK);
    assert_int_equal(Maker_init(&maker, &pump, "maker", &packer), UF_OK);
    assert_int_equal(Store_start_Keep(&store), UF_OK);
    assert_int_equal(Packer_start_Pack(&packer), UF_OK);
    assert_int_equal(Maker_start_Make(&maker, 100), UF_OK);
    uf_simulate_until(&pump, UF_MS(5));
    assert_int_equal(maker.made, 1 + 2 + 1 + 2); /* one each is being stored and packed, and both mailboxes are full */
    uf_simulate_until(&pump, UF_MS(500) + UF_MS(5));
    assert_int_equal(maker.made, 50 + 1 + 2 + 1 + 2);
    uf_simulate_until(&pump, UF_S(2));
    assert_int_equal(store.stored, 100 * 101 / 2);
    assert_int_equal(uf_flow_outcome(&maker.uf), UF_DONE);
}
