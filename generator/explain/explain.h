/* explain.h - from the bytes of a file, which may be wrong, to its AST. */
#ifndef UFC_EXPLAIN_H
#define UFC_EXPLAIN_H

#include "ast.h"
#include "diag.h"

/* Parses a file. Never returns NULL: after errors, which are added to `d`, the AST holds all parts that could be read,
 * and is consistent. Imports are named but not loaded. A file without errors is read by the strict grammar alone. */
ast_file *parse_file(arena *a, diagnostics *d, const source *in);

/* The second pass alone, which takes every file. */
ast_file *explain_file(arena *a, diagnostics *d, const source *in);

#endif
