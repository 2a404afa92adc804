/* SPDX-License-Identifier: MIT */
/* loader.h - reads the input and its imports. */
#ifndef UFC_LOADER_H
#define UFC_LOADER_H

#include "ast.h"
#include "diag.h"
#include "files.h"
#include "scope.h"

/* A source file. A file with several names is read once. */
typedef struct loaded_file {
    struct loaded_file *next; /* in the order of reading */
    const source *in;
    ast_file *ast;
    bool is_named;                /* not standard input */
    bool is_open;                 /* its imports are being visited: */
    struct loaded_file *importer; /* its first importer, */
    ast_import *rest;             /* and its remaining imports */
} loaded_file;

/* The text of a file that is open in an editor and may differ from the file, with a NUL behind it; NULL: it is not
 * open. Lifetime: as long as the arena of the loader. */
typedef char *loader_unsaved(const void *context, const file_facts *is, size_t *length);

typedef struct loader {
    arena *arena;
    diagnostics *diagnostics;
    const char *const *import_dirs;
    size_t import_dir_count;
    const char *stdin_name;
    loader_unsaved *unsaved; /* or NULL */
    const void *editor;      /* its context */
    loaded_file *first, *last;
    uint32_t count;
    scope known; /* of loaded_file, by device and inode */
} loader;

/* Reads and parses the input that the command names, "-" for standard input. It must be a regular file: reading a
 * device or a named pipe might block for ever. Returns: NULL if it cannot be read, which is reported on standard
 * error. */
ast_file *loader_open(loader *l, const char *path);

/* Reads a regular file, whatever it holds, with a NUL behind it. Returns: NULL if it cannot be read, and `why`. */
const char *loader_read(arena *a, const char *path, size_t *size, const char **why);

/* The same as loader_open() for a text in memory, which must stay valid. `is`: the file that it belongs to; NULL: there
 * is none. */
ast_file *loader_take_text(loader *l, const char *name, const file_facts *is, char *text, size_t length);

/* Reads and parses the direct and indirect imports of `main`, and sets ast_import.file.
 *
 * Looks up the path of an import beside the importing file, then in the import directories. The path must not be
 * absolute or contain "..". So the command alone determines which files are read, and the generated #include works in
 * every source directory. Follows symbolic links. Reports unreadable imports and cycles at the import, whose `file`
 * stays NULL. */
void loader_imports(loader *l, ast_file *main);

bool loader_has_read(const loader *l, const file_facts *is);

#endif
