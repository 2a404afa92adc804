/* SPDX-License-Identifier: MIT */
/* fault.c - ufc with calls that fail on request. Linked with --wrap for each of them, so that every caller is affected.
 *
 * UFC_FAULT=realloc:7 makes the 7th call of realloc fail; realloc:7+ all from the 7th on. write:3:4 makes the 3rd write
 * fail with errno 4. UFC_FAULT=rename:2:kill ends the process before the 2nd rename. After an injected fault, the last
 * line on standard error is "fault". */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static const char *wanted; /* name of the call, up to the colon; NULL before the first call */
static unsigned long at, count;
static bool sticky, kills;
static int error;

static void say(void)
{
    static const char text[] = "fault\n";
    extern ssize_t __real_write(int, const void *, size_t);
    (void)!__real_write(STDERR_FILENO, text, sizeof text - 1);
}

static bool fails(const char *name, int usual)
{
    if (!wanted) {
        const char *const set = getenv("UFC_FAULT");
        wanted = set ? set : "";
        char *rest = strchr(wanted, ':') ? strchr(wanted, ':') + 1 : "";
        at = strtoul(rest, &rest, 10);
        sticky = *rest == '+';
        rest += sticky;
        kills = strcmp(rest, ":kill") == 0;
        error = *rest == ':' ? atoi(rest + 1) : 0;
    }
    size_t const length = strlen(name);
    if (strncmp(wanted, name, length) != 0 || wanted[length] != ':') return false;
    count++;
    if (count != at && !(sticky && count > at)) return false;
    if (count == at) say();
    if (kills) (void)raise(SIGKILL);
    errno = error ? error : usual;
    return true;
}

#define WRAP(type, name, parameters, arguments, failed, usual)                                                         \
    type __real_##name parameters;                                                                                     \
    type __wrap_##name parameters;                                                                                     \
    type __wrap_##name parameters                                                                                      \
    {                                                                                                                  \
        return fails(#name, usual) ? (type)(failed) : __real_##name arguments;                                         \
    }

WRAP(void *, malloc, (size_t size), (size), NULL, ENOMEM)
WRAP(void *, calloc, (size_t n, size_t size), (n, size), NULL, ENOMEM)
WRAP(void *, realloc, (void *p, size_t size), (p, size), NULL, ENOMEM)
WRAP(ssize_t, read, (int fd, void *to, size_t size), (fd, to, size), -1, EIO)
WRAP(ssize_t, write, (int fd, const void *from, size_t size), (fd, from, size), -1, ENOSPC)
WRAP(int, close, (int fd), (fd), -1, EIO)
WRAP(int, rename, (const char *from, const char *to), (from, to), -1, EACCES)
WRAP(int, fchmod, (int fd, mode_t mode), (fd, mode), -1, EPERM)
WRAP(int, fstat, (int fd, struct stat *is), (fd, is), -1, EIO)
WRAP(int, lstat, (const char *path, struct stat *is), (path, is), -1, EIO)

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    mode_t const mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return fails("open", EMFILE) ? -1 : __real_open(path, flags, mode);
}
