/* SPDX-License-Identifier: MIT */
/* option_table.h - the rows of options.def. */
#ifndef UFC_OPTION_TABLE_H
#define UFC_OPTION_TABLE_H

#include <stddef.h>

#include "buffer.h"

typedef enum option_kind { ROW_SECTION, ROW_LONG, ROW_SHORT, ROW_OPERAND } option_kind;

/* What an argument is, for completion. */
typedef enum option_value {
    VALUE_NOTHING,
    VALUE_TEXT,
    VALUE_INPUT, /* a .uflow file */
    VALUE_FILE_NAME,
    VALUE_DIRECTORY,
    VALUE_CHOICE,
    VALUE_CHOICES, /* several, separated by commas */
    VALUE_WARNING,
    VALUE_CODE /* a code or a warning */
} option_value;

/* The ids of the long options; a short one has its letter. */
enum {
    OPT_FIRST = 255,
#define LONG(id, name, argument, value, choices, help) OPT_##id,
#include "options.def"
};

/* The documented exit statuses. */
typedef enum exit_status {
#define EXIT_STATUS(id, number, help) EXIT_##id = (number),
#include "options.def"
} exit_status;

typedef struct option_row {
    option_kind kind;
    int id;
    const char *name; /* "--emit", "-MF", "-Wno-"; of a section, its title */
    const char *argument;
    option_value value;
    const char *choices;
    const char *help;
} option_row;

typedef struct exit_row {
    exit_status status;
    const char *help;
} exit_row;

extern const option_row option_table[];
extern const size_t option_count;
extern const exit_row exit_table[];
extern const size_t exit_count;

/* The row of a long option. */
const option_row *option_find(int id);

/* The text between the name and the argument: "=" or nothing. */
const char *option_join(const option_row *row);

/* Appends a text in lines of at most `width` columns, from the second one on indented. It may hold line ends. */
void option_wrap(buffer *out, const char *text, size_t indent, size_t width);

/* Appends what --help prints. */
void option_help(buffer *out);

#endif
