/* SPDX-License-Identifier: MIT */
/* manual.h - texts made from the table of options: each function appends one of them. */
#ifndef UFC_MANUAL_H
#define UFC_MANUAL_H

#include "option_table.h"

/* The options as man(7) paragraphs, and the exit statuses. */
void manual_man_options(buffer *out);
void manual_man_statuses(buffer *out);

/* The rows of the table in docs/ufc.md. */
void manual_markdown_options(buffer *out);

/* Parts of the completions; their templates have the rest. */
void manual_bash_options(buffer *out);
void manual_bash_values(buffer *out);
void manual_bash_joined(buffer *out);
void manual_zsh_options(buffer *out);
void manual_fish_options(buffer *out);

/* The names of all warnings, and the codes of all diagnostics. */
void manual_warnings(buffer *out);
void manual_codes(buffer *out);

/* Appends the first sentence of the help, without its period and marks. `escaped` characters get the escape. */
void manual_summary(buffer *out, const option_row *row, const char *escaped, const char *escape);

/* The choices of a row with another separator than the comma. */
void manual_choices(buffer *out, const option_row *row, const char *separator);

#endif
