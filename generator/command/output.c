/* SPDX-License-Identifier: MIT */
#include "output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "files.h"
#include "memory.h"

typedef enum output_place { PLACE_REFUSED, PLACE_EMPTY, PLACE_SAME, PLACE_OTHER, PLACE_DEVICE } output_place;

typedef struct output_file {
    output what;
    output_place place;
    unsigned mode; /* of the old file */
} output_file;

/* The temporary files that exist, for the signal handler: one slot per file, NULL if it has none. */
static char *volatile temporary[OUTPUT_LIMIT];

static void remove_temporaries(void)
{
    for (size_t i = 0; i < OUTPUT_LIMIT; i++) {
        if (temporary[i]) file_remove(temporary[i]);
    }
}

void output_prepare(void)
{
    file_prepare(remove_temporaries);
    memory_on_failure(remove_temporaries);
}

static bool complain(const char *path, const char *why)
{
    fprintf(stderr, "ufc: cannot write %s: %s\n", strcmp(path, "-") == 0 ? "standard output" : path, why);
    return false;
}

/* A file system may report an error as late as in the last call. */
static bool end_write(int fd, bool is_good, const char *path)
{
    int const error = errno;
    if (file_close(fd) && is_good) return true;
    return complain(path, strerror(is_good ? errno : error));
}

/* -- the old file -------------------------------------------------------------------------------------------------- */

static bool begins_with(const char *path, const char *mark)
{
    char begin[32];
    file_facts is;
    size_t const length = strlen(mark);
    int const fd = file_open(path, &is);
    if (fd < 0) return false;
    ptrdiff_t const n = file_read(fd, begin, length);
    (void)file_close(fd);
    return n == 0 || (n == (ptrdiff_t)length && memcmp(begin, mark, length) == 0);
}

static output_place look(const output *file, unsigned *mode)
{
    const char *const path = file->path;
    file_facts is;
    const char *why = "it is neither a regular file nor a device that takes text";
    if (!file_look_at_name(path, &is)) {
        if (errno == ENOENT) return PLACE_EMPTY;
        why = strerror(errno);
    } else if (is.kind == FILE_IS_REGULAR) {
        *mode = is.mode;
        if (!file_can_write(path)) {
            why = strerror(errno); /* renaming would ignore that */
        } else if (file->mark && !begins_with(path, file->mark)) {
            why = "it was not made by ufc, and would be lost; remove it, or name another place with -o";
        } else {
            return PLACE_OTHER;
        }
    } else if (is.kind == FILE_IS_DEVICE) {
        return PLACE_DEVICE;
    } else if (is.kind == FILE_IS_DIRECTORY) {
        why = strerror(EISDIR);
    } else if (is.kind == FILE_IS_LINK) {
        why = "it is a symbolic link; name the file itself";
    }
    (void)complain(path, why);
    return PLACE_REFUSED;
}

static bool write_device(const char *path, const buffer *text)
{
    int const fd = file_open_device(path);
    if (fd < 0) return complain(path, strerror(errno));
    return end_write(fd, file_write(fd, text->text, text->length), path);
}

/* -- temporary files --------------------------------------------------------------------------------------------- */

/* Creates a new file in the directory of `path`, and stores it in `slot`. -1: errno gives the reason. */
static int create_beside(const char *path, size_t slot)
{
    size_t const directory = (size_t)(file_base(path) - path);
    size_t const size = directory + 48;
    char *const name = memory_alloc(size, 1);
    memcpy(name, path, directory);

    /* A signal in between would miss the new file, or remove a file of another process. */
    file_hold_signals();
    int fd = -1;
    for (unsigned attempt = 0; attempt < 100; attempt++) {
        (void)snprintf(name + directory, size - directory, ".ufc-%lu-%u.tmp", file_process(),
                       (unsigned)slot + attempt * OUTPUT_LIMIT);
        fd = file_create(name);
        if (fd >= 0 || errno != EEXIST) break;
    }
    int const error = errno;
    if (fd >= 0) temporary[slot] = name;
    else memory_free(name);
    file_release_signals();
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
    file_facts is;
    int const fd = file_open(path, &is);
    bool is_same = fd >= 0 && is.size == text->length;
    for (size_t at = 0; is_same && at < text->length;) {
        char block[16384];
        size_t const left = text->length - at;
        ptrdiff_t const n = file_read(fd, block, left < sizeof block ? left : sizeof block);
        is_same = n > 0 && memcmp(block, text->text + at, (size_t)n) == 0;
        at += n > 0 ? (size_t)n : 0;
    }
    if (fd >= 0) (void)file_close(fd);
    return is_same;
}

/* Writes a new file beside the old one. Does not call fsync(): the output can be generated again after a power
 * failure. */
static bool write_beside(const output_file *file, size_t slot)
{
    const char *const path = file->what.path;
    int const fd = create_beside(path, slot);
    if (fd < 0) return complain(path, strerror(errno));
    bool const is_good = file_write(fd, file->what.text->text, file->what.text->length) &&
                         (file->place != PLACE_OTHER || file_set_mode(fd, file->mode));
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
    if (file_write(1, text->text, text->length)) return true;
    return complain("-", strerror(errno));
}

static bool put_on_device(const output *file)
{
    return strcmp(file->path, "-") == 0 ? output_print(file->text) : write_device(file->path, file->text);
}

static bool put_into_place(const output_file *file, size_t slot, bool touch)
{
    const char *const path = file->what.path;
    bool const is_good = file->place != PLACE_SAME ? file_rename(temporary[slot], path) : !touch || file_touch(path);
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
