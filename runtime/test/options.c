/* SPDX-License-Identifier: MIT */
/* options.c - the arguments of a runner. */
#include "options.h"

#include "processes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum option_kind { FLAG, TEXT, NUMBER, DURATION, ONLY, HELP } option_kind;

typedef struct option_row {
    const char *name, *argument, *help;
    option_kind kind;
    size_t member; /* of uft_options */
    uint32_t most; /* NUMBER */
} option_row;

#define MEMBER(name) offsetof(uft_options, name)

static const option_row options_table[] = {
    {"--list", "", "print FILE:LINE NAME of each test, and run none", FLAG, MEMBER(lists), 0},
    {"--list-mutants", "", "print NUMBER FILE:LINE KIND CHANGE of each mutant, and run none", FLAG,
     MEMBER(lists_mutants), 0},
    {"--only", "NAME|FILE:LINE", "run this test only; may be repeated", ONLY, MEMBER(only), 0},
    {"--quiet", "", "print failures only", FLAG, MEMBER(is_quiet), 0},
    {"--verbose", "", "print the output of tests that pass, too", FLAG, MEMBER(is_verbose), 0},
    {"--junit", "FILE", "write the results as JUnit XML, too", TEXT, MEMBER(junit), 0},
    {"--jobs", "N", "run N tests at a time (1)", NUMBER, MEMBER(jobs), TEST_MOST_JOBS},
    {"--trace", "FILE", "write a recording of the first test that fails, or of the only test", TEXT, MEMBER(trace), 0},
    {"--directory", "DIR", "where `history` files are (the working directory)", TEXT, MEMBER(directory), 0},
    {"--update", "", "write the `history` files instead of comparing with them", FLAG, MEMBER(updates), 0},
    {"--schedules", "N", "run N schedules of an `explore` at random (as many as it says, or 100)", NUMBER,
     MEMBER(schedules), INT32_MAX},
    {"--limit", "N", "run N schedules of an `explore all` at most (100000)", NUMBER, MEMBER(limit), INT32_MAX},
    {"--seed", "N", "draw other schedules (1)", NUMBER, MEMBER(seed), INT32_MAX},
    {"--replay", "SCHEDULE", "run one schedule, as a report gives it; with --only", TEXT, MEMBER(replay), 0},
    {"--no-shrink", "", "report the first schedule that fails, not the smallest one", FLAG, MEMBER(shrinks_not), 0},
    {"--rounds-at-once", "N", "so many rounds at one logical time are too many (10000)", NUMBER, MEMBER(rounds_at_once),
     INT32_MAX},
    {"--step-limit", "D", "real time that a step may take, such as 500ms (10s)", DURATION, MEMBER(step_limit), 0},
    {"--in-process", "", "run the tests in the process of the runner, for a debugger", FLAG, MEMBER(is_in_process), 0},
    {"--help", "", "print this", HELP, 0, 0},
};
#define OPTIONS (sizeof options_table / sizeof options_table[0])

static int print_help(const char *program)
{
    printf("usage: %s [OPTION]...\nRuns the tests of the .uflow files in this program.\n\n", program);
    for (size_t i = 0; i < OPTIONS; i++) {
        char text[64];
        (void)snprintf(text, sizeof text, "%s %s", options_table[i].name, options_table[i].argument);
        printf("  %-24s%s\n", text, options_table[i].help);
    }
    printf("\nExit status: 0 all passed, 1 some failed, 2 wrong usage.\n");
    return 0;
}

static int refuse(const char *program, const char *what, const char *text)
{
    fprintf(stderr, "%s: %s%s; see --help\n", program, what, text);
    return 2;
}

static bool read_number(const char *text, uint32_t most, uint32_t *number, const char **end)
{
    char *stop;

    if (*text < '0' || *text > '9') return false;
    errno = 0;
    unsigned long const value = strtoul(text, &stop, 10);
    *end = stop;
    *number = (uint32_t)value;
    return errno == 0 && value >= 1 && value <= most;
}

static bool read_duration(const char *text, uf_time *duration)
{
    static const struct {
        const char *name;
        uf_time length;
    } units[] = {{"ns", 1}, {"us", UF_US(1)}, {"ms", UF_MS(1)}, {"s", UF_S(1)}, {"min", UF_S(60)}, {"h", UF_S(3600)}};
    uint32_t number;

    if (!read_number(text, 1000000, &number, &text)) return false;
    text += strspn(text, " ");
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(text, units[i].name) != 0) continue;
        *duration = number * units[i].length;
        return true;
    }
    return false;
}

