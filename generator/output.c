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

/* The temporary files that exist, for the signal handler: a slot per file, NULL if it has none. */
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
    (void)raise(number); /* SA_RESETHAND: now it ends the process, which shows what did */
}

void output_prepare(void)
{
    /* A descriptor that the caller closed must not become that of a file which is then read or written as standard
     * output. */
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

/* -- what stands there ------------------------------------------------------------------------------------------- */

typedef enum place { PLACE_REFUSED, PLACE_EMPTY, PLACE_SAME, PLACE_OTHER, PLACE_DEVICE } place;

static bool holds(const char *path, const buffer *text)
{
    int const fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return false;
    size_t at = 0;
    bool same = true;
    while (same) {
        char block[16384];
        ssize_t const n = read(fd, block, sizeof block);
        if (n == 0) break;
        if (n < 0 && errno == EINTR) continue;
        same = n > 0 && (size_t)n <= text->length - at && memcmp(block, text->text + at, (size_t)n) == 0;
        at += same ? (size_t)n : 0;
    }
    (void)close(fd);
    return same && at == text->length;
}

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

static place look(const output *file, mode_t *mode)
{
    const char *const path = file->path;
    const buffer *const text = file->text;
    struct stat there;
    const char *why = "it is neither a regular file nor a device that takes text";
    if (lstat(path, &there) != 0) {
        if (errno == ENOENT) return PLACE_EMPTY;
        why = strerror(errno);
    } else if (S_ISREG(there.st_mode)) {
        *mode = there.st_mode & 0777;
        if (access(path, W_OK) != 0) {
            why = strerror(errno); /* renaming would not care */
        } else if (file->mark && !begins_with(path, file->mark)) {
            why = "it was not made by ufc, and would be lost; remove it, or name another place with -o";
        } else {
            return (size_t)there.st_size == text->length && holds(path, text) ? PLACE_SAME : PLACE_OTHER;
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
    bool const written = write_all(fd, text);
    int const error = errno;
    if (!written) {
        (void)close(fd);
        return complain(path, strerror(error));
    }
    return close(fd) == 0 || complain(path, strerror(errno));
}

/* -- temporary files --------------------------------------------------------------------------------------------- */

/* Creates a file that was not there, in the directory of `path`, and enters it in `slot`. -1: errno says why not. */
static int create_beside(const char *path, size_t slot)
{
    const char *const slash = strrchr(path, '/');
    size_t const directory = slash ? (size_t)(slash - path) + 1 : 0;
    size_t const size = directory + 48;
    char *const name = memory_alloc(size, 1);
    memcpy(name, path, directory);

    /* A signal in between would find a file that is not entered, or remove one that is not ours. */
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

/* A file system may keep the bad news until the last call, so each is asked. Nothing is forced to the disk: what a
 * power failure takes can be made again, as what other compilers write. */
static bool stage(const output *file, size_t slot, const mode_t *mode)
{
    int const fd = create_beside(file->path, slot);
    if (fd < 0) return complain(file->path, strerror(errno));
    bool const written = write_all(fd, file->text) && (!mode || fchmod(fd, *mode) == 0);
    int const error = errno;
    bool const closed = close(fd) == 0;
    if (written && closed) return true;
    return complain(file->path, strerror(written ? errno : error));
}

/* ---------------------------------------------------------------------------------------------------------------- */

bool output_print(const buffer *text)
{
    if (write_all(STDOUT_FILENO, text)) return true;
    return complain("-", strerror(errno));
}

bool output_write(const output *files, size_t count, bool touch)
{
    place places[OUTPUT_LIMIT];
    mode_t modes[OUTPUT_LIMIT] = {0};
    if (count > OUTPUT_LIMIT) return complain(files[OUTPUT_LIMIT].path, "too many files");

    for (size_t i = 0; i < count; i++) {
        bool const is_stdout = strcmp(files[i].path, "-") == 0;
        places[i] = is_stdout ? PLACE_DEVICE : look(&files[i], &modes[i]);
        if (places[i] == PLACE_REFUSED) return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (places[i] != PLACE_EMPTY && places[i] != PLACE_OTHER) continue;
        if (!stage(&files[i], i, places[i] == PLACE_OTHER ? &modes[i] : NULL)) {
            discard(count);
            return false;
        }
    }
    bool good = true;
    for (size_t i = 0; good && i < count; i++) {
        if (places[i] == PLACE_DEVICE) {
            good = strcmp(files[i].path, "-") == 0 ? output_print(files[i].text)
                                                   : write_device(files[i].path, files[i].text);
        } else if (places[i] == PLACE_SAME) {
            if (touch && utimensat(AT_FDCWD, files[i].path, NULL, 0) != 0)
                good = complain(files[i].path, strerror(errno));
        } else if (rename(temporary[i], files[i].path) != 0) {
            good = complain(files[i].path, strerror(errno));
        } else {
            forget(i);
        }
    }
    discard(count);
    return good;
}
