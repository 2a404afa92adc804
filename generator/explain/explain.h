/* SPDX-License-Identifier: MIT */
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

/* The same, for a test of the tables in refusals.def: which rows fit a refusal. */
typedef enum row_table { ROWS_REPORT, ROWS_HELP, ROWS_ARM_HELP, ROW_TABLES } row_table;
typedef struct row_trial {
    row_table table;
    uint64_t left_out; /* rows of the table, as bits */
    uint32_t from;     /* tokens before this one are not of interest */
    int64_t at;        /* the token at which rows are left out; -1: becomes the first one for which a row fits */
    int taken;         /* the row that fits there; -1: none */
} row_trial;
ast_file *explain_trial(arena *a, diagnostics *d, const source *in, row_trial *trial);

#endif
