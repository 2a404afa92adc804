/* Passes any bytes as the record of a flow through all outputs of uflow-store. */
#include "fuzz_tool.h"

#include <stdlib.h>
#include <string.h>

#include "store.h"

typedef struct input {
    const uint8_t *data;
    size_t size;
} input;

static store_text text_of(const uint8_t *bytes, size_t size)
{
    char *const copy = malloc(size + 1);

    if (!copy) abort();
    if (size) memcpy(copy, bytes, size);
    copy[size] = '\0';
    return (store_text){copy, size};
}

static void show(void *context)
{
    const input *const of = context;
    static char name[] = "works.line";
    size_t const begin = of->size < 16 ? of->size : 16;
    store_text const reason = text_of(of->data, begin), record = text_of(of->data + begin, of->size - begin);
    store_row row = {.path = {name, strlen(name)}, .type = reason, .reason = reason, .time = reason, .record = record};
    store_data const all = {.name = "fuzz", .identity = "0123456789abcdef", .rows = &row, .count = 1};

    for (int i = 0; i < 3; i++) {
        char *text = NULL;
        size_t length = 0;
        FILE *const out = open_memstream(&text, &length);

        if (!out) abort();
        if (i == 0) (void)store_list(&all, out);
        else if (i == 1) (void)store_show(&all, &row, out);
        else (void)store_export(&all, out);
        (void)fclose(out);
        fuzz_check(text, length);
    }
    free(reason.at);
    free(record.at);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_run(show, &(input){data, size});
    return 0;
}
