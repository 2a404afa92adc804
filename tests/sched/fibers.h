/* fibers.h - between the scheduler and the port that is made of it. */
#ifndef FIBERS_H
#define FIBERS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct fiber fiber;
typedef enum fiber_state { UNUSED, READY, AT_MUTEX, AT_CONDITION, AT_JOIN, AT_BELL, ENDED } fiber_state;

fiber *fiber_self(void);
fiber *fiber_start(void (*run)(void *argument), void *argument);
void **fiber_slot(void); /* a pointer of its own */
bool fiber_ended(const fiber *which);

/* Who goes on now? */
void fiber_point(void);

/* Nothing more from this one until it is released, or until the deadline: false then. */
bool fiber_block(fiber_state state, const void *at, int64_t deadline);
void fiber_release(fiber_state state, const void *at);     /* all that are blocked there */
void fiber_release_one(fiber_state state, const void *at); /* one of them, by chance */

/* What time it is, after so many nanoseconds at most. */
int64_t fiber_time(uint32_t at_most);

/* port_seeded.c: before and after a run; what the run has left behind, or NULL. */
void seeded_begin(void);
const char *seeded_end(void);
void seeded_descriptors_begin(void); /* poller_seeded.c */

#endif
