/* SPDX-License-Identifier: MIT */
/* coverage.h - the counts of a program whose flows were compiled with `ufc --coverage`.
 *
 * The program appends its counts to a data file when it exits, and uflow-cov adds them up. The environment variable
 * UFLOW_COVERAGE_FILE names it; if that is empty, no file is written. The default is uflow.cov in the directory where
 * the program was started. A program that never exits, or that ends by a signal, _exit() or exec(), calls
 * uf_coverage_write() before. */
#ifndef UFLOW_COVERAGE_H
#define UFLOW_COVERAGE_H

#include <stdbool.h>

#include "uflow/generated/coverage.h"

UF_C_BEGIN

/* Appends the counts since the last call to the data file. Other processes may do the same at once. If the file cannot
 * be written, nothing is lost: the next call tries again.
 * Thread: any, with every pump.
 * Returns: true; false: the file could not be written, see errno. */
bool uf_coverage_write(void);

UF_C_END
#endif
