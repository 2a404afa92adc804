/* SPDX-License-Identifier: MIT */
/* The parts of the shells' completions that come from the table. */
#include "manual.h"

#include <stdbool.h>
#include <string.h>

static bool is_option(const option_row *row)
{
    return row->kind == ROW_LONG || row->kind == ROW_SHORT;
}

/* Does the argument follow the name without a space or `=`? */
static bool is_joined(const option_row *row)
{
    return row->kind == ROW_SHORT && row->argument[0] && row->argument[0] != ' ';
}

/* -- bash -------------------------------------------------------------------------------------------------------- */

void manual_bash_options(buffer *out)
{
    const char *separator = "";
    for (size_t i = 0; i < option_count; i++) {
        const option_row *const row = &option_table[i];
        if (!is_option(row)) continue;
        BUFFER_PUT(out, separator, row->name, option_join(row));
        separator = " ";
    }
}

/* The bash command that completes "$value". */
static void put_bash_value(buffer *out, const option_row *row)
{
    switch (row->value) {
    case VALUE_NOTHING:
    case VALUE_TEXT: buffer_puts(out, ":"); break;
    case VALUE_INPUT: buffer_puts(out, "_ufc_input"); break;
    case VALUE_FILE_NAME: buffer_puts(out, "_ufc_files -f"); break;
    case VALUE_DIRECTORY: buffer_puts(out, "_ufc_files -d"); break;
    case VALUE_CHOICE:
        buffer_puts(out, "_ufc_words '");
        manual_choices(out, row, " ");
        buffer_puts(out, "'");
        break;
    case VALUE_CHOICES:
        buffer_puts(out, "_ufc_list '");
        manual_choices(out, row, " ");
        buffer_puts(out, "'");
        break;
    case VALUE_WARNING: buffer_puts(out, "_ufc_words \"$warnings\""); break;
    case VALUE_CODE: buffer_puts(out, "_ufc_words \"$codes $warnings\""); break;
    }
}

/* A case for each option whose argument is a word of its own for bash, which splits at `=`. */
void manual_bash_values(buffer *out)
{
    for (size_t i = 0; i < option_count; i++) {
        const option_row *const row = &option_table[i];
        size_t const length = strlen(row->name);
        if (!is_option(row) || !row->argument[0] || (is_joined(row) && row->name[length - 1] != '=')) continue;
        BUFFER_PUT(out, "    ", row->name, option_join(row), ") ");
        put_bash_value(out, row);
        buffer_puts(out, " ;;\n");
    }
}

/* A case for each option that an argument follows at once. Longer names come first. */
void manual_bash_joined(buffer *out)
{
    for (size_t i = option_count; i-- > 0;) {
        const option_row *const row = &option_table[i];
        if (row->kind != ROW_SHORT || !row->argument[0] || row->name[strlen(row->name) - 1] == '=') continue;
        BUFFER_PUT(out, "    ", row->name, is_joined(row) ? "*" : "?*", ") prefix=", row->name, "; value=${word#",
                   row->name, "}; ");
        put_bash_value(out, row);
        buffer_puts(out, is_joined(row) ? "; _ufc_options ;;\n" : " ;;\n");
    }
}

/* -- zsh --------------------------------------------------------------------------------------------------------- */

/* The ends of other options that begin with the name of this row. */
static void put_longer_names(buffer *out, const option_row *row)
{
    size_t const length = strlen(row->name);
    for (const option_row *other = option_table; other < option_table + option_count; other++) {
        if (other != row && strncmp(other->name, row->name, length) == 0) BUFFER_PUT(out, " ", other->name + length);
    }
}

