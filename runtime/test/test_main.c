/* SPDX-License-Identifier: MIT */
/* test_main.c - the program: uf_test_main(). */
#include "mutants.h"
#include "never.h"
#include "options.h"
#include "processes.h"
#include "report.h"
#include "runner.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Reads the registered files. Returns: allocated; NULL: no memory. */
static uft_case *find_tests(unsigned *count)
{
    size_t room = 1;
    unsigned used = 0;

    for (const uf_test_file *file = NULL; (file = uft_next_file(file)) != NULL;) room += file->count;
    uft_case *const tests = calloc(room, sizeof *tests);
    for (const uf_test_file *file = NULL; tests && (file = uft_next_file(file)) != NULL;)
        for (uint32_t i = 0; i < file->count; i++)
            tests[used++] = (uft_case){&file->tests[i], file, uft_shown(file->file)};
    *count = used;
    return tests;
}

static int list(const uft_options *options, const uft_case *tests, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (uft_is_chosen(options, &tests[i]))
            printf("%s:%u %s\n", tests[i].shown, (unsigned)tests[i].test->line, tests[i].test->name);
    return fflush(stdout) == 0 ? 0 : 1;
}

static unsigned choose(const uft_options *options, const uft_case *tests, unsigned count, uft_result *results)
{
    unsigned chosen = 0;

    for (unsigned i = 0; i < count; i++)
        if (uft_is_chosen(options, &tests[i])) results[chosen++].of = &tests[i];
    return chosen;
}

static int complain(const uft_options *options, const char *what)
{
    fprintf(stderr, "%s: %s: %s\n", options->program, what, strerror(errno));
    return 2;
}

static void free_results(uft_result *results, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (results[i].is_known && !results[i].passed) uft_free_failure(&results[i]);
        free(results[i].output);
    }
    free(results);
}

/* Runs the chosen tests, and writes the reports. Returns: the exit status. */
static int run(const uft_options *options, uft_result *results, unsigned count, FILE *junit)
{
    unsigned failed = 0;

    uft_never_begin();
    uft_report_begin(options, count);
    bool const is_complete = uft_run_all(options, results, count);
    if (!is_complete) printf("Bail out! interrupted\n");
    uft_report_end(options, results, count);
    if (is_complete && options->only_count == 0 && !options->is_quiet) uft_report_never();
    uft_report_mutants(results, count);
    for (unsigned i = 0; i < count; i++) failed += results[i].is_known && !results[i].passed;
    if (junit) {
        bool const written = uft_write_junit(junit, options, results, count);
        if (fclose(junit) != 0 || !written) return complain(options, options->junit);
    }
    if (!is_complete) uft_end_interrupted();
    return failed || fflush(stdout) != 0 ? 1 : 0;
}

static int run_chosen(uft_options *options, const uft_case *tests, unsigned count)
{
    uft_result *const results = calloc(count + 1, sizeof *results);
    FILE *const junit = options->junit ? fopen(options->junit, "w") : NULL;
    int status = 2;

    if (!results || (options->junit && !junit)) {
        (void)complain(options, results ? options->junit : "tests");
        if (junit) (void)fclose(junit);
        free(results);
        return status;
    }
    unsigned const chosen = choose(options, tests, count, results);
    const char *const wrong = options->replay ? uft_read_replay(options, chosen == 1 ? results[0].of : NULL) : NULL;
    if (wrong) fprintf(stderr, "%s: --replay %s: %s\n", options->program, options->replay, wrong);
    else status = run(options, results, chosen, junit);
    free_results(results, chosen);
    return status;
}

int uf_test_main(int argc, char **argv)
{
    uft_options options;
    unsigned count;
    int status = uft_read_options(argc, argv, &options);

    if (status < 0 && options.lists_mutants) {
        uft_list_mutants();
        status = fflush(stdout) == 0 ? 0 : 1;
    }
    if (status < 0 && !uft_choose_mutant(options.program)) status = 2;

    uft_case *const tests = status < 0 ? find_tests(&count) : NULL;
    if (status < 0 && !tests) status = complain(&options, "tests");
    if (status < 0) {
        const char *const unfit = uft_unfit(&options, tests, count);
        if (unfit) {
            fprintf(stderr, "%s: --only %s fits no test; see --list\n", options.program, unfit);
            status = 2;
        } else status = options.lists ? list(&options, tests, count) : run_chosen(&options, tests, count);
    }
    free(tests);
    free(options.only);
    return status;
}
