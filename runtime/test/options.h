/* SPDX-License-Identifier: MIT */
/* options.h - what the arguments of a runner say. */
#ifndef UFLOW_TEST_OPTIONS_H
#define UFLOW_TEST_OPTIONS_H

#include "run.h"

typedef struct uft_options {
    const char *program; /* the base name of the runner */
    bool lists, lists_mutants, is_quiet, is_verbose, updates, is_in_process;
    const char **only; /* names of tests, or FILE:LINE; allocated */
    unsigned only_count;
    const char *junit, *trace, *directory; /* NULL: not given */
    unsigned jobs;
    uint32_t rounds_at_once;
    uf_time step_limit;
    bool shrinks_not;
    uint32_t seed, schedules, limit;
    const char *replay;    /* a schedule; NULL: not given */
    uft_schedule schedule; /* which it says; see uft_read_replay() */
    uft_sites sites;
} uft_options;

/* Reads the arguments. Returns: -1: go on; else the exit status. */
int uft_read_options(int argc, char **argv, uft_options *options);

/* Does an `--only` choose this test? */
bool uft_is_chosen(const uft_options *options, const uft_case *test);

/* Reads the schedule of --replay, for the one test that is chosen; NULL: there is another number of tests.
 * Returns: NULL; else what is wrong. */
const char *uft_read_replay(uft_options *options, const uft_case *test);

/* The first `--only` that fits none of the tests; NULL: each fits one. */
const char *uft_unfit(const uft_options *options, const uft_case *tests, unsigned count);

#endif
