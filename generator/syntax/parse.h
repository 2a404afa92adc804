/* parse.h - from the bytes of a file to its AST. */
#ifndef UFC_PARSE_H
#define UFC_PARSE_H

#include "ast.h"
#include "diag.h"

/* Reads a file. Never NULL: what could be read in spite of errors, which are in `d`, is in the AST, and holds together.
 * Imports are named but not loaded. */
ast_file *parse_file(arena *a, diagnostics *d, const source *in);

#endif
