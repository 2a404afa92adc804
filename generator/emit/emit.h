/* SPDX-License-Identifier: MIT */
/* emit.h - the outputs of ufc, each made only from the IR.
 *
 * All are deterministic: equal tables and options give equal bytes. They contain no date, and only the given paths. */
#ifndef UFC_EMIT_H
#define UFC_EMIT_H

#include "buffer.h"
#include "ir.h"

/* The runtime interface of the emitted code: UF_ABI of its headers. */
#define EMIT_ABI 1u

/* The first line of every C file and header begins with this, whatever the version of ufc that made the file. */
#define EMIT_MARK "/* Made by ufc "

/* A piece of a source that an output contains byte for byte, from byte `to` on. `body`: which one of the skeleton it is
 * in, from 1; 0: none. */
typedef struct emit_copy {
    span from;
    size_t to;
    uint32_t body;
} emit_copy;

/* For a language server of C: emit_c() writes the declarations of all flows of the file, and the bodies of one. It
 * leaves tables and the switch out. It writes the headers of `units`, each after those that it imports, in place of
 * their #includes. */
typedef struct emit_skeleton {
    span flow;    /* around the flow; an empty one: only what is outside of flows */
    arena *arena; /* of the copies */
    emit_copy *copies;
    size_t count, capacity;
    uint32_t bodies, body; /* bodies so far; the one that is being written */
    size_t declared;       /* bytes up to the end of the headers, which are the same for each flow */
} emit_skeleton;

typedef struct emit_options {
    const char *header_name;        /* as the .c file includes it: "picker.h" */
    const char *output_name;        /* this output's own path, to which #line switches back */
    bool line_directives;           /* false: `--no-line`, a text for reading */
    bool no_names;                  /* `--no-names`: the tables have lines, and no names and edges */
    bool coverage;                  /* the C file counts what runs */
    bool mutants;                   /* the C file has small changes inside, of which one is chosen at run time */
    const char *const *prefix_maps; /* "OLD=NEW": replaces the prefix OLD of file names; the last match counts */
    size_t prefix_map_count;
    const ir_unit *const *units; /* of a config: all files of the command; of a skeleton: the imports */
    size_t unit_count;
    emit_skeleton *skeleton; /* NULL: a whole file; otherwise without #line */
} emit_options;

#define EMITTER(id, word, extension, function)                                                                         \
    void function(const ir_unit *unit, const emit_options *options, buffer *out);
#include "emitters.def"

/* A C program that prints the bytes of state per flow, task and wait: only the compiler of the target knows them. */
void emit_sizes(const ir_unit *unit, const emit_options *options, buffer *out);

#endif
