/* SPDX-License-Identifier: MIT */
#include "driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ast_dump.h"
#include "emit.h"
#include "files.h"
#include "loader.h"
#include "lower.h"
#include "output.h"
#include "sema.h"

static bool is_colored(const options *o)
{
    if (o->color != COLOR_AUTO) return o->color == COLOR_ALWAYS;
    const char *const no = getenv("NO_COLOR");
    const char *const terminal = getenv("TERM");
    return !(no && *no) && terminal && strcmp(terminal, "dumb") != 0 && file_is_terminal();
}

void driver_report(const diagnostics *d, const options *o)
{
    buffer text = {0};
    diag_print(d, o->format, is_colored(o), &text);
    if (text.length) fwrite(text.text, 1, text.length, stderr);
    buffer_free(&text);
}

/* -- outputs ------------------------------------------------------------------------------------------------------- */

typedef struct rendering {
    buffer texts[EMIT_KINDS];
    buffer depfile, dump;
} rendering;

static void rendering_free(rendering *r)
{
    for (int kind = 0; kind < EMIT_KINDS; kind++) buffer_free(&r->texts[kind]);
    buffer_free(&r->depfile);
    buffer_free(&r->dump);
}

/* Escapes names in make rules, as gcc does and Ninja expects: a backslash before a blank, # or :, two backslashes for
 * each one before a blank, and $$ for $. The colon of a drive stays. */
static void put_make_name(buffer *out, const char *text)
{
    size_t backslashes = 0;
    for (size_t drive = file_drive_length(text); drive; drive--) buffer_putc(out, *text++);
    for (; *text; text++) {
        if (*text == ' ' || *text == '\t') {
            for (; backslashes; backslashes--) buffer_putc(out, '\\');
            buffer_putc(out, '\\');
        } else if (*text == '#' || *text == ':') {
            buffer_putc(out, '\\');
        } else if (*text == '$') {
            buffer_putc(out, '$');
        }
        backslashes = *text == '\\' ? backslashes + 1 : 0;
        buffer_putc(out, *text);
    }
    for (; backslashes; backslashes--) buffer_putc(out, '\\'); /* a blank or the end of the line follows */
}

/* One file with its imports. Those of a config are compiled, too, each as a file of its own. */
typedef struct compilation {
    struct compilation *next;
    loader loader;
    const ir_unit *unit; /* NULL: no output needs it */
} compilation;

static bool is_listed(const text_list *list, const char *text)
{
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->items[i], text) == 0) return true;
    }
    return false;
}

/* Adds the files that were read and are not in the list. */
static void add_files(arena *a, const loader *l, text_list *names)
{
    for (const loaded_file *file = l->first; file; file = file->next) {
        if (file->is_named && !is_listed(names, file->in->name)) text_list_add(a, names, file->in->name);
    }
}

/* Writes `targets: inputs` for Make and Ninja. With -MP, each input but the first is also a target without a rule, so
 * that Make does not stop when one has been deleted. */
static void list_dependencies(arena *a, const options *o, const compilation *c, buffer *out)
{
    text_list inputs = {0};
    for (; c; c = c->next) add_files(a, &c->loader, &inputs);
    for (size_t i = 0; i < o->depend_targets.count; i++) {
        buffer_puts(out, i ? " " : "");
        put_make_name(out, o->depend_targets.items[i]);
    }
    buffer_putc(out, ':');
    for (size_t i = 0; i < inputs.count; i++) {
        buffer_puts(out, i ? " \\\n  " : " ");
        put_make_name(out, inputs.items[i]);
    }
    buffer_putc(out, '\n');
    for (size_t i = 1; o->depend_phony && i < inputs.count; i++) {
        put_make_name(out, inputs.items[i]);
        buffer_puts(out, ":\n");
    }
}

/* Do two paths name one file, which need not exist? */
static bool is_same_place(arena *a, const char *one, const char *other)
{
    file_facts file, directory[2];
    const char *const paths[2] = {one, other};
    if (strcmp(one, other) == 0) return true;
    if (strcmp(one, "-") == 0 || strcmp(other, "-") == 0) return false;
    if (file_look(one, &file) && file.kind == FILE_IS_REGULAR && file_look(other, &directory[0])) {
        return file_same(&file, &directory[0]);
    }
    for (int i = 0; i < 2; i++) {
        size_t const length = (size_t)(file_base(paths[i]) - paths[i]);
        if (!file_look(length ? arena_copy(a, paths[i], length) : ".", &directory[i])) return false;
    }
    return file_same(&directory[0], &directory[1]) && strcmp(file_base(one), file_base(other)) == 0;
}

static bool has_read(const compilation *c, const file_facts *is)
{
    while (c && !loader_has_read(&c->loader, is)) c = c->next;
    return c;
}

/* No output may overwrite another one or an input. */
static exit_status refuse_clashes(arena *a, const compilation *c, const output *files, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        file_facts is;
        if (file_look(files[i].path, &is) && is.kind == FILE_IS_REGULAR && has_read(c, &is)) {
            return options_complain("%s is an input; it would be overwritten", files[i].path);
        }
        for (size_t j = 0; j < i; j++) {
            if (is_same_place(a, files[i].path, files[j].path)) {
                return options_complain("%s and %s are the same file", files[j].path, files[i].path);
            }
        }
    }
    return EXIT_GOOD;
}

