/* SPDX-License-Identifier: MIT */
/* posix_socket.c - the POSIX port of port_socket.h. */
#if defined(__linux__)
#undef _GNU_SOURCE
#define _GNU_SOURCE /* struct ucred, flock, secure_getenv */
#endif
#include "port_socket.h"
#include "posix.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#if defined(MSG_NOSIGNAL)
#define NO_SIGNAL MSG_NOSIGNAL
#else
#define NO_SIGNAL 0
#endif
#define BACKLOG     128
#define MOST_WAITED 256

static int set_flags(int fd)
{
#if defined(SO_NOSIGPIPE)
    int const on = 1;
    if (setsockopt(fd, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on) != 0) return errno;
#endif
    if (fcntl(fd, F_SETFD, FD_CLOEXEC) != 0 || fcntl(fd, F_SETFL, O_NONBLOCK) != 0) return errno;
    return 0;
}

static int open_socket(int *fd)
{
    *fd = ufp_fault() ? -1 : socket(AF_UNIX, SOCK_STREAM, 0);
    if (*fd < 0) return errno ? errno : EMFILE;
    int const error = set_flags(*fd);
    if (error) close(*fd);
    return error;
}

/* -- listening ----------------------------------------------------------------------------------------------------- */

/* Locks a file of this user, which it may create. A file is removed with the lock held, so a lock counts only while the
 * path still names the locked file. Returns: its descriptor; -1: errno is set. */
static int lock_file(const char *path)
{
    for (;;) {
        struct stat locked, there;
        int const fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, S_IRUSR | S_IWUSR);
        if (fd < 0) return -1;
        bool const is_ours = fstat(fd, &locked) == 0 && S_ISREG(locked.st_mode) && locked.st_uid == geteuid();
        if (!is_ours || flock(fd, LOCK_EX | LOCK_NB) != 0) {
            if (!is_ours || errno == EWOULDBLOCK) errno = EADDRINUSE;
            int const error = errno;
            close(fd);
            if (error == EINTR) continue;
            errno = error;
            return -1;
        }
        if (lstat(path, &there) == 0 && there.st_dev == locked.st_dev && there.st_ino == locked.st_ino) return fd;
        close(fd);
    }
}

/* Removes a socket of this user at which nobody listens. */
static bool remove_stale(const struct sockaddr_un *address)
{
    struct stat there;
    int fd;

    if (lstat(address->sun_path, &there) != 0) return errno == ENOENT;
    if (!S_ISSOCK(there.st_mode) || there.st_uid != geteuid() || open_socket(&fd) != 0) return false;
    bool const refused =
        connect(fd, (const struct sockaddr *)(const void *)address, sizeof *address) != 0 && errno == ECONNREFUSED;
    close(fd);
    return refused && unlink(address->sun_path) == 0;
}

/* Binds the socket. Nobody can connect before listen(), so the mode is set in time. */
static int bind_privately(int fd, const struct sockaddr_un *address, struct stat *there)
{
    struct sockaddr const *const any = (const struct sockaddr *)(const void *)address;

    (void)fchmod(fd, S_IRUSR | S_IWUSR); /* Linux makes the path with this mode */
    if (bind(fd, any, sizeof *address) != 0) {
        if (errno != EADDRINUSE) return errno;
        if (!remove_stale(address)) return EADDRINUSE;
        if (bind(fd, any, sizeof *address) != 0) return errno;
    }
    if (lstat(address->sun_path, there) != 0) return errno;
    if (!S_ISSOCK(there->st_mode) || there->st_uid != geteuid()) return EADDRINUSE;
    if (there->st_mode & (S_IXUSR | S_IRWXG | S_IRWXO) && chmod(address->sun_path, S_IRUSR | S_IWUSR) != 0)
        return errno;
    return 0;
}

static int listen_locked(ufp_listener *listener, const struct sockaddr_un *address)
{
    struct stat there = {0};
    int error = open_socket(&listener->fd);
    if (error) return error;
    error = bind_privately(listener->fd, address, &there);
    if (!error && listen(listener->fd, BACKLOG) != 0) error = errno;
    listener->device = (uint64_t)there.st_dev;
    listener->inode = (uint64_t)there.st_ino;
    if (error) close(listener->fd);
    return error;
}

