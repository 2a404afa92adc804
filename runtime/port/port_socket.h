/* SPDX-License-Identifier: MIT */
/* port_socket.h - a stream socket with a path in the file system, which only processes of the same user can open.
 *
 * A port may lack it: then leave runtime/inspect out of the library, as on Windows. No function blocks but
 * ufp_socket_wait(). A socket may be used by one thread at a time. A function that can fail returns 0 or an errno. */
#ifndef UFLOW_PORT_SOCKET_H
#define UFLOW_PORT_SOCKET_H

#include "port_poller.h"

typedef struct ufp_listener {
    int fd;
    uint64_t device, inode; /* of the path, which may be replaced */
} ufp_listener;

/* Listens at a path that only the owner may open (mode 0600) from the first moment on. Replaces a stale socket
 * of this user. Of several threads or processes that do so at once, one succeeds at most.
 * Returns: EADDRINUSE: something else is there; ENAMETOOLONG; or another errno. */
int ufp_listener_open(ufp_listener *listener, const char *path);
bool ufp_is_address_in_use(int error); /* EADDRINUSE? */

/* Closes the socket, and removes the path if it is still that of this socket. */
void ufp_listener_close(ufp_listener *listener, const char *path);

/* Accepts a connection of a process of this user, or of the superuser.
 * Returns: its descriptor, or one of these. */
enum {
    UFP_NO_PEER = -1,      /* none is waiting */
    UFP_REFUSED_PEER = -2, /* another user's: it was closed */
    UFP_NO_ROOM = -3       /* the system has no descriptor left: one may still be waiting */
};
int ufp_listener_accept(const ufp_listener *listener);

/* Returns: the number of bytes, which is not 0; 0: try again when the socket is ready; -1: the connection has ended. */
ptrdiff_t ufp_socket_receive(int fd, void *bytes, size_t size);
ptrdiff_t ufp_socket_send(int fd, const void *bytes, size_t size);

typedef struct ufp_waiting {
    int fd;
    int want, ready; /* UFP_READABLE, UFP_WRITABLE; 0: only an end of the connection makes it ready */
} ufp_waiting;

/* Waits until one of the descriptors is ready, or until `timeout` nanoseconds have passed; INT64_MAX: no limit.
 * Spurious returns are allowed. */
void ufp_socket_wait(ufp_waiting *sockets, size_t count, int64_t timeout);

/* The number of this process. */
uint32_t ufp_process(void);

/* Returns: the value of a variable of the environment; NULL: it is not set, or who runs this process may not set it,
 * because the program has more rights than its user. */
const char *ufp_environment(const char *variable);

#endif
