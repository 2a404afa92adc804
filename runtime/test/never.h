/* SPDX-License-Identifier: MIT */
/* never.h - what no test has taken, of flows that were compiled with `ufc --coverage`. */
#ifndef UFLOW_TEST_NEVER_H
#define UFLOW_TEST_NEVER_H

/* In the runner, before the first test: gets memory for the notes of all processes. */
void uft_never_begin(void);

/* In the process of a test, at the end of its runs: notes what they have taken. */
void uft_never_note(void);

/* Prints what nobody has noted, as `uflow-cov` does; nothing without such flows. */
void uft_report_never(void);

#endif
