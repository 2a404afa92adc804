/* SPDX-License-Identifier: MIT */
/* sema.h - the checks of a parsed file. */
#ifndef UFC_SEMA_H
#define UFC_SEMA_H

#include "arena.h"
#include "ast.h"
#include "diag.h"

typedef struct sema_options {
    const char *const *blocking; /* names of additional functions that block */
    size_t blocking_count;
    const char *header; /* the name of the header that is generated; NULL: none is */
} sema_options;

/* Checks `main` and fills in the members of the AST that are marked "sema:". Imports must be loaded; sema reads only
 * their declarations. It does not report possible consequences of a syntax error. If no error was reported, the file
 * can be lowered. */
void sema_check(arena *a, diagnostics *d, ast_file *main, const sema_options *options);

#endif
