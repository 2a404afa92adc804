/* SPDX-License-Identifier: MIT */
/* format.h - the layout of a .uflow file: `ufc fmt`. */
#ifndef UFC_FORMAT_H
#define UFC_FORMAT_H

#include "ast.h"
#include "buffer.h"

/* Appends the text of a file without errors in the layout of `ufc fmt`. Tokens and comments stay in their order; only
 * blanks and line breaks between them change. */
void format_file(arena *a, const ast_file *file, buffer *out);

#endif
