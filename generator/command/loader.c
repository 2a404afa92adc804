/* SPDX-License-Identifier: MIT */
#include "loader.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "explain.h"

#define BOM_SIZE 3u

typedef struct text {
    char *bytes; /* and a NUL */
    size_t length, capacity;
} text;

/* Reads one byte more than the limit: then source_in_place() and the parser report that the file is too large. */
static bool read_all(arena *a, int fd, size_t expected, text *all)
{
    if (all->bytes) return true; /* an unsaved text */
    size_t const most = SOURCE_LIMIT + BOM_SIZE + 1;
    all->bytes = arena_reserve(a, NULL, &all->capacity, expected + 2, 1); /* one for a file that does not exist, and the
                                                                           * NUL */
    while (all->length < most) {
        all->bytes = arena_reserve(a, all->bytes, &all->capacity, all->length + 2, 1);
        size_t const left = most - all->length, room = all->capacity - all->length - 1;
        ptrdiff_t const n = file_read(fd, all->bytes + all->length, left < room ? left : room);
        if (n <= 0) {
            if (n < 0) return false;
            break;
        }
        all->length += (size_t)n;
    }
    all->bytes[all->length] = '\0';
    return true;
}

static const char *kind_of(file_kind kind)
{
    if (kind == FILE_IS_DIRECTORY) return "it is a directory";
    if (kind == FILE_IS_PIPE) return "it is a pipe, not a regular file";
    if (kind == FILE_IS_SOCKET) return "it is a socket, not a regular file";
    return "it is a device, not a regular file";
}

/* Opens a regular file, without blocking. -1: `why` gives the reason. */
static int open_regular(const char *path, file_facts *is, const char **why)
{
    int const fd = file_open(path, is);
    if (fd >= 0 && is->kind == FILE_IS_REGULAR) return fd;
    *why = fd < 0 ? strerror(errno) : kind_of(is->kind);
    if (fd >= 0) (void)file_close(fd);
    return -1;
}

const char *loader_read(arena *a, const char *path, size_t *size, const char **why)
{
    file_facts is;
    text all = {0};
    int const fd = open_regular(path, &is, why);
    if (fd < 0) return NULL;
    bool const is_read = read_all(a, fd, (size_t)is.size % SOURCE_LIMIT, &all);
    if (!is_read) *why = strerror(errno);
    else if (all.length > SOURCE_LIMIT) *why = "it is larger than 16 MiB";
    (void)file_close(fd);
    *size = all.length;
    return is_read && all.length <= SOURCE_LIMIT ? all.bytes : NULL;
}

/* A file by its device and inode, which identify it. */
static const char *key_of(arena *a, const file_facts *is)
{
    return arena_printf(a, "%ju:%ju", is->device, is->number);
}

bool loader_has_read(const loader *l, const file_facts *is)
{
    return scope_find(&l->known, key_of(l->arena, is)) != NULL;
}

static loaded_file *add(loader *l, const char *name, const file_facts *is, const text *all)
{
    loaded_file *const file = ARENA_NEW(l->arena, loaded_file);
    source *const in = source_in_place(l->arena, name, all->bytes, all->length);
    in->id = l->count++;
    file->in = in;
    file->ast = parse_file(l->arena, l->diagnostics, in);
    file->is_named = is;
    if (is) (void)scope_add(l->arena, &l->known, key_of(l->arena, is), file);
    if (l->last) l->last->next = file;
    else l->first = file;
    l->last = file;
    return file;
}

/* Reads the open file, or finds the earlier copy. Closes fd. NULL: `why` gives the reason. */
static loaded_file *take(loader *l, int fd, const file_facts *is, const char *name, const char **why)
{
    loaded_file *file = is ? scope_find(&l->known, key_of(l->arena, is)) : NULL;
    if (!file) {
        text all = {0};
        if (is && l->unsaved) all.bytes = l->unsaved(l->editor, is, &all.length);
        bool const is_known = is && is->size > 0 && is->size < SOURCE_LIMIT;
        if (read_all(l->arena, fd, is_known ? (size_t)is->size : 65536, &all)) file = add(l, name, is, &all);
        else *why = strerror(errno);
    }
    if (is) (void)file_close(fd);
    return file;
}

ast_file *loader_open(loader *l, const char *path)
{
    const char *why = NULL;
    loaded_file *file = NULL;
    if (strcmp(path, "-") == 0) {
        path = l->stdin_name;
        file = take(l, 0, NULL, path, &why);
    } else {
        file_facts is;
        int const fd = open_regular(path, &is, &why);
        if (fd >= 0) file = take(l, fd, &is, path, &why);
    }
    if (file) return file->ast;
    fprintf(stderr, "ufc: cannot read %s: %s\n", path, why);
    return NULL;
}

