/* SPDX-License-Identifier: MIT */
/* windows_port.h - common parts of the Windows port. Not windows.h, which would hide the system's header. */
#ifndef UFLOW_WINDOWS_PORT_H
#define UFLOW_WINDOWS_PORT_H

#undef _WIN32_WINNT
#define _WIN32_WINNT 0x0602 /* Windows 8: WaitOnAddress, GetSystemTimePreciseAsFileTime */
#undef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN /* without the first version of winsock */

#include "port_poller.h"

#include <winsock2.h>

#include <windows.h>

/* A socket as the `fd` of the public functions. A SOCKET is a kernel handle, and handles are small numbers: Windows
 * keeps them within 32 bits, and a process has at most 2^24. */
static inline SOCKET ufp_socket_of(int fd)
{
    return (SOCKET)(unsigned)fd;
}

/* The errno for what WSAGetLastError() returns. EBADF: it is no socket. */
int ufp_socket_errno(void);

/* True if a socket is connected. Then select() need not report whether a connect has failed. */
bool ufp_socket_is_connected(SOCKET socket);

/* The time from now to a deadline that is not INT64_MAX, in units of `unit` nanoseconds. Rounded up: a wait that ends
 * before its deadline would be repeated, with no time left. At most a minute: unlike the clock, a wait does not count
 * the time during which the machine sleeps. */
static inline uint32_t ufp_units_until(int64_t deadline, int64_t unit)
{
    int64_t const most = INT64_C(60000000000), now = ufp_monotonic_now();
    int64_t const left = deadline <= now ? 0 : deadline < now + most ? deadline - now : most;
    return (uint32_t)((left + unit - 1) / unit);
}

#endif
