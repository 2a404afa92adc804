/* SPDX-License-Identifier: MIT */
/* schedule.h - a schedule is the set of a run's disturbances.
 *
 * A site of a test, such as an `anytime` block, asks for a number again and again. 0 is undisturbed. A disturbance
 * names the site, how often it has been asked by then, and the number. So each keeps its place when another is taken
 * away. Written as text: `25@12+,late@30=2`. */
#ifndef UFLOW_TEST_SCHEDULE_H
#define UFLOW_TEST_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Disturbances that a schedule has room for. */
#ifndef UF_TEST_CHOICES
#define UF_TEST_CHOICES 64
#endif

/* Sites that a test has room for, and the size of a name. */
#define TEST_SITES     64
#define TEST_SITE_NAME 48

/* Room for the text of any schedule: a name, `@`, a count, `=` or `+`, a number and a comma. */
#define TEST_SCHEDULE_SIZE (UF_TEST_CHOICES * (TEST_SITE_NAME + 18))

typedef struct uft_choice {
    uint16_t site;   /* its index in the table of sites */
    uint16_t number; /* from 1 */
    uint32_t count;  /* of the question, from 1 */
} uft_choice;

typedef struct uft_schedule {
    uint32_t count;
    uft_choice choices[UF_TEST_CHOICES]; /* in any order; not two for one question */
} uft_schedule;

typedef struct uft_site {
    char name[TEST_SITE_NAME]; /* a line, a word, or the name of a worker */
    uint32_t most;             /* disturbances of one schedule */
    bool has_moments;          /* 1: in a round of its own; 2, written `+`: with the next round */
} uft_site;

/* The sites that have asked, or that a replay names. They keep their numbers from run to run. */
typedef struct uft_sites {
    uint32_t count;
    uft_site list[TEST_SITES];
} uft_sites;

/* The site of that name; it is added if it is new. Returns: its index; TEST_SITES: the table is full. */
uint32_t uft_find_site(uft_sites *sites, const char *name);

/* The number that the schedule has for a question. 0: undisturbed. */
uint32_t uft_answer(const uft_schedule *schedule, uint32_t site, uint32_t count);

/* Reads a schedule. Returns: NULL: all of it is read; else where it is wrong. */
const char *uft_read_schedule(uft_schedule *schedule, uft_sites *sites, const char *text);

/* Writes it as snprintf() does, sorted by site and question. Returns: the length of the whole text. */
size_t uft_write_schedule(const uft_schedule *schedule, const uft_sites *sites, char *text, size_t size);

#endif
