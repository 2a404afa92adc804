/* lcov.c - a tracefile of lcov: steps, and what runs when a task or flow begins and ends, as functions; the ways out of
 * a step as branches. */
#include "cov.h"

#include <inttypes.h>
#include <stdlib.h>

static bool is_function(const cov_point *point)
{
    return point->kind == KIND_STEP || point->kind == KIND_HANDLER;
}

/* A name has no comma, which would separate columns. */
static void print_function(FILE *out, const cov_place *place, const cov_point *point)
{
    cov_print_place(out, place, cov_print_plain);
    if (point->kind == KIND_HANDLER) fprintf(out, ".%s", point->label);
    fputc('\n', out);
}

static void print_functions(const cov_file *file, FILE *out)
{
    size_t found = 0, hit = 0;
    for (int pass = 0; pass < 2; pass++) {
        cov_place place = {0};
        for (size_t i = 0; i < file->count; i++) {
            cov_point const *const point = &file->points[i];
            cov_follow(&place, point);
            if (!is_function(point)) continue;
            if (pass == 0) {
                fprintf(out, "FN:%" PRIu32 ",", point->line);
                found++;
                hit += cov_runs(point) > 0;
            } else {
                fprintf(out, "FNDA:%" PRIu64 ",", cov_runs(point));
            }
            print_function(out, &place, point);
        }
    }
    fprintf(out, "FNF:%zu\nFNH:%zu\n", found, hit);
}

/* The branches of a step are a block, and those of handlers before the steps. */
static void print_branches(const cov_file *file, FILE *out)
{
    size_t found = 0, hit = 0, block = 0, branch = 0;
    cov_place place = {0};
    for (size_t i = 0; i < file->count; i++) {
        cov_point const *const point = &file->points[i];
        cov_follow(&place, point);
        if (point->kind == KIND_FLOW || point->kind == KIND_TASK || point->kind == KIND_STEP) {
            block++;
            branch = 0;
        }
        if (!(cov_kinds[point->kind].traits & BRANCH)) continue;
        fprintf(out, "BRDA:%" PRIu32 ",%zu,%zu,", point->line, block, branch++);
        if (cov_is_reached(&place)) fprintf(out, "%" PRIu64 "\n", point->count);
        else fputs("-\n", out);
        found++;
        hit += point->count > 0;
    }
    fprintf(out, "BRF:%zu\nBRH:%zu\n", found, hit);
}

static void print_lines(const cov_file *file, FILE *out)
{
    size_t count, hit = 0;
    cov_line *const lines = cov_lines(file, &count);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "DA:%" PRIu32 ",%" PRIu64 "\n", lines[i].number, lines[i].count);
        hit += lines[i].count > 0;
    }
    fprintf(out, "LF:%zu\nLH:%zu\n", count, hit);
    free(lines);
}

void cov_lcov(const cov_data *data, FILE *out)
{
    for (size_t i = 0; i < data->count; i++) {
        if (!data->files[i].is_current) continue;
        fputs("TN:\nSF:", out);
        cov_print_path(out, data, &data->files[i], cov_print_plain);
        fputc('\n', out);
        print_functions(&data->files[i], out);
        print_branches(&data->files[i], out);
        print_lines(&data->files[i], out);
        fputs("end_of_record\n", out);
    }
}
