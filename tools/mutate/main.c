/* SPDX-License-Identifier: MIT */
/* main.c - uflow-mutate: runs tests with small changes of the flows, and shows those that no test notices. */
#include "mutate.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "output.h"
#include "uflow/version.h"

const char tool_name[] = "uflow-mutate";
const int tool_trouble = 3;

static const char usage[] =
    "usage: uflow-mutate [OPTION]... RUNNER [ARGUMENT]...\n"
    "Runs the tests of RUNNER, whose flows were compiled with `ufc --mutants`, once for each small change of the "
    "flows\n"
    "inside, and shows the changes that no test notices.\n"
    "\n"
    "      --list             lists the changes; runs no tests\n"
    "      --only=WHAT        a change by its number, FILE:LINE or kind only; may be repeated\n"
    "  -j, --jobs=N           runs the tests N times at once (as often as there are processors)\n"
    "      --time-limit=N     ends a run that takes N times as long as one without a change, and 2 s (10)\n"
    "      --fail-under=N     exit status 1 only if less than N percent of the changes were noticed (100)\n"
    "  -v, --verbose          shows the changes that were noticed too, and by which test\n"
    "      --version; -h, --help\n"
    "\n"
    "Exit status: 0; 1: a change was not noticed; 2: the command is wrong; 3: the tests cannot be run, or fail "
    "without\n"
    "a change.\n";

typedef struct options {
    bool lists, is_verbose;
    const char **only;
    size_t only_count;
    unsigned jobs;
    double factor, least;
} options;

static void misuse(const char *what, const char *value)
{
    fprintf(stderr, "uflow-mutate: %s%s\nTry uflow-mutate --help.\n", what, value);
    exit(2);
}

static double read_number(const char *text, double least, double most, const char *what)
{
    char *end;
    double const number = strtod(text, &end);

    if (end == text || *end || !(number >= least && number <= most)) misuse(what, text);
    return number;
}

static unsigned count_processors(void)
{
    long const count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > 64 ? 64 : (unsigned)count;
}

