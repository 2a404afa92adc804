/* SPDX-License-Identifier: MIT */
/* replay.h - a replay for the page of `ufc --emit=html`, in one file with it. */
#ifndef TRACE_REPLAY_H
#define TRACE_REPLAY_H

#include "sink.h"

typedef struct trace_pages {
    char **texts;
    size_t count;
} trace_pages;

/* Reads the pages. Ends the program if a file is no page. */
void trace_read_pages(trace_pages *pages, const char *const *paths, size_t count);

/* Has a page the diagram of a flow of the trace? */
bool trace_pages_fit(const trace_pages *pages, trace_reader *reader);

/* The first page with the data of all. The sink `trace_replay` writes what is between the two calls. */
void trace_begin_page(const trace_pages *pages, FILE *out);
void trace_end_page(trace_pages *pages, FILE *out); /* frees the pages */

#endif
