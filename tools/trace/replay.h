/* replay.h - a replay for the page of `ufc --emit=html`, in one file with it. */
#ifndef TRACE_REPLAY_H
#define TRACE_REPLAY_H

#include "sink.h"

typedef struct trace_page {
    char *text;
    const char *rest; /* after the data */
} trace_page;

/* Writes the first page up to where the replay comes, with the data of the others. They end the program if a file is no
 * page. The sink `trace_replay` writes what is between the two calls. */
void trace_begin_page(trace_page *page, FILE *out, const char *const *paths, size_t count);
void trace_end_page(trace_page *page, FILE *out);

#endif
