/* SPDX-License-Identifier: MIT */
/* schedules.c - the plain schedule and the others, as every runner runs them. */
#include "run.h"

#include <string.h>

/* Schedules of an `explore` without a number. */
#define DEFAULT_SCHEDULES 100

void uft_run_schedule(uft_runs *runs, uft_watch *watch)
{
    uft_disturber *const disturber = runs->disturber;

    if (disturber) {
        if (runs->explorer) uft_explore_begin(runs->explorer, &disturber->choices, disturber->sites);
        else uft_begin_choices(&disturber->choices, &runs->slot->schedule, disturber->sites, NULL, 0);
        disturber->choices.happened = &runs->slot->happened;
    }
    runs->slot->disturbances = runs->slot->happened.count = 0;
    uft_run(runs, watch);
}

bool uft_learn_quiet(uft_runs *runs)
{
    bool const asks = uft_learn_end(runs->disturber);

    runs->slot->knows_quiet = true;
    runs->slot->loud_until = runs->disturber->loud_until;
    return asks;
}

void uft_learn(uft_runs *runs)
{
    uft_watch watch = {.line = NULL};

    if (uft_learn_quiet(runs)) uft_run_schedule(runs, &watch);
    if (!runs->explorer->is_random) uft_learn_moments(runs->disturber);
}

void uft_note_failure(uft_failure *failure, const uft_slot *slot)
{
    *failure = (uft_failure){.at = slot->at, .has_reason = slot->has_reason};
    memcpy(failure->text, slot->message, sizeof failure->text - 1);
}

bool uft_is_same_failure(const uft_failure *failure, const uft_slot *slot)
{
    size_t const details = strcspn(failure->text, ":0123456789");

    if (!slot->failed || slot->at.line != failure->at.line || slot->at.file != failure->at.file) return false;
    if (failure->has_reason || slot->has_reason) return failure->has_reason == slot->has_reason;
    return strncmp(slot->message, failure->text, details) == 0;
}

uint32_t uft_most_schedules(const uf_test *test, uint32_t wanted, uint32_t limit)
{
    if (test->schedules == UF_TEST_EXPLORES) return limit;
    return wanted ? wanted : test->schedules == UF_TEST_SOME ? DEFAULT_SCHEDULES : test->schedules;
}

void uft_check_seen(const uft_runs *runs)
{
    uf_test const *const test = runs->of->test;

    for (uint32_t i = 0; i < test->hook_count; i++) {
        if (test->hooks[i].kind == UF_TEST_HOOK_AT && !runs->seen[i]) runs->slot->never_at = test->hooks[i].line;
        if (test->hooks[i].kind != UF_TEST_HOOK_SOMETIMES || runs->seen[i]) continue;
        uft_fail((uft_place){runs->of->shown, test->hooks[i].line}, "sometimes: %s: never in %u schedule%s",
                 test->hooks[i].text, (unsigned)runs->slot->schedules, runs->slot->schedules == 1 ? "" : "s");
    }
}
