/* SPDX-License-Identifier: MIT */
/* report.h - the results of tests, and their reports: TAP version 14 on stdout, and JUnit in a file. */
#ifndef UFLOW_TEST_REPORT_H
#define UFLOW_TEST_REPORT_H

#include "options.h"
#include "run.h"

#include <stdio.h>

typedef struct uft_result {
    const uft_case *of;
    bool is_known; /* the test has run */
    bool passed, updated;
    uint32_t never_at; /* as in the slot */
    bool is_apart;     /* each of its schedules has run in a process of its own */
    bool is_all;       /* all schedules were run, or one has failed */
    uint32_t schedules;
    uf_time took;      /* real time */
    uint64_t states;   /* of its slot */
    uft_slot *failure; /* allocated; NULL: it passed */
    char *output;      /* allocated; NULL: none is shown */
    size_t output_size;
    size_t output_ends; /* of lines, in all that was written: `output` may lack a part of it */
} uft_result;

/* The line before all others. */
void uft_report_begin(const uft_options *options, unsigned count);

/* The lines of a result; its number counts from 1. */
void uft_report(const uft_options *options, unsigned number, const uft_result *result);

/* The last line. */
void uft_report_end(const uft_options *options, const uft_result *results, unsigned count);

/* A line of the history, and what stands for lines that are left out. Returns: its length. */

/* Writes all results as JUnit XML. Returns: false: see errno. */
bool uft_write_junit(FILE *out, const uft_options *options, const uft_result *results, unsigned count);

#endif
