/* disturb.h - what a schedule makes of the rows of `explore`, in a run. */
#ifndef UFLOW_TEST_DISTURB_H
#define UFLOW_TEST_DISTURB_H

#include "explore.h"
#include "slot.h"

#include "uflow/generated/test.h"
#include "uflow/pump.h"

/* A row of `explore`. */
typedef struct test_row {
    uint32_t hook; /* its number in the test */
    uint32_t site;
    uf_time delay;    /* D of `late D` */
    bool is_due;      /* with the next round, before its timers */
    bool is_past;     /* of `sometime`: it has happened */
    bool is_set;      /* of `sometime`: the schedule has a moment for it */
    uint32_t answers; /* that its moments of this run have had, except 0 */
} test_row;

#define TEST_ROWS 32

typedef struct test_disturber {
    const uf_test *test;
    test_sites *sites;
    test_choices choices;
    test_row rows[TEST_ROWS];
    uint32_t row_count;
    uint32_t answers[TEST_ROWS]; /* of `sometime`: those of the plain run; 0: unknown */
    uf_time end;                 /* of the last run: logical time at which its task was over */
    uf_time loud_until;          /* `quiet`: no disturbance begins after this logical time */
    test_slot *slot;             /* which gets the texts of disturbances; NULL: none are made */
    void (*call)(uint32_t hook); /* runs the block of a row */
} test_disturber;

/* Reads the rows of the test. Returns: false: there are too many. */
bool test_find_rows(test_disturber *disturber, const uf_test *test, test_sites *sites);

/* After a plain run: finds the time from which it is quiet.
 * Returns: the test asks for that, and has to run again before test_learn_moments(). */
bool test_learn_end(test_disturber *disturber);

/* After the plain run: remembers which moments a `sometime` has. */
void test_learn_moments(test_disturber *disturber);

/* Begins a run, after the test's init; `disturber->choices` has begun. */
void test_disturb_begin(test_disturber *disturber);

/* Before a round begins: runs the blocks that were put off to it. */
void test_disturb_round(test_disturber *disturber);

/* After a round, before the one that may begin at the logical time `next`. Returns: a block was run, and a round of its
 * own is to follow. */
bool test_disturb_after(test_disturber *disturber, uf_pump *pump, uf_time next);

/* Before the last thing that can happen: runs `sometime` blocks whose moments have not come. Returns: one was run. */
bool test_disturb_at_last(test_disturber *disturber);

/* Before a round that would begin at the real time `now`. Returns: the time by which it is late. */
uf_time test_disturb_time(test_disturber *disturber, uf_pump *pump, uf_time now);

#endif
