/* SPDX-License-Identifier: MIT */
/* poll.c - see poll.h. */
#include <winsock2.h>

#define pollfd test_pollfd
#undef POLLIN
#undef POLLOUT
#include "poll.h"

int sockets_poll(struct test_pollfd *fds, unsigned long count, int timeout)
{
    struct timeval const limit = {timeout / 1000, timeout % 1000 * 1000};
    struct timeval copy = limit;
    fd_set readable, writable;
    int ready = 0;

    FD_ZERO(&readable);
    FD_ZERO(&writable);
    for (unsigned long i = 0; i < count; i++) {
        if (fds[i].events & POLLIN) FD_SET((SOCKET)fds[i].fd, &readable);
        if (fds[i].events & POLLOUT) FD_SET((SOCKET)fds[i].fd, &writable);
    }
    if (select(0, &readable, &writable, NULL, timeout < 0 ? NULL : &copy) == SOCKET_ERROR) return -1;
    for (unsigned long i = 0; i < count; i++) {
        fds[i].revents = (short)((FD_ISSET((SOCKET)fds[i].fd, &readable) ? POLLIN : 0) |
                                 (FD_ISSET((SOCKET)fds[i].fd, &writable) ? POLLOUT : 0));
        ready += fds[i].revents != 0;
    }
    return ready;
}

/* Two sockets that nobody else knows: no data arrives at them. */
int sockets_pipe(int ends[2])
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    WSADATA data;

    if (WSAStartup(MAKEWORD(2, 2), &data) != 0) return -1;
    for (int i = 0; i < 2; i++) {
        ends[i] = (int)socket(AF_INET, SOCK_DGRAM, IPPROTO_UDP);
        if (bind((SOCKET)ends[i], (struct sockaddr *)(void *)&address, sizeof address) != 0) return -1;
    }
    return 0;
}

int sockets_close(int fd)
{
    return closesocket((SOCKET)fd);
}
