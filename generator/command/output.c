/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory.h"

typedef enum output_place { PLACE_REFUSED, PLACE_EMPTY, PLACE_SAME, PLACE_OTHER, PLACE_DEVICE } output_place;

typedef struct output_file {
    output what;
    output_place place;
    mode_t mode; /* of the old file */
} output_file;

/* The temporary files that exist, for the signal handler: one slot per file, NULL if it has none. */
static char *volatile temporary[OUTPUT_LIMIT];

static const int deadly[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE};
#define DEADLY_COUNT (sizeof deadly / sizeof deadly[0])

static void remove_temporaries(void)
{
    for (size_t i = 0; i < OUTPUT_LIMIT; i++) {
        if (temporary[i]) (void)unlink(temporary[i]);
    }
}

static void on_deadly_signal(int number)
{
    remove_temporaries();
    (void)raise(number); /* SA_RESETHAND: the signal now ends the process, so that the exit status shows it */
}

void output_prepare(void)
{
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
    memory_on_failure(remove_temporaries);
}

static bool complain(const char *path, const char *why)
{
    fprintf(stderr, "ufc: cannot write %s: %s\n", strcmp(path, "-") == 0 ? "standard output" : path, why);
    return false;
}

static bool write_all(int fd, const buffer *text)
{
    for (size_t done = 0; done < text->length;) {
        ssize_t const n = write(fd, text->text + done, text->length - done);
        if (n > 0) done += (size_t)n;
        else if (n < 0 && errno != EINTR) return false;
    }
    return true;
}

/* A file system may report an error as late as in the last call. */
static bool end_write(int fd, bool is_good, const char *path)
{
    int const error = errno;
    if (close(fd) == 0 && is_good) return true;
    return complain(path, strerror(is_good ? errno : error));
}

/* -- the old file -------------------------------------------------------------------------------------------------- */

static bool begins_with(const char *path, const char *mark)
{
    char begin[32];
    size_t const length = strlen(mark);
    int const fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return false;
    ssize_t n;
    do n = read(fd, begin, length);
    while (n < 0 && errno == EINTR);
    (void)close(fd);
    return n == 0 || (n == (ssize_t)length && memcmp(begin, mark, length) == 0);
}

static output_place look(const output *file, mode_t *mode)
{
    const char *const path = file->path;
    struct stat there;
    const char *why = "it is neither a regular file nor a device that takes text";
    if (lstat(path, &there) != 0) {
        if (errno == ENOENT) return PLACE_EMPTY;
        why = strerror(errno);
    } else if (S_ISREG(there.st_mode)) {
        *mode = there.st_mode & 0777;
        if (access(path, W_OK) != 0) {
            why = strerror(errno); /* renaming would ignore that */
        } else if (file->mark && !begins_with(path, file->mark)) {
            why = "it was not made by ufc, and would be lost; remove it, or name another place with -o";
        } else {
            return PLACE_OTHER;
        }
    } else if (S_ISCHR(there.st_mode)) {
        return PLACE_DEVICE;
    } else if (S_ISDIR(there.st_mode)) {
        why = strerror(EISDIR);
    } else if (S_ISLNK(there.st_mode)) {
        why = "it is a symbolic link; name the file itself";
    }
    (void)complain(path, why);
    return PLACE_REFUSED;
}

static bool write_device(const char *path, const buffer *text)
{
    int const fd = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
    if (fd < 0) return complain(path, strerror(errno));
    return end_write(fd, write_all(fd, text), path);
}

/* -- temporary files --------------------------------------------------------------------------------------------- */

/* Creates a new file in the directory of `path`, and stores it in `slot`. -1: errno gives the reason. */
static int create_beside(const char *path, size_t slot)
{
    const char *const slash = strrchr(path, '/');
    size_t const directory = slash ? (size_t)(slash - path) + 1 : 0;
    size_t const size = directory + 48;
    char *const name = memory_alloc(size, 1);
    memcpy(name, path, directory);

    /* A signal in between would miss the new file, or remove a file of another process. */
    sigset_t block, before;
    (void)sigemptyset(&block);
    for (size_t i = 0; i < DEADLY_COUNT; i++) (void)sigaddset(&block, deadly[i]);
    (void)sigprocmask(SIG_BLOCK, &block, &before);
    int fd = -1;
    for (unsigned attempt = 0; attempt < 100; attempt++) {
        (void)snprintf(name + directory, size - directory, ".ufc-%ld-%u.tmp", (long)getpid(),
                       (unsigned)slot + attempt * OUTPUT_LIMIT);
        fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST) break;
    }
    int const error = errno;
    if (fd >= 0) temporary[slot] = name;
    else memory_free(name);
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return fd;
}

