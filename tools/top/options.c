/* SPDX-License-Identifier: MIT */
/* options.c - the command line. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "top.h"
#include "uflow/version.h"

const char *const top_sort_names[TOP_SORTS] = {"path", "step", "runs", "failures", "none"};

static const struct row {
    char shorter;
    const char *name, *argument, *help;
} rows[] = {
#define OPTION(identifier, shorter, name, argument, help) {shorter, name, argument, help},
#include "options.def"
#undef OPTION
};
#define COUNT (sizeof rows / sizeof *rows)

enum {
    FIRST = 256,
#define OPTION(identifier, shorter, name, argument, help) identifier##_ROW,
#include "options.def"
#undef OPTION
};

static void misuse(const char *what, const char *value)
{
    fprintf(stderr, "uflow-top: %s%s\nTry uflow-top --help.\n", what, value);
    exit(2);
}

/* Prints a text from column 26 on, in lines of 100 columns at most. */
static void print_wrapped(const char *text)
{
    size_t column = 25;

    while (*text) {
        size_t const word = strcspn(text, " ");
        if (column + 1 + word > 100) printf("\n%25s", ""), column = 25;
        printf(" %.*s", (int)word, text);
        column += 1 + word;
        text += word + (text[word] == ' ');
    }
    putchar('\n');
}

static void print_help(void)
{
    puts("usage: uflow-top [OPTION]... SOCKET\n"
         "Shows the flows of a running process that has called uf_inspect_listen() with this socket.\n");
    for (size_t i = 0; i < COUNT; i++) {
        char name[40];
        snprintf(name, sizeof name, "--%s%s%s", rows[i].name, *rows[i].argument ? "=" : "", rows[i].argument);
        if (rows[i].shorter) printf("  -%c, %-19s", rows[i].shorter, name);
        else printf("      %-19s", name);
        print_wrapped(rows[i].help);
    }
    puts("\nExit status: 0; 1: the process does not answer or has ended, a file cannot be written, or the terminal\n"
         "cannot show pages or is gone; 2: the command is wrong.");
}

static double read_delay(const char *text)
{
    char *end;
    double const delay = strtod(text, &end);
    if (end == text || *end || !(delay >= 0.1 && delay <= 3600)) misuse("not a time from 0.1 to 3600 seconds: ", text);
    return delay;
}

static top_sort read_sort(const char *text)
{
    for (int i = 0; i < TOP_SORTS; i++) {
        if (strcmp(text, top_sort_names[i]) == 0) return (top_sort)i;
    }
    misuse("not a key to sort by: ", text);
    return TOP_BY_PATH;
}

static void apply(top_options *chosen, int row, const char *argument)
{
    switch (row) {
    case ONCE_ROW: chosen->once = true; break;
    case JSON_ROW: chosen->json = true; break;
    case PROMETHEUS_ROW: chosen->prometheus = true; break;
    case FOLLOW_ROW:
        if (strlen(argument) > 200 || strchr(argument, '\n')) misuse("not a pattern: ", argument);
        chosen->follow = argument;
        break;
    case TRACE_ROW: chosen->trace = argument; break;
    case DELAY_ROW: chosen->delay = read_delay(argument); break;
    case SORT_ROW: chosen->sort = read_sort(argument); break;
    case FILTER_ROW: snprintf(chosen->filter, sizeof chosen->filter, "%s", argument); break;
    case TREE_ROW: chosen->tree = true; break;
    case STEPS_ROW: chosen->steps = true; break;
    case VERSION_ROW: tool_answer("uflow-top " UF_VERSION "\n");
    case HELP_ROW: print_help(); tool_answer("");
    default: fputs("Try uflow-top --help.\n", stderr); exit(2);
    }
}

top_options top_read_options(int argc, char **argv)
{
    struct option known[COUNT + 1] = {{NULL, 0, NULL, 0}};
    char shorter[2 * COUNT + 1] = "";
    top_options chosen = {.delay = 1, .sort = TOP_BY_PATH};

    for (size_t i = 0; i < COUNT; i++) {
        bool const has_argument = *rows[i].argument;
        char const name[] = {rows[i].shorter, has_argument ? ':' : '\0', '\0'};
        known[i] =
            (struct option){rows[i].name, has_argument ? required_argument : no_argument, NULL, FIRST + 1 + (int)i};
        if (rows[i].shorter) strcat(shorter, name);
    }
    for (int option; (option = getopt_long(argc, argv, shorter, known, NULL)) != -1;) {
        int row = option;
        for (size_t i = 0; i < COUNT; i++) {
            if (option == rows[i].shorter && option) row = FIRST + 1 + (int)i;
        }
        apply(&chosen, row, optarg);
    }
    if (optind + 1 != argc)
        misuse(optind == argc ? "no SOCKET" : "more than one SOCKET: ", optind == argc ? "" : argv[optind + 1]);
    if (chosen.once + chosen.prometheus + (chosen.trace != NULL) + (chosen.json || chosen.follow) > 1)
        misuse("only one of --once, --json, --prometheus, --follow and --trace", "");
    chosen.socket = argv[optind];
    return chosen;
}
