/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE

#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* -- names --------------------------------------------------------------------------------------------------------- */

bool file_is_separator(char c)
{
    return c == '/';
}

size_t file_drive_length(const char *path)
{
    (void)path;
    return 0;
}

const char *file_base(const char *path)
{
    const char *const slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool file_is_absolute(const char *path)
{
    return *path == '/';
}

/* -- facts --------------------------------------------------------------------------------------------------------- */

static file_kind kind_of(mode_t mode)
{
    return S_ISREG(mode)    ? FILE_IS_REGULAR
           : S_ISDIR(mode)  ? FILE_IS_DIRECTORY
           : S_ISLNK(mode)  ? FILE_IS_LINK
           : S_ISFIFO(mode) ? FILE_IS_PIPE
           : S_ISSOCK(mode) ? FILE_IS_SOCKET
           : S_ISCHR(mode)  ? FILE_IS_DEVICE
                            : FILE_IS_BLOCKS;
}

/* Stores what stat() has found, unless it has failed. */
static bool tell(int result, const struct stat *status, file_facts *is)
{
    if (result != 0) return false;
    *is = (file_facts){.device = (uintmax_t)status->st_dev,
                       .number = (uintmax_t)status->st_ino,
                       .size = (uintmax_t)status->st_size,
                       .mode = status->st_mode & 0777,
                       .kind = kind_of(status->st_mode)};
    return true;
}

bool file_look(const char *path, file_facts *is)
{
    struct stat status;
    return tell(stat(path, &status), &status, is);
}

bool file_look_at_name(const char *path, file_facts *is)
{
    struct stat status;
    return tell(lstat(path, &status), &status, is);
}

bool file_can_write(const char *path)
{
    return access(path, W_OK) == 0;
}

/* -- reading and writing ------------------------------------------------------------------------------------------- */

int file_open(const char *path, file_facts *is)
{
    struct stat status;
    int const fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0) return -1;
    if (tell(fstat(fd, &status), &status, is)) return fd;
    int const error = errno;
    (void)close(fd);
    errno = error;
    return -1;
}

FILE *file_stream(const char *path)
{
    return fopen(path, "rb");
}

int file_open_device(const char *path)
{
    return open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
}

int file_create(const char *path)
{
    return open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

ptrdiff_t file_read(int fd, void *bytes, size_t size)
{
    ssize_t n;
    do n = read(fd, bytes, size);
    while (n < 0 && errno == EINTR);
    return n;
}

bool file_write(int fd, const char *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t const n = write(fd, bytes + done, size - done);
        if (n > 0) done += (size_t)n;
        else if (n < 0 && errno != EINTR) return false;
    }
    return true;
}

bool file_close(int fd)
{
    return close(fd) == 0;
}

bool file_set_mode(int fd, unsigned mode)
{
    return fchmod(fd, (mode_t)mode) == 0;
}

bool file_rename(const char *path, const char *name)
{
    return rename(path, name) == 0;
}

bool file_touch(const char *path)
{
    return utimensat(AT_FDCWD, path, NULL, 0) == 0;
}

void file_remove(const char *path)
{
    (void)unlink(path);
}

/* -- the process --------------------------------------------------------------------------------------------------- */

static const int deadly[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE};
#define DEADLY_COUNT (sizeof deadly / sizeof deadly[0])

static void (*clean_up)(void);
static sigset_t before;

static void on_deadly_signal(int number)
{
    clean_up();
    (void)raise(number); /* SA_RESETHAND: the signal now ends the process, so that the exit status shows it */
}

void file_prepare(void (*clean)(void))
{
    clean_up = clean;
    /* If the caller closed a standard descriptor, another file could get its number and be read or written by
     * mistake. */
    for (int fd = 0; fd <= 2; fd++) {
        if (fcntl(fd, F_GETFD) == -1 && errno == EBADF) (void)open("/dev/null", O_RDONLY);
    }
    for (size_t i = 0; i < DEADLY_COUNT; i++) {
        struct sigaction action;
        if (sigaction(deadly[i], NULL, &action) != 0 || action.sa_handler == SIG_IGN) continue; /* nohup */
        memset(&action, 0, sizeof action);
        action.sa_handler = on_deadly_signal;
        action.sa_flags = (int)SA_RESETHAND;
        (void)sigaction(deadly[i], &action, NULL);
    }
    (void)signal(SIGXFSZ, SIG_IGN); /* the write fails instead, and is reported */
}

char **file_arguments(int *argc, char **argv)
{
    (void)argc;
    return argv;
}

void file_hold_signals(void)
{
    sigset_t block;
    (void)sigemptyset(&block);
    for (size_t i = 0; i < DEADLY_COUNT; i++) (void)sigaddset(&block, deadly[i]);
    (void)sigprocmask(SIG_BLOCK, &block, &before);
}

void file_release_signals(void)
{
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
}

unsigned long file_process(void)
{
    return (unsigned long)getpid();
}

bool file_is_terminal(void)
{
    return isatty(STDERR_FILENO);
}

void file_prefer_large_pages(void *memory, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    enum { PAGE = 4096 };
    uintptr_t const inside = (uintptr_t)memory % PAGE;
    (void)madvise((char *)memory - inside, bytes + inside, MADV_HUGEPAGE);
#else
    (void)memory;
    (void)bytes;
#endif
}