/* Stores the argument of an option. Returns: NULL; else what is wrong with it. */
static const char *store(uft_options *options, const option_row *option, const char *text)
{
    void *const member = (char *)options + option->member;
    const char *end = "";

    switch (option->kind) {
    case FLAG:
    case HELP: *(bool *)member = true; return NULL;
    case TEXT: *(const char **)member = text; return *text ? NULL : "it is empty";
    case ONLY: options->only[options->only_count++] = text; return NULL;
    case NUMBER: return read_number(text, option->most, member, &end) && !*end ? NULL : "it is no number from 1 on";
    case DURATION: return read_duration(text, member) ? NULL : "it is no duration such as 500ms, 10s or 1min";
    }
    return NULL;
}

/* Finds the option of an argument, which may have its own argument behind `=`. */
static const option_row *find(const char *argument, const char **value)
{
    size_t const length = strcspn(argument, "=");

    *value = argument[length] ? argument + length + 1 : NULL;
    for (size_t i = 0; i < OPTIONS; i++) {
        const char *const name = options_table[i].name;
        if (strlen(name) == length && memcmp(name, argument, length) == 0) return &options_table[i];
    }
    return NULL;
}

#define WORD "this is no option, and a test is named behind --only: "

static int read_all(int argc, char **argv, uft_options *options)
{
    for (int i = 1; i < argc; i++) {
        const char *value;
        char what[128];
        option_row const *const option = find(argv[i], &value);
        if (!option) return refuse(options->program, argv[i][0] == '-' ? "unknown option: " : WORD, argv[i]);
        if (option->kind == HELP) return print_help(options->program);
        bool const takes = option->kind != FLAG;
        if (!takes && value) return refuse(options->program, "this option takes no argument: ", option->name);
        if (takes && !value && ++i < argc) value = argv[i];
        if (takes && !value) return refuse(options->program, "an argument is missing after ", option->name);
        const char *const wrong = store(options, option, value);
        if (!wrong) continue;
        (void)snprintf(what, sizeof what, "%s %.60s: ", option->name, value);
        return refuse(options->program, what, wrong);
    }
    return -1;
}

int uft_read_options(int argc, char **argv, uft_options *options)
{
    const char *const name = argc > 0 && argv[0] && *argv[0] ? argv[0] : "tests";
    const char *const slash = strrchr(name, '/');

    *options = (uft_options){.program = slash ? slash + 1 : name,
                             .jobs = 1,
                             .rounds_at_once = 10000,
                             .step_limit = UF_S(10),
                             .seed = 1,
                             .limit = 100000,
                             .is_in_process = !uft_has_processes()};
    options->only = calloc((size_t)argc + 1, sizeof *options->only);
    if (!options->only) return refuse(options->program, "out of memory", "");
    return read_all(argc, argv, options);
}

/* -- choosing ------------------------------------------------------------------------------------------------------ */

/* Is it the same file? `name` may be the end of its path. */
static bool names_file(const char *name, size_t length, const char *file)
{
    size_t const size = strlen(file);

    return size >= length && memcmp(file + size - length, name, length) == 0 &&
           (size == length || file[size - length - 1] == '/' || file[size - length - 1] == '\\');
}

static bool fits(const char *only, const uft_case *test)
{
    const char *const colon = strrchr(only, ':');
    uint32_t line;
    const char *end;

    if (strcmp(only, test->test->name) == 0) return true;
    if (!colon || !read_number(colon + 1, UINT32_MAX, &line, &end) || *end) return false;
    return line == test->test->line && names_file(only, (size_t)(colon - only), test->file->file);
}

bool uft_is_chosen(const uft_options *options, const uft_case *test)
{
    for (unsigned i = 0; i < options->only_count; i++)
        if (fits(options->only[i], test)) return true;
    return options->only_count == 0;
}

const char *uft_unfit(const uft_options *options, const uft_case *tests, unsigned count)
{
    for (unsigned i = 0; i < options->only_count; i++) {
        unsigned at = 0;
        while (at < count && !fits(options->only[i], &tests[at])) at++;
        if (at == count) return options->only[i];
    }
    return NULL;
}

const char *uft_read_replay(uft_options *options, const uft_case *test)
{
    static uft_disturber disturber;
    bool const explores = test && test->test->schedules != UF_TEST_PLAIN;

    if (!test) return "it needs --only, and one test";
    if (!explores) return "the test has no `explore`";
    if (!uft_find_rows(&disturber, test->test, &options->sites)) return "the test explores too many rows";
    bool const is_wrong = uft_read_schedule(&options->schedule, &options->sites, options->replay) != NULL;
    return is_wrong ? "it is no schedule such as 25@12+,late@30=2" : NULL;
}