static void put_zsh_value(buffer *out, const option_row *row)
{
    switch (row->value) {
    case VALUE_NOTHING: break;
    case VALUE_TEXT: buffer_puts(out, ": "); break;
    case VALUE_INPUT: buffer_puts(out, ":_files -g \"*.uflow\""); break;
    case VALUE_FILE_NAME: buffer_puts(out, ":_files"); break;
    case VALUE_DIRECTORY: buffer_puts(out, ":_directories"); break;
    case VALUE_CHOICE:
        buffer_puts(out, ":(");
        manual_choices(out, row, " ");
        buffer_puts(out, ")");
        break;
    case VALUE_CHOICES:
        buffer_puts(out, ":_sequence compadd - ");
        manual_choices(out, row, " ");
        break;
    case VALUE_WARNING:
        buffer_puts(out, ":($warnings");
        put_longer_names(out, row);
        buffer_puts(out, ")");
        break;
    case VALUE_CODE: buffer_puts(out, ":($codes $warnings)"); break;
    }
}

/* Specifications for _arguments, which takes the first one that fits: longer names come first. */
void manual_zsh_options(buffer *out)
{
    for (size_t i = option_count; i-- > 0;) {
        const option_row *const row = &option_table[i];
        if (!is_option(row)) continue;
        const char *const argument = row->argument + (row->argument[0] == ' ');
        BUFFER_PUT(out, "    \"*", row->name, option_join(row));
        if (is_joined(row)) buffer_putc(out, '-');
        else if (row->kind == ROW_SHORT && argument[0]) buffer_putc(out, '+');
        buffer_putc(out, '[');
        manual_summary(out, row, "[]\"$\\", "\\");
        buffer_putc(out, ']');
        if (argument[0]) BUFFER_PUT(out, ":", argument);
        put_zsh_value(out, row);
        buffer_puts(out, "\" \\\n");
    }
}

/* -- fish -------------------------------------------------------------------------------------------------------- */

static void put_fish_value(buffer *out, const option_row *row)
{
    switch (row->value) {
    case VALUE_NOTHING: break;
    case VALUE_TEXT: buffer_puts(out, " -x"); break;
    case VALUE_INPUT:
    case VALUE_FILE_NAME: buffer_puts(out, " -r -F"); break;
    case VALUE_DIRECTORY: buffer_puts(out, " -x -a '(__fish_complete_directories)'"); break;
    case VALUE_CHOICE:
        buffer_puts(out, " -x -a '");
        manual_choices(out, row, " ");
        buffer_puts(out, "'");
        break;
    case VALUE_CHOICES:
        buffer_puts(out, " -x -a '(__fish_append , ");
        manual_choices(out, row, " ");
        buffer_puts(out, ")'");
        break;
    case VALUE_WARNING: buffer_puts(out, " -x -a \"$warnings\""); break;
    case VALUE_CODE: buffer_puts(out, " -x -a \"$codes $warnings\""); break;
    }
}

static void put_fish_line(buffer *out, const option_row *row, const char *name, size_t length)
{
    buffer_puts(out, "complete -c ufc");
    if (row->kind == ROW_LONG) buffer_puts(out, " -l ");
    else buffer_puts(out, length == 1 ? " -s " : " -o ");
    buffer_append(out, name, length);
    buffer_puts(out, " -d '");
    manual_summary(out, row, "'\\", "\\");
    buffer_puts(out, "'");
}

/* Fish joins arguments only to a single letter or after `=`, so each -WNAME is an option of its own there. */
void manual_fish_options(buffer *out)
{
    for (size_t i = 0; i < option_count; i++) {
        const option_row *const row = &option_table[i];
        if (!is_option(row)) continue;
        const char *const name = row->name + (row->kind == ROW_LONG ? 2 : 1);
        size_t const length = strlen(name);
        if (is_joined(row) && name[length - 1] != '=') {
            BUFFER_PUT(out, "for warning in (string split ' ' $warnings)\n    complete -c ufc -o ", name,
                       "$warning -d '");
            manual_summary(out, row, "'\\", "\\");
            buffer_puts(out, "'\nend\n");
            continue;
        }
        put_fish_line(out, row, name, length - (name[length - 1] == '='));
        put_fish_value(out, row);
        buffer_putc(out, '\n');
    }
}
