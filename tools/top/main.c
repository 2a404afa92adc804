/* SPDX-License-Identifier: MIT */
/* main.c - uflow-top: a view of a running process. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "output.h"
#include "top.h"

const char tool_name[] = "uflow-top";
const int tool_trouble = 1;

static int fail(const char *error)
{
    fprintf(stderr, "uflow-top: %s\n", error);
    return 1;
}

static int print_answer(const char *socket, const char *request)
{
    char error[TOP_ERROR];
    size_t length;
    char *const text = top_fetch(socket, request, TOP_TEXT_MOST, &length, error);

    if (!text) return fail(error);
    for (char *line = text, *end = text + length; line < end; line += strlen(line) + 1) {
        line[strcspn(line, "\n")] = '\0';
        puts(tool_make_printable(line));
    }
    free(text);
    tool_finish(stdout, NULL);
    return 0;
}

static int print_page(const top_options *options)
{
    char error[TOP_ERROR];
    char const *const columns = getenv("COLUMNS");
    top_model model = {.document = NULL};
    top_page page = {.lines = NULL};
    json_t *const document = top_fetch_document(options->socket, error);

    if (!document) return fail(error);
    top_model_set(&model, document);
    top_model_order(&model, options);
    unsigned const width = columns ? (unsigned)strtoul(columns, NULL, 10) : 160;
    top_page_state(&page, &model, options, width);
    top_page_table(&page, &model, options, width);
    for (size_t i = 0; i < page.count; i++) puts(page.lines[i].text);
    top_page_clear(&page);
    free(page.lines);
    top_model_free(&model);
    tool_finish(stdout, NULL);
    return 0;
}

int main(int argc, char **argv)
{
    top_options options = top_read_options(argc, argv);
    char error[TOP_ERROR];

    setlocale(LC_CTYPE, "");
    if (options.follow) return top_follow(&options);
    if (options.json) return print_answer(options.socket, "json");
    if (options.prometheus) return print_answer(options.socket, "prometheus");
    if (options.trace) return top_write_trace(options.socket, options.trace, error) ? 0 : fail(error);
    bool const has_terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    return options.once || !has_terminal ? print_page(&options) : top_screen(&options);
}
