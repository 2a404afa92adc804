/* options.h - what the arguments of a runner say. */
#ifndef UFLOW_TEST_OPTIONS_H
#define UFLOW_TEST_OPTIONS_H

#include "run.h"

typedef struct test_options {
    const char *program; /* the base name of the runner */
    bool lists, is_quiet, is_verbose, updates, is_in_process;
    const char **only; /* names of tests, or FILE:LINE; allocated */
    unsigned only_count;
    const char *junit, *trace, *directory; /* NULL: not given */
    unsigned jobs;
    uint32_t rounds_at_once;
    uf_time step_limit;
    bool shrinks_not;
    uint32_t seed, schedules, limit;
    const char *replay;     /* a schedule; NULL: not given */
    test_schedule schedule; /* which it says; see test_read_replay() */
    test_sites sites;
} test_options;

/* Reads the arguments. Returns: -1: go on; else the exit status. */
int test_read_options(int argc, char **argv, test_options *options);

/* Does an `--only` choose this test? */
bool test_is_chosen(const test_options *options, const test_case *test);

/* Reads the schedule of --replay, for the one test that is chosen; NULL: there is another number of tests.
 * Returns: NULL; else what is wrong. */
const char *test_read_replay(test_options *options, const test_case *test);

/* The first `--only` that fits none of the tests; NULL: each fits one. */
const char *test_unfit(const test_options *options, const test_case *tests, unsigned count);

#endif