static options read_options(int argc, char **argv)
{
    enum { LIST = 256, ONLY, TIME_LIMIT, FAIL_UNDER, VERSION };
    static const struct option known[] = {{"list", no_argument, NULL, LIST},
                                          {"only", required_argument, NULL, ONLY},
                                          {"jobs", required_argument, NULL, 'j'},
                                          {"time-limit", required_argument, NULL, TIME_LIMIT},
                                          {"fail-under", required_argument, NULL, FAIL_UNDER},
                                          {"verbose", no_argument, NULL, 'v'},
                                          {"version", no_argument, NULL, VERSION},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    options chosen = {.jobs = count_processors(), .factor = 10, .least = 100};

    for (int option; (option = getopt_long(argc, argv, "+j:vh", known, NULL)) != -1;) {
        switch (option) {
        case LIST: chosen.lists = true; break;
        case ONLY:
            chosen.only = tool_grow(chosen.only, chosen.only_count, sizeof *chosen.only);
            chosen.only[chosen.only_count++] = optarg;
            break;
        case 'j': chosen.jobs = (unsigned)read_number(optarg, 1, 1000, "not a number from 1 to 1000: "); break;
        case TIME_LIMIT: chosen.factor = read_number(optarg, 1, 1e6, "not a number from 1 on: "); break;
        case FAIL_UNDER: chosen.least = read_number(optarg, 0, 100, "not a number from 0 to 100: "); break;
        case 'v': chosen.is_verbose = true; break;
        case VERSION: tool_answer("uflow-mutate " UF_VERSION "\n");
        case 'h': tool_answer(usage);
        default: fputs("Try uflow-mutate --help.\n", stderr); exit(2);
        }
    }
    if (optind == argc) misuse("the runner of the tests is missing", "");
    return chosen;
}

/* A mutant must not write what the tests are compared with. */
static void check_arguments(char **words)
{
    for (; *words; words++)
        if (strcmp(*words, "--update") == 0) misuse("the tests must not write their files: ", *words);
}

/* -- choosing ------------------------------------------------------------------------------------------------------ */

static bool fits(const mutant *m, const char *what)
{
    char *end;
    unsigned long const number = strtoul(what, &end, 10);

    return (*what && !*end && number == m->number) || strcmp(what, m->place) == 0 || strcmp(what, m->kind) == 0;
}

static void choose(const options *chosen, mutants *all)
{
    for (size_t i = 0; i < all->count; i++) all->items[i].state = MUTANT_UNREACHED;
    for (size_t o = 0; o < chosen->only_count; o++) {
        bool any = false;
        for (size_t i = 0; i < all->count; i++) any |= fits(&all->items[i], chosen->only[o]);
        if (!any) misuse("no change fits --only; see --list: ", chosen->only[o]);
    }
}

static void leave_out(const options *chosen, mutants *all)
{
    for (size_t i = 0; chosen->only_count && i < all->count; i++) {
        bool any = false;
        for (size_t o = 0; o < chosen->only_count; o++) any |= fits(&all->items[i], chosen->only[o]);
        if (!any) all->items[i].state = MUTANT_LEFT_OUT;
    }
}

/* -- reports ------------------------------------------------------------------------------------------------------- */

static size_t count_of(const mutants *all, mutant_state state)
{
    size_t count = 0;

    for (size_t i = 0; i < all->count; i++) count += all->items[i].state == state;
    return count;
}

static void clear_progress(void)
{
    if (isatty(STDERR_FILENO) == 1) fputs("\r\033[K", stderr);
}

static void show_progress(const mutants *all)
{
    size_t const left = count_of(all, MUTANT_WAITS) + count_of(all, MUTANT_RUNS);

    if (isatty(STDERR_FILENO) != 1) return;
    fprintf(stderr, "\r\033[K%zu left, %zu survived", left, count_of(all, MUTANT_SURVIVED));
    (void)fflush(stderr);
}

static void show_list(const mutants *all)
{
    for (size_t i = 0; i < all->count; i++) {
        mutant const *const m = &all->items[i];
        if (m->state != MUTANT_LEFT_OUT) printf("%u %s %s: %s\n", m->number, m->place, m->kind, m->text);
    }
}

/* Did the flows take the same steps as without the mutant? Then only their data can tell, or nothing. */
static bool has_same_steps(const mutants *all, const mutant *m)
{
    return m->state == MUTANT_SURVIVED && m->history && all->history && strcmp(m->history, all->history) == 0;
}

static void show(const mutants *all, const mutant *m, bool is_verbose)
{
    static const char *const words[] = {
        [MUTANT_SURVIVED] = "survived", [MUTANT_UNREACHED] = "not reached",
        [MUTANT_KILLED] = "killed",     [MUTANT_TIMED_OUT] = "killed by the time limit",
        [MUTANT_WAITS] = NULL,          [MUTANT_RUNS] = NULL,
        [MUTANT_LEFT_OUT] = NULL,
    };
    bool const is_killed = m->state == MUTANT_KILLED || m->state == MUTANT_TIMED_OUT;

    if (!words[m->state] || (is_killed && !is_verbose)) return;
    printf("%s: %s: %s (mutant %u)", m->place, words[m->state], m->text, m->number);
    if (m->killer) printf(", by: %s", m->killer);
    if (has_same_steps(all, m)) printf(", with the same steps");
    putchar('\n');
}

static void show_summary(const mutants *all)
{
    size_t const late = count_of(all, MUTANT_TIMED_OUT), killed = count_of(all, MUTANT_KILLED) + late;
    size_t const survived = count_of(all, MUTANT_SURVIVED), unreached = count_of(all, MUTANT_UNREACHED);
    size_t const left = count_of(all, MUTANT_WAITS), count = killed + survived + unreached + left;

    printf("%zu mutant%s: %zu killed", count, count == 1 ? "" : "s", killed);
    if (late) printf(" (%zu by the time limit)", late);
    printf(", %zu survived, %zu not reached", survived, unreached);
    if (left) printf(", %zu not run", left);
    putchar('\n');
}

static double percent_killed(const mutants *all)
{
    size_t const killed = count_of(all, MUTANT_KILLED) + count_of(all, MUTANT_TIMED_OUT);
    size_t const count = killed + count_of(all, MUTANT_SURVIVED) + count_of(all, MUTANT_UNREACHED);

    return count ? 100 * (double)killed / (double)count : 100;
}

int main(int argc, char **argv)
{
    options const chosen = read_options(argc, argv);
    runner r = {.words = argv + optind, .count = (size_t)(argc - optind)};
    mutants all = {.items = NULL};
    bool is_complete = true;

    check_arguments(r.words);
    mutate_list(&r, &all);
    choose(&chosen, &all);
    if (!chosen.lists) r.limit = mutate_first_run(&r, &all) * chosen.factor + 2;
    leave_out(&chosen, &all);
    if (chosen.lists) show_list(&all);
    else {
        is_complete = mutate_run(&r, &all, chosen.jobs, show_progress);
        clear_progress();
        for (size_t i = 0; i < all.count; i++) show(&all, &all.items[i], chosen.is_verbose);
        show_summary(&all);
    }
    tool_finish(stdout, NULL);
    if (!is_complete) mutate_end_interrupted();
    double const percent = percent_killed(&all);
    mutate_free(&all);
    free(chosen.only);
    return chosen.lists || percent >= chosen.least ? 0 : 1;
}
