/* SPDX-License-Identifier: MIT */
/* wire_options.c - options of sockets, and poll(). */
#define _GNU_SOURCE
#include "wire.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>

/* SO_ERROR: it is read once. */
static int read_error(uft_socket *s)
{
    uft_notice_reset(s);
    if (s->state == SOCKET_REFUSED && s->since > uft_wire_now()) return 0;
    int const error = s->error;
    s->error = 0;
    if (s->state == SOCKET_REFUSED) s->state = SOCKET_NEW;
    if (s->state == SOCKET_CONNECTED && s->since <= uft_wire_now()) s->is_told = true;
    return error;
}

/* Options without an effect are 0. */
static int number_of(uft_socket *s, int name)
{
    switch (name) {
    case SO_ERROR: return read_error(s);
    case SO_TYPE: return s->type;
    case SO_DOMAIN: return s->domain;
    case SO_PROTOCOL: return s->domain == AF_UNIX ? 0 : s->type == SOCK_STREAM ? IPPROTO_TCP : IPPROTO_UDP;
    case SO_ACCEPTCONN: return s->state == SOCKET_LISTENS;
    case SO_SNDBUF: return (int)s->send_size;
    case SO_RCVBUF: return (int)s->receive_size;
    case SO_REUSEPORT: return s->shares_port;
    default: return 0;
    }
}

static socklen_t copy(void *to, socklen_t room, const void *from, size_t size)
{
    socklen_t const length = room < size ? room : (socklen_t)size;

    memcpy(to, from, length);
    return length;
}

int uft_get_option(uft_socket *s, int level, int name, void *value, socklen_t *length)
{
    if (!value || !length) return uft_errno(EFAULT);
    if (level == SOL_SOCKET && name == SO_LINGER) {
        struct linger const linger = {.l_onoff = s->lingers_not};
        *length = copy(value, *length, &linger, sizeof linger);
        return 0;
    }
    int const number = level == SOL_SOCKET ? number_of(s, name) : 0;
    *length = copy(value, *length, &number, sizeof number);
    return 0;
}

int uft_set_option(uft_socket *s, int level, int name, const void *value, socklen_t length)
{
    struct linger linger;
    int number = 0;

    if (!value) return uft_errno(EFAULT);
    if (level != SOL_SOCKET) return 0;
    if (name == SO_LINGER) {
        if (length < sizeof linger) return uft_errno(EINVAL);
        memcpy(&linger, value, sizeof linger);
        s->lingers_not = linger.l_onoff && linger.l_linger == 0;
        return 0;
    }
    if (length < sizeof number) return name == SO_BINDTODEVICE ? 0 : uft_errno(EINVAL);
    memcpy(&number, value, sizeof number);
    if (name == SO_SNDBUF) s->send_size = number > 0 ? (size_t)number : 1;
    else if (name == SO_RCVBUF) s->receive_size = number > 0 ? (size_t)number : 1;
    else if (name == SO_REUSEPORT) s->shares_port = number != 0;
    return 0;
}

static int readable_bytes(uft_socket *s)
{
    bool is_end;

    if (s->type == SOCK_STREAM) return (int)uft_arrived(s, &is_end);
    return s->in && s->in->due <= uft_wire_now() ? (int)s->in->length : 0;
}

int uft_control(uft_socket *s, unsigned long request, void *argument)
{
    if (request != FIONBIO && request != FIONREAD) return uft_errno(ENOTTY);
    if (!argument) return uft_errno(EFAULT);
    if (request == FIONBIO) s->blocks = *(const int *)argument == 0;
    else *(int *)argument = readable_bytes(s);
    return 0;
}

short uft_poll_events(uft_socket *s, short events)
{
    int const ready = uft_socket_ready(s);
    bool const is_failed = s->is_broken || (s->state == SOCKET_REFUSED && ready);
    bool is_end = false;

    if (s->type == SOCK_STREAM && s->state == SOCKET_CONNECTED) (void)uft_arrived(s, &is_end);
    bool const is_gone = s->shuts_write || (s->domain == AF_UNIX && !s->peer);
    bool const is_over = is_failed || (s->type == SOCK_STREAM && s->state == SOCKET_NEW) || (is_end && is_gone);
    int happened = (ready & UF_READABLE ? POLLIN | POLLRDNORM : 0) | (ready & UF_WRITABLE ? POLLOUT | POLLWRNORM : 0);
    happened = (happened | (is_end || is_failed ? POLLRDHUP : 0)) & events;
    return (short)(happened | (s->error && ready ? POLLERR : 0) | (is_over ? POLLHUP : 0));
}
