/* Passes any data file through all outputs of uflow-cov. */
#include "fuzz_tool.h"

#include <stdlib.h>

#include "cov.h"

static void show(void *context)
{
    static cov_output *const outputs[] = {cov_text, cov_lcov, cov_gcovr, cov_gcovr_5, cov_json, cov_merged};
    cov_data data = {.source_directory = NULL};

    cov_read(&data, context);
    if (data.count) cov_choose(&data);
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs && data.count; i++) {
        char *text = NULL;
        size_t length = 0;
        FILE *const out = open_memstream(&text, &length);

        if (!out) abort();
        outputs[i](&data, out);
        (void)fclose(out);
        fuzz_check(text, length);
    }
    cov_free(&data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_run(show, (void *)(uintptr_t)fuzz_file("", 0, data, size));
    return 0;
}
