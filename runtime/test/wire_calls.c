/* SPDX-License-Identifier: MIT */
/* wire_calls.c - what the linker puts in place of the calls for descriptors, by `--wrap`. cmake/wire.txt lists them.
 *
 * Descriptors that are no sockets of the test go to the system. So does everything outside of a test. The names below
 * are those of the linker; this file is part of a program that is linked with all of them. */
#define _GNU_SOURCE
#include "wire.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#if defined(__GLIBC__)
typedef __off_t file_offset; /* whatever _FILE_OFFSET_BITS is here */
typedef __off64_t large_offset;
#else
typedef off_t file_offset;
typedef off_t large_offset;
#define lseek64 lseek
#define pread64 pread
#endif

/* Declares the system's function and the one in its place. */
#define WRAPPED(type, name, ...)                                                                                       \
    type __real_##name(__VA_ARGS__); /* NOLINT(bugprone-reserved-identifier) */                                        \
    type __wrap_##name(__VA_ARGS__)  /* NOLINT(bugprone-reserved-identifier) */

WRAPPED(int, socket, int domain, int type, int protocol);
WRAPPED(int, socketpair, int domain, int type, int protocol, int *fds);
WRAPPED(int, connect, int fd, const struct sockaddr *to, socklen_t length);
WRAPPED(int, bind, int fd, const struct sockaddr *name, socklen_t length);
WRAPPED(int, listen, int fd, int backlog);
WRAPPED(int, accept, int fd, struct sockaddr *from, socklen_t *length);
WRAPPED(int, accept4, int fd, struct sockaddr *from, socklen_t *length, int flags);
WRAPPED(int, shutdown, int fd, int how);
WRAPPED(int, close, int fd);
WRAPPED(int, dup, int fd);
WRAPPED(int, dup2, int fd, int to);
WRAPPED(int, dup3, int fd, int to, int flags);
WRAPPED(int, fcntl, int fd, int command, ...);
WRAPPED(int, fcntl64, int fd, int command, ...);
WRAPPED(int, ioctl, int fd, unsigned long request, ...);
WRAPPED(int, poll, struct pollfd *fds, nfds_t count, int timeout);
WRAPPED(int, __poll_chk, struct pollfd *fds, nfds_t count, int timeout, size_t room);
WRAPPED(int, getsockopt, int fd, int level, int name, void *value, socklen_t *length);
WRAPPED(int, setsockopt, int fd, int level, int name, const void *value, socklen_t length);
WRAPPED(int, getsockname, int fd, struct sockaddr *name, socklen_t *length);
WRAPPED(int, getpeername, int fd, struct sockaddr *name, socklen_t *length);
WRAPPED(ssize_t, read, int fd, void *bytes, size_t size);
WRAPPED(ssize_t, __read_chk, int fd, void *bytes, size_t size, size_t room);
WRAPPED(ssize_t, readv, int fd, const struct iovec *parts, int count);
WRAPPED(ssize_t, write, int fd, const void *bytes, size_t size);
WRAPPED(ssize_t, writev, int fd, const struct iovec *parts, int count);
WRAPPED(ssize_t, send, int fd, const void *bytes, size_t size, int flags);
WRAPPED(ssize_t, sendto, int fd, const void *bytes, size_t size, int flags, const struct sockaddr *to,
        socklen_t length);
WRAPPED(ssize_t, sendmsg, int fd, const struct msghdr *message, int flags);
WRAPPED(ssize_t, recv, int fd, void *bytes, size_t size, int flags);
WRAPPED(ssize_t, __recv_chk, int fd, void *bytes, size_t size, size_t room, int flags);
WRAPPED(ssize_t, recvfrom, int fd, void *bytes, size_t size, int flags, struct sockaddr *from, socklen_t *length);
WRAPPED(ssize_t, __recvfrom_chk, int fd, void *bytes, size_t size, size_t room, int flags, struct sockaddr *from,
        socklen_t *length);
WRAPPED(ssize_t, recvmsg, int fd, struct msghdr *message, int flags);
WRAPPED(ssize_t, sendfile, int fd, int file, file_offset *offset, size_t size);
WRAPPED(ssize_t, sendfile64, int fd, int file, large_offset *offset, size_t size);

