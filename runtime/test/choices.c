/* SPDX-License-Identifier: MIT */
/* choices.c - the questions of one run. */
#include "choices.h"

#include <string.h>

void uft_begin_choices(uft_choices *choices, const uft_schedule *schedule, const uft_sites *sites,
                       uft_question *questions, uint32_t capacity)
{
    memset(choices, 0, sizeof *choices);
    choices->schedule = schedule;
    choices->sites = sites;
    choices->questions = questions;
    choices->capacity = capacity;
}

static void remember(uft_choices *choices, uft_question question)
{
    if (!choices->questions || choices->taken_by_all < choices->schedule->count) return;
    if (choices->question_count < choices->capacity) choices->questions[choices->question_count++] = question;
    else choices->is_full = true;
}

/* A moment that was set before the run is asked for again when it comes. */
static void note(uft_choices *choices, uft_choice choice)
{
    uft_schedule *const happened = choices->happened;

    if (!happened || happened->count == UF_TEST_CHOICES || uft_answer(happened, choice.site, choice.count)) return;
    happened->choices[happened->count++] = choice;
}

uint32_t uft_ask(uft_choices *choices, uint32_t site, uint32_t options, bool has_moved)
{
    uint32_t const count = ++choices->asked[site];

    if (options < 2 || choices->taken[site] >= choices->sites->list[site].most) return 0;
    uint32_t number = uft_answer(choices->schedule, site, count);
    /* The next round is quiet: what was to come with it comes before it. */
    if (choices->is_ahead[site]) return number < options ? number : options - 1;
    if (number == 0 && choices->draw) number = choices->draw(choices->context, site, count, options);
    if (number == 0 || number >= options) {
        remember(choices, (uft_question){(uint16_t)site, (uint16_t)options, count & INT32_MAX, has_moved});
        return 0;
    }
    choices->taken[site]++;
    choices->taken_by_all++;
    note(choices, (uft_choice){(uint16_t)site, (uint16_t)number, count});
    return number;
}

bool uft_ask_moment(uft_choices *choices, uint32_t site, uint32_t answers)
{
    uft_schedule const *const schedule = choices->schedule;
    uint32_t at = 0;

    while (at < schedule->count && schedule->choices[at].site != site) at++;
    bool const is_set = at < schedule->count;
    if (is_set) note(choices, schedule->choices[at]);
    if (answers == 0) return is_set;
    choices->is_ahead[site] = true;
    if (is_set) choices->taken_by_all++;
    else if (answers < UINT16_MAX) remember(choices, (uft_question){(uint16_t)site, (uint16_t)(answers + 1), 0, 1});
    else choices->is_full = true;
    return is_set;
}

uft_choice uft_choice_of(const uft_question *question, uint16_t number)
{
    if (question->count > 0) return (uft_choice){question->site, number, question->count};
    return (uft_choice){question->site, number % 2 ? 1 : 2, (number + 1u) / 2};
}
