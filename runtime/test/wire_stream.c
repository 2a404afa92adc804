/* SPDX-License-Identifier: MIT */
/* wire_stream.c - connections. */
#define _GNU_SOURCE
#include "wire.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* -- beginning ----------------------------------------------------------------------------------------------------- */

/* The listener's side of a connection. */
static uft_socket *make_other_side(uft_socket *s, uft_socket *listener)
{
    uft_socket *const other = uft_socket_new(listener->domain, SOCK_STREAM);
    uft_socket **place = &listener->waiting;

    if (!other) return NULL;
    other->state = SOCKET_CONNECTED;
    other->is_told = true;
    other->is_steady = listener->is_steady;
    other->receive_size = listener->receive_size;
    other->send_size = listener->send_size;
    other->peer = s;
    other->since = s->since;
    while (*place) place = &(*place)->behind;
    *place = other;
    return other;
}

/* The connection is refused: at once, or by SO_ERROR if the socket does not block. */
static int refuse(uft_socket *s)
{
    if (s->blocks || s->domain == AF_UNIX) return uft_errno(ECONNREFUSED);
    s->state = SOCKET_REFUSED;
    s->error = ECONNREFUSED;
    uft_wire_expect(s->since);
    return uft_errno(EINPROGRESS);
}

static int connect_again(uft_socket *s)
{
    if (s->state == SOCKET_LISTENS) return uft_errno(EISCONN);
    if (s->since > uft_wire_now()) return uft_errno(EALREADY);
    if (s->state == SOCKET_REFUSED) {
        s->state = SOCKET_NEW;
        s->error = 0;
        return uft_errno(ECONNREFUSED);
    }
    bool const was_told = s->is_told;
    s->is_told = true;
    return was_told ? uft_errno(EISCONN) : 0;
}

static int connect_stream(uft_socket *s, const uft_address *to)
{
    if (s->state != SOCKET_NEW) return connect_again(s);
    uft_socket *const listener = uft_find_receiver(s, to);
    bool const is_refused = s->domain != AF_UNIX && uft_wire_ask(WIRE_RESET, NULL, listener ? 2 : 1) == 1;

    s->since = s->blocks ? uft_wire_now() : uft_wire_due(s, "a connection");
    if (is_refused) uft_wire_tell("a connection is refused");
    if (!listener || is_refused) return refuse(s);
    uft_bind_any(s);
    uft_socket *const other = make_other_side(s, listener);
    if (!other) return uft_errno(ENOBUFS);
    s->own = uft_source(s, to);
    s->other = *to;
    other->own = *to;
    other->other = s->own;
    s->peer = other;
    s->state = SOCKET_CONNECTED;
    uft_wire_expect(s->since);
    s->is_told = s->blocks || s->domain == AF_UNIX;
    return s->is_told ? 0 : uft_errno(EINPROGRESS);
}

int uft_connect(uft_socket *s, const uft_address *to)
{
    if (s->type == SOCK_STREAM) return connect_stream(s, to);
    if (s->domain == AF_UNIX && !uft_find_receiver(s, to)) return uft_errno(ECONNREFUSED);
    uft_bind_any(s);
    s->own = uft_source(s, to);
    s->other = *to;
    return 0;
}

static uft_socket **find_waiting(uft_socket *listener)
{
    uft_socket **place = &listener->waiting;

    while (*place && (*place)->since > uft_wire_now()) place = &(*place)->behind;
    return place;
}

int uft_accept(uft_socket *s, int flags, uft_address *from)
{
    if (s->state != SOCKET_LISTENS) return uft_errno(s->type == SOCK_STREAM ? EINVAL : EOPNOTSUPP);
    uft_socket **const place = find_waiting(s), *const other = *place;
    if (!other) return uft_would_wait(s, "accept", 0);
    if (uft_wire_ask(WIRE_DESCRIPTORS, s, 2)) {
        uft_wire_tell("accept() fails with EMFILE");
        return uft_errno(EMFILE);
    }
    int const fd = uft_socket_number(other, open("/dev/null", O_RDWR | (flags & SOCK_CLOEXEC ? O_CLOEXEC : 0)));
    if (fd < 0) return -1;
    *place = other->behind;
    other->behind = NULL;
    other->blocks = !(flags & SOCK_NONBLOCK);
    *from = other->other;
    return fd;
}

/* -- ending -------------------------------------------------------------------------------------------------------- */

int uft_shutdown(uft_socket *s, int how)
{
    if (how != SHUT_RD && how != SHUT_WR && how != SHUT_RDWR) return uft_errno(EINVAL);
    if (s->state == SOCKET_LISTENS && how != SHUT_WR) {
        s->state = SOCKET_NEW;
        while (s->waiting) {
            uft_socket *const first = s->waiting;
            s->waiting = first->behind;
            first->lingers_not = true;
            uft_socket_close(first);
        }
        return 0;
    }
    if (s->type == SOCK_STREAM && (s->state != SOCKET_CONNECTED || s->is_broken)) return uft_errno(ENOTCONN);
    if (how != SHUT_WR) s->shuts_read = true;
    if (how != SHUT_RD && !s->shuts_write) {
        s->shuts_write = true;
        if (s->peer && s->type == SOCK_STREAM &&
            !uft_push(s->peer, PARCEL_END, uft_wire_due(s, "an end"), NULL, 0, NULL))
            return uft_errno(ENOBUFS);
    }
    uft_wire_changed();
    return 0;
}