/* Not in each C library. */
#pragma weak __real_fcntl64
#pragma weak __real_sendfile64

/* -- sockets ------------------------------------------------------------------------------------------------------- */

static bool is_of_test(int domain, int type)
{
    int const kind = type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC);
    bool const is_known = domain == AF_INET || domain == AF_INET6 || domain == AF_UNIX;

    return is_known && (kind == SOCK_STREAM || kind == SOCK_DGRAM) && uft_wire_joins();
}

/* A new socket with a descriptor. */
static int make(int domain, int type, uft_socket **made)
{
    *made = uft_socket_new(domain, type);
    if (!*made) return uft_errno(ENOMEM);
    int const fd = uft_socket_number(*made, open("/dev/null", O_RDWR | (type & SOCK_CLOEXEC ? O_CLOEXEC : 0)));
    if (fd < 0) uft_socket_close(*made);
    return fd;
}

static bool has_descriptors(const char *call)
{
    if (!uft_wire_ask(WIRE_DESCRIPTORS, NULL, 2)) return true;
    uft_wire_tell("%s() fails with EMFILE", call);
    errno = EMFILE;
    return false;
}

int __wrap_socket(int domain, int type, int protocol)
{
    uft_socket *s;

    if (!is_of_test(domain, type)) return __real_socket(domain, type, protocol);
    return has_descriptors("socket") ? make(domain, type, &s) : -1;
}

int __wrap_socketpair(int domain, int type, int protocol, int *fds)
{
    uft_socket *one, *other;

    if (!is_of_test(domain, type)) return __real_socketpair(domain, type, protocol, fds);
    if (domain != AF_UNIX) return uft_errno(EOPNOTSUPP);
    if (!has_descriptors("socketpair")) return -1;
    int const first = make(domain, type, &one);
    int const second = first < 0 ? -1 : make(domain, type, &other);
    if (second < 0) {
        int const error = errno;
        if (first >= 0) (void)__wrap_close(first);
        return uft_errno(error);
    }
    one->peer = other;
    other->peer = one;
    one->state = other->state = SOCKET_CONNECTED;
    fds[0] = first;
    fds[1] = second;
    return 0;
}

int __wrap_connect(int fd, const struct sockaddr *to, socklen_t length)
{
    uft_socket *const s = uft_socket_at(fd);
    uft_address address;

    if (!s) return __real_connect(fd, to, length);
    if (s->type == SOCK_DGRAM && to && to->sa_family == AF_UNSPEC) {
        s->other.length = 0;
        return 0;
    }
    if (!uft_read_address(&address, s->domain, to, length)) return uft_errno(EINVAL);
    return uft_connect(s, &address);
}

int __wrap_bind(int fd, const struct sockaddr *name, socklen_t length)
{
    uft_socket *const s = uft_socket_at(fd);
    uft_address address;

    if (!s) return __real_bind(fd, name, length);
    if (!uft_read_address(&address, s->domain, name, length)) return uft_errno(EINVAL);
    return uft_bind(s, &address);
}

int __wrap_listen(int fd, int backlog)
{
    uft_socket *const s = uft_socket_at(fd);

    if (!s) return __real_listen(fd, backlog);
    if (s->type != SOCK_STREAM) return uft_errno(EOPNOTSUPP);
    if (s->state != SOCKET_NEW && s->state != SOCKET_LISTENS) return uft_errno(EINVAL);
    uft_bind_any(s);
    s->state = SOCKET_LISTENS;
    return 0;
}

int __wrap_accept4(int fd, struct sockaddr *from, socklen_t *length, int flags)
{
    uft_socket *const s = uft_socket_at(fd);
    uft_address address;

    if (!s) return __real_accept4(fd, from, length, flags);
    if (uft_socket_ready(s) && s->state == SOCKET_LISTENS && uft_is_put_off(s, fd, "accept", 0)) return -1;
    int const made = uft_accept(s, flags, &address);
    if (made >= 0) uft_write_address(&address, from, length);
    return made;
}

int __wrap_accept(int fd, struct sockaddr *from, socklen_t *length)
{
    return uft_socket_at(fd) ? __wrap_accept4(fd, from, length, 0) : __real_accept(fd, from, length);
}

