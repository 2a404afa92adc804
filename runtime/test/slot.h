/* SPDX-License-Identifier: MIT */
/* slot.h - what one run of a test tells its runner. It lies in memory that the two processes share. */
#ifndef UFLOW_TEST_SLOT_H
#define UFLOW_TEST_SLOT_H

#include "schedule.h"

#include "uflow/flow.h"

#define TEST_MESSAGE_SIZE 1024
#define TEST_LINE_SIZE    256
#define TEST_HISTORY      20              /* lines of the history in a report: the last ones */
#define TEST_KEPT         20              /* and those around disturbances */
#define TEST_WAITS_SIZE   4096            /* what the flows wait for */
#define TEST_DISTURBANCES UF_TEST_CHOICES /* in a report: all */

/* A place in a .uflow file. `file` is a constant of the program, so it is the same in both processes. */
typedef struct uft_place {
    const char *file; /* NULL: unknown */
    uint32_t line;
} uft_place;

/* A line of the history. */
typedef struct uft_entry {
    uf_time time;      /* logical */
    uint32_t left_out; /* lines before it that are not shown */
    bool is_kept;      /* it is near a disturbance */
    char text[TEST_LINE_SIZE - 64];
} uft_entry;

typedef struct uft_slot {
    volatile uint32_t progress; /* changes with each round: a body that never returns keeps it */
    volatile bool is_part_over; /* of a fork of the process: its part has come to its end */
    volatile bool finished;     /* the run has come to its end; else the process has crashed or exited */
    bool failed;
    bool has_reason;    /* of its failure: that of the test's own task, such as one of `fail` */
    uint32_t schedules; /* how many it has run */
    bool updated;       /* the `history` file was written */
    uint32_t never_at;  /* line of an `at` that has come in no schedule; 0: there is none */
    bool is_all;        /* those were all that there are */
    uf_time took;       /* real time */
    uint64_t states;    /* of the plain schedule: the same for runs with the same history */
    uft_sites sites;
    uft_schedule schedule; /* of the run in progress, or of the last one */
    uft_schedule happened; /* what of it has happened, and what was drawn on the way: this is what reports have */
    bool knows_quiet;      /* `loud_until` is known */
    uf_time loud_until;    /* of the test's `quiet`, after the plain run */
    uint32_t disturbances;
    char disturbance[TEST_DISTURBANCES][TEST_LINE_SIZE / 2]; /* of that run, as texts */
    /* A failure. */
    uft_place at;
    char cause[TEST_LINE_SIZE]; /* the run that has failed first: FILE:LINE, FLOW TASK STEP; "": the test itself has */
    char message[TEST_MESSAGE_SIZE];
    uf_time time; /* logical */
    uint32_t kept_count, line_count;
    uint32_t keeps_next; /* so many lines that follow are kept */
    uft_entry kept[TEST_KEPT];
    uft_entry history[TEST_HISTORY]; /* a ring of the last ones */
    char waits[TEST_WAITS_SIZE];     /* lines */
    /* Where the process crashed, exited, or was when it was killed; "": in no step. */
    char where[TEST_LINE_SIZE];
} uft_slot;

/* What makes two failures the same one: the place; and the text up to its details, unless it is a reason, which may
 * have other words each time. */
typedef struct uft_failure {
    uft_place at;
    bool has_reason;
    char text[TEST_LINE_SIZE];
} uft_failure;

void uft_note_failure(uft_failure *failure, const uft_slot *slot);
bool uft_is_same_failure(const uft_failure *failure, const uft_slot *slot);

/* Adds a line to those of the report; not after a failure, since what ends then is no part of it. */
void uft_add_line(uft_slot *slot, uf_time time, const char *text);

/* Adds the line of a disturbance. It and three lines on each side of it stay, however many follow. */
void uft_keep_note(uft_slot *slot, uf_time time, const char *text);

/* Forgets the lines of the report. */
void uft_clear_history(uft_slot *slot);

/* The line of the history at this place among those that are shown, the oldest first; NULL: there are no more. */
const uft_entry *uft_history_line(const uft_slot *slot, uint32_t at);

/* The text of a line, and of those that are left out before it. Both return its length. */
size_t uft_line_text(const uft_entry *line, char *text, size_t size);
size_t uft_left_out_text(unsigned count, char *text, size_t size);

#endif
