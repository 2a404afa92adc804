/* SPDX-License-Identifier: MIT */
/* wire_datagram.c - datagrams. */
#define _GNU_SOURCE
#include "wire.h"

#include <errno.h>

enum { DATAGRAM_MAX = 65507, ORDERS = 4 };

/* Of another host, a sender does not hear that it has no room: see put(). */
bool uft_is_full_for(const uft_socket *from, const uft_socket *to)
{
    return from->domain == AF_UNIX && to && to->held >= from->send_size + to->receive_size;
}

/* A datagram from another host that the receiver has no room for is lost. */
static bool put(uft_socket *to, const uft_socket *from, const struct iovec *parts, size_t length,
                const uft_address *source)
{
    bool const has_room = from->domain == AF_UNIX || to->held + length <= from->send_size + to->receive_size;
    if (!has_room || to->shuts_read) return true;
    return uft_push(to, PARCEL_BYTES, uft_wire_due(from, "a datagram"), parts, length, source);
}

static bool send_copies(uft_socket *to, const uft_socket *from, int fd, const struct iovec *parts, size_t length,
                        const uft_address *source)
{
    bool const is_local = from->domain == AF_UNIX;
    bool const is_lost = !is_local && uft_wire_ask(WIRE_LOST, NULL, 2);
    bool const is_doubled = !is_local && uft_wire_ask(WIRE_TWICE, NULL, is_lost ? 1 : 2);

    if (is_lost) uft_wire_tell("a datagram of descriptor %d is lost", fd);
    if (is_doubled) uft_wire_tell("a datagram of descriptor %d arrives twice", fd);
    if (is_lost) return true;
    return put(to, from, parts, length, source) && (!is_doubled || put(to, from, parts, length, source));
}

static int take_error(uft_socket *s)
{
    int const error = s->error;

    s->error = 0;
    return uft_errno(error);
}

/* Why a socket without a name of the other side cannot send to it. */
static int why_nowhere(const uft_socket *s)
{
    if (s->domain != AF_UNIX) return EDESTADDRREQ;
    return s->state == SOCKET_CONNECTED ? ECONNREFUSED : ENOTCONN; /* the other one of a pair is closed */
}

ssize_t uft_datagram_send(int fd, const struct iovec *parts, size_t length, int flags, const uft_address *to)
{
    uft_socket *const s = uft_socket_at(fd);

    if (s->error) return take_error(s);
    if (s->shuts_write) return uft_errno(EPIPE);
    if (length > DATAGRAM_MAX) return uft_errno(EMSGSIZE);
    if (!to && s->other.length == 0 && !s->peer) return uft_errno(why_nowhere(s));
    if (uft_is_put_off(s, fd, "send", flags)) return -1;
    uft_bind_any(s);
    uft_address const *const name = to ? to : &s->other;
    uft_socket *const receiver = !to && s->peer ? s->peer : uft_find_receiver(s, name);
    if (!receiver && s->domain == AF_UNIX) return uft_errno(ECONNREFUSED);
    if (!receiver && s->other.length) s->error = ECONNREFUSED; /* its host has said so */
    if (!receiver) return (ssize_t)length;
    if (receiver->shuts_read && s->domain == AF_UNIX) return uft_errno(EPIPE);
    if (uft_is_full_for(s, receiver)) return uft_would_wait(s, "send", flags);
    uft_address const source = uft_source(s, name);
    return send_copies(receiver, s, fd, parts, length, &source) ? (ssize_t)length : uft_errno(ENOBUFS);
}

/* The datagram that is read: the first one, or one that has overtaken it. */
static uft_parcel **choose(uft_socket *s, int fd)
{
    uft_parcel **place = &s->in;
    uint32_t arrived = 0;

    for (uft_parcel const *one = s->in; one && one->due <= uft_wire_now() && arrived < ORDERS; one = one->next)
        arrived++;
    uint32_t const number = s->domain == AF_UNIX ? 0 : uft_wire_ask(WIRE_ORDER, NULL, arrived);
    for (uint32_t i = 0; i < number; i++) place = &(*place)->next;
    if (number) uft_wire_tell("datagram %u for descriptor %d arrives first", (unsigned)number + 1, fd);
    return place;
}

static void copy(const uft_parcel *from, const struct iovec *parts, size_t length)
{
    for (size_t at = 0; at < length; parts++) {
        size_t const n = parts->iov_len < length - at ? parts->iov_len : length - at;
        for (size_t i = 0; i < n; i++) ((uint8_t *)parts->iov_base)[i] = from->bytes[at + i];
        at += n;
    }
}

ssize_t uft_datagram_receive(int fd, const struct iovec *parts, size_t size, int flags, uft_address *from, bool *is_cut)
{
    uft_socket *const s = uft_socket_at(fd);

    *is_cut = false;
    if (s->error) return take_error(s);
    if (!s->in || s->in->due > uft_wire_now()) return s->shuts_read ? 0 : uft_would_wait(s, "recv", flags);
    if (uft_is_put_off(s, fd, "recv", flags)) return -1;
    uft_parcel **const place = flags & MSG_PEEK ? &s->in : choose(s, fd);
    uft_parcel const *const one = *place;
    size_t const length = one->length, n = length < size ? length : size;
    copy(one, parts, n);
    *from = one->from;
    *is_cut = n < length;
    if (!(flags & MSG_PEEK)) {
        uft_drop_parcel(s, place);
        uft_wire_changed(); /* there is room */
    }
    return (ssize_t)(flags & MSG_TRUNC ? length : n);
}
