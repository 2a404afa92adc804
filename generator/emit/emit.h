/* emit.h - the outputs of ufc, each made only from the IR.
 *
 * All are deterministic: equal tables and options give equal bytes. They contain no date, and only the given paths. */
#ifndef UFC_EMIT_H
#define UFC_EMIT_H

#include "buffer.h"
#include "ir.h"

/* The runtime interface of the emitted code: UF_ABI of its headers. */
#define EMIT_ABI 9u

/* The first line of every C file and header begins with this, whatever the version of ufc that made the file. */
#define EMIT_MARK "/* Made by ufc "

typedef struct emit_options {
    const char *header_name;        /* as the .c file includes it: "picker.h" */
    const char *output_name;        /* this output's own path, to which #line switches back */
    bool line_directives;           /* false: `--no-line`, a text for reading */
    bool no_names;                  /* `--no-names`: the tables have lines, and no names and edges */
    bool coverage;                  /* the C file counts what runs */
    const char *const *prefix_maps; /* "OLD=NEW": replaces the prefix OLD of file names; the last match counts */
    size_t prefix_map_count;
    const ir_unit *const *units; /* of a config: all files of the command */
    size_t unit_count;
} emit_options;

#define EMITTER(id, word, extension, function)                                                                         \
    void function(const ir_unit *unit, const emit_options *options, buffer *out);
#include "emitters.def"

/* A C program that prints the bytes of state per flow, task and wait: only the compiler of the target knows them. */
void emit_sizes(const ir_unit *unit, const emit_options *options, buffer *out);

#endif
