/* SPDX-License-Identifier: MIT */
/* parse.h - from the bytes of a file to its AST, by the strict grammar. explain.h is for files that may be wrong. */
#ifndef UFC_PARSE_H
#define UFC_PARSE_H

#include "ast.h"
#include "diag.h"

/* Parses a file. Returns NULL if anything in it is wrong, and says nothing about that; warnings are added to `d`.
 * Imports are named but not loaded. */
ast_file *parse_strictly(arena *a, diagnostics *d, const source *in);

#endif
