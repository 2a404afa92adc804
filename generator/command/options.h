/* SPDX-License-Identifier: MIT */
/* options.h - the command line of ufc. */
#ifndef UFC_OPTIONS_H
#define UFC_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "arena.h"
#include "diag.h"
#include "formats.h"
#include "option_table.h"

typedef enum emit_kind {
#define EMITTER(id, word, extension, function) EMIT_##id,
#include "emitters.def"
    EMIT_KINDS
} emit_kind;

enum { DUMP_TOKENS = 1u, DUMP_AST = 2u };

typedef enum color_choice { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER } color_choice;

typedef struct text_list {
    const char **items;
    size_t count, capacity;
} text_list;

typedef struct options {
    const char *input;             /* "-" is standard input */
    text_list inputs;              /* several of `fmt` and `--emit=config` */
    const char *stdin_name;        /* the name of standard input in diagnostics */
    const char *output, *header;   /* as given, or NULL */
    const char *paths[EMIT_KINDS]; /* destinations: "-" is standard output, NULL means no output */
    const char *header_name;       /* the header's name in the C file */
    unsigned dump;                 /* DUMP_... */
    bool check;                    /* writes nothing */
    bool formats, in_place, diff;  /* `fmt` and its options */
    bool sizes;                    /* the C file is the program that prints sizes */
    bool depend, depend_phony;
    const char *depfile;
    text_list depend_targets;
    text_list import_dirs, blocking;
    text_list prefix_maps; /* "OLD=NEW" */
    bool line_directives, no_names, touch, coverage, mutants, tests;
    const char *compared;   /* the older output of --emit=json; NULL: nothing is compared */
    bool list_tests;        /* prints their places and names */
    unsigned color, format; /* a color_choice, a diag_format */
} options;

typedef enum options_end {
    OPTIONS_COMPILE, /* continue */
    OPTIONS_FORMAT,  /* format the inputs */
    OPTIONS_COMPARE, /* compare the input with `compared` */
    OPTIONS_PRINT,   /* `text` is the output: --help, --version, --explain */
    OPTIONS_WRONG    /* reported on standard error */
} options_end;

/* Reads the command line. -W options change `d`, which must live until the end of the compilation. */
options_end options_parse(arena *a, diagnostics *d, int argc, char **argv, options *o, buffer *text);

void text_list_add(arena *a, text_list *list, const char *text);

/* Prints "ufc: ..." and a pointer to --help on standard error. Returns EXIT_USAGE. */
exit_status options_complain(const char *format, ...) PRINTF_LIKE(1, 2);

#endif
