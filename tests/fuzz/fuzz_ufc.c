/* Passes any bytes through all stages of ufc. None may crash, leak, hang or access invalid memory. Accepted input is
 * emitted. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ast_dump.h"
#include "emit.h"
#include "explain.h"
#include "lower.h"
#include "sema.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The text of every import of the input. */
static const char imported[] = "signal axis_stop; checkpoint axis_gate; worker int axis_worker(int n) { return n; } "
                               "flow Axis(int n) { double at = 0; task Home { step Go { done; } } "
                               "task Move(double to) -> double { step Go { flow->at = self->to; done self->to; } } }";

static void load_imports(arena *a, diagnostics *d, ast_file *file)
{
    ast_file *axis = NULL;
    for (ast_import *import = file->imports; import; import = import->next) {
        if (!axis) axis = parse_file(a, d, source_from_text(a, "axis.uflow", imported, strlen(imported)));
        import->file = axis;
    }
}

static void emit_all(const ir_unit *unit, size_t size)
{
    emit_options const options = {
        .header_name = "fuzz.h", .output_name = "fuzz.c", .line_directives = size % 2 == 0, .mutants = size % 3 == 0};
    void (*const emitters[])(const ir_unit *, const emit_options *, buffer *) = {
#define EMITTER(id, word, extension, function) function,
#include "emitters.def"
        emit_sizes};
    for (size_t i = 0; i < sizeof emitters / sizeof emitters[0]; i++) {
        buffer out = {0};
        emitters[i](unit, &options, &out);
        buffer_free(&out);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    arena *a = arena_new();
    diagnostics *d = diag_new(a);
    ast_file *file = parse_file(a, d, source_from_text(a, "fuzz.uflow", (const char *)data, size));
    load_imports(a, d, file);

    buffer dump = {0};
    token_dump(&file->tokens, &dump);
    ast_dump(file, &dump);
    buffer_free(&dump);

    sema_check(a, d, file, NULL);
    /* SARIF is left out: it prints the whole catalogue, which takes longer than the rest. */
    for (int format = DIAG_TEXT; format <= (size % 16 == 0 ? DIAG_SARIF : DIAG_JSON); format++) {
        buffer said = {0};
        diag_print(d, (diag_format)format, true, &said);
        buffer_free(&said);
    }
    if (diag_error_count(d) == 0)
        emit_all(lower_unit(a, file, LOWER_TESTS | (size % 3 == 0 ? LOWER_CONDITIONS : 0u)), size);
    arena_free(a);
    return 0;
}
