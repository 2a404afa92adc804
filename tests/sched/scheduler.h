/* SPDX-License-Identifier: MIT */
/* scheduler.h - simulated threads: one runs at a time, chosen by a seed.
 *
 * The runtime is compiled against the port of this directory. At each of its atomics, locks, conditions, clock reads
 * and allocations the scheduler may switch threads. So a seed is a schedule: the same seed, strategy and program always
 * run the same way, and a failure can be replayed. Time is simulated too. It advances when the scheduler chooses a
 * deadline, or when no thread can run.
 *
 * Strategy 0 chooses a random thread at each point. Strategy d >= 2 is PCT: threads have random priorities, and the
 * first one that can run does. At d - 1 random points the running thread drops below all others. PCT finds a bug that
 * needs d orderings with a guaranteed minimum probability. */
#ifndef SCHEDULER_H
#define SCHEDULER_H

#include <stdbool.h>
#include <stdint.h>

#include "port_host.h"

typedef struct schedule {
    uint64_t seed;
    unsigned strategy;
    uint32_t length; /* the approximate number of points in a run: where PCT puts its changes */
} schedule;

typedef struct schedule_result {
    const char *failure; /* NULL: none */
    uint64_t hash;       /* a hash of the thread chosen at each point */
    uint32_t points;
} schedule_result;

/* Runs `body` as the first thread, and the threads that it starts. The run fails if schedule_fail() is called, on a
 * deadlock, and if it takes too long. It also fails on leaked memory, on a double free, and on a write to freed
 * memory. */
schedule_result schedule_run(const schedule *schedule, void (*body)(void));

/* -- for bodies --------------------------------------------------------------------------------------------------- */

/* Fails the run. Formats as printf does. */
_Noreturn void schedule_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

#define MUST(condition) ((condition) ? (void)0 : schedule_fail("%s:%d: %s", __FILE__, __LINE__, #condition))

/* A random number below `limit`, determined by the schedule. */
uint32_t schedule_draw(uint32_t limit);

/* Lets other threads run and time pass. */
void schedule_pause(void);

/* Sets the events of descriptor 0 to 7 (port_poller.h). The first call opens it. */
void seeded_descriptor(int fd, int is);

/* Sets the number of CPUs that threads believe to have; 1 at first. */
void seeded_cpus(uint32_t count);

/* A signal of the system comes, on this thread. Returns: false if nobody catches it. */
bool seeded_signal(int number);

/* Waits until a notifier is rung or the deadline has come. */
void schedule_wait_bell(int fd, int64_t deadline);

#endif
