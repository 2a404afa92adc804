/* lower.h - from a checked AST to the tables of ir.h. */
#ifndef UFC_LOWER_H
#define UFC_LOWER_H

#include "ast.h"
#include "ir.h"

/* Only for a file in which no error was found. */
ir_unit *lower_unit(arena *a, const ast_file *main);

#endif
