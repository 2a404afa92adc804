/* emit.h - the outputs of ufc, each a text made of the IR alone.
 *
 * All are deterministic: equal tables and options give equal bytes, with no date and no path but those given. */
#ifndef UFC_EMIT_H
#define UFC_EMIT_H

#include "buffer.h"
#include "ir.h"

/* The runtime that the emitted code is for: UF_ABI of its headers. */
#define EMIT_ABI 6u

/* What every C file and header begins with. */
#define EMIT_MARK "/* Made by ufc from "

typedef struct emit_options {
    const char *header_name;        /* as the .c file includes it: "picker.h" */
    const char *output_name;        /* of the very output that is made: what #line switches back to */
    bool line_directives;           /* false: `--no-line`, a text for reading */
    const char *const *prefix_maps; /* "OLD=NEW": how files whose names begin with OLD are called; the last that fits */
    size_t prefix_map_count;
    void (*pass_on)(void *context); /* NULL, or called now and then: may take what there is of the text, and empty it */
    void *context;
} emit_options;

void emit_c(const ir_unit *unit, const emit_options *options, buffer *out);
void emit_header(const ir_unit *unit, const emit_options *options, buffer *out);
void emit_dot(const ir_unit *unit, const emit_options *options, buffer *out);
void emit_mermaid(const ir_unit *unit, const emit_options *options, buffer *out);
void emit_json(const ir_unit *unit, const emit_options *options, buffer *out);

/* A C program that prints the bytes of state per flow, task and wait: only the compiler of the target knows them. */
void emit_sizes(const ir_unit *unit, const emit_options *options, buffer *out);

#endif
