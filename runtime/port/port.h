/* SPDX-License-Identifier: MIT */
/* port.h - the functions that core needs from a platform. A port is a set of C files that define these functions.
 *
 * | no operating system | POSIX                  | Windows              | functions                | header         |
 * |---------------------|------------------------|----------------------|--------------------------|----------------|
 * | bare.c              | posix.c                | windows.c            | for core                 | port.h         |
 * |                     | posix_host.c           | windows_host.c       | threads and time         | port_host.h    |
 * |                     | posix_descriptor.c     | windows_descriptor.c | one descriptor           | port_poller.h  |
 * |                     | posix_epoll.c, _poll.c | windows_poll.c       | many descriptors         | port_poller.h  |
 * |                     | posix_socket.c         |                      | a socket for viewers     | port_socket.h  |
 *
 * To port core alone, copy bare.c and define the five functions of this header. To port the runtime with threads,
 * also define ufp_begin_uncancelled(), ufp_end_uncancelled(), ufp_spin_pause() of port_words.h, and the functions of
 * port_host.h and port_poller.h. port_words.h has the atomic operations; it covers gcc and clang on any machine, and
 * single-core machines with interrupts. */
#ifndef UFLOW_PORT_H
#define UFLOW_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Ends the program: the flow of this name failed for `reason`, and its failure policy is to abort.
 * Thread: the pump's. */
_Noreturn void ufp_abort(const char *flow, const char *reason);

/* Thread: any.
 * Returns: an identity of the calling thread: equal on every call from one thread, different for two running threads. A
 * platform with one thread may return NULL. */
void *ufp_thread_self(void);

/* Thread: any.
 * Returns: the address of UFP_SLOTS pointers that belong to the calling thread, initially NULL. */
void **ufp_thread_slot(void);
enum {
    UFP_SLOT_JOB,     /* a pool thread: the job that it is running */
    UFP_SLOT_ROUND,   /* the runtime's pump of which this thread runs a round */
    UFP_SLOT_HOST,    /* the functions of the host, if this thread has an external loop that drives a runtime */
    UFP_SLOT_FOREIGN, /* the caller-driven pumps of this thread with flows that wait for signals of other pumps */
    UFP_CORE_SLOTS,   /* all that core uses alone */
    UFP_SLOT_LOOPS = UFP_CORE_SLOTS, /* the runtimes that external loops of this thread drive */
    UFP_SLOT_LOOPS_AS_OF,            /* when that was true; see host/loops.c */
    UFP_SLOTS
};

/* A critical section about `subject`, an address that is not read. Sections about one subject exclude each other;
 * sections about two subjects need not. A section is short, never nested, and calls nothing that blocks. On bare metal,
 * disable the interrupts that use the runtime. Enter has acquire order and leave has release order, as a mutex.
 * Thread: any; on bare metal, interrupt handlers too. */
void ufp_critical_enter(const void *subject);
void ufp_critical_leave(const void *subject);

/* Between these two calls, no other thread can end this one, for example by pthread_cancel(). It would leave locks
 * behind, or a runtime that is never woken again. So a function of the runtime uses them if it contains a cancellation
 * point, or calls a hook for which others wait.
 * Thread: any.
 * Returns: the argument of ufp_end_uncancelled(). */
#if defined(UFP_BARE) || !__STDC_HOSTED__
static inline int ufp_begin_uncancelled(void)
{
    return 0;
}
static inline void ufp_end_uncancelled(int state)
{
    (void)state;
}
#else
int ufp_begin_uncancelled(void);
void ufp_end_uncancelled(int state);
#endif

#include "port_words.h"

#endif
