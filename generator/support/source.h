/* SPDX-License-Identifier: MIT */
/* source.h - input files in memory, and places in them. */
#ifndef UFC_SOURCE_H
#define UFC_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "arena.h"

#define SOURCE_LIMIT (16u * 1024u * 1024u)

typedef struct source {
    const char *name; /* the user's name for it, in diagnostics and #line */
    const char *text; /* NUL-terminated; text[size] == 0; a BOM is left out */
    uint32_t size;
    uint32_t id;     /* index into the source set */
    uint32_t *lines; /* offset of each line's first byte */
    uint32_t line_count;
} source;

/* A piece of a source: [begin, end). */
typedef struct span {
    const source *in;
    uint32_t begin, end;
} span;

typedef struct position {
    uint32_t line, column; /* from 1; columns count bytes */
} position;

source *source_from_text(arena *a, const char *name, const char *text, size_t size);
/* The same for a NUL-terminated text that stays valid: it is not copied. */
source *source_in_place(arena *a, const char *name, const char *text, size_t size);
position source_position(const source *s, uint32_t offset);
uint32_t source_line(const source *s, uint32_t offset);
/* Is the byte on that line? The line need not exist. */
bool source_is_on_line(const source *s, uint32_t line, uint32_t offset);
/* Returns the text of line number `line` (from 1), without its line end. */
const char *source_line_text(const source *s, uint32_t line, uint32_t *length);
span span_join(span first, span last);

#endif
