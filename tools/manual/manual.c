/* SPDX-License-Identifier: MIT */
/* ufc_manual - fills in a template: a line `@NAME@` becomes the text of that name, and elsewhere @VERSION@ becomes the
 * version. Made for the build; not installed.
 *
 * usage: ufc_manual TEMPLATE OUTPUT     - is standard input or output */
#include "manual.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"

void manual_warnings(buffer *out)
{
    const char *separator = "";
    for (int code = 0; code < DIAG_CODE_COUNT; code++) {
        const diag_info *const info = diag_describe((diag_code)code);
        if (!info->name[0]) continue;
        BUFFER_PUT(out, separator, info->name);
        separator = " ";
    }
}

void manual_codes(buffer *out)
{
    for (int code = 0; code < DIAG_CODE_COUNT; code++)
        BUFFER_PUT(out, code ? " " : "", diag_describe((diag_code)code)->code);
}

void manual_summary(buffer *out, const option_row *row, const char *escaped, const char *escape)
{
    const char *const end = strstr(row->help, ". ");
    size_t const length = end ? (size_t)(end - row->help) : strlen(row->help) - 1;
    for (size_t i = 0; i < length; i++) {
        if (row->help[i] == '`') continue;
        if (strchr(escaped, row->help[i])) buffer_puts(out, escape);
        buffer_putc(out, row->help[i]);
    }
}

void manual_choices(buffer *out, const option_row *row, const char *separator)
{
    for (const char *c = row->choices; *c; c++) {
        if (*c == ',') buffer_puts(out, separator);
        else buffer_putc(out, *c);
    }
}

static void version(buffer *out)
{
    buffer_puts(out, UFC_VERSION);
}

static const struct part {
    const char *name;
    void (*append)(buffer *out);
} parts[] = {
    {"@VERSION@", version},
    {"@WARNINGS@", manual_warnings},
    {"@CODES@", manual_codes},
    {"@MAN_OPTIONS@", manual_man_options},
    {"@MAN_STATUSES@", manual_man_statuses},
    {"@MARKDOWN_OPTIONS@", manual_markdown_options},
    {"@BASH_OPTIONS@", manual_bash_options},
    {"@BASH_VALUES@", manual_bash_values},
    {"@BASH_JOINED@", manual_bash_joined},
    {"@ZSH_OPTIONS@", manual_zsh_options},
    {"@FISH_OPTIONS@", manual_fish_options},
};

static const struct part *part_at(const char *text)
{
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (strncmp(text, parts[i].name, strlen(parts[i].name)) == 0) return &parts[i];
    }
    return NULL;
}

static void fill_in(buffer *out, const char *text)
{
    while (*text) {
        const struct part *const part = *text == '@' ? part_at(text) : NULL;
        if (!part) {
            buffer_putc(out, *text++);
            continue;
        }
        part->append(out);
        text += strlen(part->name);
        /* A part of whole lines has its own line end. */
        if (*text == '\n' && out->length && out->text[out->length - 1] == '\n') text++;
    }
}

static bool read_all(const char *path, buffer *text)
{
    FILE *const file = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
    if (!file) return false;
    char part[4096];
    for (size_t size; (size = fread(part, 1, sizeof part, file)) > 0;) buffer_append(text, part, size);
    bool const is_read = !ferror(file);
    if (file != stdin) fclose(file);
    return is_read;
}

static bool write_all(const char *path, const buffer *text)
{
    FILE *const file = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
    if (!file) return false;
    bool const is_written = !text->length || fwrite(text->text, 1, text->length, file) == text->length;
    return fclose(file) == 0 && is_written;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fputs("usage: ufc_manual TEMPLATE OUTPUT\n", stderr);
        return EXIT_USAGE;
    }
    buffer template = {0}, out = {0};
    const char *wrong = NULL;
    if (!read_all(argv[1], &template)) wrong = argv[1];
    if (!wrong && template.length) fill_in(&out, template.text);
    if (!wrong && !write_all(argv[2], &out)) wrong = argv[2];
    if (wrong) perror(wrong);
    buffer_free(&template);
    buffer_free(&out);
    return wrong ? EXIT_IO : EXIT_GOOD;
}
