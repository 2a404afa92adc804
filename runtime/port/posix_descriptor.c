/* SPDX-License-Identifier: MIT */
/* posix_descriptor.c - the part of port_poller.h that concerns one file descriptor. */
#if !defined(_GNU_SOURCE) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif
#include "posix.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

int ufp_descriptor_poll(int fd, int want)
{
    struct pollfd one = {.fd = fd, .events = ufp_poll_events(want)};
    int count;

    if (fd < 0) return -EBADF; /* poll() would ignore such a descriptor */
    int const state = ufp_begin_uncancelled();
    do count = poll(&one, 1, 0);
    while (count < 0 && errno == EINTR);
    ufp_end_uncancelled(state);
    if (count < 0) return -errno;
    if (one.revents & POLLNVAL) return -EBADF;
    return ufp_ready_of(one.revents) & want;
}

int ufp_descriptor_close(int fd)
{
    int const state = ufp_begin_uncancelled();
    int const error = close(fd) != 0 && errno != EINTR ? errno : 0; /* after EINTR the descriptor is closed too */
    ufp_end_uncancelled(state);
    return error;
}

/* strerror_r() returns a text in one version and an error number in the other. */
static inline const char *text_of_pointer(const char *text, const char *buffer)
{
    (void)buffer;
    return text;
}
static inline const char *text_of_number(int failed, const char *buffer)
{
    return failed ? "unknown error" : buffer;
}

void ufp_error_text(int error, char *text, size_t size)
{
    char buffer[128];
    char const *const found = _Generic(strerror_r(0, buffer, 0), int
                                       : text_of_number, default
                                       : text_of_pointer)(strerror_r(error, buffer, sizeof buffer), buffer);
    strncpy(text, found, size - 1);
    text[size - 1] = '\0';
}
