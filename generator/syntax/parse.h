/* parse.h - from the bytes of a file to its AST. */
#ifndef UFC_PARSE_H
#define UFC_PARSE_H

#include "ast.h"
#include "diag.h"

/* Parses a file. Never returns NULL: after errors, which are added to `d`, the AST holds all parts that could be read,
 * and is consistent. Imports are named but not loaded. */
ast_file *parse_file(arena *a, diagnostics *d, const source *in);

#endif