int __wrap_shutdown(int fd, int how)
{
    uft_socket *const s = uft_socket_at(fd);
    return s ? uft_shutdown(s, how) : __real_shutdown(fd, how);
}

int __wrap_getsockname(int fd, struct sockaddr *name, socklen_t *length)
{
    uft_socket *const s = uft_socket_at(fd);
    uft_address none = {.length = s && s->domain == AF_INET    ? sizeof none.of.in
                                  : s && s->domain == AF_INET6 ? sizeof none.of.in6
                                                               : sizeof(sa_family_t)};

    if (!s) return __real_getsockname(fd, name, length);
    none.of.any.sa_family = (sa_family_t)s->domain;
    uft_write_address(s->own.length ? &s->own : &none, name, length);
    return 0;
}

int __wrap_getpeername(int fd, struct sockaddr *name, socklen_t *length)
{
    uft_socket *const s = uft_socket_at(fd);
    uft_address none = {.length = sizeof(sa_family_t), .of.any.sa_family = AF_UNIX};

    if (!s) return __real_getpeername(fd, name, length);
    bool const is_stream = s->type == SOCK_STREAM;
    if (is_stream ? s->state != SOCKET_CONNECTED || s->is_broken || s->since > uft_wire_now()
                  : s->other.length == 0 && !s->peer)
        return uft_errno(ENOTCONN);
    uft_write_address(s->other.length ? &s->other : &none, name, length);
    return 0;
}

int __wrap_getsockopt(int fd, int level, int name, void *value, socklen_t *length)
{
    uft_socket *const s = uft_socket_at(fd);
    return s ? uft_get_option(s, level, name, value, length) : __real_getsockopt(fd, level, name, value, length);
}

int __wrap_setsockopt(int fd, int level, int name, const void *value, socklen_t length)
{
    uft_socket *const s = uft_socket_at(fd);
    return s ? uft_set_option(s, level, name, value, length) : __real_setsockopt(fd, level, name, value, length);
}

/* -- descriptors --------------------------------------------------------------------------------------------------- */

int __wrap_close(int fd)
{
    if (uft_socket_at(fd)) uft_socket_leave(fd);
    else uft_keep_standard(fd);
    return __real_close(fd);
}

int __wrap_dup(int fd)
{
    uft_socket *const s = uft_socket_at(fd);
    int const number = __real_dup(fd);
    return s ? uft_socket_number(s, number) : number;
}

int __wrap_dup3(int fd, int to, int flags)
{
    uft_socket *const s = uft_socket_at(fd);
    uft_keep_standard(to);
    int const number = __real_dup3(fd, to, flags);

    if (number < 0) return number;
    if (uft_socket_at(to)) uft_socket_leave(to);
    return s ? uft_socket_number(s, number) : number;
}

int __wrap_dup2(int fd, int to)
{
    if (fd == to) return __real_dup2(fd, to);
    return __wrap_dup3(fd, to, 0);
}

/* Of a socket: its own flags, since those of /dev/null mean nothing. */
static int control_socket(uft_socket *s, int fd, int command, long argument)
{
    switch (command) {
    case F_GETFL: return O_RDWR | (s->blocks ? 0 : O_NONBLOCK);
    case F_SETFL: s->blocks = !(argument & O_NONBLOCK); return 0;
    case F_DUPFD:
    case F_DUPFD_CLOEXEC: return uft_socket_number(s, __real_fcntl(fd, command, (int)argument));
    default: return __real_fcntl(fd, command, argument);
    }
}

/* An argument of any type is as wide as a long. */
static int control(int (*real)(int fd, int command, ...), int fd, int command, long argument)
{
    uft_socket *const s = uft_socket_at(fd);
    return s ? control_socket(s, fd, command, argument) : real(fd, command, argument);
}

int __wrap_fcntl(int fd, int command, ...)
{
    va_list arguments;
    va_start(arguments, command);
    long const argument = va_arg(arguments, long);
    va_end(arguments);
    return control(__real_fcntl, fd, command, argument);
}

int __wrap_fcntl64(int fd, int command, ...)
{
    va_list arguments;
    va_start(arguments, command);
    long const argument = va_arg(arguments, long);
    va_end(arguments);
    return control(__real_fcntl64 ? __real_fcntl64 : __real_fcntl, fd, command, argument);
}

