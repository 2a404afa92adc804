/* port.h - what the runtime needs of a platform: the only door to it. Behind it is posix.c, bare.c, or a file of your
 * own. This is all that core asks for; port_host.h is what the runtime with threads needs beside it. */
#ifndef UFLOW_PORT_H
#define UFLOW_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Ends the program: `flow` (its name) failed for `reason`, and its policy says that this must never happen. */
_Noreturn void ufp_abort(const char *flow, const char *reason);

/* Something that differs from thread to thread, and is the same at each call on one. */
void *ufp_thread_self(void);

/* A pointer of the calling thread's own, NULL at first. */
void **ufp_thread_slot(void);

/* What stands between the two is done by one thread at a time, in the whole program. Short, and not nested. On bare metal:
 * no interrupt that uses the runtime. */
void ufp_critical_enter(void);
void ufp_critical_leave(void);

#include "port_words.h"

#endif
