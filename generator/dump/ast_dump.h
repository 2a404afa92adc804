/* SPDX-License-Identifier: MIT */
/* ast_dump.h - tokens and AST as text, for `--dump` and for the golden tests. */
#ifndef UFC_AST_DUMP_H
#define UFC_AST_DUMP_H

#include "ast.h"
#include "buffer.h"

/* One line per token: line:column, kind, text. */
void token_dump(const token_list *tokens, buffer *out);

/* An indented tree. Places are lines. */
void ast_dump(const ast_file *file, buffer *out);

#endif
