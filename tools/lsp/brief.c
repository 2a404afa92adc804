/* SPDX-License-Identifier: MIT */
/* brief.c - a long skeleton, short for clangd. At each completion, clangd parses all that precedes the place, but only
 * once what is included on top. So the declarations are in a file, since clangd reads included ones from the disk. The
 * rest is in the lines in which the skeleton has it.
 *
 * Until clangd has parsed a changed file, it answers from the old one. So with other declarations, the text is closed
 * and opened, and the request that finds them changed goes to the skeleton itself. */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "inside.h"
#include "memory.h"

#define LONG_FROM 65536u /* bytes of declarations: less is parsed in a few milliseconds */

bool brief_is_wanted(const skeleton *k, uint32_t at)
{
    return k->declared >= LONG_FROM && at >= k->declared;
}

/* Somebody may tidy up. */
bool brief_is_present(const skeleton *k)
{
    return k->is_brief_present && access(k->brief_path, R_OK) == 0;
}

/* Where a directive names, in quotes, a file that is beside the C file; 0: it does not. */
static size_t find_beside(const skeleton *k, const char *line, size_t length)
{
    size_t const blanks = strspn(line, " \t");
    if (line[blanks] != '#') return 0;
    const char *const begin = memchr(line, '"', length);
    const char *const end = begin ? memchr(begin + 1, '"', length - (size_t)(begin + 1 - line)) : NULL;
    if (!end) return 0;
    int const folder = (int)(strrchr(k->name, '/') + 1 - k->name);
    char *const path = arena_printf(k->now, "%.*s%.*s", folder, k->name, (int)(end - begin - 1), begin + 1);
    return access(path, R_OK) == 0 ? (size_t)(begin + 1 - line) : 0;
}

/* What is beside the C file would not be found beside the new one. */
static void put_declarations(const skeleton *k, buffer *out)
{
    const char *line = k->text->text, *const end = line + k->declared;
    for (size_t length; line < end; line += length) {
        const char *const next = memchr(line, '\n', (size_t)(end - line));
        length = (size_t)((next ? next + 1 : end) - line);
        size_t const name = find_beside(k, line, length);
        buffer_append(out, line, name);
        if (name) buffer_append(out, k->name, (size_t)(strrchr(k->name, '/') + 1 - k->name));
        buffer_append(out, line + name, length - name);
    }
}

/* Returns the path of a new file; NULL: it cannot be written. */
static char *write_file(const buffer *text)
{
    const char *const place = getenv("TMPDIR");
    buffer path = {0};
    BUFFER_PUT(&path, place && *place == '/' ? place : "/tmp", "/uflow-lsp-XXXXXX");
    int const handle = mkstemp(path.text);
    FILE *const file = handle >= 0 ? fdopen(handle, "w") : NULL;
    bool const is_written = file && fwrite(text->text, 1, text->length, file) == text->length;
    if (file && fclose(file) == 0 && is_written) return path.text;
    if (handle >= 0) (void)unlink(path.text);
    if (handle >= 0 && !file) (void)close(handle);
    buffer_free(&path);
    return NULL;
}

/* Under the name of the old file, so that clangd's index forgets what that had. */
static void take_file(skeleton *k, char *path)
{
    if (path && k->brief_path && rename(path, k->brief_path) == 0) {
        memory_free(path);
        return;
    }
    if (k->brief_path) (void)unlink(k->brief_path);
    memory_free(k->brief_path);
    k->brief_path = path;
}

void brief_show(server *s, skeleton *k)
{
    const char *const rest = k->text->text + k->declared;
    buffer text = {0};
    BUFFER_PUT(&text, "#include \"", k->brief_path, "\"");
    for (const char *p = k->text->text; (p = memchr(p, '\n', (size_t)(rest - p))) != NULL; p++)
        buffer_putc(&text, '\n');
    buffer_puts(&text, rest);
    (void)clangd_show(s, &k->brief, text.text, text.length);
    buffer_free(&text);
}

void brief_prepare(server *s, skeleton *k)
{
    buffer text = {0};
    put_declarations(k, &text);
    clangd_hide(s, &k->brief);
    take_file(k, write_file(&text));
    k->is_brief_present = k->brief_path != NULL;
    buffer_free(&text);
    k->brief.is_quiet = true;
    if (!k->brief.uri) {
        int const stem = (int)(strlen(k->name) - strlen(".c"));
        k->brief.uri = path_to_uri(arena_printf(k->now, "%.*s.uflow.c", stem, k->name));
    }
    if (k->is_brief_present && clangd_handle(s) >= 0) brief_show(s, k);
}

void brief_free(skeleton *k)
{
    take_file(k, NULL);
    memory_free(k->brief.uri);
    memory_free(k->brief.text);
}
