/* SPDX-License-Identifier: MIT */
/* posix.h - common parts of the POSIX port. */
#ifndef UFLOW_POSIX_H
#define UFLOW_POSIX_H

#include "port_poller.h"

#include <poll.h>

/* In a build with fault injection, a test decides which allocations fail. */
#if defined(UFP_FAULTS)
bool ufp_fault(void);
#else
#define ufp_fault() false
#endif

/* Sleeps for some milliseconds, so that the caller does not spin when the system refuses to wait. */
void ufp_back_off(void);

/* Aborts: the program has closed a descriptor of the runtime, which would miss all further events. */
_Noreturn void ufp_descriptor_lost(void);

/* The events of poll() for UFP_READABLE and UFP_WRITABLE, and back. An error or a hang-up counts as both. */
static inline short ufp_poll_events(int want)
{
    return (short)((want & UFP_READABLE ? POLLIN : 0) | (want & UFP_WRITABLE ? POLLOUT : 0));
}
static inline int ufp_ready_of(short events)
{
    return (events & (POLLIN | POLLERR | POLLHUP) ? UFP_READABLE : 0) |
           (events & (POLLOUT | POLLERR | POLLHUP) ? UFP_WRITABLE : 0);
}

#endif
