/* report.h - the results of tests, and their reports: TAP version 14 on stdout, and JUnit in a file. */
#ifndef UFLOW_TEST_REPORT_H
#define UFLOW_TEST_REPORT_H

#include "options.h"
#include "run.h"

#include <stdio.h>

typedef struct test_result {
    const test_case *of;
    bool is_known; /* the test has run */
    bool passed, updated;
    bool is_all; /* all schedules were run, or one has failed */
    uint32_t schedules;
    uf_time took;       /* real time */
    test_slot *failure; /* allocated; NULL: it passed */
    char *output;       /* allocated; NULL: none is shown */
    size_t output_size;
} test_result;

/* The line before all others. */
void test_report_begin(const test_options *options, unsigned count);

/* The lines of a result; its number counts from 1. */
void test_report(const test_options *options, unsigned number, const test_result *result);

/* The last line. */
void test_report_end(const test_options *options, const test_result *results, unsigned count);

/* Writes all results as JUnit XML. Returns: false: see errno. */
bool test_write_junit(FILE *out, const test_options *options, const test_result *results, unsigned count);

#endif
