/* verdict.h - what the end of a process says about its test. */
#ifndef UFLOW_TEST_VERDICT_H
#define UFLOW_TEST_VERDICT_H

#include "processes.h"
#include "run.h"

/* Completes the slot of a process that has ended: a crash, an exit or a report of a sanitizer fails the test. */
void test_judge_process(test_process *process, const test_case *of, uf_time step_limit);

/* Fails the slot: the failure did not happen again. */
void test_make_unrepeatable(test_slot *slot);

/* What the process has written, allocated; NULL: no memory. */
char *test_output_text(const test_output *output);

#endif
