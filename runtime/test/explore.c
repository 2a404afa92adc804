/* SPDX-License-Identifier: MIT */
/* explore.c - the order of schedules.
 *
 * All: a schedule's children have one disturbance more, at a question that their parent's run asked after its own last
 * disturbance. Up to there a child's run is its parent's, so each set of disturbances has one parent, and is run
 * once. */
#include "explore.h"

#include <string.h>

void uft_explore_random(uft_explorer *explorer, uft_question *questions, uint32_t capacity, uint64_t seed)
{
    memset(explorer, 0, sizeof *explorer);
    explorer->is_random = true;
    explorer->questions = questions;
    explorer->capacity = capacity;
    explorer->seed = seed;
}

void uft_explore_all(uft_explorer *explorer, uft_question *questions, uint32_t capacity)
{
    memset(explorer, 0, sizeof *explorer);
    explorer->questions = questions;
    explorer->capacity = capacity;
}

/* -- all ----------------------------------------------------------------------------------------------------------- */

/* Goes to the next answer of the branch that this pass may give. Returns: false: there is none. */
static bool next_answer(const uft_question *questions, uft_branch *branch)
{
    for (; branch->at < branch->end; branch->at++, branch->number = 0) {
        uft_question const *const question = &questions[branch->at];
        if (question->has_moved == branch->is_second_pass) continue;
        if (++branch->number < question->options) return true;
    }
    return false;
}

static bool next_child(const uft_question *questions, uft_branch *branch)
{
    if (next_answer(questions, branch)) return true;
    if (branch->is_second_pass) return false;
    *branch = (uft_branch){branch->first, branch->end, branch->first, 0, true};
    return next_answer(questions, branch);
}

/* Opens the branch of the run that has ended, whose questions lie behind those of its parents. */
static void open_branch(uft_explorer *explorer, uint32_t count)
{
    uint32_t const first = explorer->question_count;

    if (explorer->schedule.count == UF_TEST_CHOICES) {
        explorer->is_cut |= count > 0;
        return;
    }
    explorer->question_count += count;
    explorer->branches[explorer->depth++] = (uft_branch){first, first + count, first, 0, false};
}

static bool next_of_all(uft_explorer *explorer, const uft_choices *ended)
{
    open_branch(explorer, ended->question_count);
    while (explorer->depth > 0) {
        uft_branch *const branch = &explorer->branches[explorer->depth - 1];
        if (next_child(explorer->questions, branch)) {
            uft_question const *const question = &explorer->questions[branch->at];
            explorer->schedule.count = explorer->depth;
            explorer->schedule.choices[explorer->depth - 1] = uft_choice_of(question, branch->number);
            return true;
        }
        explorer->question_count = branch->first;
        explorer->depth--;
    }
    return false;
}

/* -- random -------------------------------------------------------------------------------------------------------- */

/* SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014). Returns: below `end`. */
static uint32_t draw(uint64_t *state, uint32_t end)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    z ^= z >> 31;
    return (uint32_t)(((z >> 32) * end) >> 32);
}

/* Sorts the questions of the plain run by site, behind them; those of one site keep their order. */
static void sort_by_site(uft_explorer *explorer, uint32_t count)
{
    uft_question const *const asked = explorer->questions;
    uint32_t *const first_of = explorer->first_of;

    explorer->questions += count;
    for (uint32_t i = 0; i < count; i++) first_of[asked[i].site + 1]++;
    for (uint32_t site = 0; site < TEST_SITES; site++) first_of[site + 1] += first_of[site];
    for (uint32_t i = count; i-- > 0;) explorer->questions[--first_of[asked[i].site + 1]] = asked[i];
    for (uint32_t site = 0; site < TEST_SITES; site++) first_of[site] = first_of[site + 1];
    first_of[TEST_SITES] = count;
}

/* How many disturbances a site gets: none in a quarter of the schedules, else 1, half as often 2, and so on. */
static uint32_t draw_count(uint64_t *state, uint32_t most)
{
    uint32_t count = draw(state, 4) > 0;

    while (count > 0 && count < most && draw(state, 2) == 0) count++;
    return count;
}

/* Draws the disturbances of a site, at any of the plain run's questions with the same probability. */
static void draw_site(uft_explorer *explorer, uint64_t *state, uint32_t site, uint32_t most)
{
    uft_schedule *const schedule = &explorer->schedule;
    uft_question const *const questions = explorer->questions + explorer->first_of[site];
    uint32_t const end = explorer->first_of[site + 1] - explorer->first_of[site];

    for (uint32_t left = end ? draw_count(state, most) : 0; left > 0 && schedule->count < UF_TEST_CHOICES; left--) {
        uft_question const *const question = &questions[draw(state, end)];
        uint32_t const number = 1 + draw(state, question->options - 1u);
        if (uft_answer(schedule, site, question->count) != 0) continue;
        schedule->choices[schedule->count++] = (uft_choice){(uint16_t)site, (uint16_t)number, question->count};
    }
}

/* A site that only disturbed runs ask: there is nothing to draw from before the run. */
static uint32_t draw_on_the_way(void *context, uint32_t site, uint32_t count, uint32_t options)
{
    uft_explorer *const explorer = context;
    uft_schedule *const schedule = &explorer->schedule;
    bool const is_known = explorer->first_of[site] < explorer->first_of[site + 1];

    if (is_known || schedule->count == UF_TEST_CHOICES || draw(&explorer->state, 2) == 0) return 0;
    uint32_t const number = 1 + draw(&explorer->state, options - 1);
    schedule->choices[schedule->count++] = (uft_choice){(uint16_t)site, (uint16_t)number, count};
    return number;
}

static bool next_at_random(uft_explorer *explorer, const uft_choices *ended)
{
    if (explorer->drawn++ == 0) {
        sort_by_site(explorer, ended->question_count);
    }
    uint64_t state = explorer->seed + explorer->drawn * UINT64_C(0x9e3779b97f4a7c15) * 64;
    explorer->schedule.count = 0;
    for (uint32_t site = 0; site < ended->sites->count; site++)
        draw_site(explorer, &state, site, ended->sites->list[site].most);
    explorer->state = state;
    return explorer->first_of[TEST_SITES] > 0;
}

/* -- both ---------------------------------------------------------------------------------------------------------- */

void uft_explore_begin(uft_explorer *explorer, uft_choices *choices, const uft_sites *sites)
{
    bool const is_first = explorer->drawn == 0;

    if (!explorer->is_random) {
        uft_begin_choices(choices, &explorer->schedule, sites, explorer->questions + explorer->question_count,
                          explorer->capacity - explorer->question_count);
        return;
    }
    uft_begin_choices(choices, &explorer->schedule, sites, is_first ? explorer->questions : NULL,
                      explorer->capacity / 2);
    choices->draw = is_first ? NULL : draw_on_the_way;
    choices->context = explorer;
}

bool uft_explore_next(uft_explorer *explorer, const uft_choices *ended)
{
    explorer->is_cut |= ended->is_full;
    return explorer->is_random ? next_at_random(explorer, ended) : next_of_all(explorer, ended);
}
