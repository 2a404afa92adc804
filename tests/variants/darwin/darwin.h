/* SPDX-License-Identifier: MIT */
/* darwin.h - included before each file: what macOS has and Linux lacks, and little that macOS lacks. So the parts of
 * the POSIX port for macOS are compiled and run. This says nothing about macOS itself. */
#ifndef VARIANTS_DARWIN_H
#define VARIANTS_DARWIN_H

#if !defined(_DEFAULT_SOURCE)
#define _DEFAULT_SOURCE /* macOS needs no macro for its declarations. This macro adds none of Linux alone */
#endif

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static inline int pthread_cond_timedwait_relative_np(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                                     const struct timespec *wait)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += wait->tv_sec + (until.tv_nsec + wait->tv_nsec) / 1000000000;
    until.tv_nsec = (until.tv_nsec + wait->tv_nsec) % 1000000000;
    return pthread_cond_timedwait(condition, mutex, &until);
}

static inline int getpeereid(int fd, uid_t *user, gid_t *group)
{
    struct {
        pid_t process;
        uid_t user;
        gid_t group;
    } peer;
    socklen_t size = sizeof peer;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return -1;
    *user = peer.user;
    *group = peer.group;
    return 0;
}

static inline int darwin_setname(const char *name)
{
    return name ? 0 : EINVAL;
}
#define pthread_setname_np darwin_setname

#pragma GCC poison accept4 epoll_create1 eventfd pipe2 pthread_condattr_setclock

#undef __linux__
#define __APPLE__ 1

#endif
