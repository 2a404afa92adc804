/* SPDX-License-Identifier: MIT */
/* windows_descriptor.c - the part of port_poller.h that concerns one descriptor, which is a socket. */
#include "windows_port.h"

#include <errno.h>
#include <string.h>

/* An error of winsock is that of BSD plus 10000. The C library shares only the first ones with BSD. */
int ufp_socket_errno(void)
{
    int const error = WSAGetLastError();

    switch (error) {
    case WSAENOTSOCK:
    case WSANOTINITIALISED: return EBADF;
    case WSAENOBUFS: return ENOBUFS;
    case WSAECONNREFUSED: return ECONNREFUSED;
    case WSAEADDRINUSE: return EADDRINUSE;
    default: return error > WSABASEERR && error <= WSAEMFILE ? error - WSABASEERR : ENETDOWN;
    }
}

bool ufp_socket_is_connected(SOCKET socket)
{
    struct sockaddr_storage peer;
    int size = sizeof peer;
    return getpeername(socket, (struct sockaddr *)(void *)&peer, &size) == 0;
}

static void add(fd_set *set, SOCKET socket)
{
    set->fd_count = 1;
    set->fd_array[0] = socket;
}

/* select() takes no empty set. */
static fd_set *unless_empty(fd_set *set)
{
    return set->fd_count ? set : NULL;
}

int ufp_descriptor_poll(int fd, int want)
{
    SOCKET const socket = ufp_socket_of(fd);
    struct timeval none = {0};
    fd_set readable, writable, failed;

    if (fd < 0) return -EBADF;
    if (!want) return 0;
    readable.fd_count = writable.fd_count = failed.fd_count = 0;
    if (want & UFP_READABLE) add(&readable, socket);
    if (want & UFP_WRITABLE) add(&writable, socket);
    if (!ufp_socket_is_connected(socket)) add(&failed, socket);
    if (select(0, unless_empty(&readable), unless_empty(&writable), unless_empty(&failed), &none) == SOCKET_ERROR)
        return -ufp_socket_errno();
    if (failed.fd_count) return want;
    return (readable.fd_count ? UFP_READABLE : 0) | (writable.fd_count ? UFP_WRITABLE : 0);
}

int ufp_descriptor_close(int fd)
{
    if (fd < 0) return EBADF;
    return closesocket(ufp_socket_of(fd)) == 0 ? 0 : ufp_socket_errno();
}

/* The text of strerror() belongs to the calling thread. */
void ufp_error_text(int error, char *text, size_t size)
{
    const char *const found = strerror(error);
    strncpy(text, found ? found : "unknown error", size - 1);
    text[size - 1] = '\0';
}
