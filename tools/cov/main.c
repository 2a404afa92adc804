/* SPDX-License-Identifier: MIT */
/* main.c - uflow-cov: shows which steps, arms and handlers of .uflow files have run. */
#include "cov.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "uflow/version.h"

const char tool_name[] = "uflow-cov";
const int tool_trouble = 1;

static const char usage[] =
    "usage: uflow-cov [OPTION]... [FILE]...\n"
    "Adds the counts of programs whose flows were compiled with `ufc --coverage`, and shows them. FILE is a data file\n"
    "of such a program, or - for the standard input; without FILE, uflow.cov.\n"
    "\n"
    "  -f, --format=FORMAT    text (the default), lcov (for genhtml), gcovr (JSON for gcovr 7), gcovr5 (for gcovr "
    "5.2),\n"
    "                         json, or data (one data file that holds all counts)\n"
    "  -o, --output=FILE      writes to FILE\n"
    "      --source-dir=DIR   the directory of .uflow files whose names are relative\n"
    "      --fail-under=N     exit status 3 if less than N percent were taken\n"
    "      --version; -h, --help\n"
    "\n"
    "Exit status: 0; 1: a file cannot be read or written, or holds no counts; 2: the command is wrong; 3: see above.\n";

typedef struct options {
    cov_output *output_of;
    const char *output, *source_directory;
    double least;
} options;

static void misuse(const char *what, const char *value)
{
    fprintf(stderr, "uflow-cov: %s%s\nTry uflow-cov --help.\n", what, value);
    exit(2);
}

static cov_output *read_format(const char *name)
{
    static const struct format {
        const char *name;
        cov_output *output;
    } formats[] = {
        {"text", cov_text},      {"lcov", cov_lcov}, {"gcovr", cov_gcovr},
        {"gcovr5", cov_gcovr_5}, {"json", cov_json}, {"data", cov_merged},
    };

    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (strcmp(name, formats[i].name) == 0) return formats[i].output;
    }
    misuse("not a format: ", name);
    return NULL;
}

static double read_percent(const char *text)
{
    char *end;
    double const percent = strtod(text, &end);
    if (end == text || *end || !(percent >= 0 && percent <= 100)) misuse("not a number from 0 to 100: ", text);
    return percent;
}

static options read_options(int argc, char **argv)
{
    enum { SOURCE_DIR = 256, FAIL_UNDER, VERSION };
    static const struct option known[] = {{"format", required_argument, NULL, 'f'},
                                          {"output", required_argument, NULL, 'o'},
                                          {"source-dir", required_argument, NULL, SOURCE_DIR},
                                          {"fail-under", required_argument, NULL, FAIL_UNDER},
                                          {"version", no_argument, NULL, VERSION},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    options chosen = {.output_of = cov_text};

    for (int option; (option = getopt_long(argc, argv, "f:o:h", known, NULL)) != -1;) {
        switch (option) {
        case 'f': chosen.output_of = read_format(optarg); break;
        case 'o': chosen.output = optarg; break;
        case SOURCE_DIR: chosen.source_directory = optarg; break;
        case FAIL_UNDER: chosen.least = read_percent(optarg); break;
        case VERSION: tool_answer("uflow-cov " UF_VERSION "\n");
        case 'h': tool_answer(usage);
        default: fputs("Try uflow-cov --help.\n", stderr); exit(2);
        }
    }
    return chosen;
}

static void write_output(const options *chosen, const cov_data *data)
{
    FILE *const out = chosen->output ? fopen(chosen->output, "wb") : stdout;
    if (!out) tool_die("%s: %s", chosen->output, strerror(errno));
    chosen->output_of(data, out);
    tool_finish(out, chosen->output);
}

int main(int argc, char **argv)
{
    options const chosen = read_options(argc, argv);
    cov_data data = {.source_directory = chosen.source_directory};

    if (optind == argc) cov_read(&data, "uflow.cov");
    for (int i = optind; i < argc; i++) cov_read(&data, argv[i]);
    if (data.count == 0) tool_die("there are no counts");
    cov_choose(&data);
    write_output(&chosen, &data);
    double const percent = cov_percent(cov_share_of(&data));
    cov_free(&data);
    if (percent >= chosen.least) return 0;
    fprintf(stderr, "uflow-cov: %.1f %% were taken, less than %g %%\n", percent, chosen.least);
    return 3;
}
