/* SPDX-License-Identifier: MIT */
/* shrink.c - the smallest schedule that fails like a given one: the choices shrink, never what they lead to
 * (MacIver, Donaldson: Test-case reduction via test-case generation, 2020). */
#include "explore.h"

typedef struct shrinker {
    uft_schedule *best;
    bool (*fails)(void *context, const uft_schedule *schedule);
    bool (*may_go_on)(void *context);
    void *context;
    bool has_shrunk; /* in this pass */
} shrinker;

static bool try_schedule(shrinker *s, const uft_schedule *smaller)
{
    if (!s->may_go_on(s->context) || !s->fails(s->context, smaller)) return false;
    *s->best = *smaller;
    s->has_shrunk = true;
    return true;
}

/* Tries the schedule without `count` disturbances from `first` on. */
static bool try_without(shrinker *s, uint32_t first, uint32_t count)
{
    uft_schedule smaller = {.count = 0};

    for (uint32_t i = 0; i < s->best->count; i++)
        if (i - first >= count) smaller.choices[smaller.count++] = s->best->choices[i];
    return try_schedule(s, &smaller);
}

/* Takes away halves, quarters, … and single disturbances. */
static void shrink_count(shrinker *s)
{
    for (uint32_t size = (s->best->count + 1) / 2; size > 0; size = size == 1 ? 0 : (size + 1) / 2)
        for (uint32_t first = 0; first < s->best->count;)
            if (!try_without(s, first, size)) first += size;
}

static bool try_choice(shrinker *s, uint32_t at, uft_choice choice)
{
    uft_schedule smaller = *s->best;

    for (uint32_t i = 0; i < smaller.count; i++)
        if (i != at && smaller.choices[i].site == choice.site && smaller.choices[i].count == choice.count) return false;
    smaller.choices[at] = choice;
    return try_schedule(s, &smaller);
}

/* Takes large steps down first, then smaller ones. */
static void shrink_number(shrinker *s, uint32_t at)
{
    for (uint32_t step = s->best->choices[at].number - 1u; step > 0; step /= 2) {
        uft_choice choice = s->best->choices[at];
        while (choice.number > step) {
            choice.number = (uint16_t)(choice.number - step);
            if (!try_choice(s, at, choice)) break;
        }
    }
}

static void shrink_moment(shrinker *s, uint32_t at)
{
    for (uint32_t step = s->best->choices[at].count - 1u; step > 0; step /= 2) {
        uft_choice choice = s->best->choices[at];
        while (choice.count > step) {
            choice.count -= step;
            if (!try_choice(s, at, choice)) break;
        }
    }
}

void uft_shrink(uft_schedule *schedule, bool (*fails)(void *context, const uft_schedule *schedule),
                bool (*may_go_on)(void *context), void *context)
{
    shrinker s = {schedule, fails, may_go_on, context, true};

    while (s.has_shrunk && may_go_on(context)) {
        s.has_shrunk = false;
        shrink_count(&s);
        for (uint32_t i = 0; i < schedule->count; i++) shrink_number(&s, i);
        for (uint32_t i = 0; i < schedule->count; i++) shrink_moment(&s, i);
    }
}
