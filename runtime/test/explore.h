/* SPDX-License-Identifier: MIT */
/* explore.h - which schedules are run: at random, or all of them. */
#ifndef UFLOW_TEST_EXPLORE_H
#define UFLOW_TEST_EXPLORE_H

#include "choices.h"

/* The questions after a schedule's last disturbance: each of their other answers makes another schedule. */
typedef struct uft_branch {
    uint32_t first, end, at; /* in `questions` */
    uint16_t number;         /* the last answer tried at `at` */
    bool is_second_pass;     /* questions with `has_moved` come first */
} uft_branch;

typedef struct uft_explorer {
    bool is_random;
    bool is_cut; /* a run had more questions than there was room for: not all were explored */
    uint64_t seed;
    uint64_t drawn;          /* schedules */
    uft_schedule schedule;   /* the last one */
    uft_question *questions; /* random: of the plain run, by site; all: of the branches */
    uint32_t question_count, capacity;
    uint32_t first_of[TEST_SITES + 1]; /* random: the first question of each site */
    uint64_t state;                    /* random: of the numbers that are drawn during the run */
    uint32_t depth;
    uft_branch branches[UF_TEST_CHOICES + 1]; /* that of the plain schedule first */
} uft_explorer;

/* Explores without end, at random. The same seed gives the same schedules. `questions` is room for those of a run. */
void uft_explore_random(uft_explorer *explorer, uft_question *questions, uint32_t capacity, uint64_t seed);

/* Explores all schedules, depth first: each set of disturbances is run once. `questions` is room for those of a run,
 * for each disturbance of a schedule. */
void uft_explore_all(uft_explorer *explorer, uft_question *questions, uint32_t capacity);

/* Begins a run of `explorer->schedule`. The first one is the plain schedule. */
void uft_explore_begin(uft_explorer *explorer, uft_choices *choices, const uft_sites *sites);

/* Goes on to the next schedule, when a run has ended. Returns: false: there is none. */
bool uft_explore_next(uft_explorer *explorer, const uft_choices *ended);

/* -- shrink.c ------------------------------------------------------------------------------------------------------ */

/* Shrinks a schedule that fails: fewer disturbances, then smaller numbers, then earlier ones, until no step does.
 * `fails` runs a schedule and tells whether it fails at the same place; `may_go_on` ends a search that takes too
 * long. */
void uft_shrink(uft_schedule *schedule, bool (*fails)(void *context, const uft_schedule *schedule),
                bool (*may_go_on)(void *context), void *context);

#endif
