/* SPDX-License-Identifier: MIT */
#include "response.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "buffer.h"
#include "files.h"
#include "options.h"

enum { DEEPEST = 16 }; /* the depth of nested files, which also ends a cycle */

typedef struct expansion {
    arena *arena;
    text_list all;
    bool ended; /* after `--`, words are not options */
} expansion;

static bool read_file(const char *path, buffer *text)
{
    char block[4096];
    FILE *const file = file_stream(path);
    if (!file) return !options_complain("cannot read @%s: %s", path, strerror(errno));
    errno = 0;
    for (size_t size; (size = fread(block, 1, sizeof block, file)) > 0;) buffer_append(text, block, size);
    int const error = ferror(file) ? errno : 0;
    (void)fclose(file);
    if (error) return !options_complain("cannot read @%s: %s", path, strerror(error));
    if (text->length && memchr(text->text, '\0', text->length)) return !options_complain("@%s holds a NUL byte", path);
    return true;
}

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Returns the next word, without its quotes. NULL: there is none; with `*quote` not 0, a quote was not closed. */
static char *next_word(arena *a, const char **at, char *quote)
{
    buffer word = {0};
    const char *c = *at;
    char *copy = NULL;
    *quote = 0;
    while (is_space(*c)) c++;
    if (*c) {
        for (; *c && (*quote || !is_space(*c)); c++) {
            if (*quote ? *c == *quote : *c == '"' || *c == '\'') *quote = *quote ? '\0' : *c;
            else if (*c == '\\' && *quote != '\'' && c[1]) buffer_putc(&word, *++c);
            else buffer_putc(&word, *c);
        }
        if (!*quote) copy = arena_copy(a, word.length ? word.text : "", word.length);
    }
    buffer_free(&word);
    *at = c;
    return copy;
}

static bool add(expansion *e, char *argument, unsigned depth);

static bool add_file(expansion *e, const char *path, unsigned depth)
{
    buffer text = {0};
    bool good = depth < DEEPEST ? read_file(path, &text) : !options_complain("@%s: too many files in files", path);
    const char *at = text.length ? text.text : "";
    char quote = 0;
    for (char *word; good && (word = next_word(e->arena, &at, &quote)) != NULL;) good = add(e, word, depth + 1);
    if (good && quote) good = !options_complain("@%s: a %c is not closed", path, quote);
    buffer_free(&text);
    return good;
}

static bool add(expansion *e, char *argument, unsigned depth)
{
    if (argument[0] == '@' && argument[1] && !e->ended) return add_file(e, argument + 1, depth);
    if (strcmp(argument, "--") == 0) e->ended = true;
    if (e->all.count == INT_MAX - 1) return !options_complain("too many arguments");
    text_list_add(e->arena, &e->all, argument);
    return true;
}

char **response_expand(arena *a, int *argc, char **argv)
{
    expansion e = {.arena = a};
    for (int i = 0; i < *argc; i++) {
        if (i == 0) text_list_add(a, &e.all, argv[i]);
        else if (!add(&e, argv[i], 0)) return NULL;
    }
    char **const arguments = ARENA_ARRAY(a, char *, e.all.count + 1);
    for (size_t i = 0; i < e.all.count; i++) arguments[i] = (char *)(uintptr_t)e.all.items[i];
    *argc = (int)e.all.count;
    return arguments;
}
