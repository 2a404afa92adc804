/* output.h - files that are written whole or not at all. */
#ifndef UFC_OUTPUT_H
#define UFC_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "buffer.h"

typedef struct output {
    const char *path; /* "-" is standard output */
    buffer *text;
    const char *mark; /* what a file that may be replaced begins with; NULL: any may */
} output;

#define OUTPUT_LIMIT 8 /* files at once */

/* Writes the files. Each is written to a temporary file in its directory, and when all of them are complete
 * they are renamed into place, in the order given. So whatever happens, also a kill or a full disk, a name
 * holds the whole old or the whole new text. A file that holds the text already is left alone, or with `touch` is
 * given the present time. A process that is killed in between leaves its temporary files, .ufc-PID-N.tmp.
 *
 * A symbolic link is refused: renaming would replace the link, writing through it would overwrite what somebody else
 * chose. So is everything else that is not a regular file, but character devices (/dev/null), which are written to
 * directly. And so is a file that somebody wrote by hand: one that is not empty and does not begin with the mark.
 *
 * In between output_pass_on() takes what there is of a file's text, which is empty then, so that a large one is never
 * in memory as a whole; what goes to a device stays there. What fails in it, output_end() tells. There is one set of
 * files at a time.
 *
 * False: something failed and was reported on standard error, and the temporary files are gone. */
bool output_begin(const output *wanted, size_t count);
void output_pass_on(size_t which);
bool output_end(bool touch);

/* Standard output alone, checked as well. */
bool output_print(const buffer *text);

/* Removes temporary files when a signal ends ufc, or memory runs out. Call once, before the first output_begin(). */
void output_prepare(void);

#endif
