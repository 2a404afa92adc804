/* scheduler.h - threads that are simulated: one at a time, and a seed says which.
 *
 * The runtime is compiled once more against the port of this directory. Each of its atomics, locks, conditions, clock
 * reads and allocations is a point at which another thread may go on. So a seed is a schedule: the same seed, the same
 * strategy and the same program run the same way, and what is wrong can be run again. Time is simulated too: it stands
 * until somebody's deadline is chosen to have come, or nobody can do anything else.
 *
 * Strategies: 0, at each point a thread at random; d >= 2, the threads have random priorities and the first that can
 * run runs, and at d - 1 random points it falls behind all others (PCT; a bug that takes d orderings is found with a
 * probability that has a lower bound). */
#ifndef SCHEDULER_H
#define SCHEDULER_H

#include <stdbool.h>
#include <stdint.h>

#include "port_host.h"

typedef struct schedule {
    uint64_t seed;
    unsigned strategy;
    uint32_t length; /* how many points such a run has, more or less: where a PCT puts its changes */
} schedule;

typedef struct schedule_result {
    const char *failure; /* NULL: none */
    uint64_t hash;       /* of who ran at each point */
    uint32_t points;
} schedule_result;

/* Runs `body` as the first thread, and whatever it starts. It fails if something calls schedule_fail(), if nobody can
 * go on, if it takes too long to be a wait for anything, or if memory is left, freed twice or written after it was
 * freed. */
schedule_result schedule_run(const schedule *schedule, void (*body)(void));

/* -- for bodies --------------------------------------------------------------------------------------------------- */

/* Ends the run. Formats as printf does. */
_Noreturn void schedule_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

#define MUST(condition) ((condition) ? (void)0 : schedule_fail("%s:%d: %s", __FILE__, __LINE__, #condition))

/* A number below `limit`, of the schedule's own. */
uint32_t schedule_draw(uint32_t limit);

/* Lets others run, and time pass. */
void schedule_pause(void);

/* What a descriptor, 0 to 7, can do from now on (port_poller.h); the first time opens it. */
void seeded_descriptor(int fd, int is);

/* Waits until a notifier is rung, or the deadline. */
void schedule_wait_bell(int fd, int64_t deadline);

#endif