static void forget(size_t slot)
{
    char *const name = temporary[slot];
    temporary[slot] = NULL;
    memory_free(name);
}

static void discard(size_t count)
{
    remove_temporaries();
    for (size_t i = 0; i < count; i++) forget(i);
}

/* -- one file ---------------------------------------------------------------------------------------------------- */

/* Does the file hold exactly this text? */
static bool holds(const char *path, const buffer *text)
{
    struct stat is;
    int const fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    bool is_same = fd >= 0 && fstat(fd, &is) == 0 && (size_t)is.st_size == text->length;
    for (size_t at = 0; is_same && at < text->length;) {
        char block[16384];
        size_t const left = text->length - at;
        ssize_t const n = read(fd, block, left < sizeof block ? left : sizeof block);
        if (n < 0 && errno == EINTR) continue;
        is_same = n > 0 && memcmp(block, text->text + at, (size_t)n) == 0;
        at += n > 0 ? (size_t)n : 0;
    }
    if (fd >= 0) (void)close(fd);
    return is_same;
}

/* Writes a new file beside the old one. Does not call fsync(): the output can be generated again after a power
 * failure. */
static bool write_beside(const output_file *file, size_t slot)
{
    const char *const path = file->what.path;
    int const fd = create_beside(path, slot);
    if (fd < 0) return complain(path, strerror(errno));
    bool const is_good = write_all(fd, file->what.text) && (file->place != PLACE_OTHER || fchmod(fd, file->mode) == 0);
    return end_write(fd, is_good, path);
}

static bool is_file(const output_file *file)
{
    return file->place != PLACE_DEVICE;
}

static bool complete(output_file *file, size_t slot)
{
    if (file->place == PLACE_OTHER && holds(file->what.path, file->what.text)) file->place = PLACE_SAME;
    return file->place == PLACE_SAME || write_beside(file, slot);
}

/* -- all files ----------------------------------------------------------------------------------------------------- */

bool output_print(const buffer *text)
{
    if (write_all(STDOUT_FILENO, text)) return true;
    return complain("-", strerror(errno));
}

static bool put_on_device(const output *file)
{
    return strcmp(file->path, "-") == 0 ? output_print(file->text) : write_device(file->path, file->text);
}

static bool put_into_place(const output_file *file, size_t slot, bool touch)
{
    const char *const path = file->what.path;
    bool const is_good = file->place != PLACE_SAME ? rename(temporary[slot], path) == 0
                         : touch                   ? utimensat(AT_FDCWD, path, NULL, 0) == 0
                                                   : true;
    if (!is_good) return complain(path, strerror(errno));
    if (file->place != PLACE_SAME) forget(slot);
    return true;
}

/* Devices come first: they may refuse the text, and a file that a rename has replaced is lost. */
static bool put_all(output_file *files, size_t count, bool touch)
{
    for (size_t i = 0; i < count; i++) {
        output_file *const file = &files[i];
        file->place = strcmp(file->what.path, "-") == 0 ? PLACE_DEVICE : look(&file->what, &file->mode);
        if (file->place == PLACE_REFUSED) return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (is_file(&files[i]) && !complete(&files[i], i)) return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (!is_file(&files[i]) && !put_on_device(&files[i].what)) return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (is_file(&files[i]) && !put_into_place(&files[i], i, touch)) return false;
    }
    return true;
}

bool output_write(const output *wanted, size_t count, bool touch)
{
    output_file files[OUTPUT_LIMIT];
    if (count > OUTPUT_LIMIT) return complain(wanted[OUTPUT_LIMIT].path, "too many files");
    for (size_t i = 0; i < count; i++) files[i] = (output_file){.what = wanted[i]};
    bool const is_good = put_all(files, count, touch);
    discard(count);
    return is_good;
}