/* Another thread or process may do the same at this moment. It could take a socket that does not listen yet for a stale
 * one, and remove it. Or it could remove the new socket in place of the stale one that it has seen. So a lock file
 * beside the path admits one at a time; the others find the path in use. */
static int lock_and_listen(ufp_listener *listener, const struct sockaddr_un *address)
{
    static const char suffix[] = ".uflow-lock";
    char lock_path[sizeof address->sun_path + sizeof suffix];
    size_t const length = strlen(address->sun_path);

    memcpy(lock_path, address->sun_path, length);
    memcpy(lock_path + length, suffix, sizeof suffix);
    int const lock = lock_file(lock_path);
    if (lock < 0) return errno;
    int const error = listen_locked(listener, address);
    (void)unlink(lock_path);
    close(lock);
    return error;
}

int ufp_listener_open(ufp_listener *listener, const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t const length = strlen(path);

    if (length == 0) return ENOENT;
    if (length >= sizeof address.sun_path) return ENAMETOOLONG;
    memcpy(address.sun_path, path, length + 1);
    int const state = ufp_begin_uncancelled();
    int const error = lock_and_listen(listener, &address);
    ufp_end_uncancelled(state);
    return error;
}

void ufp_listener_close(ufp_listener *listener, const char *path)
{
    int const state = ufp_begin_uncancelled();
    struct stat there;

    if (lstat(path, &there) == 0 && (uint64_t)there.st_dev == listener->device &&
        (uint64_t)there.st_ino == listener->inode)
        (void)unlink(path);
    close(listener->fd);
    ufp_end_uncancelled(state);
}

/* -- connections --------------------------------------------------------------------------------------------------- */

/* The user at the other end. Returns: false if it is not known. */
static bool peer_of(int fd, uid_t *user)
{
#if defined(SO_PEERCRED) && defined(__linux__)
    struct ucred peer;
    socklen_t size = sizeof peer;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || size != sizeof peer) return false;
    *user = peer.uid;
    return true;
#else
    gid_t group;
    return getpeereid(fd, user, &group) == 0;
#endif
}

int ufp_listener_accept(const ufp_listener *listener)
{
    int const fd = accept(listener->fd, NULL, NULL);
    uid_t user;

    if (fd < 0)
        return errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM ? UFP_NO_ROOM : UFP_NO_PEER;
    if (set_flags(fd) == 0 && peer_of(fd, &user) && (user == geteuid() || user == 0)) return fd;
    close(fd);
    return UFP_REFUSED_PEER;
}

bool ufp_is_address_in_use(int error)
{
    return error == EADDRINUSE;
}

static ptrdiff_t result_of(ssize_t count)
{
    if (count > 0) return count;
    return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) ? 0 : -1;
}

ptrdiff_t ufp_socket_receive(int fd, void *bytes, size_t size)
{
    return result_of(recv(fd, bytes, size, 0));
}

ptrdiff_t ufp_socket_send(int fd, const void *bytes, size_t size)
{
    return result_of(send(fd, bytes, size, NO_SIGNAL));
}

void ufp_socket_wait(ufp_waiting *sockets, size_t count, int64_t timeout)
{
    struct pollfd polled[MOST_WAITED];
    int const ms = timeout == INT64_MAX ? -1 : timeout >= INT64_C(1000000000000) ? 1000000 : (int)(timeout / 1000000);

    if (count > MOST_WAITED) count = MOST_WAITED;
    for (size_t i = 0; i < count; i++) {
        polled[i] = (struct pollfd){.fd = sockets[i].fd, .events = ufp_poll_events(sockets[i].want)};
        sockets[i].ready = 0;
    }
    int const state = ufp_begin_uncancelled();
    int const ready = poll(polled, (nfds_t)count, ms);
    if (ready < 0 && errno != EINTR) ufp_back_off();
    ufp_end_uncancelled(state);
    for (size_t i = 0; ready > 0 && i < count; i++) {
        if (polled[i].revents & POLLNVAL) ufp_descriptor_lost();
        sockets[i].ready = ufp_ready_of(polled[i].revents);
    }
}

uint32_t ufp_process(void)
{
    return (uint32_t)getpid();
}

const char *ufp_environment(const char *variable)
{
#if defined(__linux__)
    return secure_getenv(variable);
#else
    return getuid() == geteuid() && getgid() == getegid() ? getenv(variable) : NULL;
#endif
}
