/* SPDX-License-Identifier: MIT */
#include "format_files.h"

#include <string.h>

#include "differences.h"
#include "driver.h"
#include "format.h"
#include "loader.h"
#include "output.h"

static bool is_same(const source *in, const buffer *text)
{
    return in->size == text->length && (!in->size || memcmp(in->text, text->text, in->size) == 0);
}

/* `said`: receives what --check and --diff print. */
static exit_status put(arena *a, const options *o, const char *path, const source *in, buffer *text, buffer *said)
{
    if (!o->check && !o->diff && !o->in_place) return output_print(text) ? EXIT_GOOD : EXIT_IO;
    if (is_same(in, text)) return EXIT_GOOD;
    if (o->in_place) return output_write(&(output){path, text, NULL}, 1, false) ? EXIT_GOOD : EXIT_IO;
    if (o->diff) put_differences(a, said, in, text);
    else BUFFER_PUT(said, in->name, "\n");
    return EXIT_ERRORS;
}

static exit_status format_one(arena *a, const options *o, loader *l, const char *path, buffer *said)
{
    size_t const errors = diag_error_count(l->diagnostics);
    const ast_file *const file = loader_open(l, path);
    if (!file) return EXIT_IO;
    if (diag_error_count(l->diagnostics) > errors) return EXIT_ERRORS;
    buffer text = {0};
    format_file(a, file, &text);
    exit_status const status = put(a, o, path, file->in, &text, said);
    buffer_free(&text);
    return status;
}

exit_status format_files(arena *a, diagnostics *d, const options *o)
{
    loader l = {.arena = a, .diagnostics = d, .stdin_name = o->stdin_name};
    buffer said = {0};
    exit_status worst = EXIT_GOOD;
    for (size_t i = 0; i < o->inputs.count; i++) {
        exit_status const status = format_one(a, o, &l, o->inputs.items[i], &said);
        if (status > worst) worst = status;
    }
    driver_report(d, o);
    if (said.length && !output_print(&said)) worst = EXIT_IO;
    buffer_free(&said);
    return worst;
}
