/* SPDX-License-Identifier: MIT */
/* sources.c - the C sources of the project: those of compile_commands.json, the headers beside them, open documents. */
#define _POSIX_C_SOURCE 200809L

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "emit.h"
#include "lsp.h"
#include "memory.h"

#define SOURCES_LIMIT  2000u
#define SOURCE_BYTES   (4 * 1024 * 1024)
#define COMMANDS_BYTES (64 * 1024 * 1024) /* of compile_commands.json */

/* Returns false the second time. The path is kept. */
static bool is_first(c_sources *list, const char *path)
{
    return scope_add(list->arena, &list->seen, path, list) == NULL;
}

/* Generated files are none of the project's sources: nobody edits them. */
static void add_text(c_sources *list, const char *name, const char *text, size_t length)
{
    if (list->count >= SOURCES_LIMIT || strstr(text, EMIT_MARK) || strlen(text) != length) return;
    list->items = arena_reserve(list->arena, list->items, &list->capacity, list->count + 1, sizeof *list->items);
    char *const own = arena_copy(list->arena, name, strlen(name));
    list->items[list->count++] = (c_source){source_from_text(list->arena, own, text, length), own};
}

static bool read_text(const char *path, off_t most, buffer *text)
{
    struct stat is;
    if (stat(path, &is) != 0 || !S_ISREG(is.st_mode) || is.st_size > most) return false;
    FILE *const file = fopen(path, "rb");
    if (!file) return false;
    buffer_reserve(text, (size_t)is.st_size);
    text->length = fread(text->text, 1, (size_t)is.st_size, file);
    text->text[text->length] = '\0';
    (void)fclose(file);
    return true;
}

static void add_path(c_sources *list, const char *path)
{
    buffer text = {0};
    if (list->count < SOURCES_LIMIT && is_first(list, path) && read_text(path, SOURCE_BYTES, &text))
        add_text(list, path, text.text, text.length);
    buffer_free(&text);
}

const source *source_of_file(arena *a, const char *path)
{
    buffer text = {0};
    const source *const in = read_text(path, SOURCE_BYTES, &text)
                                 ? source_from_text(a, arena_printf(a, "%s", path), text.text, text.length)
                                 : NULL;
    buffer_free(&text);
    return in;
}

/* The headers of a folder, once. */
static void add_headers(c_sources *list, const char *source_name)
{
    const char *const slash = strrchr(source_name, '/');
    const char *const folder = arena_copy(list->arena, source_name, slash ? (size_t)(slash - source_name) : 0);
    DIR *const directory = is_first(list, folder) ? opendir(folder) : NULL;
    if (!directory) return;
    for (const struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        size_t const length = strlen(entry->d_name);
        if (length > 2 && strcmp(entry->d_name + length - 2, ".h") == 0)
            add_path(list, arena_printf(list->arena, "%s/%s", folder, entry->d_name));
    }
    (void)closedir(directory);
}

static bool is_inside(const char *folder, const char *path)
{
    size_t const length = strlen(folder);
    return strncmp(folder, path, length) == 0 && (path[length] == '/' || (length && folder[length - 1] == '/'));
}

static void add_commands(c_sources *list, const char *folder, const char *where)
{
    char *const path = arena_printf(list->arena, "%s/%scompile_commands.json", folder, where);
    buffer text = {0};
    json_t *const commands =
        read_text(path, COMMANDS_BYTES, &text) ? json_loadb(text.text, text.length, 0, NULL) : NULL;
    buffer_free(&text);
    for (size_t i = 0; i < json_array_size(commands); i++) {
        const json_t *const one = json_array_get(commands, i);
        const char *const file = text_member(one, "file");
        const char *const base = *file == '/' ? "" : arena_printf(list->arena, "%s/", text_member(one, "directory"));
        const char *const name = arena_printf(list->arena, "%s%s", base, file);
        if (!is_inside(folder, name)) continue;
        add_path(list, name);
        add_headers(list, name);
    }
    json_decref(commands);
}

c_sources sources_of(const server *s)
{
    c_sources list = {.arena = arena_new()};
    for (const document *d = s->documents; d; d = d->next)
        if (!d->is_flow && is_first(&list, d->name)) add_text(&list, d->name, d->text.text, d->text.length);
    for (size_t i = 0; i < s->folder_count; i++) {
        add_commands(&list, s->folders[i], "");
        add_commands(&list, s->folders[i], "build/");
    }
    return list;
}

void sources_free(c_sources *list)
{
    arena_free(list->arena);
}
