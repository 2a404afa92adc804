/* SPDX-License-Identifier: MIT */
/* orphans.h - children of tests that outlive them, in a session of their own, where no signal to a group reaches them.
 * On Linux they become children of the runner, which ends them. Elsewhere these functions do nothing. */
#ifndef UFLOW_TEST_ORPHANS_H
#define UFLOW_TEST_ORPHANS_H

/* In the runner, before the first test: children that the program has by now are its own. */
void uft_adopt_orphans(void);

/* While no process of a test runs: ends all children but those. */
void uft_end_orphans(void);

#endif
