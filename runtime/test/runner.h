/* runner.h - runs the tests and reports them in their order. */
#ifndef UFLOW_TEST_RUNNER_H
#define UFLOW_TEST_RUNNER_H

#include "report.h"

/* Runs the tests of `results`, and reports each. Returns: false: the runner was interrupted. */
bool test_run_all(const test_options *options, test_result *results, unsigned count);

/* Frees what a failure has allocated. */
void test_free_failure(test_result *result);

#endif
