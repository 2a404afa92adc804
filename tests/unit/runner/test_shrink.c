/* SPDX-License-Identifier: MIT */
/* test_shrink.c - schedules shrink to the smallest one that fails. */
#include "unit.h"

#include <string.h>

/* What must be in a schedule that fails. A number and a count are the least ones that do. */
typedef struct need {
    const uft_choice *choices;
    uint32_t count;
    uint32_t runs, most_runs;
} need;

static bool fails(void *context, const uft_schedule *schedule)
{
    need *const needed = context;

    needed->runs++;
    for (uint32_t i = 0; i < needed->count; i++) {
        uft_choice const *const least = &needed->choices[i];
        uint32_t at = 0;
        while (at < schedule->count &&
               (schedule->choices[at].site != least->site || schedule->choices[at].number < least->number ||
                schedule->choices[at].count < least->count))
            at++;
        if (at == schedule->count) return false;
    }
    return true;
}

static bool may_go_on(void *context)
{
    need const *const needed = context;
    return needed->runs < needed->most_runs;
}

static uft_schedule large(void)
{
    uft_schedule schedule = {.count = 0};

    for (uint32_t i = 0; i < UF_TEST_CHOICES; i++)
        schedule.choices[schedule.count++] = (uft_choice){(uint16_t)(i % 8), (uint16_t)(i % 5 + 3), 1000 + 977 * i};
    return schedule;
}

CASE(the_smallest_is_found)
{
    static const uft_choice choices[] = {{1, 1, 1}, {3, 2, 17}, {6, 4, 60}};

    for (uint32_t count = 1; count <= 3; count++) {
        uft_schedule schedule = large();
        need needed = {choices, count, 0, 100000};
        assert_true(fails(&needed, &schedule));
        uft_shrink(&schedule, fails, may_go_on, &needed);
        assert_int_equal(schedule.count, count);
        for (uint32_t i = 0; i < count; i++)
            assert_int_equal(uft_answer(&schedule, choices[i].site, choices[i].count), choices[i].number);
        assert_in_range(needed.runs, 1, 1000);
    }
}

CASE(a_failure_of_every_schedule_needs_none)
{
    uft_schedule schedule = large();
    need needed = {NULL, 0, 0, 100};

    uft_shrink(&schedule, fails, may_go_on, &needed);
    assert_int_equal(schedule.count, 0);
}

CASE(it_ends_when_it_may_not_go_on)
{
    static const uft_choice choices[] = {{3, 2, 17}};
    uft_schedule schedule = large();
    need needed = {choices, 1, 0, 5};

    uft_shrink(&schedule, fails, may_go_on, &needed);
    assert_int_equal(needed.runs, 5);
    assert_true(fails(&needed, &schedule));
}

static bool fails_never(void *context, const uft_schedule *schedule)
{
    (void)schedule;
    ((need *)context)->runs++;
    return false;
}

CASE(what_cannot_be_repeated_stays)
{
    uft_schedule const before = large();
    uft_schedule schedule = before;
    need needed = {NULL, 0, 0, 100000};

    uft_shrink(&schedule, fails_never, may_go_on, &needed);
    assert_memory_equal(&schedule, &before, sizeof before);
}
