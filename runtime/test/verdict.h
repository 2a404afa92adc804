/* SPDX-License-Identifier: MIT */
/* verdict.h - what the end of a process says about its test. */
#ifndef UFLOW_TEST_VERDICT_H
#define UFLOW_TEST_VERDICT_H

#include "processes.h"
#include "run.h"

/* Completes the slot of a process that has ended: a crash, an exit or a report of a sanitizer fails the test. */
void uft_judge_process(uft_process *process, const uft_case *of, uf_time step_limit);

/* Fails the slot: the failure did not happen again. */
void uft_make_unrepeatable(uft_slot *slot);

/* What the process has written, allocated; NULL: no memory. */
char *uft_output_text(const uft_output *output);

#endif
