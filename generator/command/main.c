/* SPDX-License-Identifier: MIT */
#include "compare.h"
#include "driver.h"
#include "files.h"
#include "format_files.h"
#include "memory.h"
#include "options.h"
#include "output.h"
#include "response.h"

int main(int argc, char **argv)
{
    memory_prepare();
    output_prepare();
    argv = file_arguments(&argc, argv);
    arena *const a = arena_new();
    diagnostics *const d = diag_new(a);
    options o;
    buffer text = {0};
    exit_status status = EXIT_USAGE;
    char **const arguments = response_expand(a, &argc, argv);
    switch (arguments ? options_parse(a, d, argc, arguments, &o, &text) : OPTIONS_WRONG) {
    case OPTIONS_COMPILE: status = driver_run(a, d, &o); break;
    case OPTIONS_FORMAT: status = format_files(a, d, &o); break;
    case OPTIONS_COMPARE: status = compare_files(a, d, o.compared, o.input); break;
    case OPTIONS_PRINT: status = output_print(&text) ? EXIT_GOOD : EXIT_IO; break;
    case OPTIONS_WRONG: break;
    }
    buffer_free(&text);
    arena_free(a);
    return (int)status;
}
