/* SPDX-License-Identifier: MIT */
/* fibers.h - the interface between the scheduler and its port. */
#ifndef FIBERS_H
#define FIBERS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct fiber fiber;
typedef enum fiber_state { UNUSED, READY, AT_MUTEX, AT_CONDITION, AT_JOIN, AT_BELL, ENDED } fiber_state;

fiber *fiber_self(void);
fiber *fiber_start(void (*run)(void *argument), void *argument);

/* A detached thread may outlast the run. */
void fiber_detach(fiber *which);
bool fiber_is_detached(const fiber *which);
void **fiber_slot(void); /* UFP_SLOTS pointers */
bool fiber_ended(const fiber *which);

/* The acts of a thread since it started. A compare-and-exchange that did not store counts, too. */
typedef struct counted {
    uint32_t locks; /* mutexes and critical sections that it entered */
    uint32_t read_modify_writes;
} counted;
counted *fiber_counts(void);

/* A point where the scheduler may switch threads. */
void fiber_point(void);

/* Blocks this thread until it is released. Returns: false if the deadline came first. */
bool fiber_block(fiber_state state, const void *at, int64_t deadline);
void fiber_release(fiber_state state, const void *at);     /* releases all threads that are blocked there */
void fiber_release_one(fiber_state state, const void *at); /* releases one of them at random */

/* Reads the clock, after a random delay of at most this many nanoseconds. */
int64_t fiber_time(uint32_t at_most);

/* port_seeded.c: called before and after a run. seeded_end() describes what the run leaked, or returns NULL. */
void seeded_begin(void);
const char *seeded_end(void);
void seeded_descriptors_begin(void); /* poller_seeded.c */
void seeded_pollers_end(void);       /* poller_seeded.c: closes those of detached threads */

#endif
