/* SPDX-License-Identifier: MIT */
/* history.h - the transitions of a run as lines of text, and comparing them with those of a file or another run. */
#ifndef UFLOW_TEST_HISTORY_H
#define UFLOW_TEST_HISTORY_H

#include "run.h"

/* Where the lines of a run go. */
typedef struct uft_lines {
    uft_slot *slot; /* the last ones are kept here; NULL: not */
    bool keeps;     /* all are kept in `text` */
    bool compares;  /* with `expected` */
    char *text;
    size_t size, room;
    bool out_of_memory;
    const char *expected; /* what is left of it */
    size_t expected_size;
    uint32_t line; /* number of the line that is compared, from 1 */
    bool differs;  /* the first difference is in the members below */
    uf_time differs_at;
    char is[TEST_LINE_SIZE + TEST_LINE_SIZE / 4], was[TEST_LINE_SIZE + TEST_LINE_SIZE / 4]; /* "": no line */
} uft_lines;

/* Takes a line: the callback of a uft_watch. */
void uft_take_line(void *lines, uf_time time, const char *text);

/* Adds a line to those of the report, and none to those that are compared: the other callback of a uft_watch. */
void uft_take_note(void *lines, uf_time time, const char *text);

/* After the last line: is there more in `expected`? */
void uft_end_lines(uft_lines *lines, uf_time time);

/* Reads a file. Returns: its text, to be freed; NULL: see errno. */
char *uft_read_file(const char *path, size_t *size);

/* Replaces a file as a whole. Returns: false: see errno. */
bool uft_write_file(const char *path, const char *text, size_t size);

#endif
