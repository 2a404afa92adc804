/* SPDX-License-Identifier: MIT */
/* analysis.c - from a text to its tree, diagnostics and names, by the stages of ufc. Open documents replace files. */
#define _POSIX_C_SOURCE 200809L

#include <dirent.h>
#include <string.h>

#include "lsp.h"
#include "memory.h"
#include "sema.h"

/* The options that a build gives to ufc: those of the command line and of the client, and --check. A wrong option is
 * reported on standard error, and then none counts. */
static void read_options(const server *s, analysis *of, const char *name)
{
    bool const is_path = name[0] == '/';
    size_t const count = json_array_size(s->arguments), most = count + (size_t)s->flag_count + 4;
    char **const arguments = ARENA_ARRAY(of->arena, char *, most);
    int n = 0;
    arguments[n++] = arena_copy(of->arena, "ufc", 3);
    for (int i = 0; i < s->flag_count; i++) arguments[n++] = s->flags[i];
    for (size_t i = 0; i < count; i++) {
        const json_t *const item = json_array_get(s->arguments, i);
        if (json_is_string(item)) arguments[n++] = arena_printf(of->arena, "%s", json_string_value(item));
    }
    arguments[n++] = arena_copy(of->arena, "--check", 7);
    arguments[n++] = arena_printf(of->arena, "%s", is_path ? name : "document.uflow");
    buffer printed = {0};
    options_end const end = options_parse(of->arena, of->diagnostics, n, arguments, &of->options, &printed);
    buffer_free(&printed);
    if (end == OPTIONS_COMPILE) return;
    of->options = (options){.header_name = "document.h"};
    of->diagnostics = diag_new(of->arena);
}

typedef struct editor {
    const server *server;
    arena *arena;
} editor;

/* Symbolic links make several names for a file, so files are compared by their inode. */
static char *unsaved(const void *context, const file_facts *is, size_t *length)
{
    const editor *const e = context;
    file_facts other;
    for (const document *d = e->server->documents; d; d = d->next) {
        if (!d->is_flow || !file_look(d->name, &other) || !file_same(&other, is)) continue;
        *length = d->text.length;
        return arena_copy(e->arena, d->text.text, d->text.length);
    }
    return NULL;
}

analysis *analysis_of(const server *s, const char *name, const char *text, size_t length)
{
    arena *const a = arena_new();
    analysis *const of = ARENA_NEW(a, analysis);
    editor *const e = ARENA_NEW(a, editor);
    *e = (editor){s, a};
    of->arena = a;
    of->diagnostics = diag_new(a);
    read_options(s, of, name);
    of->loader = (loader){.arena = a,
                          .diagnostics = of->diagnostics,
                          .import_dirs = of->options.import_dirs.items,
                          .import_dir_count = of->options.import_dirs.count,
                          .unsaved = unsaved,
                          .editor = e};
    bool const is_there = of->is_file = file_look(name, &of->is);
    of->file = text
                   ? loader_take_text(&of->loader, name, is_there ? &of->is : NULL, arena_copy(a, text, length), length)
                   : loader_open(&of->loader, name);
    if (!of->file) {
        arena_free(a);
        return NULL;
    }
    loader_imports(&of->loader, of->file);
    sema_check(a, of->diagnostics, of->file,
               &(sema_options){of->options.blocking.items, of->options.blocking.count, of->options.header_name});
    names_collect(of);
    return of;
}

void analysis_free(analysis *a)
{
    if (a) arena_free(a->arena);
}

const analysis *analysis_of_document(const server *s, document *d)
{
    if (!d->is_flow) return NULL;
    if (d->analysis) return d->analysis;
    d->analysis = analysis_of(s, d->name, d->text.text, d->text.length);
    if (d->analysis && !diag_error_count(d->analysis->diagnostics)) {
        d->good.length = 0;
        buffer_append(&d->good, d->text.text, d->text.length);
    }
    return d->analysis;
}

/* -- the project --------------------------------------------------------------------------------------------------- */

#define FILES_LIMIT   1000u
#define FOLDERS_DEPTH 12u

static bool has_file(const project *p, const file_facts *is)
{
    for (size_t i = 0; i < p->count; i++) {
        const analysis *const of = p->items[i];
        if (of->is_file && file_same(&of->is, is)) return true;
    }
    return false;
}

static void add_analysis(project *p, analysis *of)
{
    if (!of) return;
    p->items = memory_reserve(p->items, &p->capacity, p->count + 1, sizeof *p->items);
    p->items[p->count++] = of;
}

static void add_path(const server *s, project *p, const char *path)
{
    file_facts is;
    if (p->count >= FILES_LIMIT || !file_look(path, &is) || is.kind != FILE_IS_REGULAR || has_file(p, &is)) return;
    add_analysis(p, analysis_of(s, path, NULL, 0));
}

/* Symbolic links to directories are not followed: they could lead round in circles. */
static void add_folder(const server *s, project *p, const char *folder, unsigned depth)
{
    DIR *const directory = depth < FOLDERS_DEPTH ? opendir(folder) : NULL;
    if (!directory) return;
    for (const struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        const char *const end = strrchr(entry->d_name, '.');
        if (entry->d_name[0] == '.') continue;
        buffer path = {0};
        BUFFER_PUT(&path, folder, "/", entry->d_name);
        file_facts is;
        if (file_look_at_name(path.text, &is) && is.kind == FILE_IS_DIRECTORY) add_folder(s, p, path.text, depth + 1);
        else if (end && strcmp(end, ".uflow") == 0) add_path(s, p, path.text);
        buffer_free(&path);
    }
    (void)closedir(directory);
}

project project_of(const server *s)
{
    project p = {0};
    for (document *d = s->documents; d; d = d->next) {
        if (d->is_flow && analysis_of_document(s, d)) add_analysis(&p, d->analysis);
    }
    p.borrowed = p.count;
    for (size_t i = 0; i < p.borrowed; i++) {
        for (const loaded_file *file = p.items[i]->loader.first; file; file = file->next)
            add_path(s, &p, file->in->name);
    }
    for (size_t i = 0; i < s->folder_count; i++) add_folder(s, &p, s->folders[i], 0);
    return p;
}

void project_free(project *p)
{
    for (size_t i = p->borrowed; i < p->count; i++) analysis_free(p->items[i]);
    memory_free(p->items);
}

/* -- places -------------------------------------------------------------------------------------------------------- */

static bool holds(span at, uint32_t offset)
{
    return offset > at.begin && offset <= at.end;
}

surrounding surrounding_of(const ast_file *file, uint32_t offset)
{
    surrounding around = {0};
    for (const ast_flow *flow = NULL; (flow = ast_next_flow(file, flow)) != NULL;) {
        if (holds(flow->at, offset)) around.flow = flow;
    }
    for (const ast_task *task = around.flow ? around.flow->tasks : NULL; task; task = task->next) {
        if (holds(task->at, offset)) around.task = task;
    }
    for (const ast_step *step = around.task ? around.task->steps : NULL; step; step = step->next) {
        if (holds(step->at, offset)) around.step = step;
    }
    return around;
}