ast_file *loader_take_text(loader *l, const char *name, const file_facts *is, char *bytes, size_t length)
{
    return add(l, name, is, &(text){bytes, length, 0})->ast;
}

/* -- imports ----------------------------------------------------------------------------------------------------- */

static const char *refusal(const char *path)
{
    if (!*path) return "the path is empty";
    if (file_is_absolute(path)) return "the path is absolute";
    for (const char *part = path;; part++) {
        size_t length = 0;
        while (part[length] && !file_is_separator(part[length])) length++;
        if (length == 2 && strncmp(part, "..", 2) == 0) return "the path leads out of its directory with `..`";
        part += length;
        if (!*part) return NULL;
    }
}

static const char *beside(arena *a, const char *importer, const char *path)
{
    return arena_printf(a, "%.*s%s", (int)(file_base(importer) - importer), importer, path);
}

static const char *inside(arena *a, const char *directory, const char *path)
{
    size_t const length = strlen(directory);
    bool const has_separator = length && file_is_separator(directory[length - 1]);
    return arena_printf(a, has_separator ? "%s%s" : "%s/%s", directory, path);
}

static loaded_file *resolve(loader *l, const loaded_file *importer, const ast_import *import)
{
    const char *why = refusal(import->path);
    if (why) {
        diag_report *const r =
            diag_at(l->diagnostics, UF0901, import->at, "cannot import \"%s\": %s", import->path, why);
        diag_help(r, "name it from a directory above both, and give that one to ufc with -I");
        return NULL;
    }
    const char *name = beside(l->arena, importer->in->name, import->path);
    const char *first_why = NULL;
    for (size_t i = 0;; i++) {
        file_facts is;
        int const fd = open_regular(name, &is, &why);
        loaded_file *const file = fd >= 0 ? take(l, fd, &is, name, &why) : NULL;
        if (file) return file;
        bool const is_missing = fd < 0 && !file_look(name, &is);
        if (!is_missing || !first_why) first_why = why;
        if (!is_missing || i == l->import_dir_count) break;
        name = inside(l->arena, l->import_dirs[i], import->path);
    }
    diag_report *const r =
        diag_at(l->diagnostics, UF0901, import->at, "cannot import \"%s\": %s", import->path, first_why);
    diag_help(r, "it is looked up beside %s%s", importer->in->name,
              l->import_dir_count ? " and in the directories of -I, which CMake calls IMPORT_DIRS"
                                  : "; name other directories with -I, in CMake with IMPORT_DIRS");
    return NULL;
}

/* Describes the cycle "a.uflow -> b.uflow -> a.uflow" from `file`, whose imports are being visited, to its importer and
 * back. */
static void report_cycle(loader *l, const loaded_file *file, const loaded_file *importer, const ast_import *import)
{
    size_t count = 1;
    for (const loaded_file *f = importer; f != file; f = f->importer) count++;
    const char **const names = ARENA_ARRAY(l->arena, const char *, count);
    const loaded_file *f = importer;
    for (size_t i = count; i-- > 0; f = f->importer) names[i] = f->in->name;

    buffer chain = {0};
    for (size_t i = 0; i < count; i++) buffer_printf(&chain, "%s -> ", names[i]);
    diag_report *const r =
        diag_at(l->diagnostics, UF0902, import->at, "imports in a circle: %s%s", chain.text, file->in->name);
    diag_help(r, "move what both need into a file of its own, and import that");
    buffer_free(&chain);
}

/* Visits the imports depth-first, without recursion, since a chain of files may have any length. */
void loader_imports(loader *l, ast_file *main)
{
    loaded_file *file = l->first;
    file->rest = main->imports;
    file->is_open = true;
    while (file) {
        ast_import *const import = file->rest;
        if (!import) {
            file->is_open = false;
            file = file->importer;
            continue;
        }
        file->rest = import->next;
        uint32_t const count = l->count;
        loaded_file *const other = resolve(l, file, import);
        if (!other) continue;
        if (other->is_open) {
            report_cycle(l, other, file, import);
            continue;
        }
        import->file = other->ast;
        if (l->count == count) continue; /* it was read before, with its imports */
        other->importer = file;
        other->rest = other->ast->imports;
        other->is_open = true;
        file = other;
    }
}
