/* SPDX-License-Identifier: MIT */
/* poll.h - poll() and pipe() for the tests that use nothing else of POSIX, with sockets of Windows. */
#ifndef VARIANTS_POLL_H
#define VARIANTS_POLL_H

#include <unistd.h>

enum { POLLIN = 1, POLLOUT = 4 };

struct pollfd {
    int fd;
    short events, revents;
};

#define poll  sockets_poll
#define pipe  sockets_pipe
#define close sockets_close

int sockets_poll(struct pollfd *fds, unsigned long count, int timeout);
int sockets_pipe(int ends[2]);
int sockets_close(int fd);

#endif
