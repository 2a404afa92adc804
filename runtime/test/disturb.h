/* SPDX-License-Identifier: MIT */
/* disturb.h - what a schedule makes of the rows of `explore`, in a run. */
#ifndef UFLOW_TEST_DISTURB_H
#define UFLOW_TEST_DISTURB_H

#include "explore.h"
#include "slot.h"

#include "uflow/generated/test.h"
#include "uflow/pump.h"
#include "uflow/recorder.h"

/* A row of `explore`. */
typedef struct uft_row {
    uint32_t hook; /* its number in the test */
    uint32_t site;
    uint8_t kind;     /* of the hook */
    bool has_moments; /* it begins at a moment */
    uf_time delay;    /* D of `late D` */
    bool is_due;      /* with the next round, before its timers */
    bool is_past;     /* of `sometime`: it has happened */
    bool is_set;      /* of `sometime`: the schedule has a moment for it */
    uint32_t answers; /* that its moments of this run have had, except 0 */
} uft_row;

#define TEST_ROWS 32

/* What `jobs` has. */
typedef struct uft_ways {
    bool fail, reject, late;
    uf_time delay; /* late: at most; the longest one of several rows */
} uft_ways;

/* A call of uf_choose() in C of the test. */
typedef struct uft_call {
    const char *file; /* as the compiler names it: equal names may have two addresses */
    uint32_t line, site;
} uft_call;

typedef struct uft_disturber {
    const uf_test *test;
    uft_sites *sites;
    uft_choices choices;
    uft_row rows[TEST_ROWS];
    uint32_t row_count;
    uint32_t due_count; /* rows that wait for the next round */
    uft_ways ways;
    uft_call calls[TEST_SITES];
    uint32_t call_count;
    uf_pump *pump;               /* of each run */
    uint32_t answers[TEST_ROWS]; /* of `sometime`: those of the plain run; 0: unknown */
    uf_time end;                 /* of the last run: logical time at which its task was over */
    uf_time loud_until;          /* `quiet`: no disturbance begins after this logical time */
    uf_recorder *recorder;       /* which gets them, too, by `note`; NULL: none does */
    void (*note)(uf_recorder *recorder, const char *text);
    uft_slot *slot;              /* which gets the texts of disturbances; NULL: none are made */
    void (*call)(uint32_t hook); /* does what a row says: runs its block, or begins the stop */
} uft_disturber;

/* Reads the rows of the test. Returns: false: there are too many. */
bool uft_find_rows(uft_disturber *disturber, const uf_test *test, uft_sites *sites);

/* How many of the rows so far are named by this line; `line` 0: how many are of that kind. */
unsigned uft_rows_before(const uft_disturber *disturber, uint32_t line, uint8_t kind);

/* The first row of a kind; NULL: none. */
uft_row *uft_find_row(uft_disturber *disturber, uint8_t kind);

/* Does the test ask for a time without disturbances? That depends on the end of the plain run. */
bool uft_has_quiet(const uft_disturber *disturber);

/* After a plain run: finds the time from which it is quiet.
 * Returns: the test asks for that, and has to run again before uft_learn_moments(). */
bool uft_learn_end(uft_disturber *disturber);

/* After the plain run: remembers which moments a `sometime` has. */
void uft_learn_moments(uft_disturber *disturber);

/* Begins a run, after the test's init; `disturber->choices` has begun. */
void uft_disturb_begin(uft_disturber *disturber);

/* Before a round begins: runs the blocks that were put off to it. */
void uft_disturb_round(uft_disturber *disturber);

/* After a round, before the one that may begin at the logical time `next`. Returns: a block was run, and a round of its
 * own is to follow. */
bool uft_disturb_after(uft_disturber *disturber, uf_pump *pump, uf_time next);

/* Before the last thing that can happen: runs `sometime` blocks whose moments have not come. Returns: one was run. */
bool uft_disturb_at_last(uft_disturber *disturber);

/* Adds a line to the disturbances of the run. */
void uft_tell(const uft_disturber *disturber, const char *format, ...) UF_FORMAT(2, 3);

/* Before a round that would begin at the real time `now`. Returns: the time by which it is late. */
uf_time uft_disturb_time(uft_disturber *disturber, uf_pump *pump, uf_time now);

#endif
