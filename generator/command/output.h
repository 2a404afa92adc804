/* SPDX-License-Identifier: MIT */
/* output.h - files that are written completely or not at all. */
#ifndef UFC_OUTPUT_H
#define UFC_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "buffer.h"

typedef struct output {
    const char *path; /* "-" is standard output */
    buffer *text;
    const char *mark; /* the required beginning of a file that may be replaced; NULL: any */
} output;

#define OUTPUT_LIMIT 8 /* the maximum number of files */

/* Writes the files. Each goes to a temporary file in its directory. When all are complete, they are renamed in the
 * given order. So each name has the complete old or the complete new text, even after a kill or on a full disk. A file
 * with the same text is not changed; with `touch` it gets the present time. A killed process leaves its temporary
 * files, .ufc-PID-N.tmp.
 *
 * Three kinds of targets are refused. A symbolic link: renaming would replace it, and writing through it would
 * overwrite another file. A file that is not regular, except character devices (/dev/null), which are written to
 * directly. A hand-written file: one that is not empty and does not begin with the mark.
 *
 * A device gets its text before any file is renamed, since it may refuse the text.
 *
 * Returns: false after an error, which is reported on standard error; the temporary files are removed. */
bool output_write(const output *wanted, size_t count, bool touch);

/* Writes standard output only, and checks for errors. */
bool output_print(const buffer *text);

/* Removes temporary files when a signal or a lack of memory ends ufc. Call it once, before the first output_write(). */
void output_prepare(void);

#endif
