/* SPDX-License-Identifier: MIT */
/* choices.h - answers the questions of one run from its schedule, and remembers those that could be answered
 * otherwise. */
#ifndef UFLOW_TEST_CHOICES_H
#define UFLOW_TEST_CHOICES_H

#include "schedule.h"

/* A question that was answered with 0 though it had other answers. */
typedef struct uft_question {
    uint16_t site;
    uint16_t options;       /* answers, 0 included */
    uint32_t count : 31;    /* 0: at the beginning of the run, see uft_ask_moment() */
    uint32_t has_moved : 1; /* something has happened since the question before: worth asking first */
} uft_question;

typedef struct uft_choices {
    const uft_schedule *schedule;
    const uft_sites *sites;
    uint32_t asked[TEST_SITES];
    uint32_t taken[TEST_SITES]; /* disturbances of this run */
    uint32_t taken_by_all;
    uft_schedule *happened;    /* gets the disturbances that happen; NULL: none does */
    bool is_ahead[TEST_SITES]; /* was asked for its moment when the run began */
    uft_question *questions;   /* those after the schedule's last disturbance; NULL: none is remembered */
    uint32_t question_count, capacity;
    bool is_full; /* there was no room for a question */
    /* Of a random schedule: a number for a site that the plain run has not asked; NULL: such a site gets none. */
    uint32_t (*draw)(void *context, uint32_t site, uint32_t count, uint32_t options);
    void *context;
} uft_choices;

/* Begins a run. Up to `capacity` questions are remembered. */
void uft_begin_choices(uft_choices *choices, const uft_schedule *schedule, const uft_sites *sites,
                       uft_question *questions, uint32_t capacity);

/* Asks a site. Returns: its number in this run, below `options`. What the schedule says of questions that a run does
 * not ask, or that have fewer answers, disturbs nothing. */
uint32_t uft_ask(uft_choices *choices, uint32_t site, uint32_t options, bool has_moved);

/* Begins a site that is disturbed at one of its questions at most, and is notified of that before the run. `answers` is
 * how many disturbances they offer, two for each but perhaps the last; 0: unknown. Returns: does the schedule have a
 * disturbance for it? */
bool uft_ask_moment(uft_choices *choices, uint32_t site, uint32_t answers);

/* A question's answer as a disturbance. */
uft_choice uft_choice_of(const uft_question *question, uint16_t number);

#endif
