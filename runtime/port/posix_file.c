/* SPDX-License-Identifier: MIT */
/* posix_file.c - see port_file.h. The lock is that of flock(): it is one of the open file, not of the process. */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "port_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "port_host.h"

static long read_owner(int fd)
{
    char text[24] = "";
    ssize_t const length = pread(fd, text, sizeof text - 1, 0);
    return length > 0 ? strtol(text, NULL, 10) : 0;
}

/* The number is for people: nothing depends on it. */
static void write_owner(int fd)
{
    char text[24];
    int const length = snprintf(text, sizeof text, "%ld\n", (long)getpid());
    if (ftruncate(fd, 0) == 0 && pwrite(fd, text, (size_t)length, 0) < 0) errno = 0;
}

static int lock_file(int fd)
{
    int failed;
    do failed = flock(fd, LOCK_EX | LOCK_NB);
    while (failed && errno == EINTR);
    return failed ? errno : 0;
}

int ufp_file_own(const char *path, int *lock, long *owner)
{
    int const state = ufp_begin_uncancelled();
    int const fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    int const error = fd < 0 ? errno : lock_file(fd);

    *owner = error == EWOULDBLOCK ? read_owner(fd) : 0;
    if (!error) write_owner(fd);
    else if (fd >= 0) close(fd);
    *lock = error ? -1 : fd;
    ufp_end_uncancelled(state);
    return error;
}

void ufp_file_release(int lock)
{
    int const state = ufp_begin_uncancelled();
    close(lock);
    ufp_end_uncancelled(state);
}

int ufp_file_create(const char *path)
{
    int const state = ufp_begin_uncancelled();
    int const fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    int const error = fd < 0 && errno != EEXIST ? errno : 0;

    if (fd >= 0) close(fd);
    ufp_end_uncancelled(state);
    return error;
}

char *ufp_file_real(const char *path)
{
    char *const real = realpath(path, NULL);
    size_t const size = real ? strlen(real) + 1 : 0;
    char *const copy = real ? ufp_allocate(size) : NULL;

    if (copy) memcpy(copy, real, size);
    free(real);
    return real ? copy : ufp_absolute(path);
}