static void emit(arena *a, const options *o, const compilation *c, int kind, const output *file)
{
    static void (*const emitters[EMIT_KINDS])(const ir_unit *, const emit_options *, buffer *) = {
#define EMITTER(id, word, extension, function) function,
#include "emitters.def"
    };
    size_t count = 0;
    for (const compilation *each = c; each; each = each->next) count++;
    const ir_unit **const units = ARENA_ARRAY(a, const ir_unit *, count);
    for (size_t i = 0; i < count; i++, c = c->next) units[i] = c->unit;
    emit_options const how = {
        .header_name = o->header_name,
        .output_name = strcmp(file->path, "-") == 0 ? "<stdout>" : file->path,
        .line_directives = o->line_directives,
        .no_names = o->no_names,
        .coverage = o->coverage,
        .mutants = o->mutants,
        .prefix_maps = o->prefix_maps.items,
        .prefix_map_count = o->prefix_maps.count,
        .units = units,
        .unit_count = count,
    };
    /* Room for most texts at once: growth in steps takes a tenth of the time where page faults are slow. */
    enum { TIMES = 16, MOST = 4 << 20 };
    size_t const expected = TIMES * (size_t)units[0]->in->size;
    buffer_reserve(file->text, expected < MOST ? expected : MOST);
    (o->sizes ? emit_sizes : emitters[kind])(units[0], &how, file->text);
}

/* A file with the name of a source is replaced only if it has the mark, whatever is to be written there. */
static output output_of(const char *path, buffer *text, bool is_c)
{
    const char *const end = strrchr(path, '.');
    bool const is_source = end && (strcmp(end, ".c") == 0 || strcmp(end, ".h") == 0 || strcmp(end, ".uflow") == 0);
    return (output){path, text, is_c || is_source ? EMIT_MARK : NULL};
}

/* The C file is written last: while it is older than the input, a build runs ufc again. */
static exit_status write_outputs(arena *a, const options *o, const compilation *c, rendering *r)
{
    output files[EMIT_KINDS + 1];
    int kinds[EMIT_KINDS + 1];
    size_t count = 0;
    if (o->depend) {
        list_dependencies(a, o, c, &r->depfile);
        files[count++] = output_of(o->depfile, &r->depfile, false);
    }
    size_t const first = count;
    for (int kind = EMIT_KINDS - 1; kind >= 0; kind--) {
        if (!o->paths[kind]) continue;
        kinds[count] = kind;
        files[count++] =
            output_of(o->paths[kind], &r->texts[kind], kind == EMIT_C || kind == EMIT_H || kind == EMIT_CONFIG);
    }
    exit_status const refused = refuse_clashes(a, c, files, count);
    if (refused != EXIT_GOOD) return refused;
    for (size_t i = first; i < count; i++) emit(a, o, c, kinds[i], &files[i]);
    return output_write(files, count, o->touch) ? EXIT_GOOD : EXIT_IO;
}

static void list_tests(const ast_file *file, buffer *out)
{
    for (const ast_flow *test = file->tests; test; test = test->next)
        buffer_printf(out, "%s:%u %s\n", file->in->name, (unsigned)source_line(test->at.in, test->at.begin),
                      test->test->name.name);
}

/* -- the stages -------------------------------------------------------------------------------------------------- */

static exit_status stages(arena *a, diagnostics *d, const options *o, compilation *c, const char *input, buffer *dump)
{
    ast_file *const file = loader_open(&c->loader, input);
    if (!file) return EXIT_IO;
    if (o->dump & DUMP_TOKENS) token_dump(&file->tokens, dump);
    if (o->dump & DUMP_AST) ast_dump(file, dump);
    if (o->list_tests) list_tests(file, dump);
    if (o->dump || o->list_tests) return EXIT_GOOD;

    loader_imports(&c->loader, file);
    bool const has_header = o->check || o->paths[EMIT_C] || o->paths[EMIT_H];
    const char *const header = has_header ? o->header_name : NULL;
    sema_check(a, d, file, &(sema_options){o->blocking.items, o->blocking.count, header});
    if (o->check || diag_error_count(d)) return EXIT_GOOD;

    c->unit = lower_unit(a, file, (o->tests ? LOWER_TESTS : 0u) | (o->mutants ? LOWER_CONDITIONS : 0u));
    return EXIT_GOOD;
}

/* Compiles all inputs, up to one with an error. *first: receives them. */
static exit_status compile(arena *a, diagnostics *d, const options *o, compilation **first, buffer *dump)
{
    text_list inputs = {0};
    exit_status status = EXIT_GOOD;
    uint32_t read = 0; /* files */
    for (size_t i = 0; i < o->inputs.count; i++) text_list_add(a, &inputs, o->inputs.items[i]);
    for (size_t i = 0; status == EXIT_GOOD && i < inputs.count && !diag_error_count(d); i++) {
        compilation *const c = *first = ARENA_NEW(a, compilation);
        c->loader = (loader){.arena = a,
                             .diagnostics = d,
                             .import_dirs = o->import_dirs.items,
                             .import_dir_count = o->import_dirs.count,
                             .stdin_name = o->stdin_name,
                             .count = read};
        first = &c->next;
        status = stages(a, d, o, c, inputs.items[i], dump);
        read = c->loader.count;
        if (o->paths[EMIT_CONFIG]) add_files(a, &c->loader, &inputs); /* imports are compiled, too */
    }
    return status;
}

exit_status driver_run(arena *a, diagnostics *d, const options *o)
{
    rendering r = {0};
    compilation *c = NULL;
    exit_status status = compile(a, d, o, &c, &r.dump);
    if (status == EXIT_GOOD) driver_report(d, o);
    if (status == EXIT_GOOD && r.dump.length && !output_print(&r.dump)) status = EXIT_IO;
    if (status == EXIT_GOOD && diag_error_count(d)) status = EXIT_ERRORS;
    if (status == EXIT_GOOD && c->unit) status = write_outputs(a, o, c, &r);
    rendering_free(&r);
    return status;
}
