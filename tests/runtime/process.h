/* SPDX-License-Identifier: MIT */
/* process.h - time and resources of the test's own process. */
#ifndef PROCESS_H
#define PROCESS_H

#include <stdint.h>

/* Nanoseconds of the monotonic clock, and of processor time used by all threads. */
int64_t process_now(void);
int64_t process_cpu(void);

void process_sleep_ms(int ms);

/* Entries of /dev/fd or /proc/self/task. Returns: 0 if the directory cannot be opened. */
int process_entries(const char *directory);

/* Returns: 0 if the system does not report it. */
long process_resident_pages(void);

#endif
