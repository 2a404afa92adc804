/* SPDX-License-Identifier: MIT */
/* test_refusals.c - the order of the rows in refusals.def. For each refusal of each example, the row that fits is left
 * out, until none fits. A row that fits as well must be named by the one that it follows, and a name that no example
 * shows is an error. A row that no example takes is an error, too.
 *
 * usage: test_refusals FILE... */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain.h"

enum { ROWS = 64 };

static const char *const reports[][2] = {
#define REPORT(name, example, precedes) {#name, precedes},
#include "refusals.def"
#undef REPORT
};
static const char *const helps[][2] = {
#define HELP(name, example, precedes, condition, help) {#name, precedes},
#include "refusals.def"
#undef HELP
};
static const char *const arm_helps[][2] = {
#define ARM_HELP(name, example, precedes, condition, help) {#name, precedes},
#include "refusals.def"
#undef ARM_HELP
};
static const struct {
    const char *name, *const (*rows)[2];
    size_t count;
} tables[ROW_TABLES] = {
    {"REPORT", reports, sizeof reports / sizeof reports[0]},
    {"HELP", helps, sizeof helps / sizeof helps[0]},
    {"ARM_HELP", arm_helps, sizeof arm_helps / sizeof arm_helps[0]},
};
static unsigned taken[ROW_TABLES][ROWS];
static const char *shown[ROW_TABLES][ROWS][ROWS]; /* a file in which both fit, the first of them taken */

static int try_rows(const source *in, row_trial *trial)
{
    arena *const a = arena_new();
    trial->taken = -1;
    (void)explain_trial(a, diag_new(a), in, trial);
    arena_free(a);
    return trial->taken;
}

static void look_at(const source *in, const char *name, row_table table)
{
    row_trial trial = {.table = table, .at = -1};
    for (int first; (first = try_rows(in, &trial)) >= 0;) {
        taken[table][first]++;
        for (int row = first; row >= 0; row = try_rows(in, &trial)) {
            bool const is_any = strcmp(tables[table].rows[row][0], "any") == 0; /* it fits whatever is left */
            if (row != first && !is_any && !shown[table][first][row]) shown[table][first][row] = name;
            trial.left_out |= UINT64_C(1) << row;
        }
        trial = (row_trial){.table = table, .from = (uint32_t)trial.at + 1, .at = -1};
    }
}

/* Is the name one of the words? */
static bool names(const char *words, const char *name)
{
    size_t const length = strlen(name);
    for (const char *at = words; (at = strstr(at, name)) != NULL; at += length) {
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || !at[length])) return true;
    }
    return false;
}

static unsigned check_row(row_table table, size_t row)
{
    const char *const name = tables[table].rows[row][0], *const precedes = tables[table].rows[row][1];
    unsigned failures = 0, named = 0, words = 0;
    if (!taken[table][row]) failures += (unsigned)(printf("%s(%s) fits no example\n", tables[table].name, name) > 0);
    for (size_t other = 0; other < tables[table].count; other++) {
        const char *const is = tables[table].rows[other][0], *const file = shown[table][row][other];
        bool const is_named = names(precedes, is);
        named += is_named;
        if (is_named == (file != NULL)) continue;
        failures++;
        if (file)
            printf("%s(%s) has to name `%s`, which fits as well in %s, or to stand behind it\n", tables[table].name,
                   name, is, file);
        else printf("%s(%s) names `%s`, which fits as well in no example\n", tables[table].name, name, is);
    }
    for (const char *at = precedes; *at; at += strcspn(at, " "), at += *at == ' ') words++;
    if (words == named) return failures;
    printf("%s(%s) names a row that is not there: %s\n", tables[table].name, name, precedes);
    return failures + 1;
}

int main(int argc, char **argv)
{
    unsigned failures = 0;
    for (int i = 1; i < argc; i++) {
        static char text[1 << 20];
        FILE *const file = fopen(argv[i], "rb");
        size_t const length = file ? fread(text, 1, sizeof text, file) : 0;
        if (!file || length == sizeof text || fclose(file) != 0) {
            printf("%s cannot be read\n", argv[i]);
            return EXIT_FAILURE;
        }
        arena *const a = arena_new();
        const source *const in = source_from_text(a, argv[i], text, length);
        for (row_table table = 0; table < ROW_TABLES; table++) look_at(in, argv[i], table);
        arena_free(a);
    }
    for (row_table table = 0; table < ROW_TABLES; table++) {
        for (size_t row = 0; row < tables[table].count; row++) failures += check_row(table, row);
    }
    printf("%d examples, %u failures\n", argc - 1, failures);
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
