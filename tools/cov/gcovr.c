/* SPDX-License-Identifier: MIT */
/* gcovr.c - what `gcovr --add-tracefile` reads. A gcovr reads one version of this JSON format, and skips members that
 * it does not know: so the versions differ in their number alone. */
#include "cov.h"

#include <inttypes.h>
#include <stdlib.h>

static void print_functions(const cov_file *file, FILE *out)
{
    const char *between = "";
    cov_place place = {0};
    for (size_t i = 0; i < file->count; i++) {
        cov_point const *const point = &file->points[i];
        cov_follow(&place, point);
        if (point->kind != KIND_STEP) continue;
        fprintf(out, "%s{\"name\": \"", between);
        cov_print_place(out, &place, cov_print_escaped);
        fprintf(out,
                "\", \"lineno\": %" PRIu32 ", \"execution_count\": %" PRIu64 ", \"returned_count\": %" PRIu64
                ", \"blocks_percent\": %s}",
                point->line, cov_runs(point), cov_runs(point), cov_runs(point) ? "100.0" : "0.0");
        between = ",\n  ";
    }
}

/* `branches` moves behind those of the line. */
static void print_branches(const cov_point *const **branches, uint32_t line, FILE *out)
{
    for (const char *between = ""; **branches && (**branches)->line == line; ++*branches, between = ", ") {
        fprintf(out, "%s{\"blockno\": 0, \"count\": %" PRIu64 ", \"fallthrough\": false, \"throw\": false}", between,
                (**branches)->count);
    }
}

/* A branch is a point of its line, too. */
static void print_lines(const cov_file *file, FILE *out)
{
    const char *between = "";
    cov_point const **const lines = cov_by_line(file, LINE), **const branches = cov_by_line(file, BRANCH);
    cov_point const *const *branch = branches;

    for (cov_point const *const *at = lines; *at; between = ",\n  ") {
        uint32_t const line = (*at)->line;
        uint64_t const count = cov_line_count(&at);
        fprintf(out, "%s{\"line_number\": %" PRIu32 ", \"count\": %" PRIu64 ", \"branches\": [", between, line, count);
        print_branches(&branch, line, out);
        fputs("], \"gcovr/noncode\": false, \"gcovr/excluded\": false}", out);
    }
    free((void *)lines);
    free((void *)branches);
}

static void print_version(const cov_data *data, const char *version, FILE *out)
{
    const char *between = "\n";
    fprintf(out, "{\"gcovr/format_version\": \"%s\", \"files\": [", version);
    for (size_t i = 0; i < data->current; i++) {
        fprintf(out, "%s{\"file\": ", between);
        cov_print_path(out, data, &data->files[i], cov_print_json);
        fputs(", \"functions\": [\n  ", out);
        print_functions(&data->files[i], out);
        fputs("], \"lines\": [\n  ", out);
        print_lines(&data->files[i], out);
        fputs("]}", out);
        between = ",\n";
    }
    fputs("]}\n", out);
}

void cov_gcovr(const cov_data *data, FILE *out)
{
    print_version(data, "0.6", out);
}

void cov_gcovr_5(const cov_data *data, FILE *out)
{
    print_version(data, "0.3", out);
}
