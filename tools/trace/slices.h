/* SPDX-License-Identifier: MIT */
/* slices.h - events as tracks, nested slices, instants and arrows, for viewers of traces. */
#ifndef TRACE_SLICES_H
#define TRACE_SLICES_H

#include "sink.h"

/* A track: one per flow, and two more. The number of a flow's track is its own number. */
#define SLICE_SIGNALS (UF_CELL_OBJECT + 1)
#define SLICE_RUNTIME (UF_CELL_OBJECT + 2)

typedef enum slice_kind { SLICE_BEGIN, SLICE_END, SLICE_INSTANT } slice_kind;

/* A slice begins or ends, or an instant. Texts are of the trace, so they may hold any bytes. */
typedef struct slice_mark {
    slice_kind kind;
    uint64_t time;
    uint32_t track;
    const char *name;         /* NULL: an end */
    uint32_t *name_number;    /* for writers that number names; NULL: the name is a rare one. 0: no number yet */
    const char *key, *detail; /* a remark; NULL: none */
    uint64_t out, out_count;  /* numbers of arrows that begin here */
    uint64_t in;              /* an arrow that ends here; 0: none */
} slice_mark;

typedef struct slice_writer {
    void (*begin)(FILE *out);
    /* Called before the first mark on the track, after the same for its parent. `parent` 0: none. */
    void (*track)(FILE *out, uint32_t track, uint32_t parent, const char *name);
    void (*mark)(FILE *out, const slice_mark *mark);
    void (*end)(FILE *out);
} slice_writer;

/* Returns: the sink that calls the writer. */
trace_sink *trace_slices(const slice_writer *writer, FILE *out);

#endif
