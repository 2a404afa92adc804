/* SPDX-License-Identifier: MIT */
/* test_explore.c - an explorer of all schedules against a search by brute force, on programs whose questions depend on
 * all answers before. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

enum { SITES = 4, MOST_QUESTIONS = 13, CAPACITY = 100000 };

static uft_sites sites;
static uft_question questions[CAPACITY];

static void add_sites(void)
{
    static const char *const names[SITES] = {"10", "11", "late", "late.2"};

    memset(&sites, 0, sizeof sites);
    for (unsigned i = 0; i < SITES; i++) {
        uint32_t const site = uft_find_site(&sites, names[i]);
        assert_int_equal(site, i);
        sites.list[site].most = i < 2 ? 1 : 3;
        sites.list[site].has_moments = i < 2;
    }
}

/* The state of a program is a number. Its next question, and the state after an answer: */
static uint32_t site_of(uint64_t state)
{
    return (uint32_t)(state >> 7) % SITES;
}

static uint32_t options_of(uint64_t state)
{
    return 1 + (uint32_t)(state >> 13) % 3;
}

static uint64_t after(uint64_t state, uint32_t answer)
{
    state = (state ^ (answer + 1)) * UINT64_C(1099511628211);
    return state ^ state >> 17;
}

#define BEGIN UINT64_C(14695981039346656037)

static uint64_t run(uft_choices *choices, unsigned length)
{
    uint64_t state = BEGIN;

    for (unsigned i = 0; i < length; i++)
        state = after(state, uft_ask(choices, site_of(state), options_of(state), state >> 20 & 1));
    return state;
}

/* All ends of a program. */
static uint64_t sum;
static unsigned count;

static void search(uint64_t state, unsigned length, const uint32_t *taken)
{
    uint32_t counts[SITES];

    if (length == 0) {
        sum += state;
        count++;
        return;
    }
    uint32_t const site = site_of(state);
    uint32_t const options = taken[site] < sites.list[site].most ? options_of(state) : 1;
    for (uint32_t answer = 0; answer < options; answer++) {
        memcpy(counts, taken, sizeof counts);
        counts[site] += answer > 0;
        search(after(state, answer), length - 1, counts);
    }
}

CASE(all_schedules_are_run_once)
{
    static uft_explorer explorer;
    uft_choices choices;

    add_sites();
    for (unsigned length = 0; length <= MOST_QUESTIONS; length++) {
        static const uint32_t none[SITES];
        uint64_t explored_sum = 0;
        unsigned explored = 0;
        sum = count = 0;
        search(BEGIN, length, none);
        uft_explore_all(&explorer, questions, CAPACITY);
        do {
            uft_explore_begin(&explorer, &choices, &sites);
            explored_sum += run(&choices, length);
            explored++;
            assert_int_equal(choices.taken_by_all, explorer.schedule.count);
        } while (uft_explore_next(&explorer, &choices));
        assert_int_equal(explored, count);
        assert_true(explored_sum == sum);
        assert_false(explorer.is_cut);
    }
}

CASE(without_room_for_questions_it_is_not_all)
{
    static uft_explorer explorer;
    uft_choices choices;
    unsigned explored = 0;

    add_sites();
    uft_explore_all(&explorer, questions, 4);
    do {
        uft_explore_begin(&explorer, &choices, &sites);
        (void)run(&choices, MOST_QUESTIONS);
        explored++;
    } while (uft_explore_next(&explorer, &choices));
    assert_true(explorer.is_cut);
    assert_in_range(explored, 2, 100);
}

