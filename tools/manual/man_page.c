/* SPDX-License-Identifier: MIT */
/* The options as man(7) paragraphs, and as rows of a Markdown table. */
#include "manual.h"

#include <stdbool.h>
#include <string.h>

/* -- man(7) ------------------------------------------------------------------------------------------------------ */

enum { LINE = 70 }; /* columns of the source */

/* Escapes the characters that troff reads, and sets what stands between backquotes in bold. Each sentence begins a
 * line. */
static void put_roff(buffer *out, const char *text)
{
    bool is_bold = false;
    size_t begin = out->length;
    for (const char *c = text; *c; c++) {
        if (*c == '`') {
            is_bold = !is_bold;
            buffer_puts(out, is_bold ? "\\fB" : "\\fR");
        } else if (*c == '-') {
            buffer_puts(out, "\\-");
        } else if (*c == '\\') {
            buffer_puts(out, "\\e");
        } else if (*c == ' ' && (c[-1] == '.' || out->length - begin > LINE - strcspn(c + 1, " "))) {
            buffer_putc(out, '\n');
            begin = out->length;
        } else {
            buffer_putc(out, *c);
        }
    }
}

static void put_roff_name(buffer *out, const option_row *row)
{
    buffer_puts(out, "\\fB");
    put_roff(out, row->name);
    buffer_puts(out, "\\fR");
    put_roff(out, option_join(row));
    const char *argument = row->argument;
    if (*argument == ' ') buffer_putc(out, *argument++);
    if (*argument) BUFFER_PUT(out, "\\fI", argument, "\\fR");
}

void manual_man_options(buffer *out)
{
    for (size_t i = 0; i < option_count; i++) {
        const option_row *const row = &option_table[i];
        if (row->kind == ROW_SECTION) {
            BUFFER_PUT(out, ".SS ", row->name, "\n");
            continue;
        }
        buffer_puts(out, ".TP\n");
        put_roff_name(out, row);
        buffer_putc(out, '\n');
        put_roff(out, row->help);
        buffer_putc(out, '\n');
    }
}

void manual_man_statuses(buffer *out)
{
    for (size_t i = 0; i < exit_count; i++) {
        BUFFER_PUT(out, ".TP\n.B ", (unsigned)exit_table[i].status, "\n");
        put_roff(out, exit_table[i].help);
        buffer_putc(out, '\n');
    }
}

/* -- Markdown ---------------------------------------------------------------------------------------------------- */

void manual_markdown_options(buffer *out)
{
    for (size_t i = 0; i < option_count; i++) {
        const option_row *const row = &option_table[i];
        if (row->kind == ROW_SECTION) BUFFER_PUT(out, "| **", row->name, "** | |\n");
        else BUFFER_PUT(out, "| `", row->name, option_join(row), row->argument, "` | ", row->help, " |\n");
    }
}
