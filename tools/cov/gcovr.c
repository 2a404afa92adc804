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

static int by_line(const void *left, const void *right)
{
    cov_point const *const a = *(cov_point const *const *)left, *const b = *(cov_point const *const *)right;
    return a->line != b->line ? (a->line > b->line) - (a->line < b->line) : (a > b) - (a < b);
}

/* The branches in the order of their lines, each of which cov_lines() has. Behind them is NULL. Allocated. */
static const cov_point **branches_of(const cov_file *file)
{
    cov_point const **const branches = tool_resize(NULL, file->count + 1, sizeof *branches);
    size_t count = 0;

    for (size_t i = 0; i < file->count; i++) {
        if (cov_kinds[file->points[i].kind].traits & BRANCH) branches[count++] = &file->points[i];
    }
    qsort((void *)branches, count, sizeof *branches, by_line);
    branches[count] = NULL;
    return branches;
}

/* Those of a line. Returns: those of the next one. */
static const cov_point *const *print_branches(const cov_point *const *branches, uint32_t line, FILE *out)
{
    for (const char *between = ""; *branches && (*branches)->line == line; branches++, between = ", ") {
        fprintf(out, "%s{\"blockno\": 0, \"count\": %" PRIu64 ", \"fallthrough\": false, \"throw\": false}", between,
                (*branches)->count);
    }
    return branches;
}

static void print_lines(const cov_file *file, FILE *out)
{
    size_t count;
    cov_line *const lines = cov_lines(file, &count);
    cov_point const **const branches = branches_of(file), *const *next = branches;

    for (size_t i = 0; i < count; i++) {
        fprintf(out, "%s{\"line_number\": %" PRIu32 ", \"count\": %" PRIu64 ", \"branches\": [", i ? ",\n  " : "",
                lines[i].number, lines[i].count);
        next = print_branches(next, lines[i].number, out);
        fputs("], \"gcovr/noncode\": false, \"gcovr/excluded\": false}", out);
    }
    free(lines);
    free((void *)branches);
}

static void print_version(const cov_data *data, const char *version, FILE *out)
{
    const char *between = "\n";
    fprintf(out, "{\"gcovr/format_version\": \"%s\", \"files\": [", version);
    for (size_t i = 0; i < data->count; i++) {
        if (!data->files[i].is_current) continue;
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
