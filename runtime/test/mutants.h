/* SPDX-License-Identifier: MIT */
/* mutants.h - the small changes of the flows in this program, of which UFLOW_MUTANT chooses one. */
#ifndef UFLOW_TEST_MUTANTS_H
#define UFLOW_TEST_MUTANTS_H

#include "report.h"

#include "uflow/generated/mutants.h"

/* The registered files, in order; NULL after the last. */
const uf_mutant_file *uft_next_mutants(const uf_mutant_file *after);

/* Chooses the mutant that the environment names, before the first test. Returns: true; false: there is no such one, and
 * stderr says so. */
bool uft_choose_mutant(const char *program);

/* Prints NUMBER FILE:LINE KIND CHANGE of each mutant. */
void uft_list_mutants(void);

/* After all tests, if the environment names a mutant: prints whether it was reached, and a number that is the same for
 * runs in which the plain schedules have the same history. For the mutant 0, which changes nothing, prints those that
 * were reached. */
void uft_report_mutants(const uft_result *results, unsigned count);

#endif
