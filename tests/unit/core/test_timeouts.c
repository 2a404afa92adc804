/* SPDX-License-Identifier: MIT */
/* test_timeouts.c - the heap of the timeouts of jobs, compared with a search of them all. */
#include "unit.h"

#include "jobs/work.h"

enum { WORKS = 300, CHANGES = 20000 };

static uf_work works[WORKS];
static uint32_t turn_of[WORKS]; /* in the order of the submits; 0: the record is not in the heap */
static uint32_t turns;
static uf_pump pump;
static uint64_t seed = 1;

static uint32_t draw(uint32_t below)
{
    return (uint32_t)(unit_random(&seed) % below);
}

static uf_work *first(void)
{
    int best = -1;
    for (int i = 0; i < WORKS; i++) {
        if (!turn_of[i]) continue;
        uf_time const a = ufi_work_deadline(&works[i]), b = best < 0 ? UF_FOREVER : ufi_work_deadline(&works[best]);
        if (best < 0 || a < b || (a == b && turn_of[i] < turn_of[best])) best = i;
    }
    return best < 0 ? NULL : &works[best];
}

static void change(int at, uint32_t range)
{
    if (turn_of[at]) {
        ufi_timeout_end(&pump, &works[at]);
        assert_null(works[at].before);
        turn_of[at] = 0;
    } else {
        works[at].submitted = (uf_time)turns;
        works[at].timeout = draw(50) == 0 ? UF_FOREVER - 1 : (uf_time)draw(range);
        ufi_timeout_begin(&pump, &works[at]);
        turn_of[at] = ++turns;
    }
}

/* Deadlines: a few different ones, and many. */
CASE(the_earliest_is_the_root)
{
    for (uint32_t range = 1; range <= 100000; range *= 10) {
        for (int n = 0; n < CHANGES; n++) {
            change(draw(2) && pump.timed ? (int)(pump.timed - works) : (int)draw(WORKS), range);
            assert_ptr_equal(pump.timed, first());
        }
    }
    while (pump.timed) {
        change((int)(pump.timed - works), 1);
        assert_ptr_equal(pump.timed, first());
    }
    assert_null(first());
}

CASE(equal_ones_are_in_order)
{
    for (int i = 0; i < WORKS; i++) {
        works[i].submitted = 0;
        works[i].timeout = 7;
        ufi_timeout_begin(&pump, &works[i]);
    }
    for (int i = 0; i < WORKS; i++) {
        assert_ptr_equal(pump.timed, &works[i]);
        ufi_timeout_end(&pump, pump.timed);
    }
    assert_null(pump.timed);
}