/* A site that is disturbed at one moment, and is asked before the run. */
CASE(a_moment_ahead_has_all_answers)
{
    enum { MOMENTS = 5 };
    static uft_explorer explorer;
    uft_choices choices;
    unsigned seen[MOMENTS + 1][3] = {{0}}, explored = 0;

    add_sites();
    uft_explore_all(&explorer, questions, CAPACITY);
    do {
        uft_explore_begin(&explorer, &choices, &sites);
        bool const is_set = uft_ask_moment(&choices, 0, 2 * MOMENTS);
        unsigned at = MOMENTS, number = 0;
        for (unsigned i = 0; i < MOMENTS; i++) {
            uint32_t const answer = uft_ask(&choices, 0, 3, false);
            if (answer) at = i, number = answer;
        }
        assert_int_equal(is_set, number > 0);
        seen[at][number]++;
        explored++;
    } while (uft_explore_next(&explorer, &choices));
    assert_int_equal(explored, 2 * MOMENTS + 1);
    assert_int_equal(seen[MOMENTS][0], 1);
    for (unsigned i = 0; i < MOMENTS; i++) {
        assert_int_equal(seen[i][1], 1);
        assert_int_equal(seen[i][2], 1);
    }
}

/* More moments than a question has answers for are not explored, and it is said. */
CASE(too_many_moments_are_cut)
{
    static uft_explorer explorer;
    uft_choices choices;

    add_sites();
    uft_explore_all(&explorer, questions, CAPACITY);
    uft_explore_begin(&explorer, &choices, &sites);
    assert_false(uft_ask_moment(&choices, 0, UINT16_MAX));
    assert_false(uft_explore_next(&explorer, &choices));
    assert_true(explorer.is_cut);
}

enum { DRAWN = 2000, LENGTH = 40 };

static void draw_all(uint64_t seed, uint64_t *ends)
{
    static uft_explorer explorer;
    uft_choices choices;

    uft_explore_random(&explorer, questions, CAPACITY, seed);
    for (unsigned i = 0; i < DRAWN; i++) {
        uft_explore_begin(&explorer, &choices, &sites);
        ends[i] = run(&choices, LENGTH);
        for (uint32_t at = 0; at < explorer.schedule.count; at++)
            assert_in_range(explorer.schedule.choices[at].number, 1, 2);
        assert_true(uft_explore_next(&explorer, &choices));
    }
}

CASE(a_seed_gives_the_same_schedules)
{
    static uint64_t first[DRAWN], again[DRAWN], other[DRAWN];

    add_sites();
    draw_all(1, first);
    draw_all(1, again);
    draw_all(2, other);
    assert_memory_equal(first, again, sizeof first);
    unsigned same = 0;
    for (unsigned i = 1; i < DRAWN; i++) same += first[i] == other[i];
    assert_in_range(same, 0, DRAWN / 10);
}

CASE(without_questions_there_is_nothing_to_draw)
{
    static uft_explorer explorer;
    uft_choices choices;

    add_sites();
    uft_explore_random(&explorer, questions, CAPACITY, 1);
    uft_explore_begin(&explorer, &choices, &sites);
    assert_false(uft_explore_next(&explorer, &choices));
}

/* The plain run does not ask it. */
CASE(a_site_of_disturbed_runs_is_drawn_on_the_way)
{
    enum { RUNS = 200, NUMBERS = 4 };
    static uft_explorer explorer;
    static uft_schedule happened;
    uft_choices choices;
    unsigned seen[NUMBERS] = {0};

    add_sites();
    uft_explore_random(&explorer, questions, CAPACITY, 1);
    for (unsigned i = 0; i < RUNS; i++) {
        uft_explore_begin(&explorer, &choices, &sites);
        choices.happened = &happened;
        happened.count = 0;
        bool const is_disturbed = uft_ask(&choices, 0, 3, true) > 0;
        uint32_t const number = is_disturbed ? uft_ask(&choices, 2, NUMBERS, true) : 0;
        seen[number]++;
        assert_int_equal(uft_answer(&explorer.schedule, 2, 1), number);
        if (number > 0) assert_int_equal(uft_answer(&happened, 2, 1), number);
        assert_int_equal(choices.taken_by_all, explorer.schedule.count);
        assert_true(uft_explore_next(&explorer, &choices));
    }
    for (unsigned i = 0; i < NUMBERS; i++) assert_in_range(seen[i], 5, RUNS);
}