int __wrap_ioctl(int fd, unsigned long request, ...)
{
    uft_socket *const s = uft_socket_at(fd);
    va_list arguments;
    va_start(arguments, request);
    void *const argument = va_arg(arguments, void *);
    va_end(arguments);
    return s ? uft_control(s, request, argument) : __real_ioctl(fd, request, argument);
}

/* -- poll ---------------------------------------------------------------------------------------------------------- */

/* Asks each descriptor. Returns: how many have events. */
static int look(struct pollfd *fds, nfds_t count)
{
    int found = 0;

    for (nfds_t i = 0; i < count; i++) {
        uft_socket *const s = uft_socket_at(fds[i].fd);
        fds[i].revents = 0;
        if (s) fds[i].revents = uft_poll_events(s, fds[i].events);
        else if (__real_poll(&fds[i], 1, 0) < 0) return -1;
        found += fds[i].revents != 0;
    }
    return found;
}

int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout)
{
    nfds_t at = 0;

    while (at < count && !uft_socket_at(fds[at].fd)) at++;
    if (at == count) return __real_poll(fds, count, timeout);
    int const found = look(fds, count);
    if (found == 0 && timeout != 0) uft_fail_here("poll() would wait, and time passes between steps only");
    return found;
}

int __wrap___poll_chk(struct pollfd *fds, nfds_t count, int timeout, size_t room)
{
    if (room / sizeof *fds < count) abort();
    return __wrap_poll(fds, count, timeout);
}

/* -- bytes --------------------------------------------------------------------------------------------------------- */

static ssize_t receive(int fd, const struct iovec *parts, size_t count, int flags, uft_address *from, bool *is_cut)
{
    size_t const size = uft_parts_length(parts, count);

    *from = (uft_address){.length = 0};
    *is_cut = false;
    if (uft_socket_at(fd)->type == SOCK_STREAM) return uft_stream_receive(fd, parts, size, flags);
    return uft_datagram_receive(fd, parts, size, flags, from, is_cut);
}

static ssize_t receive_bytes(int fd, void *bytes, size_t size, int flags, uft_address *from)
{
    struct iovec const part = {bytes, size};
    bool is_cut;
    return receive(fd, &part, 1, flags, from, &is_cut);
}

ssize_t __wrap_recvfrom(int fd, void *bytes, size_t size, int flags, struct sockaddr *from, socklen_t *length)
{
    uft_address address;

    if (!uft_socket_at(fd)) return __real_recvfrom(fd, bytes, size, flags, from, length);
    ssize_t const n = receive_bytes(fd, bytes, size, flags, &address);
    if (n >= 0) uft_write_address(&address, from, length);
    return n;
}

ssize_t __wrap___recvfrom_chk(int fd, void *bytes, size_t size, size_t room, int flags, struct sockaddr *from,
                              socklen_t *length)
{
    if (size > room) abort();
    return __wrap_recvfrom(fd, bytes, size, flags, from, length);
}

ssize_t __wrap_recv(int fd, void *bytes, size_t size, int flags)
{
    uft_address address;
    return uft_socket_at(fd) ? receive_bytes(fd, bytes, size, flags, &address) : __real_recv(fd, bytes, size, flags);
}

ssize_t __wrap___recv_chk(int fd, void *bytes, size_t size, size_t room, int flags)
{
    if (size > room) abort();
    return __wrap_recv(fd, bytes, size, flags);
}

ssize_t __wrap_read(int fd, void *bytes, size_t size)
{
    uft_address address;
    return uft_socket_at(fd) ? receive_bytes(fd, bytes, size, 0, &address) : __real_read(fd, bytes, size);
}

ssize_t __wrap___read_chk(int fd, void *bytes, size_t size, size_t room)
{
    if (size > room) abort();
    return __wrap_read(fd, bytes, size);
}

ssize_t __wrap_readv(int fd, const struct iovec *parts, int count)
{
    uft_address address;
    bool is_cut;

    if (!uft_socket_at(fd)) return __real_readv(fd, parts, count);
    if (count < 0) return uft_errno(EINVAL);
    return receive(fd, parts, (size_t)count, 0, &address, &is_cut);
}

