/* SPDX-License-Identifier: MIT */
/* files.h - files as the system has them. Where a function fails, errno gives the reason. Names are UTF-8 on Windows,
 * and bytes elsewhere. */
#ifndef UFC_FILES_H
#define UFC_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef enum file_kind {
    FILE_IS_REGULAR,
    FILE_IS_DIRECTORY,
    FILE_IS_LINK, /* a symbolic link */
    FILE_IS_PIPE,
    FILE_IS_SOCKET,
    FILE_IS_DEVICE, /* that takes text, such as /dev/null */
    FILE_IS_BLOCKS, /* a disk */
} file_kind;

typedef struct file_facts {
    uintmax_t device, number; /* together they identify a file, whatever name it has */
    uintmax_t size;           /* in bytes */
    unsigned mode;            /* the permissions of POSIX */
    file_kind kind;
} file_facts;

/* -- names --------------------------------------------------------------------------------------------------------- */

/* Does this character end the name of a directory? */
bool file_is_separator(char c);

/* The length of the part of a path that names a drive, such as `C:`; 0: it has none. */
size_t file_drive_length(const char *path);

/* The part of a path behind its directories. */
const char *file_base(const char *path);

/* Does the path begin at a root or at a drive? */
bool file_is_absolute(const char *path);

/* -- facts --------------------------------------------------------------------------------------------------------- */

/* Looks at a file; symbolic links are followed. */
bool file_look(const char *path, file_facts *is);

/* The same for a symbolic link itself, instead of the file that it leads to. */
bool file_look_at_name(const char *path, file_facts *is);

static inline bool file_same(const file_facts *one, const file_facts *other)
{
    return one->device == other->device && one->number == other->number;
}

/* May this process change the file? */
bool file_can_write(const char *path);

/* -- reading and writing ------------------------------------------------------------------------------------------- */

/* Opens a file for reading, whatever kind it is, without waiting for anybody. `is`: receives its facts.
 * Returns: a descriptor; -1: an error. */
int file_open(const char *path, file_facts *is);

/* Opens whatever can be read, and waits for it. */
FILE *file_stream(const char *path);

/* Opens a device for writing. */
int file_open_device(const char *path);

/* Makes a new file for writing. EEXIST: there is one of this name. */
int file_create(const char *path);

/* Reads at most `size` bytes. Returns: how many; 0: the end of the file; -1: an error. */
ptrdiff_t file_read(int fd, void *bytes, size_t size);

/* Writes all bytes. */
bool file_write(int fd, const char *bytes, size_t size);

/* Closes a descriptor. A file system may report an error of a write as late as here. */
bool file_close(int fd);

/* Gives a new file the permissions of an old one. */
bool file_set_mode(int fd, unsigned mode);

/* Gives a file another name, in one step. A file that has this name is replaced. */
bool file_rename(const char *path, const char *name);

/* Gives a file the present time. */
bool file_touch(const char *path);

/* Removes a file, if it is there. */
void file_remove(const char *path);

/* -- the process --------------------------------------------------------------------------------------------------- */

/* Prepares the process: standard descriptors are open, and a signal that ends the process calls `clean` first, which
 * may call file_remove() alone. Call it once, before the first file is opened. */
void file_prepare(void (*clean)(void));

/* The arguments of main(), with names as in this file. */
char **file_arguments(int *argc, char **argv);

/* Signals that would end the process wait from the first call to the second one. */
void file_hold_signals(void);
void file_release_signals(void);

/* A number that no other process has. */
unsigned long file_process(void);

/* Does standard error go to a terminal? */
bool file_is_terminal(void);

/* Asks for large pages for memory: for a large input, a fifth of the time would go to page faults. */
void file_prefer_large_pages(void *memory, size_t bytes);

#endif
