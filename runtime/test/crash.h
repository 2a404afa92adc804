/* SPDX-License-Identifier: MIT */
/* crash.h - in the process of a test: what it was doing when it crashed, exited, or did not return. */
#ifndef UFLOW_TEST_CRASH_H
#define UFLOW_TEST_CRASH_H

#include "slot.h"

/* The runner sends this signal to a process that has run too long: it notes where it is, and ends. */
#define TEST_ASK_SIGNAL SIGTERM

/* From now on, a crash or an exit of this process notes its place in `slot`. */
void uft_watch_for_crashes(uft_slot *slot);

/* This process waits for a fork of it, which is asked in its place; 0: it waits no more. */
void uft_ask_instead(long id);

/* Is this the process that has called uft_watch_for_crashes(), and no fork of it? */
bool uft_is_own_process(void);

#endif
