/* SPDX-License-Identifier: MIT */
/* session.h - the runs of one test: the plain schedule twice, and what must be true of them together. Then its other
 * schedules. */
#ifndef UFLOW_TEST_SESSION_H
#define UFLOW_TEST_SESSION_H

#include "run.h"

#include "uflow/recorder.h"

/* What a test needs beside itself. */
typedef struct uft_session {
    const uft_case *of;
    uint32_t rounds_at_once;
    bool is_repeat;        /* of a test that has failed: texts are made */
    bool updates;          /* writes the `history` file instead of comparing with it */
    const char *directory; /* of `history` files; NULL: the working directory */
    uf_pump *pump;
    uf_recorder *recorder; /* NULL: nothing is recorded */
    void *memory;          /* of the recorder */
    size_t memory_size;
    /* Schedules. */
    bool mutes;    /* what the disturbed ones print is not shown: this is a process of its own */
    bool is_apart; /* each runs in a process of its own: one has failed only because others had run before */
    uint64_t seed;
    uint32_t schedules; /* how many at random; 0: as many as the test says */
    uint32_t limit;     /* how many at most, for `explore all` */
    bool replays;       /* runs `schedule` once, and no other one */
    uft_schedule schedule;
    uft_sites sites;    /* of `schedule` */
    bool knows_quiet;   /* a run before has found out what is quiet */
    uf_time loud_until; /* of the disturber */
} uft_session;

/* Runs the test and fills the slot. */
void uft_session_run(uft_slot *slot, const void *session);

#endif
