/* SPDX-License-Identifier: MIT */
/* lower.h - from a checked AST to the tables of ir.h. */
#ifndef UFC_LOWER_H
#define UFC_LOWER_H

#include "ast.h"
#include "ir.h"

/* Lowers a file in which sema found no error; its tests too, if wanted. Lifetime: the unit belongs to the arena. */
ir_unit *lower_unit(arena *a, const ast_file *main, bool with_tests);

#endif
