/* SPDX-License-Identifier: MIT */
/* test_room.c - the order in which waiters for a place are woken, when places come and go between their looks. */
#include "unit.h"

#include "waits/room.h"

enum { WAITERS = 4, DRAWS = 20000 };

/* The results of the next calls of check(). The last one repeats. */
static uint32_t free_places[3];
static unsigned checks;

static uf_status check(const uf_room *room, uint32_t *free)
{
    (void)room;
    *free = free_places[checks < 2 ? checks++ : 2];
    return UF_OK;
}

static void find(uint32_t first, uint32_t second, uint32_t later)
{
    free_places[0] = first;
    free_places[1] = second;
    free_places[2] = later;
    checks = 0;
}

static uf_room room;
static ufi_room_thread waiters[WAITERS];

static void begin(void)
{
    room = (uf_room){.check = check};
    find(0, 0, 0);
    for (int i = 0; i < WAITERS; i++) {
        waiters[i] = (ufi_room_thread){0};
        uf_signal_init(&waiters[i].wake, NULL);
        assert_int_equal(ufi_room_enter(&room, &waiters[i]), UF_BUSY);
    }
}

/* Frees places up to this number. Returns: the waiter that is woken. */
static int woken(uint32_t free)
{
    uint32_t before[WAITERS];
    int which = -1;
    for (int i = 0; i < WAITERS; i++) before[i] = uf_signal_epoch(&waiters[i].wake);
    find(free, free, free);
    ufi_room_freed(&room);
    for (int i = 0; i < WAITERS; i++) {
        if (uf_signal_epoch(&waiters[i].wake) == before[i]) continue;
        assert_int_equal(which, -1); /* one place, one wake-up */
        which = i;
    }
    return which;
}

/* The first waiter is woken and always too late: others take the place before it looks, or after it has seen it. It
 * stays the first one. */
CASE(one_that_is_too_late_stays_in_front)
{
    uint64_t seed = 1;
    begin();
    for (int i = 0; i < DRAWS; i++) {
        assert_int_equal(woken(1), 0);
        for (uint64_t looks = unit_random(&seed) % 4; looks > 0; looks--) {
            uint32_t const seen = (uint32_t)(unit_random(&seed) % 2);
            find(seen, 1, 1); /* a place is there at once, or comes between its two looks */
            assert_int_equal(ufi_room_enter(&room, &waiters[0]), UF_OK);
        }
        find(0, 0, 0);
        assert_int_equal(ufi_room_enter(&room, &waiters[0]), UF_BUSY);
    }
}

/* Waiters that come back are in the order of their attempts. */
CASE(those_that_return_are_in_order)
{
    begin();
    for (int i = 0; i < 2; i++) assert_int_equal(woken((uint32_t)i + 1), i);
    find(0, 0, 0);
    for (int i = 1; i >= 0; i--) assert_int_equal(ufi_room_enter(&room, &waiters[i]), UF_BUSY);
    assert_int_equal(woken(1), 1);
    assert_int_equal(woken(2), 0);
    assert_int_equal(woken(3), 2);
}
