/* SPDX-License-Identifier: MIT */
#include "option_table.h"

#include <stdbool.h>
#include <string.h>

static const char emit_words[] =
#define EMITTER(id, word, extension, function) "," word
#include "emitters.def"
    ;
#define EMIT_WORDS (emit_words + 1)

const option_row option_table[] = {
#define SECTION(title) {ROW_SECTION, 0, title, "", VALUE_NOTHING, "", ""},
#define LONG(id, name, argument, value, choices, help)                                                                 \
    {ROW_LONG, OPT_##id, "--" name, argument, VALUE_##value, choices, help},
#define SHORT(name, argument, value, choices, help)                                                                    \
    {ROW_SHORT, (name)[1], name, argument, VALUE_##value, choices, help},
#define OPERAND(name, value, help) {ROW_OPERAND, 0, name, "", VALUE_##value, "", help},
#include "options.def"
};
const size_t option_count = sizeof option_table / sizeof option_table[0];

const exit_row exit_table[] = {
#define EXIT_STATUS(id, number, help) {EXIT_##id, help},
#include "options.def"
};
const size_t exit_count = sizeof exit_table / sizeof exit_table[0];

const option_row *option_find(int id)
{
    size_t i = 0;
    while (option_table[i].id != id) i++;
    return &option_table[i];
}

const char *option_join(const option_row *row)
{
    return row->kind == ROW_LONG && row->argument[0] ? "=" : "";
}

/* -- --help -------------------------------------------------------------------------------------------------------- */

enum { INDENT = 27, WIDTH = 105 };

void option_wrap(buffer *out, const char *text, size_t indent, size_t width)
{
    const char *line = text; /* its first word */
    for (const char *word = text; *word;) {
        size_t const length = strcspn(word, " \n");
        bool const is_full = indent + (size_t)(word - line) + length > width;
        if (word > text && (is_full || word[-1] == '\n')) {
            buffer_putc(out, '\n');
            buffer_fill(out, ' ', indent);
            line = word;
        } else if (word > text) {
            buffer_putc(out, ' ');
        }
        buffer_append(out, word, length);
        word += length + (word[length] != '\0');
    }
    buffer_putc(out, '\n');
}

/* Drops the marks around what is typed. */
static void put_help(buffer *out, const char *help)
{
    buffer plain = {0};
    for (; *help; help++) {
        if (*help != '`') buffer_putc(&plain, *help);
    }
    option_wrap(out, plain.text, INDENT, WIDTH);
    buffer_free(&plain);
}

static void put_row(buffer *out, const option_row *row)
{
    size_t const before = out->length;
    buffer_printf(out, "  %s%s%s", row->name, option_join(row), row->argument);
    size_t column = out->length - before;
    if (column >= INDENT) {
        buffer_putc(out, '\n');
        column = 0;
    }
    buffer_fill(out, ' ', INDENT - column);
    put_help(out, row->help);
}

void option_help(buffer *out)
{
    buffer_puts(out, "Usage: ufc [options] FILE.uflow\n");
    buffer_puts(out, "       ufc fmt [-i | --check | --diff] FILE...\nCompiles flows to C.\n");
    for (size_t i = 0; i < option_count; i++) {
        if (option_table[i].kind == ROW_SECTION) buffer_printf(out, "\n%s:\n", option_table[i].name);
        else put_row(out, &option_table[i]);
    }
    buffer_puts(out, "\nExit status:\n");
    for (size_t i = 0; i < exit_count; i++) {
        buffer_printf(out, "  %-*d", INDENT - 2, (int)exit_table[i].status);
        put_help(out, exit_table[i].help);
    }
}
