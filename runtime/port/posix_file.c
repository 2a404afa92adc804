/* posix_file.c - the POSIX port of port_file.h. */
#if defined(__linux__)
#undef _GNU_SOURCE
#define _GNU_SOURCE /* flock */
#endif
#include "port_file.h"
#include "posix.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "port_host.h"

/* -- the lock ------------------------------------------------------------------------------------------------------ */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void (*run_in_child)(void);

void ufp_file_lock(void)
{
    pthread_mutex_lock(&mutex);
}

void ufp_file_unlock(void)
{
    pthread_mutex_unlock(&mutex);
}

static void unlock_child(void)
{
    if (run_in_child) run_in_child();
    pthread_mutex_unlock(&mutex);
}

void ufp_file_on_fork(void (*in_child)(void))
{
    run_in_child = in_child;
    (void)pthread_atfork(ufp_file_lock, ufp_file_unlock, unlock_child); /* without memory, a child counts from here */
}

/* -- paths --------------------------------------------------------------------------------------------------------- */

char *ufp_file_absolute(const char *path)
{
    char *const directory = path[0] == '/' ? NULL : getcwd(NULL, 0); /* POSIX leaves this open; all systems allocate */
    size_t const length = directory ? strlen(directory) + 1 : 0, size = strlen(path) + 1;
    char *const whole = ufp_allocate(length + size);

    if (whole && directory) {
        memcpy(whole, directory, length - 1);
        whole[length - 1] = '/';
    }
    if (whole) memcpy(whole + length, path, size);
    free(directory);
    return whole;
}

/* -- changing a file ----------------------------------------------------------------------------------------------- */

static bool write_all(int fd, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t const written = write(fd, bytes, length);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        bytes += written;
        length -= (size_t)written;
    }
    return true;
}

/* Returns: the contents, allocated; NULL: errno is set. */
static char *read_all(int fd, size_t *length)
{
    struct stat file;
    if (fstat(fd, &file) != 0) return NULL;
    size_t const size = (size_t)file.st_size;
    char *const bytes = ufp_allocate(size + 1);
    if (!bytes) errno = ENOMEM;
    for (*length = 0; bytes && *length < size;) {
        ssize_t const got = read(fd, bytes + *length, size - *length);
        if (got == 0) break;
        if (got > 0) *length += (size_t)got;
        else if (errno != EINTR) {
            int const error = errno;
            ufp_free(bytes);
            errno = error;
            return NULL;
        }
    }
    return bytes;
}

static bool lock_file(int fd)
{
    int status;
    do status = flock(fd, LOCK_EX);
    while (status != 0 && errno == EINTR);
    return status == 0;
}

static int close_with(int fd, int error)
{
    close(fd);
    errno = error;
    return -1;
}

/* Opens a file and locks it. Meanwhile another process may have replaced it: then opens the new one.
 * Returns: -1: errno is set. */
static int open_locked(const char *path, struct stat *file)
{
    for (;;) {
        struct stat now;
        int const fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (fd < 0) return -1;
        if (fstat(fd, file) != 0) return close_with(fd, errno);
        if (!S_ISREG(file->st_mode)) return fd;
        if (!lock_file(fd)) return close_with(fd, errno);
        if (stat(path, &now) == 0 && now.st_dev == file->st_dev && now.st_ino == file->st_ino) return fd;
        close(fd);
    }
}

/* Writes beside the file, and renames. */
static bool replace(const char *path, const struct stat *file, const char *bytes, size_t length)
{
    static const char suffix[] = ".XXXXXX";
    size_t const size = strlen(path);
    char *const beside = ufp_allocate(size + sizeof suffix);
    if (!beside) {
        errno = ENOMEM;
        return false;
    }
    memcpy(beside, path, size);
    memcpy(beside + size, suffix, sizeof suffix);
    int const fd = mkstemp(beside);
    bool well = fd >= 0 && fchmod(fd, file->st_mode & 0777) == 0 && write_all(fd, bytes, length);
    int error = errno;
    if (fd >= 0 && close(fd) != 0 && well) {
        error = errno;
        well = false;
    }
    if (well && rename(beside, path) != 0) {
        error = errno;
        well = false;
    }
    if (!well && fd >= 0) unlink(beside);
    ufp_free(beside);
    errno = error;
    return well;
}

static bool update_open(int fd, const char *path, const struct stat *file, ufp_file_edit *edit, void *context)
{
    bool const is_file = S_ISREG(file->st_mode);
    size_t old_length = 0, length = 0;
    char *const old = is_file ? read_all(fd, &old_length) : NULL;
    if (is_file && !old) return false;
    char *const bytes = edit(context, old ? old : "", old_length, &length);
    bool const well = bytes && (is_file ? replace(path, file, bytes, length) : write_all(fd, bytes, length));
    int const error = errno;
    ufp_free(bytes);
    ufp_free(old);
    errno = error;
    return well;
}

bool ufp_file_update(const char *path, ufp_file_edit *edit, void *context)
{
    struct stat file;
    int const state = ufp_begin_uncancelled();
    int const fd = open_locked(path, &file);
    char *const real = fd >= 0 ? realpath(path, NULL) : NULL; /* a rename would replace a symbolic link */
    bool const well = fd >= 0 && update_open(fd, real ? real : path, &file, edit, context);
    int const error = errno;
    if (fd >= 0) close(fd);
    ufp_end_uncancelled(state);
    free(real);
    errno = error;
    return well;
}
