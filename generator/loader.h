/* loader.h - reads the input and what it imports. */
#ifndef UFC_LOADER_H
#define UFC_LOADER_H

#include <sys/types.h>

#include "ast.h"
#include "diag.h"

/* A file that was read. One that is reached by several names is read once. */
typedef struct loaded_file {
    struct loaded_file *next; /* in the order of reading */
    const source *in;
    ast_file *ast;
    dev_t device; /* device and inode say which file it is; standard input has none */
    ino_t inode;
    bool has_inode;
    bool is_open;                 /* its imports are being looked at: */
    struct loaded_file *importer; /* who was first to import it, */
    ast_import *rest;             /* and which are left */
} loaded_file;

typedef struct loader {
    arena *arena;
    diagnostics *diagnostics;
    const char *const *import_dirs;
    size_t import_dir_count;
    const char *stdin_name;
    loaded_file *first, *last;
    uint32_t count;
    loaded_file **known;                /* a hash table by device and inode */
    size_t known_count, known_capacity; /* a power of two */
} loader;

/* Reads the input that the command names, "-" for standard input, and parses it. Only regular files are read: a
 * device or a pipe that has a name might never end, or never begin. NULL: it cannot be read, which was reported on
 * standard error. */
ast_file *loader_open(loader *l, const char *path);

/* Reads and parses what `main` imports, directly and by way of others, and completes ast_import.file.
 *
 * The path of an import is looked up beside the importing file, then in the import directories. It may not be
 * absolute nor contain "..": what a file can reach is decided by the command and not by the file, and the #include
 * that is made of it works wherever the sources are. A symbolic link is followed. An import that cannot be read and a
 * cycle are reported at the import, whose `file` stays NULL. */
void loader_imports(loader *l, ast_file *main);

bool loader_has_read(const loader *l, dev_t device, ino_t inode);

#endif
