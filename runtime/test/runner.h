/* SPDX-License-Identifier: MIT */
/* runner.h - runs the tests and reports them in their order. */
#ifndef UFLOW_TEST_RUNNER_H
#define UFLOW_TEST_RUNNER_H

#include "report.h"

/* Runs the tests of `results`, and reports each. Returns: false: the runner was interrupted. */
bool uft_run_all(const uft_options *options, uft_result *results, unsigned count);

/* Frees what a failure has allocated. */
void uft_free_failure(uft_result *result);

#endif
