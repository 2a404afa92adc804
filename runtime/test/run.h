/* SPDX-License-Identifier: MIT */
/* run.h - one run of a test: its flow on a pump of its own, in virtual time, round by round. */
#ifndef UFLOW_TEST_RUN_H
#define UFLOW_TEST_RUN_H

#include "disturb.h"
#include "slot.h"
#include "watch.h"

#include "uflow/test.h"

/* A test, and the name of its file in reports. */
typedef struct uft_case {
    const uf_test *test;
    const uf_test_file *file;
    const char *shown;
} uft_case;

/* What the runs of one test share. */
typedef struct uft_runs {
    const uft_case *of;
    uft_slot *slot;
    uint32_t rounds_at_once;  /* so many at one logical time are too many */
    bool is_repeat;           /* of a run that has failed: texts are made */
    bool *seen;               /* of hooks: what `sometimes` asks for has been seen; an `at` has come */
    uf_time *next;            /* of hooks: logical time of the next `at` or `every` */
    uf_observer *recorder;    /* NULL: nothing is recorded */
    uft_disturber *disturber; /* NULL: the test does not explore */
    uft_explorer *explorer;   /* NULL: the schedule is in the slot */
    uf_pump *pump;            /* of each run */
} uft_runs;

/* Before the first run: from now on uft_fail() notes failures. */
void uft_begin_runs(uft_runs *runs);

/* Runs the test once. A failure is in the slot; the first one of a run counts. */
void uft_run(uft_runs *runs, uft_watch *watch);

/* Notes a failure of the run in progress, or of the one that has just ended. */
void uft_fail(uft_place at, const char *format, ...) UF_FORMAT(2, 3);

/* Does what a row of the test in progress says at its moment: runs its block, or begins the stop. */
void uft_call_row(uint32_t hook);

/* In the repeat of a failure: reads into the slot what the flows wait for now. */
void uft_note_waits(void);

/* Adds a line to the history of the report: what the test does at a logical time. */
void uft_note(uf_time time, const char *text, bool is_disturbance);

/* Has a stop begun in the run in progress? From then on, what the test expects does not count. */
bool uft_is_stopping(void);

/* What disturbs the run in progress; NULL: nothing does, or no test runs. */
uft_disturber *uft_disturber_now(void);

/* A line of the file of the test that runs. */
uft_place uft_line(uint32_t line);

/* The head of the test. */
uft_place uft_head(const uft_case *of);

/* Notes in the slot what the run in progress does at this moment. A handler of a signal may call it. */
void uft_note_where(uft_slot *slot);

/* What moves descriptors of a test, if it has any: wire.c, which only programs with NETWORK have. */
typedef struct uft_network {
    int (*poll)(void *context, int fd, int events); /* the hook of the pump */
    bool (*wake)(uf_pump *pump);                    /* reports what is ready. Returns: flows were woken */
    uf_time (*next)(void);                          /* logical time of the next event; UF_FOREVER: there is none */
    void (*end)(void);                              /* closes everything */
} uft_network;

/* Joins a network to the run in progress, until it ends. Returns: its pump; NULL: no test runs. */
uf_pump *uft_join(const uft_network *network);

/* Is what runs now a step or a block of the test itself, or outside of rounds? */
bool uft_is_of_test(void);

/* Notes a failure in the step that runs now. */
void uft_fail_here(const char *format, ...) UF_FORMAT(1, 2);

/* Makes signals and checkpoints at file scope as they were at the beginning. */
void uft_reset_points(void);

/* A checkpoint that is armed: its name; NULL: none is. `flow`: one of this flow; NULL: one at file scope. */
const char *uft_armed_checkpoint(const uf_flow *flow);

/* -- schedules.c --------------------------------------------------------------------------------------------------- */

/* Runs the test with the next schedule of the explorer; without one, with that in the slot. */
void uft_run_schedule(uft_runs *runs, uft_watch *watch);

/* After a plain run: learns what is quiet. Returns: the test asks for quiet. */
bool uft_learn_quiet(uft_runs *runs);

/* After the plain schedule: finds what the others have to know of it. */
void uft_learn(uft_runs *runs);

/* How many schedules are run at most, if `limit` is that of `explore all`. `wanted` 0: as many as the test says. */
uint32_t uft_most_schedules(const uf_test *test, uint32_t wanted, uint32_t limit);

/* After the last schedule: fails the test if a `sometimes` has never held, and notes an `at` that has never come. */
void uft_check_seen(const uft_runs *runs);

/* -- waiting.c ---------------------------------------------------------------------------------------------------- */

/* Reads what the flows of the pump wait for into the slot, without the flows that are idle. Without files there is no
 * such text. */
void uft_read_waits(uft_slot *slot, uf_pump *pump, const uf_flow *root);

/* -- files.c ------------------------------------------------------------------------------------------------------- */

/* The registered files, in order; NULL after the last. */
const uf_test_file *uft_next_file(const uf_test_file *after);

/* The name of a .uflow file in reports: its base name, or as much of its path as tells it from other files. */
const char *uft_shown(const char *file);

#endif
