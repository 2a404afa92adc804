/* SPDX-License-Identifier: MIT */
/* lcov.c - a tracefile of lcov. Steps, and handlers that run when a task or flow begins and ends, are functions; the
 * targets of a step are branches. */
#include "cov.h"

#include <inttypes.h>
#include <stdlib.h>

/* The FN lines, and then the FNDA lines. A name has no comma, which would separate columns. */
static void print_functions(const cov_file *file, FILE *out)
{
    size_t found = 0, hit = 0;
    cov_place place = {0};
    for (size_t i = 0; i < 2 * file->count; i++) {
        cov_point const *const point = &file->points[i % file->count];
        bool const counts = i >= file->count;
        cov_follow(&place, point);
        if (point->kind != KIND_STEP && point->kind != KIND_HANDLER) continue;
        fprintf(out, counts ? "FNDA:%" PRIu64 "," : "FN:%" PRIu64 ",", counts ? cov_runs(point) : point->line);
        cov_print_place(out, &place, cov_print_plain);
        if (point->kind == KIND_HANDLER) fprintf(out, ".%s", point->label);
        fputc('\n', out);
        found += counts;
        hit += counts && cov_runs(point) > 0;
    }
    fprintf(out, "FNF:%zu\nFNH:%zu\n", found, hit);
}

/* The branches of a step form a block, and so do those of handlers before the steps. */
static void print_branches(const cov_file *file, FILE *out)
{
    size_t found = 0, hit = 0, block = 0, branch = 0;
    bool reached = false;
    for (size_t i = 0; i < file->count; i++) {
        cov_point const *const point = &file->points[i];
        if (point->kind <= KIND_STEP) {
            reached = point->count > 0;
            block++;
            branch = 0;
        }
        if (!(cov_kinds[point->kind].traits & BRANCH)) continue;
        fprintf(out, "BRDA:%" PRIu32 ",%zu,%zu,", point->line, block, branch++);
        if (reached) fprintf(out, "%" PRIu64 "\n", point->count);
        else fputs("-\n", out);
        found++;
        hit += point->count > 0;
    }
    fprintf(out, "BRF:%zu\nBRH:%zu\n", found, hit);
}

static void print_lines(const cov_file *file, FILE *out)
{
    size_t found = 0, hit = 0;
    cov_point const **const lines = cov_by_line(file, LINE);
    for (cov_point const *const *at = lines; *at; found++) {
        uint32_t const line = (*at)->line;
        uint64_t const count = cov_line_count(&at);
        fprintf(out, "DA:%" PRIu32 ",%" PRIu64 "\n", line, count);
        hit += count > 0;
    }
    fprintf(out, "LF:%zu\nLH:%zu\n", found, hit);
    free((void *)lines);
}

void cov_lcov(const cov_data *data, FILE *out)
{
    for (size_t i = 0; i < data->current; i++) {
        fputs("TN:\nSF:", out);
        cov_print_path(out, data, &data->files[i], cov_print_plain);
        fputc('\n', out);
        print_functions(&data->files[i], out);
        print_branches(&data->files[i], out);
        print_lines(&data->files[i], out);
        fputs("end_of_record\n", out);
    }
}