/* The connection breaks. What has arrived can still be read. */
static void break_connection(uft_socket *s)
{
    uft_socket *const peer = s->peer;
    uf_time const due = uft_wire_due(s, "a reset");

    (void)uft_push(peer, PARCEL_RESET, due, NULL, 0, NULL);
    (void)uft_push(s, PARCEL_RESET, due, NULL, 0, NULL);
    s->peer = peer->peer = NULL;
}

/* -- bytes --------------------------------------------------------------------------------------------------------- */

static int take_error(uft_socket *s)
{
    int const error = s->error;

    s->error = 0;
    return uft_errno(error);
}

/* Is the connection there? If not, the call fails. */
static bool is_there(uft_socket *s, const char *call, int flags)
{
    if (s->state == SOCKET_NEW || s->state == SOCKET_LISTENS) return uft_errno(ENOTCONN) == 0;
    if (s->since > uft_wire_now()) return uft_would_wait(s, call, flags) == 0;
    uft_notice_reset(s);
    if (s->state == SOCKET_REFUSED) s->state = SOCKET_NEW;
    return !s->error || take_error(s) == 0;
}

/* What becomes of the connection with what is sent. */
typedef enum fate { GOES_ON, LOSES_IT, BREAKS_BEHIND, ENDS_BEHIND } fate;

static fate choose_fate(const uft_socket *s, int fd)
{
    static const char *const texts[] = {NULL, "breaks", "breaks behind what is sent", "ends behind what is sent"};

    if (s->domain == AF_UNIX) return GOES_ON;
    fate chosen = (fate)uft_wire_ask(WIRE_RESET, NULL, BREAKS_BEHIND + 1);
    if (chosen == GOES_ON && uft_wire_ask(WIRE_HALF, NULL, 2)) chosen = ENDS_BEHIND;
    if (chosen != GOES_ON) uft_wire_tell("the connection of descriptor %d %s", fd, texts[chosen]);
    return chosen;
}

static ssize_t deliver(uft_socket *s, int fd, const struct iovec *parts, size_t length)
{
    fate const chosen = choose_fate(s, fd);
    uf_time const due = uft_wire_due(s, "a part of a stream");

    if (chosen != LOSES_IT && !uft_push(s->peer, PARCEL_BYTES, due, parts, length, NULL)) return uft_errno(ENOBUFS);
    if (chosen == ENDS_BEHIND) {
        s->shuts_write = true;
        if (!uft_push(s->peer, PARCEL_END, due, NULL, 0, NULL)) return uft_errno(ENOBUFS);
    } else if (chosen != GOES_ON) break_connection(s);
    return (ssize_t)length;
}

ssize_t uft_stream_send(int fd, const struct iovec *parts, size_t length, int flags)
{
    uft_socket *const s = uft_socket_at(fd);

    if (flags & MSG_OOB) return uft_errno(EOPNOTSUPP);
    if (!is_there(s, "send", flags)) return -1;
    bool const is_deaf = s->domain == AF_UNIX && (!s->peer || s->peer->shuts_read);
    if (s->is_broken || s->shuts_write || is_deaf) return uft_errno(EPIPE);
    if (length == 0) return 0;
    if (!s->peer) { /* it was closed, and says so */
        (void)uft_push(s, PARCEL_RESET, uft_wire_due(s, "a reset"), NULL, 0, NULL);
        return (ssize_t)length;
    }
    size_t const most = s->send_size + s->peer->receive_size;
    if (s->peer->held >= most) return uft_would_wait(s, "send", flags);
    if (uft_is_put_off(s, fd, "send", flags)) return -1;
    size_t const room = most - s->peer->held;
    return deliver(s, fd, parts, uft_write_size(s, fd, length < room ? length : room));
}

ssize_t uft_stream_receive(int fd, const struct iovec *parts, size_t length, int flags)
{
    uft_socket *const s = uft_socket_at(fd);
    bool is_end;

    if (flags & MSG_OOB) return uft_errno(EINVAL);
    if (s->state == SOCKET_NEW || s->state == SOCKET_LISTENS || s->since > uft_wire_now())
        return is_there(s, "recv", flags) ? 0 : -1;
    uft_notice_reset(s);
    size_t const arrived = uft_arrived(s, &is_end);
    if (length == 0) return 0;
    if (arrived == 0) {
        s->has_ended |= is_end;
        if (s->has_ended || s->shuts_read) return 0;
        if (s->error) return is_there(s, "recv", flags) ? 0 : -1;
        return s->is_broken ? 0 : uft_would_wait(s, "recv", flags);
    }
    if (uft_is_put_off(s, fd, "recv", flags)) return -1;
    size_t const n = uft_read_size(s, fd, arrived < length ? arrived : length);
    return (ssize_t)uft_take_bytes(s, parts, n, flags & MSG_PEEK);
}
