/* posix_descriptor.c - what is asked of a single file descriptor, whichever way it is waited for. */
#if !defined(_GNU_SOURCE) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif
#include "port_poller.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

int ufp_descriptor_look(int fd, int want)
{
    struct pollfd look = {
        .fd = fd,
        .events = (short)((want & UFP_READABLE ? POLLIN : 0) | (want & UFP_WRITABLE ? POLLOUT : 0)),
    };
    int count;

    if (fd < 0) return -EBADF; /* which poll() would leave out */
    do count = poll(&look, 1, 0);
    while (count < 0 && errno == EINTR);
    if (count < 0) return -errno;
    if (look.revents & POLLNVAL) return -EBADF;
    if (look.revents & (POLLERR | POLLHUP)) return want;
    return (look.revents & POLLIN ? UFP_READABLE : 0) | (look.revents & POLLOUT ? UFP_WRITABLE : 0);
}

int ufp_descriptor_close(int fd)
{
    return close(fd) != 0 && errno != EINTR ? errno : 0; /* interrupted, it is closed all the same */
}

/* There are two functions of this name, one returns the text and one an error. */
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
