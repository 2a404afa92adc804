/* SPDX-License-Identifier: MIT */
/* lower.h - from a checked AST to the tables of ir.h. */
#ifndef UFC_LOWER_H
#define UFC_LOWER_H

#include "ast.h"
#include "ir.h"

/* What only some outputs need: the tests of the file; pieces for the conditions of `if`. */
typedef enum lower_parts { LOWER_TESTS = 1, LOWER_CONDITIONS = 2 } lower_parts;

/* Lowers a file in which sema found no error. `parts`: a set of lower_parts.
 * Lifetime: the unit belongs to the arena. */
ir_unit *lower_unit(arena *a, const ast_file *main, unsigned parts);

#endif