ssize_t __wrap_recvmsg(int fd, struct msghdr *message, int flags)
{
    uft_address address;
    bool is_cut;

    if (!uft_socket_at(fd)) return __real_recvmsg(fd, message, flags);
    ssize_t const n = receive(fd, message->msg_iov, message->msg_iovlen, flags, &address, &is_cut);
    if (n < 0) return n;
    uft_write_address(&address, message->msg_name, &message->msg_namelen);
    message->msg_controllen = 0;
    message->msg_flags = is_cut ? MSG_TRUNC : 0;
    return n;
}

static ssize_t transmit(int fd, const struct iovec *parts, size_t count, int flags, const struct sockaddr *to,
                        socklen_t length)
{
    uft_socket const *const s = uft_socket_at(fd);
    size_t const size = uft_parts_length(parts, count);
    uft_address address;

    if (s->type == SOCK_STREAM) return uft_stream_send(fd, parts, size, flags);
    if (to && !uft_read_address(&address, s->domain, to, length)) return uft_errno(EINVAL);
    return uft_datagram_send(fd, parts, size, flags, to ? &address : NULL);
}

ssize_t __wrap_sendto(int fd, const void *bytes, size_t size, int flags, const struct sockaddr *to, socklen_t length)
{
    struct iovec const part = {(void *)(uintptr_t)bytes, size};

    if (!uft_socket_at(fd)) return __real_sendto(fd, bytes, size, flags, to, length);
    return transmit(fd, &part, 1, flags, to, length);
}

ssize_t __wrap_send(int fd, const void *bytes, size_t size, int flags)
{
    if (!uft_socket_at(fd)) return __real_send(fd, bytes, size, flags);
    return __wrap_sendto(fd, bytes, size, flags, NULL, 0);
}

ssize_t __wrap_write(int fd, const void *bytes, size_t size)
{
    if (!uft_socket_at(fd)) return __real_write(fd, bytes, size);
    return __wrap_sendto(fd, bytes, size, 0, NULL, 0);
}

ssize_t __wrap_writev(int fd, const struct iovec *parts, int count)
{
    if (!uft_socket_at(fd)) return __real_writev(fd, parts, count);
    return count < 0 ? uft_errno(EINVAL) : transmit(fd, parts, (size_t)count, 0, NULL, 0);
}

ssize_t __wrap_sendmsg(int fd, const struct msghdr *message, int flags)
{
    if (!uft_socket_at(fd)) return __real_sendmsg(fd, message, flags);
    if (message->msg_controllen) return uft_errno(EOPNOTSUPP); /* descriptors, credentials */
    return transmit(fd, message->msg_iov, message->msg_iovlen, flags, message->msg_name, message->msg_namelen);
}

/* -- files --------------------------------------------------------------------------------------------------------- */

/* Sends a part of a file, or of what is left of it from its own offset on. */
static ssize_t send_file(int fd, int file, large_offset *offset, size_t size)
{
    static uint8_t bytes[1 << 16];
    size_t const most = size < sizeof bytes ? size : sizeof bytes;
    large_offset const from = offset ? *offset : lseek64(file, 0, SEEK_CUR);

    if (from < 0) return -1;
    ssize_t const n = pread64(file, bytes, most, from);
    ssize_t const sent = n <= 0 ? n : __wrap_sendto(fd, bytes, (size_t)n, 0, NULL, 0);
    if (sent <= 0) return sent;
    if (offset) *offset += sent;
    else if (lseek64(file, from + sent, SEEK_SET) < 0) return -1;
    return sent;
}

ssize_t __wrap_sendfile(int fd, int file, file_offset *offset, size_t size)
{
    large_offset large = offset ? *offset : 0;

    if (!uft_socket_at(fd)) return __real_sendfile(fd, file, offset, size);
    ssize_t const sent = send_file(fd, file, offset ? &large : NULL, size);
    if (offset) *offset = (file_offset)large;
    return sent;
}

ssize_t __wrap_sendfile64(int fd, int file, large_offset *offset, size_t size)
{
    if (uft_socket_at(fd)) return send_file(fd, file, offset, size);
    if (__real_sendfile64) return __real_sendfile64(fd, file, offset, size);
    file_offset small = offset ? (file_offset)*offset : 0;
    ssize_t const sent = __real_sendfile(fd, file, offset ? &small : NULL, size);
    if (offset) *offset = small;
    return sent;
}
