/* Passes any answer of a process through the pages of uflow-top. */
#include "fuzz_tool.h"

#include <stdlib.h>
#include <string.h>

#include "top.h"

static void check(top_page *page)
{
    for (size_t i = 0; i < page->count; i++) fuzz_check(strdup(page->lines[i].text), strlen(page->lines[i].text));
    top_page_clear(page);
}

static void show_pages(json_t *document)
{
    top_options options = {.socket = "socket"};
    top_model model = {.document = NULL};
    top_page page = {.lines = NULL};

    top_model_set(&model, document);
    for (int sort = 0; sort < TOP_SORTS; sort++) {
        options.sort = (top_sort)sort;
        options.tree = sort % 2 != 0;
        options.steps = sort == TOP_BY_RUNS;
        top_model_order(&model, &options);
        top_page_state(&page, &model, &options, sort % 2 ? 80 : 160);
        top_page_table(&page, &model, &options, sort % 2 ? 80 : 160);
        check(&page);
    }
    for (size_t i = 0; i < model.count; i++) top_page_flow(&page, &model.rows[i]);
    check(&page);
    free(page.lines);
    top_model_free(&model);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    json_t *const document = json_loadb((const char *)data, size, 0, NULL);
    char *const line = tool_copy((const char *)data, size), text[1024];

    if (document) show_pages(document);
    top_follow_text(line, text, sizeof text);
    fuzz_check(strdup(text), strlen(text));
    free(line);
    return 0;
}
